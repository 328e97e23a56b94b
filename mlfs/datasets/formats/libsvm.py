"""Multi-label LibSVM: ``1,3 4:0.5 7:1`` is a row with labels 1 and 3; a row without labels starts with its features.

Features count from 1, unless a 0 occurs. A first line of three numbers is the header of the extreme classification
repository (rows, features, labels), whose files count features and labels from 0.
Written are labels and features that count from 1; their names are lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from scipy import sparse

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats.errors import Limits, RowError, count, excerpt, file_error
from mlfs.datasets.formats.input_files import InputFile, lines
from mlfs.datasets.formats.parsed_table import Column, ParsedTable, SparseRows, Words, convert_cells, number_text
from mlfs.errors import DatasetError

_MOST_DIGITS = 9  # so that any index fits into 32 bits
_NUMBERS = Column("")
_ZERO_ONE = Words(["0", "1"])


def read(files: Sequence[InputFile], limits: Limits) -> ParsedTable:
    """The table in one LibSVM file, or in a training and a test part."""
    reader = _LibsvmReader(limits)
    for file in files:
        reader.begin_file(file)
        for number, line in lines(file, limits):
            tokens = line.partition("#")[0].split()
            try:
                if number == 1 and len(tokens) == 3 and all(_is_index(token) for token in tokens):
                    reader.read_sizes(tokens)
                elif tokens:
                    reader.read_row(number, tokens)
            except RowError as error:
                raise file_error(file.name, number, str(error)) from error
    return reader.table()


def write(ds: Dataset, rows: np.ndarray, path: Path) -> None:
    """Write the rows."""
    if ds.categories:
        raise DatasetError(f"LibSVM knows no categories, and {ds.name} has some: write it as ARFF.")
    if never := [name for name, column in zip(ds.label_names, ds.Y.T, strict=True) if not column.any()]:
        raise DatasetError(f"LibSVM cannot tell that the label {never[0]!r} of {ds.name} never applies: write ARFF.")
    X, d = sparse.csr_matrix(ds.X), ds.X.shape[1]
    X.sort_indices()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for place, row in enumerate(rows):
            start, end = X.indptr[row : row + 2]
            values = dict(zip((X.indices[start:end] + 1).tolist(), X.data[start:end].tolist(), strict=True))
            if place == 0:
                values.setdefault(d, 0.0)  # else a last feature that is always 0 would be lost
            labels = ",".join(str(label + 1) for label in np.flatnonzero(ds.Y[row]).tolist())
            if not labels and not values:
                values[1] = 0.0  # an empty line would not be a row
            pairs = [f"{j}:{number_text(value)}" for j, value in values.items()]
            file.write(" ".join(filter(None, [labels, *pairs])) + "\n")


class _LibsvmReader:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._features = SparseRows(limits)
        self._labels = SparseRows(limits)
        self._label_places: dict[int, int] = {}  # label → its place among those met
        self._lowest, self._highest = 1, 0

    def begin_file(self, file: InputFile) -> None:
        self._features.begin_file(file)
        self._labels.begin_file(file)

    def read_sizes(self, tokens: list[str]) -> None:
        _, n_features, n_labels = map(int, tokens)
        self._meet_features([0, n_features - 1] if n_features else [])
        # One label too many is enough to be refused.
        self._meet_labels(range(min(n_labels, self._limits.max_labels + 1)))

    def read_row(self, line: int, tokens: list[str]) -> None:
        labels = [] if ":" in tokens[0] else tokens.pop(0).split(",")
        if not all(_is_index(label.removeprefix("-")) for label in labels):
            raise RowError(
                f"the labels {excerpt(','.join(labels))} are not whole numbers separated by commas, such as 1,3."
            )
        pairs = [token.split(":") for token in tokens]
        for pair in pairs:
            if len(pair) != 2 or not _is_index(pair[0]):
                raise RowError(f"{excerpt(':'.join(pair))} is not a feature; write index:value, such as 7:0.5.")
        indices = [int(index) for index, _ in pairs]
        self._meet_features(indices)
        values = convert_cells([_NUMBERS] * len(pairs), [value for _, value in pairs])
        places = self._meet_labels(dict.fromkeys(map(int, labels)))
        self._features.add(line, indices, values)
        self._labels.add(line, places, [1.0] * len(places))

    def table(self) -> ParsedTable:
        first = self._lowest
        numbers = range(first, self._highest + 1)
        features = self._features.cells(self._highest + 1)[:, first:]
        labels = self._labels.cells(len(self._label_places))
        in_order = sorted(self._label_places)
        labels = labels[:, [self._label_places[label] for label in in_order]]
        columns = [Column(f"f{number}") for number in numbers] + [Column(str(label), _ZERO_ONE) for label in in_order]
        cells = sparse.hstack([features, labels], format="csr")
        return ParsedTable(columns, cells, self._features.origins, range(len(numbers), len(columns)))

    def _meet_features(self, indices: Sequence[int]) -> None:
        self._lowest = min([self._lowest, *indices])
        self._highest = max([self._highest, *indices])
        if self._highest > self._limits.max_features:
            raise RowError(f"feature {self._highest} is too far; correct it, or raise max_features.")

    def _meet_labels(self, labels: Iterable[int]) -> list[int]:
        places = [self._label_places.setdefault(label, len(self._label_places)) for label in labels]
        if len(self._label_places) > self._limits.max_labels:
            raise RowError(f"more than {count(self._limits.max_labels, 'label')}; use fewer, or raise max_labels.")
        return places


def _is_index(token: str) -> bool:
    return token.isdecimal() and len(token) <= _MOST_DIGITS
