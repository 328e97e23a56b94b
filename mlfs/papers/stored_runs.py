"""Runs that were made and stored: small files of rounded numbers, and when and how they came about.

Of a paper's results a folder has `<paper>.csv` with their rows, of a question `<question>-<table>.csv`; `runs.csv` has
a line for each run. Those that ship are in `measured` and `measured/question` of a paper's folder.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from mlfs import __version__
from mlfs.errors import DatasetError
from mlfs.files import write_file
from mlfs.papers.experiment import COLUMNS, Experiment, ExperimentResult
from mlfs.papers.paper import get_experiment, get_paper
from mlfs.wording import count, joined

if TYPE_CHECKING:
    from mlfs.papers.question import Question

RUNS = "runs.csv"
RUN_COLUMNS = [
    "paper",
    "result",
    "datasets",
    "repeats",
    "date",
    "mlfs",
    "numpy",
    "scikit_learn",
    "python",
    "command",
]
# Enough for any figure; a rerun elsewhere differs later than that.
DIGITS = ".6g"
_NUMBERS = ("size", "value", "std", "n")


def versions() -> dict[str, str]:
    """Of what the numbers depend on, by name."""
    return {
        "mlfs": __version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "scikit-learn": version("scikit-learn"),
    }


# The results of papers


def measured_folder(paper: str) -> Path:
    """Where the runs of a paper ship."""
    return get_paper(paper).folder / "measured"


def stored_rows(paper: str, result: str | int, folder: Path | None = None) -> pd.DataFrame:
    """The stored rows of a table or figure, with the columns COLUMNS; none where no run was stored."""
    experiment = get_experiment(paper, result)
    rows = _read_words(_folder(paper, folder) / f"{paper}.csv", COLUMNS)
    return rows[rows["result"] == experiment.result].reset_index(drop=True)


def stored_runs(paper: str, result: str | int, folder: Path | None = None) -> pd.DataFrame:
    """When and how they were run: a line for each run whose rows are stored, with the columns RUN_COLUMNS."""
    experiment = get_experiment(paper, result)
    runs = _read_words(_folder(paper, folder) / RUNS, RUN_COLUMNS)
    return runs[(runs["paper"] == paper) & (runs["result"] == experiment.result)].reset_index(drop=True)


def store_rows(
    experiment: Experiment,
    measured: ExperimentResult,
    folder: Path,
    *,
    repeats: int | None = None,
    asked: Sequence[str] | None = None,
    today: date | None = None,
) -> None:
    """Write the rows of a run into the folder, in the place of those of the same result and data sets.

    Parameters
    ----------
    repeats, asked : what the run was told of repeats and data sets, for the command that stands beside
    """
    names = list(measured.rows["dataset"].unique())  # one empty name where a statistic is about all of them
    if not names:
        return
    datasets = list(measured.datasets) if names == [""] else names
    times = dict.fromkeys(str(experiment.repeats_on(name, repeats)) for name in datasets)
    line = {
        "paper": experiment.paper,
        "result": experiment.result,
        "datasets": " ".join(datasets),
        "repeats": " ".join(times) if len(times) == 1 else f"{' or '.join(times)}, by data set",
        "date": (today or date.today()).isoformat(),
        "command": command(experiment, repeats, asked),
        **{name.replace("-", "_"): number for name, number in versions().items()},
    }
    path, runs = folder / f"{experiment.paper}.csv", folder / RUNS
    with alone_in(folder):
        before = _read_words(path, COLUMNS)
        same = (before["result"] == experiment.result) & before["dataset"].isin(names)
        rows = _in_order(pd.concat([before[~same], measured.rows], ignore_index=True), experiment.paper)
        others = _without_these(_read_words(runs, RUN_COLUMNS), experiment, names)
        ran = pd.concat([others, pd.DataFrame([line])], ignore_index=True)[RUN_COLUMNS]
        for file, table in (path, rows), (runs, ran):
            words = {name: [_text(value) for value in table[name]] for name in table.columns}
            write(file, pd.DataFrame(words).to_csv(index=False, lineterminator="\n"))


def check_rows_folder(experiment: Experiment, folder: Path) -> None:
    """Find out before a long run, not after it, that its rows could not be stored."""
    stored_rows(experiment.paper, experiment.result, folder)
    stored_runs(experiment.paper, experiment.result, folder)
    check_writable(folder)


def command(experiment: Experiment, repeats: int | None = None, datasets: Sequence[str] | None = None) -> str:
    """
    >>> command(get_experiment("lee_kim_2016", 5), 3, ["yeast"])
    'mlfs paper run lee_kim_2016 table5 --datasets yeast --repeats 3'
    """
    chosen = ["--datasets", ",".join(datasets)] if datasets else []
    often = [] if repeats is None else ["--repeats", str(repeats)]
    return " ".join(["mlfs paper run", experiment.paper, experiment.result, *chosen, *often])


def _without_these(runs: pd.DataFrame, experiment: Experiment, names: Sequence[str]) -> pd.DataFrame:
    """The lines of other runs, of which those of the same result lose the data sets that ran anew."""
    same = (runs["paper"] == experiment.paper) & (runs["result"] == experiment.result)
    replaced = set(names) if names != [""] else set(experiment.datasets)
    left = [" ".join(name for name in str(text).split() if name not in replaced) for text in runs["datasets"]]
    runs = runs.assign(datasets=runs["datasets"].mask(same, pd.Series(left, index=runs.index, dtype=object)))
    return runs[~same | (runs["datasets"] != "")]


def _in_order(rows: pd.DataFrame, paper: str) -> pd.DataFrame:
    """By result and data set as the paper has them."""
    known = get_paper(paper).experiments
    results = {name: place for place, name in enumerate(known)}
    sets = {name: place for experiment in known.values() for place, name in enumerate(experiment.datasets)}
    keys = rows.assign(_result=rows["result"].map(results), _dataset=rows["dataset"].map(sets).fillna(-1))
    return rows.loc[keys.sort_values(["_result", "_dataset"], kind="stable").index]


def _folder(paper: str, folder: Path | None) -> Path:
    return measured_folder(paper) if folder is None else folder


def _read_words(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """A stored file, empty where there is none yet."""
    try:
        about = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return pd.DataFrame(columns=list(columns))
    stamp = (about.st_ino, about.st_mtime_ns, about.st_size)
    # Who changes a column of a copy changes that copy alone.
    return _parsed(path, stamp, tuple(columns)).copy(deep=False)


@lru_cache(maxsize=8)  # one file has all results of a paper, which are asked for one after the other
def _parsed(path: Path, stamp: tuple[int, ...], columns: tuple[str, ...]) -> pd.DataFrame:
    """A file as it was at a certain time."""
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")[list(columns)]
        numbers = [name for name in columns if name in _NUMBERS]
        return table.assign(**{name: pd.to_numeric(table[name].replace("", None)) for name in numbers})
    except (OSError, KeyError, ValueError) as error:
        raise DatasetError(f"The kept runs in {path} are damaged: install mlfs again, or run them anew.") from error


def _text(value: object) -> str:
    """Words as they are, numbers with six digits, nothing where there is none.

    >>> _text("els"), _text(0.123456789), _text(50.0), _text(float("nan"))
    ('els', '0.123457', '50', '')
    """
    if isinstance(value, str):
        return value
    return "" if pd.isna(value) else format(float(value), DIGITS)  # type: ignore[arg-type]


# The tables of questions


@dataclass(frozen=True)
class StoredRun:
    """One run of a question's experiment: when, by what, and for how long.

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
class StoredTables:
    """What is stored of a question: its tables, and the runs they come from."""

    tables: Mapping[str, pd.DataFrame]
    runs: tuple[StoredRun, ...]


def run_now(question: str, datasets: Sequence[str], repeats: int, command: str, seconds: float) -> StoredRun:
    """What is to be told of a run that has just ended."""
    words = ", ".join(f"{name} {number}" for name, number in versions().items())
    today = date.today().isoformat()
    return StoredRun(question, " ".join(datasets), repeats, today, words, command, round(seconds, 1))


def check_tables_folder(question: Question, folder: Path, datasets: Sequence[str], repeats: int) -> None:
    """Find out before a long run, not after it, that its tables could not be stored, or would replace better ones."""
    for kept in stored_tables(question, folder).runs:
        better = [name for name in kept.names if name in datasets]
        if better and kept.repeats > repeats:
            raise DatasetError(
                f"{folder} has {question.id} on {joined(better)} with {count(kept.repeats, 'repeat')}, more than the "
                f"{repeats} of this run: give another folder, or as many repeats."
            )
    check_writable(folder)


def store_tables(question: Question, tables: Mapping[str, pd.DataFrame], run: StoredRun, folder: Path) -> list[Path]:
    """Write the tables of a run; data sets that it does not have stay as they were, and so do runs of more repeats."""
    with alone_in(folder):
        check_tables_folder(question, folder, run.names, run.repeats)
        before = stored_tables(question, folder).tables
        others = {name: table[~table["dataset"].isin(run.names)] for name, table in before.items()}
        together = question.joined([others, tables])
        written = {folder / f"{question.id}-{name}.csv": table for name, table in together.items()}
        runs = []
        for old in _stored_runs(folder):  # those of the same question lose the data sets that ran anew
            names = [name for name in old.names if old.question != run.question or name not in run.names]
            runs += [replace(old, datasets=" ".join(names))] if names else []
        written[folder / RUNS] = pd.DataFrame([asdict(line) for line in (*runs, run)])
        for path, table in written.items():
            write(path, table.to_csv(index=False, float_format=f"%{DIGITS}", lineterminator="\n"))
    return list(written)


def stored_tables(question: Question, folder: Path | None = None) -> StoredTables:
    """The stored tables of a question, those that ship unless another folder is given; empty ones where none are."""
    folder, tables = folder or question.folder, {}
    for name, columns in question.tables.items():
        path = folder / f"{question.id}-{name}.csv"
        table = _read_table(path) if path.exists() else pd.DataFrame(columns=list(columns))
        if list(table.columns) != list(columns):
            raise _damaged(path)
        tables[name] = table
    return StoredTables(tables, tuple(run for run in _stored_runs(folder) if run.question == question.id))


def _stored_runs(folder: Path) -> list[StoredRun]:
    path = folder / RUNS
    if not path.exists():
        return []
    try:
        columns = [field.name for field in fields(StoredRun)]
        return [StoredRun(**row) for row in _read_table(path)[columns].to_dict("records")]
    except KeyError:
        raise _damaged(path) from None


def _read_table(path: Path) -> pd.DataFrame:
    try:
        table = pd.read_csv(path, encoding="utf-8")
    except (OSError, ValueError) as problem:
        raise _damaged(path) from problem
    # An empty word is a word; only a number can be missing.
    words = table.select_dtypes(exclude="number").columns
    return table.assign(**{name: table[name].fillna("") for name in words})


def _damaged(path: Path) -> DatasetError:
    return DatasetError(f"The kept run in {path} is damaged: install mlfs again, or run the experiment again.")


# Files, written whole or not at all


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """No other process reads and replaces files of the folder meanwhile; a lock ends with its process, however it ends.

    Where the system has no such locks the last of two that write at the same moment wins.
    """
    try:
        import fcntl

        folder.mkdir(parents=True, exist_ok=True)
        place = os.open(folder, os.O_RDONLY)
    except ImportError:
        yield
        return
    except OSError:
        raise _cannot_write(folder) from None
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        yield
    finally:
        os.close(place)


def write(path: Path, text: str) -> None:
    """Put a file into the place of the one before."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, text)
    except OSError:
        raise _cannot_write(path) from None


def check_writable(folder: Path) -> None:
    """Find out before a long run, not after it, that nothing could be stored."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise _cannot_write(folder)


def _cannot_write(path: Path) -> DatasetError:
    return DatasetError(f"{path} cannot be written: give a folder that may be written to and has room.")
