"""A search for the best parameters within a budget, in the background: one for each session, a few for all."""

from __future__ import annotations

import threading
from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from mlfs.background import LatestJob
from mlfs.errors import MlfsError
from mlfs.metrics import metric_title
from mlfs.parameters import value_text
from mlfs.studies import Search, Store, search
from pages.parts import controls, failures
from pages.parts.studies import AT_ONCE, POLL_SECONDS, StudyView, job_queue
from pages.parts.sweep import parameter_name
from pages.parts.words import literal

BUDGET, LEAST, MOST = 30, 5, 200
ABOUT = (
    "Optuna looks for the best values between the ends of the sweep. It is judged on a part of the training rows that "
    "is kept for it: the test rows are not looked at."
)
_STATE = "searching"
_turn = threading.BoundedSemaphore(AT_ONCE)


class Searching:
    """One search of this session: how far it is, and what it found."""

    def __init__(self, key: Hashable, study: StudyView, metric: str, budget: int) -> None:
        self.key, self.done, self.budget = key, 0, budget
        self._stop, self._work = threading.Event(), LatestJob()
        # Trials on an upload are kept nowhere but here.
        store = job_queue().store if study.owner is None else Store(":memory:")
        how = {"datasets": study.datasets, "progress": self._told, "cancel": self._stop}
        task = partial(search, study.plan, store, budget, metric=metric, **how)
        self._work.ask(key, [partial(failures.in_a_sentence, "The search", partial(_in_turn, task, self._stop))])

    def cancel(self) -> None:
        """Stop after the trial under way; those that are done count."""
        self._stop.set()

    @property
    def running(self) -> bool:
        return self._work.running

    @property
    def found(self) -> Search | None:
        return None if self.problem else next(iter(self._work.results), None)

    @property
    def problem(self) -> str:
        """The sentence, where it failed."""
        try:
            self._work.results  # noqa: B018 - raises what the search raised
        except MlfsError as problem:
            return str(problem)
        return ""

    def _told(self, done: int, *_: Any) -> None:
        self.done = done


@dataclass(frozen=True)
class Look:
    """This session's search of a sweep at one moment: one page must not show half of a search that is just ending."""

    running: Searching | None = None
    result: Search | None = None
    problem: str = ""


def look(study: StudyView, metric: str) -> Look:
    """The last search, where it was about this sweep and metric."""
    mine: Searching | None = st.session_state.get(_STATE)
    if mine is None or mine.key != (study.plan.id, study.owner, metric):
        return Look()
    return Look(running=mine) if mine.running else Look(result=mine.found, problem=mine.problem)


def offer_search(study: StudyView, metric: str, now: Look) -> None:
    """The fold with the button, the progress and the answer. Call it outside fragments."""
    with st.expander("Search for the best"):
        st.caption(ABOUT)
        budget = controls.whole("Trials", "trials", BUDGET, LEAST, MOST)
        if now.running is not None:
            failures.fragment(partial(_follow, now.running), "Sensitivity", POLL_SECONDS)
        elif st.button("Search", key="search"):
            before: Searching | None = st.session_state.get(_STATE)
            if before is not None:
                before.cancel()
            st.session_state[_STATE] = Searching((study.plan.id, study.owner, metric), study, metric, budget)
            st.rerun()
        if now.problem:
            st.error(literal(now.problem))
        if now.result is not None:
            st.markdown(literal(_told(now.result, metric)))


def _follow(mine: Searching) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(mine.done / mine.budget, text=f"{mine.done} of {mine.budget} trials")
        st.button("Stop", key="search-stop", on_click=mine.cancel)
    if not mine.running:
        st.rerun()


def _told(result: Search, metric: str) -> str:
    searched = [name for name in result.trials.columns if name != "value"]
    words = ", ".join(f"{parameter_name(name)} = {value_text(result.parameters[name])}" for name in searched)
    return (
        f"Best of {len(result.trials)} trials: {words}, with a {metric_title(metric)} of {result.value:.4f} on the "
        "validation rows, the mean over the sizes."
    )


def _in_turn(task: Any, stop: threading.Event) -> Any:
    while not _turn.acquire(timeout=0.1):
        if stop.is_set():
            return None
    try:
        return task()
    finally:
        _turn.release()
