"""``mlfs paper run``: a table or figure computed again, beside what the paper prints; and the kept runs of it."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlfs.cli.arguments import add_dask, add_store, add_workers, whole, words
from mlfs.cli.output import Answer, facts, figure, notes, records, table
from mlfs.cli.parser import Parser, UsageError, add_verb
from mlfs.cli.progress import ProgressLine
from mlfs.errors import ParameterError, did_you_mean
from mlfs.papers import PAPERS, get_experiment, get_paper, get_table
from mlfs.wording import count, duration, roughly

if TYPE_CHECKING:
    import pandas as pd

    from mlfs.papers.experiment import Experiment, ExperimentResult
    from mlfs.studies import Estimate

ALL = "all"
# A terminal shows so many of a curve's sizes.
SIZES = 7


def add_run(verbs: Any) -> Parser:
    parser = add_verb(
        verbs,
        "run",
        run_run,
        "compute a table or figure again, and show it beside the published numbers",
        more="It runs on those of its data sets that are on this machine: bundled, in the folder that MLFS_DATA\n"
        "names, or downloaded. Cells already in the store are not computed again.",
        examples="""
            mlfs paper run zhou_2023_mapd tableIV --datasets emotions --repeats 1
            mlfs paper run zhou_2023_mapd tableV --datasets emotions --repeats 1 --methods scls,ami
            mlfs paper run lee_kim_2016 table3 --datasets yeast --repeats 1 --keep kept
        """,
    )
    parser.add_argument("paper", metavar="PAPER", help=f"one of {', '.join(PAPERS)}")
    parser.add_argument("result", metavar="RESULT", help=f"such as table5 or figure2, or {ALL}")
    parser.add_argument("--datasets", type=words, metavar="LIST", help="some of its data sets, with commas between")
    parser.add_argument(
        "--methods", type=words, metavar="LIST", help="some rows of the table: ids, with commas between"
    )
    parser.add_argument(
        "--repeats", type=whole(1), metavar="N", help="how often splits are drawn (default: the experiment's own)"
    )
    add_store(parser)
    add_workers(parser)
    add_dask(parser)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="write the rows and how they ran into CSV files")
    return parser


def run_run(arguments: argparse.Namespace) -> Answer:
    from mlfs.papers.experiment import run_experiment
    from mlfs.papers.stored_runs import check_rows_folder, store_rows
    from mlfs.studies import Store

    every = arguments.result == ALL
    known = get_paper(arguments.paper).experiments
    chosen = list(known.values()) if every else [get_experiment(arguments.paper, arguments.result)]
    if arguments.methods:
        chosen = _with_methods(chosen, arguments.methods, every)
    if arguments.keep:
        if arguments.methods:
            raise UsageError("--keep needs every method, so that no row is lost: leave out --methods.")
        for experiment in chosen:
            check_rows_folder(experiment, arguments.keep)
    engine = f"dask:{arguments.dask}" if arguments.dask else None
    parts: list[Answer] = []
    with Store(arguments.store) as store:
        for experiment in chosen:
            asked = _asked(experiment, arguments.datasets, every)
            if asked == []:
                continue
            with ProgressLine() as bar:
                # The time is estimated for a person who waits; by itself it costs some seconds.
                expected = partial(_say_expected, bar, experiment) if bar.shown else None
                measured = run_experiment(
                    experiment,
                    asked,
                    arguments.repeats,
                    store=store,
                    engine=engine,
                    workers=arguments.workers,
                    progress=lambda done, total, text, bar=bar: bar.share(done / total, text),  # type: ignore[misc]
                    expected=expected,
                )
            if arguments.keep:
                store_rows(experiment, measured, arguments.keep, repeats=arguments.repeats, asked=asked)
            parts.append(_answer(experiment, measured))
    problems = tuple(dict.fromkeys(problem for part in parts for problem in part.problems))
    document = {"paper": arguments.paper, "results": [part.document for part in parts]}
    return Answer(document, "\n\n\n".join(part.text for part in parts), problems)


def stored_answer(paper: str, result: str) -> Answer:
    """What is stored of a result: ``mlfs paper show PAPER RESULT --measured``."""
    from mlfs.papers.stored_runs import command, stored_rows, stored_runs

    experiment = get_experiment(paper, result)
    rows, runs = stored_rows(paper, experiment.result), stored_runs(paper, experiment.result)
    document = {**_document(experiment, rows), "runs": records(runs)}
    if rows.empty:
        return Answer(document, f"No run of {experiment.name} of {paper} is kept; make one with: {command(experiment)}")
    ran = [_run_text(run) for run in runs.itertuples()]
    parts = [_title(experiment), *_tables(experiment, rows), *ran, *notes(experiment.notes)]
    return Answer(document, "\n\n".join(parts))


def _run_text(run: Any) -> str:
    versions = f"mlfs {run.mlfs}, NumPy {run.numpy}, scikit-learn {run.scikit_learn}, Python {run.python}"
    about = [("run", f"{run.date}, {versions}"), ("data sets", str(run.datasets)), ("repeats", str(run.repeats))]
    return facts([*about, ("command", str(run.command))])


def _asked(experiment: Experiment, datasets: Sequence[str] | None, every: bool) -> Sequence[str] | None:
    """The data sets asked for; of all results each takes those that it has."""
    known = get_paper(experiment.paper).datasets
    if wrong := [name for name in datasets or () if name not in known]:
        raise ParameterError(f"{experiment.paper} has no data set {wrong[0]!r}: {did_you_mean(wrong[0], known)}")
    if datasets is None or not every:
        return datasets
    return [name for name in datasets if name in experiment.datasets]


def _with_methods(chosen: list[Experiment], methods: Sequence[str], every: bool) -> list[Experiment]:
    """The experiments with some methods only; of all results each takes those that it has."""
    if not every:
        return [experiment.only(methods) for experiment in chosen]
    known = list(dict.fromkeys(name for experiment in chosen for name in experiment.methods))
    if wrong := [name for name in methods if name not in known]:
        raise ParameterError(f"{chosen[0].paper} has no method {wrong[0]!r}: {did_you_mean(wrong[0], known)}")
    methods_of = [(experiment, [name for name in methods if name in experiment.methods]) for experiment in chosen]
    return [experiment.only(names) for experiment, names in methods_of if names]


def _say_expected(bar: ProgressLine, experiment: Experiment, expected: Estimate) -> None:
    left = count(expected.cells - expected.known, "cell")
    bar.say(f"{experiment.name}: {left} to compute, which will take about {roughly(expected.seconds)}.")


def _answer(experiment: Experiment, measured: ExperimentResult) -> Answer:
    missing = [f"Not on this machine: {', '.join(measured.missing)}."] if measured.missing else []
    document = {
        **_document(experiment, measured.rows),
        "datasets": measured.datasets,
        "missing": measured.missing,
        "notes": measured.notes,
        "problems": measured.problems,
        "seconds": measured.seconds,
    }
    shown = _tables(experiment, measured.rows) or ["Nothing was measured."]
    ended = "\n".join([*missing, f"The run took {duration(measured.seconds)}."])
    text = "\n\n".join([_title(experiment), *shown, ended, *notes(measured.notes)])
    return Answer(document, text, measured.problems)


def _title(experiment: Experiment) -> str:
    return f"{experiment.paper}, {experiment.name}. {experiment.title}"


def _document(experiment: Experiment, rows: pd.DataFrame) -> dict[str, object]:
    document: dict[str, object] = {"result": experiment.result, "title": experiment.title, "rows": records(rows)}
    if experiment.is_of_table and len(rows):
        from mlfs.papers.published_vs_measured import side_by_side
        from mlfs.papers.ranks import rank_agreement

        where = (experiment.paper, experiment.result, rows)
        agreements = {metric: rank_agreement(*where, metric) for metric in _metrics(rows)}
        document["beside"] = {metric: records(side_by_side(*where, metric)) for metric in _metrics(rows)}
        document["ranks"] = {
            metric: {
                "average_ranks": records(agreement.ranks.reset_index()),
                "spearman": agreement.spearman,
                "kendall": agreement.kendall,
                "by_dataset": records(agreement.by_dataset),
                "datasets": agreement.datasets,
            }
            for metric, agreement in agreements.items()
            if agreement is not None
        }
    return document


def _metrics(rows: pd.DataFrame) -> list[str]:
    return [str(name) for name in rows["metric"].unique()]


def _tables(experiment: Experiment, rows: pd.DataFrame) -> list[str]:
    if rows.empty:
        return []
    if not experiment.is_of_table:
        return [_curves(rows[rows["metric"] == metric], metric) for metric in _metrics(rows)]
    return [_side_by_side(experiment, rows, metric) for metric in _metrics(rows)]


def _side_by_side(experiment: Experiment, rows: pd.DataFrame, metric: str) -> str:
    """Published, measured and their difference; below, how far the ranks agree."""
    from mlfs.papers.published_vs_measured import reference, side_by_side
    from mlfs.papers.ranks import rank_agreement

    both = side_by_side(experiment.paper, experiment.result, rows, metric)
    both = both[both["measured"].notna()]
    lines = []
    for row in both.itertuples():
        published = f"{row.bound}{_with_spread(row.published, row.published_std)}"
        measured = _with_spread(row.measured, row.std)
        signed = ("+" if row.difference > 0 else "") + _number(row.difference)
        lines.append([row.dataset or ALL, row.setting, published, measured, signed, figure(row.n)])
    divided = reference(get_table(experiment.paper, experiment.result))
    head = f"{metric}, as multiples of {divided}" if divided else metric
    parts = [head, table(["data set", "method", "published", "measured", "difference", "n"], lines, left=2)]
    agreement = rank_agreement(experiment.paper, experiment.result, rows, metric)
    if agreement is not None and math.isfinite(agreement.spearman):
        parts.append(
            f"Ranks of the methods over {count(len(agreement.datasets), 'data set')}: Spearman "
            f"{agreement.spearman:.2f}, Kendall {agreement.kendall:.2f} with the published."
        )
    return "\n\n".join(parts)


def _curves(rows: pd.DataFrame, metric: str) -> str:
    """Settings down, sizes across: as many as a terminal holds."""
    if rows["size"].isna().all():
        lines = [
            [row.dataset, row.setting, _with_spread(row.value, row.std), figure(row.n)] for row in rows.itertuples()
        ]
        return f"{metric}\n\n{table(['data set', 'setting', 'measured', 'n'], lines, left=2)}"
    parts = [metric]
    for dataset, group in rows.groupby("dataset", sort=False):
        sizes = sorted(group["size"].unique())
        step = max(1, math.ceil(len(sizes) / SIZES))
        shown = sizes[step - 1 :: step]
        grid = group.pivot_table("value", "setting", "size", sort=False).reindex(columns=shown)
        lines = [[str(name), *map(_number, row)] for name, row in zip(grid.index, grid.to_numpy(), strict=True)]
        parts.append(table([str(dataset), *(f"{size:.0f}" for size in shown)], lines))
    return "\n\n".join(parts)


def _number(value: float) -> str:
    if not math.isfinite(value):
        return "–"
    return f"{value:.4f}" if abs(value) < 1 and value else f"{value:.4g}"


def _with_spread(value: float, std: float) -> str:
    return _number(value) + (f" ± {_number(std)}" if math.isfinite(std) else "")
