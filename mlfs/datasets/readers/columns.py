"""A column of a table, and how the text of one of its cells becomes a number: itself, or the code of a word."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from mlfs.datasets.readers.problems import listing, show

_MISSING = frozenset({"?", "", "nan", "na", "n/a", "null"})


class BadRow(Exception):
    """A row cannot be taken; the message says why, and the parser adds file and line."""


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
            raise ValueError(f"{show(word)} is not one of the declared values {listing(list(self))}")
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
        raise BadRow(f"{len(cells)} values where the header has {len(columns)} columns; complete or remove the row.")
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
        raise ValueError(f"{show(cell)} is not a finite number")
    return value


def _convert_carefully(column: Column, cell: str) -> float:
    try:
        return number(cell) if column.words is None else column.words[cell]
    except ValueError as error:
        where = f" in column {show(column.name)}" if column.name else ""
        raise BadRow(f"{error}{where}; correct it, or write ? where the value is missing.") from error
