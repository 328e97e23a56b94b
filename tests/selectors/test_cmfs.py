"""CMFS: the objective and the updates from their formulas, descent of each, and what non-negativity asks for."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from mlfs import load_dataset
from mlfs.errors import ParameterError
from mlfs.selectors import make_selector
from mlfs.selectors.cmfs import CMFS, CMFSProblem
from tests.selectors.descent_data import heat_graph, in_turn, laplacian, linear_data, never_rises, row_norm_sum

LIMIT = "ignore::sklearn.exceptions.ConvergenceWarning"


def unit(X):
    spread = X.max(axis=0) - X.min(axis=0)
    return (X - X.min(axis=0)) / np.where(spread > 0, spread, 1.0)


def cosine_graph(Y):
    q = Y.shape[1]
    S = np.zeros((q, q))
    for a in range(q):
        for b in range(q):
            size = np.sqrt(Y[:, a].sum() * Y[:, b].sum())
            if a != b and size > 0:
                S[a, b] = (Y[:, a] * Y[:, b]).sum() / size
    return S


def objective(W, V, B, X, Y, alpha, beta, gamma):
    X = unit(X)
    return (
        ((X @ W - V) ** 2).sum()
        + alpha * ((Y - V @ B) ** 2).sum()
        + beta * np.trace(V.T @ laplacian(heat_graph(X)) @ V)
        + beta * np.trace(B @ laplacian(cosine_graph(Y)) @ B.T)
        + gamma * row_norm_sum(W)
    )


def gradients(W, V, B, X, Y, alpha, beta, gamma):
    """Halved; of ‖W‖₂,₁ where rows are not 0."""
    X, LX, LY = unit(X), laplacian(heat_graph(unit(X))), laplacian(cosine_graph(Y))
    length = np.sqrt((W**2).sum(axis=1, keepdims=True))
    return (
        X.T @ (X @ W - V) + 0.5 * gamma * W / np.where(length > 0, length, 1.0),
        V - X @ W + alpha * (V @ B - Y) @ B.T + beta * LX @ V,
        alpha * V.T @ (V @ B - Y) + beta * B @ LY,
    )


def of(selector):
    return selector.coefficients_, selector.latent_, selector.basis_


@pytest.mark.filterwarnings(LIMIT)
def test_objective_is_the_formula():
    X, Y = linear_data(0)
    weights = {"alpha": 0.7, "beta": 0.3, "gamma": 2.0}
    selector = CMFS(**weights, n_latent=3, max_iter=20).fit(X, Y)
    W, V, B = of(selector)
    assert (W.shape, V.shape, B.shape) == ((12, 3), (60, 3), (3, 4))
    assert selector.history_["objective"][-1] == pytest.approx(objective(W, V, B, X, Y, **weights), rel=1e-10)
    np.testing.assert_allclose(selector.scores_, np.sqrt((W**2).sum(axis=1)))


@pytest.mark.parametrize(("n", "d"), [(60, 12), (20, 30)])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings(LIMIT)
def test_no_update_raises_the_objective(seed, n, d):
    X, Y = linear_data(seed, n, d)
    for alpha in (1e-4, 1.0, 1e4):
        for beta in (1e-4, 1.0, 1e4):
            for gamma in (1e-4, 1.0, 1e4):
                selector = CMFS(alpha=alpha, beta=beta, gamma=gamma, max_iter=60).fit(X, Y)
                assert never_rises(in_turn(selector.history_)), (alpha, beta, gamma)
                assert min(part.min() for part in of(selector)) >= 0


@pytest.mark.filterwarnings(LIMIT)
def test_no_update_raises_the_objective_on_emotions():
    emotions = load_dataset("emotions")
    selector = CMFS(max_iter=300).fit(emotions.X, emotions.Y)
    assert never_rises(in_turn(selector.history_))


def test_updates_are_the_gradients_parts():
    """Each factor times (what the gradient subtracts) / (what it adds), here from the gradient itself."""
    X, Y = linear_data(1)
    weights = (0.7, 0.3, 2.0)
    problem = CMFSProblem(CMFS().prepare(X, Y), *weights)
    rng = np.random.default_rng(0)
    W, V, B = rng.random((12, 3)), rng.random((60, 3)), rng.random((3, 4))
    W[4] = 0
    slope_W, slope_V, slope_B = gradients(W, V, B, X, Y, *weights)
    U, SX, SY = unit(X), heat_graph(unit(X)), cosine_graph(Y)
    less = U.T @ V
    with np.errstate(invalid="ignore"):
        expected = np.nan_to_num(W * less / (slope_W + less))
    np.testing.assert_allclose(problem.update_W(W, V), expected, atol=1e-10)
    less = U @ W + 0.7 * Y @ B.T + 0.3 * SX @ V
    np.testing.assert_allclose(problem.update_V(U @ W, V, B), V * less / (slope_V + less), atol=1e-10)
    less = 0.7 * V.T @ Y + 0.3 * B @ SY
    np.testing.assert_allclose(problem.update_B(V, B), B * less / (slope_B + less), atol=1e-10)


def test_optimality_conditions_of_non_negative_factors_in_the_end():
    """The gradient is 0 where a factor is positive and nowhere negative: no factor gains by leaving 0."""
    X, Y = linear_data(2, n=30, d=6)
    selector = CMFS(tol=1e-14, max_iter=50_000, n_latent=2).fit(X, Y)
    factors = of(selector)
    for factor, slope in zip(factors, gradients(*factors, X, Y, 1.0, 1.0, 1.0), strict=True):
        scale = factor.max()
        np.testing.assert_allclose(slope * factor / scale, 0, atol=2e-4)
        alive = factor.max(axis=1) > 1e-6 * scale
        assert slope[alive].min() > -2e-3


@pytest.mark.filterwarnings(LIMIT)
def test_sparse_data_with_negative_numbers():
    """Scaling to [0, 1] moves the zeros of such columns; they are still not stored."""
    X, Y = linear_data(3)
    X[np.abs(X) < 0.7] = 0
    assert X.min() < 0
    dense, thin = (CMFS(max_iter=200).fit(form(X), Y) for form in (np.asarray, sparse.csr_matrix))
    np.testing.assert_allclose(thin.coefficients_, dense.coefficients_, rtol=1e-7, atol=1e-9)
    evidence = CMFS().prepare(sparse.csr_matrix(X), Y)
    assert evidence.columns.nnz <= np.count_nonzero(X)


def test_units_do_not_matter():
    X, Y = linear_data(4)
    other = X * np.geomspace(1e-3, 1e3, X.shape[1]) + 7
    first, second = (CMFS(max_iter=100, tol=1e-3).fit(data, Y).scores_ for data in (X, other))
    np.testing.assert_allclose(first, second, rtol=1e-6, atol=1e-9)


def test_features_that_speak_against_are_not_seen():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (200, 3))
    X = np.column_stack([rng.random((200, 4)), Y[:, 0] + 0.1 * rng.random(200), -Y[:, 1] + 0.1 * rng.random(200)])
    order = CMFS(n_latent=3).fit(X, Y).ranking_.tolist()
    assert order[0] == 4
    assert order.index(5) > order.index(4) + 1


def test_no_label_no_weight():
    X, Y = linear_data(5)
    selector = CMFS().fit(X, np.zeros_like(Y))
    assert not selector.scores_.any()
    assert selector.history_["objective"].tolist() == [0.0, 0.0]


def test_scaling_is_no_choice():
    assert "scaling" not in CMFS.parameters
    with pytest.raises(ParameterError, match="cmfs has no parameter 'scaling'"):
        make_selector("cmfs", scaling="none")


def test_iteration_limit_is_said():
    with pytest.warns(ConvergenceWarning, match="cmfs stopped at the limit of 5 iterations"):
        selector = CMFS(max_iter=5).fit(*linear_data(2))
    assert any(note.endswith("raise max_iter, or tol from 1e-06.") for note in selector.notes_)
    assert len(selector.history_["after_V"]) == selector.n_iter_ + 1 == 6
