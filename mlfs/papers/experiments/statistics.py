"""Friedman's test of measured values, for the tables in which papers print it."""

from __future__ import annotations

import pandas as pd

from mlfs.metrics import quantity
from mlfs.statistics import friedman

LEAST, FEWEST_METHODS = 2, 3


def friedman_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """F_F of each metric over the data sets, and its critical value at 5 %.

    Only data sets on which every method has a value count; `n` is their number and `chosen` names them. Fewer than two
    of them, or than three methods, give nothing.
    """
    found = []
    for metric, own in rows.groupby("metric", sort=False):
        grid = own.pivot_table("value", "dataset", "setting", sort=False).dropna()
        if len(grid) < LEAST or grid.shape[1] < FEWEST_METHODS:
            continue
        result = friedman(grid, quantity(str(metric)).lower_is_better is not False)
        where = {"n": len(grid), "chosen": ", ".join(map(str, grid.index))}
        found.append({"setting": metric, "metric": "friedman_F", "value": result.F, **where})
        found.append({"setting": metric, "metric": "critical_value", "value": result.critical_value(), **where})
    return pd.DataFrame(found, columns=["setting", "metric", "value", "n", "chosen"]).assign(dataset="")
