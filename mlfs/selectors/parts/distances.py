"""Euclidean distances of all pairs of points, multiplied block by block: large tables of them are never kept.

A squared distance comes from a matrix product, which leaves no digit of that of two points close to each other: for
those it is computed again from their differences, so that equal points are at distance 0 and move alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mlfs.blocks import ranges
from mlfs.stopping import checkpoint

# The table of all pairs is kept up to this size: 11,585 points.
TABLE_LIMIT = 1 << 30
# Points in a block: 8 MiB of distances.
BLOCK = 1024
# Of a squared distance, relative to the squared lengths: below it a product has lost ten digits of sixteen.
CLOSE = 1e-6
# Differences of close pairs at a time.
CLOSE_NUMBERS = 1 << 20


def table_bytes(d: int) -> int:
    """What `Distances` keeps of d points, beside the points."""
    return min(8 * d * d, TABLE_LIMIT)


class Distances:
    """E_ij = ‖p_i − p_j‖ of the rows of `points`, as a matrix to multiply with."""

    def __init__(self, points: np.ndarray) -> None:
        # Centred: the lengths are then of the size of the distances, and the products round as little as they can.
        self.points = points - points.mean(axis=0)
        self._squares = np.einsum("ij,ij->i", self.points, self.points)
        self._table: np.ndarray | None = None

    def sums(self) -> np.ndarray:
        """(d,) the row sums of E, none of which is kept."""
        sums = np.zeros(len(self.points))
        for rows, columns in self._halves():
            block = self.block(rows, columns)
            sums[rows] += block.sum(axis=1)
            if rows != columns:
                sums[columns] += block.sum(axis=0)
        return sums

    def times(self, B: np.ndarray) -> np.ndarray:
        """(d, b) E·B."""
        d = len(self.points)
        if 8 * d * d <= TABLE_LIMIT:
            if self._table is None:
                self._table = self._all()
            return self._table @ B
        product = np.zeros((d, B.shape[1]))
        for rows, columns in self._halves():
            block = self.block(rows, columns)
            product[rows] += block @ B[columns]
            if rows != columns:
                product[columns] += block.T @ B[rows]
        return product

    def block(self, rows: slice, columns: slice) -> np.ndarray:
        """The distances of some points from others."""
        first, second = self.points[rows], self.points[columns]
        size = self._squares[rows, None] + self._squares[None, columns]
        squared = size - 2 * (first @ second.T)
        close = np.argwhere(squared <= CLOSE * size)
        for low, high in ranges(len(close), max(1, CLOSE_NUMBERS // self.points.shape[1])):
            i, j = close[low:high].T
            difference = first[i] - second[j]
            squared[i, j] = np.einsum("ij,ij->i", difference, difference)
        return np.sqrt(squared, out=squared)

    def _all(self) -> np.ndarray:
        d = len(self.points)
        table = np.empty((d, d))
        for rows, columns in self._halves():
            table[rows, columns] = self.block(rows, columns)
            table[columns, rows] = table[rows, columns].T
        return table

    def _halves(self) -> Iterator[tuple[slice, slice]]:
        """Blocks on and above the diagonal."""
        blocks = [slice(*span) for span in ranges(len(self.points), BLOCK)]
        for place, rows in enumerate(blocks):
            for columns in blocks[place:]:
                checkpoint()
                yield rows, columns
