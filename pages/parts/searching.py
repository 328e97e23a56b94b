"""A search for the best parameters within a budget, in the background: one for each session, a few for all."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import partial

import streamlit as st

from mlfs.background import BackgroundJob, Progress
from mlfs.datasets import Dataset
from mlfs.metrics import metric_title
from mlfs.parameters import value_text
from mlfs.stopping import current_stop, stoppable
from mlfs.studies import Plan, Search, Store, search
from pages.parts import background, controls
from pages.parts.methods import parameter_name
from pages.parts.studies import AT_ONCE, POLL_SECONDS, StudyView, job_queue
from pages.parts.words import literal

BUDGET, LEAST, MOST = 30, 5, 200
ABOUT = (
    "Optuna looks for the best values between the ends of the sweep. It is judged on a part of the training rows that "
    "is kept for it: the test rows are not looked at."
)
_STATE = "searching"
_PLACES = threading.BoundedSemaphore(AT_ONCE)


@dataclass(frozen=True)
class SearchView:
    """This session's search of a sweep at one moment: one page must not show half of a search that is just ending."""

    running: BackgroundJob | None = None
    result: Search | None = None
    problem: str = ""


def search_view(study: StudyView, metric: str) -> SearchView:
    """The last search, where it was about this sweep and metric."""
    key, work = st.session_state.get(_STATE, (None, None))
    if work is None or key != _key(study, metric):
        return SearchView()
    job: BackgroundJob = work.job
    return SearchView(running=job) if job.running else SearchView(result=job.result, problem=job.failure)


def offer_search(study: StudyView, metric: str, now: SearchView) -> None:
    """The fold with the button, the progress and the answer. Call it outside fragments."""
    with st.expander("Search for the best"):
        st.caption(ABOUT)
        budget = controls.whole("Trials", "trials", BUDGET, LEAST, MOST)
        if now.running is not None:
            background.follow(partial(_show_progress, now.running), "Sensitivity", POLL_SECONDS)
        elif st.button("Search", key="search"):
            # Trials on an upload are kept nowhere but here.
            store = job_queue().store if study.owner is None else Store(":memory:")
            task = partial(_search, study.plan, store, budget, metric, study.datasets)
            progress = Progress(total=budget)
            # One of before is given up: nobody holds it any more.
            st.session_state[_STATE] = (_key(study, metric), background.start("The search", task, progress, _PLACES))
            st.rerun()
        if now.problem:
            st.error(literal(now.problem))
        if now.result is not None:
            st.markdown(literal(_answer(now.result, metric, study.plan.methods[0].method)))


def _key(study: StudyView, metric: str) -> Hashable:
    return study.plan.id, study.owner, metric


def _search(
    plan: Plan, store: Store, budget: int, metric: str, datasets: Mapping[str, Dataset], progress: Progress
) -> Search:
    """Who stops it stops it after the trial under way: those that are done count."""
    stop = current_stop()
    with stoppable(None):
        return search(plan, store, budget, metric=metric, datasets=datasets, progress=progress.note, cancel=stop)


def _show_progress(job: BackgroundJob) -> bool:
    progress = job.progress
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(progress.share, text=f"{progress.done:.0f} of {progress.total:.0f} trials")
        st.button("Stop", key="search-stop", on_click=job.cancel)
    return not job.running


def _answer(result: Search, metric: str, method: str) -> str:
    searched = [name for name in result.trials.columns if name != "value"]
    words = ", ".join(f"{parameter_name(name, method)} = {value_text(result.parameters[name])}" for name in searched)
    return (
        f"Best of {len(result.trials)} trials: {words}, with a {metric_title(metric)} of {result.value:.4f} on the "
        "validation rows, the mean over the sizes."
    )
