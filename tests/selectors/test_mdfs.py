"""MDFS against golden numbers, a solver of the whole problem, and its graphs pair by pair."""

import numpy as np
import pytest
from scipy import optimize, sparse

from mlfs.selectors import MDFS, mdfs
from mlfs.selectors.mdfs import label_graph
from tests.selectors.descent_data import golden, laplacian, linear_data, never_rises, row_norm_sum, toy


def graph(rows, k):
    """Joined with the k nearest, and all that are as near as the last of them."""
    n = len(rows)
    distance = np.array([[((a - b) ** 2).sum() for b in rows] for a in rows], dtype=float)
    near = np.zeros((n, n))
    for i in range(n):
        others = np.sort(np.delete(distance[i], i))
        for j in range(n):
            near[i, j] = j != i and distance[i, j] <= others[min(k, n - 1) - 1]
    return (near + near.T) / 2


def objective(W, F, X, Y, k, alpha, beta, gamma):
    Y = 2.0 * Y - 1
    apart = X @ W - F
    return (
        np.trace(F.T @ laplacian(graph(X, k)) @ F)
        + alpha * ((apart - apart.mean(axis=0)) ** 2).sum()
        + alpha * ((F - Y) ** 2).sum()
        + beta * np.trace(F @ laplacian(graph(Y.T, k)) @ F.T)
        + gamma * row_norm_sum(W)
    )


@pytest.mark.parametrize(("gamma", "close"), [(1.0, 2e-6), (100.0, 1e-8)])
def test_golden_numbers(gamma, close):
    X, Y = toy()
    selector = MDFS(gamma=gamma, tol=1e-12, max_iter=5000).fit(X, Y)
    scores, ranking = golden(f"mdfs_authors_gamma{gamma:g}")
    np.testing.assert_allclose(selector.scores_, scores, atol=close)
    assert selector.ranking_.tolist() == ranking
    assert selector.gamma_max_ == pytest.approx(18.05709, abs=1e-5)
    if gamma == 1:
        assert selector.history_["objective"][-1] == pytest.approx(337.31147, abs=1e-5)
    else:
        assert any("every coefficient is 0, as from gamma=18.0571 on" in note for note in selector.notes_)
    assert any("every label is a neighbour of every other" in note for note in selector.notes_)


@pytest.mark.parametrize("decomposed", [2000, 0], ids=["eigenvectors", "conjugate gradients"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
def test_optimum_of_another_solver(form, decomposed, monkeypatch):
    monkeypatch.setattr(mdfs, "DECOMPOSED", decomposed)
    X, Y = linear_data(0, n=20, d=5, q=3)
    weights = {"k": 1, "alpha": 0.7, "beta": 0.4, "gamma": 2.0}
    found = MDFS(**weights, tol=1e-13, max_iter=5000).fit(form(X), Y)
    value = objective(found.coefficients_, found.smoothed_, X, Y, **weights)
    assert found.history_["objective"][-1] == pytest.approx(value, rel=1e-9)
    LX, LY, targets = laplacian(graph(X, 1)), laplacian(graph(2.0 * Y.T, 1)), 2.0 * Y - 1

    def smooth(z):
        W, F = z[:15].reshape(5, 3), z[15:].reshape(20, 3)
        apart = X @ W - F
        apart -= apart.mean(axis=0)
        length = np.sqrt((W**2).sum(axis=1, keepdims=True) + 1e-14)
        total = (
            (F * (LX @ F)).sum() + 0.7 * ((apart**2).sum() + ((F - targets) ** 2).sum()) + 0.4 * (F * (F @ LY)).sum()
        )
        slope_F = 2 * LX @ F - 1.4 * apart + 1.4 * (F - targets) + 0.8 * F @ LY
        return total + 2 * length.sum(), np.concatenate([(1.4 * X.T @ apart + 2 * W / length).ravel(), slope_F.ravel()])

    other = optimize.minimize(
        smooth,
        np.full(75, 0.01),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 20_000, "maxfun": 50_000, "ftol": 1e-15, "gtol": 1e-9},
    )
    assert value <= other.fun + 1e-6
    assert other.fun == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("gamma", [1e-3, 1.0, 10.0])
def test_objective_never_rises(gamma):
    X, Y = linear_data(1)
    assert never_rises(MDFS(gamma=gamma, k=2).fit(X, Y).history_["objective"])


def test_nothing_is_left_exactly_from_gamma_max_on():
    X, Y = linear_data(2)
    most = MDFS(k=2).fit(X, Y).gamma_max_
    assert not MDFS(k=2, gamma=most * (1 + 1e-9)).fit(X, Y).scores_.any()
    assert MDFS(k=2, gamma=most * 0.99).fit(X, Y).scores_.any()


@pytest.mark.parametrize("k", [1, 2, 3, 9])
def test_label_graph_pair_by_pair(k):
    Y = linear_data(5, q=4)[1]
    assert np.array_equal(label_graph(Y, k), graph(Y.T.astype(float), k))


def test_order_of_labels_does_not_matter():
    X, Y = linear_data(4)
    plain, turned = (MDFS(k=2, tol=1e-12).fit(X, labels) for labels in (Y, Y[:, [2, 0, 3, 1]]))
    np.testing.assert_allclose(turned.scores_, plain.scores_, atol=1e-6)


def test_memory_of_the_decomposition_is_told():
    sizes = {"instances": 2000, "features": 10, "labels": 3}
    assert MDFS().required_bytes(sizes) == 8 * 10**2 + 24 * 2000**2
    assert MDFS().required_bytes(sizes | {"instances": 2001}) == 8 * 10**2


def test_the_rows_are_decomposed_once_for_each_alpha(monkeypatch):
    decomposed, decompose = [], mdfs.SmoothedLabels._decompose
    monkeypatch.setattr(
        mdfs.SmoothedLabels, "_decompose", lambda self: decomposed.append(self.alpha) or decompose(self)
    )
    X, Y = linear_data(0)
    selector = MDFS(k=2)
    selector.path(selector.prepare(X, Y), alpha=[0.5, 2.0], beta=[0.1, 1.0], gamma=[0.1, 1.0, 10.0])
    assert sorted(decomposed) == [0.5, 2.0]
