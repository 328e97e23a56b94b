"""Nemenyi's test: which pairs of methods differ, when all are compared with all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mlfs.statistics.cliques import cliques
from mlfs.statistics.critical_difference import critical_difference, rank_error
from mlfs.statistics.friedman import FriedmanResult


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

    >>> from mlfs.statistics import friedman
    >>> table = pd.DataFrame({"els": [1, 1, 1, 1, 1, 2], "fimf": [2, 2, 3, 2, 2, 1], "mfs": [3, 3, 2, 3, 3, 3]})
    >>> test = nemenyi(friedman(table))
    >>> round(test.critical_difference, 4), test.cliques
    (1.3531, (('els', 'fimf'), ('fimf', 'mfs')))
    >>> test.p_values.round(4).loc["els"].to_dict()
    {'els': 1.0, 'fimf': 0.3186, 'mfs': 0.0109}
    """
    from scipy.stats import studentized_range  # half a second to import

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
