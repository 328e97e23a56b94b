"""Which methods differ, after Friedman's test: the critical difference of average ranks, and the tests that use it.

Nemenyi's test compares all with all; Bonferroni–Dunn's all with one control, and with fewer comparisons it sees
smaller differences.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from mlfs.checks import described, is_whole
from mlfs.errors import ParameterError, did_you_mean
from mlfs.statistics.checks import checked_alpha
from mlfs.statistics.cliques import cliques
from mlfs.statistics.friedman import FriedmanResult

CD_TESTS = ("nemenyi", "bonferroni_dunn")


def critical_difference(k: int, n: int, alpha: float = 0.05, test: str = "nemenyi") -> float:
    """Return CD = q_α √(k(k+1) / 6n) for k methods on n data sets (Demšar 2006, §3.2.2).

    ``test="nemenyi"`` compares every pair: q_α is the upper α point of the studentized range of k normals with
    infinite degrees of freedom, divided by √2. ``test="bonferroni_dunn"`` compares one control with the k − 1 others:
    q_α is the normal quantile at α / (2(k−1)).

    The values are exact to about 1e-12. Papers take q_α rounded from a printed table and may differ in the fourth
    digit: with q = 2.949 and 2.638 the two differences below are printed as 2.0146 and 2.849.

    Parameters
    ----------
    k : int
        Number of methods.
    n : int
        Number of data sets.
    alpha : float
    test : {"nemenyi", "bonferroni_dunn"}

    Returns
    -------
    float

    Examples
    --------
    >>> round(critical_difference(k=7, n=20), 4)
    2.0141
    >>> round(critical_difference(k=7, n=8, test="bonferroni_dunn"), 4)
    2.8496
    """
    _whole(k, "k", 2, "methods")
    _whole(n, "n", 1, "data sets")
    alpha = checked_alpha(alpha)
    if not isinstance(test, str) or test not in CD_TESTS:
        raise ParameterError(f"Unknown test {described(test)}: {did_you_mean(str(test), CD_TESTS)}")
    q = _studentized_range(k, alpha) / math.sqrt(2) if test == "nemenyi" else -ndtri(alpha / (2 * (k - 1)))
    return float(q * rank_error(k, n))


def rank_error(k: int, n: int) -> float:
    """Standard error of the difference of two average ranks where the methods do not differ: √(k(k+1) / 6n).

    >>> rank_error(k=2, n=1)
    1.0
    """
    return math.sqrt(k * (k + 1) / (6 * n))


@dataclass(frozen=True, eq=False)
class NemenyiResult:
    """What Nemenyi's test found.

    Parameters
    ----------
    average_ranks : Series by method
    critical_difference : float
        Average ranks at least this far apart differ significantly.
    p_values : (k, k) DataFrame
        Symmetric, already adjusted for the number of pairs; 1 on the diagonal.
    significant : (k, k) DataFrame of bool
    alpha : float
    """

    average_ranks: pd.Series
    critical_difference: float
    p_values: pd.DataFrame
    significant: pd.DataFrame
    alpha: float

    @property
    def cliques(self) -> tuple[tuple, ...]:
        """The groups that a critical-difference diagram joins by a bar."""
        return cliques(self.average_ranks, self.critical_difference)


def nemenyi(result: FriedmanResult, alpha: float = 0.05) -> NemenyiResult:
    """Compare all pairs of methods after Friedman's test (Demšar 2006, §3.2.2).

    Two methods differ where their average ranks are at least one critical difference apart, which is where the
    studentized range distribution gives p ≤ alpha.

    Parameters
    ----------
    result : FriedmanResult
    alpha : float

    Returns
    -------
    NemenyiResult

    Examples
    --------
    >>> from mlfs.statistics import friedman
    >>> table = pd.DataFrame({"els": [1, 1, 1, 1, 1, 2], "fimf": [2, 2, 3, 2, 2, 1], "mfs": [3, 3, 2, 3, 3, 3]})
    >>> test = nemenyi(friedman(table))
    >>> round(test.critical_difference, 4), test.cliques
    (1.3531, (('els', 'fimf'), ('fimf', 'mfs')))
    >>> test.p_values.round(4).loc["els"].to_dict()
    {'els': 1.0, 'fimf': 0.3186, 'mfs': 0.0109}
    """
    from scipy.stats import studentized_range  # half a second to import

    _check_result(result)
    k, n, names = result.k, result.n, result.average_ranks.index
    cd = critical_difference(k, n, alpha, "nemenyi")
    ranks = result.average_ranks.to_numpy()
    gaps = np.abs(ranks[:, None] - ranks)
    p_values = np.ones((k, k))
    first, second = np.triu_indices(k, 1)
    upper = studentized_range.sf(gaps[first, second] / rank_error(k, n) * np.sqrt(2), k, np.inf)
    p_values[first, second] = p_values[second, first] = np.clip(upper, 0, 1)
    return NemenyiResult(
        average_ranks=result.average_ranks,
        critical_difference=cd,
        p_values=pd.DataFrame(p_values, index=names, columns=names),
        significant=pd.DataFrame(gaps >= cd, index=names, columns=names),
        alpha=alpha,
    )


@dataclass(frozen=True, eq=False)
class BonferroniDunnResult:
    """What Bonferroni–Dunn's test found.

    Parameters
    ----------
    control : name of the control method
    average_ranks : Series by method
    critical_difference : float
    differences : Series by the other methods
        Their average rank minus that of the control; positive where the control is better.
    p_values : Series by the other methods
        Two-sided and already multiplied by k − 1, at most 1.
    significant : Series of bool by the other methods
    alpha : float
    """

    control: Hashable
    average_ranks: pd.Series
    critical_difference: float
    differences: pd.Series
    p_values: pd.Series
    significant: pd.Series
    alpha: float

    @property
    def interval(self) -> tuple[float, float]:
        """The average ranks inside which a method does not differ from the control."""
        rank = float(self.average_ranks[self.control])
        return rank - self.critical_difference, rank + self.critical_difference


def bonferroni_dunn(result: FriedmanResult, control: Hashable, alpha: float = 0.05) -> BonferroniDunnResult:
    """Compare one method with all others after Friedman's test (Demšar 2006, §3.2.2; Dunn 1961).

    Parameters
    ----------
    result : FriedmanResult
    control : name of a method of the table
    alpha : float

    Returns
    -------
    BonferroniDunnResult

    Examples
    --------
    >>> from mlfs.statistics import friedman
    >>> table = pd.DataFrame({"els": [1, 1, 1, 1, 1, 2], "fimf": [2, 2, 3, 2, 2, 1], "mfs": [3, 3, 2, 3, 3, 3]})
    >>> test = bonferroni_dunn(friedman(table), control="els")
    >>> test.significant.to_dict(), round(test.critical_difference, 4)
    ({'fimf': False, 'mfs': True}, 1.2941)
    """
    _check_result(result)
    if not isinstance(control, Hashable):
        raise ParameterError(f"The control must be the name of a method, not {described(control)}.")
    ranks = result.average_ranks
    if control not in ranks.index:
        raise ParameterError(
            f"The control '{control}' is not a method of the table: {did_you_mean(str(control), map(str, ranks.index))}"
        )
    cd = critical_difference(result.k, result.n, alpha, "bonferroni_dunn")
    differences = (ranks.drop(control) - ranks[control]).rename("difference")
    tails = ndtr(-np.abs(differences.to_numpy()) / rank_error(result.k, result.n))
    return BonferroniDunnResult(
        control=control,
        average_ranks=ranks,
        critical_difference=cd,
        differences=differences,
        p_values=pd.Series(np.minimum(2 * (result.k - 1) * tails, 1), index=differences.index, name="p value"),
        significant=(differences.abs() >= cd).rename("significant"),
        alpha=alpha,
    )


def _studentized_range(k: int, alpha: float) -> float:
    from scipy.stats import studentized_range  # half a second to import

    # With infinite degrees of freedom SciPy integrates once instead of twice: milliseconds, and good to 1e-13.
    return float(studentized_range.isf(alpha, k, math.inf))


def _check_result(result: Any) -> None:
    if not isinstance(result, FriedmanResult):
        raise ParameterError(f"The result must be one that `friedman` gives, not {described(result)}.")


def _whole(value: int, name: str, least: int, what: str) -> None:
    if not is_whole(value) or value < least:
        raise ParameterError(
            f"{name}={described(value)} must be the number of {what}, a whole number of at least {least}."
        )
