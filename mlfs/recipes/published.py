"""Papers again: one published table, and the rank test that its paper makes of it."""

from __future__ import annotations

from mlfs.papers import PublishedTable
from mlfs.recipes.writing import Recipe, command


def published_table(table: PublishedTable, metric: str | None = None) -> Recipe:
    """The grid with the digits as printed; in Python the ranks too. `metric` where the table has several."""
    where = ", ".join(map(repr, filter(None, (table.paper, table.table, metric))))
    python = f"""\
from mlfs.papers import as_grid

print(as_grid({where}, what="text").to_string())
"""
    if table.rank_test is not None:
        python = f"""\
from mlfs.papers import as_grid, published_ranks

print(as_grid({where}, what="text").to_string())
ranks = published_ranks({where})
print(ranks.average_ranks.to_string())
print("F_F:", ranks.friedman.F, "critical difference:", ranks.critical_difference)
"""
    chosen = ("--metric", metric) if metric else ()
    return Recipe(python, command("paper", "show", table.paper, table.table, *chosen))
