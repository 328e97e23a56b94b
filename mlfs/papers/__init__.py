"""Papers: what they propose and print, as data, and the same run again. `PAPERS` names every table and figure.

Each paper is a folder of this package; `docs/add-a-paper.md` says how one is added.
"""

from mlfs.papers.characteristics import characteristics
from mlfs.papers.paper import (
    PAPERS,
    QUESTIONS,
    TOURS,
    Paper,
    PublishedFigure,
    PublishedTable,
    get_experiment,
    get_paper,
    get_table,
)
from mlfs.papers.published import as_grid, best_cells, published
from mlfs.papers.ranks import published_ranks

__all__ = [
    "PAPERS",
    "QUESTIONS",
    "TOURS",
    "Paper",
    "PublishedFigure",
    "PublishedTable",
    "as_grid",
    "best_cells",
    "characteristics",
    "get_experiment",
    "get_paper",
    "get_table",
    "published",
    "published_ranks",
]
