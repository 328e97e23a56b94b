"""R(F) and C(F) against the double loops of the paper's equations, their curves against single sets; stability."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.errors import ParameterError
from mlfs.metrics import jaccard, redundancy, residual_label_correlation, stability
from mlfs.metrics.subsets import redundancy_curve, residual_label_correlation_curve
from tests.selectors.data import awkward


def pearson(a, b):
    return np.corrcoef(a, b)[0, 1] if a.std() > 1e-12 and b.std() > 0 else 0.0


def R(X, Y, F):
    k, q = len(F), Y.shape[1]
    total = sum(
        pearson(X[:, i], Y[:, c]) ** 2 * pearson(X[:, j], Y[:, c]) ** 2
        for i in F
        for j in F
        if i != j
        for c in range(q)
    )
    return total / (k * (k - 1) * q)


def C(X, Y, F):
    n, q = Y.shape
    squared = np.array([[((Y[:, i] - Y[:, j]) ** 2).sum() for j in range(q)] for i in range(q)], dtype=float)
    delta = squared.mean()
    S = np.array(
        [[np.exp(-squared[i, j] / (2 * delta)) if Y[:, i] @ Y[:, j] else 0.0 for j in range(q)] for i in range(q)]
    )
    Z = np.column_stack([(X[:, f] - X[:, f].mean()) / X[:, f].std() if np.ptp(X[:, f]) else 0 * X[:, f] for f in F])
    return ((Y.T @ Z @ Z.T @ Y / n**2 - S) ** 2).sum() / (len(F) * (len(F) - 1))


@pytest.mark.parametrize("seed", range(4))
def test_double_loops(seed):
    X, Y = awkward(seed)
    Y = Y.astype(int)
    for F in ([1, 2], [0, 3, 5], [7, 6, 5, 4, 3, 2, 1, 0]):
        assert redundancy(X, Y, F) == pytest.approx(R(X, Y, F), abs=1e-12)
        assert residual_label_correlation(X, Y, F) == pytest.approx(C(X, Y, F), rel=1e-10)


def test_curves_are_the_sets_one_by_one():
    X, Y = awkward(5)
    ranking = np.random.default_rng(0).permutation(8)
    for curve, single in (
        (redundancy_curve, redundancy),
        (residual_label_correlation_curve, residual_label_correlation),
    ):
        expected = [single(X, Y, ranking[:k]) for k in range(1, 9)]
        np.testing.assert_allclose(curve(X, Y, ranking), expected)
        np.testing.assert_allclose(curve(sparse.csr_matrix(X), Y, ranking), expected, atol=1e-10)


def test_one_feature():
    X, Y = awkward(0)
    assert redundancy(X, Y, [3]) == 0
    assert np.isnan(residual_label_correlation(X, Y, [3]))


def test_messages():
    X, Y = awkward(0)
    with pytest.raises(ParameterError, match="subset must be a list of different feature indices, not"):
        redundancy(X, Y, [])
    with pytest.raises(ParameterError, match="different feature indices: some occur twice"):
        redundancy(X, Y, [1, 1])
    with pytest.raises(ParameterError, match="from 0 to 7"):
        redundancy(X, Y, [8])


def test_stability_by_hand():
    # Frequencies 1, 1/2, 1/2, 0 over two selections of two out of four: variances 0, 1/2, 1/2, 0.
    assert stability([[0, 1], [0, 2]], 4) == pytest.approx(1 - 0.25 / 0.25)


def test_stability_of_the_same_again_and_chance():
    assert stability([[1, 3]] * 5, 10) == 1
    rng = np.random.default_rng(0)
    assert stability([rng.permutation(100)[:20] for _ in range(200)], 100) == pytest.approx(0, abs=0.02)


def test_where_nothing_can_vary():
    assert np.isnan(stability([[0, 1]], 4))
    assert np.isnan(stability([[0, 1], [0, 1]], 2))
    assert np.isnan(stability([[], []], 2))


def test_overlap():
    np.testing.assert_allclose(jaccard([[0, 1, 2], [2, 3], []], 5)[0], [1, 1 / 4, 0])
    assert jaccard([[], []], 3)[0, 1] == 1
    with pytest.raises(ParameterError, match="from 0 to 2, not 3"):
        jaccard([[3]], 3)
