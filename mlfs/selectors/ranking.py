"""From scores to an order. Ties go to the lowest index, and a difference that is only rounding is a tie."""

from __future__ import annotations

import numpy as np

# Equal scores computed in another order of summation differ by some 1e-13 of their size at most.
TOLERANCE = 1e-10


def rank(scores: np.ndarray) -> np.ndarray:
    """Feature indices, best first; NaN scores are left out.

    >>> rank(np.array([1.0, 3.0, 1.0 + 1e-15, np.nan]))
    array([1, 0, 2])
    """
    scores = np.asarray(scores, dtype=np.float64)
    order = np.flatnonzero(~np.isnan(scores))
    order = order[np.argsort(-scores[order], kind="stable")]
    value = np.nan_to_num(scores[order])
    step = np.zeros(len(order), dtype=np.intp)
    step[1:] = np.cumsum(value[:-1] - value[1:] > _tolerance(scores))
    return order[np.lexsort((order, step))]


def best(scores: np.ndarray) -> int:
    """The index of the highest score, as `rank` would put it first."""
    return int(np.argmax(scores >= np.nanmax(scores) - _tolerance(scores)))


def _tolerance(scores: np.ndarray) -> float:
    finite = scores[np.isfinite(scores)]
    return TOLERANCE * float(np.abs(finite).max(initial=0.0))
