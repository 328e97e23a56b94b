"""``mlfs benchmark``: every method on every data set by one protocol; run, kept, shown, and a method of one's own."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas as pd

from mlfs.benchmark import (
    Benchmark,
    Leaderboard,
    LeaderboardSettings,
    card,
    leaderboard,
    make_benchmark,
    overlaps,
    read_benchmark,
    run_benchmark,
    stabilities,
)
from mlfs.benchmark.card import bibtex, sensitivity_sentence, time_and_memory
from mlfs.benchmark.joining import with_methods, with_parts
from mlfs.benchmark.kept import LIBRARIES, kept_folder
from mlfs.benchmark.leaderboard import PROPERTIES, SIZES
from mlfs.benchmark.rank_correlations import correlations_table, rank_correlations
from mlfs.benchmark.study import CLASSIFIERS, DATASETS, DEFAULT, FOLDS, GROWTH, LIMITS, PARTS, SETTINGS, BenchmarkRun
from mlfs.cli.arguments import add_dask, add_workers, positive, whole
from mlfs.cli.output import Answer, facts, records, table
from mlfs.cli.parser import Parser, add_family, add_verb
from mlfs.cli.progress import ProgressLine
from mlfs.cli.study import open_store
from mlfs.errors import StudyError
from mlfs.results import setting_title
from mlfs.selectors import SELECTORS
from mlfs.studies import Store
from mlfs.studies.limits import CellLimits
from mlfs.wording import count, duration, joined, listing

STORE = "benchmark.sqlite"
COLUMNS = ["#", "method", "rank", "95% interval", "wins", "exceeded", "time", "memory"]


def build(parser: Parser) -> None:
    verbs = add_family(parser, "every method on every data set under one protocol, and which is best")
    ran = add_verb(
        verbs,
        "run",
        run_run,
        "run the benchmark, or resume it; finished runs are kept, whatever happens",
        more="Data sets that are not on this machine are left out: MLFS_DATA names a folder of them.",
        examples="mlfs benchmark run --datasets emotions --methods els mfs random --parts default --splits 1",
    )
    ran.add_argument("--methods", nargs="+", metavar="METHOD", help="ids (default: every method of mlfs)")
    ran.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what to run (default: all)")
    ran.add_argument(
        "--classifiers", nargs="+", choices=CLASSIFIERS, default=list(CLASSIFIERS), help="which judge (default: all)"
    )
    ran.add_argument("--splits", type=whole(1), default=FOLDS, metavar="N", help=f"only the first N of {FOLDS}")
    kept = add_verb(
        verbs,
        "keep",
        run_keep,
        "turn what has been run into the tables that the Methods page reads",
        examples="mlfs benchmark keep --datasets emotions --methods els mfs random --folder kept",
    )
    kept.add_argument("--methods", nargs="+", metavar="METHOD", help="ids (default: every method of mlfs)")
    kept.add_argument("--machine", default="", metavar="WORDS", help="the machine it ran on, for readers of the times")
    kept.add_argument(
        "--join", action="store_true", help="keep what the folder already has for other data sets and classifiers"
    )
    kept.add_argument(
        "--commands",
        nargs="+",
        default=[],
        metavar="WORDS",
        help="the commands that made the store, noted beside the tables",
    )
    shown = add_verb(
        verbs,
        "show",
        run_show,
        "the leaderboard, or the card of one method",
        examples="""
            mlfs benchmark show
            mlfs benchmark show grro
            mlfs benchmark show --metric macro_f1 --size 10 --top 5
        """,
    )
    shown.add_argument("method", nargs="?", metavar="METHOD", help="an id, for its card")
    _add_settings(shown)
    added = add_verb(
        verbs,
        "add",
        run_add,
        "run a method on the data sets it has not been run on, and show how it ranks",
        more="MLFS_EXTENSIONS adds a method of your own. The splits are those of the stored benchmark.",
        examples="mlfs benchmark add els --datasets emotions",
    )
    added.add_argument("method", metavar="METHOD", help="its id")
    _add_settings(added)
    agreed = add_verb(
        verbs,
        "papers",
        run_papers,
        "how well the ranks agree with those printed in the papers",
        examples="mlfs benchmark papers",
    )
    for verb in (ran, kept, added):
        verb.add_argument("--datasets", nargs="+", metavar="DATASET", help=f"some of {', '.join(DATASETS)}")
        verb.add_argument("--store", type=Path, default=STORE, metavar="FILE", help=f"of results (default: {STORE})")
        _add_limits(verb)
    for verb in (ran, added):
        add_workers(verb)
        add_dask(verb)
    for verb in (kept, shown, added, agreed):
        verb.add_argument("--folder", type=Path, metavar="FOLDER", help="of the kept tables (default: those of mlfs)")


def _add_limits(parser: Parser) -> None:
    group = parser.add_argument_group("limits")
    for name, usual, what in (
        ("--selection-seconds", LIMITS.selection_seconds, "of processor time that a selection may take"),
        ("--classifier-seconds", LIMITS.classifier_seconds, "of processor time that the classifier may take after it"),
        ("--memory-gib", LIMITS.gib, "of memory that either may take"),
    ):
        help_text = f"{what} (default: {usual:g})"
        group.add_argument(name, type=positive, default=usual, metavar="N", help=help_text)


def _limits(arguments: argparse.Namespace) -> CellLimits:
    return CellLimits(arguments.selection_seconds, int(arguments.memory_gib * 2**30), arguments.classifier_seconds)


def _add_settings(parser: Parser) -> None:
    usual = LeaderboardSettings()
    parser.add_argument("--metric", default=usual.metric, metavar="NAME", help=f"(default: {usual.metric})")
    parser.add_argument("--classifier", default=usual.classifier, choices=CLASSIFIERS, help="which judges")
    parser.add_argument(
        "--size", default=usual.size, metavar="N", help=f"of {', '.join(SIZES).replace('%', '%%')} (default: mean)"
    )
    parser.add_argument("--setting", default=usual.setting, choices=SETTINGS, help="defaults, or tuned")
    parser.add_argument("--sets", default=usual.sets, choices=list(PROPERTIES), help="which data sets count")
    parser.add_argument("--top", type=whole(1), metavar="N", help="only the best N")


def run_run(arguments: argparse.Namespace) -> Answer:
    with Store(arguments.store) as store, ProgressLine() as progress:
        done = run_benchmark(
            store,
            datasets=arguments.datasets or DATASETS,
            methods=arguments.methods,
            parts=arguments.parts,
            classifiers=arguments.classifiers,
            splits=arguments.splits,
            **_how(arguments),
            progress=progress,
        )
    return Answer({**asdict(done), "store": str(arguments.store)}, facts(_of_run(done, arguments.store)), _told(done))


def run_keep(arguments: argparse.Namespace) -> Answer:
    folder = arguments.folder or kept_folder()
    with open_store(arguments.store) as store:
        benchmark = make_benchmark(
            store,
            datasets=arguments.datasets or DATASETS,
            methods=arguments.methods,
            limits=_limits(arguments),
            machine=arguments.machine,
            commands=arguments.commands,
        )
    # What was asked for by name must not be left out in silence, for it may be that MLFS_DATA is not set.
    lacking = [name for name in arguments.datasets or () if name not in set(benchmark.datasets["dataset"])]
    notes = [f"{name} is not among them: it is not on this machine, or has not been run." for name in lacking]
    if arguments.join:
        benchmark = with_parts(read_benchmark(folder), benchmark)
        notes += [
            f"Its data sets were run with different versions of {name}: {joined(versions)}."
            for name in LIBRARIES
            for versions in [benchmark.versions(name)]
            if len(versions) > 1
        ]
    try:
        paths = benchmark.write(folder)
    except OSError:
        raise StudyError(
            f"The tables cannot be written to {folder}: give a folder that may be written to and has room."
        ) from None
    size = sum(path.stat().st_size for path in paths)
    text = f"Wrote {folder}: {_coverage(benchmark)}, {size / 2**20:.1f} MiB.\n\n{benchmark.provenance()}"
    document = {"folder": str(folder), "bytes": size, "about": dict(benchmark.about), **_totals(benchmark)}
    return Answer(document, text, tuple(notes))


def run_show(arguments: argparse.Namespace) -> Answer:
    benchmark = read_benchmark(arguments.folder)
    board = leaderboard(benchmark, _settings(arguments))
    if arguments.method is None:
        return _board_answer(benchmark, board, arguments.top)
    return _card_answer(benchmark, board, arguments.method)


def run_add(arguments: argparse.Namespace) -> Answer:
    method, benchmark = arguments.method, read_benchmark(arguments.folder)
    splits = benchmark.runs.groupby("dataset", observed=True)["splits"].max()
    wanted = [name for name in arguments.datasets or DATASETS if splits.get(name, 0) > 0]
    if not wanted:
        raise StudyError("The kept benchmark has none of these data sets: leave out --datasets, or run and keep first.")
    with Store(arguments.store) as store, ProgressLine() as progress:
        done = BenchmarkRun()
        for dataset in wanted:
            part = run_benchmark(
                store,
                datasets=[dataset],
                methods=[method],
                parts=[DEFAULT],
                splits=int(splits[dataset]),
                **_how(arguments),
                progress=progress,
            )
            done = done + part
        # How its time grows, on made data.
        done = done + run_benchmark(store, datasets=[], methods=[method], parts=[GROWTH], **_how(arguments))
        there = [name for name in wanted if name not in done.missing]
        more = make_benchmark(
            store,
            datasets=there,
            methods=[method],
            splits={name: int(splits[name]) for name in there},
            limits=_limits(arguments),
        )
    joined_benchmark = with_methods(benchmark, more)
    board = leaderboard(joined_benchmark, _settings(arguments), datasets=there)
    answer = _card_answer(joined_benchmark, board, method)
    shown = _board_answer(joined_benchmark, board, arguments.top or _near(board, method))
    text = f"{shown.text}\n\n{answer.text}"
    return Answer({"run": asdict(done), "leaderboard": shown.document, "card": answer.document}, text, _told(done))


def run_papers(arguments: argparse.Namespace) -> Answer:
    rows = rank_correlations(read_benchmark(arguments.folder))
    shown = correlations_table(rows)
    lines = [[f"{value:.2f}" if isinstance(value, float) else str(value) for value in row] for row in shown.to_numpy()]
    none = "The benchmark and the papers share no data set with enough methods."
    text = table(list(shown.columns), lines, left=4) if lines else none
    return Answer({"correlations": records(rows)}, text)


def _how(arguments: argparse.Namespace) -> dict[str, Any]:
    return {
        "limits": _limits(arguments),
        "engine": f"dask:{arguments.dask}" if arguments.dask else "local",
        "workers": arguments.workers,
    }


def _settings(arguments: argparse.Namespace) -> LeaderboardSettings:
    names = ("metric", "classifier", "size", "setting", "sets")
    return LeaderboardSettings(**{name: getattr(arguments, name) for name in names})


def _of_run(done: BenchmarkRun, store: Path) -> list[tuple[str, str]]:
    return [
        ("cells", f"{done.cells}: {done.known} already done, {done.computed} computed, {done.failed} failed"),
        ("limits", f"{done.limited} exceeded one, {done.skipped} were not tried after that"),
        ("missing", listing(list(done.missing)) or "none"),
        ("time", duration(done.seconds)),
        ("store", str(store)),
    ]


def _told(done: BenchmarkRun) -> tuple[str, ...]:
    said = []
    if done.missing:
        said.append(f"Not on this machine: {joined(done.missing)}. MLFS_DATA names a folder of data sets.")
    if done.cancelled:
        said.append("The run was stopped early: run it again to continue.")
    return tuple(said)


def _coverage(benchmark: Benchmark) -> str:
    return f"{count(len(benchmark.methods), 'method')} on {count(len(benchmark.datasets), 'data set')}"


def _totals(benchmark: Benchmark) -> dict[str, Any]:
    """What was run for it."""
    return {"cells": benchmark.cells, "processor_seconds": benchmark.processor_seconds}


def _board_answer(benchmark: Benchmark, board: Leaderboard, top: int | None) -> Answer:
    shown = board.table.head(top) if top else board.table
    rows = [
        [
            str(place),
            setting_title(method),
            f"{row['average_rank']:.1f}",
            f"{row['low']:.1f}–{row['high']:.1f}",
            str(int(row["wins"])),
            str(int(row["exceeded"])),
            duration(row["seconds"]),
            f"{row['peak_mib']:.3g} MiB",
        ]
        for place, (method, row) in enumerate(shown.iterrows(), start=1)
    ]
    notes = [f"Ranked by {board.settings.text}, on {joined(board.datasets)}.", *board.notes(), *benchmark.notes()]
    text = "\n\n".join([board.sentence(), table(COLUMNS, rows, left=2), *notes, benchmark.provenance()])
    document = {
        "settings": asdict(board.settings),
        "datasets": board.datasets,
        "sentence": board.sentence(),
        "methods": records(board.table.reset_index(names="method")),
        "not_ranked": dict(board.not_ranked),
        "not_counted": dict(board.not_counted),
        "stale": benchmark.stale,
        **_totals(benchmark),
    }
    return Answer(document, text)


def _card_answer(benchmark: Benchmark, board: Leaderboard, method: str) -> Answer:
    known = card(benchmark, method, board, overlaps(benchmark), stabilities(benchmark))
    about = SELECTORS.get(method)
    nearest = [f"{setting_title(name)} ({value:.0%})" for name, value in known.relatives.items()]
    lines = [
        ("standing", known.standing(board)),
        *([("idea", about.summary), ("paper", about.paper), ("cost", about.cost)] if about else []),
        ("growth", known.cost()),
        ("time", time_and_memory(known)),
        ("where", known.wins_and_losses()),
        ("stability", "not measured" if pd.isna(known.stability) else f"{known.stability:.2f}"),
        ("parameters", sensitivity_sentence(known.sensitivity, method)),
        ("relatives", joined(nearest) or "none"),
    ]
    document = {
        "method": method,
        "place": known.place,
        "ranks": known.ranks.to_dict(),
        "relatives": known.relatives.to_dict(),
        "stability": known.stability,
        "exponents": known.exponents,
        "sensitivity": records(known.sensitivity),
        "exceeded": known.exceeded,
        "bibtex": bibtex(method) if about else "",
    }
    return Answer(document, facts(lines))


def _near(board: Leaderboard, method: str) -> int:
    """So many rows that the method and two after it are shown."""
    places = list(board.table.index)
    return places.index(method) + 3 if method in places else 10
