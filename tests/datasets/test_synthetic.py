"""Synthetic sets keep what they promise: the truth is complete, the data follow it, and a name says all of it."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.feature_selection import mutual_info_classif

from mlfs.datasets import (
    CATALOGUE,
    SYNTHETIC,
    Truth,
    list_datasets,
    load_dataset,
    make_synthetic,
    parse_synthetic,
    synthetic_name,
)
from mlfs.datasets.synthetic import MOST_VALUES, _label_weights
from mlfs.errors import DatasetError, ParameterError


def mean_correlation(table: np.ndarray) -> float:
    """Mean correlation of two different columns."""
    q = table.shape[1]
    return (np.corrcoef(table, rowvar=False).sum() - q) / (q * (q - 1))


def mean_information(ds, columns) -> np.ndarray:
    """Mean mutual information of each column with the labels, by scikit-learn's estimate on five bins."""
    X = ds.X.toarray() if sparse.issparse(ds.X) else ds.X
    edges = np.quantile(X, [0.2, 0.4, 0.6, 0.8], axis=0)
    bins = np.stack([np.searchsorted(np.unique(edges[:, j]), X[:, j], side="left") for j in columns], axis=1)
    return np.mean([mutual_info_classif(bins, y, discrete_features=True) for y in ds.Y.T], axis=0)


@pytest.mark.parametrize(
    ("sizes", "density"),
    [((500, 10, 10, 30, 6), 0.3), ((999, 3, 0, 5, 8), 0.05), ((50, 1, 2, 0, 1), 0.5), ((2, 1, 0, 0, 1), 0.01)],
)
def test_sizes_and_density(sizes, density):
    n, r, s, i, q = sizes
    ds = make_synthetic(*sizes, label_density=density)
    assert ds.X.shape == (n, r + s + i)
    assert ds.Y.shape == (n, q)
    positives = ds.Y.sum(axis=0)
    assert (positives == max(round(density * n), 1)).all()  # never none, so that each label can be learnt


def test_very_dense_labels_leave_a_negative():
    assert (make_synthetic(n_instances=10, label_density=0.99).Y.sum(axis=0) == 9).all()


def test_truth_is_complete_and_disjoint():
    ds = make_synthetic(n_relevant=7, n_redundant=5, n_irrelevant=9, seed=3)
    truth = ds.truth
    assert (len(truth.relevant), len(truth.redundant), len(truth.irrelevant)) == (7, 5, 9)
    assert sorted(truth.relevant + truth.redundant + truth.irrelevant) == list(range(21))
    for kind in ("relevant", "redundant", "irrelevant"):
        columns = getattr(truth, kind)
        assert [ds.feature_names[j] for j in columns] == [f"{kind}_{i + 1}" for i in range(len(columns))]
    assert len(truth.source_of_redundant) == 5
    assert all(set(source) <= set(truth.relevant) for source in truth.source_of_redundant)
    assert truth.weights.shape == (7, 6)
    assert not truth.weights.flags.writeable
    assert truth.relevant != tuple(range(7))  # columns are shuffled
    assert pickle.loads(pickle.dumps(ds)).truth.relevant == truth.relevant


@pytest.mark.parametrize("r", [1, 2, 3, 5, 10, 20])
@pytest.mark.parametrize("q", [1, 2, 3, 6, 14, 30])
def test_weights_have_the_wanted_correlation_and_use_every_feature(r, q):
    for seed in range(5):
        for correlation in (0.0, 0.1, 0.5, 0.9, 0.99):
            weights = _label_weights(np.random.default_rng(seed), r, q, correlation)
            np.testing.assert_allclose(np.square(weights).sum(axis=0), 1)
            assert (np.abs(weights).max(axis=1) > 0.5 / np.sqrt(r)).all()
            if min(r, q) > 1:
                inner = weights.T @ weights
                assert (inner.sum() - q) / (q * (q - 1)) == pytest.approx(correlation, abs=1e-9)


def test_uncorrelated_labels_have_features_of_their_own():
    weights = make_synthetic(n_relevant=10, n_labels=4, label_correlation=0.0).truth.weights
    assert ((np.abs(weights) > 1e-9).sum(axis=1) == 1).all()


@pytest.mark.parametrize("n_labels", [4, 12])
def test_labels_correlate_as_asked(n_labels):
    """Scores are normal with the given correlation: at density ½ the labels' is 2/π·arcsin of it on average."""
    correlations = []
    for correlation in (0.0, 0.25, 0.5, 0.75, 0.95):
        ds = make_synthetic(
            5000,
            n_relevant=8,
            n_redundant=0,
            n_irrelevant=0,
            n_labels=n_labels,
            label_correlation=correlation,
            label_density=0.5,
            noise=0.0,
        )
        correlations.append(mean_correlation(ds.Y))
        if n_labels <= 8:  # then all pairs of labels have the same correlation
            assert correlations[-1] == pytest.approx(2 / np.pi * np.arcsin(correlation), abs=0.03)
    assert (np.diff(correlations) > 0.1).all()


def test_noise_weakens_the_labels():
    agreement = []
    for noise in (0.0, 0.5, 2.0):
        ds = make_synthetic(2000, noise=noise, n_redundant=0, label_density=0.5)
        scores = ds.X[:, ds.truth.relevant] @ ds.truth.weights
        agreement.append(((scores > np.median(scores, axis=0)) == ds.Y).mean())
    assert agreement[0] == 1.0
    assert agreement[0] > agreement[1] > agreement[2] > 0.5


def test_redundant_features_follow_their_sources():
    ds = make_synthetic(2000, n_redundant=12, noise=0.1, seed=4)
    sizes = set()
    for column, source in zip(ds.truth.redundant, ds.truth.source_of_redundant, strict=True):
        made_from = np.linalg.lstsq(ds.X[:, source], ds.X[:, column], rcond=None)[0]
        left = ds.X[:, column] - ds.X[:, source] @ made_from
        assert left.std() == pytest.approx(0.1, rel=0.1)
        assert (np.abs(made_from) > 0.5).all()  # each source matters
        sizes.add(len(source))
    assert sizes == {1, 2}


def test_redundant_features_without_noise_are_copies():
    ds = make_synthetic(n_relevant=1, n_redundant=3, noise=0.0)
    for column in ds.truth.redundant:
        np.testing.assert_array_equal(np.abs(ds.X[:, column]), np.abs(ds.X[:, ds.truth.relevant[0]]))


def test_irrelevant_features_are_independent():
    n = 5000
    ds = make_synthetic(n, n_irrelevant=20, seed=5)
    irrelevant = ds.X[:, ds.truth.irrelevant]
    others = np.hstack([ds.X[:, ds.truth.relevant + ds.truth.redundant], ds.Y])
    together = np.corrcoef(np.hstack([irrelevant, others]), rowvar=False)
    np.fill_diagonal(together, 0)
    assert np.abs(together[:20]).max() < 5 / np.sqrt(n)


@pytest.mark.parametrize("options", [{}, {"sparse": True}, {"binary": True}, {"sparse": True, "binary": True}], ids=str)
def test_information_separates_relevant_from_irrelevant(options):
    ds = make_synthetic(4000, n_relevant=6, n_redundant=4, n_irrelevant=20, n_labels=4, seed=6, **options)
    information = mean_information(ds, range(ds.X.shape[1]))
    assert information[list(ds.truth.relevant)].min() > 2 * information[list(ds.truth.irrelevant)].max()
    best = np.argsort(-information)
    assert set(best[:10]) == set(ds.truth.relevant + ds.truth.redundant)
    assert ds.truth.recovery(best, 10) == 1.0


def test_same_seed_same_bits():
    options = {"n_instances": 100, "n_labels": 3, "noise": 0.3}
    assert make_synthetic(seed=1, **options).fingerprint == make_synthetic(seed=1, **options).fingerprint
    assert make_synthetic(seed=1, **options).fingerprint != make_synthetic(seed=2, **options).fingerprint
    assert make_synthetic(seed=1, **options).truth.relevant != make_synthetic(seed=2, **options).truth.relevant


def test_sparse_and_binary():
    dense = make_synthetic(2000)
    thin = make_synthetic(2000, sparse=True)
    assert sparse.isspmatrix_csr(thin.X)
    assert thin.X.nnz / np.prod(thin.X.shape) == pytest.approx(0.2, abs=0.02)
    assert thin.X.min() == 0
    np.testing.assert_array_equal(thin.Y, dense.Y)  # the same set, shown otherwise
    np.testing.assert_array_equal(thin.X.toarray() > 0, dense.X > 0.8416)
    yes_no = make_synthetic(2000, binary=True)
    assert set(np.unique(yes_no.X)) == {0.0, 1.0}
    np.testing.assert_array_equal(yes_no.X, dense.X > 0)
    both = make_synthetic(2000, sparse=True, binary=True)
    np.testing.assert_array_equal(both.X.toarray(), thin.X.toarray() > 0)
    assert not isinstance(dense.X, sparse.spmatrix)


def test_recovery():
    truth = Truth((0, 2, 4), (1,), (3, 5), np.ones((3, 1)), ((0,),))
    ranking = np.array([4, 1, 0, 3, 2, 5])
    assert [truth.recovery(ranking, k) for k in (1, 2, 3, 4, 5, 6, 99)] == [1, 1 / 2, 2 / 3, 2 / 3, 1, 1, 1]
    assert truth.recovery([3, 5], 2) == 0
    assert truth.recovery([4], 3) == pytest.approx(1 / 3)  # a ranking that stops early has found less
    assert truth.recovery([4, 4, 4], 3) == pytest.approx(1 / 3)
    with pytest.raises(ParameterError, match=r"^k must be at least 1, not 0\.$"):
        truth.recovery(ranking, 0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"n_instances": 1}, "n_instances must be a whole number from 2, not 1."),
        ({"n_instances": 2.5}, "n_instances must be a whole number from 2, not 2.5."),
        ({"n_relevant": 0}, "n_relevant must be a whole number from 1, not 0."),
        ({"n_redundant": -1}, "n_redundant must be a whole number from 0, not -1."),
        ({"n_irrelevant": "many"}, "n_irrelevant must be a whole number from 0, not 'many'."),
        ({"n_labels": True}, "n_labels must be a whole number from 1, not True."),
        ({"seed": None}, "seed must be a whole number from 0, not None."),
        ({"label_correlation": 1.0}, "label_correlation must be a number from 0 to 0.99, not 1.0."),
        ({"label_correlation": -0.1}, "label_correlation must be a number from 0 to 0.99, not -0.1."),
        ({"label_density": 0}, "label_density must be a number between 0 and 1, not 0."),
        ({"label_density": float("nan")}, "label_density must be a number between 0 and 1, not nan."),
        ({"noise": float("inf")}, "noise must be a number from 0 to 5, not inf."),
        ({"noise": "low"}, "noise must be a number from 0 to 5, not 'low'."),
    ],
)
def test_errors_are_sentences(options, sentence):
    with pytest.raises(ParameterError) as caught:
        make_synthetic(**options)
    assert str(caught.value) == sentence


def test_numpy_numbers_are_numbers():
    ds = make_synthetic(np.int64(20), n_labels=np.int32(2), label_density=np.float32(0.5), seed=np.int64(3))
    assert ds.Y.sum() == 20


def test_name_is_not_that_of_a_benchmark():
    assert "synthetic" not in CATALOGUE
    assert list_datasets()["synthetic"] == "made"


def test_every_argument_is_declared_with_its_default():
    arguments = inspect.signature(make_synthetic).parameters
    assert {name: parameter.default for name, parameter in SYNTHETIC.items()} == {
        name: argument.default for name, argument in arguments.items()
    }


def test_a_name_makes_the_set_that_the_call_makes():
    ds = load_dataset("synthetic: seed=1, n_labels=4 ,sparse=True")
    assert ds.name == "synthetic:n_labels=4,sparse=True,seed=1"
    assert ds.fingerprint == make_synthetic(n_labels=4, sparse=True, seed=1).fingerprint
    assert len(ds.truth.relevant) == 10
    assert load_dataset(ds.name).fingerprint == ds.fingerprint


@given(st.integers(2, 1000), st.floats(0, 0.99), st.floats(0.001, 0.999), st.booleans(), st.integers(0, 2**31 - 1))
def test_there_and_back(n_instances, label_correlation, label_density, binary, seed):
    given = {
        "n_instances": n_instances,
        "label_correlation": label_correlation,
        "label_density": label_density,
        "binary": binary,
        "seed": seed,
    }
    parsed = parse_synthetic(synthetic_name(given))
    assert {name: parsed.get(name, SYNTHETIC[name].default) for name in given} == given


def test_defaults_are_left_out():
    assert synthetic_name({name: parameter.default for name, parameter in SYNTHETIC.items()}) == "synthetic"
    assert load_dataset("synthetic:").name == "synthetic"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("synthetic:labels=4", "synthetic has no parameter 'labels': did you mean 'n_labels'?"),
        ("synthetic:n_labels", "'n_labels' in 'synthetic:n_labels' is not a parameter: write name=value, separated "),
        ("synthetic:seed=1,seed=2", "seed appears twice in 'synthetic:seed=1,seed=2': keep one of them."),
        ("synthetic:n_labels=1e3", "synthetic: n_labels must be a whole number from 1 to 100, not '1e3'."),
        ("synthetic:n_instances=20001", "synthetic: n_instances must be a whole number from 2 to 20000, not 20001."),
        ("synthetic:label_density=1", "synthetic: label_density must be a number between 0 and 1, not 1.0."),
        ("synthetic:sparse=yes", "synthetic: sparse must be one of False, True, not 'yes'"),
        (
            "synthetic:n_instances=20000,n_irrelevant=2000",
            "A synthetic set of 20000 instances with 2026 features and labels is too large: keep their product to "
            f"{MOST_VALUES:,}.",
        ),
    ],
)
def test_slips_are_sentences(name, sentence):
    with pytest.raises(ParameterError) as caught:
        load_dataset(name)
    assert str(caught.value).startswith(sentence)


def test_a_program_may_make_larger_ones():
    assert make_synthetic(n_instances=3, n_irrelevant=2001).X.shape[1] == 2021


def test_labels_are_not_asked_for():
    with pytest.raises(DatasetError, match="leave it out"):
        load_dataset("synthetic:seed=1", labels=-1)
