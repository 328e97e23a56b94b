"""Published tables as data, as the papers lay them out, and as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mlfs.checks import checked
from mlfs.errors import ParameterError, did_you_mean
from mlfs.metrics import quantity
from mlfs.papers.paper import PublishedTable, get_table
from mlfs.results import setting_title
from mlfs.tables.sheet import BEST, NOTHING, Sheet

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler


@checked
def published(paper: str, table: str | int) -> pd.DataFrame:
    """The numbers of one table, one row each.

    Columns
    -------
    paper, table : the paper's id, and the number it gives the table
    dataset : by the name of the catalogue; empty for a statistic over all of them
    method, parameters : as `mlfs.evaluation.compare` gives them; empty for a statistic
    setting : both in one word, as `mlfs.selectors.specification` writes them
    metric : see `quantity`
    tested : for a statistic, the metric it is about
    value : the number
    std : its standard deviation, missing where none is printed
    bound : ">" or "≥" where the paper only says that the number is beyond ``value``
    text : the digits as the paper prints them

    >>> published("zhou_2023_mapd", "II").loc[0, ["dataset", "method", "parameters", "setting", "text"]].tolist()
    ['scene', 'mapd', '{"alpha": 0.6}', 'mapd:alpha=0.6', '0.0004 ± 0.00004']
    """
    return get_table(paper, table).rows


@checked
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
    declared = get_table(paper, table)
    rows = declared.rows
    if not bounds:
        rows["value"] = rows["value"].where(rows["bound"] == "")
    if declared.is_of_statistics:
        return _statistics(rows, what)
    rows = rows[rows["metric"] == chosen_metric(declared, metric)]
    return _laid_out(rows, "dataset", "setting", what).rename_axis(columns="method")


@checked
def best_cells(paper: str, table: str | int, metric: str | None = None) -> pd.DataFrame:
    """Which cells of the grid hold the best value of their row; ties all do, and none where no value is better.

    >>> best = best_cells("lee_kim_2016", 6)
    >>> [str(method) for method in best.columns[best.loc["corel5k"]]]
    ['mfs']
    """
    declared = get_table(paper, table)
    grid = as_grid(paper, table, metric)
    lower = None if declared.is_of_statistics else quantity(chosen_metric(declared, metric)).lower_is_better
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
        raise ParameterError(f"{table.name} of {table.paper} has several metrics: give {choices}.")
    hint = did_you_mean(str(metric), table.metrics)
    raise ParameterError(f"{table.name} of {table.paper} has no metric {metric!r}: {hint}")


def _statistics(rows: pd.DataFrame, what: str) -> pd.DataFrame:
    """F_F of each metric, and beside it the critical value, which is one for all."""
    grid = _laid_out(rows[rows["tested"] != ""], "tested", "metric", what)
    for _, row in rows[rows["tested"] == ""].iterrows():
        grid[row["metric"]] = row[what]
    return grid.rename_axis(index="metric", columns="statistic")


def _laid_out(rows: pd.DataFrame, down: str, across: str, what: str) -> pd.DataFrame:
    """The grid in the order of the paper."""
    return rows.pivot_table(what, down, across, aggfunc="first", dropna=False, sort=False)


def named_grid(
    paper: str, table: str | int, metric: str | None = None, *, what: str = "value", bounds: bool = False
) -> pd.DataFrame:
    """As `as_grid`, with the names that people read.

    >>> list(named_grid("zhou_2023_mapd", "II").columns)[:2]
    ['MAPD (α=0.6)', 'MAPD (α=0.7)']
    """
    grid = as_grid(paper, table, metric, what=what, bounds=bounds)
    if get_table(paper, table).is_of_statistics:
        names = [quantity(str(name)).title for name in grid.index]
        titles = [quantity(str(name)).title for name in grid.columns]
        return grid.set_axis(names, axis="index").set_axis(titles, axis="columns").rename_axis("Metric")
    titles = [setting_title(name) for name in grid.columns]
    return grid.set_axis(titles, axis="columns").rename_axis(index="Data set", columns=None)


def grid_sheet(paper: str, table: str | int, metric: str | None = None) -> Sheet:
    """The same words, the best in bold, for `mlfs.tables.to_latex`."""
    words = named_grid(paper, table, metric, what="text")
    best = best_cells(paper, table, metric).to_numpy()
    return Sheet(
        header=[str(words.index.name), *words.columns],
        rows=[[str(name), *row] for name, row in zip(words.index, words.to_numpy(), strict=True)],
        marks=[["", *(BEST if marked else "" for marked in row)] for row in best],
        numeric=[False] + [True] * words.shape[1],
    )


def styled_grid(paper: str, table: str | int, metric: str | None = None) -> Styler:
    """The grid with the digits as printed and the best in bold; the cells stay numbers, so that it sorts as such."""
    words = named_grid(paper, table, metric, what="text")
    styler = named_grid(paper, table, metric, bounds=True).style
    for title in words.columns:
        styler = with_words(styler, title, list(words[title]))
    bold = np.where(best_cells(paper, table, metric), "font-weight: bold", "")
    return styler.apply(lambda _: bold, axis=None)


def with_words(styler: Styler, column: str, words: Sequence[str]) -> Styler:
    """Give each number of a column its words, and the missing ones a dash.

    A formatter sees only the value, so equal values with other words have a call each, and it is slow to have many.
    """
    known: dict[float, str] = {}
    cells = zip(styler.index, styler.data[column], words, strict=True)
    others = [(name, text) for name, value, text in cells if known.setdefault(value, text) != text]
    styler = styler.format(lambda value: known.get(value, NOTHING), subset=[column], na_rep=NOTHING)
    for name, text in others:
        styler = styler.format(lambda _, text=text: text, subset=([name], [column]))
    return styler
