"""MATLAB's version 7.3: HDF5, with each table transposed. It needs h5py, which is optional.

A file can point into other files; such links are not followed, for a stranger's file must not show what else is on
this machine.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from mlfs.datasets.formats.arrays import StoredArray, checked_csc
from mlfs.datasets.formats.errors import file_error, optional_library
from mlfs.datasets.formats.input_files import InputFile

_MAGIC = b"\x89HDF\r\n\x1a\n"
_PLACES = (0, 512)  # MATLAB puts a text of 512 bytes before it
_OTHER = StoredArray("other", (), 0, lambda: None)


def is_hdf5(content: bytes) -> bool:
    return any(content.startswith(_MAGIC, place) for place in _PLACES)


def arrays(file: InputFile, content: bytes) -> dict[str, StoredArray]:
    """The variables of a file, none of them read yet."""
    h5py = optional_library("h5py", file.name, "a MATLAB file of version 7.3")

    def read() -> dict[str, StoredArray]:
        opened = h5py.File(io.BytesIO(content), "r")
        reader = _Reader(h5py, opened, file.name)
        return {
            name: reader.stored(opened[name])
            for name in opened
            if isinstance(opened.get(name, getlink=True), h5py.HardLink) and not name.startswith("#")
        }

    return _guarded(file.name, read)


def _guarded(file: str, read: Callable[[], Any]) -> Any:
    try:
        return read()
    except MemoryError:
        raise
    except Exception as error:  # h5py raises many kinds on a damaged file, all with the same remedy
        raise file_error(file, None, "damaged or cut off; fetch it, or save it in MATLAB, again.") from error


class _Reader:
    def __init__(self, h5py: Any, opened: Any, file: str) -> None:
        self._h5py = h5py
        self._opened = opened
        self._file = file

    def stored(self, item: Any) -> StoredArray:
        """What is known of a variable before its values are read."""
        if isinstance(item, self._h5py.Group):
            return self._sparse(item)
        kind = item.attrs.get("MATLAB_class", b"double")
        shape = tuple(int(side) for side in item.shape or ())[::-1]
        if len(shape) != 2 or not self._is_plain(item):
            return _OTHER
        if item.attrs.get("MATLAB_empty", 0):  # then the values are the sides
            return StoredArray("text", (0, 0), 0, lambda: "") if kind == b"char" else _OTHER
        n_values = math.prod(shape)
        if kind == b"cell" and item.dtype == self._h5py.ref_dtype:
            return StoredArray("cell", shape, n_values, partial(_guarded, self._file, partial(self._cell, item)))
        if kind == b"char" and item.dtype.kind == "u" and shape[0] == 1:
            return StoredArray("text", shape, n_values, partial(_guarded, self._file, partial(_text, item)))
        if item.dtype.kind in "biuf":
            return StoredArray("numbers", shape, n_values, partial(_guarded, self._file, partial(_numbers, item)))
        return _OTHER

    def _is_plain(self, item: Any) -> bool:
        """Whether the values stand in this file."""
        return isinstance(item, self._h5py.Dataset) and not item.external and not item.is_virtual

    def _sparse(self, group: Any) -> StoredArray:
        """A sparse table is a group of the row of each value, the end of each column, and the values."""
        if "MATLAB_sparse" not in group.attrs or "jc" not in group:
            return _OTHER
        vectors = []
        for name in ("data", "ir", "jc"):
            # A table without values has no data and no ir.
            if name in group and isinstance(group.get(name, getlink=True), self._h5py.HardLink):
                vectors.append(group[name])
        if not all(self._is_plain(each) and each.dtype.kind in "biuf" and each.ndim == 1 for each in vectors):
            return _OTHER
        shape = (int(group.attrs["MATLAB_sparse"]), vectors[-1].shape[0] - 1)
        n_values = sum(int(each.shape[0]) for each in vectors)

        def read() -> Any:
            data, rows, ends = [np.zeros(0)] * (3 - len(vectors)) + [each[()] for each in vectors]
            return checked_csc(data, rows, ends, shape)

        return StoredArray("numbers", shape, n_values, partial(_guarded, self._file, read))

    def _cell(self, item: Any) -> list[StoredArray]:
        return [self.stored(self._opened[reference]) for reference in item[()].T.ravel(order="F")]


def _numbers(item: Any) -> np.ndarray:
    return item[()].T.astype(np.float64)


def _text(item: Any) -> str:
    return item[()].astype("<u2").tobytes().decode("utf-16-le", "replace")
