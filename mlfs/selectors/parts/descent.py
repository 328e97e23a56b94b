"""What the methods that minimise an objective share: history, stopping rule, and the warning at the iteration limit.

All rank features by the row norms of their coefficients W.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from mlfs.parameters import choice, integer, number
from mlfs.selectors.base import ScoreSelector
from mlfs.selectors.parts.design import PRODUCT_LIMIT, SCALINGS, Design
from mlfs.selectors.ranking import rank
from mlfs.stopping import checkpoint

# Steps of one solution by conjugate gradients, and the error at which it ends before.
SOLVE_STEPS = 100
SOLVE_ACCURACY = 1e-6


@dataclass(frozen=True)
class Iterate:
    """Where an iteration has come to.

    Attributes
    ----------
    coefficients : W
    objective : the value that is minimised
    watched : what the stopping rule looks at, where it is not the objective
    more : further numbers for the history
    factors : other unknowns, under the names of the fitted attributes that keep them
    """

    coefficients: np.ndarray
    objective: float
    watched: float | None = None
    more: Mapping[str, float] = field(default_factory=dict)
    factors: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def loss(self) -> float:
        return self.objective if self.watched is None else self.watched


@dataclass(frozen=True)
class Descent:
    """An iteration from its start to its end: the last two iterates, the history, and whether it came to rest."""

    before: Iterate
    last: Iterate
    history: dict[str, np.ndarray]
    settled: bool


class DescentSelector(ScoreSelector):
    """Methods that minimise an objective over coefficients W, one row per feature.

    The iteration stops when the objective falls by at most ``tol`` of its value while W moves by at most √tol of its
    length: with momentum the objective can pause where W does not.

    Attributes
    ----------
    coefficients_ : (d, q) or (d, n_latent) float array
        W; a categorical feature has one row per category, in the place of the feature.
    n_iter_ : int
    history_ : dict of (n_iter_ + 1,) arrays
        "objective" at the start and after each iteration; "change", the length ‖ΔW‖ of each step, 0 at the start.
    """

    family = "regression with sparsity"

    scaling: str = choice(
        "standard",
        SCALINGS,
        "features scaled to mean 0 and deviation 1, scaled to the range from 0 to 1, or as given",
        prepares=True,
    )
    max_iter: int = integer(500, 1, None, "maximum number of iterations")
    tol: float = number(1e-6, 0.0, 1.0, "the iteration stops when it lowers the objective by this share or less")

    def _evidence(self, X: Any, Y: np.ndarray) -> Design:
        return Design(X, Y, scaling=self.scaling, categorical=self.categorical_features)

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """XᵀX, where it is worth keeping."""
        n, d = sizes["instances"], sizes["features"]
        return min(8 * d * d, PRODUCT_LIMIT) if d <= n else 0

    @abstractmethod
    def _descend(self, evidence: Design) -> Iterator[Iterate]:
        """Yield the start, then where each iteration has come to, for ever."""

    def _score(self, evidence: Design) -> np.ndarray:
        descent = self._best(evidence)
        if not descent.settled:
            self._warn(descent.before, descent.last)
        self.coefficients_, self.history_ = descent.last.coefficients, descent.history
        self.n_iter_ = len(descent.history["change"]) - 1
        for name, factor in descent.last.factors.items():
            setattr(self, name, factor)
        return self._weigh(evidence)

    def _best(self, evidence: Design) -> Descent:
        return self._follow(self._descend(evidence))

    def _follow(self, steps: Iterator[Iterate]) -> Descent:
        step = next(steps)
        objective, change, more, settled = [step.objective], [0.0], [step.more], False
        while not settled and len(change) <= self.max_iter:
            checkpoint()
            before, step = step, next(steps)
            objective.append(step.objective)
            change.append(float(np.linalg.norm(step.coefficients - before.coefficients)))
            more.append(step.more)
            settled = self._settled(before, step, change[-1])
        history = {"objective": np.array(objective), "change": np.array(change)}
        history |= {name: np.array([values[name] for values in more]) for name in step.more}
        return Descent(before, step, history, settled)

    def _weigh(self, evidence: Design) -> np.ndarray:
        scores = evidence.per_feature(self._weights())
        weighty = np.count_nonzero(scores)
        if weighty < self.n_selected_:
            self.notes_.append(f"Only {weighty} of {len(scores)} features have a weight; {self._order_of_the_rest}.")
        return scores

    _order_of_the_rest = "the others are tied and follow by index"

    def _weights(self) -> np.ndarray:
        """(columns,) what each column scores."""
        return row_norms(self.coefficients_)

    def _settled(self, before: Iterate, after: Iterate, change: float) -> bool:
        still = change <= np.sqrt(self.tol) * float(np.linalg.norm(after.coefficients))
        return still and before.loss - after.loss <= self.tol * abs(after.loss)

    def _warn(self, before: Iterate, after: Iterate) -> None:
        fall = (before.objective - after.objective) / max(abs(after.objective), np.finfo(float).tiny)
        self._tell(
            f"{self.id} stopped at the limit of {self.max_iter} iterations, the last of which changed the objective "
            f"by {abs(fall):.1e} of its value: {self._remedy()}."
        )

    def _tell(self, sentence: str) -> None:
        """Warn, and keep the words for the app, which shows no warnings."""
        self.notes_.append(sentence)
        warnings.warn(sentence, ConvergenceWarning, stacklevel=2)

    def _remedy(self) -> str:
        return f"raise max_iter, or tol from {self.tol:g}"


class SparseDescentSelector(DescentSelector):
    """Methods whose rows of W may be exactly 0: those features rank last, by their gradient, then by index."""

    _order_of_the_rest = "the others follow by the size of their gradient, then by index"

    @abstractmethod
    def _steepness(self, evidence: Design) -> np.ndarray:
        """(columns,) how steeply the objective, but for its penalty, falls as a row of W leaves 0."""

    def _rank(self, evidence: Design) -> tuple[np.ndarray, np.ndarray]:
        scores, ranking = super()._rank(evidence)
        nothing = scores == 0
        if nothing.any():
            steepness = evidence.per_feature(self._steepness(evidence))
            ranking = np.concatenate([ranking[~nothing[ranking]], rank(np.where(nothing, steepness, np.nan))])
        return scores, ranking


class CenteredSelector(SparseDescentSelector):
    """Convex methods that regress on centred features as they are given, so that W is 0 from some weight on."""

    scaling: str = choice("none", SCALINGS, "features as given, or scaled first", prepares=True)

    def _evidence(self, X: Any, Y: np.ndarray) -> Design:
        return Design(X, Y, scaling=self.scaling, categorical=self.categorical_features, center=True)

    def _tell_if_nothing_is_left(self, name: str, value: float, most: float) -> None:
        if value >= most:
            self.notes_.append(
                f"With {name}={value:g} every coefficient is 0, as from {name}={most:.6g} on: the ranking is that of "
                "the gradient. Choose a smaller value."
            )


class RestartedSelector(SparseDescentSelector):
    """Methods whose objective has several local minima: the lowest that ``n_init`` starts lead to counts.

    The first start is the method's own, the same for every seed; the others are random.
    """

    n_init: int = integer(1, 1, None, "number of starts; the one with the lowest objective at the end counts")
    random_state: int = integer(0, 0, None, "seed of all starts but the first")

    @abstractmethod
    def _descend(self, evidence: Design, rng: np.random.Generator | None = None) -> Iterator[Iterate]:
        """Without ``rng`` from the method's own start, else from a random one."""

    def _best(self, evidence: Design) -> Descent:
        starts = [None, *(np.random.default_rng([self.random_state, i]) for i in range(1, self.n_init))]
        descents = [self._follow(self._descend(evidence, rng)) for rng in starts]
        ends = np.array([descent.last.objective for descent in descents])
        if self.n_init > 1:
            self.notes_.append(
                f"{self.n_init} starts ended with objectives from {ends.min():.6g} to {ends.max():.6g}; "
                f"number {ends.argmin() + 1}, the lowest, counts."
            )
        return descents[int(ends.argmin())]


def regression_steps(
    evidence: Design, start: np.ndarray, target: np.ndarray, weight: float
) -> Iterator[tuple[np.ndarray, float, np.ndarray]]:
    """Steps towards min ‖XW−V‖² + weight·‖W‖₂,₁, where ``target`` is XᵀV.

    Yields W, half the objective without the constant ½‖V‖², and half the gradient of its smooth part.
    """
    half = 0.5 * weight
    return accelerated(
        start=start,
        product=evidence.normal,
        target=target,
        # Lanczos comes to the largest eigenvalue from below.
        lipschitz=evidence.largest * (1 + 1e-9),
        penalty=lambda W: half * float(row_norms(W).sum()),
        shrink=lambda W, length: shrink_rows(W, length * half),
    )


def regress(
    evidence: Design, start: np.ndarray, target: np.ndarray, weight: float, enough: float, limit: int
) -> np.ndarray:
    """W of `regression_steps` after ``limit`` of them, or as soon as one gains no more than ``enough``."""
    steps = regression_steps(evidence, start, target, weight)
    W, value, _ = next(steps)
    for new, lower, _ in islice(steps, limit):
        W, fall, value = new, value - lower, lower
        if fall <= enough:
            break
    return W


def conjugate_gradients(diagonal: np.ndarray, S: Any, right: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Solve diagonal_j ∘ v_j − S v_j = right_j for each column j, preconditioned by the diagonal.

    Every step lowers ½⟨v, Av⟩ − ⟨right, v⟩, wherever the last one ends.
    """
    V = start
    residual = right - (diagonal * V - S @ V)
    direction = scaled = residual / diagonal
    size = np.einsum("ij,ij->j", residual, scaled)
    enough = SOLVE_ACCURACY**2 * np.einsum("ij,ij->j", right, right / diagonal)
    for _ in range(SOLVE_STEPS):
        going = size > enough
        if not going.any():
            break
        image = diagonal * direction - S @ direction
        curvature = np.einsum("ij,ij->j", direction, image)
        length = np.divide(size, curvature, out=np.zeros_like(size), where=going & (curvature > 0))
        V = V + direction * length
        residual = residual - image * length
        scaled = residual / diagonal
        before, size = size, np.einsum("ij,ij->j", residual, scaled)
        direction = scaled + direction * np.divide(size, before, out=np.zeros_like(size), where=going)
    return V


def accelerated(
    start: np.ndarray,
    product: Callable[[np.ndarray], np.ndarray],
    target: np.ndarray,
    lipschitz: float | np.ndarray,
    penalty: Callable[[np.ndarray], float],
    shrink: Callable[[np.ndarray, Any], np.ndarray],
    monotone: bool = True,
) -> Iterator[tuple[np.ndarray, float, np.ndarray]]:
    """Minimise ½⟨W, A(W)⟩ − ⟨C, W⟩ + penalty(W) by accelerated proximal gradient steps (Beck & Teboulle 2009).

    Yields W, the value and the gradient A(W) − C, first of the start. The plain method's value is not monotone; with
    ``monotone`` a step that would raise it is replaced by one without momentum, which cannot (O'Donoghue & Candès
    2015), and the momentum starts anew.

    Parameters
    ----------
    product : W ↦ A(W), linear and symmetric; called once per iteration, twice where a step is replaced
    target : C
    lipschitz : at least the largest eigenvalue of A; or (d, 1) one number per row, whose diagonal matrix minus A has
        no negative eigenvalue: rows of small curvature then make longer steps
    shrink : (W, t) ↦ argmin_Z ½‖Z − W‖² + t·penalty(Z), t one length or one per row
    """
    lipschitz = np.asarray(lipschitz, dtype=np.float64)
    length = np.divide(1.0, lipschitz, out=np.ones_like(lipschitz), where=lipschitz > 0)

    def value(W: np.ndarray, image: np.ndarray) -> float:
        return float(0.5 * np.vdot(W, image) - np.vdot(target, W) + penalty(W))

    def advance(W: np.ndarray, image: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        new = shrink(W - length * (image - target), length)
        image = product(new)
        return new, image, value(new, image)

    W, image = start, product(start)
    here = value(W, image)
    before, image_before, weight, momentum = W, image, 1.0, 0.0
    while True:
        yield W, here, image - target
        # A is linear, so its image of the extrapolated point needs no product.
        new, new_image, there = advance(W + momentum * (W - before), image + momentum * (image - image_before))
        if monotone and there > here:
            weight = 1.0
            new, new_image, there = advance(W, image)
            if there > here:
                # Only rounding can do that: nothing is left to gain.
                new, new_image, there = W, image, here
        before, image_before = W, image
        W, image, here = new, new_image, there
        later = (1.0 + np.sqrt(1.0 + 4.0 * weight * weight)) / 2.0
        weight, momentum = later, (weight - 1.0) / later


def row_norms(W: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("ij,ij->i", W, W))


def shrink_rows(W: np.ndarray, amount: float) -> np.ndarray:
    """Each row shortened by ``amount``, or 0 where it is no longer than that: the proximal step of ‖W‖₂,₁."""
    norm = row_norms(W)
    kept = np.divide(norm - amount, norm, out=np.zeros_like(norm), where=norm > amount)
    return W * kept[:, None]


def shrink_entries(W: np.ndarray, amount: float | np.ndarray) -> np.ndarray:
    """Each entry moved towards 0 by ``amount``, and not beyond: the proximal step of ‖W‖₁."""
    return W - np.clip(W, -amount, amount)
