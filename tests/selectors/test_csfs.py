"""CSFS against its optimality conditions, another solver, golden numbers, and what its largest μ must do."""

import numpy as np
import pytest
from scipy import optimize, sparse

from mlfs.selectors import CSFS, csfs
from tests.selectors.descent_data import golden, linear_data, never_rises, row_norm_sum, toy


def objective(W, X, Y, mu):
    error = X @ W - Y
    return ((error - error.mean(axis=0)) ** 2).sum() + mu * row_norm_sum(W)


def test_golden_numbers():
    X, Y = toy()
    selector = CSFS(mu=10, tol=1e-9).fit(X, Y)
    scores, ranking = golden("csfs_mu10")
    np.testing.assert_allclose(selector.scores_, scores, atol=1e-7)
    assert selector.ranking_.tolist() == ranking
    assert selector.history_["objective"][-1] == pytest.approx(64.23957, abs=1e-5)
    assert selector.mu_max_ == pytest.approx(49.97095, abs=1e-5)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize(("seed", "n", "d"), [(0, 40, 8), (1, 10, 14)])
def test_optimum_of_another_solver(seed, n, d, form):
    """W = A − B with A, B ≥ 0 does not smooth row norms; a quasi-Newton method on √(‖w‖² + ε²) does, and nearly so."""
    X, Y = linear_data(seed, n, d, q=2)
    mu = 6.0
    found = CSFS(mu=mu, tol=1e-10, max_iter=50_000).fit(form(X), Y)

    def smooth(w):
        W = w.reshape(d, 2)
        error = X @ W - Y
        error -= error.mean(axis=0)
        length = np.sqrt((W**2).sum(axis=1, keepdims=True) + 1e-14)
        return (error**2).sum() + mu * length.sum(), (2 * X.T @ error + mu * W / length).ravel()

    other = optimize.minimize(
        smooth,
        np.full(2 * d, 0.01),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 20_000, "ftol": 1e-15, "gtol": 1e-9},
    )
    value = objective(found.coefficients_, X, Y, mu)
    assert found.history_["objective"][-1] == pytest.approx(value, rel=1e-10)
    assert value <= other.fun + 1e-7
    assert other.fun == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_left_exactly_from_mu_max_on(seed):
    X, Y = linear_data(seed)
    centred = (X - X.mean(axis=0)).T @ (Y - Y.mean(axis=0))
    most = 2 * np.sqrt((centred**2).sum(axis=1)).max()
    above, below = (CSFS(mu=share * most).fit(X, Y) for share in (1 + 1e-9, 0.99))
    assert above.mu_max_ == pytest.approx(most)
    assert not above.scores_.any()
    assert below.scores_.any()
    assert any("every coefficient is 0, as from mu=" in note for note in above.notes_)
    # Nothing but the gradient is left to rank by.
    assert above.ranking_[0] == np.argmax((centred**2).sum(axis=1))
    assert above.ranking_.tolist() == np.argsort(-(centred**2).sum(axis=1), kind="stable").tolist()


@pytest.mark.parametrize("mu", [1e-3, 1.0, 100.0])
def test_objective_never_rises(mu):
    X, Y = linear_data(3)
    assert never_rises(CSFS(mu=mu).fit(X, Y).history_["objective"])


def test_the_released_program_weighs_twice():
    X, Y = linear_data(0)
    assert np.array_equal(CSFS(mu=3, variant="authors").fit(X, Y).scores_, CSFS(mu=6).fit(X, Y).scores_)


def test_a_path_gives_the_numbers_of_single_fits():
    X, Y = linear_data(2)
    selector = CSFS(tol=1e-8)
    values = [1.0, 30.0, 5.0]
    path = selector.path(selector.prepare(X, Y), mu=values)
    assert [cell["mu"] for cell in path.parameters] == values
    for mu, fitted in zip(values, path.fitted, strict=True):
        alone = CSFS(mu=mu, tol=1e-8).fit(X, Y)
        np.testing.assert_allclose(fitted.scores_, alone.scores_, atol=1e-6 * alone.scores_.max())
        assert np.array_equal(fitted.fit(X, Y).scores_, alone.scores_)


def test_order_of_labels_and_place_of_features_do_not_matter():
    X, Y = linear_data(4)
    plain, turned = CSFS(tol=1e-9).fit(X, Y), CSFS(tol=1e-9).fit(X + 5, Y[:, ::-1])
    np.testing.assert_allclose(turned.scores_, plain.scores_, atol=1e-7)


def test_a_path_goes_down_from_the_largest_mu_each_from_where_the_last_ended(monkeypatch):
    starts, steps = [], csfs.regression_steps
    monkeypatch.setattr(csfs, "regression_steps", lambda X, start, *a: starts.append(start) or steps(X, start, *a))
    X, Y = linear_data(2)
    selector = CSFS(tol=1e-8)
    evidence = selector.prepare(X, Y)
    path = selector.path(evidence, mu=[1.0, 30.0, 5.0])
    _, thirty, five = (fitted.coefficients_ for fitted in path.fitted)
    assert not starts[0].any()
    assert np.array_equal(starts[1], thirty)
    assert np.array_equal(starts[2], five)
