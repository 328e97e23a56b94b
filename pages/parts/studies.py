"""Studies as pages see them: asked for by plan, run in the background by one queue, drawn while cells arrive.

A page makes the same plan from the same link, and a plan is found by its content. So a study survives a move of a
widget, another page and a reload of the browser, and what anybody computed before is shown at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st
from joblib import cpu_count

from mlfs.background import LatestJob
from mlfs.datasets import Dataset, cache_folder, is_synthetic, list_datasets
from mlfs.errors import StudyError
from mlfs.results import setting_title
from mlfs.studies import Cell, Estimate, Job, JobQueue, Plan, Store, Study, estimate
from mlfs.studies.comparison import failures
from mlfs.wording import count, duration
from pages.parts import background, controls, link, server, view
from pages.parts.data import explorer_of, is_upload, title, titles, uploads
from pages.parts.owners import viewer
from pages.parts.rankings import is_own
from pages.parts.words import literal

#: Names the file in which results are kept.
VARIABLE = "MLFS_STORE"
# Studies at a time, for all sessions: a short one need not wait for a long one, and the rest queue.
AT_ONCE = 2
CLOSING_SECONDS = 2.0
ENGINE = "local"
POLL_SECONDS = 1.0
TELLING = 4
# A link may ask for millions, and the cells are addressed before anybody presses a button.
MOST_CELLS = 20_000
# An estimate that takes longer than this arrives later.
PATIENCE = 0.4
NEW = "new"
_ESTIMATES = "estimates"
PAGES = {True: "sensitivity.py", False: "compare.py"}
# Who asked for a study first, by store and number, since the server began: only they may delete it.
_askers: dict[tuple[str, int], str] = {}


def store_path() -> Path:
    """Where the app keeps results: the file that MLFS_STORE names, else one beside the downloaded data sets."""
    return Path(os.environ.get(VARIABLE) or cache_folder() / "studies.sqlite")


def job_queue() -> JobQueue:
    """The one queue of this server."""
    return _job_queue_at(str(store_path()))


@st.cache_resource(show_spinner=False)
def _job_queue_at(path: str) -> JobQueue:
    with suppress(OSError):  # the store finds the sentence
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    queue = JobQueue(Store(path), AT_ONCE, cpu_count(), ENGINE)
    # Else a study under way would hold the server up, or outlive it.
    server.at_end(partial(queue.close, CLOSING_SECONDS))
    return queue


@dataclass(frozen=True)
class StudyView:
    """A plan, and how far it is.

    Attributes
    ----------
    owner : this browser, where the plan holds an upload or a ranking of its own; else nobody
    known : cells that need no computing
    job : as the queue has it, where somebody has asked for this very plan
    """

    plan: Plan
    datasets: Mapping[str, Dataset]
    owner: str | None
    cells: list[Cell]
    known: int
    job: Job | None

    @property
    def active(self) -> bool:
        return self.job is not None and self.job.state in ("waiting", "running")

    @property
    def complete(self) -> bool:
        return self.known == len(self.cells)

    def now(self) -> StudyView:
        """The same a moment later."""
        job = None if self.job is None else job_queue().job(self.job.id, self.owner)
        return replace(self, known=_known(self.cells), job=job)

    @property
    def titles(self) -> dict[str, str]:
        """The names of the data sets that people use, no two alike."""
        return titles(self.plan.datasets)

    def results(self) -> pd.DataFrame:
        """The cells that are there, data sets by their titles."""
        return self._titled(job_queue().store.results(self.cells))

    def rankings(self) -> pd.DataFrame:
        return self._titled(job_queue().store.rankings(self.cells))

    def _titled(self, table: pd.DataFrame) -> pd.DataFrame:
        return table.assign(dataset=table["dataset"].map(self.titles))


def study_view(plan: Plan) -> StudyView:
    """Look a plan up; nothing is computed."""
    if len(plan) > MOST_CELLS:
        raise StudyError(
            f"This study has {len(plan):,} cells, and the app takes {MOST_CELLS:,} at most: choose fewer steps, "
            "repeats, methods or data sets, or run it with mlfs study run."
        )
    datasets = {name: explorer_of(name).ds for name in plan.datasets}
    owner = viewer() if any(map(is_upload, plan.datasets)) or any(map(is_own, plan.rankings)) else None
    cells = _cells(plan.id, tuple(ds.fingerprint for ds in datasets.values()), plan, datasets)
    job = next((job for job in job_queue().jobs(owner) if job.owner == owner and job.plan.id == plan.id), None)
    return StudyView(plan, datasets, owner, cells, _known(cells), job)


def follow(study: StudyView, draw: Callable[[StudyView], None]) -> None:
    """Tell how far the study is and draw what is there; while it runs, again and again.

    The button stands outside the parts that are repeated: a click on one that is just being replaced would be lost.
    """
    waiting = study.active or _estimate(study) is None
    if not waiting:
        study = study.now()  # an estimate adds a cell or two
    if study.job is not None and study.job.state == "failed":
        st.error(literal(study.job.error))
    if study.complete and not study.active:
        st.caption(literal(f"{study.plan.name}: {count(len(study.cells), 'cell')}, all there."))
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            _button(study)
            if waiting:
                background.follow(partial(_show_progress, study), study.plan.name, POLL_SECONDS)
            else:
                st.markdown(_prospect(study))
    if study.active:
        background.follow(lambda: draw(study.now()), study.plan.name, POLL_SECONDS)
    else:
        draw(study)


def _button(study: StudyView) -> None:
    """The one thing to do now: stop what is under way, or run what is missing."""
    if study.active and study.job is not None:
        if st.button("Cancel", key="cancel"):
            job_queue().cancel(study.job.id)
            st.rerun()
    elif st.button(_verb(study), key="run", type="primary"):
        st.session_state.pop(_ESTIMATES).job.cancel()
        number = job_queue().submit(study.plan, study.owner, study.datasets, study.cells)
        _askers.setdefault((str(store_path()), number), viewer())
        st.rerun()


def _show_progress(study: StudyView) -> bool:
    """How far it is by now; whether that calls for another button."""
    now = study.now()
    if now.active and now.job is not None:
        st.progress(now.job.done / max(now.job.total, 1), text=_progress(now.job))
    else:
        st.markdown(_prospect(now))
    return now.active != study.active or not (now.active or _estimate(now) is None)


def _verb(study: StudyView) -> str:
    return "Resume" if study.job is not None and study.job.state in ("cancelled", "interrupted") else "Run"


def _progress(job: Job) -> str:
    if job.state == "waiting":
        return f"Waiting, number {job.position} in the queue: {AT_ONCE} studies run at a time."
    # The first cells carry the start of the workers: they say little about the rest.
    left = ""
    if job.seconds_left is not None and job.done >= TELLING:
        left = f", about {duration(job.seconds_left)} left"
    doing = job.text or "starting"
    for name in filter(is_upload, job.plan.datasets):
        doing = doing.replace(name, title(name))
    return literal(f"{job.done} of {count(job.total, 'cell')}{left}: {doing}")


def _prospect(study: StudyView) -> str:
    """What a run would mean."""
    said = {"cancelled": "Cancelled. ", "interrupted": "Interrupted by a restart of the server. "}
    before = said.get(study.job.state, "") if study.job is not None else ""
    known = f", {study.known} known" if study.known else ""
    expected = _estimate(study)
    time = "estimating the time …" if expected is None else f"about {duration(expected.seconds)}"
    return f"{before}{count(len(study.cells), 'cell')}{known}: {time}"


def _estimate(study: StudyView) -> Estimate | None:
    """How long the rest will take; None while it is being found out, which takes a cell or two."""
    if study.complete:
        return Estimate(len(study.cells), study.known, 0.0, "")
    store, workers = job_queue().store, job_queue().workers
    work: LatestJob = st.session_state.setdefault(_ESTIMATES, LatestJob())
    state = None if study.job is None else (study.job.state, study.job.done)
    how = {"datasets": study.datasets, "cells": study.cells, "workers": workers, "keep": study.owner is None}
    job = work.start((study.plan.id, study.owner, state), [partial(estimate, study.plan, store, **how)])
    view.wait_for(job, 1, PATIENCE)
    return job.results[0] if job.results else None


def _known(cells: list[Cell]) -> int:
    finished = job_queue().store.finished({cell.key for cell in cells})
    return sum(cell.key in finished for cell in cells)


@st.cache_resource(show_spinner=False, max_entries=64)
def _cells(plan_id: str, fingerprints: tuple[str, ...], _plan: Plan, _datasets: Mapping[str, Dataset]) -> list[Cell]:
    """The cells of a plan; addresses of hundreds take a while, and every move of a widget asks for them."""
    return _plan.cells(_datasets)


def choose_shown(plan: Plan, help: str | None = None) -> str:
    """Which of a plan's data sets is drawn."""
    if len(plan.datasets) == 1:
        return plan.datasets[0]
    return controls.choose_name("Shown", plan.datasets, "shown", name=titles(plan.datasets).get, help=help)


def show_failed_cells(results: pd.DataFrame) -> None:
    for failure in failures(results).itertuples():
        st.warning(literal(f"{setting_title(failure.setting)} failed on {failure.dataset}. {failure.error}"))


# Studies of before


def is_sweep(plan: Plan) -> bool:
    """Whether a study is one of Sensitivity's: one method whose parameters vary. Compare shows any other."""
    return len(plan.methods) == 1 and bool(plan.methods[0].grid)


def _can_open(plan: Plan) -> bool:
    """Whether its data are at hand: those of a search are rows of another set, and files come and go."""
    at_hand = {*list_datasets(), *uploads()}
    return all(name in at_hand or is_synthetic(name) or Path(name).exists() for name in plan.datasets)


def past(sweeps: bool) -> dict[int, Study]:
    """The studies this browser may see, of one kind, by their id; the newest first."""
    listed = job_queue().store.studies(viewer())
    kind = {study.id: study for study in listed if is_sweep(study.plan) == sweeps and _can_open(study.plan)}
    return dict(reversed(kind.items()))


def choose_study(sweeps: bool) -> Plan | None:
    """The plan of a study of before that the sidebar or the link names; None for a new one."""
    return _choose("Study", "study", NEW, sweeps, "A new one, made below, or one of before.")


def choose_beside(sweeps: bool) -> Plan | None:
    """A second study to lay beside the first."""
    return _choose("Beside", "beside", "none", sweeps, "Another study, drawn beside this one.")


def _choose(label: str, key: str, nothing: str, sweeps: bool, help: str) -> Plan | None:
    studies = {str(number): study for number, study in past(sweeps).items()}

    def known(word: str) -> str:
        if word != nothing and word not in studies:
            raise StudyError(f"There is no study {word} here: it was deleted, or belongs to somebody else.")
        return word

    if link.current().arrived is None and st.session_state.get(key, nothing) not in (nothing, *studies):
        st.session_state.pop(key)  # deleted a moment ago
    link.current().control(key, nothing, known)
    if not studies:
        return None
    with st.sidebar:
        chosen = st.selectbox(
            label,
            [nothing, *studies],
            key=key,
            format_func=lambda word: word.capitalize() if word == nothing else _name(studies[word]),
            help=help,
        )
    return None if chosen == nothing else studies[chosen].plan


def choose_finished() -> tuple[str, pd.DataFrame]:
    """The sidebar's choice of a finished study: its name and its rows, data sets under the names people use."""
    store = job_queue().store
    known = {str(study.id): study for study in reversed(store.studies(viewer())) if study.state == "done"}
    if not known:
        controls.keep_name("study")
        raise StudyError("There is no finished study here: run one on the Compare or the Sensitivity page.")
    with st.sidebar:
        chosen = controls.choose_name("Study", list(known), "study", name=lambda key: f"{key}: {known[key].plan.name}")
    rows, plan = store.results(int(chosen)), known[chosen].plan
    return plan.name, rows.assign(dataset=rows["dataset"].map(titles(plan.datasets)))


def list_studies() -> None:
    """All studies this browser may see: when, how far, with ways to open and to delete one."""
    jobs = {job.id: job for job in job_queue().jobs(viewer())}
    studies = {study.id: study for study in reversed(job_queue().store.studies(viewer()))}
    with st.expander(f"Studies ({len(studies)})"):
        if not studies:
            st.caption("A study that has been run stays here.")
            return
        rows = [
            {
                "Name": _name(study),
                "Begun": datetime.fromtimestamp(study.created),
                "Cells": f"{study.done} of {study.cells}",
                "Failed": study.failed,
                "State": jobs[number].state if number in jobs else study.state,
            }
            for number, study in studies.items()
        ]
        begun = {"Begun": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm")}
        st.dataframe(pd.DataFrame(rows), hide_index=True, column_config=begun, key="studies-table")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            number = st.selectbox(
                "One of them", list(studies), key="studies-one", format_func=lambda n: _name(studies[n])
            )
            if number is None:
                return
            plan = studies[number].plan
            st.page_link(
                PAGES[is_sweep(plan)],
                label="Open",
                query_params={"study": str(number)},
                icon=":material/open_in_new:",
                disabled=not _can_open(plan),
            )
            if may_delete(number):
                _offer_deletion(number)


def may_delete(number: int) -> bool:
    """Whether this browser asked for the study, or nobody who could be asked: it is older than this server's start."""
    return _askers.get((str(store_path()), number), viewer()) == viewer()


def _offer_deletion(number: int) -> None:
    with st.popover("Delete", key="studies-delete"):
        st.markdown(f"Delete study {number}? Its results stay for other studies that share them.")
        if st.button("Delete for good", key=f"studies-delete-{number}"):
            job_queue().remove(number)
            _askers.pop((str(store_path()), number), None)
            st.rerun()


def feed(study: StudyView) -> None:
    """Where the results of a study lead on to."""
    if study.job is None or not study.complete:
        return
    alone = len(study.plan.datasets) < 2
    with st.container(horizontal=True):
        _lead("significance", "Test the differences", study.job, "A test needs two data sets." if alone else None)
        _lead("pareto", "Loss against features and time", study.job, None)


def _lead(page: str, label: str, job: Job, hindrance: str | None) -> None:
    st.page_link(
        f"{page}.py",
        label=label,
        query_params={"source": "study", "study": str(job.id)},
        icon=":material/arrow_forward:",
        disabled=hindrance is not None,
        help=hindrance,
    )


def _name(study: Study) -> str:
    return f"{study.id}: {study.plan.name}"
