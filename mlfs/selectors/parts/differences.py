"""How far rows lie apart, in sum and feature by feature, without ever comparing more than one block of rows.

Every feature is scaled by its range, so that two rows differ in it by 0 … 1; categories differ by 0 or 1. The scaled
values are rounded to whole multiples of a tiny unit: sums of them are exact in any order, and so are ties between
distances, on any number of threads and for dense and sparse data alike.

Each column goes where its differences cost least:

- two values, |a − b| = a + b − 2ab: products of sparse 0/1 matrices (`_Flags`);
- few entries other than zero, |a − b| = a + b − 2·min(a, b): the rows that share them, one by one (`_Postings`);
- the rest, at least a fifth filled: dense blocks (`_Filled`), so that even these take at most a few copies of X.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from mlfs.blocks import ranges
from mlfs.encoding import one_hot

FILLED = 0.2
# Numbers a block of differences may hold: 32 MiB.
BLOCK_CELLS = 1 << 22


class Part(Protocol):
    """Some columns of the scaled data; `owner` is the feature each belongs to."""

    owner: np.ndarray

    def distances(self, rows: np.ndarray) -> np.ndarray:
        """(rows, n) Σ_c |x_ic − x_jc| over the columns of this part, in units."""

    def sums(self, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """(columns,) Σ_ij w_ij·|x_ic − x_jc| for weights (rows, n), in units."""


class Differences:
    """Manhattan geometry of the rows of X, features scaled to [0, 1] by their range.

    Attributes
    ----------
    unit_bits : the unit is 2^-unit_bits
    reach : the largest distance there may be, in units
    """

    def __init__(self, X: Any, categorical: Sequence[int] = ()) -> None:
        self.n, self.d = X.shape
        columns, owner = one_hot(X, categorical)
        # Two different categories differ in two of the 0/1 columns.
        share = np.where(np.isin(owner, np.asarray(categorical, dtype=np.intp)), 0.5, 1.0)
        # Sums over all columns stay below 2^52, where doubles still hold every whole number.
        self.unit_bits = 52 - len(owner).bit_length()
        self.reach = len(owner) << self.unit_bits
        self.parts: list[Part] = _parts(_scaled(columns, share, 2.0**self.unit_bits), owner)

    def distances(self, rows: np.ndarray) -> np.ndarray:
        """(rows, n) exact distances in units, as floats."""
        total = np.zeros((len(rows), self.n))
        for part in self.parts:
            total += part.distances(rows)
        return total

    def sums(self, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """(d,) Σ_ij w_ij·|x_if − x_jf| for each feature f, weights (rows, n)."""
        total = np.zeros(self.d)
        for part in self.parts:
            total += np.bincount(part.owner, weights=part.sums(rows, weights), minlength=self.d)
        return total * 2.0**-self.unit_bits


class _Filled:
    """Columns with many different values and few zeros, kept dense."""

    def __init__(self, values: np.ndarray, owner: np.ndarray) -> None:
        self.values, self.owner = np.ascontiguousarray(values), owner

    def distances(self, rows: np.ndarray) -> np.ndarray:
        return cdist(self.values[rows], self.values, "cityblock")

    def sums(self, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        total = np.zeros(len(self.owner))
        for row, weight in zip(rows, weights, strict=True):
            chosen = np.flatnonzero(weight)
            for low, high in ranges(len(chosen), max(1, BLOCK_CELLS // len(total))):
                block = self.values[chosen[low:high]]
                block -= self.values[row]
                total += weight[chosen[low:high]] @ np.abs(block, out=block)
        return total


class _Flags:
    """Columns that are either 0 or one value: |a − b| = a + b − 2·a·b / value."""

    def __init__(self, flags: sparse.csr_matrix, value: np.ndarray, owner: np.ndarray) -> None:
        self.flags, self.value, self.owner = flags, value, owner
        self.columns = sparse.csr_matrix(flags.T)
        self.total = flags @ value

    def distances(self, rows: np.ndarray) -> np.ndarray:
        # A dense right-hand side is several times faster here than a product of two sparse matrices.
        both = (self.flags @ (self.flags[rows].toarray() * self.value).T).T
        return self.total[rows, None] + self.total - 2 * both

    def sums(self, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        here = self.flags[rows]
        either = here.T @ weights.sum(axis=1) + self.columns @ weights.sum(axis=0)
        both = np.einsum("ci,ic->c", self.columns @ weights.T, here.toarray())
        return self.value * (either - 2 * both)


class _Postings:
    """Sparse columns of any non-negative values: |a − b| = a + b − 2·min(a, b), and min is 0 where either is."""

    def __init__(self, values: sparse.csr_matrix, owner: np.ndarray) -> None:
        self.values, self.owner = values, owner
        self.columns = values.tocsc()
        self.total = np.asarray(values.sum(axis=1)).ravel()

    def distances(self, rows: np.ndarray) -> np.ndarray:
        n = len(self.total)
        result = self.total[rows, None] + self.total
        for place, row in enumerate(rows):
            _, _, others, least = self._shared(row)
            result[place] -= 2 * np.bincount(others, weights=least, minlength=n)
        return result

    def sums(self, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        result = self.values[rows].T @ weights.sum(axis=1) + self.values.T @ weights.sum(axis=0)
        for row, weight in zip(rows, weights, strict=True):
            columns, starts, others, least = self._shared(row)
            if len(columns):
                least *= weight.take(others)
                result[columns] -= 2 * np.add.reduceat(least, starts)
        return result

    def _shared(self, row: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The columns of a row, and where each begins in: the rows that have an entry there, and the lesser entry."""
        mine = slice(self.values.indptr[row], self.values.indptr[row + 1])
        columns, values = self.values.indices[mine], self.values.data[mine]
        low, high = self.columns.indptr[columns], self.columns.indptr[columns + 1]
        pieces = [slice(a, b) for a, b in zip(low.tolist(), high.tolist(), strict=True)]
        others = np.concatenate([self.columns.indices[piece] for piece in pieces] or [columns])
        least = np.concatenate([self.columns.data[piece] for piece in pieces] or [values])
        lengths = high - low
        np.minimum(least, np.repeat(values, lengths), out=least)
        return columns, np.cumsum(lengths) - lengths, others, least


def _scaled(columns: Any, share: np.ndarray, unit: float) -> sparse.csc_matrix:
    """Each column over its range, times its share, in whole units. Zeros stay zeros; a column without any starts at
    its lowest value."""
    scaled = sparse.csc_matrix(columns, dtype=np.float64, copy=True)
    scaled.sum_duplicates()
    low, high = (side.toarray().ravel() for side in (scaled.min(axis=0), scaled.max(axis=0)))
    scaled.eliminate_zeros()
    stored = np.diff(scaled.indptr)
    base = np.where(stored == scaled.shape[0], low, 0.0)
    span = np.where(high > low, high - low, 1.0)
    column = np.repeat(np.arange(scaled.shape[1]), stored)
    scaled.data = np.rint((scaled.data - base[column]) / span[column] * (unit * share)[column])
    scaled.eliminate_zeros()
    return scaled


def _parts(scaled: sparse.csc_matrix, owner: np.ndarray) -> list[Part]:
    """Divide the columns; constant ones, which have no entry, are left out."""
    stored = np.diff(scaled.indptr)
    low, high = (side.toarray().ravel() for side in (scaled.min(axis=0), scaled.max(axis=0)))
    # Only one of them is not 0 in a column of one sign.
    value = np.maximum(high, -low)
    column = np.repeat(np.arange(len(owner)), stored)
    other = np.bincount(column[np.abs(scaled.data) != value[column]], minlength=len(owner)) > 0
    flags = (stored > 0) & ~other & ((low == 0) | (high == 0))
    filled = ~flags & (stored >= FILLED * scaled.shape[0])
    rest = np.flatnonzero(~flags & ~filled & (stored > 0))
    parts: list[Part] = []
    if flags.any():
        present = sparse.csr_matrix(scaled[:, flags])
        present.data = np.ones_like(present.data)
        parts.append(_Flags(present, value[flags], owner[flags]))
    if filled.any():
        parts.append(_Filled(scaled[:, filled].toarray(), owner[filled]))
    if len(rest):
        # A signed column is the sum of two that are not: |a − b| = |a⁺ − b⁺| + |a⁻ − b⁻|.
        signed = sparse.csr_matrix(scaled[:, rest])
        halves = [signed.maximum(0), (-signed).maximum(0)]
        parts.append(_Postings(sparse.csr_matrix(sparse.hstack(halves)), np.tile(owner[rest], 2)))
    return parts
