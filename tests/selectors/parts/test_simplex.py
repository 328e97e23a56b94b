"""The quadratic over the simplex: descent, optimality, and an independent solver."""

from itertools import islice

import numpy as np
import pytest
from scipy.optimize import minimize

from mlfs.selectors.parts.simplex import Quadratic, descend, project


def random_problem(seed, d=9, rank=9):
    rng = np.random.default_rng(seed)
    root = rng.random((d, rank))
    return Quadratic(root @ root.T, weight=2.0, shift=0.0, linear=3 * rng.random(d))


def value(problem, x):
    Q = problem.weight * (problem.G + problem.shift * np.eye(len(x)))
    return 0.5 * x @ Q @ x - problem.linear @ x


def corner(problem):
    return np.eye(len(problem.linear))[0]


@pytest.mark.parametrize("seed", range(20))
def test_project_is_the_nearest_point(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(scale=rng.choice([0.1, 1, 10]), size=6)
    x = project(y)
    assert x.min() >= 0
    assert x.sum() == pytest.approx(1)
    # No corner lies further along y − x: what makes a point of a convex set the nearest.
    assert ((y - x) @ (np.eye(6) - x).T).max() <= 1e-9 * (1 + np.abs(y).max())


def test_project_leaves_the_simplex_alone():
    np.testing.assert_allclose(project(np.array([0.2, 0.5, 0.3])), [0.2, 0.5, 0.3])
    np.testing.assert_allclose(project(np.array([7.0])), [1.0])
    np.testing.assert_allclose(project(np.array([1e20, -1e20, 1e20])), [0.5, 0.0, 0.5])


@pytest.mark.parametrize("rank", [9, 4, 1])
@pytest.mark.parametrize("seed", range(8))
def test_never_rises_and_ends_at_the_minimum(seed, rank):
    problem = random_problem(seed, rank=rank)
    points = list(islice(descend(problem, corner(problem)), 60))
    for point in points:
        assert point.x.min() >= 0
        assert point.x.sum() == pytest.approx(1)
        assert point.value == pytest.approx(value(problem, point.x), abs=1e-12)
    assert (np.diff([point.value for point in points]) <= 0).all()
    end = points[-1]
    # Optimality: all weighted coordinates have the least gradient, the others no less.
    gradient = problem.product(end.x) - problem.linear
    np.testing.assert_allclose(gradient[end.x > 0], gradient.min(), atol=1e-8)
    peer = minimize(
        lambda x: value(problem, x),
        np.full(9, 1 / 9),
        jac=lambda x: problem.product(x) - problem.linear,
        bounds=[(0, 1)] * 9,
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert end.value == pytest.approx(peer.fun, abs=1e-7)
    if rank == 9:
        np.testing.assert_allclose(end.x, peer.x, atol=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_gap_bounds_the_distance_from_the_minimum(seed):
    problem = random_problem(seed)
    points = list(islice(descend(problem, corner(problem)), 60))
    for point in points:
        assert point.value - points[-1].value <= point.gap + 1e-12
    assert points[-1].gap < 1e-9


def test_product_is_the_same_for_few_and_many_coordinates():
    problem = Quadratic(random_problem(0).G, weight=3.0, shift=0.5, linear=np.zeros(9))
    for met in (1, 4, 5, 9):
        x = np.zeros(9)
        x[:met] = np.arange(1, met + 1)
        np.testing.assert_allclose(problem.product(x), 3.0 * (problem.G + 0.5 * np.eye(9)) @ x)


def test_flat_problem():
    problem = Quadratic(np.zeros((3, 3)), weight=1.0, shift=0.0, linear=np.array([0.0, 2.0, 1.0]))
    with np.errstate(all="raise", under="ignore"):
        points = list(islice(descend(problem, corner(problem)), 20))
    np.testing.assert_allclose(points[-1].x, [0, 1, 0], atol=1e-12)
    assert points[-1].value == -2
