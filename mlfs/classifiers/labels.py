"""One check of label tables for everything that is trained on them."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlfs.encoding import dense
from mlfs.errors import ParameterError


def checked_labels(Y: Any, n: int) -> np.ndarray:
    """Y as an (n, q) int8 table of 0 and 1; compiled loops rely on it."""
    Y = dense(Y)
    if Y.ndim != 2 or Y.shape[0] != n or Y.shape[1] == 0:
        raise ParameterError(f"Labels must be a table of {n} rows × at least one label, not of shape {Y.shape}.")
    if not np.isin(Y, (0, 1)).all():
        raise ParameterError("Labels must be 0 or 1.")
    return np.ascontiguousarray(Y, dtype=np.int8)
