"""Correlation and odds ratio against loops over single pairs."""

from math import log

import numpy as np
import pytest
from scipy import sparse

from mlfs.selectors import make_selector
from tests.selectors.data import awkward


@pytest.mark.parametrize("seed", range(4))
def test_correlation(seed):
    X, Y = awkward(seed)
    X = X + np.random.default_rng(seed).normal(size=X.shape) * (X.std(axis=0) > 0)

    def pearson(a, b):
        return np.corrcoef(a, b)[0, 1] if a.std() > 1e-9 and b.std() > 0 else 0.0

    expected = [sum(abs(pearson(f, label)) for label in Y.T) for f in X.T]
    np.testing.assert_allclose(make_selector("br_cc").fit(X, Y).scores_, expected, atol=1e-10)
    np.testing.assert_allclose(make_selector("br_cc").fit(sparse.csr_matrix(X), Y).scores_, expected, atol=1e-10)


def test_correlation_survives_a_large_offset():
    X, Y = awkward(0)
    plain = make_selector("br_cc").fit(X, Y).scores_
    np.testing.assert_allclose(make_selector("br_cc").fit(X + 1e9, Y).scores_, plain, atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_odds_ratio(seed):
    X, Y = awkward(seed)

    def log_odds(f, label):
        high = f > (f.min() + f.max()) / 2
        if high.all() or not high.any() or label.all() or not label.any():
            return 0.0
        a, b, c, d = (np.sum((high == i) & (label == j)) + 0.5 for i in (1, 0) for j in (1, 0))
        return abs(log(a * d / (b * c)))

    expected = [sum(log_odds(f, label) for label in Y.T) for f in X.T]
    np.testing.assert_allclose(make_selector("br_or").fit(X, Y).scores_, expected, atol=1e-10)


@pytest.mark.parametrize("method", ["br_cc", "br_or", "mfs"])
def test_a_categorical_feature_counts_as_its_best_category(method):
    X, Y = awkward(1)
    X[:, 5] = np.random.default_rng(0).integers(0, 4, len(X))
    one_hot = np.hstack([X[:, :5], (X[:, [5]] == np.arange(4)).astype(float), X[:, 6:]])
    expanded = make_selector(method).fit(one_hot, Y).scores_
    selector = make_selector(method, categorical_features=[5]).fit(X, Y)
    assert len(selector.scores_) == 8
    assert selector.scores_[5] == pytest.approx(expanded[5:9].max())
    np.testing.assert_allclose(selector.scores_[:5], expanded[:5])
    np.testing.assert_allclose(selector.scores_[6:], expanded[9:])
