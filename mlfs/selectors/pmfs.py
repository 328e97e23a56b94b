"""PMFS: fronts of features under two objectives, size and difference of ridge coefficients (Hashemi et al. 2021)."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from mlfs.selectors.pareto import levels_of
from mlfs.selectors.parts.distances import Distances
from mlfs.selectors.parts.ridge import RidgeDesign, RidgeSelector


class PMFS(RidgeSelector):
    r"""Non-dominated sorting of features by two objectives on W = (XᵀX + λI)⁻¹XᵀY.

    To be minimised: max W − max_l W_il, how far a feature's best coefficient is from the best of all; and
    −Σ_j‖w_i−w_j‖, minus how much it differs from the others. The features that none dominates are front 1, those that
    only these dominate front 2, and so on. In a front those come first that stand alone (crowding distance: the gaps
    to both neighbours as shares of the front's range, summed over the objectives, ∞ at the ends). Features with equal
    objectives share one place. A score is −(front + 1/(1 + crowding)); constant features come after all others.

    Attributes
    ----------
    fronts_ : (d,) int array
        The number of each feature's front, from 1; 0 for constant features.
    objectives_ : (d, 2) float array
        Both objectives, NaN for constant features. Of these, too, a categorical feature has one per category.
    first_front_ : int array
        The features of the first front, best first.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> PMFS(lambda_=0.1).fit(X, Y).fronts_.tolist()
    [3, 2, 2, 1]
    """

    id = "pmfs"
    name = "PMFS"
    long_name = "Pareto fronts of two objectives"
    family = "Pareto"
    summary = (
        "Regresses the labels on the features and lets features compete by two objectives: a large coefficient for "
        "some label, and coefficients unlike those of other features. Those that no other beats in both come first, "
        "then those that only they beat."
    )
    formula = (
        r"\min\Bigl(\max W-\max_l W_{il},\ -\sum_j\|w_i-w_j\|_2\Bigr),\quad "
        r"\text{front}_i+\frac1{1+\text{crowding}_i},\quad W=(X^\top X+\lambda I)^{-1}X^\top Y"
    )
    paper = (
        "Hashemi, Dowlatshahi & Nezamabadi-pour, An efficient Pareto-based feature selection algorithm for "
        "multi-label classification, Information Sciences 2021"
    )
    #: What the axes of a figure call the objectives.
    objective_titles = ("Best coefficient, below the best of all", "Minus the distances from all others")
    cost = "n·d·min(n, d) + min(n, d)³ once (less where data are sparse), then d²·q for each λ"

    def _score(self, evidence: RidgeDesign) -> np.ndarray:
        self.fronts_ = np.zeros(len(evidence.varies), dtype=np.intp)
        self.objectives_ = np.full((len(evidence.varies), 2), np.nan)
        return super()._score(evidence)

    def _rank(self, evidence: RidgeDesign) -> tuple[np.ndarray, np.ndarray]:
        scores, ranking = super()._rank(evidence)
        first = evidence.per_feature((self.fronts_ == 1).astype(np.float64)) > 0
        self.first_front_ = ranking[first[ranking]]
        return scores, ranking

    def _score_varying(self, coefficients: np.ndarray, evidence: RidgeDesign) -> tuple[np.ndarray, float]:
        best = coefficients.max(axis=1)
        objectives = np.column_stack([best.max() - best, -Distances(coefficients).sums()])
        fronts, crowding = non_dominated_sort(objectives)
        self.fronts_[evidence.varies], self.objectives_[evidence.varies] = fronts, objectives
        return -(fronts + 1.0 / (1.0 + crowding)), -(fronts.max() + 2.0)


def non_dominated_sort(objectives: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(d,) the front of each point under two objectives to be minimised, from 1, and its crowding distance in it.

    A point dominates another where it is at least as good in both objectives and better in one. Equal points are one
    point. d·log d comparisons.

    >>> fronts, crowding = non_dominated_sort(np.array([[0, 3], [1, 1], [3, 0], [2, 2], [1, 1.0]]))
    >>> fronts, crowding
    (array([1, 1, 1, 2, 1]), array([inf,  2., inf, inf,  2.]))
    """
    span = np.ptp(objectives, axis=0)
    levels = levels_of((objectives / np.where(span > 0, span, 1.0)).T).T
    distinct, first, place = np.unique(levels, axis=0, return_index=True, return_inverse=True)
    front = np.zeros(len(distinct), dtype=np.intp)
    # In the order of the first objective a front dominates a point where the least second objective in it does.
    least: list[int] = []
    for point, second in enumerate(distinct[:, 1].tolist()):
        front[point] = bisect_right(least, second)
        least[front[point] : front[point] + 1] = [second]
    values, crowding = objectives[first], np.full(len(distinct), np.inf)
    for number in range(len(least)):
        members = np.flatnonzero(front == number)
        inner, reach = members[1:-1], np.ptp(values[members], axis=0)
        if len(inner):
            crowding[inner] = (np.abs(values[members[2:]] - values[members[:-2]]) / reach).sum(axis=1)
    place = place.ravel()
    return front[place] + 1, crowding[place]
