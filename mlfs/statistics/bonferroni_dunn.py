"""Bonferroni–Dunn's test: which methods differ from one control; with fewer comparisons it sees smaller differences."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import ndtr

from mlfs.errors import ParameterError, did_you_mean
from mlfs.statistics.critical_difference import critical_difference, rank_error
from mlfs.statistics.friedman import FriedmanResult


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

    >>> from mlfs.statistics import friedman
    >>> table = pd.DataFrame({"els": [1, 1, 1, 1, 1, 2], "fimf": [2, 2, 3, 2, 2, 1], "mfs": [3, 3, 2, 3, 3, 3]})
    >>> test = bonferroni_dunn(friedman(table), control="els")
    >>> test.significant.to_dict(), round(test.critical_difference, 4)
    ({'fimf': False, 'mfs': True}, 1.2941)
    """
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
