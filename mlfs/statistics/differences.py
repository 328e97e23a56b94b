"""Paired differences without floating-point noise, in which equal steps are unequal: 0.3 − 0.2 ≠ 0.2 − 0.1."""

from __future__ import annotations

import numpy as np

DIGITS = 12


def paired_differences(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x − y in units of the largest value, to 12 digits: signs, ranks and t statistics need no more.

    >>> d = paired_differences(np.array([0.3, 0.2, 0.1]), np.array([0.2, 0.1, 0.1]))
    >>> d[0] == d[1], d[2]
    (np.True_, np.float64(0.0))
    """
    unit = max(np.abs(x).max(), np.abs(y).max())
    if unit == 0:
        return np.zeros(len(x))
    # Adding 0 turns the −0 that rounding leaves into 0.
    return np.round(x / unit - y / unit, DIGITS) + 0.0
