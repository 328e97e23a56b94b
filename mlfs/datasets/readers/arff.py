"""ARFF, dense and sparse, as Weka, Mulan and MEKA write it.

Read line by line and checked on the way, so that an error knows its line. Sparse rows are never made dense:
a value they leave out is 0, which for a nominal attribute is the code of its FIRST declared value, as in Weka.
MEKA says in ``@relation 'name: -C 6'`` that the first 6 attributes are labels; with ``-C -6`` it is the last 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from mlfs.datasets.readers.columns import BadRow, Column, Words, convert_cells
from mlfs.datasets.readers.files import InputFile
from mlfs.datasets.readers.limits import Limits
from mlfs.datasets.readers.problems import problem, show
from mlfs.datasets.readers.quoting import DOUBLE, SINGLE, split_cells, split_sparse, unescape
from mlfs.datasets.readers.rows import DenseRows, SparseRows
from mlfs.datasets.readers.table import Table
from mlfs.datasets.readers.text import lines

_ATTRIBUTE = re.compile(rf"@attribute\s+(?:{SINGLE}|{DOUBLE}|([^\s{{]+))\s*(.*)", re.IGNORECASE)
_MEKA_LABELS = re.compile(r"-C\s+(-?[0-9]{1,9})\b")
_NUMERIC_TYPES = ("numeric", "real", "integer")
_TEXT_TYPES = ("string", "date")


def read(files: Sequence[InputFile], limits: Limits) -> Table:
    """The table in one ARFF file, or in a training and a test part that declare the same attributes."""
    reader = _Reader(limits)
    for file in files:
        reader.read(file)
    return reader.table()


class _Reader:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._relation = ""
        self._columns: list[Column] = []
        self._rows: DenseRows | SparseRows | None = None
        self._is_weighted = False

    def read(self, file: InputFile) -> None:
        numbered = lines(file, self._limits)
        relation, columns = _read_header(file, numbered, self._limits)
        if self._columns:
            _check_same(self._columns, columns, file)
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
            except BadRow as error:
                raise problem(file.name, number, str(error)) from error

    def table(self) -> Table:
        assert self._rows is not None
        cells = self._rows.cells(len(self._columns))
        notes = ["The instance weights in the file are not used."] if self._is_weighted else []
        return Table(self._columns, cells, self._rows.origins, _labels_by_meka(self._relation, self._columns), notes)

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
            indices, cells = split_sparse(row)
            last = len(self._columns) - 1
            if indices and max(indices) > last:
                raise BadRow(f"index {max(indices)}, but the header has attributes 0 to {last}; correct it.")
            self._rows.add(number, indices, convert_cells([self._columns[j] for j in indices], cells))
        elif not is_sparse and isinstance(self._rows, DenseRows):
            self._rows.add(number, convert_cells(self._columns, split_cells(row)))
        else:
            raise BadRow("dense and sparse rows are mixed; write all rows in one way.")

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
            raise BadRow(f"the instance weight {show(weight)} is not a number; correct or remove it.") from error
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
                raise BadRow(f"{show(line)} where @relation, @attribute or @data is expected; is this an ARFF file?")
            if len(columns) > limits.max_features + limits.max_labels:
                raise BadRow("more attributes than the limits allow; take a part of them, or raise max_features.")
        except BadRow as error:
            raise problem(file.name, number, str(error)) from error
    else:
        raise problem(file.name, None, "there is no @data line; the file may have been cut off.")
    if not columns:
        raise problem(file.name, None, "there is no @attribute line before @data; is this an ARFF file?")
    return relation, columns


def _read_attribute(line: str, declared: dict[str, Words]) -> Column:
    match = _ATTRIBUTE.fullmatch(line)
    if not match:
        raise BadRow(f"{show(line)} cannot be read; write @attribute name type.")
    single, double, plain, type_ = match.groups()
    name = plain if plain is not None else unescape(single if single is not None else double)
    if type_.startswith("{"):
        if type_ not in declared:
            declared[type_] = _read_values(type_)
        return Column(name, declared[type_])
    word = type_.split(maxsplit=1)[0].lower() if type_ else ""
    if word in _NUMERIC_TYPES:
        return Column(name)
    if word in _TEXT_TYPES:
        return Column(name, Words(growing=True))
    raise BadRow(f"attribute {show(name)} has the type {show(type_)}; use numeric, string or {{value, value}}.")


def _read_values(type_: str) -> Words:
    is_quoted = "'" in type_ or '"' in type_
    end = type_.rfind("}") if is_quoted else type_.find("}")
    rest = type_[end + 1 :].strip()
    if end < 0 or (rest and not rest.startswith("%")):
        raise BadRow(f"the values {show(type_)} do not end with a brace; write {{value, value}}.")
    values = [value.strip() for value in split_cells(type_[1:end])]
    if "" in values:
        raise BadRow(f"the values {show(type_)} have an empty one; write {{value, value}}.")
    if len(set(values)) < len(values):
        raise BadRow(f"the values {show(type_)} have one twice; write each once.")
    return Words(values)


def _check_same(columns: list[Column], others: list[Column], file: InputFile) -> None:
    if len(columns) != len(others):
        sentence = f"{len(others)} attributes where the training part has {len(columns)}; give both the same header."
        raise problem(file.name, None, sentence)
    for place, (column, other) in enumerate(zip(columns, others, strict=True), start=1):
        if column.name != other.name:
            different = f"is {show(other.name)} where the training part has {show(column.name)}"
        elif column.declaration != other.declaration:
            different = f"({show(column.name)}) is not declared as in the training part"
        else:
            continue
        raise problem(file.name, None, f"attribute {place} {different}; give both parts the same header.")


def _labels_by_meka(relation: str, columns: list[Column]) -> range | None:
    match = _MEKA_LABELS.search(relation.partition(":")[2])
    n_labels = int(match[1]) if match else 0
    if not 0 < abs(n_labels) < len(columns):
        return None
    return range(n_labels) if n_labels > 0 else range(len(columns) + n_labels, len(columns))
