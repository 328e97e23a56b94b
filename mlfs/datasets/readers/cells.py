"""The cells of a table, column by column, so that dense and sparse tables are treated alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from mlfs.datasets.readers.problems import count, problem


class Cells(Protocol):
    """What the two kinds of table have in common."""

    def column(self, j: int) -> np.ndarray:
        """All n values of a column, as a vector of the caller's own."""

    def put(self, j: int, values: np.ndarray) -> None:
        """Replace a column."""

    def with_missing(self) -> set[int]:
        """The columns that miss values."""

    def take(self, columns: Sequence[int]) -> Any:
        """The table of these columns, as an array or CSR matrix."""


class DenseCells:
    """Cells of an array, which is changed in place."""

    def __init__(self, table: np.ndarray) -> None:
        self._table = table

    def column(self, j: int) -> np.ndarray:
        return self._table[:, j].copy()

    def put(self, j: int, values: np.ndarray) -> None:
        self._table[:, j] = values

    def with_missing(self) -> set[int]:
        # A sum is NaN where a term is: no table of flags is needed.
        with np.errstate(over="ignore", invalid="ignore"):
            return set(np.flatnonzero(~np.isfinite(self._table.sum(axis=0))).tolist())

    def take(self, columns: Sequence[int]) -> np.ndarray:
        return self._table[:, columns]


class SparseCells:
    """Cells of a sparse table. Only the nonzero values of a replaced column are kept."""

    def __init__(self, table: sparse.csr_matrix, max_stored: int, file: str) -> None:
        self._table = table.tocsc()
        self._replaced: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._n_stored = table.nnz
        self._max_stored = max_stored
        self._file = file

    def _stored(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        if j in self._replaced:
            return self._replaced[j]
        part = slice(self._table.indptr[j], self._table.indptr[j + 1])
        return self._table.indices[part], self._table.data[part]

    def column(self, j: int) -> np.ndarray:
        rows, values = self._stored(j)
        vector = np.zeros(self._table.shape[0])
        vector[rows] = values
        return vector

    def put(self, j: int, values: np.ndarray) -> None:
        rows = np.flatnonzero(values)
        # A nominal column whose first, implicit value is YES is full once YES is 1.
        self._n_stored += len(rows)
        if self._n_stored > self._max_stored:
            sentence = f"more than {count(self._max_stored, 'value')} that are not 0; take a part, or raise max_cells."
            raise problem(self._file, None, sentence)
        self._replaced[j] = (rows, values[rows])

    def with_missing(self) -> set[int]:
        missing = np.isnan(self._table.data)
        ends = self._table.indptr
        return set((np.searchsorted(ends, np.flatnonzero(missing), side="right") - 1).tolist())

    def take(self, columns: Sequence[int]) -> sparse.csr_matrix:
        if not self._replaced:
            return self._table[:, columns].tocsr()
        parts = [self._stored(j) for j in columns]
        ends = np.cumsum([0] + [len(rows) for rows, _ in parts])
        rows = np.concatenate([rows for rows, _ in parts])
        values = np.concatenate([values for _, values in parts])
        return sparse.csc_matrix((values, rows, ends), shape=(self._table.shape[0], len(columns))).tocsr()
