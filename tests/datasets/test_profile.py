"""The profile of a data set, against tables small enough to be worked by hand and the known sizes of real sets."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import sparse

from mlfs.datasets import Dataset, Profile, load_bundled, profile

# One column of each kind, in this order: see TYPES.
X = np.array(
    [
        [0.5, 0, 3, 0, 1, 7, -1, 2.0],
        [1.5, 1, 3, 1, 0, 7, 0, 2.0],
        [2.5, 0, 8, 2, 1, 7, 1, 2.0],
        [0.5, 1, 8, 0, 1, 7, -1, 5.0],
        [3.5, 1, 3, 1, 0, 7, 0, 5.0],
    ]
)
TYPES = {"numeric": 2, "binary": 4, "categorical": 1, "constant": 1}
Y = np.array([[1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0], [1, 0, 1, 0], [1, 0, 0, 0]])


def toy(**changes) -> Dataset:
    made = {
        "X": X,
        "Y": Y,
        "feature_names": [f"f{j}" for j in range(X.shape[1])],
        "label_names": ["a", "b", "c", "d"],
        "name": "toy",
        "categories": {3: ["red", "green", "blue"], 4: ["no", "yes"], 5: list("abcdefgh")},
    }
    return Dataset(**{**made, **changes})


def test_worked_by_hand():
    p = profile(toy())
    assert (p.name, p.instances, p.features, p.labels) == ("toy", 5, 8, 4)
    assert p.cardinality == 7 / 5
    assert p.density == 7 / 20
    assert p.distinct_labelsets == 4  # {a,c} twice, {a,b}, {a}, {}
    assert p.unlabelled == 1 / 5
    assert p.label_names == ("a", "b", "c", "d")
    assert p.label_counts == (4, 1, 2, 0)
    assert p.label_shares == tuple(count / p.instances for count in (4, 1, 2, 0))
    assert p.mean_imbalance == pytest.approx((4 / 4 + 4 / 1 + 4 / 2) / 3)  # d is left out
    assert p.never_positive == ("d",)
    np.testing.assert_array_equal(p.co_occurrence, [[4, 1, 2, 0], [1, 1, 0, 0], [2, 0, 2, 0], [0, 0, 0, 0]])
    assert p.feature_types == TYPES


def test_kinds_of_features_one_by_one():
    kinds = ["numeric", "binary", "binary", "categorical", "binary", "constant", "numeric", "binary"]
    for j, kind in enumerate(kinds):
        for values in (X[:, [j]], sparse.csr_matrix(X[:, [j]])):
            names = {0: toy().categories[j]} if j in toy().categories else {}
            p = profile(toy(X=values, feature_names=["f"], categories=names))
            assert p.feature_types[kind] == 1, (j, type(values))
            assert sum(p.feature_types.values()) == 1


@pytest.mark.parametrize(
    ("column", "kind"),
    [
        ([0, 0, 0, 0, 0], "constant"),
        ([0, 0, 2, 0, 0], "binary"),
        ([2, 2, 3, 3, 2], "binary"),  # nothing is zero
        ([0, 2, 3, 3, 2], "numeric"),  # the zero is the third value
        ([0, -1, 1, 0, 0], "numeric"),
        ([0, -1, -1, 0, 0], "binary"),
        ([4, 4, 4, 4, 4], "constant"),
    ],
)
def test_zeros_of_sparse_columns_count(column, kind):
    values = np.array(column, dtype=float)[:, None]
    for X in (values, sparse.csr_matrix(values)):
        types = profile(toy(X=X, feature_names=["f"], categories={})).feature_types
        assert {name for name, number in types.items() if number} == {kind}


@pytest.mark.filterwarnings("error")
def test_sparse_gives_the_same_and_stays_sparse(monkeypatch):
    ds = toy(X=sparse.csr_matrix(X))
    expected = profile(toy()).as_dict()
    monkeypatch.setattr(type(ds.X), "toarray", lambda self, *args, **kw: pytest.fail("X was made dense"))
    assert profile(ds).as_dict() == expected


def test_many_labels_do_not_overflow():
    """Y holds 8-bit integers; 300 rows together are more than one can count."""
    p = profile(toy(X=np.zeros((300, 1)), Y=np.ones((300, 4)), feature_names=["f"], categories={}))
    assert p.label_counts == (300,) * 4
    assert (p.co_occurrence == 300).all()
    assert p.cardinality == 4
    assert p.distinct_labelsets == 1


def test_no_label_at_all():
    p = profile(toy(Y=np.zeros((5, 4))))
    assert p.mean_imbalance is None
    assert p.never_positive == ("a", "b", "c", "d")
    assert (p.cardinality, p.unlabelled, p.distinct_labelsets) == (0, 1, 1)


@pytest.mark.parametrize("q", [1, 7, 8, 9, 17])
def test_labelsets_for_any_number_of_labels(q):
    rng = np.random.default_rng(q)
    Y = rng.integers(0, 2, (200, q))
    ds = toy(X=np.zeros((200, 1)), Y=Y, feature_names=["f"], label_names=[f"l{j}" for j in range(q)], categories={})
    assert profile(ds).distinct_labelsets == len(set(map(tuple, Y.tolist())))


@pytest.mark.parametrize(
    ("name", "cardinality", "density", "labelsets"),
    [("emotions", 1.869, 0.311, 27), ("yeast", 4.237, 0.303, 198), ("scene", 1.074, 0.179, 15)],
)
def test_known_numbers_of_real_sets(name, cardinality, density, labelsets):
    """Cardinality and density as Mulan lists them; labelsets as Sechidis et al. (2014) print them for yeast, scene."""
    p = profile(load_bundled(name))
    assert p.cardinality == pytest.approx(cardinality, abs=6e-4)
    assert p.density == pytest.approx(density, abs=6e-4)
    assert p.distinct_labelsets == labelsets
    assert p.unlabelled == 0
    assert p.never_positive == ()


@pytest.mark.parametrize(("name", "mean_imbalance"), [("emotions", 1.478), ("yeast", 7.197), ("scene", 1.254)])
def test_mean_imbalance_of_real_sets(name, mean_imbalance):
    """As Charte et al. (2015) print them."""
    assert profile(load_bundled(name)).mean_imbalance == pytest.approx(mean_imbalance, abs=6e-4)


def test_as_dict_is_plain():
    p = profile(toy())
    plain = p.as_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["co_occurrence"][0] == [4, 1, 2, 0]
    assert set(plain) == set(Profile.__dataclass_fields__)


def test_frozen():
    p = profile(toy())
    with pytest.raises(FrozenInstanceError):
        p.instances = 3
    with pytest.raises(ValueError, match="read-only"):
        p.co_occurrence[0, 0] = 1


def test_large_sparse_sets_are_not_made_dense():
    rng = np.random.default_rng(0)
    n, d, q, per_row = 7500, 23000, 300, 40
    stored = (rng.random(n * per_row), rng.integers(0, d, n * per_row), np.arange(0, n * per_row + 1, per_row))
    Y = rng.random((n, q)) < 0.02
    ds = Dataset(sparse.csr_matrix(stored, (n, d)), Y, [f"f{j}" for j in range(d)], [f"l{j}" for j in range(q)], "big")
    tracemalloc.start()
    try:
        p = profile(ds)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < n * d  # bytes: dense it would be eight times as many
    assert p.feature_types["numeric"] > 22000
