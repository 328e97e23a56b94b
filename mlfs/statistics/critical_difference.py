"""How far two average ranks must lie apart to differ: the ruler of every critical-difference diagram."""

from __future__ import annotations

import math
from numbers import Integral

from scipy.special import ndtri

from mlfs.errors import ParameterError, did_you_mean
from mlfs.statistics.checks import checked_alpha

TESTS = ("nemenyi", "bonferroni_dunn")


def critical_difference(k: int, n: int, alpha: float = 0.05, test: str = "nemenyi") -> float:
    """Return CD = q_α √(k(k+1) / 6n) for k methods on n data sets (Demšar 2006, §3.2.2).

    ``test="nemenyi"`` compares every pair: q_α is the upper α point of the studentized range of k normals with
    infinite degrees of freedom, divided by √2. ``test="bonferroni_dunn"`` compares one control with the k − 1 others:
    q_α is the normal quantile at α / (2(k−1)).

    The values are exact to about 1e-12. Papers take q_α rounded from a printed table and may differ in the fourth
    digit: with q = 2.949 and 2.638 the two differences below are printed as 2.0146 and 2.849.

    >>> round(critical_difference(k=7, n=20), 4)
    2.0141
    >>> round(critical_difference(k=7, n=8, test="bonferroni_dunn"), 4)
    2.8496
    """
    _whole(k, "k", 2, "methods")
    _whole(n, "n", 1, "data sets")
    alpha = checked_alpha(alpha)
    if test not in TESTS:
        raise ParameterError(f"Unknown test {test!r}: {did_you_mean(str(test), TESTS)}")
    q = _studentized_range(k, alpha) / math.sqrt(2) if test == "nemenyi" else -ndtri(alpha / (2 * (k - 1)))
    return float(q * rank_error(k, n))


def rank_error(k: int, n: int) -> float:
    """Standard error of the difference of two average ranks where the methods do not differ: √(k(k+1) / 6n).

    >>> rank_error(k=2, n=1)
    1.0
    """
    return math.sqrt(k * (k + 1) / (6 * n))


def _studentized_range(k: int, alpha: float) -> float:
    from scipy.stats import studentized_range  # half a second to import

    # With infinite degrees of freedom SciPy integrates once instead of twice: milliseconds, and good to 1e-13.
    return float(studentized_range.isf(alpha, k, math.inf))


def _whole(value: int, name: str, least: int, what: str) -> None:
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ParameterError(f"{name}={value} must be the number of {what}, a whole number of at least {least}.")
