"""Cuts by hand, sparse against dense, and what training rows may and may not decide."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from mlfs.errors import ParameterError
from mlfs.information import Discretizer, discretize, entropy
from mlfs.information.discretization import BINNINGS

values = st.one_of(
    st.sampled_from([0.0, 0.0, 0.0, 1.0, -1.0, 2.5]),
    st.floats(-1e308, 1e308, allow_nan=False),
)
tables = arrays(np.float64, st.tuples(st.integers(1, 25), st.integers(1, 4)), elements=values)


def as_partition(codes):
    """Which rows share a bin, whatever the bins are called."""
    return codes[:, None] == codes[None, :]


def test_equal_width_by_hand():
    x = np.array([0.0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])[:, None]
    assert discretize(x, 5).ravel().tolist() == [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_equal_frequency_by_hand():
    x = np.array([5.0, 1, 1, 1, 9, 9, 7, 3])[:, None]
    # Sorted 1 1 1 3 5 7 9 9: cuts at positions round(8/3) = 3 and round(16/3) = 5, values 1 and 5.
    assert discretize(x, 3, "equal_frequency").ravel().tolist() == [1, 0, 0, 0, 2, 2, 2, 1]


@pytest.mark.parametrize("n", [3, 4, 5, 80, 81])
def test_two_equal_frequency_bins_follow_the_authors_rule(n):
    x = np.random.default_rng(n).normal(size=n)
    cut = np.sort(x)[int(np.floor(n / 2 + 0.5)) - 1]
    assert np.array_equal(discretize(x[:, None], 2, "equal_frequency").ravel(), x > cut)


def test_strict_bins_cut_two_values_as_they_cut_many():
    X = np.array([[0, 1, 0.1], [0, 1, 0.4], [0, 0, 0.2], [1, 1, 0.3], [1, 0, 0.5]])
    # Sorted, the third of five is 0, 1 and 0.3: what is above it is 1, and nothing is above the most frequent 1.
    expected = [[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 0, 0], [1, 0, 1]]
    assert discretize(X, 2, "equal_frequency_strict").tolist() == expected
    assert discretize(X, 2, "equal_frequency")[:, 1].tolist() == [1, 1, 0, 1, 0]


@pytest.mark.parametrize("method", ["equal_width", "equal_frequency"])
def test_few_values_keep_their_own_bin(method):
    x = np.array([0.0, 100, 101, 0, 100, 1e6])[:, None]
    assert discretize(x, 4, method).ravel().tolist() == [0, 1, 2, 0, 1, 3]
    assert len(set(discretize(x, 3, method).ravel())) <= 3


@pytest.mark.parametrize("method", BINNINGS)
@given(tables, st.integers(2, 7))
@settings(max_examples=120)
def test_sparse_is_dense(method, X, n_bins):
    dense = discretize(X, n_bins, method)
    thin = discretize(sparse.csr_matrix(X), n_bins, method)
    assert thin.nnz <= np.count_nonzero(X)
    for a, b, x in zip(dense.T, thin.toarray().T, X.T, strict=True):
        assert np.array_equal(as_partition(a), as_partition(b))
        assert (b[x == 0] == 0).all()
        assert a.max() < n_bins
        # Bins are intervals: a larger value never has a smaller bin.
        assert (np.diff(a[np.argsort(x, kind="stable")].astype(int)) >= 0).all()
        distinct = len(np.unique(x))
        if distinct <= n_bins and method != "equal_frequency_strict":
            assert len(np.unique(a)) == distinct


def test_cuts_come_from_the_training_rows():
    train, test = np.array([[0.0], [10.0], [4.0], [6.0]]), np.array([[-50.0], [4.9], [5.1], [900.0]])
    cutter = Discretizer(2).fit(train)
    assert cutter.transform(test).ravel().tolist() == [0, 0, 1, 1]
    assert np.array_equal(cutter.transform(np.vstack([train, test]))[:4], cutter.transform(train))


def test_category_codes_stay():
    X = np.array([[7.0, 0.1], [300, 0.2], [7, 0.3], [12, 0.4]])
    codes = discretize(X, 2, categorical=[0])
    assert codes[:, 0].tolist() == [7, 300, 7, 12]
    assert codes[:, 1].tolist() == [0, 0, 1, 1]
    thin = discretize(sparse.csr_matrix(X), 2, categorical=[0])
    np.testing.assert_allclose(entropy(thin), entropy(codes))


def test_huge_and_tiny_ranges():
    X = np.array([[-1e308, 0, 5e-324], [1e308, 1e-320, 0], [0, 3e-320, 1e-323], [1, 2e-320, 1.5e-323]])
    # The smallest numbers there are, 5e-324, come in whole units: the middle of 0 and 3 of them is 2.
    for method, last in (("equal_width", [0, 0, 0, 1]), ("equal_frequency", [0, 0, 1, 1])):
        assert discretize(X, 2, method).T.tolist() == [[0, 1, 0, 1], [0, 0, 1, 1], last]


def test_messages():
    with pytest.raises(ParameterError, match="no discretisation 'equal_widht': did you mean 'equal_width'"):
        discretize(np.zeros((2, 1)), method="equal_widht")
    with pytest.raises(ParameterError, match="n_bins must be a whole number from 2 to 256, not 1"):
        discretize(np.zeros((2, 1)), n_bins=1)
