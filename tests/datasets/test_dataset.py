"""The data set object: read-only, comparable by content, fit to travel between processes."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from mlfs.datasets import Dataset
from mlfs.errors import DatasetError

# Results are stored under it, so it must not change from one process, machine or release to the next.
FINGERPRINT = "fc5913a5af7ca5b4770872a16bee350f090092213d80ab4a1801ce09c29bca9f"


def toy(**changes) -> Dataset:
    ds = Dataset(
        X=np.array([[0.0, 1.5, 0.0], [2.0, 0.0, 1.0], [0.0, 0.0, 2.0], [1.0, 0.0, 0.0]]),
        Y=np.array([[1, 0], [0, 1], [1, 1], [0, 0]]),
        feature_names=["a", "b", "colour"],
        label_names=["x", "y"],
        name="toy",
        split=([0, 2, 3], [1]),
        categories={2: ["red", "green", "blue"]},
    )
    return replace(ds, **changes) if changes else ds


def changed(array: np.ndarray, index: tuple[int, int], value: float) -> np.ndarray:
    copy = array.copy()
    copy[index] = value
    return copy


def test_arrays_are_read_only():
    for ds in (toy(), toy(X=sparse.csr_matrix(toy().X))):
        parts = [ds.X] if isinstance(ds.X, np.ndarray) else [ds.X.data, ds.X.indices, ds.X.indptr]
        for array in (*parts, ds.Y, *ds.split):
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 0
    with pytest.raises(FrozenInstanceError):
        toy().name = "other"
    with pytest.raises(TypeError):
        toy().categories[0] = ("no",)


@pytest.mark.parametrize("kind", [np.array, sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array])
def test_caller_keeps_its_arrays(kind):
    X, Y, rows = kind(toy().X), np.array(toy().Y), np.array([0, 1])
    ds = toy(X=X, Y=Y, split=(rows, rows))
    before = ds.fingerprint
    X[0, 1], Y[0, 0], rows[0] = 9.0, 0, 3  # still writable, and not those of the data set
    assert toy(X=ds.X, Y=ds.Y, split=ds.split).fingerprint == before


def test_types():
    ds = toy(X=np.arange(12).reshape(4, 3), Y=toy().Y.astype(bool))
    assert ds.X.dtype == np.float64
    assert ds.Y.dtype == np.int8
    stored = toy(X=sparse.coo_matrix(toy().X)).X
    assert sparse.isspmatrix_csr(stored)
    assert stored.nnz == 5


def test_fingerprint_does_not_depend_on_storage():
    explicit_zeros = sparse.csr_matrix(toy().X)
    explicit_zeros.data[explicit_zeros.data == 1.0] = 0.0  # (1, 2) and (3, 0) are stored zeros now
    dense = explicit_zeros.toarray()
    assert toy(X=explicit_zeros).fingerprint == toy(X=dense).fingerprint
    for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array, np.asfortranarray):
        assert toy(X=kind(toy().X)).fingerprint == toy().fingerprint
    unsorted = sparse.csr_matrix(([1.5, 1.0, 2.0, 2.0, 1.0], [1, 2, 0, 2, 0], [0, 1, 3, 4, 5]), shape=(4, 3))
    assert toy(X=unsorted).fingerprint == toy().fingerprint


@pytest.mark.parametrize(
    "changes",
    [
        {"X": changed(toy().X, (3, 2), 1e-300)},
        {"X": changed(toy().X, (0, 1), np.nextafter(1.5, 2))},
        {"X": toy().X[:, [1, 0, 2]]},
        {"Y": changed(toy().Y, (3, 1), 1)},
        {"feature_names": ["a", "B", "colour"]},
        {"label_names": ["x", "z"]},
        {"categories": {2: ["red", "green", "violet"]}},
        {"categories": {}},
        {"split": None},
        {"split": ([0, 2], [1, 3])},
        {"split": ([2, 0, 3], [1])},
        {"split": ([0, 2, 3, 1], [])},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_fingerprint_changes_with_content(changes):
    assert toy(**changes).fingerprint != toy().fingerprint


def test_fingerprint_ignores_what_is_not_content():
    assert toy(notes=["read"], source="elsewhere", name="renamed").fingerprint == toy().fingerprint


def test_fingerprint_stays_what_it_was():
    assert toy().fingerprint == FINGERPRINT


@pytest.mark.parametrize("X", [toy().X, sparse.csr_matrix(toy().X)], ids=["dense", "sparse"])
def test_pickling(X):
    ds = toy(X=X, notes=["one"], source="here")
    back = pickle.loads(pickle.dumps(ds))
    assert back.fingerprint == ds.fingerprint
    assert (back.name, back.notes, back.source, back.categories) == (ds.name, ds.notes, ds.source, ds.categories)
    with pytest.raises(TypeError):
        back.categories[0] = ("no",)
    for array in (back.Y, *back.split, *([back.X] if isinstance(back.X, np.ndarray) else [back.X.data])):
        assert not array.flags.writeable


def test_one_hot():
    expected = np.array([[0, 1.5, 1, 0, 0], [2, 0, 0, 1, 0], [0, 0, 0, 0, 1], [1, 0, 1, 0, 0]])
    expanded, owner = toy().one_hot()
    np.testing.assert_array_equal(expanded, expected)
    np.testing.assert_array_equal(owner, [0, 1, 2, 2, 2])
    expanded, owner = toy(X=sparse.csr_matrix(toy().X)).one_hot()
    assert sparse.issparse(expanded)
    np.testing.assert_array_equal(expanded.toarray(), expected)
    np.testing.assert_array_equal(owner, [0, 1, 2, 2, 2])
    assert toy().categorical == (2,)


def test_one_hot_without_categories_is_X():
    ds = toy(categories={})
    expanded, owner = ds.one_hot()
    assert expanded is ds.X
    np.testing.assert_array_equal(owner, [0, 1, 2])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"Y": np.zeros((3, 2))},
            r"^toy: X \(4, 3\) and Y \(3, 2\) must be tables with the same number of rows\.$",
        ),
        ({"Y": np.zeros(4)}, r"^toy: X \(4, 3\) and Y \(4,\) must be tables with the same number of rows\.$"),
        ({"Y": np.full((4, 2), 0.5)}, r"^toy: the labels in Y must be 0 or 1\.$"),
        ({"Y": np.full((4, 2), 257)}, r"^toy: the labels in Y must be 0 or 1\.$"),
        ({"Y": np.full((4, 2), np.nan)}, r"^toy: the labels in Y must be 0 or 1\.$"),
        ({"Y": pd.DataFrame({"x": [1, 0, 1, 0], "y": [0, None, 1, 1]}).astype("Int64")}, r"labels in Y must be 0 or 1"),
        ({"X": np.ma.masked_array(np.zeros((4, 3)), mask=np.eye(4, 3))}, r"^toy: X or Y has masked values: fill them"),
        ({"Y": np.ma.masked_array(np.zeros((4, 2)), mask=np.eye(4, 2))}, r"^toy: X or Y has masked values: fill them"),
        ({"X": np.full((4, 3), np.nan)}, r"^toy: the features in X must be finite numbers; NaN or infinity found\.$"),
        ({"X": sparse.csr_matrix(np.full((4, 3), np.inf))}, r"^toy: the features in X must be finite numbers"),
        ({"split": ([0, 1], [4])}, r"^toy: the split names rows outside 0 … 3\.$"),
        ({"split": ([-1], [2])}, r"^toy: the split names rows outside 0 … 3\.$"),
        ({"feature_names": ["a"]}, r"^toy: 3 features and 2 labels, but 1 and 2 names\.$"),
        ({"label_names": ["a"]}, r"^toy: 3 features and 2 labels, but 3 and 1 names\.$"),
    ],
)
def test_errors_are_sentences(changes, sentence):
    with pytest.raises(DatasetError, match=sentence):
        toy(**changes)


def test_repr():
    assert repr(toy()) == "<Dataset toy: 4 instances, 3 features (dense), 2 labels>"
    assert repr(toy(X=sparse.csr_matrix(toy().X))) == "<Dataset toy: 4 instances, 3 features (sparse), 2 labels>"
