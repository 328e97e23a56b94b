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

from mlfs.datasets import Dataset, cache_folder, is_synthetic, list_datasets
from mlfs.errors import MlfsError, StudyError
from mlfs.results import setting_title
from mlfs.studies import Cell, Estimate, Job, JobQueue, Plan, Store, Study, estimate
from mlfs.studies.comparison import failures
from mlfs.studies.store import study_number
from mlfs.wording import count, duration, joined, roughly
from pages.parts import background, controls, link, server, view
from pages.parts.data import explorer_of, is_upload, title, titles, uploads
from pages.parts.owners import UPLOADS, viewer
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
# What takes less is run without being asked for.
AT_ONCE_SECONDS = 3.0
NEW = "new"
_ESTIMATES = "estimates"
_REMOVED = "study-removed"
PAGES = {True: "sensitivity.py", False: "compare.py"}


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
    server.at_every_check(partial(_look, queue))
    server.at_every_check(queue.end_idle_workers)
    return queue


def _look(queue: JobQueue) -> None:
    with suppress(MlfsError):  # who needs the store is told on the page
        queue.look(UPLOADS.knows)


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
            f"This study has {len(plan):,} runs, and the app takes {MOST_CELLS:,} at most: choose fewer steps, "
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
    study = _begun_if_short(study)
    waiting = study.active or _estimate(study) is None
    if not waiting:
        study = study.now()  # an estimate adds a cell or two
    with st.container():
        _show_head(study, waiting)
    if study.active:
        background.follow(lambda: draw(study.now()), study.plan.name, POLL_SECONDS)
    else:
        # As deep as in a fragment: a figure that changed its place with the end of a study would be made anew, and a
        # click on it meanwhile would be lost.
        with st.container():
            draw(study)


def _show_head(study: StudyView, waiting: bool) -> None:
    if study.job is not None and study.job.state == "failed":
        st.error(literal(study.job.error))
    if study.complete and not study.active:
        st.caption(literal(f"{study.plan.name}: {count(len(study.cells), 'run')}, all done."))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        _button(study)
        if waiting:
            background.follow(partial(_show_progress, study), study.plan.name, POLL_SECONDS)
        else:
            st.markdown(_prospect(study))


def _begun_if_short(study: StudyView) -> StudyView:
    """The study; one that takes a moment is run unasked, and is not listed among the studies of before."""
    if study.job is not None or study.complete:
        return study
    expected = _estimate(study)
    if expected is None or expected.seconds >= AT_ONCE_SECONDS:
        return study
    return replace(study, job=job_queue().job(_submit(study, listed=False), study.owner))


def _submit(study: StudyView, listed: bool) -> int:
    return job_queue().submit(study.plan, study.owner, study.datasets, study.cells, viewer(), listed)


def _button(study: StudyView) -> None:
    """The one thing to do now: stop what is under way, or run what is missing."""
    if study.active and study.job is not None:
        if not study.job.may_cancel(viewer()):
            st.caption("Somebody else has started this study, and only they can cancel it.")
        elif st.button("Cancel", key="cancel"):
            job_queue().cancel(study.job.id, viewer())
            st.rerun()
    elif st.button(verb(study), key="run", type="primary"):
        st.session_state.pop(_ESTIMATES).job.cancel()
        _submit(study, listed=True)
        st.rerun()


def _show_progress(study: StudyView) -> bool:
    """How far it is by now; whether that calls for another button."""
    now = study.now()
    if now.active and now.job is not None:
        st.progress(now.job.done / max(now.job.total, 1), text=_progress(now.job))
    else:
        st.markdown(_prospect(now))
    return now.active != study.active or not (now.active or _estimate(now) is None)


def verb(study: StudyView) -> str:
    """What the button of a study that is not complete says."""
    return "Resume" if study.job is not None and study.job.state in ("cancelled", "interrupted") else "Run"


def _progress(job: Job) -> str:
    if job.state == "waiting":
        return f"Waiting, number {job.position} in the queue: {AT_ONCE} studies run at a time."
    # The first cells carry the start of the workers: they say little about the rest.
    left = ""
    if job.seconds_left is not None and job.done >= TELLING:
        left = f", about {duration(job.seconds_left)} left"
    doing = job.text or "starting the workers"
    for name in filter(is_upload, job.plan.datasets):
        doing = doing.replace(name, title(name))
    return literal(f"{job.done} of {count(job.total, 'run')} done{left}: {doing}")


def _prospect(study: StudyView) -> str:
    """What a run would mean."""
    said = {"cancelled": "Cancelled. ", "interrupted": "Interrupted by a restart of the server. "}
    before = said.get(study.job.state, "") if study.job is not None else ""
    known = f", {study.known} already done" if study.known else ""
    expected = _estimate(study)
    time = "estimating the time …" if expected is None else f"about {roughly(expected.seconds)}"
    return f"{before}{count(len(study.cells), 'run')}{known} · {time}"


def _estimate(study: StudyView) -> Estimate | None:
    """How long the rest will take; None while it is being found out, which takes a cell or two."""
    if study.complete:
        return Estimate(len(study.cells), study.known, 0.0, "")
    store, workers = job_queue().store, job_queue().workers
    work = background.live_job(_ESTIMATES)
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
    """Once for each reason: what is wrong with the data fails all methods alike."""
    for (dataset, error), alike in failures(results).groupby(["dataset", "error"], sort=False):
        names = joined(map(setting_title, alike["setting"]))
        st.warning(literal(f"{names} failed on {dataset}. {error}"))


# Studies of before


def is_sweep(plan: Plan) -> bool:
    """Whether a study is one of Sensitivity's: one method whose parameters vary. Compare shows any other."""
    return len(plan.methods) == 1 and bool(plan.methods[0].grid)


def _can_open(plan: Plan) -> bool:
    """Whether its data are at hand: those of a search are rows of another set, and files come and go."""
    available = {*list_datasets(), *uploads()}
    return all(name in available or is_synthetic(name) or Path(name).exists() for name in plan.datasets)


def past(sweeps: bool) -> dict[int, Study]:
    """The studies this browser may see, of one kind, by their id; the newest first."""
    listed = job_queue().store.studies(viewer())
    kind = {study.id: study for study in listed if is_sweep(study.plan) == sweeps and _can_open(study.plan)}
    return dict(reversed(kind.items()))


def choose_study(sweeps: bool) -> Plan | None:
    """The plan of a study of before that the sidebar or the link names; None for a new one."""
    return _choose("Study", "study", NEW, sweeps, "Start a new study or reopen one.")


def choose_beside(sweeps: bool) -> Plan | None:
    """A second study to lay beside the first."""
    return _choose("Beside", "beside", "none", sweeps, "Another study, shown next to this one.")


def _choose(label: str, key: str, nothing: str, sweeps: bool, help: str) -> Plan | None:
    studies = {str(number): study for number, study in past(sweeps).items()}
    asked = (link.current().arrived or {}).get(key) or st.session_state.get(key)
    if (study := _by_number(asked)) is not None and is_sweep(study.plan) == sweeps and _can_open(study.plan):
        studies.setdefault(str(asked), study)

    def known(word: str) -> str:
        if word != nothing and word not in studies:
            raise StudyError(_gone(word))
        return word

    if link.current().arrived is None and st.session_state.get(key, nothing) not in (nothing, *studies):
        st.session_state.pop(key)  # deleted a moment ago
    value = link.current().control(key, nothing, known, widget=True)
    if not studies:
        return None
    with st.sidebar:
        chosen = link.current().show(
            st.selectbox,
            label,
            key,
            value,
            options=[nothing, *studies],
            format_func=lambda word: word.capitalize() if word == nothing else _name(studies[word]),
            help=help,
        )
    return None if chosen == nothing else studies[chosen].plan


def _by_number(word: str | None) -> Study | None:
    """A study that this browser may see, listed or not."""
    number = study_number(word or "")
    if number is None:
        return None
    with suppress(StudyError):
        study = job_queue().store.study(number)
        return study if study.owner in (None, viewer()) else None
    return None


def _gone(number: str) -> str:
    return f"There is no study {number} here: it was deleted, or belongs to somebody else."


def choose_finished() -> tuple[str, pd.DataFrame]:
    """The sidebar's choice of a finished study: its name and its rows, data sets under the names people use.

    The link always names it: the newest of today is another one tomorrow.
    """
    store, here = job_queue().store, link.current()
    known = {str(study.id): study for study in reversed(store.studies(viewer())) if study.state == "done"}
    asked = (here.arrived or {}).get("study") or st.session_state.get("study")
    if (study := _by_number(asked)) is not None and study.state == "done":
        known.setdefault(str(asked), study)
    elif asked is not None and study_number(asked) is not None:
        here.control("study", "", str)
        raise StudyError(_gone(asked) if study is None else f"Study {asked} has not finished yet: run the rest first.")
    if not known:
        controls.keep_name("study")
        raise StudyError("There is no finished study here: run one on the Compare or the Sensitivity page.")
    with st.sidebar:
        chosen = controls.choose_name(
            "Study", list(known), "study", name=lambda key: f"{key}: {known[key].plan.name}", always=True
        )
    rows, plan = store.results(int(chosen)), known[chosen].plan
    return plan.name, rows.assign(dataset=rows["dataset"].map(titles(plan.datasets)))


def list_studies() -> None:
    """All studies this browser may see: when, how far, with ways to open and to delete one."""
    studies = {study.id: study for study in reversed(job_queue().store.studies(viewer()))}
    _offer_undo()
    with controls.closed_box(f"Studies ({len(studies)})", "studies-box") as box:
        if box.open:
            _show_studies(studies)


def _show_studies(studies: Mapping[int, Study]) -> None:
    if not studies:
        st.caption("Studies that you run are kept here.")
        return
    jobs = {job.id: job for job in job_queue().jobs(viewer())}
    rows = [
        {
            "Name": _name(study),
            "Started": datetime.fromtimestamp(study.created),
            "Runs": f"{study.done} of {study.cells}",
            "Failed": study.failed,
            "State": jobs[number].state if number in jobs else study.state,
        }
        for number, study in studies.items()
    ]
    started = {"Started": st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm")}
    st.dataframe(pd.DataFrame(rows), hide_index=True, column_config=started, key="studies-table")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number = st.selectbox(
            "Study to open or delete", list(studies), key="studies-one", format_func=lambda n: _name(studies[n])
        )
        if number is None:
            return
        study = studies[number]
        st.page_link(
            PAGES[is_sweep(study.plan)],
            label="Open",
            query_params={"study": str(number)},
            icon=":material/open_in_new:",
            disabled=not _can_open(study.plan),
        )
        if study.may_delete(viewer()):
            _offer_deletion(study)
    if not study.may_delete(viewer()):
        st.caption(f"Study {number} was started in another browser, and only that browser can delete it.")


def _offer_deletion(study: Study) -> None:
    with st.popover("Delete", key="studies-delete"):
        is_private = study.owner is not None
        st.markdown(
            f"Delete study {study.id}? "
            + ("Its results go with it, and this cannot be undone." if is_private else "You can undo this.")
        )
        if st.button(f"Delete study {study.id}", key=f"studies-delete-{study.id}"):
            job_queue().remove(study.id, viewer())
            st.session_state[_REMOVED] = None if is_private else study.id
            st.rerun()


def _offer_undo() -> None:
    """The way back from the last deletion of this session."""
    number = st.session_state.get(_REMOVED)
    if number is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"Study {number} was deleted.")
        st.button("Undo", key="studies-undo", on_click=_restore, args=(number,))


def _restore(number: int) -> None:
    job_queue().store.restore_study(number)
    st.session_state[_REMOVED] = None


def offer_next_steps(study: StudyView) -> None:
    """Where the results of a study lead on to."""
    if not study.complete:
        return
    # Where all runs were done for other studies, nobody has asked for this one yet; the link needs its number.
    number = _submit(study, listed=False) if study.job is None else study.job.id
    alone = len(study.plan.datasets) < 2
    with st.container(horizontal=True, vertical_alignment="center"):
        _next_step("significance", "Test the differences", number, "needs a second data set." if alone else None)
        _next_step("pareto", "Loss against features and time", number, None)


def _next_step(page: str, label: str, number: int, hindrance: str | None) -> None:
    if hindrance is not None:  # said in words: a telephone has no pointer to ask a grey link with
        st.caption(f"{label}: {hindrance}", width="content")
        return
    st.page_link(
        f"{page}.py",
        label=label,
        query_params={"source": "study", "study": str(number)},
        icon=":material/arrow_forward:",
    )


def _name(study: Study) -> str:
    return f"{study.id}: {study.plan.name}"
