"""The variables of a MAT file of MATLAB 5 to 7, as cells."""

from __future__ import annotations

import io
import math
import re
import struct
import zlib
from typing import Any

import numpy as np

from mlfs.errors import RankingError
from mlfs.evaluation.ranking_files.entries import Entry, near, refuse_large
from mlfs.wording import listing

_HDF5 = b"\x89HDF\r\n\x1a\n"
_COMPRESSED = 15  # the type of a compressed element of a MAT file of version 5
_PIECE = 1 << 20


def mat_cells(file: str, content: bytes, variable: str | None) -> list[list[Entry]] | dict[str, list[Entry]]:
    """A variable as lines of cells; of several that are numbered, or of a cell array of vectors, each as a ranking."""
    variables = _mat_variables(file, content)
    if variable is not None:
        if variable not in variables:
            raise RankingError(f"{file} has no variable {variable!r}: {near(variable, variables)}")
        variables = {variable: variables[variable]}
    if not variables:
        raise RankingError(f"{file} holds no variable with a ranking: save a vector of feature indices.")
    if len(variables) > 1:
        stems = {re.sub(r"\d+$", "", name) for name in variables}
        if len(stems) > 1 or stems & set(variables):
            raise RankingError(
                f"{file} holds the variables {listing(list(variables))}: name the one with the ranking, or number "
                "those of one split each as rank1, rank2, …"
            )
        numbered = sorted(variables, key=lambda name: int(re.sub(r"^.*?(\d+)$", r"\1", name)))
        return {name: [cell for row in _array_cells(file, variables[name]) for cell in row] for name in numbered}
    (name, values), *_ = variables.items()
    if values.dtype == object and all(_is_vector(cell) for cell in values.flat):
        return {
            f"{name}{{{place}}}": [cell for row in _array_cells(file, each) for cell in row]
            for place, each in enumerate(values.flat, start=1)
        }
    return _array_cells(file, values)


def _mat_variables(file: str, content: bytes) -> dict[str, np.ndarray]:
    if content.startswith((_HDF5, b"MATLAB 7.3")):
        raise RankingError(f"{file} is a MAT file of version 7.3: save it with save(…, '-v7').")
    _refuse_inflated(file, content)
    from scipy.io import loadmat

    try:
        loaded = loadmat(io.BytesIO(content), struct_as_record=True)
    except Exception:  # the reader is made for friends: on damaged files it raises whatever it meets
        raise RankingError(f"{file} is damaged, or not a MAT file: save it again in MATLAB.") from None
    arrays = {name: value for name, value in loaded.items() if not name.startswith("__")}
    return {
        name: value
        for name, value in arrays.items()
        if isinstance(value, np.ndarray)
        and value.dtype.names is None
        and value.size
        and (value.size > 1 or len(arrays) == 1)
    }


def _refuse_inflated(file: str, content: bytes) -> None:
    """A few compressed bytes may become gigabytes: they are counted, piece by piece, before they are read."""
    order = ">" if content[126:128] == b"MI" else "<"
    position, inflated = 128, 0
    while position + 8 <= len(content):
        kind, size = struct.unpack_from(f"{order}II", content, position)
        if kind == _COMPRESSED:
            stream, piece = zlib.decompressobj(), content[position + 8 : position + 8 + size]
            while piece and not stream.eof:
                try:
                    inflated += len(stream.decompress(piece, _PIECE))
                except zlib.error:
                    raise RankingError(f"{file} is damaged, or not a MAT file: save it again in MATLAB.") from None
                refuse_large(file, inflated)
                piece = stream.unconsumed_tail
        position += 8 + size


def _is_vector(cell: Any) -> bool:
    return isinstance(cell, np.ndarray) and cell.dtype.kind in "iufb" and cell.size > 1


def _array_cells(file: str, values: np.ndarray) -> list[list[Entry]]:
    if values.dtype.kind in "iufb" and values.ndim <= 2:
        rows = np.atleast_2d(values).astype(float).tolist()
        return [[None if math.isnan(cell) else cell for cell in row] for row in rows]
    if values.dtype.kind == "U":  # lines of characters
        return [[str(line).strip()] for line in values.ravel()]
    if values.dtype == object and values.ndim == 2:
        return [[_only(file, cell) for cell in row] for row in values]
    raise RankingError(f"{file} holds neither numbers nor names: save a vector of feature indices.")


def _only(file: str, cell: Any) -> Entry:
    """What a cell of a cell array holds: one text, one number, or nothing."""
    if isinstance(cell, np.ndarray) and cell.size == 0:
        return None
    if isinstance(cell, np.ndarray) and cell.size == 1 and cell.dtype.kind in "iufbU":
        value = cell.ravel()[0].item()
        return value if isinstance(value, str) else float(value)
    raise RankingError(f"A cell of {file} holds more than one name or number: give one ranking a column.")
