"""Ranks of the methods on each data set: what makes losses of unlike data sets comparable."""

from __future__ import annotations

import pandas as pd

from mlfs.errors import StatisticsError


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
