"""MIFS: the objective from its formula, every update against its own optimality conditions, descent of each."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import MultiTaskLasso

from mlfs import load_dataset
from mlfs.errors import ParameterError
from mlfs.selectors.mifs import MIFS, MIFSProblem
from tests.selectors.descent_data import heat_graph, in_turn, laplacian, linear_data, never_rises, row_norm_sum

LIMIT = "ignore::sklearn.exceptions.ConvergenceWarning"


def standard(X, Y):
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 1e-12, spread, 1.0), Y - Y.mean(axis=0)


def objective(W, V, B, X, Y, alpha, beta, gamma):
    X, Y = standard(X, Y)
    L = laplacian(heat_graph(X))
    return (
        ((X @ W - V) ** 2).sum()
        + alpha * ((Y - V @ B) ** 2).sum()
        + beta * np.trace(V.T @ L @ V)
        + gamma * row_norm_sum(W)
    )


def of(selector):
    return selector.coefficients_, selector.latent_, selector.basis_


@pytest.mark.parametrize("variant", ["paper", "printed"])
@pytest.mark.filterwarnings(LIMIT)
def test_objective_is_the_formula(variant):
    X, Y = linear_data(0)
    weights = {"alpha": 0.7, "beta": 0.3, "gamma": 2.0}
    selector = MIFS(**weights, n_latent=3, variant=variant, max_iter=20).fit(X, Y)
    W, V, B = of(selector)
    assert (W.shape, V.shape, B.shape) == ((12, 3), (60, 3), (3, 4))
    assert selector.history_["objective"][-1] == pytest.approx(objective(W, V, B, X, Y, **weights), rel=1e-10)
    np.testing.assert_allclose(selector.scores_, np.sqrt((W**2).sum(axis=1)))


@pytest.mark.parametrize("variant", ["paper", "printed"])
@pytest.mark.parametrize(("n", "d"), [(60, 12), (20, 30)])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.filterwarnings(LIMIT)
def test_no_update_raises_the_objective(seed, n, d, variant):
    X, Y = linear_data(seed, n, d)
    for alpha in (1e-4, 1.0, 1e4):
        for beta in (1e-4, 1.0, 1e4):
            for gamma in (1e-4, 1.0, 1e4):
                selector = MIFS(alpha=alpha, beta=beta, gamma=gamma, variant=variant, max_iter=15).fit(X, Y)
                assert never_rises(in_turn(selector.history_)), (alpha, beta, gamma)


@pytest.mark.parametrize("variant", ["paper", "printed"])
@pytest.mark.filterwarnings(LIMIT)
def test_no_update_raises_the_objective_on_emotions(variant):
    emotions = load_dataset("emotions")
    selector = MIFS(variant=variant, max_iter=60).fit(emotions.X, emotions.Y)
    assert never_rises(in_turn(selector.history_))


@pytest.mark.filterwarnings(LIMIT)
def test_scaling_and_sparse_data():
    X, Y = linear_data(1)
    X[X < 0.5] = 0
    for scaling in ("standard", "unit", "none"):
        dense, thin = (MIFS(scaling=scaling, max_iter=30).fit(form(X), Y) for form in (np.asarray, sparse.csr_matrix))
        assert never_rises(in_turn(thin.history_))
        np.testing.assert_allclose(thin.coefficients_, dense.coefficients_, atol=1e-8)


def test_regression_is_the_multitask_lasso():
    X, Y = linear_data(2)
    problem = MIFSProblem(MIFS().prepare(X, Y), 1.0, 1.0, 12.0)
    V = np.random.default_rng(0).standard_normal((60, 2))
    W = np.zeros((12, 2))
    for _ in range(60):
        W = problem.update_W(W, V)
    lasso = MultiTaskLasso(alpha=12.0 / (2 * 60), fit_intercept=False, tol=1e-12, max_iter=100_000)
    np.testing.assert_allclose(W, lasso.fit(standard(X, Y)[0], V).coef_.T, atol=1e-6)
    assert 0 < np.count_nonzero(np.linalg.norm(W, axis=1)) < 11


def test_latent_labels_solve_their_equation():
    X, Y = linear_data(3)
    problem = MIFSProblem(MIFS().prepare(X, Y), 0.5, 2.0, 1.0)
    rng = np.random.default_rng(0)
    fitted, B = rng.standard_normal((60, 3)), rng.standard_normal((3, 4))
    V = problem.update_V(fitted, np.zeros((60, 3)), B)
    X, Y = standard(X, Y)
    left = V + 2.0 * laplacian(heat_graph(X)) @ V + 0.5 * V @ B @ B.T
    np.testing.assert_allclose(left, fitted + 0.5 * Y @ B.T, atol=1e-4)


def test_basis_is_least_squares_in_the_ball():
    X, Y = linear_data(4)
    problem = MIFSProblem(MIFS().prepare(X, Y), 1.0, 1.0, 1.0)
    V, B = np.random.default_rng(0).standard_normal((60, 3)) * [0.05, 0.1, 1.0], np.zeros((3, 4))
    for _ in range(50):
        B = problem.update_B(V, B)
    length = np.linalg.norm(B, axis=1)
    assert length.max() <= 1 + 1e-12
    assert length.min() < 0.99 < length.max()
    slope = V.T @ (standard(X, Y)[1] - V @ B)
    for row, pull, size in zip(B, slope, length, strict=True):
        # Inside the ball nothing pulls; on its surface only outwards.
        outward = max(pull @ row, 0.0) if size > 1 - 1e-9 else 0.0
        np.testing.assert_allclose(pull, outward * row, atol=1e-8)
    problem.bounded = False
    np.testing.assert_allclose(problem.update_B(V, B), np.linalg.pinv(V) @ standard(X, Y)[1], atol=1e-10)


def test_every_update_is_at_rest_in_the_end():
    X, Y = linear_data(5)
    selector = MIFS(gamma=5.0, tol=1e-13, max_iter=3000).fit(X, Y)
    W, V, B = of(selector)
    problem = MIFSProblem(selector.prepare(X, Y), 1.0, 1.0, 5.0)
    np.testing.assert_allclose(problem.update_W(W, V), W, atol=1e-4)
    np.testing.assert_allclose(problem.update_V(problem.evidence.times(W), V, B), V, atol=1e-4)
    np.testing.assert_allclose(problem.update_B(V, B), B, atol=1e-4)


def test_as_printed_there_is_no_minimum():
    X, Y = linear_data(6)
    with pytest.warns(ConvergenceWarning):
        few = MIFS(variant="printed", max_iter=10).fit(X, Y)
    with pytest.warns(ConvergenceWarning):
        many = MIFS(variant="printed", max_iter=300).fit(X, Y)
    W, V, B = of(few)
    weights = (X, Y, 1.0, 1.0, 1.0)
    assert objective(W / 2, V / 2, 2 * B, *weights) < objective(W, V, B, *weights)
    assert np.linalg.norm(many.latent_) < 0.5 * np.linalg.norm(V)
    assert np.linalg.norm(many.basis_) > 2 * np.linalg.norm(B)
    assert any("As printed the objective has no minimum" in note for note in many.notes_)
    bounded = MIFS().fit(X, Y)
    assert np.linalg.norm(bounded.basis_, axis=1).max() <= 1 + 1e-12
    assert not any("printed" in note for note in bounded.notes_)


def test_start_rebuilds_the_labels_as_well_as_can_be():
    X, Y = linear_data(7)
    W, V, B = MIFSProblem(MIFS().prepare(X, Y), 1.0, 1.0, 1.0).start(2)
    centred = Y - Y.mean(axis=0)
    assert ((centred - V @ B) ** 2).sum() == pytest.approx((np.linalg.svd(centred)[1][2:] ** 2).sum())
    assert not W.any()
    assert (B[np.arange(2), np.abs(B).argmax(axis=1)] > 0).all()


def test_more_latent_labels_than_rows():
    X, Y = linear_data(8, n=3, d=4, q=6)
    selector = MIFS(n_latent=6).fit(X, Y)
    assert selector.latent_.shape == (3, 6)
    assert np.isfinite(selector.scores_).all()


def test_size_has_a_range():
    with pytest.raises(ParameterError, match=r"n_latent must be a whole number from 1 to 4 \(the number of labels\)"):
        MIFS(n_latent=5).fit(*linear_data(0))


def test_iteration_limit_is_said():
    with pytest.warns(ConvergenceWarning, match="mifs stopped at the limit of 2 iterations"):
        selector = MIFS(max_iter=2).fit(*linear_data(2))
    assert any(note.endswith("raise max_iter, or tol from 1e-06.") for note in selector.notes_)


def test_no_gram_matrix_where_there_are_more_features_than_rows():
    assert MIFS().required_bytes({"instances": 1000, "features": 50_000, "labels": 5}) == 0
    X, Y = linear_data(0, n=80, d=100)
    selector = MIFS()
    evidence = selector.prepare(X, Y)
    selector.fit_prepared(evidence)
    assert "gram" not in vars(evidence)
