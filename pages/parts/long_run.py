"""Work of minutes that a page starts: in a thread that outlives the run of the page, and ends with its session."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from mlfs.background import LatestJob, in_turn
from mlfs.errors import MlfsError
from pages.parts import failures

POLL_SECONDS = 0.6
# Of all sessions: such work takes every core, and the studies of other pages want some.
_ONE = threading.BoundedSemaphore(1)


class Progress:
    """What the thread says: how far it is, and which parts are done."""

    def __init__(self) -> None:
        self.share, self.text = 0.0, "starting"
        self.parts: list[Any] = []

    def note(self, done: int, total: int, text: str) -> None:
        self.share, self.text = done / max(total, 1), text


class LongRun:
    """One piece of work, started, followed and cancelled.

    It goes with its session, and its going ends the work: nothing that a task holds may lead back to it.
    """

    def __init__(self) -> None:
        self._work, self.progress = LatestJob(pause=0.0), Progress()

    def start(self, what: str, task: Callable[[Progress], Any]) -> None:
        """Begin anew, when no other session is at such work; `what` begins the sentence of a failure."""
        self.cancel()
        self._work, self.progress = LatestJob(pause=0.0), Progress()
        self._work.ask(what, [partial(failures.in_a_sentence, what, partial(_in_turn, task, self.progress))])

    def cancel(self) -> None:
        self._work.cancel()

    @property
    def running(self) -> bool:
        return self._work.running

    @property
    def cancelled(self) -> bool:
        return self._work.cancelled

    @property
    def problem(self) -> str:
        """The sentence with which it failed."""
        try:
            self._work.results  # noqa: B018 — raises what the thread met
        except MlfsError as problem:
            return str(problem)
        return ""

    @property
    def result(self) -> Any:
        """What came out; None before the end, and where it failed."""
        return None if self.problem or not self._work.results else self._work.results[0]


def _in_turn(task: Callable[[Progress], Any], progress: Progress) -> Any:
    progress.text = "waiting for another run to end"
    with in_turn(_ONE):
        progress.text = "starting"
        return task(progress)
