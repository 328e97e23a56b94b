"""Work that a page starts in the background, and follows until it ends.

What only feeds the page that is looked at (`live_job`) stops while its window is closed, for there may be many such
windows in a class; what somebody started by a button goes on, as long as Streamlit keeps the session.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mlfs.background import LatestJob, Progress, in_turn
from pages.parts import errors, server

POLL_SECONDS = 0.6
# Runs of papers and questions, of all sessions: such work takes every core, and the studies of other pages want some.
LONG_RUNS = threading.BoundedSemaphore(1)
# What feeds a page, and the session that looks at it.
_live: WeakKeyDictionary[LatestJob, str] = WeakKeyDictionary()


def live_job(name: str, **settings: Any) -> LatestJob:
    """The session's job of this name, made as `LatestJob` where there is none."""
    if name not in st.session_state:
        job, session = LatestJob(**settings), get_script_run_ctx()
        st.session_state[name] = job
        if session is not None:
            _live[job] = session.session_id
    latest: LatestJob = st.session_state[name]
    return latest


def give_up_what_nobody_sees() -> None:
    """Stop what feeds closed windows; one that comes back begins it anew, from the results that are kept."""
    if runtime.exists():
        for job, session in list(_live.items()):
            if job.job.running and not runtime.get_instance().is_active_session(session):
                job.give_up()


server.at_every_check(give_up_what_nobody_sees)


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
