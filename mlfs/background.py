"""Work that outlives the moment it was asked for: done in a thread, result after result, until nobody waits.

Explore's splits, methods drawn as they arrive, downloads, searches, runs of papers and studies are such jobs.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mlfs.blocks import at_most_threads
from mlfs.stopping import GivenUp, checkpoint, stoppable

CORES = os.cpu_count() or 1
# How many requests of all sessions are refined at a time.
REFINING = threading.BoundedSemaphore(2)
# Seconds after which a first answer no longer counts among those that take up the cores: it is a long computation,
# and others need not wait for its end.
LEASE = 1.0
# First answers go before refinements: after a task of the latter, as many times its duration is rested as other
# requests arrived within the last second, so long at most. Where more than CALM arrive, it waits for fewer, so long at
# most.
LONGEST_REST, LONGEST_CALM = 3.0, 20.0
CALM = 2 * CORES
WAITING_SECONDS = 0.5
_arrivals: deque[float] = deque(maxlen=100)


class Progress:
    """How far a job is, as its task notes it, and the parts of its result that are done."""

    def __init__(self, text: str = "starting", done: float = 0, total: float = 1) -> None:
        self.done, self.total, self.text = done, total, text
        self.parts: list[Any] = []

    def note(self, done: float, total: float, text: str) -> None:
        self.done, self.total, self.text = done, total, text

    @property
    def share(self) -> float:
        """Between 0 and 1."""
        return min(self.done / max(self.total, 1), 1.0)


class Waiting(str):
    """What work waits for, in words, in the place of what was done last.

    It is told even where nobody watches the progress: without it nobody would know why nothing comes.
    """


class BackgroundJob:
    """Tasks and the thread that works on them, one after another, until they are done or nobody waits for them.

    What a task may pass on to work of others, as the sign to stop, is `mlfs.stopping.current_stop`.

    Parameters
    ----------
    ready : results of the first tasks, which are known without any work
    pause : seconds between the first result and the rest
    yields : the rest only refines the first result, and leaves the cores to the first answers of others
    progress : what the tasks note about themselves
    queued : whether the first task is an answer that waits for a free core, as those of others do, and the rest for
        their turn; work that has a queue of its own does not
    """

    def __init__(
        self,
        tasks: Sequence[Callable[[], Any]] = (),
        ready: Sequence[Any] = (),
        pause: float = 0.0,
        yields: bool = False,
        *,
        progress: Progress | None = None,
        queued: bool = True,
    ) -> None:
        self.progress = Progress() if progress is None else progress
        self._tasks, self._results = tasks, list(ready)
        self._pause, self._yields, self._queued = pause, yields, queued
        self._error: Exception | None = None
        self._stop, self._ended = threading.Event(), threading.Event()
        self._arrived = threading.Condition()
        if self.done == self.total:
            self._ended.set()
        else:
            threading.Thread(target=self._work, name="mlfs-background", daemon=True).start()

    def wait(self, count: int, seconds: float) -> bool:
        """Wait until so many results are there, or the work has ended otherwise; False where time ran out."""
        with self._arrived:
            return self._arrived.wait_for(lambda: self.done >= count or not self.running, seconds)

    def cancel(self) -> None:
        """Give it up; results that have arrived stay."""
        self._stop.set()

    @property
    def results(self) -> list[Any]:
        """What has arrived. The first error of a task is raised here."""
        if self._error is not None:
            raise self._error
        return list(self._results)

    @property
    def result(self) -> Any:
        """The first result; None as long as there is none, and where the job failed."""
        return self._results[0] if self._results and self._error is None else None

    @property
    def failure(self) -> str:
        """The sentence with which it failed; empty where it did not."""
        return "" if self._error is None else str(self._error)

    @property
    def done(self) -> int:
        """How many results have arrived."""
        return len(self._results)

    @property
    def total(self) -> int:
        return len(self._tasks)

    @property
    def running(self) -> bool:
        return not self._ended.is_set()

    @property
    def cancelled(self) -> bool:
        return self._stop.is_set()

    def _work(self) -> None:
        try:
            for number, task in enumerate(self._tasks[self.done :], start=self.done):
                if self._stop.wait(self._pause if number == 1 else 0):
                    break
                with stoppable(self._stop), at_most_threads(1 if self._queued and other_requests() else None):
                    if not self._queued:
                        self._add(task())
                    elif number == 0:
                        self._answer(task)
                    else:
                        self._refine(task, last=number == self.total - 1)
        except GivenUp:
            pass
        except Exception as problem:
            self._error = problem
        finally:
            self._ended.set()
            with self._arrived:
                self._arrived.notify_all()

    def _answer(self, task: Callable[[], Any]) -> None:
        """The first answer, as soon as a core is free."""
        with FIRST.entered():
            checkpoint()
            result = task()
        self._add(result)

    def _refine(self, task: Callable[[], Any], last: bool) -> None:
        """What follows waits for its turn among all sessions."""
        with in_turn(REFINING):
            if self._yields:
                _wait_for_calm()
            checkpoint()
            start = time.monotonic()
            self._add(task())
            if self._yields and not last:
                self._stop.wait(min(other_requests() * (time.monotonic() - start), LONGEST_REST))

    def _add(self, result: Any) -> None:
        with self._arrived:
            self._results.append(result)
            self._arrived.notify_all()


class LatestJob:
    """Holds the newest job: a new one takes the place of the one before, and the last ends with whoever holds this.

    Nothing that a task holds may lead back here.

    Parameters
    ----------
    pause : seconds between the first result and the rest: who moves a slider asks ten times a second, and only the
        last answer is worth refining
    yields : as `BackgroundJob` takes it
    """

    def __init__(self, pause: float = 0.4, *, yields: bool = False) -> None:
        self.pause, self.yields = pause, yields
        self.key: Hashable = None
        self.job = BackgroundJob()
        self._end = weakref.finalize(self, self.job.cancel)

    def start(
        self,
        key: Hashable,
        tasks: Sequence[Callable[[], Any]],
        ready: Callable[[], Sequence[Any]] = tuple,
        progress: Progress | None = None,
    ) -> BackgroundJob:
        """Start on the tasks, unless they are what is being worked on already.

        Parameters
        ----------
        ready : gives the results of the first tasks, as far as they are known without any work
        """
        if key != self.key or not self.job.total:
            self.job.cancel()
            _arrivals.append(time.monotonic())
            self.key, self.job = key, BackgroundJob(tasks, ready(), self.pause, self.yields, progress=progress)
            # Who started it may be gone, a closed window, before the work is done.
            self._end.detach()
            self._end = weakref.finalize(self, self.job.cancel)
        return self.job

    def give_up(self) -> None:
        """Stop; whoever asks for the same again has it begun anew."""
        self.key = None
        self.job.cancel()


def other_requests() -> int:
    """How many requests but one arrived within the last second, of all sessions."""
    now = time.monotonic()
    return max(sum(now - asked < 1 for asked in tuple(_arrivals)) - 1, 0)


def _wait_for_calm() -> None:
    """Until others ask for little, or have been asking for long."""
    end = time.monotonic() + LONGEST_CALM
    while other_requests() > CALM and time.monotonic() < end:
        checkpoint()
        time.sleep(WAITING_SECONDS)


class Gate:
    """Lets in so many at a time, in the order in which they came; who stays longer than a lease is not counted on."""

    def __init__(self, places: int, lease: float) -> None:
        self.places, self.lease = places, lease
        self._inside: dict[threading.Event, float] = {}
        self._queue: deque[threading.Event] = deque()
        self._guard = threading.Lock()
        self._here = threading.local()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Wait for a place, and give it back; who is no longer wanted stops waiting."""
        turn = threading.Event()
        try:
            self._enter(turn, first=False)
            self._here.turn = turn
            yield
        finally:
            self._here.turn = None
            self._leave(turn)

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Give the place of this thread, if it has one, to others meanwhile; who comes back is first in the queue."""
        turn = getattr(self._here, "turn", None)
        if turn is None:
            yield
            return
        self._leave(turn)
        yield
        turn.clear()
        self._enter(turn, first=True)

    def _enter(self, turn: threading.Event, first: bool) -> None:
        with self._guard:
            self._queue.appendleft(turn) if first else self._queue.append(turn)
            self._let_in()
        # Looked at now and then, for nobody says that a lease has run out.
        while not turn.wait(self.lease / 2):
            checkpoint()
            with self._guard:
                self._let_in()

    def _leave(self, turn: threading.Event) -> None:
        with self._guard:
            if self._inside.pop(turn, None) is None and turn in self._queue:
                self._queue.remove(turn)
            self._let_in()

    def _let_in(self) -> None:
        now = time.monotonic()
        free = self.places - sum(now - since < self.lease for since in self._inside.values())
        for _ in range(min(free, len(self._queue))):
            turn = self._queue.popleft()
            self._inside[turn] = now
            turn.set()


FIRST = Gate(CORES, LEASE)


@contextmanager
def in_turn(places: threading.Semaphore) -> Iterator[None]:
    """Wait for a place; who is no longer wanted stops waiting."""
    while not places.acquire(timeout=WAITING_SECONDS):
        checkpoint()
    try:
        yield
    finally:
        places.release()
