"""Wilcoxon's test for every pair with Holm's correction: unlike ranks of all, a pair's verdict ignores the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mlfs.checks import flag
from mlfs.statistics.checks import TableLike, checked_alpha, checked_table, constant_methods, require
from mlfs.statistics.cliques import cliques_from_pairs
from mlfs.statistics.friedman import mean_ranks, row_ranks
from mlfs.statistics.paired_tests import paired_differences, signed_rank_p_value


@dataclass(frozen=True, eq=False)
class WilcoxonHolmResult:
    """What the pairwise tests found.

    Parameters
    ----------
    average_ranks : Series by method
        1 is best.
    p_values : (k, k) DataFrame
        Of each pair alone; symmetric, 1 on the diagonal.
    adjusted_p_values : (k, k) DataFrame
        The same after Holm's correction.
    significant : (k, k) DataFrame of bool
        Where the adjusted p-value is at most alpha.
    alpha : float
    notes : tuple of str
        What the user should know about this result, each a sentence.
    """

    average_ranks: pd.Series
    p_values: pd.DataFrame
    adjusted_p_values: pd.DataFrame
    significant: pd.DataFrame
    alpha: float
    notes: tuple[str, ...]

    @property
    def cliques(self) -> tuple[tuple, ...]:
        """The groups that a critical-difference diagram joins by a bar."""
        return cliques_from_pairs(self.average_ranks, self.significant)


def wilcoxon_holm(table: TableLike, lower_is_better: bool = True, alpha: float = 0.05) -> WilcoxonHolmResult:
    """Compare all pairs of methods (table: data sets × methods) by Wilcoxon's signed-rank test, corrected by Holm.

    `signed_rank_p_value` states how zeros, ties and many data sets are treated; differences count as equal to 12
    digits. Benavoli, Corani & Mangili (JMLR 17, 2016) recommend this test over average ranks, in which the verdict
    on two methods depends on which others are compared. `lower_is_better` decides the ranks alone.

    Parameters
    ----------
    table : DataFrame, mapping or array
        Data sets × methods.
    lower_is_better : bool
    alpha : float

    Returns
    -------
    WilcoxonHolmResult

    Examples
    --------
    >>> table = {"els": [1, 1, 2, 3, 5, 8, 2], "fimf": [2, 3, 5, 7, 10, 14, 9], "mfs": [2, 3, 1, 9, 6, 5, 4]}
    >>> test = wilcoxon_holm(table)
    >>> test.p_values.loc["els"].to_dict()  # els beats fimf seven times of seven: p = 2 · 2⁻⁷
    {'els': 1.0, 'fimf': 0.015625, 'mfs': 0.328125}
    >>> test.adjusted_p_values.loc["els"].to_dict()
    {'els': 1.0, 'fimf': 0.046875, 'mfs': 0.328125}
    >>> test.cliques
    (('els', 'mfs'), ('mfs', 'fimf'))
    """
    table = checked_table(table)
    flag("lower_is_better", lower_is_better)
    require(table, "The Wilcoxon signed-rank test", rows=2, methods=2)
    alpha = checked_alpha(alpha)
    n, k = table.shape
    pairs = np.triu_indices(k, 1)
    columns = table.to_numpy().T
    p_values = np.array(
        [signed_rank_p_value(paired_differences(columns[i], columns[j])) for i, j in zip(*pairs, strict=True)]
    )
    adjusted = holm(p_values)

    def square(upper: np.ndarray, diagonal: float) -> pd.DataFrame:
        full = np.full((k, k), diagonal)
        full[pairs] = full.T[pairs] = upper
        return pd.DataFrame(full, index=table.columns, columns=table.columns)

    return WilcoxonHolmResult(
        average_ranks=mean_ranks(row_ranks(table, lower_is_better)),
        p_values=square(p_values, 1.0),
        adjusted_p_values=square(adjusted, 1.0),
        significant=square(adjusted, 1.0) <= alpha,
        alpha=alpha,
        notes=(*_too_few_to_decide(n, len(p_values), alpha), *constant_methods(table)),
    )


def holm(p_values: np.ndarray) -> np.ndarray:
    """Adjust p-values so that the chance of any false alarm stays below alpha (Holm 1979).

    The i-th smallest of m is multiplied by m − i + 1, and is never below a smaller one or above 1.

    >>> holm(np.array([0.01, 0.04, 0.03]))
    array([0.03, 0.06, 0.06])
    """
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty_like(p_values)
    adjusted[order] = np.minimum(np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1)), 1)
    return adjusted


def _too_few_to_decide(n: int, pairs: int, alpha: float) -> tuple[str, ...]:
    """A sentence where even a method that wins on every data set cannot be significant."""
    least = pairs * 2.0 ** (1 - n)
    if least <= alpha:
        return ()
    among = f"{n} data sets and {pairs} pair{'s' if pairs > 1 else ''}"
    return (
        f"With {among} even a method that always wins has p = {min(least, 1):.3g} after Holm, "
        f"above alpha={alpha:g}; add data sets or compare fewer methods.",
    )
