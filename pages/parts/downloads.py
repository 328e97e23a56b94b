"""Downloads: a set of the catalogue from OpenML, in the background, with progress and a way out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from mlfs.background import BackgroundJob, LatestJob, Progress
from mlfs.datasets import CATALOGUE, download_dataset, list_datasets
from mlfs.stopping import checkpoint
from pages.parts import background
from pages.parts.words import literal

_WORK = "download"


@dataclass
class Download:
    """One download of this session; `taken` once its set has been chosen."""

    name: str
    work: LatestJob
    taken: bool = False

    @property
    def job(self) -> BackgroundJob:
        return self.work.job

    @property
    def running(self) -> bool:
        """Whether anybody waits for it; a thread that still hangs on the network after a cancel does not count."""
        return self.job.running and not self.job.cancelled


def offer() -> None:
    """Which sets can be had, the button, and how far it is."""
    here = list_datasets()
    names = [entry.name for entry in CATALOGUE.values() if entry.openml_id is not None and entry.name not in here]
    current: Download | None = st.session_state.get(_WORK)
    if current is not None and current.running:
        background.follow(_show_progress, "Data", 0.5)
        return
    if current is not None:
        _tell(current)
    if not names:
        st.caption("All data sets that can be downloaded are on this server already.")
        return
    name = st.selectbox("From OpenML", names, format_func=_described, key="download-name")
    st.button("Download", on_click=start, args=(name,), type="primary")
    st.caption("The data set is kept on this server and listed under Data.")


def start(name: str) -> None:
    progress = Progress(f"Asking OpenML for {name}.")
    st.session_state[_WORK] = Download(name, background.start("The download", partial(_fetch, name), progress))


def take() -> None:
    """Choose the set that has arrived; call it before the choice of a data set is drawn."""
    current: Download | None = st.session_state.get(_WORK)
    if current is None or current.running or current.taken:
        return
    current.taken = True
    if current.job.done:
        st.session_state["data"] = current.name


def _fetch(name: str, progress: Progress) -> Any:
    def note(share: float, sentence: str) -> None:
        checkpoint()  # a download that was given up ends here, before it is kept
        progress.note(share, 1, sentence)

    return download_dataset(name, progress=note)


def _show_progress() -> bool:
    """The progress, until there is none; then the page begins anew with the set, or with what went wrong."""
    current: Download = st.session_state[_WORK]
    if not current.running:
        return True
    st.progress(current.job.progress.share, current.job.progress.text)
    st.caption("OpenML does not say how much is left; large data sets take a minute or more.")
    st.button("Cancel", key="download-cancel", on_click=current.job.cancel)
    return False


def _tell(current: Download) -> None:
    if current.job.failure:
        st.error(literal(current.job.failure))
    elif current.job.done:
        st.success(f"{current.name} has been downloaded.")
    else:
        st.info(f"The download of {current.name} was stopped.")


def _described(name: str) -> str:
    entry = CATALOGUE[name]
    return f"{name} ({entry.instances} × {entry.features}, {entry.labels} labels)"
