"""Kill -9 at random moments: nothing is lost, nothing torn, and in the end every table is equal bit by bit.

Studies run by the command line, by a page of the app, and papers' results that are kept in a folder; one process at a
time, or two at once on one store and one folder.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pandas as pd

from mlfs.errors import MlfsError
from mlfs.papers.stored_runs import RUNS, stored_rows
from mlfs.studies import MethodGrid, Plan, Store

ROOT = Path(__file__).parents[1]
KILLS = 100
#: Kills of one store, after which it is run to its end, compared, and a new one begun.
ROUND = 10
#: Moments are drawn by what is done, not by the clock, which says nothing on a busy machine: so many changes of the
#: files in the folder, and then up to so many seconds, of a process that has changed nothing yet and of another.
CHANGES = 12
LATER = (3.0, 0.2)
# Processes begin with everything imported: the moments to be killed at are those of the work.
FORKS = multiprocessing.get_context("forkserver")
STUDY = Plan(
    "to be killed",
    ["emotions"],
    [MethodGrid("els", grid={"n_labels": [0, 1, 2, 3]}), "random"],
    settings={"repeats": 8, "sizes": [1, 5, 10]},
)
PAPER, RESULTS, DATASET = "zhou_2023_mapd", ("tableIV", "tableV"), "emotions"


class Torn(Exception):
    """Something was lost, torn or wrong after a kill."""


@dataclass
class Kind:
    """What is killed: what Python is told (for two processes at once, one each), and what its folder must hold."""

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
        return [["mlfs", "study", "run", str(plan), "--store", store, "--workers", "1"]] * 2

    def held(self) -> pd.DataFrame:
        return _results(self.folder / "studies.db")


class AppRuns(Kind):
    def commands(self) -> list[list[str]]:
        return [["fuzz.page_of_a_study"]] * 2

    def held(self) -> pd.DataFrame:
        return _results(self.folder / "studies.db")


class PaperRuns(Kind):
    def commands(self) -> list[list[str]]:
        common = ["--datasets", DATASET, "--repeats", "1", "--workers", "1", "--keep", str(self.folder / "kept")]
        common += ["--store", str(self.folder / "studies.db")]
        return [["mlfs", "paper", "run", PAPER, result, *common] for result in RESULTS]

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
    FORKS.set_forkserver_preload(["fuzz.warm"])
    rng = random.Random(seed)
    killed = of_two = compared = 0
    with tempfile.TemporaryDirectory() as place:
        undisturbed = KINDS[kind](kind, Path(place))
        for command in undisturbed.commands():
            _finish(command, undisturbed.folder)
        right = undisturbed.held()
    while killed < kills:
        with tempfile.TemporaryDirectory() as folder:
            disturbed = KINDS[kind](kind, Path(folder))
            try:
                before = 0
                for _ in range(min(ROUND, kills - killed)):
                    commands = disturbed.commands()
                    chosen = commands if rng.random() < 0.5 else [rng.choice(commands)]
                    hit = _kill(
                        chosen, disturbed.folder, changes := rng.randrange(CHANGES), rng.random() * LATER[changes > 0]
                    )
                    killed, of_two = killed + (hit > 0), of_two + (hit > 1)
                    now = disturbed.held()
                    if len(now) < before:
                        raise Torn(f"{before - len(now)} rows were lost")
                    if not _is_part(now, right):
                        raise Torn("rows that an undisturbed run does not have")
                    before = len(now)
                    if len(now) == len(right):
                        break  # nothing is left to disturb
                _together(disturbed.commands(), disturbed.folder)
                compared += 1
                if not disturbed.held().equals(right):
                    raise Torn("the final table is another than that of an undisturbed run")
                yield f"{kind}: {killed} kills"
            except (Torn, MlfsError, subprocess.CalledProcessError) as problem:
                yield f"kill {kind} --seed {seed}, after {killed} kills: {type(problem).__name__}: {problem}"
    yield f"{kind}: {killed} kills, {of_two} of them of two processes at once; {compared} final tables compared"


def _is_part(part: pd.DataFrame, whole: pd.DataFrame) -> bool:
    if part.empty:
        return True
    columns = list(whole.columns)
    return len(part.merge(whole, on=columns)) >= len(part)


def _environment(folder: Path) -> dict[str, str]:
    more = {"MLFS_STORE": str(folder / "studies.db"), "MLFS_CACHE": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    return {**os.environ, **more, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def _finish(command: list[str], folder: Path) -> None:
    """To its end, in a Python of its own, as a person would start it."""
    words = [sys.executable, "-m", *command]
    subprocess.run(words, env=_environment(folder), cwd=ROOT, check=True, capture_output=True)


def _start(command: list[str], folder: Path) -> ForkServerProcess:
    ours, theirs = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=_as_started, args=(command, folder, theirs))
    process.start()
    theirs.close()
    ours.recv_bytes()  # its group is there
    ours.close()
    return process


def _as_started(command: list[str], folder: Path, connection: Connection) -> None:
    """Do what ``python -m COMMAND`` does, in a group of processes of its own."""
    os.setpgid(0, 0)
    os.environ.update(_environment(folder))
    os.chdir(ROOT)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(quiet, stream)
    connection.send_bytes(b"begun")
    connection.close()
    sys.argv = list(command)
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)


def _together(commands: list[list[str]], folder: Path) -> None:
    """All at once, to the end."""
    processes = [_start(command, folder) for command in commands]
    for process, command in zip(processes, commands, strict=True):
        process.join()
        if process.exitcode:
            raise subprocess.CalledProcessError(process.exitcode, command)


def _kill(commands: list[list[str]], folder: Path, changes: int, seconds: float) -> int:
    """Start them, and kill each with its workers; how many had not come to their end.

    The moment is so many seconds after so many changes of the files in the folder.
    """
    processes = [_start(command, folder) for command in commands]
    seen, before = -1, None
    while seen < changes and any(process.is_alive() for process in processes):
        now = _files(folder)
        seen, before = seen + (now != before), now
        time.sleep(0.002)
    end = time.monotonic() + seconds
    for process in processes:
        process.join(max(end - time.monotonic(), 0))
    hit = 0
    for process in processes:
        if process.exitcode is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.join()
        hit += process.exitcode == -signal.SIGKILL
    return hit


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    """Sizes and times of all files, as they are now."""
    found = {}
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            found[str(path)] = (path.stat().st_size, path.stat().st_mtime_ns)
    return found


def report(kinds: Sequence[str], kills: int | None, seed: int) -> int:
    """Print what each kind came to; how many findings there were."""
    findings = 0
    for kind in kinds:
        for news in trial(kind, KILLS if kills is None else kills, seed):
            print(news, flush=True)
            findings += news.startswith("kill ")
    return findings
