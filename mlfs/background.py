"""Work that outlives the moment it was asked for: done in a thread, result after result, until nobody waits."""

from __future__ import annotations

import itertools
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from mlfs.blocks import at_most_threads
from mlfs.stopping import GivenUp, checkpoint, stoppable

CORES = os.cpu_count() or 1
# How many requests of all sessions are refined at a time.
REFINING = threading.BoundedSemaphore(2)
# Seconds after which a first answer no longer counts among those that take up the cores: it is a long computation,
# and others need not wait for its end.
LEASE = 1.0
# How much a thread gives way to those that draw pages, as `nice` counts it: first answers, and refinements.
NICE_FIRST, NICE_REFINING = 3, 12
# First answers go before refinements: after a task of the latter, as many times its duration is rested as other
# requests arrived within the last second, this long at most.
LONGEST_REST = 3.0
WAITING_SECONDS = 0.5
_arrivals: deque[float] = deque(maxlen=100)


class Gradual:
    """A list of results that arrive one after another; a new request takes the place of the one before.

    Between the first result and the rest there is a pause: who moves a slider asks ten times a second, and only the
    last answer is worth refining.
    """

    def __init__(self, pause: float = 0.4) -> None:
        self.pause = pause
        self.key: Hashable = None
        self._request: _Request | None = None

    def ask(
        self, key: Hashable, tasks: Sequence[Callable[[], Any]], ready: Callable[[], Sequence[Any]] = tuple
    ) -> None:
        """Start on the tasks, unless they are what is being worked on already.

        Parameters
        ----------
        ready : gives the results of the first tasks, as far as they are known without any work
        """
        if self._request is not None and key == self.key:
            return
        self.cancel()
        self.key, self._request = key, _Request(tasks, self.pause, ready())
        # Who asked may be gone, a closed window, before the work is done.
        weakref.finalize(self, self._request.give_up)

    def wait(self, count: int, seconds: float) -> bool:
        """Wait until so many results are there, or the work has ended otherwise; False where time ran out."""
        return self._request is not None and self._request.wait(count, seconds)

    def cancel(self) -> None:
        """Give up what is being worked on; results that have arrived stay."""
        if self._request is not None:
            self._request.give_up()

    @property
    def results(self) -> list[Any]:
        """What has arrived. The first error of a task is raised here."""
        if self._request is None:
            return []
        if self._request.error is not None:
            raise self._request.error
        return list(self._request.results)

    @property
    def done(self) -> int:
        """How many results have arrived."""
        return 0 if self._request is None else len(self._request.results)

    @property
    def total(self) -> int:
        return 0 if self._request is None else len(self._request.tasks)

    @property
    def running(self) -> bool:
        return self._request is not None and not self._request.ended.is_set()

    @property
    def cancelled(self) -> bool:
        return self._request is not None and self._request.stop.is_set()


class _Request:
    """One list of tasks and the thread that works on it."""

    def __init__(self, tasks: Sequence[Callable[[], Any]], pause: float, ready: Sequence[Any]) -> None:
        self.tasks, self.pause = tasks, pause
        self.results: list[Any] = list(ready)
        self.error: Exception | None = None
        self.stop, self.ended = threading.Event(), threading.Event()
        self._arrived = threading.Condition()
        _arrivals.append(time.monotonic())
        if len(self.results) == len(tasks):
            self.ended.set()
        else:
            threading.Thread(target=self._work, name="mlfs-gradual", daemon=True).start()

    def wait(self, count: int, seconds: float) -> bool:
        with self._arrived:
            return self._arrived.wait_for(lambda: len(self.results) >= count or self.ended.is_set(), seconds)

    def give_up(self) -> None:
        self.stop.set()

    def _work(self) -> None:
        try:
            for number, task in enumerate(self.tasks[len(self.results) :], start=len(self.results)):
                if self.stop.wait(self.pause if number == 1 else 0):
                    break
                with stoppable(self.stop), at_most_threads(1 if others() else None):
                    if number == 0:
                        self._answer(task)
                    else:
                        self._refine(task, last=number == len(self.tasks) - 1)
        except GivenUp:
            pass
        except Exception as problem:
            self.error = problem
        finally:
            self.ended.set()
            with self._arrived:
                self._arrived.notify_all()

    def _answer(self, task: Callable[[], Any]) -> None:
        """The first answer, as soon as a core is free."""
        _give_way(NICE_FIRST)
        with FIRST.entered():
            checkpoint()
            result = task()
        self._add(result)

    def _refine(self, task: Callable[[], Any], last: bool) -> None:
        """What follows waits for its turn among all sessions, and leaves the cores to first answers."""
        _give_way(NICE_REFINING)
        with in_turn(REFINING):
            checkpoint()
            start = time.monotonic()
            self._add(task())
            if not last:
                self.stop.wait(min(others() * (time.monotonic() - start), LONGEST_REST))

    def _add(self, result: Any) -> None:
        with self._arrived:
            self.results.append(result)
            self._arrived.notify_all()


def others() -> int:
    """How many requests but one arrived within the last second, of all sessions."""
    now = time.monotonic()
    return max(sum(now - asked < 1 for asked in tuple(_arrivals)) - 1, 0)


class Gate:
    """Lets in so many at a time, in the order in which they came; who stays longer than a lease is not counted on."""

    def __init__(self, places: int, lease: float) -> None:
        self.places, self.lease = places, lease
        self._inside: dict[int, float] = {}
        self._queue: deque[int] = deque()
        self._tickets = itertools.count()
        self._changed = threading.Condition()

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Wait for a place, and give it back; who is no longer wanted stops waiting."""
        ticket = next(self._tickets)
        with self._changed:
            self._queue.append(ticket)
        try:
            self._wait(ticket)
            yield
        finally:
            with self._changed:
                self._inside.pop(ticket, None)
                if ticket in self._queue:
                    self._queue.remove(ticket)
                self._changed.notify_all()

    def _wait(self, ticket: int) -> None:
        while True:
            checkpoint()
            with self._changed:
                free = self.places - sum(time.monotonic() - since < self.lease for since in self._inside.values())
                if ticket in itertools.islice(self._queue, max(free, 0)):
                    self._queue.remove(ticket)
                    self._inside[ticket] = time.monotonic()
                    return
                self._changed.wait(self.lease / 4)


FIRST = Gate(CORES, LEASE)


def _give_way(nice: int) -> None:
    """Lower the priority of this thread and of those it starts, where the system has one for each thread."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), nice)


@contextmanager
def in_turn(places: threading.Semaphore) -> Iterator[None]:
    """Wait for a place; who is no longer wanted stops waiting."""
    while not places.acquire(timeout=WAITING_SECONDS):
        checkpoint()
    try:
        yield
    finally:
        places.release()
