"""What the methods that minimise an objective share: history, stopping rule, and the warning at the iteration limit.

All rank features by the row norms of their coefficients W.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from mlfs.parameters import choice, integer, number
from mlfs.selectors.base import ScoreSelector
from mlfs.selectors.parts.design import PRODUCT_LIMIT, SCALINGS, Design
from mlfs.stopping import checkpoint


@dataclass(frozen=True)
class Iterate:
    """Where an iteration has come to.

    Attributes
    ----------
    coefficients : W
    objective : the value that is minimised
    watched : what the stopping rule looks at, where it is not the objective
    more : further numbers for the history
    """

    coefficients: np.ndarray
    objective: float
    watched: float | None = None
    more: Mapping[str, float] = field(default_factory=dict)

    @property
    def loss(self) -> float:
        return self.objective if self.watched is None else self.watched


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
        "standard", SCALINGS, "features to mean 0 and deviation 1, to the range from 0 to 1, or as given", prepares=True
    )
    max_iter: int = integer(500, 1, None, "iterations at most")
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
        steps = self._descend(evidence)
        step = next(steps)
        objective, change, more, settled = [step.objective], [0.0], [step.more], False
        while not settled and len(change) <= self.max_iter:
            checkpoint()
            before, step = step, next(steps)
            objective.append(step.objective)
            change.append(float(np.linalg.norm(step.coefficients - before.coefficients)))
            more.append(step.more)
            settled = self._settled(before, step, change[-1])
        if not settled:
            self._warn(before, step)
        self.coefficients_, self.n_iter_ = step.coefficients, len(change) - 1
        self.history_ = {"objective": np.array(objective), "change": np.array(change)}
        self.history_ |= {name: np.array([values[name] for values in more]) for name in step.more}
        return self._weigh(evidence)

    def _weigh(self, evidence: Design) -> np.ndarray:
        scores = evidence.per_feature(row_norms(self.coefficients_))
        weighty = np.count_nonzero(scores)
        if weighty < self.n_selected_:
            self.notes_.append(
                f"Only {weighty} of {len(scores)} features have a weight; the others are tied and follow by index."
            )
        return scores

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


def accelerated(
    start: np.ndarray,
    product: Callable[[np.ndarray], np.ndarray],
    target: np.ndarray,
    lipschitz: float,
    penalty: Callable[[np.ndarray], float],
    shrink: Callable[[np.ndarray, float], np.ndarray],
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
    lipschitz : at least the largest eigenvalue of A
    shrink : (W, t) ↦ argmin_Z ½‖Z − W‖² + t·penalty(Z)
    """
    length = 1.0 / lipschitz if lipschitz > 0 else 1.0

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


def shrink_entries(W: np.ndarray, amount: float) -> np.ndarray:
    """Each entry moved towards 0 by ``amount``, and not beyond: the proximal step of ‖W‖₁."""
    return np.sign(W) * np.maximum(np.abs(W) - amount, 0.0)
