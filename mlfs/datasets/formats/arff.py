"""ARFF, dense and sparse, as Weka, Mulan and MEKA write it.

Read line by line and checked on the way, so that an error knows its line. Sparse rows are never made dense:
a value they leave out is 0, which for a nominal attribute is the code of its FIRST declared value, as in Weka.
MEKA says in ``@relation 'name: -C 6'`` that the first 6 attributes are labels; with ``-C -6`` it is the last 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import numpy as np
from scipy import sparse

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats.errors import Limits, RowError, excerpt, file_error, shortened
from mlfs.datasets.formats.input_files import InputFile, lines
from mlfs.datasets.formats.parsed_table import (
    Column,
    DenseRows,
    ParsedTable,
    SparseRows,
    Words,
    convert_cells,
    number_text,
)

# Possessive (*+), so that an unclosed quote in a long line is not looked at again and again.
_SINGLE = r"'([^'\\]*+(?:\\.[^'\\]*+)*+)'"
_DOUBLE = r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"'
_CELL = re.compile(rf"\s*(?:{_SINGLE}\s*,|{_DOUBLE}\s*,|([^,]*),)")
_PAIR = re.compile(rf"\s*([0-9]{{1,9}})\s+(?:{_SINGLE}\s*,|{_DOUBLE}\s*,|([^,]*),)")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r"}
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_ATTRIBUTE = re.compile(rf"@attribute\s+(?:{_SINGLE}|{_DOUBLE}|([^\s{{]+))\s*(.*)", re.IGNORECASE)
_MEKA_LABELS = re.compile(r"-C\s+(-?[0-9]{1,9})\b")
_NUMERIC_TYPES = ("numeric", "real", "integer")
_TEXT_TYPES = ("string", "date")


def read(files: Sequence[InputFile], limits: Limits) -> ParsedTable:
    """The table in one ARFF file, or in a training and a test part that declare the same attributes."""
    reader = _ArffReader(limits)
    for file in files:
        reader.read(file)
    return reader.table()


def write(ds: Dataset, rows: np.ndarray, path: Path) -> None:
    """Write the rows, sparse ones where X is sparse; the labels come last, counted by ``-C`` for MEKA."""
    q = ds.Y.shape[1]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"@relation {_quoted(f'{ds.name}: -C -{q}')}\n\n")
        for j, name in enumerate(ds.feature_names):
            file.write(f"@attribute {_quoted(name)} {_type_of(ds, j)}\n")
        for name in ds.label_names:
            file.write(f"@attribute {_quoted(name)} {{0,1}}\n")
        file.write("\n@data\n")
        file.writelines(_sparse_lines(ds, rows) if sparse.issparse(ds.X) else _dense_lines(ds, rows))


class _ArffReader:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._relation = ""
        self._columns: list[Column] = []
        self._rows: DenseRows | SparseRows | None = None
        self._is_weighted = False
        self._notes: list[str] = []

    def read(self, file: InputFile) -> None:
        numbered = lines(file, self._limits)
        relation, columns = _read_header(file, numbered, self._limits)
        if self._columns:
            _check_same(self._columns, columns, file)
            labels = _labels_by_meka(relation, columns)
            if labels not in (None, _labels_by_meka(self._relation, columns)):
                self._notes.append(f"The -C in @relation of {file.name} is another than in the part before it.")
        else:
            self._relation, self._columns = relation, columns
        data = ((number, row) for number, line in numbered if (row := line.strip()) and not row.startswith("%"))
        first = next(data, (0, ""))
        if self._rows is None:
            self._rows = self._rows_like(first[1])
        self._rows.begin_file(file)
        for number, row in chain([first] if first[1] else [], data):
            try:
                self._add(number, row)
            except RowError as error:
                raise file_error(file.name, number, str(error)) from error

    def table(self) -> ParsedTable:
        assert self._rows is not None
        cells = self._rows.cells(len(self._columns))
        notes = self._notes + (["The instance weights in the file are not used."] if self._is_weighted else [])
        labels = _labels_by_meka(self._relation, self._columns)
        return ParsedTable(self._columns, cells, self._rows.origins, labels, notes, labels_by_meka=True)

    def _rows_like(self, row: str) -> DenseRows | SparseRows:
        if not row.startswith("{"):
            return DenseRows(self._limits)
        # What a sparse row leaves out has code 0, which no word of a string attribute may have then.
        for column in self._columns:
            if column.words is not None and column.words.growing:
                column.words[""] = 0
        return SparseRows(self._limits)

    def _add(self, number: int, row: str) -> None:
        is_sparse = row.startswith("{")
        row = self._without_weight(row)
        if is_sparse and isinstance(self._rows, SparseRows):
            indices, cells = _split_sparse(row)
            last = len(self._columns) - 1
            if indices and max(indices) > last:
                raise RowError(
                    f"index {shortened(str(max(indices)), 20)}, but the header has attributes 0 to {last}; correct it."
                )
            self._rows.add(number, indices, convert_cells([self._columns[j] for j in indices], cells))
        elif not is_sparse and isinstance(self._rows, DenseRows):
            self._rows.add(number, convert_cells(self._columns, _split_cells(row)))
        else:
            raise RowError("dense and sparse rows are mixed; write all rows in one way.")

    def _without_weight(self, row: str) -> str:
        """Cut off an instance weight: ``1,2,{0.5}`` or ``{0 1}, {0.5}``."""
        if not row.endswith("}") or row.rfind("{") == 0:
            return row
        rest, _, weight = row[:-1].rpartition("{")
        rest = rest.rstrip()
        if not rest.endswith(",") or (row.startswith("{") and not rest[:-1].rstrip().endswith("}")):
            return row
        try:
            float(weight)
        except ValueError as error:
            raise RowError(f"the instance weight {excerpt(weight)} is not a number; correct or remove it.") from error
        self._is_weighted = True
        return rest[:-1].rstrip()


def _read_header(file: InputFile, numbered: Iterator[tuple[int, str]], limits: Limits) -> tuple[str, list[Column]]:
    """Read up to @data: the relation and the attributes."""
    relation = ""
    columns: list[Column] = []
    declared: dict[str, Words] = {}  # thousands of attributes often share one list of values
    for number, line in numbered:
        line = line.strip()
        keyword = line[:10].lower()
        try:
            if not line or line.startswith("%"):
                continue
            if keyword == "@attribute":
                columns.append(_read_attribute(line, declared))
            elif keyword.startswith("@relation"):
                relation = line[9:].strip()
            elif keyword.startswith("@data"):
                break
            else:
                raise RowError(
                    f"{excerpt(line)} where @relation, @attribute or @data is expected; is this an ARFF file?"
                )
            if len(columns) > limits.max_features + limits.max_labels:
                raise RowError("more attributes than the limits allow; use fewer, or raise max_features.")
        except RowError as error:
            raise file_error(file.name, number, str(error)) from error
    else:
        raise file_error(file.name, None, "there is no @data line; the file may have been cut off.")
    if not columns:
        raise file_error(file.name, None, "there is no @attribute line before @data; is this an ARFF file?")
    return relation, columns


def _read_attribute(line: str, declared: dict[str, Words]) -> Column:
    match = _ATTRIBUTE.fullmatch(line)
    if not match:
        raise RowError(f"{excerpt(line)} cannot be read; write @attribute name type.")
    single, double, plain, type_ = match.groups()
    name = plain if plain is not None else _unescape(single if single is not None else double)
    if type_.startswith("{"):
        if type_ not in declared:
            declared[type_] = _read_values(type_)
        return Column(name, declared[type_])
    word = type_.split(maxsplit=1)[0].lower() if type_ else ""
    if word in _NUMERIC_TYPES:
        return Column(name)
    if word in _TEXT_TYPES:
        return Column(name, Words(growing=True))
    raise RowError(f"attribute {excerpt(name)} has the type {excerpt(type_)}; use numeric, string or {{value, value}}.")


def _read_values(type_: str) -> Words:
    is_quoted = "'" in type_ or '"' in type_
    end = type_.rfind("}") if is_quoted else type_.find("}")
    rest = type_[end + 1 :].strip()
    if end < 0 or (rest and not rest.startswith("%")):
        raise RowError(f"the values {excerpt(type_)} do not end with a brace; write {{value, value}}.")
    values = [value.strip() for value in _split_cells(type_[1:end])]
    if "" in values:
        raise RowError(f"the values {excerpt(type_)} have an empty one; write {{value, value}}.")
    if len(set(values)) < len(values):
        raise RowError(f"the values {excerpt(type_)} have one twice; write each once.")
    return Words(values)


def _check_same(columns: list[Column], others: list[Column], file: InputFile) -> None:
    if len(columns) != len(others):
        sentence = f"{len(others)} attributes where the training part has {len(columns)}; give both the same header."
        raise file_error(file.name, None, sentence)
    for place, (column, other) in enumerate(zip(columns, others, strict=True), start=1):
        if column.name != other.name:
            different = f"is {excerpt(other.name)} where the training part has {excerpt(column.name)}"
        elif column.declaration != other.declaration:
            different = f"({excerpt(column.name)}) is not declared as in the training part"
        else:
            continue
        raise file_error(file.name, None, f"attribute {place} {different}; give both parts the same header.")


def _labels_by_meka(relation: str, columns: list[Column]) -> range | None:
    match = _MEKA_LABELS.search(relation.partition(":")[2])
    n_labels = int(match[1]) if match else 0
    if not 0 < abs(n_labels) < len(columns):
        return None
    return range(n_labels) if n_labels > 0 else range(len(columns) + n_labels, len(columns))


def _split_cells(row: str) -> list[str]:
    r"""Cut a row at its commas, but not at those in quotes.

    >>> _split_cells(r"1,'a, b',it's,'it\'s'")
    ['1', 'a, b', "it's", "it's"]
    """
    if "'" not in row and '"' not in row:
        return row.split(",")
    return [_cell_text(*match.groups()) for match in _CELL.finditer(row + ",")]


def _split_sparse(row: str) -> tuple[list[int], list[str]]:
    """``{1 0.5, 7 'a b'}`` → the indices and the texts of the values."""
    if not row.endswith("}"):
        raise RowError("the sparse row does not end with a brace; the file may have been cut off.")
    inner = row[1:-1]
    if not inner or inner.isspace():
        return [], []
    if "'" in inner or '"' in inner:
        return _split_quoted_pairs(inner + ",")
    pairs = [pair.split() for pair in inner.split(",")]
    try:
        texts = [index for index, _ in pairs]
        if "".join(texts).isdecimal():
            return [int(index) for index in texts], [value for _, value in pairs]
    except ValueError:
        pass
    bad = next((pair for pair in pairs if len(pair) != 2 or not pair[0].isdecimal()), pairs[0])
    raise RowError(f"{excerpt(' '.join(bad))} where a sparse row has an index and a value, such as 7 0.5; correct it.")


def _split_quoted_pairs(inner: str) -> tuple[list[int], list[str]]:
    indices, cells, place = [], [], 0
    while place < len(inner):
        # Not finditer, which would look for a pair from every blank of a long run of blanks.
        match = _PAIR.match(inner, place)
        if not match:
            raise RowError(f"{excerpt(inner[place:-1])} where a sparse row has an index and a value; correct it.")
        indices.append(int(match[1]))
        cells.append(_cell_text(*match.groups()[1:]))
        place = match.end()
    return indices, cells


def _cell_text(single: str | None, double: str | None, plain: str | None) -> str:
    if plain is not None:
        return plain
    return _unescape(single if single is not None else double or "")


def _unescape(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        escape = match[1]
        if len(escape) == 1:
            return _CONTROL.get(escape, escape)
        code = int(escape[1:], 16)
        return "\N{REPLACEMENT CHARACTER}" if 0xD800 <= code < 0xE000 else chr(code)  # half a character

    return _ESCAPE.sub(character, text) if "\\" in text else text


def _quoted(text: str) -> str:
    r"""
    >>> print(_quoted("it's 5%"))
    'it\'s 5%'
    """
    return f"'{text.translate(_ESCAPES)}'"


def _type_of(ds: Dataset, j: int) -> str:
    return f"{{{','.join(map(_quoted, ds.categories[j]))}}}" if j in ds.categories else "numeric"


def _written_cell(ds: Dataset, j: int, value: float) -> str:
    return _quoted(ds.categories[j][int(value)]) if j in ds.categories else number_text(value)


def _dense_lines(ds: Dataset, rows: np.ndarray) -> Iterator[str]:
    for row in rows:
        cells = [_written_cell(ds, j, value) for j, value in enumerate(ds.X[row].tolist())]
        yield ",".join([*cells, *map(str, ds.Y[row].tolist())]) + "\n"


def _sparse_lines(ds: Dataset, rows: np.ndarray) -> Iterator[str]:
    """What a sparse row leaves out is 0: the number, the first category, the label that does not apply."""
    d = ds.X.shape[1]
    for row in rows:
        start, end = ds.X.indptr[row : row + 2]
        stored = sorted(zip(ds.X.indices[start:end].tolist(), ds.X.data[start:end].tolist(), strict=True))
        pairs = [f"{j} {_written_cell(ds, j, value)}" for j, value in stored]
        pairs += [f"{d + label} 1" for label in np.flatnonzero(ds.Y[row]).tolist()]
        yield f"{{{', '.join(pairs)}}}\n"
