"""MATLAB files: versions 5 to 7 read here, version 7.3, which is HDF5, in `mat73`; written as version 7.

The reader is our own: scipy's ends the whole process on some damaged files, which a server cannot have. It takes what
data sets are made of (numbers, sparse tables, cells, text), and no more memory than the limits allow; scipy writes.
Written are train_data, train_target, test_data and test_target where the set has a split, else data and target, with
instances as rows of the features and as columns of the labels; and feature_names and label_names.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats import mat73
from mlfs.datasets.formats.arrays import StoredArray, checked_csc
from mlfs.datasets.formats.errors import Limits, file_error
from mlfs.datasets.formats.input_files import InputFile
from mlfs.errors import DatasetError

_HEADER = 128
_ENDIAN = {b"IM": "<", b"MI": ">"}
_COMPRESSED, _MATRIX = 15, 14
_NUMBER_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_TEXT_TYPES = {1: "latin-1", 2: "utf-8", 4: "utf-16", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
_CELL, _CHAR, _SPARSE, _NUMBERS = 1, 4, 5, range(6, 16)
_COMPLEX = 0x0800
_ENOUGH_FOR_A_NAME = 4096  # bytes that hold the name and the sides of an array
_SHORTEST_ELEMENT = 8


def arrays(file: InputFile, limits: Limits) -> dict[str, StoredArray]:
    """The variables of a file, none of them read yet."""
    content = file.content(limits)
    if mat73.is_hdf5(content):
        return mat73.arrays(file, content)
    endian = _ENDIAN.get(content[126:128])
    if endian is None:
        sentence = "not a MATLAB file of version 5 or later; in MATLAB, save it again with -v7."
        raise file_error(file.name, None, sentence)
    stored = {}
    try:
        for kind, start, end, _ in _spans(content, _HEADER, endian):
            element = _Element(file.name, content[start:end], endian, limits, is_compressed=kind == _COMPRESSED)
            if kind in (_COMPRESSED, _MATRIX) and (array := element.stored()):
                stored[element.name] = array
    except _DAMAGE as error:
        raise _damaged(file.name, error) from error
    return stored


def write(ds: Dataset, rows: np.ndarray, path: Path) -> None:
    """Write these rows as data and target."""
    _write(ds, {"": rows}, path)


def write_split(ds: Dataset, path: Path) -> None:
    """Write the rows of the split as train_data, train_target, test_data and test_target."""
    assert ds.split is not None
    _write(ds, {"train_": ds.split[0], "test_": ds.split[1]}, path)


def _write(ds: Dataset, parts: dict[str, np.ndarray], path: Path) -> None:
    from scipy.io import savemat
    from scipy.io.matlab import MatWriteError

    if ds.categories:
        raise DatasetError(f"A .mat file knows no categories, and {ds.name} has some: write it as ARFF or Parquet.")
    variables: dict[str, Any] = {}
    for part, rows in parts.items():
        variables[f"{part}data"] = ds.X[rows]
        variables[f"{part}target"] = ds.Y[rows].T.astype(np.float64)
    for name, texts in (("feature_names", ds.feature_names), ("label_names", ds.label_names)):
        variables[name] = np.array([[text] for text in texts], dtype=object)  # a cell of one column
    try:
        savemat(path, variables, do_compression=True, appendmat=False)
    except MatWriteError as error:
        raise DatasetError(f"{ds.name} is too large for a .mat file of version 7: write it as Parquet.") from error


_DAMAGE = (ValueError, IndexError, OverflowError, zlib.error)


def _damaged(file: str, error: Exception) -> DatasetError:
    return file_error(file, None, f"damaged or cut off ({error}); fetch it, or save it in MATLAB, again.")


@dataclass
class _Element:
    """An array of the file: its bytes, as they are stored."""

    file: str
    content: bytes
    endian: str
    limits: Limits
    is_compressed: bool = False
    name: str = ""

    def stored(self) -> StoredArray | None:
        """What is known before the values are read; None for what is no array. Sets the name."""
        content, at = self.content, 0
        if self.is_compressed:
            content, at = zlib.decompressobj().decompress(content, _ENOUGH_FOR_A_NAME), 8
            if int.from_bytes(content[:4], _order(self.endian)) != _MATRIX:
                return None
        flags, shape, self.name, at = self._header(content, at)
        n_values = math.prod(shape)
        kind = int(flags[0]) & 0xFF
        unread = StoredArray("other", shape, 0, lambda: None)  # a struct, an object, complex numbers
        if len(shape) != 2 or min(shape) < 0 or flags[0] & _COMPLEX:
            return unread
        if kind in _NUMBERS:
            return StoredArray("numbers", shape, n_values, self._reading(_numbers, shape, at))
        if kind == _SPARSE:
            # The second flag is how many values there is room for.
            n_stored = int(flags[1]) + shape[1]
            return StoredArray("numbers", shape, n_stored, self._reading(_sparse, shape, at))
        if kind == _CHAR and (shape[0] == 1 or n_values == 0):
            return StoredArray("text", shape, n_values, self._reading(_text, shape, at))
        if kind == _CELL:
            return StoredArray("cell", shape, n_values, self._reading(self._cell, shape, at))
        return unread

    def _header(self, content: bytes, at: int) -> tuple[np.ndarray, tuple[int, ...], str, int]:
        """The flags, the sides, the name, and where the values start."""
        flags = _span(content, at, self.endian)
        sides = _span(content, flags.next, self.endian)
        name = _span(content, sides.next, self.endian)
        words = np.frombuffer(content[flags.start : flags.end], f"{self.endian}u4")
        if len(words) < 2:
            raise ValueError("an array without a head")
        shape = tuple(np.frombuffer(content[sides.start : sides.end], f"{self.endian}i4").tolist())
        return words, shape, content[name.start : name.end].decode("utf-8", "replace"), name.next

    def _reading(self, read: Any, shape: tuple[int, ...], at: int) -> Any:
        return partial(self._read, read, shape, at)

    def _read(self, read: Any, shape: tuple[int, ...], at: int) -> Any:
        try:
            content = self._inflated() if self.is_compressed else self.content
            return read(content, at, shape, self.endian)
        except _DAMAGE as error:
            raise _damaged(self.file, error) from error

    def _inflated(self) -> bytes:
        inflater = zlib.decompressobj()
        content = inflater.decompress(self.content, self.limits.max_bytes + 1)
        if len(content) > self.limits.max_bytes:
            many = f"{self.limits.max_bytes:,} bytes uncompressed"
            raise file_error(self.file, None, f"larger than {many}; use fewer rows, or raise max_bytes.")
        if not inflater.eof:
            raise ValueError("compressed data that end too early")
        return content

    def _cell(self, content: bytes, at: int, shape: tuple[int, ...], endian: str) -> list[StoredArray]:
        if math.prod(shape) * _SHORTEST_ELEMENT > len(content):
            raise ValueError("a cell with fewer parts than it says")
        parts = []
        for kind, start, end, _ in _spans(content, at, endian):
            element = _Element(self.file, content[start:end], endian, self.limits)
            if kind == _MATRIX and (array := element.stored()):
                parts.append(array)
        if len(parts) != math.prod(shape):
            raise ValueError("a cell with fewer parts than it says")
        return parts


def _order(endian: str) -> Any:
    return "little" if endian == "<" else "big"


class _Span(NamedTuple):
    """An element of the file: its type, the bytes of its values, and where the next element starts."""

    kind: int
    start: int
    end: int
    next: int


def _span(content: bytes, at: int, endian: str) -> _Span:
    """The element that starts here. One of up to four bytes has a head of four, others one of eight."""
    kind = int.from_bytes(content[at : at + 4], _order(endian))
    if small := kind >> 16:
        span = _Span(kind & 0xFFFF, at + 4, at + 4 + small, at + 8)
    else:
        start, size = at + 8, int.from_bytes(content[at + 4 : at + 8], _order(endian))
        padding = 0 if kind == _COMPRESSED else -size % 8
        span = _Span(kind, start, start + size, start + size + padding)
    if at + 8 > len(content) or span.end > min(span.next, len(content)):
        raise ValueError("an element that goes beyond the end")
    return span


def _spans(content: bytes, at: int, endian: str) -> Iterator[_Span]:
    """All elements from here to the end."""
    while at < len(content):
        span = _span(content, at, endian)
        yield span
        at = span.next


def _values(content: bytes, span: _Span, endian: str) -> np.ndarray:
    """The numbers of an element, which may be kept in a smaller type than the array has."""
    if span.kind not in _NUMBER_TYPES:
        raise ValueError("an element of an unknown type")
    return np.frombuffer(content[span.start : span.end], endian + _NUMBER_TYPES[span.kind])


def _numbers(content: bytes, at: int, shape: tuple[int, int], endian: str) -> np.ndarray:
    values = _values(content, _span(content, at, endian), endian)
    return values.astype(np.float64).reshape(shape, order="F")


def _sparse(content: bytes, at: int, shape: tuple[int, int], endian: str) -> Any:
    rows = _span(content, at, endian)
    ends = _span(content, rows.next, endian)
    data = _span(content, ends.next, endian)
    values = [_values(content, span, endian) for span in (data, rows, ends)]
    return checked_csc(values[0], values[1], values[2], shape)


def _text(content: bytes, at: int, shape: tuple[int, int], endian: str) -> str:
    if math.prod(shape) == 0:
        return ""
    span = _span(content, at, endian)
    encoding = _TEXT_TYPES.get(span.kind, "latin-1")
    if encoding != "latin-1" and encoding != "utf-8":
        encoding += "-le" if endian == "<" else "-be"
    return content[span.start : span.end].decode(encoding, "replace")
