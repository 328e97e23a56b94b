"""Entropies and mutual information of all pairs at once, in bits, from counts.

n·H = n·log n − Σ c·log c over the cells c of a contingency table. The cells of all tables come from
products of indicator matrices (`States`), c·log c from a table look-up. Work goes block by block, at most
`BLOCK_CELLS` cells a block and thread, so memory stays bounded: about 100 bytes a cell beside input and result.
Counts are exact integers and blocks never share a sum: results do not depend on the number of threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.information.states import States, group

BLOCK_CELLS = 1 << 16


def entropy(D: Any) -> np.ndarray:
    """(d,) H of each column of discrete values.

    >>> entropy(np.array([[0, 1], [0, 2], [1, 3], [1, 4]]))
    array([1., 2.])
    """
    states = States.of(D)
    background = states.n - np.add.reduceat(states.sizes, states.start) if states.d else states.sizes
    xlogx = _xlogx(states.n)
    cells = np.add.reduceat(xlogx.take(states.sizes), states.start) if states.d else xlogx[:0]
    return np.maximum(_log(states.n) - (cells + xlogx.take(background)) / max(states.n, 1), 0.0)


def joint_entropy(D: Any, given: np.ndarray, *, n_jobs: int | None = None) -> np.ndarray:
    """(d,) H(f, g) of each column of D with one discrete variable g of any number of states.

    Costs one sparse product: the many states of g (a labelset, several features joined) never make a dense table.
    """
    states, groups = States.of(D), group(np.asarray(given))
    sizes = np.bincount(groups).astype(np.int32)
    xlogx = _xlogx(states.n)
    membership = _membership(groups, sizes)

    def cells(first: int, last: int) -> np.ndarray:
        part = states.block(first, last)
        counts = part.indicators @ membership
        total = np.bincount(part.owner[_row_of(counts)], weights=xlogx.take(counts.data), minlength=part.d)
        if not part.is_binary:
            member_of = sparse.csr_matrix(
                (np.ones(len(part.owner), dtype=np.int32), part.owner, np.arange(len(part.owner) + 1)),
                shape=(len(part.owner), part.d),
            )
            counts = member_of.T.tocsr() @ counts
        # The background fills what is left of each group; only groups touched by another state differ from full.
        size = sizes[counts.indices]
        missing = xlogx.take(size - counts.data) - xlogx.take(size)
        return total + np.bincount(_row_of(counts), weights=missing, minlength=part.d)

    blocks = list(_ranges(states.d, max(1, states.d // 8)))
    per_feature = np.concatenate([*_each(lambda b: cells(*b), blocks, n_jobs), np.zeros(0)])
    return np.maximum(_log(states.n) - (per_feature + xlogx.take(sizes).sum()) / max(states.n, 1), 0.0)


def mutual_information(D: Any, E: Any = None, *, n_jobs: int | None = None) -> np.ndarray:
    """(d, e) M(D_i; E_j) in bits for all pairs of columns; of D with itself where E is not given.

    >>> D = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> mutual_information(D, D[:, [0]])
    array([[1.],
           [0.]])
    """
    return Tables(D, E, n_jobs=n_jobs).information


def symmetrical_uncertainty(D: Any, E: Any = None, *, n_jobs: int | None = None) -> np.ndarray:
    """(d, e) SU = 2·M(a;b) / (H(a) + H(b)), 0 where both entropies are 0."""
    return Tables(D, E, n_jobs=n_jobs).symmetrical_uncertainty


def conditional_mutual_information(D: Any, E: Any, given: np.ndarray, *, n_jobs: int | None = None) -> np.ndarray:
    """(d, e) M(D_i; E_j | g) for all pairs of columns and one discrete variable g."""
    return Tables(D, E, n_jobs=n_jobs).conditional(given)


def joint_mutual_information(D: Any, s: np.ndarray, E: Any, *, n_jobs: int | None = None) -> np.ndarray:
    """(d, e) M(D_i, s; E_j): what a column and the variable s together tell of E_j, by the chain rule."""
    E = States.of(E)
    alone = mutual_information(np.asarray(s)[:, None], E, n_jobs=n_jobs)
    return alone + conditional_mutual_information(D, E, s, n_jobs=n_jobs)


def label_interaction(D: Any, Y: Any, labels: np.ndarray | None = None, *, n_jobs: int | None = None) -> np.ndarray:
    """(d,) Σ I3(f, l, l') over unordered pairs of the given labels (all by default).

    I3(f, l, l') = M(f; l') − M(f; l' | l): one conditional table per label, not one per pair.
    """
    states, Y = States.of(D), np.asarray(Y)
    Y = Y if labels is None else Y[:, labels]
    tables = Tables(states, Y, n_jobs=n_jobs)
    total = np.zeros(states.d)
    for label in range(Y.shape[1] - 1):
        rest = tables.later(label + 1)
        total += (rest.information - rest.conditional(Y[:, label])).sum(axis=1)
    return total


class Tables:
    """All contingency tables of the columns of D with the columns of E (of D with itself where E is None)."""

    def __init__(self, D: Any, E: Any = None, *, n_jobs: int | None = None) -> None:
        self.first = States.of(D)
        self.second = self.first if E is None else States.of(E)
        self.n_jobs = n_jobs

    @cached_property
    def information(self) -> np.ndarray:
        """(d, e) M(D_i; E_j)."""
        nowhere, n = np.zeros(self.first.n, dtype=np.intp), self.first.n
        information = self._evaluate(self.first, _Columns(self.second, nowhere, np.array([n], dtype=np.int32), n))
        # M ≤ min(H, H) holds for counts; rounding must not break the bounds that the papers build on it.
        np.minimum(information, entropy(self.first)[:, None], out=information)
        return np.minimum(information, entropy(self.second)[None, :], out=information)

    @property
    def symmetrical_uncertainty(self) -> np.ndarray:
        """(d, e) SU of D_i and E_j."""
        total = entropy(self.first)[:, None] + entropy(self.second)[None, :]
        return np.divide(2 * self.information, total, out=np.zeros_like(total), where=total > 0)

    @cached_property
    def counts(self) -> np.ndarray:
        """(states of D, states of E) co-occurrence counts. Kept, because every `conditional` starts from it."""
        result = np.empty((self.first.indicators.shape[0], self.second.indicators.shape[0]), dtype=np.int32)
        right = self.second.transposed

        def fill(rows: tuple[int, int]) -> None:
            low, high = rows
            result[low:high] = _product(self.first.indicators[low:high], right)

        step = max(1, BLOCK_CELLS // max(1, result.shape[1]))
        _each(fill, list(_ranges(result.shape[0], step)), self.n_jobs)
        return result

    def later(self, first: int) -> Tables:
        """The tables with the columns first … of E only, sharing what is known already."""
        part = Tables(self.first, self.second.block(first, self.second.d), n_jobs=self.n_jobs)
        part.counts = self.counts[:, self.second.start[first] :]
        part.information = self.information[:, first:]
        return part

    def conditional(self, given: np.ndarray) -> np.ndarray:
        """(d, e) M(D_i; E_j | g) for one discrete variable g of any number of states."""
        groups = group(np.asarray(given))
        sizes = np.bincount(groups).astype(np.int32)
        if len(sizes) <= 1:
            return self.information.copy()
        largest: int | None = int(sizes.argmax())
        if self.second.is_binary and sizes[largest] >= self.first.n // 8:
            # The largest group is what the others leave over: no product is needed for it.
            counted = np.flatnonzero(groups != largest)
        else:
            # One observation alone tells nothing about dependence.
            largest = None
            counted = np.flatnonzero(sizes[groups] > 1)
        groups = groups[counted]
        columns = _Columns(self.second.rows(counted), groups, sizes, self.first.n)
        return self._evaluate(self.first.rows(counted), columns, _membership(groups, sizes), largest)

    def _evaluate(
        self, counted: States, columns: _Columns, membership: Any = None, largest: int | None = None
    ) -> np.ndarray:
        """Fill the result block by block. `counted` has the observations that `columns` covers."""
        result = np.zeros((self.first.d, self.second.d))
        if result.size == 0 or self.first.n == 0:
            return result
        whole = None if largest is None else self.counts

        def fill(work: tuple[_Columns, int, int]) -> None:
            piece, low, high = work
            features = counted.block(low, high)
            counts = _product(features.indicators, piece.matrix)
            in_group = features.sizes[:, None] if membership is None else _product(features.indicators, membership)
            out = result[low:high]
            if largest is not None and whole is not None:
                top = self.first.start[low]
                rows = slice(top, top + len(counts))
                in_group[:, largest] = self.first.sizes[rows] - in_group.sum(axis=1)
                rest, remaining = piece.leftover(largest, whole[rows, piece.span], counts, self.second.sizes)
                out[:, piece.span] = rest.information(features, remaining, in_group)
            out[:, piece.variables] += piece.information(features, counts, in_group)

        states_each = max(1.0, self.first.indicators.shape[0] / self.first.d)
        work = [
            (piece, low, high)
            for piece in columns.pieces(BLOCK_CELLS)
            for low, high in _ranges(self.first.d, max(1, int(BLOCK_CELLS / (states_each * piece.width))))
        ]
        _each(fill, work, self.n_jobs)
        return result


class _Columns:
    """The right-hand side of the products: the states of E within each group of g, as columns.

    A column exists only where the state occurs in the group. Columns are sorted by variable, then group;
    `pair_start` is where each (variable, group) pair begins. `span` covers the variables of a piece.
    """

    def __init__(self, states: States, groups: np.ndarray, sizes: np.ndarray, n: int) -> None:
        row, observation = _row_of(states.indicators), states.indicators.indices
        rows = states.indicators.shape[0]
        _, column = np.unique((states.owner[row] * len(sizes) + groups[observation]) * rows + row, return_inverse=True)
        counts = np.bincount(column)
        pair = np.empty(len(counts), dtype=np.int64)
        pair[column] = states.owner[row] * len(sizes) + groups[observation]
        ones = np.ones(len(column), dtype=np.int32)
        matrix = sparse.csr_matrix((ones, (observation, column)), shape=(states.n, len(counts)))
        self._fill(slice(0, states.d), pair, counts, matrix, sizes, n)

    def _fill(self, span: slice, pair: np.ndarray, counts: np.ndarray, matrix: Any, sizes: np.ndarray, n: int) -> None:
        self.span, self.pair, self.matrix, self.sizes, self.n = span, pair, matrix, sizes, n
        self.counts = counts.astype(np.int32)
        pairs, self.pair_start = np.unique(pair, return_index=True)
        variable, self.group = np.divmod(pairs, len(sizes))
        self.variables, self.variable_start = np.unique(variable, return_index=True)

    def _part(self, span: slice, pair: np.ndarray, counts: np.ndarray, matrix: Any) -> _Columns:
        part = object.__new__(_Columns)
        part._fill(span, pair, counts, matrix, self.sizes, self.n)
        return part

    @property
    def width(self) -> int:
        """Columns of the widest table a piece needs."""
        return max(1, len(self.pair), self.span.stop - self.span.start)

    def pieces(self, cells: int) -> Iterator[_Columns]:
        """Split into runs of whole variables with at most `cells` columns (one variable may exceed that)."""
        if self.width <= cells:
            yield self
            return
        ends = np.searchsorted(self.pair // len(self.sizes), np.arange(self.span.stop), side="right")
        by_column = self.matrix.tocsc()
        first = begin = 0
        while first < self.span.stop:
            last = max(first + 1, int(np.searchsorted(ends, begin + cells, side="right")))
            last = min(last, first + cells)
            end = int(ends[last - 1])
            matrix = by_column[:, begin:end].tocsr()
            yield self._part(slice(first, last), self.pair[begin:end], self.counts[begin:end], matrix)
            first, begin = last, end

    def leftover(
        self, largest: int, whole: np.ndarray, counts: np.ndarray, totals: np.ndarray
    ) -> tuple[_Columns, np.ndarray]:
        """The columns of the largest group and their counts: the whole less the other groups."""
        remaining, left = whole.copy(), totals[self.span].copy()
        if len(self.pair):
            place = self.variables - self.span.start
            remaining[:, place] -= self._by_variable(counts)
            left[place] -= self._by_variable(self.counts)
        pair = np.arange(self.span.start, self.span.stop) * len(self.sizes) + largest
        return self._part(self.span, pair, left, None), remaining

    def _by_variable(self, table: np.ndarray) -> np.ndarray:
        """Sum a table of (variable, group) pairs over the groups of each variable."""
        if len(self.variables) == table.shape[-1]:
            return table
        return np.add.reduceat(table, self.variable_start, axis=-1)

    def _reduce(self, table: np.ndarray) -> np.ndarray:
        """Sum over the states of each (variable, group) pair."""
        return table if len(self.pair_start) == len(self.pair) else np.add.reduceat(table, self.pair_start, axis=-1)

    def information(self, features: States, counts: np.ndarray, in_group: np.ndarray) -> np.ndarray:
        """(features, variables) M(f; e | g) from the counts of feature states in columns and in groups."""
        xlogx = _xlogx(self.n)
        # Cells (state, state), (background, state), (state, background), (background, background).
        cells = features.reduce(xlogx.take(counts))
        cells += xlogx.take(self.counts - features.reduce(counts))
        cells = self._reduce(cells)
        background = in_group[:, self.group] - self._reduce(counts)
        cells += features.reduce(xlogx.take(background))
        size = self.sizes[self.group]
        outside = size - self._reduce(self.counts)
        cells += xlogx.take(outside - features.reduce(background))

        of_features = features.reduce(xlogx.take(in_group)) + xlogx.take(self.sizes - features.reduce(in_group))
        cells -= of_features[:, self.group]
        cells += xlogx.take(size) - (self._reduce(xlogx.take(self.counts)) + xlogx.take(outside))
        np.maximum(cells, 0.0, out=cells)
        cells = self._by_variable(cells)
        cells /= self.n
        return cells


def _product(left: sparse.csr_matrix, right: sparse.csr_matrix) -> np.ndarray:
    """left @ right as a dense integer table, by whichever way costs least (nanoseconds, measured roughly)."""
    rows, inner = left.shape
    columns = right.shape[1]
    by_sparse = 6.0 * left.nnz * right.nnz / max(inner, 1) + 1.0 * rows * columns
    by_blas = 0.08 * rows * inner * columns + 2.0 * inner * (rows + columns)
    fits = inner < 1 << 24 and inner * (rows + columns) <= 16 * BLOCK_CELLS
    if fits and by_blas < by_sparse:
        # float32 holds every count below 2²⁴ exactly, so the order of summation cannot matter.
        dense = left.astype(np.float32).toarray() @ right.astype(np.float32).toarray()
        return dense.astype(np.int32)
    return (left @ right).toarray()


def _membership(groups: np.ndarray, sizes: np.ndarray) -> sparse.csr_matrix:
    """(n, groups) 0/1 matrix: which group each observation is in."""
    n = len(groups)
    return sparse.csr_matrix((np.ones(n, dtype=np.int32), groups, np.arange(n + 1)), shape=(n, len(sizes)))


def _row_of(matrix: sparse.csr_matrix) -> np.ndarray:
    """(nnz,) the row of each stored entry."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def _ranges(total: int, step: int) -> Iterator[tuple[int, int]]:
    for first in range(0, total, step):
        yield first, min(first + step, total)


def _each(task: Callable[[Any], Any], items: list[Any], n_jobs: int | None) -> list[Any]:
    """Run the task for each item on n_jobs threads (None: all cores); NumPy and SciPy release the GIL inside."""
    workers = min(n_jobs or os.cpu_count() or 1, len(items))
    if workers <= 1:
        return [task(item) for item in items]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(task, items))


def _log(n: int) -> float:
    return float(np.log2(n)) if n else 0.0


@lru_cache(maxsize=4)
def _xlogx(n: int) -> np.ndarray:
    """c·log₂c for c = 0 … n."""
    count = np.arange(n + 1, dtype=np.float64)
    count[1:] *= np.log2(count[1:])
    count.setflags(write=False)
    return count
