"""The background office of the app: takes plans, runs a few at once in threads, tells how far each is."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from mlfs.datasets import Dataset
from mlfs.errors import MlfsError, StudyError
from mlfs.studies.engines import Engine
from mlfs.studies.engines.local import LocalEngine
from mlfs.studies.plan import Plan
from mlfs.studies.run import run
from mlfs.studies.store import Store, Study

RESUMABLE = ("cancelled", "failed")


@dataclass(frozen=True)
class Job:
    """A study as the queue knows it, at one moment.

    Attributes
    ----------
    id : the study's id in the store
    state : "waiting", "running", "done", "cancelled", "failed" or "interrupted" (by a restart: it can be resumed)
    done, total : cells
    text : what was done last
    seconds_left : by the pace so far, where there is one
    position : place in the queue, from 1, while it waits
    error : the sentence, where it failed
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


@dataclass
class _Entry:
    id: int
    plan: Plan
    owner: str | None
    datasets: Mapping[str, Dataset]
    total: int
    state: str = "waiting"
    done: int = 0
    text: str = ""
    error: str = ""
    cancel: threading.Event = field(default_factory=threading.Event)
    # Cells done, and when, at the first word of the run under way.
    begun: tuple[int, float] | None = None
    removed: bool = False

    def end(self, state: str, error: str = "") -> None:
        """It runs no more, and holds no data: what a resumption needs is there as long as its session has it."""
        self.state, self.error = state, error
        self.datasets = {} if state == "done" else WeakValueDictionary(self.datasets)


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
        self._running: dict[int, threading.Thread] = {}
        store.remove_owned()

    def submit(self, plan: Plan, owner: str | None = None, datasets: Mapping[str, Dataset] | None = None) -> int:
        """Put a plan at the end of the queue; the same plan of the same owner is the same job. Returns its id."""
        self.store.remove_owned()  # what another server was running when it was killed is silent by now
        loaded = plan.load(datasets)
        number = self.store.note_cells(plan, plan.cells(loaded), owner)
        with self._guard:
            if number not in self._entries or self._entries[number].state not in ("waiting", "running"):
                self._enter(_Entry(number, plan, owner, dict(datasets or {}), len(plan)))
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

    def cancel(self, number: int) -> None:
        """Stop a job, within a second; what is done stays."""
        self.store.cancel(number)
        with self._guard:
            entry = self._entries.get(number)
            if entry is None:
                return
            entry.cancel.set()
            if entry in self._queue:
                self._queue.remove(entry)
                entry.end("cancelled")

    def resume(self, number: int) -> None:
        """Queue a job again that was cancelled, failed, or was interrupted by a restart."""
        with self._guard:
            old = self._entries.get(number)
        if old is None:
            study = self.store.study(number)
            if study.owner is not None:
                raise StudyError(_gone(study.plan))
            self.submit(study.plan)
            return
        if old.state not in RESUMABLE:
            return
        datasets = _data_of(old)
        with self._guard:
            if self._entries.get(number) is old and old.state in RESUMABLE:
                self._enter(_Entry(number, old.plan, old.owner, datasets, old.total, done=old.done))

    def remove(self, number: int) -> None:
        """Stop a job and forget its study, as `Store.remove_study` does."""
        self.cancel(number)
        with self._guard:
            entry = self._entries.pop(number, None)
            if entry is not None:
                entry.removed = True
        self.store.remove_study(number)

    def close(self, patience: float = 10.0) -> None:
        """Stop everything that runs; it can be resumed, here or after a restart."""
        with self._guard:
            self._queue.clear()
            threads = list(self._running.values())
            for entry in self._entries.values():
                entry.cancel.set()
        for thread in threads:
            thread.join(patience)
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
            thread = threading.Thread(target=self._run, args=(entry,), name=f"study {entry.id}", daemon=True)
            self._running[entry.id] = thread
            thread.start()

    def _run(self, entry: _Entry) -> None:
        def progress(done: int, total: int, text: str) -> None:
            with self._guard:
                entry.done, entry.total, entry.text = done, total, text
                entry.begun = entry.begun or (done, time.monotonic())

        state, error = "failed", ""
        try:
            summary = run(
                entry.plan,
                self.store,
                engine=self.engine,
                workers=self.workers,
                datasets=entry.datasets,
                owner=entry.owner,
                progress=progress,
                cancel=entry.cancel,
            )
            state = "cancelled" if summary.cancelled else "done"
        except MlfsError as problem:
            error = str(problem)
        except Exception as problem:  # a thread has nobody above it to tell
            error = f"The study stopped for an unforeseen reason, {type(problem).__name__}: {problem}."
        if entry.removed and entry.owner is not None:
            with suppress(MlfsError):  # the last cells came after the removal
                self.store.remove_unused(entry.plan.cells(entry.datasets))
        with self._guard:
            entry.end(state, error)
            self._running.pop(entry.id, None)
            self._start()

    def _job(self, entry: _Entry) -> Job:
        left = None
        if entry.state == "running" and entry.begun is not None and entry.done > entry.begun[0]:
            pace = (time.monotonic() - entry.begun[1]) / (entry.done - entry.begun[0])
            left = pace * (entry.total - entry.done)
        position = self._queue.index(entry) + 1 if entry in self._queue else None
        return Job(
            entry.id,
            entry.plan,
            entry.owner,
            entry.state,
            entry.done,
            entry.total,
            entry.text,
            left,
            position,
            entry.error,
        )


def _data_of(entry: _Entry) -> Mapping[str, Dataset]:
    """What a resumption needs: of what was given, all that its session still has."""
    try:
        return entry.plan.load(dict(entry.datasets))
    except MlfsError:
        if entry.owner is None:
            raise
        raise StudyError(_gone(entry.plan)) from None


def _gone(plan: Plan) -> str:
    return f"The data of {plan.name!r} are gone with their session: upload them again."


def _past(study: Study) -> Job:
    return Job(study.id, study.plan, study.owner, study.state, study.done, study.cells)
