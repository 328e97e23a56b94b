"""Parquet and Feather, read and written by pyarrow. What we write says in its metadata which columns are labels.

A column of text is read as codes and words, so that one long word in a million rows takes its length once.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats.errors import Limits, excerpt, file_error
from mlfs.datasets.formats.frames import Cells, check_size, durations, read_columns, tell_labels
from mlfs.datasets.formats.input_files import InputFile
from mlfs.datasets.formats.parsed_table import ParsedTable
from mlfs.encoding import dense
from mlfs.errors import DatasetError

_LABELS = b"mlfs.labels"
_INDEX = "__index_level_"  # what pandas calls its row names


def read_parquet(files: Sequence[InputFile], limits: Limits) -> ParsedTable:
    """The table in one Parquet file, or in a training and a test part with the same columns."""
    return _read(files, limits, _open_parquet)


def read_feather(files: Sequence[InputFile], limits: Limits) -> ParsedTable:
    """The table in one Feather file (an Arrow file), or in a training and a test part with the same columns."""
    return _read(files, limits, _open_feather)


def write_parquet(ds: Dataset, rows: np.ndarray, path: Path) -> None:
    """Write the rows; categories as such, the labels as whole numbers."""
    import pyarrow.parquet as pq

    pq.write_table(_table(ds, rows), path)


def write_feather(ds: Dataset, rows: np.ndarray, path: Path) -> None:
    """Write the rows; categories as such, the labels as whole numbers."""
    from pyarrow import feather

    feather.write_feather(_table(ds, rows), path)


def _table(ds: Dataset, rows: np.ndarray) -> Any:
    import pyarrow as pa

    names = [*ds.feature_names, *ds.label_names]
    if len(set(names)) < len(names):
        raise DatasetError(f"{ds.name} has a feature and a label of the same name: rename one of them.")
    columns = []
    for j in range(ds.X.shape[1]):
        values = dense(ds.X[:, [j]])[rows, 0]
        if j in ds.categories:
            values = pa.DictionaryArray.from_arrays(values.astype(np.int32), list(ds.categories[j]))
        columns.append(pa.array(values))
    columns += [pa.array(column[rows]) for column in ds.Y.T]
    return pa.table(columns, names, metadata={_LABELS: json.dumps(ds.label_names)})


@dataclass(frozen=True)
class _Opened:
    """A file whose schema is known and whose rows are not read yet."""

    schema: Any
    n_rows: int
    read: Callable[[], Any]

    def __post_init__(self) -> None:
        _ = self.names  # damaged ones are no text: better here, where damage is told, than later

    @property
    def places(self) -> list[int]:
        """The columns, without those that pandas adds for its row names."""
        return [j for j, name in enumerate(self.schema.names) if not name.startswith(_INDEX)]

    @property
    def names(self) -> list[str]:
        return [self.schema.names[j].strip() for j in self.places]


def _read(files: Sequence[InputFile], limits: Limits, open_file: Callable[[InputFile, Limits], _Opened]) -> ParsedTable:
    opened = [_guarded(file.name, partial(open_file, file, limits)) for file in files]
    first, schema = files[0].name, opened[0].schema
    for file, part in zip(files, opened, strict=True):
        if part.names != opened[0].names:
            raise file_error(file.name, None, f"not the columns of {first}; give both parts the same.")
        check_size(file.name, part.n_rows, len(part.names), limits)
    check_size(first, sum(part.n_rows for part in opened), len(opened[0].names), limits)
    tables = [_guarded(file.name, partial(_rows, part)) for file, part in zip(files, opened, strict=True)]

    def column(j: int) -> Cells:
        parts = [table.column(part.places[j]) for part, table in zip(opened, tables, strict=True)]
        return _guarded(first, partial(_cells, schema.field(opened[0].places[j]), parts))

    counts = [(file.name, part.n_rows) for file, part in zip(files, opened, strict=True)]
    table = read_columns(counts, len(opened[0].names), column)
    if len(opened[0].names) < len(schema.names):
        table.notes.append("The row names that pandas keeps in the file are not used as a feature.")
    tell_labels(table, _told(schema.metadata))
    return table


def _rows(part: _Opened) -> Any:
    table = part.read()
    table.validate(full=True)
    if table.num_rows != part.n_rows:
        raise ValueError("not as many rows as the file says")
    return table


def _open_parquet(file: InputFile, limits: Limits) -> _Opened:
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = pa.py_buffer(file.content(limits))
    about = pq.ParquetFile(pa.BufferReader(content))
    sizes = [about.metadata.row_group(place).total_byte_size for place in range(about.metadata.num_row_groups)]
    _check_bytes(file, sum(sizes), limits)
    texts = [field.name for field in about.schema_arrow if _is_text(field.type)]
    opened = pq.ParquetFile(pa.BufferReader(content), read_dictionary=texts)
    return _Opened(_checked(about.schema_arrow, file), about.metadata.num_rows, opened.read)


def _open_feather(file: InputFile, limits: Limits) -> _Opened:
    import pyarrow as pa

    content = file.content(limits)
    if not content.startswith(b"ARROW1"):
        raise file_error(file.name, None, "not a Feather file of version 2; write it again with pandas or pyarrow.")
    # Between its magic words, a file is a stream, whose messages can be looked at before anything is unpacked.
    stream = pa.py_buffer(content)[8:]
    promised = [_promised(message) for message in pa.ipc.MessageReader.open_stream(pa.BufferReader(stream))]
    _check_bytes(file, sum(size for _, size in promised), limits)
    n_rows = sum(rows or 0 for rows, _ in promised)
    n_batches = sum(rows is not None for rows, _ in promised)
    foot = pa.ipc.open_file(pa.BufferReader(content))
    opened = pa.ipc.open_stream(pa.BufferReader(stream))
    if foot.num_record_batches != n_batches or not foot.schema.equals(opened.schema):
        raise ValueError("its end is damaged")
    return _Opened(_checked(opened.schema, file), n_rows, opened.read_all)


def _check_bytes(file: InputFile, size: int, limits: Limits) -> None:
    if size > limits.max_bytes:
        remedy = "use fewer rows, or raise max_bytes."
        raise file_error(file.name, None, f"larger than {limits.max_bytes:,} bytes uncompressed; {remedy}")


def _checked(schema: Any, file: InputFile) -> Any:
    from pyarrow import types

    for field in schema:
        kind = field.type.value_type if types.is_dictionary(field.type) else field.type
        if not (types.is_primitive(kind) or types.is_null(kind) or types.is_decimal(kind) or _is_text(kind)):
            sentence = f"column {excerpt(field.name)} holds neither numbers nor words; leave it out, or split it up."
            raise file_error(file.name, None, sentence)
        if types.is_duration(kind):
            raise file_error(file.name, None, durations(field.name))
    return schema


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)


def _cells(field: Any, parts: Sequence[Any]) -> Cells:
    """One column of all parts."""
    import pyarrow as pa
    from pyarrow import types

    name, kind = field.name.strip(), field.type
    if types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        chunks = [part.cast(pa.float64(), safe=False).to_numpy() for part in parts]
        return Cells(name, np.concatenate(chunks))
    if types.is_null(kind):
        return Cells(name, np.full(sum(map(len, parts)), np.nan))
    coded = [part if types.is_dictionary(part.type) else part.cast(pa.string()).dictionary_encode() for part in parts]
    # One list of words for all parts, in the order of the first.
    words: dict[Any, int] = {}
    codes = []
    for chunk in (chunk for part in coded for chunk in part.chunks):
        listed = [words.setdefault(word, len(words)) for word in chunk.dictionary.to_pylist()]
        places = chunk.indices.fill_null(len(listed)).to_numpy(zero_copy_only=False)
        codes.append(np.array([*listed, -1])[places])
    return Cells(name, np.concatenate(codes), list(words), declared=types.is_dictionary(kind))


def _told(metadata: Any) -> list[str]:
    """The labels that the file names itself."""
    try:
        labels = json.loads((metadata or {}).get(_LABELS, b"[]"))
    except ValueError:
        return []
    return [str(label) for label in labels] if isinstance(labels, list) else []


def _promised(message: Any) -> tuple[int | None, int]:
    """How many rows a message of Arrow adds to the table, None for no record batch, and to how many bytes it unpacks.

    Read from its head, a FlatBuffer: of a record batch the fields are length, nodes, buffers and compression.
    """
    head, body = message.metadata.to_pybytes(), message.body
    root = _FlatTable(head, _u32(head, 0))
    kind = root.byte(1)
    if kind not in (_DICTIONARY_BATCH, _RECORD_BATCH):
        return None, 0
    batch = root.table(2) if kind == _RECORD_BATCH else root.table(2).table(1)
    n_rows = batch.long(0) if kind == _RECORD_BATCH else None
    n_bytes = 0
    for offset, length in batch.pairs(2):
        if batch.place(3) and length >= 8:  # compressed: the size stands first, -1 where it is not worth it
            length = max(length, *struct.unpack("<q", body.slice(offset, 8).to_pybytes()))
        n_bytes += length
    return n_rows, n_bytes


_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3


def _u32(content: bytes, at: int) -> int:
    return struct.unpack_from("<I", content, at)[0]


@dataclass(frozen=True)
class _FlatTable:
    """A table of a FlatBuffer: its fields are found by their number."""

    content: bytes
    at: int

    def place(self, field: int) -> int:
        """Where a field stands; 0 where the table leaves it out."""
        fields = self.at - struct.unpack_from("<i", self.content, self.at)[0]
        size = struct.unpack_from("<H", self.content, fields)[0]
        offset = struct.unpack_from("<H", self.content, fields + 4 + 2 * field)[0] if 4 + 2 * field < size else 0
        return self.at + offset if offset else 0

    def byte(self, field: int) -> int:
        return self.content[place] if (place := self.place(field)) else 0

    def long(self, field: int) -> int:
        return struct.unpack_from("<q", self.content, place)[0] if (place := self.place(field)) else 0

    def table(self, field: int) -> _FlatTable:
        place = self.place(field)
        return _FlatTable(self.content, place + _u32(self.content, place))

    def pairs(self, field: int) -> list[tuple[int, int]]:
        """A list of pairs of long numbers."""
        if not (place := self.place(field)):
            return []
        start = place + _u32(self.content, place)
        stop = start + 4 + 16 * _u32(self.content, start)
        return list(struct.iter_unpack("<qq", self.content[start + 4 : stop]))


def _guarded(file: str, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except (MemoryError, DatasetError):
        raise
    except Exception as error:  # pyarrow raises many kinds on a damaged file, all with the same remedy
        raise file_error(file, None, "damaged or cut off; download or write it again.") from error
