"""``mlfs study``: sweeps that survive anything; planned, run, watched, exported and cancelled."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd

from mlfs.cli.arguments import add_dask, add_store, add_workers, new_file, seeds, size, words
from mlfs.cli.output import Answer, facts, failures, table
from mlfs.cli.parser import Parser, UsageError, add_family, add_verb
from mlfs.cli.progress import ProgressLine
from mlfs.cli.protocol_flags import add_measuring_flags, add_protocol_flags, changes_of
from mlfs.cli.rankings import add_rankings, read_rankings
from mlfs.datasets import load_dataset
from mlfs.errors import StudyError, did_you_mean
from mlfs.parameters import parse_value
from mlfs.selectors.specification import method_parameters, method_text, parse_method
from mlfs.studies import MethodGrid, Plan, Store, Study, estimate, run
from mlfs.studies.store import study_number
from mlfs.studies.sweep import held_at, numbers
from mlfs.tables import summary, to_text
from mlfs.wording import count, duration

LAST = "last"


def build(parser: Parser) -> None:
    verbs = add_family(parser, "plan, run, resume and export studies")
    about = (
        "A study is a plan in a TOML or JSON file, or what --datasets, --methods, --vary and the protocol's flags\n"
        "describe. Cells already in the store, from this study or another, are not computed again."
    )
    planned = add_verb(
        verbs,
        "plan",
        run_plan,
        "how many cells a study has and how long it will take",
        more=about,
        examples="""
            mlfs study plan --datasets emotions --methods grro els --vary grro:alpha=0.1,1 --sizes 5 --write sweep.toml
            mlfs study plan sweep.toml
        """,
    )
    _add_plan(planned)
    planned.add_argument("--write", type=new_file, metavar="FILE", help="keep the plan as a .toml or .json file")
    ran = add_verb(
        verbs,
        "run",
        run_run,
        "run a study, or resume it; finished runs are kept, whatever happens",
        more=about,
        examples="""
            mlfs study run sweep.toml
            mlfs study run --datasets emotions --methods grro els --vary grro:alpha=0.1,1 --sizes 5 --name second
        """,
    )
    _add_plan(ran)
    add_dask(ran)
    status = add_verb(
        verbs,
        "status",
        run_status,
        "the studies in a store, and their progress",
        examples="mlfs study status\nmlfs study status second --json",
    )
    status.add_argument("study", nargs="?", metavar="STUDY", help="its number or name (default: all)")
    exported = add_verb(
        verbs,
        "export",
        run_export,
        "write the results of a study as CSV or Parquet",
        examples="mlfs study export second results.csv",
    )
    exported.add_argument("study", metavar="STUDY", help="its number or name")
    exported.add_argument("target", type=new_file, metavar="TARGET", help="the file to write, .csv or .parquet")
    cancelled = add_verb(
        verbs,
        "cancel",
        run_cancel,
        "ask a running study to stop, in whatever process it runs",
        examples="mlfs study cancel second",
    )
    cancelled.add_argument("study", metavar="STUDY", help="its number or name")
    shown = _add_show(verbs)
    for verb in (planned, ran, status, shown, exported, cancelled):
        add_store(verb, "results")


def _add_plan(parser: Parser) -> None:
    parser.add_argument("plan", nargs="?", metavar="PLAN", help="a .toml or .json file")
    parser.add_argument("--datasets", nargs="+", metavar="DATASET", help="names from mlfs data list, or paths")
    parser.add_argument("--methods", nargs="+", metavar="METHOD", help="ids, or with parameters: els grro:alpha=1")
    parser.add_argument(
        "--vary", nargs="+", default=[], metavar="GRID", help="the values of a parameter: grro:alpha=0.1,1,10"
    )
    parser.add_argument("--seeds", type=seeds, metavar="LIST", help="for splits and random methods: 0,1,2")
    parser.add_argument("--name", metavar="NAME", help="what to call the study")
    add_workers(parser)
    add_rankings(parser)
    add_protocol_flags(parser)
    add_measuring_flags(parser)


def _add_show(verbs: Any) -> Parser:
    parser = add_verb(
        verbs,
        "show",
        run_show,
        "mean and standard deviation of a metric over the splits of a study",
        more="Of a sweep one row for each value of the varied parameters, of other studies one column per method.",
        examples="mlfs study show second\nmlfs study show second --metric ranking_loss --at 5 --json",
    )
    parser.add_argument("study", metavar="STUDY", help="its number or name")
    parser.add_argument("--metric", metavar="NAME", help="a metric of the study, or ACR (default: its first metric)")
    parser.add_argument(
        "--at",
        type=_sizes,
        default=(None,),
        metavar="LIST",
        help="numbers of features, mean over the sizes, or last size (default: last)",
    )
    parser.add_argument(
        "--hold", nargs="+", default=[], metavar="NAME=VALUE", help="only the rows in which a parameter has this value"
    )
    return parser


def run_plan(arguments: argparse.Namespace) -> Answer:
    plan = plan_of(arguments)
    store = Store(arguments.store) if Path(arguments.store).exists() else None
    try:
        expected = estimate(plan, store, workers=arguments.workers)
    finally:
        if store is not None:
            store.close()
    lines = [
        ("study", plan.name),
        ("data sets", ", ".join(plan.datasets)),
        ("methods", ", ".join(f"{_method(grid)}{_times(grid)}" for grid in plan.methods)),
        *[("rankings", ", ".join(dict.fromkeys(ranking.setting for ranking in plan.rankings)))][: len(plan.rankings)],
        ("protocol", plan.protocol),
        ("cells", f"{expected.cells}, of which {expected.known} are already done"),
        ("time", f"about {duration(expected.seconds)}"),
    ]
    text = f"{facts(lines)}\n\n{expected.basis}"
    if arguments.write:
        text += f"\nWrote {plan.write(arguments.write)}."
    return Answer({"plan": plan.to_dict(), **asdict(expected)}, text)


def run_run(arguments: argparse.Namespace) -> Answer:
    plan = plan_of(arguments)
    engine = f"dask:{arguments.dask}" if arguments.dask else "local"
    with Store(arguments.store) as store:
        with ProgressLine() as progress:
            done = run(plan, store, engine=engine, workers=arguments.workers, progress=progress)
        problems = list(failures(store.results(done.study)))
    if done.cancelled:
        problems.append("The study was stopped early: run it again to continue.")
    lines = [
        ("study", f"{done.study} ({plan.name})"),
        ("cells", f"{done.cells}: {done.known} already done, {done.computed} computed, {done.failed} failed"),
        ("time", duration(done.seconds)),
        ("store", str(arguments.store)),
    ]
    document = {**asdict(done), "name": plan.name, "store": str(arguments.store), "problems": problems}
    return Answer(document, facts(lines), tuple(problems))


def run_status(arguments: argparse.Namespace) -> Answer:
    with open_store(arguments.store) as store:
        studies = store.studies() if arguments.study is None else [find_study(store, arguments.study)]
    rows = [
        [str(study.id), study.plan.name, study.state, f"{study.done} of {study.cells}", str(study.failed), _when(study)]
        for study in studies
    ]
    fields = ("state", "cells", "done", "failed", "created")
    document = [
        {"id": study.id, "name": study.plan.name}
        | {name: getattr(study, name) for name in fields}
        | {"plan": study.plan.to_dict()}
        for study in studies
    ]
    text = table(["study", "name", "state", "cells", "failed", "begun"], rows, left=3) if rows else "No studies yet."
    return Answer({"store": str(arguments.store), "studies": document}, text)


def run_export(arguments: argparse.Namespace) -> Answer:
    kind = arguments.target.suffix.lower()
    if kind not in (".csv", ".parquet"):
        raise UsageError(f"TARGET must end in .csv or .parquet, not in {kind or 'nothing'!r}.")
    with open_store(arguments.store) as store:
        study = find_study(store, arguments.study)
        export = store.export_csv if kind == ".csv" else store.export_parquet
        path = export(study.id, arguments.target)
    text = f"Wrote {path}: {study.done} of {count(study.cells, 'cell')} of {study.plan.name}."
    return Answer({"study": study.id, "file": str(path), "cells": study.cells, "done": study.done}, text)


def run_cancel(arguments: argparse.Namespace) -> Answer:
    with open_store(arguments.store) as store:
        study = find_study(store, arguments.study)
        store.cancel(study.id)
    said = "was asked to stop" if study.state == "running" else f"is not running: it is {study.state}"
    return Answer({"study": study.id, "state": study.state}, f"{study.plan.name} {said}.")


def run_show(arguments: argparse.Namespace) -> Answer:
    with open_store(arguments.store) as store:
        study = find_study(store, arguments.study)
        rows = store.results(study.id)
    metric = arguments.metric or study.plan.resolved_protocol.metrics[0]
    errors = tuple(dict.fromkeys(error for error in rows["error"] if error))
    swept = [method for method in study.plan.methods if method.grid]
    if swept:
        tables = _sweeps(study.plan, swept, rows, metric, arguments)
        text = "\n".join(f"{head}\n\n{to_text(table)}" for head, table in tables.items())
        document = [{"of": head, "rows": table.to_dict("records")} for head, table in tables.items()]
    else:
        summaries = [summary(rows, metric, at) for at in arguments.at]
        text = "\n".join(map(to_text, summaries))
        document = [{"at": each.size, "rows": each.tidy().to_dict("records")} for each in summaries]
    return Answer({"study": study.id, "name": study.plan.name, "metric": metric, "tables": document}, text, errors)


def plan_of(arguments: argparse.Namespace) -> Plan:
    """The plan of the file, or of the flags."""
    changes = changes_of(arguments)
    described = {
        "--datasets": arguments.datasets,
        "--methods": arguments.methods,
        "--vary": arguments.vary,
        "--ranking": arguments.ranking,
        "--seeds": arguments.seeds,
        "--name": arguments.name,
        "--protocol and its flags": changes or arguments.protocol != "quick",
    }
    if arguments.plan:
        if both := [flag for flag, given in described.items() if given]:
            raise UsageError(f"The plan file already says what to run: leave out {both[0]}, or the file.")
        return Plan.read(arguments.plan)
    missing = [flag for flag in ("--datasets", "--methods") if not described[flag]]
    if missing and not (missing == ["--methods"] and arguments.ranking):
        raise UsageError(f"A study needs a plan: give a file, or {' and '.join(missing)}.")
    grids = _grids(arguments.methods or [], arguments.vary)
    loaded = {name: load_dataset(name) for name in arguments.datasets} if arguments.ranking else {}
    rankings = tuple(read_rankings(arguments, loaded))
    of = dict.fromkeys([*map(_method, grids), *(ranking.name for ranking in rankings)])
    name = arguments.name or f"{', '.join(of)} on {', '.join(arguments.datasets)}"
    return Plan(name, arguments.datasets, grids, arguments.protocol, changes, arguments.seeds or (0,), rankings)


def _grids(methods: list[str], varied: list[str]) -> tuple[MethodGrid, ...]:
    """The methods, each with the values of ``--vary`` that bear its id."""
    parsed = [parse_method(text) for text in methods]
    grids: dict[str, dict[str, list[str]]] = {method: {} for method, _ in parsed}
    for text in varied:
        method, _, rest = text.partition(":")
        name, _, values = rest.partition("=")
        if not name or not values:
            raise UsageError(f"--vary must be a method, a parameter and its values, as grro:alpha=0.1,1, not {text!r}.")
        if method not in grids:
            raise UsageError(f"--vary names {method!r}, which is not among the methods: {did_you_mean(method, grids)}")
        grids[method][name] = values.split(",")
    return tuple(MethodGrid(method, parameters, grids[method]) for method, parameters in parsed)


def open_store(path: str | Path) -> Store:
    """A store that is there; a verb that only reads must not make an empty one."""
    if not Path(path).exists():
        raise StudyError(f"There is no store {path}: run a study first, or name another with --store.")
    return Store(path)


def find_study(store: Store, word: str) -> Study:
    """A study by its number or its name; of several with one name the newest."""
    if (number := study_number(word)) is not None:
        return store.study(number)
    named: Mapping[str, Study] = {study.plan.name: study for study in store.studies()}
    if word not in named:
        raise StudyError(f"There is no study {word!r} in {store.path}: {did_you_mean(word, named)}")
    return named[word]


def _method(grid: MethodGrid) -> str:
    return method_text(grid.method, grid.parameters)


def _times(grid: MethodGrid) -> str:
    varied: list[Any] = [f"{len(values)} {name}" for name, values in grid.grid.items()]
    return f" ({' × '.join(varied)})" if varied else ""


def _when(study: Study) -> str:
    return datetime.fromtimestamp(study.created).strftime("%Y-%m-%d %H:%M")


def _sweeps(
    plan: Plan, swept: list[MethodGrid], rows: pd.DataFrame, metric: str, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    """One table for each data set and method whose parameters vary."""
    tables = {}
    for dataset in plan.datasets:
        for grid in swept:
            held = _held(grid, arguments.hold)
            swept_rows = held_at(rows[(rows["dataset"] == dataset) & (rows["method"] == grid.method)], held)
            names = [name for name in grid.grid if name not in held]
            tables[f"{grid.method} on {dataset}, {metric}"] = numbers(swept_rows, names, metric, arguments.at)
    return tables


def _held(grid: MethodGrid, given: list[str]) -> Mapping[str, Any]:
    held = {}
    for word in given:
        name, _, value = word.partition("=")
        if name not in grid.grid or not value:
            raise UsageError(
                f"--hold must be a varied parameter and its value, not {word!r}: {did_you_mean(name, grid.grid)}"
            )
        held[name] = parse_value(grid.method, method_parameters(grid.method)[name], value)
    return held


def _sizes(text: str) -> tuple[int | str | None, ...]:
    """``10,30``, ``mean`` or ``last``."""
    return tuple(None if word == LAST else size(word) for word in words(text))
