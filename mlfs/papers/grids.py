"""Published numbers as the papers lay them out: a grid of data sets × methods."""

from __future__ import annotations

import pandas as pd

from mlfs.errors import ParameterError, did_you_mean
from mlfs.metrics import quantity
from mlfs.papers.paper import PublishedTable
from mlfs.papers.registry import get_table, published


def as_grid(
    paper: str, table: str | int, metric: str | None = None, *, what: str = "value", bounds: bool = False
) -> pd.DataFrame:
    """One metric of a table as a grid of data sets × methods; of a table of statistics, metrics × statistics.

    Parameters
    ----------
    metric : needed where the table has several
    what : "value", "std", or "text" for the digits as printed
    bounds : where the paper only prints that a value is beyond a bound ("> 1000"), give the bound; else nothing

    >>> as_grid("lee_kim_2016", 5).loc["yeast", ["all_features", "els"]].to_dict()
    {'all_features': 0.216, 'els': 0.209}
    >>> as_grid("zhang_2020_grro", 4, what="text").loc["bibtex", ["fimf", "grro"]].to_dict()
    {'fimf': '> 1000', 'grro': '200.61'}
    """
    if what not in ("value", "std", "text"):
        raise ParameterError(f"what={what!r} must be 'value', 'std' or 'text'.")
    found = get_table(paper, table)
    rows = published(paper, found.table)
    if not bounds:
        rows["value"] = rows["value"].where(rows["bound"] == "")
    if found.is_of_statistics:
        return _statistics(rows, what)
    rows = rows[rows["metric"] == chosen_metric(found, metric)]
    return _laid_out(rows, "dataset", "setting", what).rename_axis(columns="method")


def best_cells(paper: str, table: str | int, metric: str | None = None) -> pd.DataFrame:
    """Which cells of the grid hold the best value of their row; ties all do, and none where no value is better.

    >>> best = best_cells("lee_kim_2016", 6)
    >>> [str(method) for method in best.columns[best.loc["corel5k"]]]
    ['mfs']
    """
    found = get_table(paper, table)
    grid = as_grid(paper, found.table, metric)
    lower = None if found.is_of_statistics else quantity(chosen_metric(found, metric)).lower_is_better
    if lower is None or grid.shape[1] < 2:
        return pd.DataFrame(False, index=grid.index, columns=grid.columns)
    best = grid.min(axis=1) if lower else grid.max(axis=1)
    return grid.eq(best, axis=0)


def chosen_metric(table: PublishedTable, metric: str | None) -> str:
    """The metric asked for, or the only one."""
    if metric is None and len(table.metrics) == 1:
        return table.metric
    if metric in table.metrics:
        return metric
    if metric is None:
        choices = " or ".join(f"metric={name!r}" for name in table.metrics)
        raise ParameterError(f"Table {table.table} of {table.paper} has several metrics: give {choices}.")
    hint = did_you_mean(str(metric), table.metrics)
    raise ParameterError(f"Table {table.table} of {table.paper} has no metric {metric!r}: {hint}")


def _statistics(rows: pd.DataFrame, what: str) -> pd.DataFrame:
    """F_F of each metric, and beside it the critical value, which is one for all."""
    grid = _laid_out(rows[rows["tested"] != ""], "tested", "metric", what)
    for _, row in rows[rows["tested"] == ""].iterrows():
        grid[row["metric"]] = row[what]
    return grid.rename_axis(index="metric", columns="statistic")


def _laid_out(rows: pd.DataFrame, down: str, across: str, what: str) -> pd.DataFrame:
    """The grid in the order of the paper."""
    return rows.pivot_table(what, down, across, aggfunc="first", dropna=False, sort=False)
