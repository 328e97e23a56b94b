"""MICO: feature weights on the simplex, relevance against redundancy, by one convex programme (Sun et al. 2019)."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.exceptions import ConvergenceWarning

from mlfs.parameters import integer, weight
from mlfs.selectors.base import InformationScore
from mlfs.selectors.evidence import Information
from mlfs.selectors.parts.simplex import RIDGE, Point, Quadratic, descend
from mlfs.stopping import checkpoint

# The programme counts as solved where no weights can be better by more than this share of its largest coefficients.
TOLERANCE = 1e-9


class MICO(InformationScore):
    r"""Mutual information and constrained convex optimization (Sun et al., Neurocomputing 2019).

    min_x (w/2)·xᵀGx − Σ_i Rel(f_i)·x_i subject to x ≥ 0 and Σx = 1, with G_ij = M(f_i;f_j) and Rel(f) = Σ_l M(f;l).

    This is our reading: relevance and redundancy as GRRO's authors compare with it, as one convex programme. Mutual
    information does not always make G positive semidefinite; where its least eigenvalue is negative, its size is added
    to the diagonal, the least change (in the spectral norm) that makes the programme convex, and `notes_` says so.

    Features with a weight come first, in the order of x. The others follow by their gradient, nearest to entering
    first. `scores_` says both: x where it is positive, else minus the excess of the gradient over its least value, in
    units of the largest excess, so between −1 and 0. Features that carry the same information get the same weight.

    Attributes
    ----------
    weights_ : (d,) float array
        x.
    n_iter_ : int
    history_ : dict of (n_iter_ + 1,) arrays
        "objective" at the start and after each step, it never rises; "change", the length of each step, 0 at the
        start; "gap", a bound on what the objective is above its minimum.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2, 1]]])
    >>> sorted(MICO().fit(X, Y).ranking_[:2].tolist())
    [3, 4]
    """

    id = "mico"
    name = "MICO"
    long_name = "constrained convex optimisation"
    summary = (
        "Spreads a weight of 1 over the features so that relevance to the labels is high and mutual information among "
        "the weighted features low. A small redundancy weight puts all on the most relevant feature, a large one "
        "spreads it over features that share little, informative or not."
    )
    formula = (
        r"\min_x \tfrac w2\,x^\top Gx-\sum_i x_i\sum_l M(f_i;l)\quad\text{s.t.}\quad x\ge 0,\ \textstyle\sum_i x_i=1"
    )
    paper = (
        "Sun et al., Mutual information based multi-label feature selection via constrained convex optimization, 2019"
    )
    cost = "n·d² for the counts (less where data are sparse), d³ once, then s³ for s weighted features a step"

    redundancy_weight: float = weight(1.0, "w: weight of the redundancy among features", decades=3)
    max_iter: int = integer(500, 1, None, "maximum number of steps")

    def prepare(self, X: Any, Y: Any) -> Information:
        evidence = super().prepare(X, Y)
        self._shift(evidence)
        return evidence

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """G, a copy to factor or the rows that weighted features need, and their system."""
        return 24 * sizes["features"] ** 2

    def _shift(self, evidence: Information) -> float:
        return evidence.once("mico_shift", lambda: convexity_shift(evidence.feature_information))

    def _score(self, evidence: Information) -> np.ndarray:
        G, shift = evidence.feature_information, self._shift(evidence)
        if shift > 0:
            self.notes_.append(
                f"The mutual information of the features is not positive semidefinite (least eigenvalue {-shift:.2g}): "
                f"{shift:.2g} was added to its diagonal, so that the programme is convex."
            )
        problem = Quadratic(G, self.redundancy_weight, shift, evidence.relevance)
        point = self._solve(problem)
        self.weights_ = share_evenly(point.x, G)
        excess = point.gradient - point.gradient.min()
        return np.where(self.weights_ > 0, self.weights_, -excess / max(excess.max(), np.finfo(float).tiny))

    def _solve(self, problem: Quadratic) -> Point:
        alone = 0.5 * problem.weight * (np.diag(problem.G) + problem.shift) - problem.linear
        best = (alone == alone.min()).astype(float)
        steps = descend(problem, best / best.sum())
        enough = TOLERANCE * (problem.linear.max() + problem.weight * (np.diag(problem.G).max() + problem.shift))
        point = next(steps)
        objective, change, gap = [point.value], [0.0], [point.gap]
        while gap[-1] > enough and len(change) <= self.max_iter:
            checkpoint()
            before, point = point, next(steps)
            objective.append(point.value)
            change.append(float(np.linalg.norm(point.x - before.x)))
            gap.append(point.gap)
        if gap[-1] > enough:
            sentence = (
                f"mico stopped at the limit of {self.max_iter} steps, its objective {point.value:.6g} at most "
                f"{gap[-1]:.1e} above the minimum: raise max_iter."
            )
            self.notes_.append(sentence)
            warnings.warn(sentence, ConvergenceWarning, stacklevel=2)
        self.n_iter_ = len(change) - 1
        self.history_ = {"objective": np.array(objective), "change": np.array(change), "gap": np.array(gap)}
        return point


def convexity_shift(G: np.ndarray) -> float:
    """What must be added to the diagonal of G to make it positive semidefinite, 0 where it is (but for rounding)."""
    trial = G.T.copy(order="F")
    trial[np.diag_indices(len(G))] += 0.5 * RIDGE * G.sum(axis=1).max() + np.finfo(float).tiny
    try:
        linalg.cholesky(trial, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        least = linalg.eigvalsh(G, subset_by_index=[0, 0], check_finite=False)[0]
        return max(0.0, -float(least))
    return 0.0


def share_evenly(x: np.ndarray, G: np.ndarray) -> np.ndarray:
    """The same weights, but equal among features with the same information, whose sum is all that matters."""
    weighty = np.flatnonzero(x)
    entropies = np.diag(G)
    bound = np.maximum.outer(entropies[weighty], entropies)
    same = G[weighty] >= bound - 1e-12 * entropies.max()
    return (x[weighty] / same.sum(axis=1)) @ same
