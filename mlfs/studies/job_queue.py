"""The studies of the app: plans wait in a queue, a few run at once in the background, and each tells how far it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from mlfs.background import BackgroundJob, Progress
from mlfs.datasets import Dataset
from mlfs.errors import MlfsError, StudyError
from mlfs.stopping import GivenUp, current_stop
from mlfs.studies.cell import Cell
from mlfs.studies.engines import Engine
from mlfs.studies.engines.local import LocalEngine
from mlfs.studies.plan import Plan
from mlfs.studies.run import run_cells
from mlfs.studies.store import Store, Study

#: Workers that wait so long for another study are ended: each holds some 170 MiB, and starts again in two seconds.
IDLE_SECONDS = 120.0


@dataclass(frozen=True)
class Job:
    """A study as the queue knows it, at one moment.

    Attributes
    ----------
    id : the study's id in the store
    state : "waiting", "running", "done", "cancelled", "failed" or "interrupted" (by a restart)
    done, total : cells
    text : what was done last
    seconds_left : by the pace so far, where there is one
    position : place in the queue, from 1, while it waits
    error : the sentence, where it failed
    askers : who asked for the study first, and for the run under way, where that is known
    """

    id: int
    plan: Plan
    owner: str | None
    state: str
    done: int
    total: int
    text: str = ""
    seconds_left: float | None = None
    position: int | None = None
    error: str = ""
    askers: frozenset[str] = frozenset()

    def may_cancel(self, asker: str) -> bool:
        """Whether this is somebody who asked for it, or nobody knows who did: it came from the command line."""
        return not self.askers or asker in self.askers


@dataclass
class _Entry:
    id: int
    plan: Plan
    owner: str | None
    datasets: Mapping[str, Dataset]
    cells: list[Cell]
    progress: Progress
    askers: frozenset[str] = frozenset()
    state: str = "waiting"
    error: str = ""
    # Cells done, and when, at the first word of the run under way.
    begun: tuple[int, float] | None = None
    removed: bool = False

    def end(self, state: str, error: str = "") -> None:
        """It runs no more, and holds no data: who submits it again brings them."""
        self.state, self.error, self.cells, self.datasets = state, error, [], {}


class JobQueue:
    """Runs studies in the background. Safe for threads; never more than `at_once` at a time, the rest wait in order.

    Parameters
    ----------
    at_once : studies at a time
    workers : processes of each study
    engine : as `run` takes it
    """

    def __init__(self, store: Store, at_once: int = 1, workers: int = 2, engine: str | Engine = "local") -> None:
        self.store, self.at_once, self.workers = store, at_once, workers
        # Kept between studies: a person who moves on to the next one must not wait for imports again.
        self.engine = LocalEngine(workers, keep=True) if engine == "local" else engine
        self._guard = threading.RLock()
        self._entries: dict[int, _Entry] = {}
        self._queue: list[_Entry] = []
        self._running: dict[int, BackgroundJob] = {}
        store.remove_owned()

    def submit(
        self,
        plan: Plan,
        owner: str | None = None,
        datasets: Mapping[str, Dataset] | None = None,
        cells: Sequence[Cell] | None = None,
        asker: str | None = None,
        listed: bool = True,
    ) -> int:
        """Put a plan at the end of the queue; the same plan of the same owner is the same job. Returns its id.

        One that was cancelled, failed, or was interrupted by a restart goes on where it was.

        Parameters
        ----------
        datasets : data in memory, by their names in the plan
        cells : of the plan, where they are known already
        asker, listed : as `Store.note_cells` takes them
        """
        self.store.remove_owned()  # what another server was running when it was killed is silent by now
        loaded = plan.load(datasets)
        cells = plan.cells(loaded) if cells is None else list(cells)
        number = self.store.note_cells(plan, cells, owner, asker, listed)
        with self._guard:
            if number not in self._entries or self._entries[number].state not in ("waiting", "running"):
                askers = frozenset(filter(None, (self.store.study(number).asker, asker)))
                self._enter(_Entry(number, plan, owner, loaded, cells, Progress("", total=len(cells)), askers))
        if owner is not None:
            self.store.hold([number])
        return number

    def jobs(self, owner: str | None = None) -> list[Job]:
        """Everybody's jobs and the owner's own, those of earlier days included; the newest last."""
        with self._guard:
            entries = {n: self._job(e) for n, e in self._entries.items() if e.owner is None or e.owner == owner}
        for study in self.store.studies():
            if study.id not in entries:
                entries[study.id] = _past(study)
        return [entries[number] for number in sorted(entries)]

    def job(self, number: int, owner: str | None = None) -> Job:
        """One job by its id."""
        with self._guard:
            entry = self._entries.get(number)
            if entry is not None and entry.owner in (None, owner):
                return self._job(entry)  # pages ask often; those under way are found without the store
        for job in self.jobs(owner):
            if job.id == number:
                return job
        raise StudyError(f"There is no study {number} here.")

    def cancel(self, number: int, asker: str | None = None) -> None:
        """Stop a job, within a second; what is done stays.

        Parameters
        ----------
        asker : who wishes it, where a person does: refused where others asked for the study and for its run
        """
        if asker is not None and not self.job(number, asker).may_cancel(asker):
            raise StudyError(f"Study {number} was started in another browser, and only that browser can stop it.")
        self.store.cancel(number)
        with self._guard:
            entry = self._entries.get(number)
            if number in self._running:
                self._running[number].cancel()
            elif entry in self._queue:
                self._queue.remove(entry)
                entry.end("cancelled")

    def remove(self, number: int, asker: str | None = None) -> None:
        """Stop a job and forget its study, as `Store.remove_study` does; `asker` as `cancel` takes it."""
        if asker is not None and not self.store.study(number).may_delete(asker):
            raise StudyError(f"Study {number} was started in another browser, and only that browser can delete it.")
        self.cancel(number)
        with self._guard:
            entry = self._entries.pop(number, None)
            if entry is not None:
                entry.removed = True
        self.store.remove_study(number)

    def look(self, may_come_back: Callable[[str], bool]) -> None:
        """Hold the studies of owners who may come back, and forget those of who will not, here or in other processes.

        Somebody calls it every few seconds.
        """
        gone = {number: not may_come_back(owner) for number, owner in self._owned().items()}
        self.store.hold([number for number, is_gone in gone.items() if not is_gone])
        for number in (number for number, is_gone in gone.items() if is_gone):
            self.remove(number)
        self.store.remove_owned()

    def _owned(self) -> dict[int, str]:
        with self._guard:
            return {number: entry.owner for number, entry in self._entries.items() if entry.owner is not None}

    def end_idle_workers(self, seconds: float = IDLE_SECONDS) -> None:
        """Give back the memory of workers that have had nothing to do for so long; the next study starts others."""
        if isinstance(self.engine, LocalEngine):
            self.engine.end_idle(seconds)

    def close(self, patience: float = 10.0) -> None:
        """Stop everything that runs; submitted again, here or after a restart, it goes on."""
        with suppress(MlfsError):  # a disk that failed must not keep what runs from ending
            self.store.let_go(self._owned())
        with self._guard:
            self._queue.clear()
            jobs = list(self._running.values())
            for job in jobs:
                job.cancel()
        for job in jobs:
            job.wait(1, patience)
        if isinstance(self.engine, LocalEngine):
            self.engine.close()

    def _enter(self, entry: _Entry) -> None:
        self._entries[entry.id] = entry
        self._queue.append(entry)
        self._start()

    def _start(self) -> None:
        while self._queue and len(self._running) < self.at_once:
            entry = self._queue.pop(0)
            entry.state = "running"
            task = partial(self._run, entry)
            self._running[entry.id] = BackgroundJob([task], progress=entry.progress, queued=False)

    def _run(self, entry: _Entry) -> None:
        def progress(done: int, total: int, text: str) -> None:
            with self._guard:
                entry.progress.note(done, total, text)
                entry.begun = entry.begun or (done, time.monotonic())

        state, error = "failed", ""
        try:
            summary = run_cells(
                entry.id,
                entry.cells,
                entry.datasets,
                self.store,
                engine=self.engine,
                workers=self.workers,
                progress=progress,
                cancel=current_stop(),
            )
            state = "cancelled" if summary.cancelled else "done"
        except GivenUp:
            state = "cancelled"
        except MlfsError as problem:
            error = str(problem)
        except Exception as problem:  # a thread has nobody above it to tell
            error = f"The study stopped for an unforeseen reason, {type(problem).__name__}: {problem}."
        if entry.removed and entry.owner is not None:
            with suppress(MlfsError):  # the last cells came after the removal
                self.store.remove_unused(entry.cells)
        with self._guard:
            entry.end(state, error)
            self._running.pop(entry.id, None)
            self._start()

    def _job(self, entry: _Entry) -> Job:
        done, total, left = int(entry.progress.done), int(entry.progress.total), None
        if entry.state == "running" and entry.begun is not None and done > entry.begun[0]:
            pace = (time.monotonic() - entry.begun[1]) / (done - entry.begun[0])
            left = pace * (total - done)
        position = self._queue.index(entry) + 1 if entry in self._queue else None
        text, about = entry.progress.text, (entry.id, entry.plan, entry.owner, entry.state)
        return Job(*about, done, total, text, left, position, entry.error, entry.askers)


def _past(study: Study) -> Job:
    askers = frozenset(filter(None, [study.asker]))
    return Job(study.id, study.plan, study.owner, study.state, study.done, study.cells, askers=askers)
