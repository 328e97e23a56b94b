"""``mlfs study``: sweeps that survive anything; planned, run, watched, exported and cancelled."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from mlfs.cli.arguments import new_file, seeds, whole
from mlfs.cli.output import Answer, facts, failures, table
from mlfs.cli.parser import Parser, UsageError, add_family, add_verb
from mlfs.cli.progress import Progress
from mlfs.cli.protocol_flags import add_measuring_flags, add_protocol_flags, changes_of
from mlfs.cli.study_show import add_show
from mlfs.errors import StudyError, did_you_mean
from mlfs.plots.wording import count, duration
from mlfs.selectors.specification import method_text, parse_method
from mlfs.studies import MethodGrid, Plan, Store, Study, estimate, run

STORE = "studies.sqlite"


def build(parser: Parser) -> None:
    verbs = add_family(parser, "plan, run, resume and export studies")
    about = (
        "A study is a plan in a TOML or JSON file, or what --datasets, --methods, --vary and the protocol's flags\n"
        "describe. Cells that a store knows, of this study or another, are not computed again."
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
        "run a study, or go on with it; what is done stays, whatever happens",
        more=about,
        examples="""
            mlfs study run sweep.toml
            mlfs study run --datasets emotions --methods grro els --vary grro:alpha=0.1,1 --sizes 5 --name second
        """,
    )
    _add_plan(ran)
    ran.add_argument("--dask", metavar="ADDRESS", help="run on a Dask cluster: its scheduler, such as tcp://host:8786")
    status = add_verb(
        verbs,
        "status",
        run_status,
        "the studies of a store and how far they are",
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
    shown = add_show(verbs)
    for verb in (planned, ran, status, shown, exported, cancelled):
        verb.add_argument(
            "--store", type=Path, default=STORE, metavar="FILE", help=f"where results are kept (default: {STORE})"
        )


def _add_plan(parser: Parser) -> None:
    parser.add_argument("plan", nargs="?", metavar="PLAN", help="a .toml or .json file")
    parser.add_argument("--datasets", nargs="+", metavar="DATASET", help="names of mlfs data list, or paths")
    parser.add_argument("--methods", nargs="+", metavar="METHOD", help="ids, or with parameters: els grro:alpha=1")
    parser.add_argument(
        "--vary", nargs="+", default=[], metavar="GRID", help="the values of a parameter: grro:alpha=0.1,1,10"
    )
    parser.add_argument("--seeds", type=seeds, metavar="LIST", help="of splits and of methods that draw lots: 0,1,2")
    parser.add_argument("--name", metavar="NAME", help="what to call the study")
    parser.add_argument("--workers", type=whole(1), metavar="N", help="processes (default: one per core)")
    add_protocol_flags(parser)
    add_measuring_flags(parser)


def run_plan(arguments: argparse.Namespace) -> Answer:
    plan = plan_of(arguments)
    store = Store(arguments.store) if Path(arguments.store).exists() else None
    try:
        found = estimate(plan, store, workers=arguments.workers)
    finally:
        if store is not None:
            store.close()
    told = [
        ("study", plan.name),
        ("data sets", ", ".join(plan.datasets)),
        ("methods", ", ".join(f"{_method(grid)}{_times(grid)}" for grid in plan.methods)),
        ("protocol", plan.protocol),
        ("cells", f"{found.cells}, of which {found.known} are known"),
        ("time", f"about {duration(found.seconds)}"),
    ]
    text = f"{facts(told)}\n\n{found.basis}"
    if arguments.write:
        text += f"\nWrote {plan.write(arguments.write)}."
    return Answer({"plan": plan.to_dict(), **asdict(found)}, text)


def run_run(arguments: argparse.Namespace) -> Answer:
    plan = plan_of(arguments)
    engine = f"dask:{arguments.dask}" if arguments.dask else "local"
    with Store(arguments.store) as store:
        with Progress() as progress:
            done = run(plan, store, engine=engine, workers=arguments.workers, progress=progress)
        problems = list(failures(store.results(done.study)))
    if done.cancelled:
        problems.append("The study was stopped before its end: run it again to go on.")
    told = [
        ("study", f"{done.study} ({plan.name})"),
        ("cells", f"{done.cells}: {done.known} known, {done.computed} computed, {done.failed} failed"),
        ("time", duration(done.seconds)),
        ("store", str(arguments.store)),
    ]
    document = {**asdict(done), "name": plan.name, "store": str(arguments.store), "problems": problems}
    return Answer(document, facts(told), tuple(problems))


def run_status(arguments: argparse.Namespace) -> Answer:
    with open_store(arguments.store) as store:
        found = store.studies() if arguments.study is None else [find_study(store, arguments.study)]
    rows = [
        [str(study.id), study.plan.name, study.state, f"{study.done} of {study.cells}", str(study.failed), _when(study)]
        for study in found
    ]
    document = [
        {
            "id": study.id,
            "name": study.plan.name,
            "state": study.state,
            "cells": study.cells,
            "done": study.done,
            "failed": study.failed,
            "created": study.created,
            "plan": study.plan.to_dict(),
        }
        for study in found
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


def plan_of(arguments: argparse.Namespace) -> Plan:
    """The plan of the file, or of the flags."""
    changes = changes_of(arguments)
    described = {
        "--datasets": arguments.datasets,
        "--methods": arguments.methods,
        "--vary": arguments.vary,
        "--seeds": arguments.seeds,
        "--name": arguments.name,
        "--protocol and its flags": changes or arguments.protocol != "quick",
    }
    if arguments.plan:
        if both := [flag for flag, given in described.items() if given]:
            raise UsageError(f"A plan in a file says itself what to run: leave out {both[0]}, or the file.")
        return Plan.read(arguments.plan)
    if missing := [flag for flag in ("--datasets", "--methods") if not described[flag]]:
        raise UsageError(f"A study needs a plan: give a file, or {' and '.join(missing)}.")
    grids = _grids(arguments.methods, arguments.vary)
    name = arguments.name or f"{', '.join(map(_method, grids))} on {', '.join(arguments.datasets)}"
    return Plan(name, arguments.datasets, grids, arguments.protocol, changes, arguments.seeds or (0,))


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
    if word.isdecimal():
        return store.study(int(word))
    found: Mapping[str, Study] = {study.plan.name: study for study in store.studies()}
    if word not in found:
        raise StudyError(f"There is no study {word!r} in {store.path}: {did_you_mean(word, found)}")
    return found[word]


def _method(grid: MethodGrid) -> str:
    return method_text(grid.method, grid.parameters)


def _times(grid: MethodGrid) -> str:
    varied: list[Any] = [f"{len(values)} {name}" for name, values in grid.grid.items()]
    return f" ({' × '.join(varied)})" if varied else ""


def _when(study: Study) -> str:
    return datetime.fromtimestamp(study.created).strftime("%Y-%m-%d %H:%M")
