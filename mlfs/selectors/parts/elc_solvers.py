"""The two ways to solve ELC: the paper's loop with its three readings, and the convex problem to its optimum.

Both work on Âᵀ, one row of q numbers per column of X, and make nothing of size d × d. Rows of Âᵀ are called columns
here, after the columns of X they belong to.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import linalg

from mlfs.selectors.evidence import best_of_owner
from mlfs.selectors.ranking import TOLERANCE, rank
from mlfs.stopping import checkpoint

# Directions of Â this much weaker than its strongest are rounding: labels that repeat or complement each other.
RANK_TOLERANCE = 1e-7
# A Newton step moves at most this many rows of W at a time, so that its matrix stays below 300 MiB.
NEWTON_ROWS = 6000


@dataclass(frozen=True)
class ELCProblem:
    """min ½‖ÂW − Γ*‖²_F + λ‖W‖₂,₁ without λ: what depends on the data alone (Wang et al. 2020, eq. 1–3).

    Attributes
    ----------
    products : (columns, q) Âᵀ = XᵀY, X standardised
    similarity : (q, q) S
    owner : (columns,) the feature each column belongs to
    n : number of instances
    """

    products: np.ndarray
    similarity: np.ndarray
    owner: np.ndarray
    n: int

    @cached_property
    def _spectrum(self) -> tuple[np.ndarray, np.ndarray]:
        values, vectors = np.linalg.eigh(self.similarity)
        return values[::-1], vectors[:, ::-1]

    @property
    def lowest_eigenvalue(self) -> float:
        """Below 0 where S is indefinite, so that it has no real square root."""
        return float(self._spectrum[0][-1])

    @cached_property
    def target(self) -> np.ndarray:
        """(q, q) Γ* = nΦΣ^½, negative eigenvalues of S taken as 0: the nearest matrix that has a root."""
        values, vectors = self._spectrum
        return self.n * vectors * np.sqrt(np.maximum(values, 0.0))

    @cached_property
    def pulls(self) -> np.ndarray:
        """(columns, q) ÂᵀΓ*."""
        return self.products @ self.target

    @cached_property
    def pull_sums(self) -> np.ndarray:
        """(columns,)"""
        return self.pulls.sum(axis=1)

    @cached_property
    def squares(self) -> np.ndarray:
        """(columns,) ‖Yᵀf‖²."""
        return np.einsum("ij,ij->i", self.products, self.products)

    @cached_property
    def radius(self) -> float:
        """Spectral radius of ÂᵀÂ, which is that of the small ÂÂᵀ."""
        return float(np.linalg.eigvalsh(self.products.T @ self.products)[-1])

    @cached_property
    def alone(self) -> np.ndarray:
        """(features,) what the feature alone takes off (1): ‖S‖² − ‖(Yᵀf)(Yᵀf)ᵀ/n² − S‖²."""
        scaled = self.products / self.n
        gain = 2 * np.einsum("ij,ij->i", scaled @ self.similarity, scaled) - (self.squares / self.n**2) ** 2
        return self.per_feature(gain)

    @cached_property
    def reduced(self) -> Reduced:
        return Reduced.of(self)

    def first_set(self, k: int) -> np.ndarray:
        """(k,) the features that minimise (1), each alone, sorted (line 3 of Algorithm 1)."""
        return np.sort(rank(self.alone)[:k])

    def per_feature(self, scores: np.ndarray) -> np.ndarray:
        """Scores of columns to scores of features: a categorical feature is as good as its best category."""
        return scores if len(scores) == self.owner[-1] + 1 else best_of_owner(scores, self.owner)


@dataclass
class ELCSolution:
    """What a solver found.

    Attributes
    ----------
    weights : (columns, q) W
    chosen : (k,) the final set, sorted
    scores : (features,) higher is better
    history : at the start and after each iteration: "objective", "change" = ‖ΔW‖_F, "set_changes" = features new in
        the set
    n_iter : iterations begun
    ended : "converged", "limit" (of iterations) or "overflow"
    gap : relative duality gap, where the solver has one
    """

    weights: np.ndarray
    chosen: np.ndarray
    scores: np.ndarray
    history: dict[str, np.ndarray]
    n_iter: int
    ended: str
    gap: float = np.nan


@dataclass
class _History:
    objective: list[float] = field(default_factory=list)
    change: list[float] = field(default_factory=list)
    set_changes: list[int] = field(default_factory=list)

    def add(self, objective: float, change: float, before: np.ndarray, after: np.ndarray) -> None:
        self.objective.append(objective)
        self.change.append(change)
        self.set_changes.append(0 if after is before else len(np.setdiff1d(after, before, assume_unique=True)))

    def arrays(self) -> dict[str, np.ndarray]:
        return {name: np.array(values) for name, values in vars(self).items()}


def top(scores: np.ndarray, k: int) -> np.ndarray:
    """(k,) indices of the highest scores, sorted, in linear time; ties go to the lowest index.

    Unlike `ranking.rank` it measures ties by the score at the cut: outside the set (14) is smaller by many orders.

    >>> top(np.array([1.0, 3.0, 1.0, 2.0]), 3)
    array([0, 1, 3])
    """
    last = np.partition(scores, len(scores) - k)[len(scores) - k]
    tolerance = TOLERANCE * abs(last)
    inside = scores > last + tolerance
    level = np.flatnonzero((scores >= last - tolerance) & ~inside)
    inside[level[: k - np.count_nonzero(inside)]] = True
    return np.flatnonzero(inside)


def alternate(
    problem: ELCProblem, k: int, *, lambda_: float, beta: float, sign: int, whole: bool, max_iter: int, tol: float
) -> ELCSolution:
    """Algorithm 1: shrink U (9), step W (13), choose the set (14), move the multiplier V (15).

    Parameters
    ----------
    sign : of V in the shrinkage: −1 as (5) demands, +1 as (7)–(9) print it
    whole : the released program's reading: one spectral norm for the whole matrix instead of one norm per row, the
        step length made anew from V, and two iterations at least
    """
    state, history, ended = _Loop(problem, problem.first_set(k)), _History(), "limit"
    inverse_step, step = problem.radius, 0
    history.add(state.objective(lambda_), 0.0, state.chosen, state.chosen)
    # The printed sign lets the iterates grow without bound; the first that is not finite ends the loop.
    with np.errstate(over="ignore", invalid="ignore"):
        for step in range(1, max_iter + 1):
            checkpoint()
            shifted = state.W + sign * state.V / beta
            lengths = state.spectral_norm(shifted) if whole else np.linalg.norm(shifted, axis=1, keepdims=True)
            kept = np.maximum(lengths - lambda_ / beta, 0.0)
            U = np.divide(kept, lengths, out=np.zeros_like(kept), where=lengths > 0) * shifted
            W = (beta * U + state.V + inverse_step * state.W - state.gradient()) / (beta + inverse_step)
            V = state.V - beta * (W - U)
            scores = state.scores(W)
            if not np.isfinite(scores.sum() + V.sum()):
                ended = "overflow"
                break
            difference, before = W - state.W, state.chosen
            change, moved = state.frobenius_norm(difference), state.spectral_norm(difference).item() if whole else 0.0
            state.move(W, V, top(problem.per_feature(scores), k))
            objective = state.objective(lambda_)
            if not np.isfinite(objective + change):
                ended = "overflow"
                break
            history.add(objective, change, before, state.chosen)
            if whole:
                inverse_step = state.released_inverse_step()
            if (moved if whole else change) <= tol and step >= (2 if whole else 1):
                ended = "converged"
                break
    scores = _members_first(problem.alone, state.chosen)
    return ELCSolution(state.weights(), state.chosen, scores, history.arrays(), step, ended)


class _Loop:
    """The iterates of Algorithm 1.

    Columns that the set has never held all have the same row in U, V and W, because they start alike and Ω is 0 for
    them. The last row of the arrays here stands for all of these; the others belong to the columns ``held``.
    """

    def __init__(self, problem: ELCProblem, chosen: np.ndarray) -> None:
        columns, q = problem.products.shape
        self.problem = problem
        self.chosen = self.held = np.empty(0, dtype=np.intp)
        self.move(np.zeros((1, q)), np.full((1, q), 1.0 / columns), chosen)

    def move(self, W: np.ndarray, V: np.ndarray, chosen: np.ndarray) -> None:
        """Take new iterates and make these features the set."""
        self.W, self.V = W, V
        if not np.array_equal(chosen, self.chosen):
            self._choose(chosen)
        self._residual = self._members.T @ self.W[self.inside] - self.problem.target

    def _choose(self, chosen: np.ndarray) -> None:
        """A column that enters the set for the first time comes with the row that stood for it."""
        member = np.isin(self.problem.owner, chosen)
        new = np.setdiff1d(np.flatnonzero(member), self.held)
        self.W, self.V = (np.concatenate([M[:-1], np.repeat(M[-1:], len(new) + 1, axis=0)]) for M in (self.W, self.V))
        self.chosen, self.held = chosen, np.concatenate([self.held, new])
        self.inside = np.append(member[self.held], False)
        self.count = np.append(np.ones(len(self.held)), len(member) - len(self.held))
        self._products, self._pulls = self.problem.products[self.held], self.problem.pulls[self.held]
        self._squares, self._members = self.problem.squares[self.held], self._products[self.inside[:-1]]

    def gradient(self) -> np.ndarray:
        """Ω of (12): 0 outside the set."""
        gradient = np.zeros_like(self.W)
        gradient[self.inside] = self._members @ self._residual
        return gradient

    def scores(self, W: np.ndarray) -> np.ndarray:
        """(columns,) what each column takes off (14): ‖Γ*‖² − ‖Yᵀf w − Γ*‖²."""
        held, rest = W[:-1], W[-1]
        # Its numbers are all the same: it starts so, and nothing tells them apart.
        scores = 2 * rest[0] * self.problem.pull_sums - self.problem.squares * (rest @ rest)
        scores[self.held] = 2 * (self._pulls * held).sum(axis=1) - self._squares * (held * held).sum(axis=1)
        return scores

    def objective(self, lambda_: float) -> float:
        """Problem (3)."""
        length = self.count @ np.linalg.norm(self.W, axis=1)
        return 0.5 * float(np.sum(self._residual**2)) + lambda_ * float(length)

    def weights(self) -> np.ndarray:
        W = np.repeat(self.W[-1:], len(self.problem.owner), axis=0)
        W[self.held] = self.W[:-1]
        return W

    def released_inverse_step(self) -> float:
        """1/τ of the released program: the length of the column maxima of ÂᵀÂV."""
        never = self.problem.products.sum(axis=0) - self._products.sum(axis=0)
        image = self._products.T @ self.V[:-1] + np.outer(never, self.V[-1])
        return float(np.linalg.norm((self.problem.products @ image).max(axis=0)))

    def frobenius_norm(self, rows: np.ndarray) -> float:
        return float(np.sqrt(self.count @ (rows * rows).sum(axis=1)))

    def spectral_norm(self, rows: np.ndarray) -> np.ndarray:
        """(1, 1) ‖·‖₂ of the whole matrix that the rows stand for."""
        gram = (rows * self.count[:, None]).T @ rows
        largest = np.linalg.eigvalsh(gram)[-1] if np.isfinite(gram).all() else np.inf
        return np.full((1, 1), np.sqrt(max(largest, 0.0)))


def _members_first(scores: np.ndarray, members: np.ndarray) -> np.ndarray:
    """The scores, the members' lifted by the whole range where they are not the highest anyway."""
    lifted = scores.copy()
    if not np.array_equal(members, np.sort(rank(scores)[: len(members)])):
        lifted[members] += 2 * np.ptp(scores)
    return lifted


@dataclass(frozen=True)
class Reduced:
    """The problem divided by n², in the directions of label space that Â reaches.

    Attributes
    ----------
    A : (columns, r) Âᵀ/n in these directions
    G : (r, q) Γ*/n in these directions
    outside : ½‖·‖² of the rest of Γ*/n, which no W can change
    start : (r,) columns that span the directions well
    """

    A: np.ndarray
    G: np.ndarray
    outside: float
    start: np.ndarray

    @classmethod
    def of(cls, problem: ELCProblem) -> Reduced:
        scaled, target = problem.products / problem.n, problem.target / problem.n
        size, directions = np.linalg.svd(scaled, full_matrices=False)[1:]
        directions = directions[(size > RANK_TOLERANCE * size[0]) & (size > 0)].T
        A, G = scaled @ directions, directions.T @ target
        outside = 0.5 * max(float(np.sum(target**2) - np.sum(G**2)), 0.0)
        start = linalg.qr(A.T, mode="r", pivoting=True)[1][: A.shape[1]] if A.size else np.empty(0, dtype=np.intp)
        return cls(A, G, outside, start)


class _Point:
    """φ(c) = ½[tr(GᵀM⁻¹G) + Σc] with M = μI + Σ c_i a_i a_iᵀ, and what follows from it."""

    def __init__(self, problem: Reduced, mu: float, c: np.ndarray) -> None:
        on = np.flatnonzero(c)
        rows = problem.A[on]
        M = rows.T @ (c[on, None] * rows)
        M[np.diag_indices_from(M)] += mu
        self.problem, self.mu, self.c, self._factor = problem, mu, c, linalg.cho_factor(M)
        self.Z = linalg.cho_solve(self._factor, problem.G)
        self._fit = float(np.sum(self.Z * problem.G))
        self.value = 0.5 * (self._fit + float(c.sum()))

    @cached_property
    def images(self) -> np.ndarray:
        """(columns, q) a_iᵀZ: minus the gradient of the fit, over μ."""
        return self.problem.A @ self.Z

    @cached_property
    def lengths(self) -> np.ndarray:
        """(columns,) ‖a_iᵀZ‖: 1 where w_i ≠ 0 and at most 1 elsewhere, at the optimum."""
        return np.linalg.norm(self.images, axis=1)

    @property
    def weights(self) -> np.ndarray:
        """(columns, q) the best W for these c."""
        return self.c[:, None] * self.images

    def bounds(self) -> tuple[float, float]:
        """The objective of `weights`, and a lower bound from the dual problem, both over μ.

        The dual maximises ⟨Θ, G⟩ − ½‖Θ‖² over ‖a_iᵀΘ‖ ≤ μ; Θ = sμZ is feasible for s ≤ 1/max ‖a_iᵀZ‖.
        """
        square = self.mu * float(np.sum(self.Z**2))
        primal = 0.5 * square + float(self.c @ self.lengths)
        if square == 0:
            return primal, 0.0
        s = min(1.0 / float(self.lengths.max()), self._fit / square)
        return primal, s * self._fit - 0.5 * s * s * square

    def hessian(self, rows: np.ndarray) -> np.ndarray:
        A, images = self.problem.A[rows], self.images[rows]
        return (A @ linalg.cho_solve(self._factor, A.T)) * (images @ images.T)


def minimize(problem: ELCProblem, k: int, *, lambda_: float, max_iter: int, tol: float) -> ELCSolution:
    """min ½‖ÂW − Γ*‖²_F + λ‖W‖₂,₁ to a relative duality gap of tol.

    With ‖w‖ = min_{c>0} ½(‖w‖²/c + c), the best W for given c ≥ 0 is a ridge solution, and what remains is the
    smooth convex φ(c) of `_Point`, μ = λ/n². Each iteration sets c_i to ‖w_i‖ and then takes a projected Newton step
    over the rows that are not 0 and those whose gradient says that they should not be. Both lower φ, and
    φ(c) ≥ objective(W(c)) ≥ φ(‖w_i(c)‖): so the objective never rises. Beside n² the usual λ is tiny, where methods
    that know the gradient alone crawl; this takes 10 to 50 iterations.
    """
    reduced, mu, n2 = problem.reduced, lambda_ / problem.n**2, float(problem.n) ** 2
    c = np.zeros(len(problem.owner))
    if len(reduced.start):
        span = np.linalg.norm(np.linalg.solve(reduced.A[reduced.start].T, reduced.G), axis=1)
        c[reduced.start] = np.maximum(span, 1e-3 * span.mean())
    point = _Point(reduced, mu, c)
    primal, dual = point.bounds()
    weights, chosen, history, ended = point.weights, problem.first_set(k), _History(), "limit"
    history.add(n2 * (mu * primal + reduced.outside), 0.0, chosen, chosen)
    for _ in range(max_iter):
        checkpoint()
        point = _newton(_Point(reduced, mu, point.c * point.lengths))
        primal, dual = point.bounds()
        scores = _row_scores(problem, point)
        previous, weights = weights, point.weights
        before, chosen = chosen, np.sort(rank(scores)[:k])
        change = float(np.linalg.norm(weights - previous))
        history.add(n2 * (mu * primal + reduced.outside), change, before, chosen)
        if primal - dual <= tol * primal:
            ended = "converged"
            break
    gap = max(primal - dual, 0.0) / primal if primal > 0 else 0.0
    return ELCSolution(weights, chosen, scores, history.arrays(), len(history.change) - 1, ended, gap)


def _row_scores(problem: ELCProblem, point: _Point) -> np.ndarray:
    """(features,) ‖w_i‖; where it is 0, how far the gradient stays below λ, as a share of λ and negative."""
    lengths = point.lengths
    return problem.per_feature(np.where(point.c > 0, point.c * lengths, np.minimum(lengths - 1.0, 0.0)))


def _newton(point: _Point) -> _Point:
    """One projected Newton step on φ with backtracking (Bertsekas 1982); the same point where none descends."""
    c, lengths, rank = point.c, point.lengths, point.problem.A.shape[1]
    support = np.flatnonzero(c)
    outside = np.flatnonzero((c == 0) & (lengths > 1))
    outside = outside[np.argsort(-lengths[outside], kind="stable")[: max(64, 2 * rank, len(support) // 2)]]
    rows = np.concatenate([support, outside])
    if len(rows) > NEWTON_ROWS:
        rows = rows[np.argsort(-np.abs(lengths[rows] - 1), kind="stable")[:NEWTON_ROWS]]
    if not len(rows):
        return point
    gradient, hessian = 0.5 * (1 - lengths[rows] ** 2), point.hessian(rows)
    curvature = np.maximum(np.diag(hessian), np.finfo(np.float64).tiny)
    # Rows about to reach 0 go there by themselves; coupled to the others they would cut the step short.
    leaving = (c[rows] <= 1e-6 * c.max()) & (gradient > 0)
    direction = -gradient / curvature
    free = np.flatnonzero(~leaving)
    if len(free):
        system = hessian[np.ix_(free, free)]
        # Repeated columns make it singular.
        system[np.diag_indices_from(system)] += 1e-10 * (curvature[free] + curvature[free].mean())
        with contextlib.suppress(linalg.LinAlgError):  # the scaled gradient descends too
            direction[free] = -linalg.solve(system, gradient[free], assume_a="pos")
    length = 1.0
    for _ in range(40):
        moved = c.copy()
        moved[rows] = np.maximum(c[rows] + length * direction, 0.0)
        with contextlib.suppress(linalg.LinAlgError):  # some direction lost all its columns: too far
            reached = _Point(point.problem, point.mu, moved)
            if reached.value <= point.value + 1e-4 * float(gradient @ (moved[rows] - c[rows])):
                return reached
        length /= 2
    return point
