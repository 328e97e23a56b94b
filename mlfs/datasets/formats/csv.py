"""CSV with a header row, its fields apart by comma, semicolon, tab or bar.

A CSV does not declare its columns, so it is read twice: first to learn which columns hold words, then for good.
Written are a header, the features, then the labels as 0 and 1.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats.errors import Limits, RowError, excerpt, file_error
from mlfs.datasets.formats.input_files import InputFile, lines
from mlfs.datasets.formats.parsed_table import (
    Column,
    DenseRows,
    ParsedTable,
    Words,
    convert_cells,
    number,
    number_text,
)
from mlfs.encoding import dense
from mlfs.wording import count

_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")
# Thousands apart, a percent sign, a minus of a printer: as categories they would stand in the order of the alphabet.
_FOR_PEOPLE = re.compile(
    r"[-+−]?[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]+|[-+−]?[0-9]{1,3}(?:,[0-9]{3})+\.[0-9]+|[-+−]?[0-9]+(?:[.,][0-9]+)?\s*%"
    r"|−[0-9]+(?:[.,][0-9]+)?"
)
# So much of a file tells its delimiter.
_START_LINES, _START_LENGTH = 50, 2**20
_UNNAMED = ("", "unnamed: 0")  # what pandas calls its index, before and after one more round


def read(files: Sequence[InputFile], limits: Limits) -> ParsedTable:
    """The table in one CSV file, or in a training and a test part with the same header."""
    reader = _CsvReader(files, limits)
    words = reader.columns_of_words()
    columns = [Column(name, Words(growing=True) if j in words else None) for j, name in enumerate(reader.names)]
    rows = DenseRows(limits)
    for file in files:
        rows.begin_file(file)
        for line, cells in reader.rows(file):
            try:
                rows.add(line, convert_cells(columns, cells))
            except RowError as error:
                raise file_error(file.name, line, str(error)) from error
    table = ParsedTable(columns, rows.cells(len(columns)), rows.origins, notes=reader.notes)
    return _without_row_numbers(table)


def write(ds: Dataset, rows: np.ndarray, path: Path) -> None:
    """Write the rows; categories by their names."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*ds.feature_names, *ds.label_names])
        for row in rows:
            values: Sequence[float] = dense(ds.X[[row]])[0].tolist()
            cells = [
                ds.categories[j][int(value)] if j in ds.categories else number_text(value)
                for j, value in enumerate(values)
            ]
            writer.writerow([*cells, *ds.Y[row].tolist()])


class _CsvReader:
    def __init__(self, files: Sequence[InputFile], limits: Limits) -> None:
        self._files = files
        self._limits = limits
        self.notes: list[str] = []
        line, first = _header(_records(files[0], limits), files[0])
        if len(first) > limits.max_features + limits.max_labels:
            raise file_error(files[0].name, line, "too many columns; use fewer, or raise max_features.")
        self._has_header = is_header(first)
        self.names = [name.strip() for name in first]
        if not self._has_header:
            self.names = [f"column {place}" for place in range(1, len(first) + 1)]
            self.notes.append("The file has no header row: its columns are named by their place.")

    def rows(self, file: InputFile) -> Iterator[tuple[int, list[str]]]:
        """The rows below the header as (line, cells)."""
        records = _records(file, self._limits)
        if self._has_header:
            line, header = _header(records, file)
            if [name.strip() for name in header] != self.names:
                raise file_error(file.name, line, f"not the header of {self._files[0].name}; give both parts the same.")
        for line, cells in records:
            if len(cells) != len(self.names):
                values = count(len(cells), "value")
                sentence = f"{values} where there are {len(self.names)} columns; complete or remove the row."
                raise file_error(file.name, line, sentence)
            yield line, cells

    def columns_of_words(self) -> set[int]:
        """Which columns hold words. A column of numbers with a stray word in it is an error instead."""
        n_numbers, n_words = np.zeros((2, len(self.names)), dtype=np.int64)
        first_word: dict[int, tuple[str, int, str]] = {}
        # One row too many is enough: there the second reading will stop.
        most = 1 + min(self._limits.max_rows, self._limits.max_cells // len(self.names))
        for file in self._files:
            for line, cells in islice(self.rows(file), most):
                values = _probe_row(cells)
                n_numbers += np.isfinite(values)
                is_word = np.isinf(values)
                for j in np.flatnonzero(is_word & (n_words == 0)).tolist():
                    first_word[j] = (file.name, line, cells[j].strip())
                n_words += is_word
        for j, (name, line, word) in first_word.items():
            try:
                check_word(word, self.names[j], stray=n_numbers[j] > n_words[j])
            except ValueError as error:
                raise file_error(name, line, str(error)) from error
        return set(first_word)


def check_word(word: str, column: str, *, stray: bool) -> None:
    """ValueError where a word in a column is rather a mistake: among more numbers it is a stray one."""
    if stray or _is_infinite(word):
        where = f"in column {excerpt(column)}, which holds numbers"
        raise ValueError(f"{excerpt(word)} {where}; correct it, or leave it empty where it is missing.")
    if _DECIMAL_COMMA.fullmatch(word):
        raise ValueError(f"{excerpt(word)} has a decimal comma; write numbers with a point.")
    if _FOR_PEOPLE.fullmatch(word):
        raise ValueError(f"{excerpt(word)} is a number as people write it; write it with digits, - and a point alone.")


def probe(cell: str) -> float:
    """The number in a cell: NaN where it is missing, infinity where it is a word."""
    try:
        return number(cell)
    except ValueError:
        return math.inf


def _header(records: Iterator[tuple[int, list[str]]], file: InputFile) -> tuple[int, list[str]]:
    for record in records:
        return record
    raise file_error(file.name, None, "there is no header row; the file may be empty.")


def _records(file: InputFile, limits: Limits) -> Iterator[tuple[int, list[str]]]:
    """The records as (line, fields), the header among them."""
    delimiter = _delimiter(_start(file, limits))
    # A field in quotes may go over several lines, so the line ends are given back.
    reader = csv.reader((line + "\n" for _, line in lines(file, limits)), delimiter=delimiter, strict=True)
    # In a table of one column a blank line between others is a gap: were it skipped, rows and labels would part.
    is_column, gaps = False, list[int]()
    try:
        for fields in reader:
            if len(fields) > 1 or "".join(fields).strip() or (fields == [""] and is_column):
                yield from ((line, [""]) for line in gaps)
                yield reader.line_num, fields
                is_column, gaps = len(fields) == 1, []
            elif is_column:
                gaps.append(reader.line_num)
    except csv.Error as error:
        raise file_error(file.name, reader.line_num, f"{error}; check the quotes there and above.") from error


def _start(file: InputFile, limits: Limits) -> list[str]:
    start, length = list[str](), 0
    for _, line in islice(lines(file, limits), _START_LINES):
        if line.strip():
            start.append(line)
            length += len(line)
        if length > _START_LENGTH and len(start) > 1:
            break
    return start


def _delimiter(start: Sequence[str]) -> str:
    """The sign that parts most of the first lines into as many fields as the header, and into the most of them.

    Of signs that do so alike, the one that is rarer in names and numbers.

    >>> _delimiter(["a,b;c,d", "1.5;2"]), _delimiter(["a|b|c,d"]), _delimiter(["a,b|c", "1,2|0", "3|1"])
    (';', '|', '|')
    """

    def parts(sign: str) -> tuple[int, int]:
        try:
            widths = [len(fields) for fields in csv.reader((line + "\n" for line in start), delimiter=sign)]
        except csv.Error:  # as a line that is not parted may be too long for a field
            return 0, 0
        return (widths.count(widths[0]), widths[0]) if widths and widths[0] > 1 else (0, 0)

    return max("\t|;,", key=parts)


def is_header(fields: list[str]) -> bool:
    values = _probe_row(fields)
    if np.isinf(values).any():
        return True
    # A header of numbers counts the columns; in few columns, data might too.
    return len(fields) > 3 and any(np.array_equal(values, np.arange(len(fields)) + start) for start in (0, 1))


def _probe_row(cells: list[str]) -> np.ndarray:
    """The numbers in a row: NaN where a value is missing, infinity where it is a word."""
    try:
        if "_" not in "".join(cells):
            return np.array([float(cell) for cell in cells])
    except ValueError:
        pass
    return np.array([probe(cell) for cell in cells])


def _is_infinite(word: str) -> bool:
    try:
        return math.isinf(float(word))
    except ValueError:
        return False


def _without_row_numbers(table: ParsedTable) -> ParsedTable:
    """Drop a first column that has no name and counts the rows, as pandas writes it."""
    first = table.cells[:, 0]
    if table.columns[0].name.lower() not in _UNNAMED or len(np.unique(first)) < len(first) or len(table.columns) == 1:
        return table
    note = "The first column has no name and a different value in each row: it is a row number, and dropped."
    return ParsedTable(table.columns[1:], table.cells[:, 1:], table.origins, notes=[*table.notes, note])
