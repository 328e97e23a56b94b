"""RFSFS and SRFS against golden numbers and the printed update, with d × d matrices."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.selectors import RFSFS, SRFS
from tests.selectors.descent_data import cosines, golden, linear_data, never_rises, row_norm_sum, toy, unit

both = pytest.mark.parametrize("method", [RFSFS, SRFS])
LIMIT = "ignore::sklearn.exceptions.ConvergenceWarning"


def objective(method, W, X, Y, alpha, beta, gamma):
    X, C = unit(X), cosines(Y)
    penalty = W.sum() if method is RFSFS else row_norm_sum(W)
    smooth = np.trace(W @ (np.diag(C.sum(axis=0)) - C) @ W.T)
    return ((X @ W - Y) ** 2).sum() + alpha * smooth + beta * penalty + gamma * (np.abs(W @ W.T).sum() - (W**2).sum())


def slow(method, X, Y, alpha, beta, gamma, iterations):
    X, C, d = unit(X), cosines(Y), X.shape[1]
    W = np.full((d, Y.shape[1]), 0.5)
    for _ in range(iterations):
        length = np.sqrt((W**2).sum(axis=1, keepdims=True))
        E = 0.5 * (W > 0) if method is RFSFS else 0.5 * W / length
        below = X.T @ X @ W + alpha * W @ np.diag(C.sum(axis=0)) + beta * E + gamma * np.ones((d, d)) @ W
        W = W * (X.T @ Y + alpha * W @ C + gamma * W) / below
    return W


@both
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.filterwarnings(LIMIT)
def test_takes_the_printed_steps(method, form):
    X, Y = linear_data(0)
    X = X[:, :-1]
    weights = {"alpha": 0.7, "beta": 0.3, "gamma": 0.2}
    selector = method(**weights, max_iter=7, tol=0.0).fit(form(X), Y)
    expected = slow(method, X, Y, **weights, iterations=7)
    np.testing.assert_allclose(selector.coefficients_, expected, rtol=1e-8, atol=1e-10)
    value = objective(method, expected, X, Y, **weights)
    assert selector.history_["objective"][-1] == pytest.approx(value, rel=1e-10)


@both
@pytest.mark.filterwarnings(LIMIT)
def test_golden_numbers(method):
    X, Y = toy()
    selector = method(tol=1e-11, max_iter=10_000).fit(X, Y)
    scores, ranking = golden(f"{method.id}_0.1_0.1_0.1")
    # The golden run stopped some 1e-5 above the minimum.
    least = {"rfsfs": 79.18415, "srfs": 79.14533}[method.id]
    assert least - 1e-4 < selector.history_["objective"][-1] <= least
    np.testing.assert_allclose(selector.scores_, scores, atol=2e-3)
    assert selector.ranking_[:8].tolist() == ranking[:8]


@both
@pytest.mark.parametrize("weight", [1e-4, 1.0, 100.0])
@pytest.mark.filterwarnings(LIMIT)
def test_objective_never_rises_and_nothing_is_negative(method, weight):
    X, Y = linear_data(1)
    for alpha, beta, gamma in ((weight, 0.1, 0.1), (0.1, weight, 0.1), (0.1, 0.1, weight)):
        selector = method(alpha=alpha, beta=beta, gamma=gamma, max_iter=200).fit(X, Y)
        assert never_rises(selector.history_["objective"])
        assert selector.coefficients_.min() >= 0


@both
@pytest.mark.filterwarnings(LIMIT)
def test_the_lowest_of_several_starts_counts(method):
    X, Y = linear_data(2)
    one, four = method(max_iter=100).fit(X, Y), method(max_iter=100, n_init=4).fit(X, Y)
    assert four.history_["objective"][-1] <= one.history_["objective"][-1]
    assert any(note.startswith("4 starts ended with objectives from") for note in four.notes_)
    assert np.array_equal(four.scores_, method(max_iter=100, n_init=4).fit(X, Y).scores_)


@both
@pytest.mark.filterwarnings(LIMIT)
def test_order_of_labels_does_not_matter(method):
    X, Y = linear_data(3)
    plain, turned = (method(max_iter=50, n_init=2).fit(X, labels).scores_ for labels in (Y, Y[:, ::-1]))
    np.testing.assert_allclose(turned, plain, rtol=1e-8, atol=1e-12)
