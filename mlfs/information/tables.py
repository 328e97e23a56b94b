"""All contingency tables of two sets of variables at once, whole or within each group of a third variable.

n·H = n·log n − Σ c·log c over the cells c of a contingency table. The cells of all tables come from
products of indicator matrices (`States`), c·log c from a table look-up. Work goes block by block, at most
`BLOCK_CELLS` cells a block and thread, so memory stays bounded: about 100 bytes a cell beside input and result.
Counts are exact integers and blocks never share a sum: results do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.blocks import each, ranges
from mlfs.errors import ParameterError
from mlfs.information import counting, pairs
from mlfs.information.counting import membership, product, row_of, xlogx_table
from mlfs.information.states import States, entropy, group


class Tables:
    """All contingency tables of the columns of D with the columns of E (of D with itself where E is None)."""

    def __init__(self, D: Any, E: Any = None, *, n_jobs: int | None = None) -> None:
        self.first = States.of(D)
        self.second = self.first if E is None else States.of(E)
        if self.first.n != self.second.n:
            raise ParameterError(f"Both tables must have the same rows, not {self.first.n} and {self.second.n}.")
        self.n_jobs = n_jobs

    @cached_property
    def information(self) -> np.ndarray:
        """(d, e) M(D_i; E_j)."""
        if pairs.suits(self.first, self.second):
            return pairs.information(self.first, self.second, n_jobs=self.n_jobs)
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
            result[low:high] = product(self.first.indicators[low:high], right)

        step = max(1, counting.BLOCK_CELLS // max(1, result.shape[1]))
        each(fill, list(ranges(result.shape[0], step)), self.n_jobs)
        return result

    def later(self, first: int) -> Tables:
        """The tables with the columns first … of E only, sharing what is known already."""
        part = Tables(self.first, self.second.block(first, self.second.d), n_jobs=self.n_jobs)
        part.counts = self.counts[:, self.second.start[first] :]
        part.information = self.information[:, first:]
        return part

    def conditional(self, given: np.ndarray) -> np.ndarray:
        """(d, e) M(D_i; E_j | g) for one discrete variable g of any number of states."""
        if len(given) != self.first.n:
            raise ParameterError(f"The condition must have {self.first.n} rows as the tables do, not {len(given)}.")
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
        return self._evaluate(self.first.rows(counted), columns, membership(groups, sizes), largest)

    def _evaluate(
        self, counted: States, columns: _Columns, in_groups: Any = None, largest: int | None = None
    ) -> np.ndarray:
        """Fill the result block by block. `counted` has the observations that `columns` covers."""
        result = np.zeros((self.first.d, self.second.d))
        if result.size == 0 or self.first.n == 0:
            return result
        whole = None if largest is None else self.counts

        def fill(work: tuple[_Columns, int, int]) -> None:
            piece, low, high = work
            features = counted.block(low, high)
            counts = product(features.indicators, piece.matrix)
            in_group = features.sizes[:, None] if in_groups is None else product(features.indicators, in_groups)
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
            for piece in columns.pieces(counting.BLOCK_CELLS)
            for low, high in ranges(self.first.d, max(1, int(counting.BLOCK_CELLS / (states_each * piece.width))))
        ]
        each(fill, work, self.n_jobs)
        return result


class _Columns:
    """The right-hand side of the products: the states of E within each group of g, as columns.

    A column exists only where the state occurs in the group. Columns are sorted by variable, then group;
    `pair_start` is where each (variable, group) pair begins. `span` covers the variables of a piece.
    """

    def __init__(self, states: States, groups: np.ndarray, sizes: np.ndarray, n: int) -> None:
        row, observation = row_of(states.indicators), states.indicators.indices
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
        """Columns of the widest table a piece needs: its own, its variables', or one per group."""
        return max(1, len(self.pair), self.span.stop - self.span.start, len(self.sizes))

    def pieces(self, cells: int) -> Iterator[_Columns]:
        """Split into runs of whole variables with at most `cells` columns (one variable may exceed that)."""
        if max(len(self.pair), self.span.stop) <= cells:
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
        xlogx = xlogx_table(self.n)
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
