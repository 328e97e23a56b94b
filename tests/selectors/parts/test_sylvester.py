"""(I+αG)Z + βZR = C, factored once."""

import numpy as np
import pytest
from scipy.linalg import solve_sylvester

from mlfs.selectors.parts.sylvester import factor, factor_low_rank

GRID = 10.0 ** np.arange(-3, 4)


def symmetric(rng, size):
    A = rng.normal(size=(size, size))
    return A + A.T


def problem(seed, d=12, q=4):
    rng = np.random.default_rng(seed)
    return symmetric(rng, d) + 4 * d * np.eye(d), symmetric(rng, q), rng.normal(size=(d, q))


@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_scipy_on_the_whole_grid(seed):
    G, R, C = problem(seed)
    factors = factor(G, np.diag(G), R, C)
    for alpha in GRID:
        for beta in GRID:
            exact = solve_sylvester(np.eye(len(G)) + alpha * G, beta * R, C)
            np.testing.assert_allclose(factors.solve(alpha, beta).coefficients, exact, rtol=1e-8, atol=1e-8)


def test_terms_are_those_of_the_objective():
    G, R, C = problem(0)
    solution = factor(G, np.diag(G), R, C).solve(0.3, 0.7)
    Z = solution.coefficients
    assert solution.fit == pytest.approx(np.sum((Z - C) ** 2))
    assert solution.redundancy == pytest.approx(0.3 * np.trace(Z.T @ G @ Z))
    assert solution.labels == pytest.approx(0.7 * np.trace(R @ Z.T @ Z))


def test_lowest_is_the_least_curvature():
    G, R, C = problem(1)
    solution = factor(G, np.diag(G), R, C).solve(0.01, 2.0)
    half_hessian = np.kron(np.eye(4), np.eye(12) + 0.01 * G) + 2.0 * np.kron(R, np.eye(12))
    eigenvalues = np.linalg.eigvalsh(half_hessian)
    assert solution.lowest == pytest.approx(eigenvalues[0])
    assert solution.nearest == pytest.approx(np.abs(eigenvalues).min())


def test_singular_directions_are_left_out():
    G, R = np.zeros((2, 2)), np.array([[0.0, 1.0], [1.0, 0.0]])
    C = np.array([[1.0, 1.0], [0.0, 0.0]])
    solution = factor(G, np.zeros(2), R, C).solve(1.0, 1.0)
    assert solution.n_singular == 2
    assert solution.lowest == 0
    # The remaining eigenvalue of R is 1, along (1, 1): z = 1/(1+β).
    np.testing.assert_allclose(solution.coefficients, [[0.5, 0.5], [0.0, 0.0]], atol=1e-12)


def test_factoring_touches_nothing():
    G, R, C = problem(2)
    before = [A.copy() for A in (G, R, C)]
    for A in (G, R, C):
        A.setflags(write=False)
    factor(G, np.zeros(12), R, C)
    factor_low_rank(lambda B: G @ B, float(np.trace(G)), R, C, 8)
    assert all(np.array_equal(A, B) for A, B in zip((G, R, C), before, strict=True))


def low_rank(G, R, C, rank):
    return factor_low_rank(lambda B: G @ B, float(np.trace(G)), R, C, rank)


def test_low_rank_is_exact_once_the_space_is_full():
    G, R, C = problem(3)
    exact = factor(G, np.diag(G), R, C).solve(0.1, 0.2)
    full = low_rank(G, R, C, 12).solve(0.1, 0.2)
    np.testing.assert_allclose(full.coefficients, exact.coefficients, atol=1e-10)
    assert full.redundancy == pytest.approx(exact.redundancy)


def test_low_rank_gives_the_rest_the_mean_of_what_it_does_not_know():
    # A single direction of two: the other's eigenvalue is what the trace leaves.
    G, C = np.diag([3.0, 5.0]), np.eye(2)
    factors = low_rank(G, np.zeros((2, 2)), C, 1)
    np.testing.assert_allclose(np.sort(factors.values), [3.0, 5.0])
    np.testing.assert_allclose(factors.solve(1.0, 1.0).coefficients, np.diag([1 / 4, 1 / 6]), atol=1e-12)


def test_low_rank_stops_where_nothing_is_left_to_find():
    # Three distinct eigenvalues: C, GC and G²C span all that solutions can need.
    rng = np.random.default_rng(0)
    basis, _ = np.linalg.qr(rng.normal(size=(30, 30)))
    G = basis @ np.diag(np.repeat([0.5, 1.0, 4.0], 10)) @ basis.T
    R, C = np.zeros((2, 2)), rng.normal(size=(30, 2))
    factors = low_rank(G, R, C, 24)
    assert factors.vectors.shape == (30, 6)
    np.testing.assert_allclose(
        factors.solve(10.0, 1.0).coefficients, np.linalg.solve(np.eye(30) + 10 * G, C), atol=1e-10
    )


def test_low_rank_gets_nearer_with_the_rank():
    G, R, C = problem(4, d=60, q=8)
    exact = factor(G, np.diag(G), R, C).solve(1.0, 0.1).coefficients
    errors = [np.abs(low_rank(G, R, C, rank).solve(1.0, 0.1).coefficients - exact).max() for rank in (4, 16, 32, 48)]
    assert errors[0] > errors[1] > errors[2] > errors[3]
    assert errors[3] < 1e-3 * np.abs(exact).max()


def test_low_rank_multiplies_seldom():
    G, R, C = problem(5, d=60, q=8)
    calls = []

    def product(B):
        calls.append(B.shape[1])
        return G @ B

    factor_low_rank(product, float(np.trace(G)), R, C, 32)
    assert calls == [8, 8, 8, 8]
    calls.clear()
    factor_low_rank(product, float(np.trace(G)), R, C, 10)
    assert calls == [2, 2, 2, 2, 2]


def test_low_rank_of_nothing_is_nothing():
    G, R, C = problem(6)
    assert not low_rank(G, R, np.zeros_like(C), 4).solve(1.0, 1.0).coefficients.any()
