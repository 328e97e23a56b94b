"""Runs of the papers' experiments that were made and kept: small files of rounded rows, and when and how they ran.

`data/measured/<paper>.csv` holds the rows, `runs.csv` one line for each run: date, versions, command.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pandas as pd

from mlfs.datasets import data_folder
from mlfs.errors import DatasetError
from mlfs.papers.experiments.experiment import COLUMNS, Experiment
from mlfs.papers.experiments.registry import experiments, get_experiment
from mlfs.papers.experiments.running import Measured
from mlfs.papers.measured_files import check_writable, versions, write

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
DIGITS = 6
_NUMBERS = ("size", "value", "std", "n")


def kept(paper: str, result: str | int, folder: Path | None = None) -> pd.DataFrame:
    """The kept rows of a table or figure, with the columns COLUMNS; none where no run was kept."""
    found = get_experiment(paper, result)
    rows = _read(_folder(folder) / f"{found.paper}.csv", COLUMNS)
    return rows[rows["result"] == found.result].reset_index(drop=True)


def kept_run(paper: str, result: str | int, folder: Path | None = None) -> pd.DataFrame:
    """When and how they were run: a line for each run whose rows are kept, with the columns RUN_COLUMNS."""
    found = get_experiment(paper, result)
    runs = _read(_folder(folder) / RUNS, RUN_COLUMNS)
    return runs[(runs["paper"] == found.paper) & (runs["result"] == found.result)].reset_index(drop=True)


def keep(
    experiment: Experiment,
    measured: Measured,
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
    names = _names(measured.rows)
    if not names:
        return
    rows, runs = folder / f"{experiment.paper}.csv", folder / RUNS
    before = _read(rows, COLUMNS)
    same = (before["result"] == experiment.result) & before["dataset"].isin(names)
    _write(rows, _in_order(pd.concat([before[~same], measured.rows], ignore_index=True), experiment.paper))
    line = _line(experiment, measured, names, repeats, asked, today or date.today())
    _write(runs, pd.concat([_without(_read(runs, RUN_COLUMNS), experiment, names), line], ignore_index=True))


def check_folder(experiment: Experiment, folder: Path) -> None:
    """Find out before a long run, not after it, that its rows could not be kept."""
    kept(experiment.paper, experiment.result, folder)
    kept_run(experiment.paper, experiment.result, folder)
    check_writable(folder)


def command(experiment: Experiment, repeats: int | None = None, datasets: Sequence[str] | None = None) -> str:
    """
    >>> command(get_experiment("lee_kim_2016", 5), 3, ["yeast"])
    'mlfs paper run lee_kim_2016 table5 --datasets yeast --repeats 3'
    """
    chosen = ["--datasets", ",".join(datasets)] if datasets else []
    often = [] if repeats is None else ["--repeats", str(repeats)]
    return " ".join(["mlfs paper run", experiment.paper, experiment.result, *chosen, *often])


def _names(rows: pd.DataFrame) -> list[str]:
    """The data sets of the rows; one empty name where a statistic is about all of them."""
    return list(rows["dataset"].unique())


def _line(
    experiment: Experiment,
    measured: Measured,
    names: Sequence[str],
    repeats: int | None,
    asked: Sequence[str] | None,
    today: date,
) -> pd.DataFrame:
    datasets = list(measured.datasets) if names == [""] else list(names)
    times = dict.fromkeys(str(experiment.repeats_on(name, repeats)) for name in datasets)
    told = {
        "paper": experiment.paper,
        "result": experiment.result,
        "datasets": " ".join(datasets),
        "repeats": " ".join(times) if len(times) == 1 else f"{' or '.join(times)}, by data set",
        "date": today.isoformat(),
        "command": command(experiment, repeats, asked),
        **{name.replace("-", "_"): number for name, number in versions().items()},
    }
    return pd.DataFrame([told], columns=RUN_COLUMNS)


def _without(runs: pd.DataFrame, experiment: Experiment, names: Sequence[str]) -> pd.DataFrame:
    """The lines of other runs, of which those of the same result lose the data sets that ran anew."""
    own = (runs["paper"] == experiment.paper) & (runs["result"] == experiment.result)
    replaced = set(names) if names != [""] else set(experiment.datasets)
    left = [" ".join(name for name in str(text).split() if name not in replaced) for text in runs["datasets"]]
    runs = runs.assign(datasets=runs["datasets"].mask(own, pd.Series(left, index=runs.index, dtype=object)))
    return runs[~own | (runs["datasets"] != "")]


def _in_order(rows: pd.DataFrame, paper: str) -> pd.DataFrame:
    """By result and data set as the paper has them."""
    known = experiments(paper)
    results = {name: place for place, name in enumerate(known)}
    sets = {name: place for one in known.values() for place, name in enumerate(one.datasets)}
    keys = rows.assign(_result=rows["result"].map(results), _dataset=rows["dataset"].map(sets).fillna(-1))
    order = keys.sort_values(["_result", "_dataset"], kind="stable").index
    return rows.loc[order]


def _folder(folder: Path | None) -> Path:
    return data_folder() / "measured" if folder is None else folder


def _read(path: Path, columns: Sequence[str]) -> pd.DataFrame:
    """A kept file, empty where there is none yet."""
    if not path.exists():
        return pd.DataFrame(columns=list(columns))
    try:
        table = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")[list(columns)]
        numbers = [name for name in columns if name in _NUMBERS]
        return table.assign(**{name: pd.to_numeric(table[name].replace("", None)) for name in numbers})
    except (OSError, KeyError, ValueError) as error:
        raise DatasetError(f"The kept runs in {path} are damaged: install mlfs again, or run them anew.") from error


def _write(path: Path, table: pd.DataFrame) -> None:
    rounded = {name: [_text(value) for value in table[name]] for name in table.columns}
    write(path, pd.DataFrame(rounded).to_csv(index=False, lineterminator="\n"))


def _text(value: object) -> str:
    """Words as they are, numbers with six digits, nothing where there is none.

    >>> _text("els"), _text(0.123456789), _text(50.0), _text(float("nan"))
    ('els', '0.123457', '50', '')
    """
    if isinstance(value, str):
        return value
    return "" if pd.isna(value) else f"{float(value):.{DIGITS}g}"  # type: ignore[arg-type]
