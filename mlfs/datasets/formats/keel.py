"""KEEL's .dat: a header like ARFF's, in which @inputs and @outputs name the features and the labels.

Its numeric attributes give their range (``real [0, 1]``), which is not needed; a missing value is ``<null>`` or ``?``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mlfs.datasets.formats.errors import Limits, RowError, excerpt, file_error, listing
from mlfs.datasets.formats.input_files import InputFile, lines
from mlfs.datasets.formats.parsed_table import Column, DenseRows, ParsedTable, Words, convert_cells

_ATTRIBUTE = re.compile(r"@attribute\s+(?:'([^']*)'|([^\s{\[]+))\s*(.*)", re.IGNORECASE)
_NUMERIC = re.compile(r"(real|integer|numeric)\s*(\[.*\])?", re.IGNORECASE)
_WORDS = re.compile(r"\{(.*)\}")
_NULL = "<null>"


def read(files: Sequence[InputFile], limits: Limits) -> ParsedTable:
    """The table in one KEEL file, or in a training and a test part with the same header."""
    header: _Header | None = None
    rows = DenseRows(limits)
    for file in files:
        numbered = ((number, line.strip()) for number, line in lines(file, limits))
        this = _Header(file, numbered, limits)
        if header is not None and this.declarations != header.declarations:
            raise file_error(file.name, None, f"not the header of {files[0].name}; give both parts the same.")
        header = header or this
        rows.begin_file(file)
        for number, line in numbered:
            if not line or line.startswith("%"):
                continue
            cells = ["?" if cell.strip() == _NULL else cell.strip() for cell in line.split(",")]
            try:
                rows.add(number, convert_cells(header.columns, cells))
            except RowError as error:
                raise file_error(file.name, number, str(error)) from error
    assert header is not None
    values, labels, unused = rows.cells(len(header.columns)), header.labels(files[0]), header.unused(files[0])
    if not unused:
        return ParsedTable(header.columns, values, rows.origins, labels)
    kept = [j for j in range(len(header.columns)) if j not in unused]
    names = listing([header.columns[j].name for j in unused])
    notes = [f"@inputs and @outputs do not name {names}, which is no feature then."]
    columns = [header.columns[j] for j in kept]
    return ParsedTable(columns, values[:, kept], rows.origins, labels and [kept.index(j) for j in labels], notes)


class _Header:
    """All lines up to @data."""

    def __init__(self, file: InputFile, numbered: Iterator[tuple[int, str]], limits: Limits) -> None:
        self.columns: list[Column] = []
        self._inputs: list[str] = []
        self._outputs: list[str] = []
        for number, line in numbered:
            keyword = line.partition(" ")[0].lower()
            if keyword == "@attribute":
                self._add(file, number, line)
            elif keyword in ("@output", "@outputs"):
                self._outputs = _names(line[len(keyword) :])
            elif keyword in ("@input", "@inputs"):
                self._inputs = _names(line[len(keyword) :])
            elif keyword == "@data":
                break
            elif line and not line.startswith("%") and keyword != "@relation":
                sentence = (
                    f"{excerpt(line)} where @attribute, @inputs, @outputs or @data is expected; is this a KEEL file?"
                )
                raise file_error(file.name, number, sentence)
            if len(self.columns) > limits.max_features + limits.max_labels:
                raise file_error(file.name, number, "too many attributes; use fewer, or raise max_features.")
        else:
            raise file_error(file.name, None, "there is no @data line; the file may have been cut off.")
        if not self.columns:
            raise file_error(file.name, None, "there is no @attribute line before @data; is this a KEEL file?")

    def _add(self, file: InputFile, number: int, line: str) -> None:
        match = _ATTRIBUTE.fullmatch(line)
        name, kind = ((match[1] or match[2]).strip(), match[3].strip()) if match else ("", "")
        if _NUMERIC.fullmatch(kind):
            self.columns.append(Column(name))
        elif words := _WORDS.fullmatch(kind):
            values = [word.strip() for word in words[1].split(",")]
            if len(set(values)) < len(values) or "" in values:
                raise file_error(file.name, number, f"the values {excerpt(kind)} have one twice, or an empty one.")
            self.columns.append(Column(name, Words(values)))
        else:
            sentence = f"{excerpt(line)} cannot be read; write @attribute name real [0, 1], or {{value, value}}."
            raise file_error(file.name, number, sentence)

    @property
    def declarations(self) -> list[object]:
        """What two parts must agree on."""
        return [[(column.name, column.declaration) for column in self.columns], self._inputs, self._outputs]

    def labels(self, file: InputFile) -> list[int] | None:
        """The columns that @outputs names; None where it is not there."""
        return self._named(file, "@outputs", self._outputs) or None

    def unused(self, file: InputFile) -> list[int]:
        """The columns that neither @inputs nor @outputs names; without @inputs all others are features."""
        inputs, outputs = self._named(file, "@inputs", self._inputs), self.labels(file) or []
        if both := set(inputs) & set(outputs):
            name = excerpt(self.columns[min(both)].name)
            raise file_error(file.name, None, f"@inputs and @outputs both name {name}; keep it in one of them.")
        return [j for j in range(len(self.columns)) if j not in {*inputs, *outputs}] if inputs else []

    def _named(self, file: InputFile, keyword: str, names: list[str]) -> list[int]:
        places = {column.name: j for j, column in enumerate(self.columns)}
        unknown = [name for name in names if name not in places]
        if unknown:
            raise file_error(
                file.name, None, f"{keyword} names {excerpt(unknown[0])}, which is not an @attribute; correct it."
            )
        return [j for j, column in enumerate(self.columns) if column.name in set(names)]


def _names(text: str) -> list[str]:
    return [name.strip().strip("'") for name in text.split(",") if name.strip()]
