"""Whether something published is reproduced here: three grades, by rules that look at numbers alone."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

import numpy as np
import pandas as pd

from mlfs.papers.paper import PublishedTable
from mlfs.papers.published_vs_measured import is_of_times

#: A measured number counts as reproduced within this share of the printed one, or within its rounding.
TOLERANCE = 0.1
#: A time, compared as a multiple of the time of one method, within this factor: machines differ.
FACTOR = 2.0
#: Shares of what was compared: below the first a claim does not agree, from the second on it agrees.
SHARES = 0.25, 0.75
#: The same for the correlation (Spearman) of the methods' average ranks.
CORRELATIONS = 0.3, 0.7

RULE = (
    f"A number is reproduced where it lies within {TOLERANCE:.0%} of the printed one, or within its rounding; a time, "
    f"as a multiple of that of one method, within a factor of {FACTOR:g}. The order of the methods is judged by the "
    "rank correlation (Spearman) of their average ranks. "
    f"From {SHARES[1]:.0%} of the numbers on, or a correlation of {CORRELATIONS[1]:g}, they agree; below "
    f"{SHARES[0]:.0%}, or {CORRELATIONS[0]:g}, they do not; in between they agree in part. A table agrees where its "
    "numbers and its order do, and does not where neither does. A test agrees where it comes to the same decision. A "
    "figure without printed numbers is judged by what the paper says of it. Of a whole paper, results that agree in "
    "part count half."
)


class Agreement(StrEnum):
    """How far something agrees with what is printed."""

    AGREES = "agrees"
    IN_PART = "agrees in part"
    DIFFERS = "does not agree"
    OPEN = "not compared"


_POINTS = {Agreement.AGREES: 1.0, Agreement.IN_PART: 0.5, Agreement.DIFFERS: 0.0}


def by_share(agreeing: float | Iterable[bool]) -> Agreement:
    """A verdict from the share of what agrees, or from what agrees one by one; nothing at all is not compared.

    >>> [by_share(share).value for share in (1.0, 0.75, 0.5, 0.25, 0.2)]
    ['agrees', 'agrees', 'agrees in part', 'agrees in part', 'does not agree']
    """
    share = agreeing if isinstance(agreeing, float) else np.mean([float(each) for each in agreeing] or [np.nan])
    return _graded(float(share), SHARES)


def by_order(correlation: float) -> Agreement:
    """A verdict from the correlation of two orders of the same methods.

    >>> [by_order(correlation).value for correlation in (0.9, 0.5, -0.2)]
    ['agrees', 'agrees in part', 'does not agree']
    """
    return _graded(correlation, CORRELATIONS)


def _graded(value: float, limits: tuple[float, float]) -> Agreement:
    if np.isnan(value):
        return Agreement.OPEN
    return Agreement.DIFFERS if value < limits[0] else Agreement.IN_PART if value < limits[1] else Agreement.AGREES


def combined(verdicts: Iterable[Agreement]) -> Agreement:
    """One verdict of several on the same thing: it agrees where all do, does not where none does even in part.

    >>> [combined([Agreement.AGREES, other]).value for other in (Agreement.AGREES, Agreement.DIFFERS, Agreement.OPEN)]
    ['agrees', 'agrees in part', 'agrees']
    """
    known = {verdict for verdict in verdicts if verdict is not Agreement.OPEN}
    if len(known) < 2:
        return next(iter(known), Agreement.OPEN)
    return Agreement.IN_PART


def overall(verdicts: Iterable[Agreement]) -> Agreement:
    """One verdict on many things: what agrees in part counts half, what was not compared not at all.

    >>> overall([Agreement.AGREES, Agreement.IN_PART, Agreement.OPEN]).value
    'agrees'
    """
    points = [_POINTS[verdict] for verdict in verdicts if verdict in _POINTS]
    return by_share(float(np.mean(points))) if points else Agreement.OPEN


def reproduced(both: pd.DataFrame, table: PublishedTable) -> pd.Series:
    """Which of the numbers of `published_vs_measured_tables.pairs` are reproduced.

    A number beyond a bound that the paper prints has no difference, and is.
    """
    apart = both["difference"].abs()
    near = apart <= np.maximum(TOLERANCE * both["published"].abs(), both["rounding"])
    if is_of_times(table):
        near = (both["measured"] <= FACTOR * both["published"]) & (both["measured"] >= both["published"] / FACTOR)
    return near | (apart.isna() & both["measured"].notna() & both["published"].notna())
