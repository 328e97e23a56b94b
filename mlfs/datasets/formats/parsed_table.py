"""What every parser hands over: named columns of numbers and codes, before anything is decided about them.

The text of a cell becomes a number, itself or the code of a word. Each row is checked as it comes, before it takes
memory; its values go into Python's typed arrays, which grow without an object per number, and NumPy takes them over
uncopied.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.datasets.formats.errors import Limits, RowError, count, excerpt, file_error, listing
from mlfs.datasets.formats.input_files import InputFile
from mlfs.errors import DatasetError

_MISSING = frozenset({"?", "", "nan", "na", "n/a", "null"})


class Words(dict[str, float]):
    """Words and their codes 0, 1, …: looking up a missing value gives NaN. A growing one takes any word it meets."""

    def __init__(self, words: Iterable[str] = (), *, growing: bool = False) -> None:
        super().__init__((word, code) for code, word in enumerate(words))
        self.growing = growing

    def __missing__(self, cell: str) -> float:
        word = cell.strip()
        if word in self:
            return self[word]
        if word.lower() in _MISSING:
            return math.nan
        if not self.growing:
            raise ValueError(f"{excerpt(word)} is not one of the declared values {listing(list(self))}")
        self[word] = code = len(self)
        return code


class Column:
    """A named column of numbers (no words) or of words."""

    __slots__ = ("convert", "name", "words")

    def __init__(self, name: str, words: Words | None = None) -> None:
        self.name = name
        self.words = words
        #: The quick way from a cell to its number; see convert_cells.
        self.convert: Callable[[str], float] = float if words is None else words.__getitem__

    @property
    def declaration(self) -> object:
        """What two parts of a data set must agree on: the kind of column and the declared words."""
        if self.words is None or self.words.growing:
            return self.words is None
        return list(self.words)


def convert_cells(columns: Sequence[Column], cells: Sequence[str]) -> list[float]:
    """One row of text → numbers, NaN where a value is missing."""
    if len(cells) != len(columns):
        raise RowError(f"{len(cells)} values where the header has {len(columns)} columns; complete or remove the row.")
    try:
        values = [column.convert(cell) for column, cell in zip(columns, cells, strict=True)]
    except ValueError:
        values = [math.inf]
    if math.inf in values or -math.inf in values or "_" in "".join(cells):
        values = [_convert_carefully(column, cell) for column, cell in zip(columns, cells, strict=True)]
    return values


def number(cell: str) -> float:
    """A cell of a numeric column: NaN where it is missing, ValueError where it is not a finite number.

    >>> number(" 1.5"), number("?")
    (1.5, nan)
    """
    cell = cell.strip()
    if cell.lower() in _MISSING:
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        value = math.inf
    # Python reads 1_000 as a number; in a data file it is rather a mangled name.
    if math.isinf(value) or "_" in cell:
        raise ValueError(f"{excerpt(cell)} is not a finite number")
    return value


def number_text(value: float) -> str:
    """The shortest text that `number` reads back to the same bits.

    >>> number_text(0.1), number_text(3.0), number_text(1e-05)
    ('0.1', '3', '1e-05')
    """
    return repr(float(value)).removesuffix(".0")


class Origins:
    """Which file and line each row came from; in files without lines, which row of them."""

    def __init__(self, unit: str = "line") -> None:
        self.files: list[str] = []
        self.starts: list[int] = []
        self.lines = array("q")
        self.unit = unit

    @classmethod
    def of_rows(cls, counts: Sequence[tuple[str, int]]) -> Origins:
        """Of whole tables: the file of each, and its number of rows."""
        origins = cls("row")
        for file, n in counts:
            origins.files.append(file)
            origins.starts.append(len(origins.lines))
            origins.lines.extend(range(1, n + 1))
        return origins

    def error(self, row: int, sentence: str) -> DatasetError:
        return file_error(self.files[bisect_right(self.starts, row) - 1], self.lines[row], sentence, self.unit)


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
            raise RowError(f"more than {count(self._limits.max_rows, 'row')}; use fewer, or raise max_rows.")
        if len(self._values) + len(values) > self._limits.max_cells:
            many = count(self._limits.max_cells, "value")
            raise RowError(f"more than {many}; use fewer rows or columns, or raise max_cells.")
        self.origins.lines.append(line)
        self._values.fromlist(values)

    def _count(self) -> int:
        ends = [*self.origins.starts[1:], len(self.origins.lines)]
        for file, start, end in zip(self.origins.files, self.origins.starts, ends, strict=True):
            if start == end:
                raise file_error(file, None, "there are no data rows; the file may have been cut off.")
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
            raise RowError(f"index {twice} occurs twice; keep one of them.")
        self._append(line, values)
        self._indices.fromlist(indices)
        self._ends.append(len(self._values))

    def cells(self, width: int) -> sparse.csr_matrix:
        parts = (np.asarray(self._values), np.asarray(self._indices), np.asarray(self._ends))
        return sparse.csr_matrix(parts, shape=(self._count(), width))


@dataclass
class ParsedTable:
    """Columns and their cells.

    Parameters
    ----------
    cells : (n, d) float array or CSR matrix
        Numbers, and codes of words; NaN where a value is missing.
    origins : Origins
        The files the rows came from, one or (training part first) two, and their lines.
    labels : column indices or None
        The label columns, where the file itself says which they are.
    notes : list of str
    labels_by_meka : bool
        Whether it says so by the ``-C`` in @relation, which may no longer hold.
    """

    columns: list[Column]
    cells: Any
    origins: Origins
    labels: Sequence[int] | None = None
    notes: list[str] = field(default_factory=list)
    labels_by_meka: bool = False

    @property
    def n_train(self) -> int:
        """How many rows statistics may be taken from: the training part, or all."""
        return [*self.origins.starts, self.cells.shape[0]][1]

    @property
    def split(self) -> tuple[np.ndarray, np.ndarray] | None:
        if len(self.origins.files) == 1:
            return None
        rows = np.arange(self.cells.shape[0])
        return rows[: self.n_train], rows[self.n_train :]


def with_labels(table: ParsedTable, labels: ParsedTable) -> ParsedTable:
    """A table of features and a table of labels, which have the same rows, as one."""
    counts = [np.diff([*each.origins.starts, each.cells.shape[0]]).tolist() for each in (table, labels)]
    for file, beside, n, m in zip(table.origins.files, labels.origins.files, *counts, strict=True):
        if n != m:
            sentence = f"{count(m, 'row')} of labels for the {count(n, 'row')} of {file}; give both the same rows."
            raise file_error(beside, None, sentence)
    columns = [*table.columns, *labels.columns]
    cells = np.hstack([table.cells, labels.cells])
    places = range(len(table.columns), len(columns))
    return ParsedTable(columns, cells, table.origins, places, [*table.notes, *labels.notes])


def _convert_carefully(column: Column, cell: str) -> float:
    try:
        return number(cell) if column.words is None else column.words[cell]
    except ValueError as error:
        where = f" in column {excerpt(column.name)}" if column.name else ""
        raise RowError(f"{error}{where}; correct it, or write ? where the value is missing.") from error
