"""Work that outlives the moment it was asked for: done in a thread, result after result, until nobody waits."""

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


class BackgroundJob:
    """A list of tasks and the thread that works on it; its results arrive one after another."""

    def __init__(
        self,
        tasks: Sequence[Callable[[], Any]] = (),
        ready: Sequence[Any] = (),
        pause: float = 0.0,
        yields: bool = False,
    ) -> None:
        self._tasks, self._results = tasks, list(ready)
        self._pause, self._yields = pause, yields
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
                with stoppable(self._stop), at_most_threads(1 if others() else None):
                    if number == 0:
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
                self._stop.wait(min(others() * (time.monotonic() - start), LONGEST_REST))

    def _add(self, result: Any) -> None:
        with self._arrived:
            self._results.append(result)
            self._arrived.notify_all()


class LatestJob:
    """Results that arrive one after another; a new request takes the place of the one before.

    Parameters
    ----------
    pause : seconds between the first result and the rest: who moves a slider asks ten times a second, and only the
        last answer is worth refining
    yields : the rest only refines the first result, and leaves the cores to the first answers of others
    """

    def __init__(self, pause: float = 0.4, *, yields: bool = False) -> None:
        self.pause, self.yields = pause, yields
        self.key: Hashable = None
        self._request, self._order = BackgroundJob(), 0
        self._guard = threading.Lock()

    def ask(
        self,
        key: Hashable,
        tasks: Sequence[Callable[[], Any]],
        ready: Callable[[], Sequence[Any]] = tuple,
        order: int = 0,
    ) -> BackgroundJob:
        """Start on the tasks, unless they are what is being worked on already.

        Whoever asks looks at the request that is returned: by then another thread may have asked for something else.

        Parameters
        ----------
        ready : gives the results of the first tasks, as far as they are known without any work
        order : of two that ask at once, the lower one is late, and is given a request that has been cancelled
        """
        with self._guard:
            if order < self._order:
                late = BackgroundJob()
                late.cancel()
                return late
            self._order = order
            if key == self.key and self._request.total:
                return self._request
            self._request.cancel()
            _arrivals.append(time.monotonic())
            self.key, self._request = key, BackgroundJob(tasks, ready(), self.pause, self.yields)
            # Who asked may be gone, a closed window, before the work is done.
            weakref.finalize(self, self._request.cancel)
            return self._request

    def wait(self, count: int, seconds: float) -> bool:
        return self._request.wait(count, seconds)

    def cancel(self) -> None:
        self._request.cancel()

    @property
    def results(self) -> list[Any]:
        return self._request.results

    @property
    def done(self) -> int:
        return self._request.done

    @property
    def total(self) -> int:
        return self._request.total

    @property
    def running(self) -> bool:
        return self._request.running

    @property
    def cancelled(self) -> bool:
        return self._request.cancelled


def others() -> int:
    """How many requests but one arrived within the last second, of all sessions."""
    now = time.monotonic()
    return max(sum(now - asked < 1 for asked in tuple(_arrivals)) - 1, 0)


def _wait_for_calm() -> None:
    """Until others ask for little, or have been asking for long."""
    end = time.monotonic() + LONGEST_CALM
    while others() > CALM and time.monotonic() < end:
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
