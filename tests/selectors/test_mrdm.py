"""MRDM against golden numbers, its iteration written out, and what another basis of Z may change: nothing."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.selectors import MRDM, mrdm
from mlfs.selectors.parts.descent import Iterate
from tests.selectors.descent_data import golden, laplacian, linear_data, never_rises, row_norm_sum, toy

LIMIT = "ignore::sklearn.exceptions.ConvergenceWarning"


def graph(X):
    S = np.array([[np.exp(-((a - b) ** 2).sum() / 2) for b in X] for a in X])
    np.fill_diagonal(S, 0)
    return S


def objective(W, Z, X, Y, alpha, beta, gamma):
    Y = Y - Y.mean(axis=0)
    tied = np.trace(Z @ Z.T @ Y @ Y.T)
    return (
        ((X @ W - Z) ** 2).sum()
        + alpha * np.trace(Z.T @ laplacian(graph(X)) @ Z)
        - beta * tied
        + gamma * row_norm_sum(W)
    )


def slow(X, Y, alpha, beta, gamma, iterations):
    n, d = X.shape
    H, U = np.eye(n) - 1 / n, np.eye(d)
    for _ in range(iterations):
        inverse = np.linalg.inv(X.T @ X + gamma * U)
        form = alpha * laplacian(graph(X)) - beta * H @ Y @ Y.T @ H - X @ inverse @ X.T + np.eye(n)
        Z = np.linalg.eigh(form)[1][:, : Y.shape[1]]
        W = inverse @ X.T @ Z
        U = np.diag(0.5 / np.sqrt((W**2).sum(axis=1)))
    return W, Z


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize(("n", "d"), [(30, 6), (15, 20)])
@pytest.mark.filterwarnings(LIMIT)
def test_takes_the_steps(n, d, form):
    X, Y = linear_data(0, n, d, q=3)
    weights = {"alpha": 0.5, "beta": 2.0, "gamma": 0.3}
    selector = MRDM(**weights, max_iter=3, tol=0.0).fit(form(X), Y)
    W, Z = slow(X, Y.astype(float), **weights, iterations=4)
    # Z is known but for a rotation, which no row norm sees.
    np.testing.assert_allclose(selector.scores_, np.sqrt((W**2).sum(axis=1)), atol=1e-7)
    np.testing.assert_allclose(selector.latent_ @ selector.latent_.T, Z @ Z.T, atol=1e-6)
    value = objective(W, Z, X, Y, **weights)
    assert selector.history_["objective"][-1] == pytest.approx(value, rel=1e-8)


@pytest.mark.filterwarnings(LIMIT)
def test_golden_numbers():
    X, Y = toy()
    selector = MRDM(tol=1e-12).fit(X, Y)
    scores, ranking = golden("mrdm_1_1_1_raw")
    np.testing.assert_allclose(selector.scores_, scores, atol=1e-5)
    assert selector.ranking_.tolist() == ranking
    # On the scaled features the golden run had not come to its end.
    scores, ranking = golden("mrdm_1_1_1_01")
    selector = MRDM(scaling="unit", tol=1e-10, max_iter=5000).fit(X, Y)
    np.testing.assert_allclose(selector.scores_, scores, atol=3e-3)
    assert sorted(selector.ranking_[:8]) == sorted(ranking[:8])


@pytest.mark.filterwarnings(LIMIT)
def test_following_the_eigenvectors_comes_to_the_same_end(monkeypatch):
    X, Y = linear_data(1, n=60, d=8, q=3)
    exact = MRDM(tol=1e-12).fit(X, Y)
    monkeypatch.setattr(mrdm, "DECOMPOSED", 10)
    followed = MRDM(tol=1e-12, max_iter=2000).fit(X, Y)
    assert never_rises(followed.history_["objective"])
    np.testing.assert_allclose(followed.scores_, exact.scores_, atol=1e-4)


def test_the_lowest_eigenvectors_are_followed(monkeypatch):
    """By as many products with the part that stays as there are steps, and one for the start."""
    monkeypatch.setattr(mrdm, "DECOMPOSED", 10)
    rng = np.random.default_rng(0)
    A, low = rng.standard_normal((80, 80)), np.linalg.qr(rng.standard_normal((80, 3)))[0]
    stays, moves = A @ A.T / 80, low @ np.diag([90.0, 80.0, 70.0]) @ low.T
    asked = []
    lowest = mrdm.Lowest(80, 3, rng.standard_normal((80, 3)), lambda Z: asked.append(1) or stays @ Z)
    sums = [lowest.follow(lambda Z: 0.1 * moves @ Z)[0].sum() for _ in range(20)]
    assert len(asked) == 1 + 20 * mrdm.SUBSPACE_STEPS
    assert never_rises(sums)
    values, vectors = np.linalg.eigh(stays - 0.1 * moves)
    assert sums[-1] == pytest.approx(values[:3].sum(), rel=1e-9)
    np.testing.assert_allclose(lowest.Z @ lowest.Z.T, vectors[:, :3] @ vectors[:, :3].T, atol=1e-5)
    np.testing.assert_allclose(lowest.Z.T @ lowest.Z, np.eye(3), atol=1e-10)
    np.testing.assert_allclose(lowest.image, stays @ lowest.Z, atol=1e-8)


@pytest.mark.parametrize("gamma", [1e-2, 1.0, 100.0])
@pytest.mark.filterwarnings(LIMIT)
def test_objective_never_rises(gamma):
    X, Y = linear_data(2)
    selector = MRDM(gamma=gamma, scaling="unit", max_iter=60).fit(X, Y)
    assert never_rises(selector.history_["objective"])
    np.testing.assert_allclose(selector.latent_.T @ selector.latent_, np.eye(4), atol=1e-9)


@pytest.mark.filterwarnings(LIMIT)
def test_order_of_labels_does_not_matter():
    X, Y = linear_data(3)
    plain, turned = (MRDM(max_iter=20).fit(X, labels).scores_ for labels in (Y, Y[:, ::-1]))
    np.testing.assert_allclose(turned, plain, atol=1e-8)


@pytest.mark.filterwarnings(LIMIT)
def test_an_empty_graph_is_told():
    X, Y = linear_data(4)
    assert any("next to empty" in note for note in MRDM(max_iter=2).fit(1000 * X, Y).notes_)
    assert not any("next to empty" in note for note in MRDM(max_iter=2, scaling="unit").fit(1000 * X, Y).notes_)


def test_memory_is_told():
    assert MRDM().required_bytes({"instances": 1000, "features": 50, "labels": 5}) == 64 * 1000**2 + 24 * 50**2
    assert MRDM().required_bytes({"instances": 1001, "features": 50, "labels": 5}) == 24 * 1001**2 + 24 * 50**2


def test_a_turning_basis_does_not_keep_it_going():
    rng = np.random.default_rng(0)
    W = rng.standard_normal((6, 3))
    turned = W @ np.linalg.qr(rng.standard_normal((3, 3)))[0]
    before, after = Iterate(W, 1.0), Iterate(turned, 1.0)
    assert MRDM()._settled(before, after, float(np.linalg.norm(turned - W)))
    assert not MRDM()._settled(before, Iterate(1.1 * W, 1.0), 0.0)


@pytest.mark.filterwarnings(LIMIT)
def test_any_basis_of_the_latent_labels_gives_the_same_norms(monkeypatch):
    """W = ridge·Z, so Z·Q for Z turns the rows of W and leaves their lengths, which are all that goes on from there."""
    X, Y = linear_data(3)
    plain = MRDM(max_iter=6, tol=0.0).fit(X, Y)
    rng, follow = np.random.default_rng(0), mrdm.Lowest.follow

    def turned(self, moving):
        values, Z = follow(self, moving)
        return values, Z @ np.linalg.qr(rng.standard_normal((Z.shape[1], Z.shape[1])))[0]

    monkeypatch.setattr(mrdm.Lowest, "follow", turned)
    other = MRDM(max_iter=6, tol=0.0).fit(X, Y)
    assert np.abs(other.coefficients_ - plain.coefficients_).max() > 0.1 * np.abs(plain.coefficients_).max()
    np.testing.assert_allclose(other.scores_, plain.scores_, rtol=1e-8)
    np.testing.assert_allclose(other.history_["objective"], plain.history_["objective"], rtol=1e-10)
