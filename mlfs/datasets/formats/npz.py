"""NumPy's .npz: a zip of arrays. Their heads are looked at first, and pickles are never opened."""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
from functools import partial
from typing import Any

import numpy as np
from numpy.lib import format as npy

from mlfs.datasets.formats.arrays import StoredArray
from mlfs.datasets.formats.errors import Limits, file_error
from mlfs.datasets.formats.input_files import DAMAGE, InputFile
from mlfs.errors import DatasetError

_SUFFIX = ".npy"
_HEADS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_DAMAGE = (*DAMAGE, TypeError, SyntaxError, KeyError, tokenize.TokenError)  # a head is read as Python's literals


def arrays(file: InputFile, limits: Limits) -> dict[str, StoredArray]:
    """The arrays of a file, none of them read yet."""
    content = file.content(limits)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {
                member.filename.removesuffix(_SUFFIX): _stored(file.name, archive, member, content)
                for member in archive.infolist()
                if member.filename.endswith(_SUFFIX)
            }
    except _DAMAGE as error:
        raise _damaged(file.name) from error


def _stored(file: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo, content: bytes) -> StoredArray:
    with archive.open(member) as stream:
        version = npy.read_magic(stream)
        if version not in _HEADS:
            return StoredArray("other", (), 0, lambda: None)
        shape, _, dtype = _HEADS[version](stream)
    n_values = math.prod(shape)
    if dtype.hasobject or n_values * dtype.itemsize > member.file_size or min(shape, default=0) < 0:
        return StoredArray("other", shape, 0, lambda: None)  # a pickle, or a head that promises too much
    load = partial(_load, file, content, member.filename)
    if dtype.kind in "US" and len(shape) == 1:
        return StoredArray("texts", shape, n_values, lambda: list(map(str, load())))
    if dtype.kind not in "biuf" or len(shape) not in (1, 2):
        return StoredArray("other", shape, 0, lambda: None)
    shape = shape if len(shape) == 2 else (*shape, 1)  # one label
    return StoredArray("numbers", shape, n_values, lambda: load().reshape(shape).astype(np.float64))


def _load(file: str, content: bytes, member: str) -> Any:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(member) as stream:
            values = npy.read_array(stream, allow_pickle=False)
            if stream.read(1):  # and only whoever has come to the end is told of a wrong checksum
                raise _damaged(file)
            return values
    except _DAMAGE as error:
        raise _damaged(file) from error


def _damaged(file: str) -> DatasetError:
    return file_error(file, None, "not a sound .npz; save it again with numpy.savez.")
