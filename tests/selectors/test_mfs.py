"""The multi-label F-statistic: its definition in loops, and the ordinary F-statistic as a special case."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_selection import f_classif

from mlfs.selectors import make_selector
from tests.selectors.data import awkward


def by_hand(x, Y):
    groups = [x[Y[:, label] == 1] for label in range(Y.shape[1]) if Y[:, label].any()]
    N, q = sum(map(len, groups)), len(groups)
    mean = sum(g.sum() for g in groups) / N
    between = sum(len(g) * (g.mean() - mean) ** 2 for g in groups)
    within = sum(((g - g.mean()) ** 2).sum() for g in groups)
    return (N - q) / (q - 1) * between / within if within > 1e-12 else 0.0


@pytest.mark.parametrize("seed", range(4))
def test_definition(seed):
    X, Y = awkward(seed)
    X = X + np.random.default_rng(seed).normal(size=X.shape) * (X.std(axis=0) > 0)
    expected = [by_hand(x, Y) for x in X.T]
    np.testing.assert_allclose(make_selector("mfs").fit(X, Y).scores_, expected, rtol=1e-9, atol=1e-12)
    sparse_scores = make_selector("mfs").fit(sparse.csr_matrix(X), Y).scores_
    np.testing.assert_allclose(sparse_scores, expected, rtol=1e-9, atol=1e-12)


def test_one_label_a_row_is_the_ordinary_f_statistic():
    rng = np.random.default_rng(0)
    X, label = rng.normal(size=(90, 6)), rng.integers(0, 4, 90)
    X[:, 2] += label
    expected, _ = f_classif(X, label)
    np.testing.assert_allclose(make_selector("mfs").fit(X, np.eye(4, dtype=int)[label]).scores_, expected)


def test_a_single_label_tells_no_groups_apart():
    X, Y = awkward(0)
    assert not make_selector("mfs").fit(X, Y[:, [0]]).scores_.any()


def test_a_feature_constant_inside_every_label_is_first_and_hides_no_other():
    """Rounding left 1e18 instead of infinity, beside which all other scores looked equal."""
    rng = np.random.default_rng(0)
    Y = np.eye(3, dtype=int)[rng.integers(0, 3, 600)]
    weak = rng.normal(size=(600, 5)) + Y @ np.array([[0, 1, 2, 3, 4], [0] * 5, [0] * 5])
    perfect = Y @ np.array([0.1, 0.7, 0.3])
    X = np.column_stack([weak, perfect])
    fitted = make_selector("mfs").fit(X, Y)
    assert fitted.scores_[5] == np.inf
    assert fitted.ranking_.tolist() == [5, 4, 3, 2, 1, 0]
