"""Distances and sums of differences of scaled rows, against plain loops, for every kind of column."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mlfs.selectors.parts.differences import Differences

KINDS = {
    "0 and 1, rare": lambda rng, n: (rng.random(n) < 0.2).astype(float),
    "two values": lambda rng, n: rng.choice([-3.0, 8.0], n),
    "0 and below": lambda rng, n: rng.choice([0.0, -2.5], n),
    "constant": lambda rng, n: np.full(n, 7.0),
    "zero": lambda rng, n: np.zeros(n),
    "numbers": lambda rng, n: rng.normal(1e6, 1, n),
    "numbers and few zeros": lambda rng, n: rng.normal(size=n) * (rng.random(n) < 0.8),
    "few numbers": lambda rng, n: rng.exponential(size=n) * (rng.random(n) < 0.1),
    "few numbers of both signs": lambda rng, n: rng.normal(size=n) * (rng.random(n) < 0.15),
    "counts": lambda rng, n: rng.poisson(0.15, n).astype(float),
    "codes": lambda rng, n: rng.integers(0, 4, n).astype(float),
}


def slow(X, categorical):
    """(n, n, d) how much two rows differ in each feature."""
    result = np.zeros((len(X), len(X), X.shape[1]))
    for f, column in enumerate(X.T):
        span = column.max() - column.min()
        for i, a in enumerate(column):
            for j, b in enumerate(column):
                result[i, j, f] = float(a != b) if f in categorical else abs(a - b) / span if span else 0.0
    return result


@given(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=6), st.integers(2, 25), st.integers(0, 10**6))
@settings(max_examples=60)
def test_definition(kinds, n, seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([KINDS[kind](rng, n) for kind in kinds])
    categorical = [f for f, kind in enumerate(kinds) if kind == "codes"]
    rows = rng.choice(n, min(n, 7), replace=False)
    weights = rng.normal(size=(len(rows), n)) * (rng.random((len(rows), n)) < 0.7)
    each = slow(X, categorical)[rows]
    for form in (X, sparse.csr_matrix(X), sparse.csr_array(X)):
        differences = Differences(form, categorical)
        distances = differences.distances(rows)
        assert (distances == np.rint(distances)).all()
        np.testing.assert_allclose(distances * 2.0**-differences.unit_bits, each.sum(axis=2), atol=1e-9)
        sums = differences.sums(rows, weights)
        np.testing.assert_allclose(sums, np.einsum("ij,ijf->f", weights, each), atol=1e-9)


def test_every_kind_of_part_is_used():
    rng = np.random.default_rng(0)
    X = np.column_stack([make(rng, 400) for make in KINDS.values()])
    kinds = list(KINDS)
    parts = {type(part).__name__: set(part.owner) for part in Differences(X, [kinds.index("codes")]).parts}
    named = {name: {kinds[f] for f in owners} for name, owners in parts.items()}
    assert named == {
        "_Flags": {"0 and 1, rare", "two values", "0 and below", "codes"},
        "_Filled": {"numbers", "numbers and few zeros"},
        "_Postings": {"few numbers", "few numbers of both signs", "counts"},
    }


def test_distances_do_not_depend_on_form_or_order():
    """Sums of exact numbers: what ties in one order of features ties in another."""
    rng = np.random.default_rng(1)
    X = np.column_stack([make(rng, 30) for make in KINDS.values()] * 2)
    rows = np.arange(30)
    order = rng.permutation(X.shape[1])
    plain = Differences(X).distances(rows)
    assert np.array_equal(Differences(sparse.csr_matrix(X)).distances(rows), plain)
    assert np.array_equal(Differences(X[:, order]).distances(rows), plain)
    assert np.array_equal(plain, plain.T)
    assert (np.diag(plain) == 0).all()


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_input_is_not_touched(form):
    X = form(np.array([[1.0, 0.0, 5.0], [0.0, 2.0, 6.0], [1.0, -3.0, 5.0]]))
    kept = X.copy()
    Differences(X, [0]).sums(np.arange(3), np.ones((3, 3)))
    assert (kept != X).sum() == 0


def test_sparse_columns_are_not_filled_up():
    X = sparse.random(400, 20000, 0.002, format="csr", random_state=0)
    rows = np.arange(10)
    tracemalloc.start()
    differences = Differences(X)
    differences.distances(rows)
    differences.sums(rows, np.ones((10, 400)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 400 * 20000 * 8 / 4
