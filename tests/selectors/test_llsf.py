"""LLSF against its released program, its optimality conditions, and coordinate descent."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from mlfs import load_dataset
from mlfs.errors import TooLargeError
from mlfs.selectors import base
from mlfs.selectors.llsf import LLSF
from mlfs.similarity import label_cosine
from tests.selectors.descent_data import linear_data, never_rises

TOY = np.load(Path(__file__).parents[1] / "golden" / "toy.npz")
X_TOY, Y_TOY, GOLDEN = TOY["X_train"], TOY["Y_train"], TOY["llsf_coefficients"]
SETTINGS = {"alpha": 2.0**-3, "beta": 2.0**-3, "gamma": 0.1}


def dissimilarity(Y):
    """1 − cosine, pair by pair; a label that never occurs is like no other."""
    q = Y.shape[1]
    R = np.ones((q, q))
    for a in range(q):
        for b in range(q):
            size = np.sqrt(Y[:, a].sum()) * np.sqrt(Y[:, b].sum())
            if a == b:
                R[a, b] = 0.0
            elif size > 0:
                R[a, b] = 1.0 - (Y[:, a] * Y[:, b]).sum() / size
    return R


def objective(W, X, Y, alpha, beta):
    Y = Y.astype(float)
    return 0.5 * ((X @ W - Y) ** 2).sum() + 0.5 * alpha * np.trace(dissimilarity(Y) @ W.T @ W) + beta * np.abs(W).sum()


def coordinate_descent(X, Y, alpha, beta, sweeps=2000):
    """Each coefficient at its minimum, the others held: soft thresholding by hand."""
    R, Y = dissimilarity(Y), Y.astype(float)
    d, q = X.shape[1], Y.shape[1]
    W, residual = np.zeros((d, q)), Y.copy()
    for _ in range(sweeps):
        largest = 0.0
        for j in range(d):
            curvature = (X[:, j] ** 2).sum()
            for k in range(q):
                pull = X[:, j] @ residual[:, k] + curvature * W[j, k] - alpha * (R[k] @ W[j])
                new = np.sign(pull) * max(abs(pull) - beta, 0.0) / curvature
                residual[:, k] -= X[:, j] * (new - W[j, k])
                largest = max(largest, abs(new - W[j, k]))
                W[j, k] = new
        if largest < 1e-13:
            break
    return W


def test_released_program():
    selector = LLSF(**SETTINGS, variant="authors", max_iter=100, tol=1e-4).fit(X_TOY, Y_TOY)
    np.testing.assert_allclose(selector.coefficients_, GOLDEN, atol=1e-12)
    assert np.array_equal(selector.coefficients_ == 0, GOLDEN == 0)
    assert selector.ranking_.tolist() == np.argsort(-np.linalg.norm(GOLDEN, axis=1)).tolist()
    assert selector.n_iter_ == 16


def test_the_defaults_are_the_released_programs():
    assert np.array_equal(
        LLSF(variant="authors").fit(X_TOY, Y_TOY).coefficients_,
        LLSF(**SETTINGS, variant="authors", max_iter=100, tol=1e-4).fit(X_TOY, Y_TOY).coefficients_,
    )


def test_descent_ends_near_and_below_the_released_program():
    selector = LLSF(**SETTINGS).fit(X_TOY, Y_TOY)
    # The program stops when its loss changes by 1e-4, which is that far from the minimum.
    np.testing.assert_allclose(selector.coefficients_, GOLDEN, atol=2e-3)
    reached = selector.history_["objective"][-1]
    assert reached == pytest.approx(objective(selector.coefficients_, X_TOY, Y_TOY, 0.125, 0.125), rel=1e-12)
    assert reached < objective(GOLDEN, X_TOY, Y_TOY, 0.125, 0.125)


def test_only_the_descent_descends():
    endless = {**SETTINGS, "tol": 0.0, "max_iter": 100}
    with pytest.warns(ConvergenceWarning):
        plain = LLSF(**endless, variant="authors").fit(X_TOY, Y_TOY)
    assert not never_rises(plain.history_["objective"])
    assert never_rises(LLSF(**endless).fit(X_TOY, Y_TOY).history_["objective"], rounding=0)


@pytest.mark.parametrize("scaling", ["none", "standard", "unit"])
@pytest.mark.parametrize(("n", "d"), [(60, 12), (20, 30)])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_objective_never_rises(seed, n, d, scaling):
    X, Y = linear_data(seed, n, d)
    for alpha, beta in ((1e-4, 1e-4), (0.125, 10.0), (5.0, 1e-2), (1e4, 1.0)):
        selector = LLSF(alpha=alpha, beta=beta, scaling=scaling, max_iter=200).fit(X, Y)
        assert never_rises(selector.history_["objective"], rounding=1e-12)
        assert np.isfinite(selector.history_["objective"]).all()


@pytest.mark.parametrize("scaling", ["none", "standard"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_objective_never_rises_on_emotions(scaling):
    emotions = load_dataset("emotions")
    selector = LLSF(scaling=scaling, beta=10.0).fit(emotions.X, emotions.Y)
    assert never_rises(selector.history_["objective"])
    assert {len(values) for values in selector.history_.values()} == {selector.n_iter_ + 1}


@pytest.mark.parametrize(("alpha", "beta"), [(0.1, 0.5), (2.0, 3.0), (1e-4, 20.0)])
def test_optimal_where_convex(alpha, beta):
    X, Y = linear_data(0)
    X = X[:, :6]
    selector = LLSF(alpha=alpha, beta=beta, tol=1e-10, max_iter=20_000).fit(X, Y)
    W, R = selector.coefficients_, dissimilarity(Y)
    assert np.linalg.eigvalsh(X.T @ X)[0] + alpha * np.linalg.eigvalsh(R)[0] > 0
    assert not [note for note in selector.notes_ if "convex" in note]
    slope = X.T @ (X @ W - Y) + alpha * W @ R
    np.testing.assert_allclose(slope[W != 0], -beta * np.sign(W[W != 0]), atol=1e-5)
    assert (np.abs(slope[W == 0]) <= beta + 1e-5).all()
    np.testing.assert_allclose(W, coordinate_descent(X, Y, alpha, beta), atol=1e-6)


def test_features_of_any_size_arrive_together():
    """One length for all steps would leave those of short features unmoved for thousands of iterations."""
    X, Y = linear_data(0)
    X = X[:, :6] * np.array([1.0, 30.0, 1.0, 0.1, 1.0, 30.0])
    selector = LLSF(alpha=0.1, beta=0.05, tol=1e-6, max_iter=300).fit(X, Y)
    assert selector.history_["violation"][-1] <= 1e-6
    np.testing.assert_allclose(selector.coefficients_, coordinate_descent(X, Y, 0.1, 0.05), atol=1e-5)


def test_starts_at_ridge_regression():
    for n, d in ((60, 12), (20, 30)):
        X, Y = linear_data(1, n, d)
        start = np.linalg.solve(X.T @ X + 0.1 * np.eye(d), X.T @ Y)
        selector = LLSF(tol=1.0).fit(X, Y)
        assert selector.history_["objective"][0] == pytest.approx(objective(start, X, Y, 0.125, 0.125), rel=1e-9)


def test_what_is_not_convex_is_said():
    X, Y = linear_data(0, n=20, d=30)
    selector = LLSF(alpha=0.01, tol=0.1).fit(X, Y)
    assert any("not convex here (lowest curvature -" in note for note in selector.notes_)
    with pytest.warns(ConvergenceWarning, match="would fall for ever: lower alpha from 1000"):
        selector = LLSF(alpha=1000.0).fit(X, Y)
    assert selector.history_["objective"][-1] < 0
    assert np.isfinite(selector.scores_).all()
    # One label: R = 0, and any alpha is convex.
    assert LLSF(alpha=1000.0, tol=0.1).fit(X, Y[:, :1]).notes_ == []


def test_iteration_limit_is_said():
    X, Y = linear_data(2)
    with pytest.warns(ConvergenceWarning, match=r"llsf stopped at the limit of 3 iterations.*scaling=\"standard\""):
        selector = LLSF(max_iter=3, tol=1e-9).fit(X, Y)
    assert any("raise max_iter, or tol from 1e-09" in note for note in selector.notes_)
    assert selector.n_iter_ == 3


def test_much_sparsity_leaves_ties():
    X, Y = linear_data(3)
    selector = LLSF(beta=1e4).fit(X, Y)
    assert not selector.scores_.any()
    assert selector.ranking_.tolist() == list(range(12))
    assert "Only 0 of 12 features have a weight; the others are tied and follow by index." in selector.notes_


def test_label_cosine_by_hand():
    Y = np.array([[1, 1, 0], [1, 0, 0], [1, 0, 0], [1, 1, 0]])
    assert label_cosine(Y) == pytest.approx(np.array([[1, 2**-0.5, 0], [2**-0.5, 1, 0], [0, 0, 1]]))
    np.testing.assert_allclose(1 - label_cosine(Y_TOY), dissimilarity(Y_TOY), atol=1e-15)


def test_memory_is_that_of_the_smaller_side(monkeypatch):
    sizes = {"instances": 1000, "features": 50_000, "labels": 5}
    assert LLSF().required_bytes(sizes) == 16 * 1000**2
    monkeypatch.setattr(base, "MEMORY_LIMIT", 1000)
    with pytest.raises(TooLargeError, match="llsf would need"):
        LLSF().fit(*linear_data(0))


def test_sparse_is_dense_with_scaling():
    X, Y = linear_data(4)
    X[X < 0.5] = 0
    for scaling in ("standard", "unit"):
        dense, thin = (LLSF(scaling=scaling, beta=2.0).fit(form(X), Y) for form in (np.asarray, sparse.csr_matrix))
        np.testing.assert_allclose(thin.coefficients_, dense.coefficients_, atol=1e-9)


def test_path_shares_the_preparation():
    X, Y = linear_data(5)
    evidence = LLSF().prepare(X, Y)
    path = LLSF().path(evidence, alpha=[0.01, 0.1], beta=[0.1, 1.0, 10.0])
    assert path.scores.shape == (6, 12)
    np.testing.assert_array_equal(path.scores[5], LLSF(alpha=0.1, beta=10.0).fit(X, Y).scores_)
