"""Friedman's test: do the methods differ at all? The post-hoc tests, which say which do, start from its ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import chdtrc, fdtrc, fdtri

from mlfs.checks import flag
from mlfs.errors import StatisticsError
from mlfs.statistics.checks import TableLike, checked_alpha, checked_table, constant_methods, require


@dataclass(frozen=True, eq=False)
class FriedmanResult:
    """What Friedman's test found.

    Parameters
    ----------
    ranks : (n, k) DataFrame
        Rank of each method on each data set; 1 is best, ties share their mean rank.
    chi2 : float
        Friedman's χ²_F.
    F : float
        Iman and Davenport's F_F; infinite where all data sets rank the methods alike.
    p_value : float
        Of F_F, with k − 1 and (k − 1)(n − 1) degrees of freedom.
    p_value_chi2 : float
        Of χ²_F, with k − 1 degrees of freedom: more conservative than need be (Demšar 2006).
    lower_is_better : bool
    tie_correction : bool
        Whether χ²_F, and F_F with it, is enlarged for ties.
    notes : tuple of str
        What the user should know about this result, each a sentence.
    """

    ranks: pd.DataFrame
    chi2: float
    F: float
    p_value: float
    p_value_chi2: float
    lower_is_better: bool
    tie_correction: bool
    notes: tuple[str, ...]

    @property
    def n(self) -> int:
        """Number of data sets."""
        return self.ranks.shape[0]

    @property
    def k(self) -> int:
        """Number of methods."""
        return self.ranks.shape[1]

    @property
    def average_ranks(self) -> pd.Series:
        """Mean rank of each method over the data sets, in the order of the table."""
        return mean_ranks(self.ranks)

    @property
    def degrees_of_freedom(self) -> tuple[int, int]:
        """Of the F distribution that F_F follows where no method differs."""
        return self.k - 1, (self.k - 1) * (self.n - 1)

    def critical_value(self, alpha: float = 0.05) -> float:
        """The F_F from which the methods differ significantly."""
        return float(fdtri(*self.degrees_of_freedom, 1 - checked_alpha(alpha)))


def friedman(table: TableLike, lower_is_better: bool = True, *, tie_correction: bool = True) -> FriedmanResult:
    """Test whether the methods of a table (data sets × methods) differ: Friedman's χ²_F and Iman–Davenport's F_F.

    With R_j the average rank of method j of k over n data sets (Demšar 2006, §3.2.2),

        χ²_F = 12n / (k(k+1)) · (Σ_j R_j² − k(k+1)²/4),    F_F = (n−1)χ²_F / (n(k−1) − χ²_F).

    Ties share their mean rank, and χ²_F is corrected for them, as SciPy and R do: divided by 1 − Σ(t³−t) / (nk(k²−1))
    over groups of t ties. The papers here use the formulas as they stand, which is ``tie_correction=False``. Values
    are ranked as they are: round a table first if values that print alike should tie.

    Parameters
    ----------
    table : DataFrame, mapping or array
        Data sets × methods.
    lower_is_better : bool
    tie_correction : bool
        False leaves χ²_F as the formula gives it; without ties both are the same.

    Returns
    -------
    FriedmanResult

    Examples
    --------
    >>> table = pd.DataFrame({"els": [.1, .2, .1, .3], "fimf": [.2, .3, .4, .2], "mfs": [.3, .4, .3, .4]})
    >>> result = friedman(table)
    >>> result.average_ranks.to_dict()
    {'els': 1.25, 'fimf': 2.0, 'mfs': 2.75}
    >>> result.chi2, result.F, round(result.p_value, 4)
    (4.5, 3.857142857142857, 0.0837)
    """
    table = checked_table(table)
    flag("lower_is_better", lower_is_better)
    flag("tie_correction", tie_correction)
    require(table, "Friedman's test", rows=2, methods=3)
    ranks = row_ranks(table, lower_is_better)
    chi2, F = _statistics(ranks.to_numpy(), tie_correction)
    n, k = ranks.shape
    return FriedmanResult(
        ranks=ranks,
        chi2=chi2,
        F=F,
        p_value=float(fdtrc(k - 1, (k - 1) * (n - 1), F)),
        p_value_chi2=float(chdtrc(k - 1, chi2)),
        lower_is_better=lower_is_better,
        tie_correction=tie_correction,
        notes=constant_methods(table),
    )


def row_ranks(table: pd.DataFrame, lower_is_better: bool) -> pd.DataFrame:
    """Rank the methods on each data set: 1 is best, and ties share the mean of their ranks (Demšar 2006, §3.2.2).

    >>> row_ranks(pd.DataFrame([[0.2, 0.1, 0.2]], columns=["els", "grro", "mfs"]), lower_is_better=True)
       els  grro  mfs
    0  2.5   1.0  2.5
    """
    if (table.min(axis=1) == table.max(axis=1)).all():
        raise StatisticsError(
            "All methods have the same value on every data set, so there is nothing to compare; "
            "check the table, or give its values with more decimals."
        )
    return table.rank(axis=1, ascending=lower_is_better, method="average")


def mean_ranks(ranks: pd.DataFrame) -> pd.Series:
    """Mean over the data sets; a sum of halves is exact, so that the order of the data sets does not matter.

    >>> mean_ranks(pd.DataFrame({"els": [1.0, 1.5], "mfs": [2.0, 1.5]})).to_dict()
    {'els': 1.25, 'mfs': 1.75}
    """
    return (ranks.sum() / len(ranks)).rename("average rank")


def _statistics(ranks: np.ndarray, tie_correction: bool) -> tuple[float, float]:
    """Return χ²_F and F_F.

    Doubled ranks are whole numbers, so both are ratios of integers: no rounding hides that n(k−1) − χ²_F is zero
    where all data sets agree, or depends on the order of rows and columns.
    """
    n, k = ranks.shape
    doubled_sums = [int(total) for total in (2 * ranks).sum(axis=0)]
    spread = 3 * (sum(total * total for total in doubled_sums) - k * (n * (k + 1)) ** 2)
    scale = n * k * (k * k - 1)
    if tie_correction:
        groups = [int(t) for row in ranks for t in np.unique(row, return_counts=True)[1]]
        scale -= sum(t**3 - t for t in groups)
    rest = n * scale - spread
    return (k - 1) * spread / scale, (n - 1) * spread / rest if rest else float("inf")
