"""Rows as a parser meets them → one array. Each row is checked as it comes, before it takes memory.

The values go into Python's typed arrays: those grow without an object per number, and NumPy takes them over uncopied.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter

import numpy as np
from scipy import sparse

from mlfs.datasets.readers.columns import BadRow
from mlfs.datasets.readers.files import InputFile
from mlfs.datasets.readers.limits import Limits
from mlfs.datasets.readers.problems import count, problem
from mlfs.errors import DatasetError


class Origins:
    """Which file and line each row came from."""

    def __init__(self) -> None:
        self.files: list[str] = []
        self.starts: list[int] = []
        self.lines = array("q")

    def problem(self, row: int, sentence: str) -> DatasetError:
        return problem(self.files[bisect_right(self.starts, row) - 1], self.lines[row], sentence)


class _Rows:
    def __init__(self, limits: Limits) -> None:
        self.origins = Origins()
        self._limits = limits
        self._values = array("d")

    def begin_file(self, file: InputFile) -> None:
        self.origins.files.append(file.name)
        self.origins.starts.append(len(self.origins.lines))

    def _append(self, line: int, values: list[float]) -> None:
        if len(self.origins.lines) >= self._limits.max_rows:
            raise BadRow(f"more than {count(self._limits.max_rows, 'row')}; take a part of them, or raise max_rows.")
        if len(self._values) + len(values) > self._limits.max_cells:
            many = count(self._limits.max_cells, "value")
            raise BadRow(f"more than {many}; take a part of the rows or columns, or raise max_cells.")
        self.origins.lines.append(line)
        self._values.fromlist(values)

    def _count(self) -> int:
        ends = [*self.origins.starts[1:], len(self.origins.lines)]
        for file, start, end in zip(self.origins.files, self.origins.starts, ends, strict=True):
            if start == end:
                raise problem(file, None, "there are no data rows; the file may have been cut off.")
        return len(self.origins.lines)


class DenseRows(_Rows):
    """Rows that give every column a value."""

    def add(self, line: int, values: list[float]) -> None:
        self._append(line, values)

    def cells(self, width: int) -> np.ndarray:
        return np.asarray(self._values).reshape(self._count(), width)


class SparseRows(_Rows):
    """Rows that name the columns they give a value; the others are 0."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits)
        self._indices = array("i")
        self._ends = array("q", [0])

    def add(self, line: int, indices: list[int], values: list[float]) -> None:
        if len(set(indices)) < len(indices):
            twice = Counter(indices).most_common(1)[0][0]
            raise BadRow(f"index {twice} occurs twice; keep one of them.")
        self._append(line, values)
        self._indices.fromlist(indices)
        self._ends.append(len(self._values))

    def cells(self, width: int) -> sparse.csr_matrix:
        parts = (np.asarray(self._values), np.asarray(self._indices), np.asarray(self._ends))
        return sparse.csr_matrix(parts, shape=(self._count(), width))
