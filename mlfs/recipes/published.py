"""Papers again: one published table with the rank test that its paper makes of it, or a result that was measured."""

from __future__ import annotations

from collections.abc import Sequence

from mlfs.checks import checked
from mlfs.papers import PublishedTable
from mlfs.recipes.writing import Recipe, command


@checked
def published_table(table: PublishedTable, metric: str | None = None) -> Recipe:
    """The grid with the digits as printed; in Python the ranks too. `metric` where the table has several."""
    where = ", ".join(map(repr, filter(None, (table.paper, table.result, metric))))
    tested = table.rank_test is not None
    ranks = f"""\
ranks = published_ranks({where})
print(ranks.average_ranks.to_string())
print("F_F:", ranks.friedman.F, "critical difference:", ranks.critical_difference)
"""
    python = f"""\
from mlfs.papers import as_grid{", published_ranks" if tested else ""}

print(as_grid({where}, what="text").to_string())
{ranks if tested else ""}"""
    chosen = ("--metric", metric) if metric else ()
    return Recipe(python, command("paper", "show", table.paper, table.number, *chosen))


@checked
def measured_result(
    paper: str,
    result: str,
    datasets: Sequence[str] | None = None,
    repeats: int | None = None,
    metric: str | None = None,
) -> Recipe:
    """The run of a table or figure: a table beside the published numbers, a figure as its rows.

    Parameters
    ----------
    result : such as "table5" or "figure2"
    datasets, repeats : as `mlfs.papers.experiment.run_experiment` takes them
    metric : where a table has several
    """
    chosen = [repr(list(datasets))] if datasets else []
    chosen += [f"repeats={repeats}"] if repeats else []
    call = ", ".join(["experiment", *chosen, "store=store"])
    beside, shown = "", "measured.rows"
    if result.startswith("table"):
        beside = "from mlfs.papers.published_vs_measured import side_by_side\n"
        named = f", {metric!r}" if metric else ""
        shown = f'side_by_side({paper!r}, {result!r}, measured.rows{named}).dropna(subset="measured")'
    python = f"""\
from mlfs.papers import get_experiment
from mlfs.papers.experiment import run_experiment
{beside}from mlfs.studies import Store

experiment = get_experiment({paper!r}, {result!r})
with Store("studies.sqlite") as store:
    measured = run_experiment({call})
print({shown}.to_string())
"""
    options = ["--datasets", ",".join(datasets)] if datasets else []
    options += ["--repeats", str(repeats)] if repeats else []
    return Recipe(python, command("paper", "run", paper, result, *options))
