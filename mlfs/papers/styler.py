"""A published grid as people read it: the methods' names, the paper's digits, the best of each row in bold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mlfs.metrics import quantity
from mlfs.papers.grids import as_grid, best_cells
from mlfs.papers.registry import get_table
from mlfs.results import setting_title
from mlfs.tables.sheet import BEST, Sheet

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler


def named_grid(
    paper: str, table: str | int, metric: str | None = None, *, what: str = "value", bounds: bool = False
) -> pd.DataFrame:
    """As `as_grid`, with the names that people read.

    >>> list(named_grid("zhou_2023_mapd", "II").columns)[:2]
    ['MAPD (alpha=0.6)', 'MAPD (alpha=0.7)']
    """
    grid = as_grid(paper, table, metric, what=what, bounds=bounds)
    if get_table(paper, table).is_of_statistics:
        names = [quantity(str(name)).title for name in grid.index]
        titles = [quantity(str(name)).title for name in grid.columns]
        return grid.set_axis(names, axis="index").set_axis(titles, axis="columns").rename_axis("Metric")
    titles = [setting_title(name) for name in grid.columns]
    return grid.set_axis(titles, axis="columns").rename_axis(index="Data set", columns=None)


def grid_sheet(paper: str, table: str | int, metric: str | None = None) -> Sheet:
    """The same words and marks, for `mlfs.tables.to_latex`."""
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
    for name, row in words.iterrows():
        for title, text in row.items():
            # One call for each cell: a formatter sees only the value, not the printed digits.
            styler = styler.format(lambda _, text=text: text, subset=([name], [title]))
    bold = np.where(best_cells(paper, table, metric), "font-weight: bold", "")
    return styler.apply(lambda _: bold, axis=None)
