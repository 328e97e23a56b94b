"""Long work that can be given up: loops pass a checkpoint, and whoever waits no longer sets an event.

A thread cannot be ended from outside without harm (a lock it holds would stay locked), so it ends itself. Where no
event is set up, as in scripts, a checkpoint costs nothing worth measuring.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event
from typing import Protocol

_stop: ContextVar[Event | None] = ContextVar("stop", default=None)


class CancelToken(Protocol):
    """Anything that says whether to stop, such as `threading.Event`."""

    def is_set(self) -> bool: ...


class GivenUp(BaseException):
    """Raised at a checkpoint of work that nobody waits for any more.

    Not an Exception: whoever turns failures into results must not take it for one.
    """


@contextmanager
def stoppable(stop: Event | None) -> Iterator[None]:
    """What runs inside ends at its next checkpoint once the event is set; where it is None, only at its own end."""
    before = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(before)


def current_stop() -> Event | None:
    """The event in force here, to hand on to other threads."""
    return _stop.get()


def checkpoint(stop: Event | None = None) -> None:
    """Raise GivenUp where the work is no longer wanted."""
    stop = stop or _stop.get()
    if stop is not None and stop.is_set():
        raise GivenUp
