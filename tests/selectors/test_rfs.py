"""RFS against the paper's reweighting written out, a splitting method, and a linear programme."""

import numpy as np
import pytest
from scipy import optimize, sparse
from sklearn.exceptions import ConvergenceWarning

from mlfs import load_dataset
from mlfs.selectors.rfs import RFS, SMOOTHING
from tests.selectors.descent_data import linear_data, never_rises, row_norm_sum


def standard(X, Y):
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 1e-12, spread, 1.0), Y - Y.mean(axis=0)


def epsilon(X):
    """Of rows of W: by the size of the numbers in X."""
    return SMOOTHING / np.sqrt((X**2).mean())


def smoothed(W, X, Y, gamma):
    residual = np.sqrt(((X @ W - Y) ** 2).sum(axis=1) + SMOOTHING**2)
    return residual.sum() + gamma * np.sqrt((W**2).sum(axis=1) + epsilon(X) ** 2).sum()


def slope(W, X, Y, gamma):
    residual = X @ W - Y
    loss = residual / np.sqrt((residual**2).sum(axis=1) + SMOOTHING**2)[:, None]
    return X.T @ loss + gamma * W / np.sqrt((W**2).sum(axis=1) + epsilon(X) ** 2)[:, None]


def reweighted(X, Y, gamma, iterations):
    """Ridge regression, then rows and features weighed by their inverse norms again and again: d × d, as it comes."""
    d = X.shape[1]
    W = np.linalg.solve(X.T @ X + gamma * np.eye(d), X.T @ Y)
    for _ in range(iterations):
        U = np.diag(0.5 / np.sqrt(((X @ W - Y) ** 2).sum(axis=1) + SMOOTHING**2))
        D = np.diag(0.5 / np.sqrt((W**2).sum(axis=1) + epsilon(X) ** 2))
        W = np.linalg.solve(X.T @ U @ X + gamma * D, X.T @ U @ Y)
    return W


@pytest.mark.parametrize("thin", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize(("n", "d"), [(60, 12), (20, 30), (15, 15)])
@pytest.mark.parametrize("gamma", [0.1, 2.0])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_takes_the_papers_steps(n, d, gamma, thin):
    X, Y = linear_data(0, n, d)
    X = X[:, :-1]
    selector = RFS(gamma=gamma, max_iter=6, tol=0.0).fit(sparse.csr_matrix(X) if thin else X, Y)
    np.testing.assert_allclose(selector.coefficients_, reweighted(*standard(X, Y), gamma, 6), atol=1e-7)


@pytest.mark.parametrize("scaling", ["none", "standard", "unit"])
@pytest.mark.parametrize(("n", "d"), [(60, 12), (20, 30)])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_objective_never_rises(seed, n, d, scaling):
    X, Y = linear_data(seed, n, d)
    for gamma in (1e-4, 1.0, 1e4):
        selector = RFS(gamma=gamma, scaling=scaling, max_iter=100, tol=1e-12).fit(X, Y)
        assert never_rises(selector.history_["objective"], rounding=0)
        if scaling == "none":
            true = smoothed(selector.coefficients_, X, Y, gamma)
            assert selector.history_["objective"][-1] == pytest.approx(true, rel=1e-10)


def test_objective_never_rises_on_emotions():
    emotions = load_dataset("emotions")
    selector = RFS(tol=1e-8).fit(emotions.X, emotions.Y)
    assert never_rises(selector.history_["objective"], rounding=0)
    X, Y = standard(np.asarray(emotions.X), emotions.Y)
    assert selector.history_["objective"][-1] == pytest.approx(smoothed(selector.coefficients_, X, Y, 10.0), rel=1e-9)
    exact = row_norm_sum(X @ selector.coefficients_ - Y) + 10.0 * row_norm_sum(selector.coefficients_)
    assert 0 <= selector.history_["objective"][-1] - exact <= SMOOTHING * (len(X) + 10 * 72)


def splitting(X, Y, gamma, iterations=4000):
    """The problem itself, not smoothed, by the alternating direction method on R = XW − Y and Z = W."""

    def shorten(A, amount):
        length = np.sqrt((A**2).sum(axis=1, keepdims=True))
        return A * np.maximum(1 - amount / np.maximum(length, 1e-300), 0)

    d = X.shape[1]
    inverse = np.linalg.inv(X.T @ X + np.eye(d))
    R, Z, dual_R, dual_Z = -Y, np.zeros((d, Y.shape[1])), np.zeros_like(Y), np.zeros((d, Y.shape[1]))
    for _ in range(iterations):
        W = inverse @ (X.T @ (R + Y - dual_R) + Z - dual_Z)
        R, Z = shorten(X @ W - Y + dual_R, 1.0), shorten(W + dual_Z, gamma)
        dual_R, dual_Z = dual_R + X @ W - Y - R, dual_Z + W - Z
    return Z


@pytest.mark.parametrize("gamma", [0.5, 5.0, 12.0])
@pytest.mark.parametrize(("seed", "n", "d"), [(0, 40, 8), (1, 40, 8), (2, 10, 14)])
def test_optimal_as_another_solver_finds_it(seed, n, d, gamma):
    X, Y = linear_data(seed, n, d, q=3)
    X = X[:, :-1]
    selector = RFS(gamma=gamma, tol=1e-14, max_iter=3000).fit(X, Y)
    X, Y = standard(X, Y)
    W, other = selector.coefficients_, splitting(X, Y, gamma)
    # The derivative of the smoothed problem; near a kink it turns within ε.
    assert np.abs(slope(W, X, Y, gamma)).max() < 1e-3 * gamma
    found, true = (row_norm_sum(X @ A - Y) + gamma * row_norm_sum(A) for A in (W, other))
    assert abs(found - true) <= SMOOTHING * (n + gamma * d) + 1e-6 * true
    np.testing.assert_allclose(W, other, atol=2e-3)


@pytest.mark.parametrize("gamma", [0.5, 3.0, 10.0])
def test_one_label_is_a_linear_programme(gamma):
    """min Σ|xw − y| + γΣ|w|, with each absolute value split in two."""
    X, Y = linear_data(3, n=30, d=6, q=1)
    X = X[:, :-1]
    selector = RFS(gamma=gamma, tol=1e-14, max_iter=5000).fit(X, Y)
    X, Y = standard(X, Y)
    n, d = X.shape
    cost = np.concatenate([np.full(2 * d, gamma), np.ones(2 * n)])
    equal = np.hstack([X, -X, np.eye(n), -np.eye(n)])
    solved = optimize.linprog(cost, A_eq=equal, b_eq=Y.ravel(), bounds=(0, None))
    assert solved.fun <= selector.history_["objective"][-1] <= solved.fun + SMOOTHING * (n + gamma * d) + 1e-6
    np.testing.assert_allclose(selector.coefficients_.ravel(), solved.x[:d] - solved.x[d : 2 * d], atol=1e-3)


def test_units_do_not_matter():
    X, Y = linear_data(4)
    other = X * np.geomspace(1e-3, 1e3, X.shape[1]) + 7
    np.testing.assert_allclose(RFS().fit(other, Y).scores_, RFS().fit(X, Y).scores_, rtol=1e-6, atol=1e-9)


def test_much_penalty_takes_features_out():
    X, Y = linear_data(5)
    sizes = [np.sort(RFS(gamma=gamma, max_iter=2000).fit(X, Y).scores_) for gamma in (0.1, 10.0, 1000.0)]
    assert (sizes[0] > 1e-4).sum() > (sizes[1] > 1e-4).sum() > (sizes[2] > 1e-4).sum() == 0


def test_iteration_limit_is_said():
    X, Y = linear_data(2)
    with pytest.warns(ConvergenceWarning, match=r"rfs stopped at the limit of 2 iterations.*of its value: raise max_i"):
        selector = RFS(max_iter=2, tol=1e-9).fit(X, Y)
    assert selector.n_iter_ == 2
    assert len(selector.history_["objective"]) == len(selector.history_["change"]) == 3
    assert any(note.endswith("raise max_iter, or tol from 1e-09.") for note in selector.notes_)


def test_memory_is_that_of_the_smaller_side():
    assert RFS().required_bytes({"instances": 2000, "features": 50_000, "labels": 5}) == 16 * 2000**2
