"""Work that a page starts in the background, and follows until it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from mlfs.background import LatestJob, Progress, in_turn
from pages.parts import errors

POLL_SECONDS = 0.6
# Runs of papers and questions, of all sessions: such work takes every core, and the studies of other pages want some.
LONG_RUNS = threading.BoundedSemaphore(1)


def start(
    what: str,
    task: Callable[[Progress], Any],
    progress: Progress | None = None,
    places: threading.Semaphore | None = None,
) -> LatestJob:
    """A job of one task, which notes its progress. It goes with its session, and its going ends the work.

    Parameters
    ----------
    what : begins the sentence of a failure
    places : for so many of its kind, of all sessions; the others wait in turn
    """
    progress = Progress() if progress is None else progress
    work = LatestJob()
    work.start(what, [partial(errors.as_sentence, what, partial(_in_turn, task, progress, places))], progress=progress)
    return work


def follow(draw: Callable[[], bool | None], what: str, every: float = POLL_SECONDS) -> None:
    """Draw again and again; once that says that there is no more to come, the page begins anew."""

    def drawn() -> None:
        if draw():
            st.rerun()

    errors.fragment(drawn, what, every)


def _in_turn(task: Callable[[Progress], Any], progress: Progress, places: threading.Semaphore | None) -> Any:
    if places is None:
        return task(progress)
    progress.text = "waiting for another run to end"
    with in_turn(places):
        progress.text = "starting"
        return task(progress)
