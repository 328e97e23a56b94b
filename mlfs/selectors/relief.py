"""Relief: a feature is good where it tells near rows apart that carry other labels, and not those that share one.

The weights of Kononenko's ReliefF are sums of |x_if − x_jf| over pairs of neighbours, each pair with a coefficient.
Rows are taken in blocks: distances to all rows, the nearest rows of each group at one stroke, their coefficients as
a table rows × n, and then the sums of differences for all features at once (`Differences`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.blocks import each, ranges
from mlfs.information import group, labelset
from mlfs.parameters import integer
from mlfs.selectors.base import ScoreSelector
from mlfs.selectors.evidence import Evidence
from mlfs.selectors.parts.differences import Differences
from mlfs.selectors.ppt import Pruned

# Numbers a table of one block may hold, 8 MiB; a block has some ten of them.
BLOCK_CELLS = 1 << 20
# Distances that differ by less than 2^-24 are a tie, and the lower row is nearer.
TIE_BITS = 24


class Neighbourhood(Evidence):
    """The rows' differences, feature by feature, and their labels."""

    def __init__(self, X: Any, Y: np.ndarray, *, categorical: Any = ()) -> None:
        super().__init__(X, Y)
        self.differences = Differences(X, categorical)

    @cached_property
    def labelset(self) -> np.ndarray:
        return labelset(self.Y)


class ReliefSelector(ScoreSelector):
    """What the Relief methods share."""

    family = "Relief"

    n_neighbors: int = integer(10, 1, None, "k: nearest hits and misses of a row, or all where there are fewer")

    def _evidence(self, X: Any, Y: np.ndarray) -> Neighbourhood:
        return Neighbourhood(X, Y, categorical=self.categorical_features)

    def _weights(self, evidence: Neighbourhood, groups: Any, rows: np.ndarray, *setting: Any) -> np.ndarray:
        """Relief weights, kept for this setting; a note where no row has both hits and misses."""
        weights, used = evidence.once(
            (self.id, self.n_neighbors, *setting),
            lambda: relief_weights(evidence.differences, groups, rows, self.n_neighbors, n_jobs=self.n_jobs),
        )
        if not used:
            self.notes_.append(
                f"No row has both a neighbour that shares its label and one with another, so {self.name} scores every "
                "feature 0."
            )
        return weights


class ReliefFML(ReliefSelector):
    r"""ReliefF for labelsets, hits and misses per label pair (after Reyes, Morell & Ventura 2015; our reading).

    For row i with labels Y_i, H_a are the k nearest other rows with label a, and likewise M_b those with label b:

    W(f) = 1/m Σ_i 1/|Y_i| Σ_{a∈Y_i} [ Σ_{b∉Y_i} P(b,¬a) / Σ_{b'∉Y_i} P(b',¬a) · D_f(i, M_b) − D_f(i, H_a) ].

    D_f averages |x_if − x_jf| (features scaled by their range; 0 or 1 for categories) over the neighbours j, a miss
    weighing as much as its labelset is far from Y_i by Hamming distance, a hit as much as it is near. Neighbours are
    nearest by the sum of these differences over all features, ties by row. P(b,¬a) is the share of rows with label b
    and without a. Rows without labels carry one of their own, "none"; a label of a row counts only where it has both
    hits and misses. Where every row has one label this is ReliefF as Robnik-Šikonja & Kononenko (2003) define it.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (100, 5))
    >>> Y = np.column_stack([X[:, 1] ^ X[:, 3], 1 - (X[:, 1] ^ X[:, 3])])
    >>> sorted(ReliefFML().fit(X, Y).ranking_[:2].tolist())
    [1, 3]
    """

    id = "relieff_ml"
    name = "ReliefF-ML"
    long_name = "ReliefF extended to all labels"
    summary = (
        "Looks at the nearest neighbours of each row: a feature gains where it differs between near rows with other "
        "labels, and loses where it differs between near rows that share a label. It sees features that matter only "
        "together, which scores of single features cannot see."
    )
    formula = (
        r"W_f=\frac1m\sum_i\frac1{|Y_i|}\sum_{a\in Y_i}\Bigl[\sum_{b\notin Y_i}"
        r"\frac{P(b,\bar a)}{\sum_{b'\notin Y_i}P(b',\bar a)}\,D_f(i,M_b)-D_f(i,H_a)\Bigr]"
    )
    paper = (
        "Reyes, Morell & Ventura, Scalable extensions of the ReliefF algorithm for weighting and selecting features on "
        "the multi-label learning context, 2015; our reading of it"
    )
    cost = "m·n·d for the distances (less where data are sparse) in bounded memory, once for every setting"

    n_samples: int | None = integer(None, 1, "instances", "m: rows whose neighbours are looked at", none="all rows")
    random_state: int = integer(0, 0, 2**32 - 1, "seed of the choice of rows, where only a sample of them is used")

    def _score(self, evidence: Neighbourhood) -> np.ndarray:
        n = evidence.sizes["instances"]
        rows = np.arange(n)
        if self.n_samples is not None and self.n_samples < n:
            rows = np.sort(np.random.default_rng(self.random_state).choice(n, self.n_samples, replace=False))
        unlabelled = ~evidence.Y.any(axis=1, keepdims=True)
        groups = np.hstack([evidence.Y, unlabelled]) if unlabelled.any() else evidence.Y
        return self._weights(evidence, groups, rows, self.n_samples, self.random_state)


class PPTReliefF(Pruned, ReliefSelector):
    r"""ReliefF with the labelsets that occur at least ``min_count`` times as classes.

    W(f) = 1/m Σ_i [ Σ_{c≠c_i} P(c)/(1−P(c_i)) · D_f(i, M_c) − D_f(i, H) ] (Robnik-Šikonja & Kononenko 2003, Figure 2),
    over the m rows that stay; H and M_c are the k nearest rows of the same class and of class c. A row alone in its
    class counts nothing. Features are scaled by their range over all rows.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(PPTReliefF().fit(X, Y).ranking_[0])
    3
    """

    id = "ppt_rf"
    name = "PPT-RF"
    long_name = "ReliefF on pruned labelsets"
    summary = (
        "Drops the rows whose labelset is rare, takes the remaining labelsets as classes, and weighs features by "
        "ReliefF: they should differ between near rows of different classes and agree within a class."
    )
    formula = (
        r"W_f=\frac1m\sum_i\Bigl[\sum_{c\ne c_i}\frac{P(c)}{1-P(c_i)}\,D_f(i,M_c)-D_f(i,H)\Bigr],"
        r"\quad c=\mathrm{PPT}(l_1\dots l_q)"
    )
    paper = "Reyes, Morell & Ventura, 2015 (PPT-ReliefF); Read, A pruned problem transformation method, 2008"
    cost = "n²·d for the distances (less where data are sparse) in bounded memory, once for every setting"

    def _score(self, evidence: Neighbourhood) -> np.ndarray:
        rows, classes = self._prune(evidence)
        if len(rows) == 0:
            return np.zeros(evidence.sizes["features"])
        classes = group(classes)
        membership = sparse.csr_matrix(
            (np.ones(len(rows)), (rows, classes)), shape=(evidence.sizes["instances"], int(classes.max()) + 1)
        )
        return self._weights(evidence, membership, rows, self.min_count)


def relief_weights(
    differences: Differences, groups: Any, rows: np.ndarray, k: int, *, n_jobs: int | None = None
) -> tuple[np.ndarray, bool]:
    """(d,) weights by the neighbours of the given rows, and whether any row had both hits and misses.

    groups (n, g) of 0 and 1: which labels or classes each row is in; rows in none are nobody's neighbours.
    """
    pairs = _Pairs(differences, sparse.csr_matrix(groups, dtype=np.float64), k)
    blocks = [rows[low:high] for low, high in ranges(len(rows), pairs.rows_at_once)]

    def weigh(block: np.ndarray) -> tuple[np.ndarray, bool]:
        weights = pairs.weights(block)
        return differences.sums(block, weights), bool(weights.any())

    parts = each(weigh, blocks, n_jobs)
    # Summed block by block in their order, the result is the same on any number of threads.
    return sum(part for part, _ in parts) / len(rows), any(used for _, used in parts)


class _Pairs:
    """Which rows are compared with which, and how much each pair counts."""

    def __init__(self, differences: Differences, groups: sparse.csr_matrix, k: int) -> None:
        self.differences, self.groups = differences, groups
        self.by_group = sparse.csr_matrix(groups.T)
        self.together = self.by_group @ groups
        self.labels = np.diff(groups.indptr).astype(np.float64)
        sizes = np.diff(self.by_group.indptr)
        self.sizes = sizes.astype(np.float64)
        self.member_rows, self.member_group = self.by_group.indices, np.repeat(np.arange(len(sizes)), sizes)
        # Sorted by group, then distance, the k nearest of each group stand at fixed places.
        taken = np.minimum(k, sizes)
        self.nearest_group = np.repeat(np.arange(len(taken)), taken)
        self.nearest_start = np.cumsum(taken) - taken
        self.nearest = np.arange(taken.sum()) + np.repeat(self.by_group.indptr[:-1] - self.nearest_start, taken)
        n, g = groups.shape
        self.rows_at_once = max(1, BLOCK_CELLS // max(n, g, groups.nnz, differences.d))
        # A key holds group, distance and row in one whole number; what does not fit in 63 bits is cut off the distance.
        reach_bits = (differences.reach >> differences.unit_bits).bit_length()
        self.tie_bits = min(TIE_BITS, 61 - reach_bits - n.bit_length() - g.bit_length())
        self.far = 1 << (reach_bits + self.tie_bits)

    def weights(self, rows: np.ndarray) -> np.ndarray:
        """(rows, n) the coefficient of each pair: negative for hits, positive for misses, in sum 0 for each row."""
        member = self.groups[rows].toarray() > 0
        coefficient = self._coefficients(rows, member)
        row, valid = self._nearest(rows)
        here = np.arange(len(rows))[:, None]
        apart = (self._labelset_distance(rows)[here, row] * valid).astype(np.float64)
        of_group = self.nearest_group
        weight = np.where(member[:, of_group], valid * self.groups.shape[1] - apart, apart)
        total = _sum_runs(weight, self.nearest_start, self.groups.shape[1])
        scale = np.divide(coefficient, total, out=np.zeros_like(total), where=total > 0)
        weight *= scale[:, of_group]
        n = self.groups.shape[0]
        return np.bincount((here * n + row).ravel(), weights=weight.ravel(), minlength=len(rows) * n).reshape(-1, n)

    def _coefficients(self, rows: np.ndarray, member: np.ndarray) -> np.ndarray:
        """(rows, groups) what the hits (−) or misses (+) of each group weigh.

        Σ_{b'∉Y_i} n·P(b',¬a) = Σ_{b'∉Y_i} (n_b' − n_ab'), whole numbers: it is exactly 0 where there are no misses.
        """
        here = self.groups[rows]
        with_a = np.asarray(self.together.sum(axis=1)).ravel() - (here @ self.together).toarray()
        others = (self.sizes.sum() - here @ self.sizes)[:, None] - with_a
        usable = member & (self.sizes > 1) & (others > 0)
        share = usable / np.maximum(self.labels[rows], 1)[:, None]
        per_pair = np.divide(share, others, out=np.zeros_like(share), where=usable)
        misses = per_pair.sum(axis=1, keepdims=True) * self.sizes - (self.together @ per_pair.T).T
        return np.where(member, -share, misses)

    def _nearest(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(rows, places) the k nearest rows of each group, and whether there is one: no row is its own neighbour."""
        n = self.groups.shape[0]
        cut = self.differences.unit_bits - self.tie_bits
        key = ((self.differences.distances(rows).astype(np.int64) + (1 << cut >> 1)) >> cut) * n + np.arange(n)
        key[np.arange(len(rows)), rows] = self.far * n - 1
        keys = key.take(self.member_rows, axis=1)
        keys += self.member_group * (self.far * n)
        keys.sort(axis=1)
        key = keys.take(self.nearest, axis=1) % (self.far * n)
        valid = key != self.far * n - 1
        return np.where(valid, key % n, rows[:, None]), valid

    def _labelset_distance(self, rows: np.ndarray) -> np.ndarray:
        """(rows, n) in how many labels two rows differ."""
        both = (self.groups[rows] @ self.by_group).toarray()
        return self.labels[rows, None] + self.labels - 2 * both


def _sum_runs(table: np.ndarray, start: np.ndarray, runs: int) -> np.ndarray:
    """Sum the columns of each run; a run that begins where the next does is empty, and sums to 0."""
    total = np.zeros((len(table), runs))
    filled = np.diff(np.append(start, table.shape[1])) > 0
    if filled.any():
        total[:, filled] = np.add.reduceat(table, start[filled], axis=1)
    return total
