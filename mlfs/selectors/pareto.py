"""Features as competitors: one beats another in a label where it tells strictly more (Zhou & Guo 2023).

Who beats whom in how many labels does not depend on α. It is counted once, as d × (q + 1) numbers, never as the
d × d table itself; every α is then a threshold on these counts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from numbers import Integral

import numpy as np

from mlfs.blocks import each, ranges
from mlfs.errors import ParameterError
from mlfs.parameters import number
from mlfs.selectors.base import InformationScore
from mlfs.selectors.evidence import Information

# SU lies in [0, 1] and is known to some 1e-14. `ranking.TOLERANCE` would be too wide: tens of thousands of features
# that crowd near 0 would melt into one level, each equal to its neighbour.
ROUNDING = 1e-12

# Features compared at a time: their counts stay in the cache of one core.
ROWS, COLUMNS = 16, 8192


class Dominance:
    """How the features compare label by label.

    Attributes
    ----------
    levels : (q, d) int array
        The features' places in each label, equal where SU differs only by rounding; more is better.
    mean : (d,) float array
        Mean SU over the labels.
    """

    def __init__(self, uncertainty: np.ndarray, n_jobs: int | None = None) -> None:
        self.levels = levels_of(uncertainty.T)
        self.mean = uncertainty.mean(axis=1)
        self.n_jobs = n_jobs

    @cached_property
    def beaten(self) -> np.ndarray:
        """(d, q + 1): by how many other features each feature is beaten strictly in exactly w = 0 … q labels.

        d²·q comparisons of small whole numbers, about 0.3 ns each: 0.2 s for 1,836 features and 159 labels, 16 s for
        49,060 and 22 (one core).
        """
        q, d = self.levels.shape
        result = np.zeros((d, q + 1), dtype=np.int32)

        def fill(rows: tuple[int, int]) -> None:
            first, last = rows
            for low, high in ranges(d, COLUMNS):
                wins = np.zeros((last - first, high - low), dtype=np.uint8 if q < 256 else np.uint16)
                wins_here = np.empty(wins.shape, dtype=bool)
                for level in self.levels:
                    np.greater(level[low:high], level[first:last, None], out=wins_here)
                    wins += wins_here.view(np.uint8)
                cell = wins.astype(np.intp)
                cell += np.arange(last - first)[:, None] * (q + 1)
                result[first:last] += np.bincount(cell.ravel(), minlength=(last - first) * (q + 1)).reshape(-1, q + 1)

        each(fill, list(ranges(d, ROWS)), self.n_jobs)
        # No feature is its own rival.
        result[:, 0] -= 1
        return result

    @cached_property
    def most_beaten(self) -> np.ndarray:
        """(d,) the largest number of labels in which one other feature beats each feature; decides every set."""
        by_any = self.beaten > 0
        return np.where(by_any.any(axis=1), by_any.shape[1] - 1 - by_any[:, ::-1].argmax(axis=1), 0)

    def dominators(self, needed: int) -> np.ndarray:
        """(d,) how many features beat each feature in at least `needed` labels."""
        return self.beaten[:, needed:].sum(axis=1)

    def strongest_rival(self, feature: int) -> tuple[int, np.ndarray]:
        """The other feature that beats this one in most labels, and (q,) bool: in which; the first of equal ones."""
        better = self.levels > self.levels[:, [feature]]
        won = better.sum(axis=0)
        won[feature] = -1
        rival = int(won.argmax())
        return rival, better[:, rival]


class ParetoSelector(InformationScore):
    """Methods that keep the features nobody dominates.

    They select sets: ``n_selected_`` is the size of the set, whatever ``n_features_to_select`` says, and ``ranking_``
    orders all features, the set first: fewest dominators, then highest mean SU. A score is minus the number of
    dominators plus the share of features with a lower mean SU, so it is negative exactly outside the set.

    Attributes
    ----------
    dominators_ : (d,) int array
        How many features dominate each feature.
    """

    family = "Pareto"
    selects_sets = True

    @abstractmethod
    def _needed(self, q: int) -> int:
        """In how many of q labels a feature must be strictly better to dominate another."""

    def _score(self, evidence: Information) -> np.ndarray:
        compared = dominance(evidence)
        self.dominators_ = compared.dominators(self._needed(evidence.sizes["labels"]))
        self.n_selected_ = int((self.dominators_ == 0).sum())
        if self.n_features_to_select is not None and self.n_features_to_select != self.n_selected_:
            self.notes_.append(
                f"{self.name} selects a set of {self.n_selected_} features; n_features_to_select="
                f"{self.n_features_to_select} does not change it, but the ranking orders all features."
            )
        if self.n_selected_ == 0:
            self.notes_.append(
                "Every feature is dominated by another, for approximate dominance may run in a circle: nothing is "
                "selected. A larger alpha keeps more features."
            )
        place = levels_of(compared.mean[None, :])[0]
        lower = np.searchsorted(np.sort(place), place)
        return lower / len(place) - self.dominators_


class MAPD(ParetoSelector):
    r"""Feature selection by approximate Pareto dominance (Zhou & Guo 2023, Definitions 3 and 4, Algorithm 1).

    Feature j dominates feature i where Σ_p δ(SU_p(j) > SU_p(i)) > α·q; the features that none dominates are selected.
    A smaller α selects fewer, down to none; above (q − 1)/q it is Pareto dominance itself (`ParFS`). The default
    α = 0.6 is the value the paper's experiments favour (Tables II and III).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = np.column_stack([Y[:, 0], Y[:, 1], np.arange(20) % 5 == 0])
    >>> MAPD(alpha=0.9).fit(X, Y).dominators_
    array([0, 0, 0])
    >>> MAPD(alpha=0.9).fit(np.column_stack([X, Y[:, 0] + 2 * Y[:, 1]]), Y).dominators_
    array([0, 0, 1, 0])
    """

    id = "mapd"
    name = "MAPD"
    long_name = "approximate Pareto dominance"
    summary = (
        "Keeps the features that no other feature beats in more than the share α of the labels, by symmetrical "
        "uncertainty. α decides how many these are: the smaller α, the fewer."
    )
    formula = r"S=\Bigl\{f_i:\nexists\,j\ne i,\ \sum_{p=1}^{q}\delta\bigl(SU_p(f_j)>SU_p(f_i)\bigr)>\alpha q\Bigr\}"
    paper = "Zhou & Guo, A Multi-label Filter Feature Selection Method Based on Approximate Pareto Dominance, 2023"
    cost = "n·d·q for the counts (less where data are sparse), then d²·q fast comparisons once; every α is free"

    alpha: float = number(
        0.6, 0.5, 1, "α: the share of labels in which a feature must be strictly better to dominate", open_ends=True
    )

    def _needed(self, q: int) -> int:
        return wins_needed(self.alpha, q)


class ParFS(ParetoSelector):
    """The Pareto front of the features: those that no other feature beats strictly in all labels (Definition 2).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = np.column_stack([Y[:, 0], Y[:, 1], np.arange(20) % 5 == 0, Y[:, 0] + 2 * Y[:, 1]])
    >>> ParFS().fit(X, Y).get_support(indices=True)  # the third tells less of both labels than the last
    array([0, 1, 3])
    """

    id = "parfs"
    name = "ParFS"
    long_name = "Pareto dominance"
    summary = (
        "Keeps the features that no other feature beats in every label, by symmetrical uncertainty. With many labels "
        "hardly any feature is beaten in all of them, so hardly any is left out."
    )
    formula = r"S=\{f_i:\nexists\,j\ne i\ \forall p:\ SU_p(f_j)>SU_p(f_i)\}"
    paper = (
        "Kashef & Nezamabadi-pour, A label-specific multi-label feature selection algorithm based on the Pareto "
        "dominance concept, 2019, as Zhou & Guo compare it"
    )
    cost = "n·d·q for the counts (less where data are sparse), then d²·q fast comparisons once"

    def _needed(self, q: int) -> int:
        return q


def dominance(evidence: Information) -> Dominance:
    """The comparison of all features, made when first asked for and kept in the evidence."""
    return evidence.once(
        "dominance", lambda: Dominance(evidence.tables.symmetrical_uncertainty, n_jobs=evidence.n_jobs)
    )


def wins_needed(alpha: float, q: int) -> int:
    """The smallest whole number above α·q; never more than q, for α is less than 1.

    >>> wins_needed(0.6, 5), wins_needed(0.57, 100), wins_needed(1 - 1e-12, 6)
    (4, 58, 6)
    """
    # 0.57 · 100 is 56.99… in floating point: without the margin 57 would count as more.
    return min(int(alpha * q + 1e-9) + 1, q)


def selected_against_alpha(evidence: Information) -> tuple[np.ndarray, np.ndarray]:
    """The number of features MAPD selects for every α: (alphas, counts).

    ``counts[i]`` holds from ``alphas[i]`` up to, not including, ``alphas[i + 1]``; the first step begins just above
    0.5 and the last point only closes the curve at 1. Counts never fall as α grows.
    """
    q = evidence.sizes["labels"]
    needed = np.arange(q // 2 + 1, q + 1)
    counts = (dominance(evidence).most_beaten[None, :] < needed[:, None]).sum(axis=1)
    starts = np.maximum((needed - 1) / q, 0.5)
    return np.append(starts, 1.0), np.append(counts, counts[-1])


def dominators_of(evidence: Information, feature: int, alpha: float) -> np.ndarray:
    """Indices of the features that dominate the given one in more than α·q labels."""
    MAPD.parameters["alpha"].check(alpha, evidence.sizes)
    _check_indices([feature], evidence.sizes["features"], "feature")
    levels = dominance(evidence).levels
    wins = (levels > levels[:, [feature]]).sum(axis=0)
    return np.flatnonzero(wins >= wins_needed(alpha, len(levels)))


def front(evidence: Information, labels: Sequence[int]) -> np.ndarray:
    """(d,) whether each feature is on the Pareto front of the chosen labels: none beats it strictly in all of them.

    Strict dominance is transitive, so each feature need only be compared with the front found so far, in the order
    of the sum of levels: the front of a few labels is small, and this takes milliseconds.
    """
    _check_indices(labels, evidence.sizes["labels"], "label")
    if len(labels) == 0:
        raise ParameterError("Choose at least one label: without any there is nothing to compare features by.")
    levels = dominance(evidence).levels[np.asarray(labels)]
    order = np.argsort(-levels.sum(axis=0, dtype=np.int64), kind="stable")
    undominated = np.zeros(0, dtype=np.intp)
    for low, high in ranges(len(order), 256):
        rest = order[low:high]
        for rivals in (undominated, None):
            rest = rest[~_beaten_everywhere(levels[:, rest], levels[:, rest if rivals is None else rivals])]
        undominated = np.append(undominated, rest)
    member = np.zeros(len(order), dtype=bool)
    member[undominated] = True
    return member


def _beaten_everywhere(levels: np.ndarray, rivals: np.ndarray) -> np.ndarray:
    """(features,) whether one rival is better in every row."""
    beaten = np.ones((levels.shape[1], rivals.shape[1]), dtype=bool)
    for mine, theirs in zip(levels, rivals, strict=True):
        beaten &= theirs > mine[:, None]
    return np.asarray(beaten.any(axis=1))


def levels_of(values: np.ndarray) -> np.ndarray:
    """(m, d) whole numbers that order each row as its values do; values that differ only by rounding get the same."""
    order = np.argsort(values, axis=1, kind="stable")
    ascending = np.take_along_axis(values, order, axis=1)
    step = np.zeros(values.shape, dtype=np.uint16 if values.shape[1] <= 1 << 16 else np.uint32)
    np.cumsum(np.diff(ascending, axis=1) > ROUNDING, axis=1, out=step[:, 1:])
    result = np.empty_like(step)
    np.put_along_axis(result, order, step, axis=1)
    return result


def _check_indices(chosen: Sequence[int], size: int, what: str) -> None:
    for index in chosen:
        if not isinstance(index, Integral) or not 0 <= index < size:
            raise ParameterError(f"A {what} must be a whole number from 0 to {size - 1}, not {index!r}.")
