"""``mlfs paper question``: the experiments behind the questions a careful reader asks, shown or run again."""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mlfs.cli.arguments import add_store, add_workers, whole, words
from mlfs.cli.output import Answer, facts, figure, notes, records, table
from mlfs.cli.parser import UsageError, add_verb
from mlfs.cli.progress import ProgressLine
from mlfs.papers import QUESTIONS
from mlfs.papers.question import Question
from mlfs.papers.stored_runs import StoredRun, check_tables_folder, run_now, store_tables
from mlfs.studies import Store
from mlfs.wording import count, duration


def build(verbs: Any) -> None:
    """Add the verb to those of ``mlfs paper``."""
    parser = add_verb(
        verbs,
        "question",
        run,
        "the questions a careful reader asks, and what experiments say",
        more="Without a name, the questions. With one, the kept run of its experiment; with --datasets, --repeats or\n"
        "--keep the experiment is run, and cells already in the store are not computed again.",
        examples="""
            mlfs paper question
            mlfs paper question label_columns
            mlfs paper question elc_loop --datasets emotions
        """,
    )
    parser.add_argument("question", nargs="?", metavar="NAME", help=f"one of {', '.join(QUESTIONS)}")
    parser.add_argument(
        "--datasets",
        nargs="+",
        type=words,
        metavar="DATASET",
        help="run it on these (default: its own, where they are on this machine)",
    )
    parser.add_argument("--repeats", type=whole(1), metavar="N", help="run it, with this many random splits")
    add_workers(parser)
    add_store(parser, "its cells")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="run it, and write its tables to this folder")


def run(arguments: argparse.Namespace) -> Answer:
    asked = arguments.datasets or arguments.repeats or arguments.keep
    if arguments.question is None:
        if asked:
            raise UsageError(f"Say which question to run: one of {', '.join(QUESTIONS)}.")
        return _list()
    question = QUESTIONS.named(arguments.question)
    if not asked:
        stored = question.stored()
        return _answer(question, stored.tables, list(stored.runs))
    return _run(question, arguments)


def _list() -> Answer:
    rows = [[question.id, question.title] for question in QUESTIONS.values()]
    document = [
        {"id": question.id, "papers": question.papers, "title": question.title, "asks": question.asks}
        for question in QUESTIONS.values()
    ]
    return Answer({"questions": document}, table(["name", "question"], rows, left=2))


def _run(question: Question, arguments: argparse.Namespace) -> Answer:
    datasets = [name for part in arguments.datasets for name in part] if arguments.datasets else question.available()
    repeats = arguments.repeats or question.repeats
    if arguments.keep:
        check_tables_folder(question, arguments.keep, datasets, repeats)
    start, noticed = time.monotonic(), list[str]()
    with Store(arguments.store) as store, ProgressLine() as progress:
        how: dict[str, Any] = {"workers": arguments.workers, "progress": progress, "notice": noticed.append}
        tables = question.run(datasets, repeats, store=store, **how)
    command, seconds = _command(question, datasets, repeats, arguments), time.monotonic() - start
    made = run_now(question.id, datasets, repeats, command, seconds)
    written = store_tables(question, tables, made, arguments.keep) if arguments.keep else []
    return _answer(question, tables, [made], [str(path) for path in written], noticed)


def _command(question: Question, datasets: list[str], repeats: int, arguments: argparse.Namespace) -> str:
    """The command that does it again, without what only this machine has."""
    parts = ["mlfs", "paper", "question", question.id, "--datasets", *datasets, "--repeats", str(repeats)]
    if arguments.workers:
        parts += ["--workers", str(arguments.workers)]
    return shlex.join(parts)


def _answer(
    question: Question, tables: Any, runs: list[StoredRun], written: Sequence[str] = (), noticed: Sequence[str] = ()
) -> Answer:
    findings = {paper: [str(each) for each in question.findings(tables, paper)] for paper in question.papers}
    document = {
        "question": question.id,
        "title": question.title,
        "runs": [vars(line) for line in runs],
        "findings": findings,
        "tables": {name: records(numbers) for name, numbers in tables.items()},
        "files": written,
        "notes": noticed,
    }
    parts = [question.title, question.asks, question.how]
    parts += [_run_text(line) for line in runs] or ["No run of this experiment has been kept."]
    said: dict[str, list[str]] = {}
    for paper, sentences in findings.items():
        said.setdefault("\n".join(f"- {sentence}" for sentence in sentences), []).append(paper)
    parts += [f"{', '.join(papers)}:\n{text}" for text, papers in said.items() if text]
    parts += [_head(name, numbers) for name, numbers in tables.items() if len(numbers)]
    if written:
        parts.append(f"Wrote {', '.join(written)}.")
    parts += notes(noticed)
    return Answer(document, "\n\n".join(parts))


def _run_text(line: StoredRun) -> str:
    about = [("run", f"{line.date}, {duration(line.seconds)}"), ("data sets", ", ".join(line.names))]
    return facts([*about, ("repeats", str(line.repeats)), ("versions", line.versions), ("command", line.command)])


def _head(name: str, numbers: Any, rows: int = 5) -> str:
    """The first rows of a table; all of them are in --json and --keep."""
    cells = [
        [figure(cell) if isinstance(cell, float) else str(cell) for cell in row]
        for row in numbers.head(rows).itertuples(index=False)
    ]
    more = f"\n… {count(len(numbers) - rows, 'row')} more: see --json, or --keep" if len(numbers) > rows else ""
    return f"{name}\n\n" + table([str(column) for column in numbers.columns], cells) + more
