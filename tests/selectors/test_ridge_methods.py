"""MFS-MCDM and PMFS, against ridge regression, TOPSIS and non-dominated sorting as they are written in textbooks."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.selectors import make_selector
from mlfs.selectors.parts import ridge as ridge_part
from mlfs.selectors.parts.ridge import RidgeDesign
from mlfs.selectors.pmfs import non_dominated_sort
from tests.information.brute import H
from tests.selectors.data import awkward


def data(seed, n=50, d=9, q=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(0, 2, (n, q))


def ridge(X, Y, strength):
    return np.linalg.inv(X.T @ X + strength * np.eye(X.shape[1])) @ X.T @ Y


@pytest.mark.parametrize("n", [50, 6])
def test_one_factorisation_serves_every_strength(n):
    X, Y = data(0, n)
    for form in (np.asarray, sparse.csr_matrix):
        design = RidgeDesign(form(X), Y, scaling="none")
        for strength in (0.01, 1.0, 100.0):
            np.testing.assert_allclose(design.coefficients(strength), ridge(X, Y, strength), rtol=1e-8, atol=1e-12)
    # Kept: another strength does not ask for the Gram matrix again.
    design.gram = None
    np.testing.assert_allclose(design.coefficients(7.0), ridge(X, Y, 7.0), rtol=1e-8, atol=1e-12)


@pytest.mark.parametrize("variant", ["paper", "authors"])
@pytest.mark.parametrize("seed", range(3))
def test_topsis(variant, seed):
    X, Y = data(seed)
    W = ridge(X, Y, 2.0)
    weights = np.array([H(label) for label in Y.T]) if variant == "paper" else np.ones(4)
    A = W * weights / weights.sum()
    expected = []
    for row in A:
        to_best = sum((row[j] - max(A[:, j])) ** 2 for j in range(4)) ** 0.5
        to_worst = sum((row[j] - min(A[:, j])) ** 2 for j in range(4)) ** 0.5
        expected.append(to_worst / (to_best + to_worst))
    selector = make_selector("mfs_mcdm", lambda_=2.0, variant=variant).fit(X, Y)
    np.testing.assert_allclose(selector.scores_, expected, rtol=1e-9)
    np.testing.assert_allclose(selector.coefficients_, W, rtol=1e-9)


def dominates(a, b):
    return all(a <= b) and any(a < b)


def sorted_slowly(points):
    """Peel off the points that none of the rest dominates; gaps to the neighbours in each objective."""
    fronts, crowding = np.zeros(len(points), dtype=int), np.zeros(len(points))
    left, number = set(range(len(points))), 0
    while left:
        number += 1
        front = [i for i in left if not any(dominates(points[j], points[i]) for j in left)]
        fronts[front] = number
        for objective in range(2):
            values = sorted({points[i, objective] for i in front})
            for i in front:
                place = values.index(points[i, objective])
                inside = 0 < place < len(values) - 1
                gap = (values[place + 1] - values[place - 1]) / (values[-1] - values[0]) if inside else np.inf
                crowding[i] += gap
        left -= set(front)
    return fronts, crowding


@pytest.mark.parametrize("seed", range(8))
def test_non_dominated_sorting(seed):
    rng = np.random.default_rng(seed)
    # Whole numbers, so that points tie in one objective and in both.
    points = rng.integers(0, 12, (40, 2)).astype(float) if seed % 2 else rng.normal(size=(40, 2))
    fronts, crowding = non_dominated_sort(points)
    expected, gaps = sorted_slowly(points)
    assert fronts.tolist() == expected.tolist()
    np.testing.assert_allclose(crowding, gaps)


@pytest.mark.parametrize("seed", range(3))
def test_the_two_objectives(seed):
    X, Y = data(seed)
    W = ridge(X, Y, 2.0)
    objectives = np.array([[W.max() - max(w), -sum(np.linalg.norm(w - v) for v in W)] for w in W])
    fronts, crowding = sorted_slowly(objectives)
    selector = make_selector("pmfs", lambda_=2.0).fit(X, Y)
    np.testing.assert_allclose(selector.objectives_, objectives, rtol=1e-9, atol=1e-12)
    assert selector.fronts_.tolist() == fronts.tolist()
    assert sorted(selector.first_front_) == np.flatnonzero(fronts == 1).tolist()
    assert selector.first_front_.tolist() == selector.ranking_[: (fronts == 1).sum()].tolist()
    np.testing.assert_allclose(selector.scores_, -(fronts + 1 / (1 + crowding)), rtol=1e-9)


@pytest.mark.parametrize("method", ["mfs_mcdm", "pmfs"])
def test_a_constant_feature_comes_last_and_changes_nothing(method):
    X, Y = data(0)
    plain = make_selector(method).fit(X, Y)
    for form in (np.asarray, sparse.csr_matrix):
        more = make_selector(method).fit(form(np.column_stack([np.full(50, 5.0), X])), Y)
        assert more.ranking_.tolist() == [*(plain.ranking_ + 1), 0]
        np.testing.assert_allclose(more.scores_[1:], plain.scores_, rtol=1e-9)


def test_without_a_feature_that_varies_there_is_no_front():
    selector = make_selector("pmfs").fit(np.ones((10, 3)), awkward(0)[1][:10])
    assert selector.fronts_.tolist() == [0, 0, 0]
    assert np.isnan(selector.objectives_).all()


@pytest.mark.parametrize("method", ["mfs_mcdm", "pmfs"])
def test_the_order_of_the_labels_changes_nothing(method):
    X, Y = data(4)
    one, other = (make_selector(method).fit(X, Y[:, order]) for order in ([0, 1, 2, 3], [3, 0, 2, 1]))
    assert one.ranking_.tolist() == other.ranking_.tolist()
    np.testing.assert_allclose(one.scores_, other.scores_, rtol=1e-9)


def test_scaling_makes_units_equal():
    X, Y = data(5)
    units = X * 10.0 ** np.arange(-4, 5)
    for scaling in ("standard", "unit"):
        one, other = (make_selector("pmfs", scaling=scaling).fit(x, Y) for x in (X, units))
        np.testing.assert_allclose(one.scores_, other.scores_, rtol=1e-6)
    assert make_selector("pmfs").fit(units, Y).ranking_.tolist() != make_selector("pmfs").fit(X, Y).ranking_.tolist()


@pytest.mark.parametrize("method", ["mfs_mcdm", "pmfs"])
def test_a_path_over_lambda_factors_once(method, monkeypatch):
    factored, factor = [], ridge_part.linalg.eigh
    monkeypatch.setattr(ridge_part.linalg, "eigh", lambda *a, **k: factored.append(1) or factor(*a, **k))
    X, Y = data(0)
    selector = make_selector(method)
    path = selector.path(selector.prepare(X, Y), lambda_=[0.1, 1.0, 10.0, 100.0])
    assert len(factored) == 1
    for cell, fitted in zip(path.parameters, path.fitted, strict=True):
        np.testing.assert_allclose(fitted.scores_, make_selector(method, **cell).fit(X, Y).scores_, rtol=1e-9)
