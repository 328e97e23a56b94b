"""Kill -9 at random moments: nothing is lost, nothing torn, and in the end every table is equal bit by bit.

Studies run by the command line, by a page of the app, and papers' results that are kept in a folder; one process at a
time, or two at once on one store and one folder.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from mlfs.errors import MlfsError
from mlfs.papers.stored_runs import RUNS, stored_rows
from mlfs.studies import MethodGrid, Plan, Store

ROOT = Path(__file__).parents[1]
KILLS = 100
#: Kills of one store, after which it is run to its end, compared, and a new one begun.
ROUND = 10
STUDY = Plan(
    "to be killed",
    ["emotions"],
    [MethodGrid("els", grid={"n_labels": [0, 1, 2, 3]}), "random"],
    settings={"repeats": 8, "sizes": [1, 5, 10]},
)
PAPER, RESULTS, DATASET = "zhou_2023_mapd", ("tableIV", "tableV"), "emotions"
# What a browser would do: open the page, press the button, wait.
APP = """
import sys, time
from streamlit.testing.v1 import AppTest
app = AppTest.from_file("pages/main.py", default_timeout=3600)
app.session_state["drawn"] = True
app.switch_page("sensitivity.py")
app.query_params.update({"data": "synthetic", "method": "els", "repeats": "4", "most": "10"})
app.run()
for button in app.button:
    if button.label in ("Run", "Resume"):
        button.click().run()
while not any(caption.value.endswith("all there.") for caption in app.caption):
    if app.exception:
        sys.exit(app.exception[0].value)
    time.sleep(0.1)
    app.run()
from pages.parts import studies
studies.job_queue().close()
"""


class Torn(Exception):
    """Something was lost, torn or wrong after a kill."""


@dataclass
class Kind:
    """What is killed: its commands (those of two processes at once are both there), and what its folder must hold."""

    name: str
    folder: Path

    def commands(self) -> list[list[str]]:
        raise NotImplementedError

    def held(self) -> pd.DataFrame:
        """What is there now; Torn where it cannot be read."""
        raise NotImplementedError


class StudyRuns(Kind):
    def commands(self) -> list[list[str]]:
        plan = STUDY.write(self.folder / "plan.toml")
        store = str(self.folder / "studies.db")
        return [[sys.executable, "-m", "mlfs", "study", "run", str(plan), "--store", store, "--workers", "1"]] * 2

    def held(self) -> pd.DataFrame:
        return _results(self.folder / "studies.db")


class AppRuns(Kind):
    def commands(self) -> list[list[str]]:
        return [[sys.executable, "-c", APP]] * 2

    def held(self) -> pd.DataFrame:
        return _results(self.folder / "studies.db")


class PaperRuns(Kind):
    def commands(self) -> list[list[str]]:
        common = ["--datasets", DATASET, "--repeats", "1", "--workers", "1", "--keep", str(self.folder / "kept")]
        common += ["--store", str(self.folder / "studies.db")]
        return [[sys.executable, "-m", "mlfs", "paper", "run", PAPER, result, *common] for result in RESULTS]

    def held(self) -> pd.DataFrame:
        _results(self.folder / "studies.db")
        kept = self.folder / "kept"
        rows = pd.concat([stored_rows(PAPER, result, kept) for result in RESULTS], ignore_index=True)
        if not rows.empty and (kept / RUNS).exists():
            pd.read_csv(kept / RUNS)
        return rows


KINDS = {"study": StudyRuns, "app": AppRuns, "paper": PaperRuns}


def _results(path: Path) -> pd.DataFrame:
    """All results of a store, by what they are of; Torn where a cell has not all its numbers."""
    if not path.exists():
        return pd.DataFrame()
    with Store(path) as store:
        parts = []
        for study in store.studies():
            table = store.results(study.id)
            if study.failed or table["value"].isna().any():
                raise Torn(f"study {study.id} has failed or missing values")
            of_cell = table.groupby(["dataset", "method", "parameters", "repeat"]).size()
            if len(of_cell.unique()) > 1 or len(of_cell) != study.done:
                raise Torn(f"study {study.id} has cells that are not whole")
            parts.append(table)
    if not parts:
        return pd.DataFrame()
    table = pd.concat(parts, ignore_index=True).drop(columns="seconds").drop_duplicates()
    return table.sort_values(list(table.columns), ignore_index=True)


def trial(kind: str, kills: int, seed: int) -> Iterator[str]:
    """Kill so many times, and tell what was wrong. The last words are how many tables were compared."""
    rng = random.Random(seed)
    killed = compared = alone = 0
    with tempfile.TemporaryDirectory() as place:
        undisturbed = KINDS[kind](kind, Path(place))
        start = time.monotonic()
        for command in undisturbed.commands():
            _finish(command, undisturbed.folder)
        span = (time.monotonic() - start) / 2
        right = undisturbed.held()
        while killed < kills:
            with tempfile.TemporaryDirectory() as folder:
                disturbed = KINDS[kind](kind, Path(folder))
                try:
                    before = 0
                    for _ in range(min(ROUND, kills - killed)):
                        commands = disturbed.commands()
                        chosen = commands if rng.random() < 0.5 else [rng.choice(commands)]
                        alone += len(chosen) == 1
                        _kill(chosen, disturbed.folder, rng.uniform(0.1, 1.3 * span))
                        killed += 1
                        now = disturbed.held()
                        if len(now) < before:
                            raise Torn(f"{before - len(now)} rows were lost")
                        if not _is_part(now, right):
                            raise Torn("rows that an undisturbed run does not have")
                        before = len(now)
                    _together(disturbed.commands(), disturbed.folder)
                    compared += 1
                    if not disturbed.held().equals(right):
                        raise Torn("the final table is another than that of an undisturbed run")
                    yield f"{kind}: {killed} kills"
                except (Torn, MlfsError, subprocess.CalledProcessError) as problem:
                    yield f"kill {kind} --seed {seed}, after {killed} kills: {type(problem).__name__}: {problem}"
    yield f"{kind}: {killed} kills, {killed - alone} of them of two processes at once; {compared} final tables compared"


def _is_part(part: pd.DataFrame, whole: pd.DataFrame) -> bool:
    if part.empty:
        return True
    columns = list(whole.columns)
    return len(part.merge(whole, on=columns)) >= len(part)


def _environment(folder: Path) -> dict[str, str]:
    more = {"MLFS_STORE": str(folder / "studies.db"), "MLFS_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    return {**os.environ, **more, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def _start(command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, env=_environment(folder), cwd=ROOT, process_group=0, **quiet)


def _finish(command: list[str], folder: Path) -> None:
    subprocess.run(command, env=_environment(folder), cwd=ROOT, check=True, capture_output=True)


def _together(commands: list[list[str]], folder: Path) -> None:
    """All at once, to the end."""
    processes = [_start(command, folder) for command in commands]
    for process, command in zip(processes, commands, strict=True):
        if process.wait():
            raise subprocess.CalledProcessError(process.returncode, command)


def _kill(commands: list[list[str]], folder: Path, seconds: float) -> None:
    """Start them, and kill each with its workers after so many seconds."""
    processes = [_start(command, folder) for command in commands]
    time.sleep(seconds)
    for process in processes:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def report(kinds: Sequence[str], kills: int | None, seed: int) -> int:
    """Print what each kind came to; how many findings there were."""
    findings = 0
    for kind in kinds:
        for news in trial(kind, KILLS if kills is None else kills, seed):
            print(news, flush=True)
            findings += news.startswith("kill ")
    return findings
