"""Minimise a convex quadratic over the simplex x ≥ 0, Σx = 1, by steps none of which raises it.

Two kinds of step take turns (Moré & Toraldo 1991): a projected gradient step lets all coordinates in that would lower
the value, Newton steps on the face of the positive coordinates then find the minimum there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import linalg

# Added to the diagonal where a system is solved, as a share of the bound on the eigenvalues.
RIDGE = 1e-10


@dataclass(frozen=True)
class Quadratic:
    """½·w·xᵀ(G+sI)x − cᵀx, with G symmetric and its entries not negative."""

    G: np.ndarray
    weight: float
    shift: float
    linear: np.ndarray

    def product(self, x: np.ndarray) -> np.ndarray:
        """w·(G+sI)x, from the rows of G that x meets."""
        met = np.flatnonzero(x)
        image = self.G @ x if 2 * len(met) > len(x) else x[met] @ self.G[met]
        return self.weight * (image + self.shift * x)

    def face(self, support: np.ndarray) -> np.ndarray:
        """w·(G+sI) among some of the coordinates."""
        part = self.G[np.ix_(support, support)]
        part[np.diag_indices(len(support))] += self.shift
        part *= self.weight
        return part

    @cached_property
    def bound(self) -> float:
        """At least the largest eigenvalue."""
        return self.weight * (float(self.G.sum(axis=1).max()) + self.shift)


@dataclass(frozen=True)
class Point:
    """A point of the simplex.

    Attributes
    ----------
    x, gradient : (d,)
    value : of the quadratic
    gap : ⟨gradient, x⟩ − min gradient; no point of the simplex lies lower than the value by more than this
    """

    x: np.ndarray
    gradient: np.ndarray
    value: float

    @property
    def excess(self) -> np.ndarray:
        """(d,) the gradient less its mean by x, what all coordinates share: along the simplex that part is nothing."""
        return self.gradient - self.gradient @ self.x

    @property
    def gap(self) -> float:
        return max(0.0, -float(self.excess.min()))


def descend(problem: Quadratic, x: np.ndarray) -> Iterator[Point]:
    """Yield the start, then the point after each step, for ever; the value never rises."""
    here = _at(problem, x)
    length = 1.0 / problem.bound if problem.bound > 0 else 1.0
    yield here
    while True:
        here = _move(problem, here, project(here.x - length * here.gradient) - here.x)
        yield here
        inside = False
        while not inside:
            here, inside = _newton(problem, here)
            yield here


def project(y: np.ndarray) -> np.ndarray:
    """The point of the simplex nearest to y.

    >>> project(np.array([0.9, 0.5, -1.0]))
    array([0.7, 0.3, 0. ])
    """
    # The nearest point is the same; very large numbers would swallow the 1.
    y = y - y.max()
    order = np.sort(y)[::-1]
    level = (np.cumsum(order) - 1.0) / np.arange(1, len(y) + 1)
    return np.maximum(y - level[np.flatnonzero(order > level)[-1]], 0.0)


def _at(problem: Quadratic, x: np.ndarray) -> Point:
    image = problem.product(x)
    return Point(x, image - problem.linear, float(0.5 * x @ image - problem.linear @ x))


def _move(problem: Quadratic, here: Point, direction: np.ndarray) -> Point:
    """As far along a direction as the value falls, at most all the way."""
    gradient = here.excess
    slope = float(gradient @ direction)
    if slope >= 0:
        return here
    curvature = float(direction @ problem.product(direction))
    share = min(1.0, -slope / curvature) if curvature > 0 else 1.0
    x = np.maximum(here.x + share * direction, 0.0)
    x /= x.sum()
    # What was really moved, after rounding: by this formula a fall too small for the digits of the value counts too.
    moved = x - here.x
    image = problem.product(moved)
    fall = float(gradient @ moved + 0.5 * moved @ image)
    return Point(x, here.gradient + image, here.value + fall) if fall < 0 else here


def _newton(problem: Quadratic, here: Point) -> tuple[Point, bool]:
    """Towards the minimum on the face of the positive coordinates; also, whether that minimum lies inside it."""
    support = np.flatnonzero(here.x)
    step = np.zeros_like(here.x)
    # A trace of ridge: equal coordinates make the face singular, and so share their weight evenly.
    step[support] = _newton_direction(problem.face(support), here.excess[support], RIDGE * problem.bound)
    there = here.x + step
    if there.min() >= 0:
        return _move(problem, here, step), True
    # The minimum is outside. Projecting drops many coordinates at once but need not lower the value most;
    # stopping at the border drops one, and always does.
    falling = support[there[support] < 0]
    share = here.x[falling] / -step[falling]
    border = step * share.min()
    border[falling[share == share.min()]] = -here.x[falling[share == share.min()]]
    projected = np.zeros_like(step)
    projected[support] = project(there[support])
    moves = [_move(problem, here, border), _move(problem, here, projected - here.x)]
    best = min(moves, key=lambda point: point.value)
    return best, best is here


def _newton_direction(Q: np.ndarray, gradient: np.ndarray, ridge: float) -> np.ndarray:
    """The step p with Σp = 0 that minimises ½pᵀ(Q+ridge·I)p + gradientᵀp."""
    if ridge == 0:
        return gradient.mean() - gradient
    Q[np.diag_indices(len(Q))] += ridge
    right = np.column_stack([gradient, np.ones_like(gradient)])
    both = linalg.solve(Q, right, assume_a="pos", overwrite_a=True, check_finite=False)
    return both[:, 1] * (both[:, 0].sum() / both[:, 1].sum()) - both[:, 0]
