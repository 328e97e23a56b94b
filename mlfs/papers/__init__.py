"""The five papers: what they propose and print, as data. `PAPERS` names every table and figure."""

from mlfs.papers.characteristics import beside_ours, beside_ours_in_words, characteristics, measured
from mlfs.papers.grids import as_grid, best_cells
from mlfs.papers.paper import Paper, PublishedFigure, PublishedTable
from mlfs.papers.ranks import PublishedRanks, published_ranks
from mlfs.papers.registry import PAPERS, get_paper, get_table, published, tables
from mlfs.papers.styler import grid_sheet, named_grid, styled_grid

__all__ = [
    "PAPERS",
    "Paper",
    "PublishedFigure",
    "PublishedRanks",
    "PublishedTable",
    "as_grid",
    "beside_ours",
    "beside_ours_in_words",
    "best_cells",
    "characteristics",
    "get_paper",
    "get_table",
    "grid_sheet",
    "measured",
    "named_grid",
    "published",
    "published_ranks",
    "styled_grid",
    "tables",
]
