"""The nearest-neighbour estimate and the forward search built on it."""

import numpy as np
import pytest
from scipy.special import digamma

from mlfs.information import neighbours
from mlfs.selectors import make_selector


def estimate(X, classes, k):
    """The formula of the module docstring, one row at a time, in bits."""
    n, dim = X.shape
    X = X / X.std(axis=0)
    gain = 0.0
    for i in range(n):
        distance = np.abs(X - X[i]).max(axis=1)
        others = np.arange(n) != i
        far = np.sort(distance[others])[k - 1]
        near = np.sort(distance[others & (classes == classes[i])])[k - 1]
        gain += np.log(max(far, neighbours.SMALLEST)) - np.log(max(near, neighbours.SMALLEST))
    sizes = np.bincount(classes)
    return (digamma(n) - (sizes / n * digamma(sizes)).sum() + dim * gain / n) / np.log(2)


def test_estimate_row_by_row():
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 3, 60)
    X = rng.normal(size=(60, 3)) + classes[:, None] * [2.0, 0.5, 0.0]
    search = neighbours.NeighbourInformation(X, np.arange(3), classes, k=4)
    assert search.with_feature(0) == pytest.approx(estimate(X[:, [0]], classes, 4), abs=1e-5)
    search.add(0)
    search.add(2)
    assert search.with_feature(1) == pytest.approx(estimate(X[:, [0, 2, 1]], classes, 4), abs=1e-5)


def test_estimate_approaches_the_closed_form():
    # Two Gaussians a distance 2δ apart: M is known by integration.
    rng = np.random.default_rng(1)
    classes = np.repeat([0, 1], 1000)
    x = rng.normal(size=2000) + 2.0 * classes
    grid = np.linspace(-8, 10, 20001)
    density = [np.exp(-((grid - m) ** 2) / 2) / np.sqrt(2 * np.pi) for m in (0.0, 2.0)]
    mixture = (density[0] + density[1]) / 2

    def entropy(p):
        return -np.trapezoid(p * np.log2(np.maximum(p, 1e-300)), grid)

    truth = entropy(mixture) - entropy(density[0])
    found = neighbours.NeighbourInformation(x[:, None], np.array([0]), classes, k=6).with_feature(0)
    assert found == pytest.approx(truth, abs=0.05)


def test_forward_search_prefers_what_is_new():
    rng = np.random.default_rng(2)
    Y = np.array([[0, 1], [1, 0], [1, 1]])[rng.integers(0, 3, 150)]
    first = Y[:, 0] + rng.normal(scale=0.1, size=150)
    X = np.column_stack(
        [
            rng.normal(size=150),
            first,
            first + rng.normal(scale=0.01, size=150),
            Y[:, 1] + rng.normal(scale=0.1, size=150),
        ]
    )
    picks = make_selector("ppt_mi", estimator="knn", n_features_to_select=2).fit(X, Y).ranking_
    assert 3 in picks
    assert len({1, 2} & set(picks)) == 1


def test_limits_are_said(monkeypatch):
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(50, 4)), rng.integers(0, 2, (50, 2))
    with pytest.raises(ValueError, match="n_neighbors=9 must be less than min_count=7"):
        make_selector("ppt_mi", estimator="knn", n_neighbors=9).fit(X, Y)
    monkeypatch.setattr(neighbours, "MEMORY_LIMIT", 1000)
    with pytest.raises(ValueError, match='use estimator="plugin"'):
        make_selector("ppt_mi", estimator="knn").fit(X, Y)
