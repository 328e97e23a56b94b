"""The runs that were made, kept as small CSV files: a table of numbers each, and one that tells how they came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from mlfs.errors import DatasetError
from mlfs.papers.measured_files import check_writable, versions, write

if TYPE_CHECKING:
    from mlfs.papers.questions.question import Question

RUNS = "runs.csv"
# Enough for any figure; a rerun elsewhere differs later than that.
DIGITS = "%.6g"


@dataclass(frozen=True)
class Run:
    """One run of an experiment: when, by what, and for how long.

    Attributes
    ----------
    datasets : names with blanks between
    """

    question: str
    datasets: str
    repeats: int
    date: str
    versions: str
    command: str
    seconds: float

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.datasets.split())


@dataclass(frozen=True)
class Kept:
    """What was kept of a question: its tables, and the runs they come from."""

    tables: Mapping[str, pd.DataFrame]
    runs: tuple[Run, ...]


def run_now(question: str, datasets: Sequence[str], repeats: int, command: str, seconds: float) -> Run:
    """What is to be told of a run that has just ended."""
    told = ", ".join(f"{name} {number}" for name, number in versions().items())
    return Run(question, " ".join(datasets), repeats, date.today().isoformat(), told, command, round(seconds, 1))


def check_folder(question: Question, folder: Path) -> None:
    """Find out before a long run, not after it, that its tables could not be kept."""
    read_kept(question, folder)
    check_writable(folder)


def keep(question: Question, tables: Mapping[str, pd.DataFrame], run: Run, folder: Path) -> list[Path]:
    """Write the tables of a run; data sets that it does not have stay as they were."""
    before = read_kept(question, folder)
    merged = question.joined([_without(before.tables, run.names), tables])
    written = {_file(question, name, folder): table for name, table in merged.items()}
    written[folder / RUNS] = pd.DataFrame([asdict(one) for one in (*_left(_read_runs(folder), run), run)])
    for path, table in written.items():
        write(path, table.to_csv(index=False, float_format=DIGITS, lineterminator="\n"))
    return list(written)


def _left(runs: Sequence[Run], new: Run) -> list[Run]:
    """The runs of before; those of the same question lose the data sets that ran anew."""
    found = []
    for one in runs:
        names = [name for name in one.names if one.question != new.question or name not in new.names]
        found += [replace(one, datasets=" ".join(names))] if names else []
    return found


def read_kept(question: Question, folder: Path) -> Kept:
    """The kept tables of a question; empty ones where nothing was kept."""
    tables = {}
    for name, columns in question.tables.items():
        path = _file(question, name, folder)
        found = _read(path) if path.exists() else pd.DataFrame(columns=list(columns))
        if list(found.columns) != list(columns):
            raise _damaged(path)
        tables[name] = found
    return Kept(tables, tuple(run for run in _read_runs(folder) if run.question == question.id))


def _read_runs(folder: Path) -> list[Run]:
    path = folder / RUNS
    if not path.exists():
        return []
    try:
        return [Run(**row) for row in _read(path)[[field.name for field in fields(Run)]].to_dict("records")]
    except KeyError:
        raise _damaged(path) from None


def _read(path: Path) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, encoding="utf-8")
    except (OSError, ValueError) as problem:
        raise _damaged(path) from problem
    # An empty word is a word; only a number can be missing.
    words = table.select_dtypes(exclude="number").columns
    return table.assign(**{name: table[name].fillna("") for name in words})


def _without(tables: Mapping[str, pd.DataFrame], datasets: Sequence[str]) -> dict[str, pd.DataFrame]:
    return {name: table[~table["dataset"].isin(datasets)] for name, table in tables.items()}


def _file(question: Question, table: str, folder: Path) -> Path:
    return folder / f"{question.id}-{table}.csv"


def _damaged(path: Path) -> DatasetError:
    return DatasetError(f"The kept run in {path} is damaged: install mlfs again, or run the experiment again.")
