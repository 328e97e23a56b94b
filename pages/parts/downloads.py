"""Downloads: a set of the catalogue from OpenML, in a thread, with progress and a way out."""

from __future__ import annotations

from functools import partial

import streamlit as st

from mlfs.background import LatestJob
from mlfs.datasets import CATALOGUE, download_dataset, list_datasets
from mlfs.errors import MlfsError
from mlfs.stopping import checkpoint
from pages.parts import failures
from pages.parts.words import literal

_WORK = "download"


class Download:
    """One download: what it says of itself, and its end."""

    def __init__(self, name: str) -> None:
        self.name, self.share, self.sentence, self.taken = name, 0.0, f"Asking OpenML for {name}.", False
        self.work = LatestJob()
        fetch = partial(download_dataset, name, progress=self._note)
        self.work.ask(name, [partial(failures.in_a_sentence, "The download", fetch)])

    def _note(self, share: float, sentence: str) -> None:
        checkpoint()  # a download that was given up ends here, before it is kept
        self.share, self.sentence = share, sentence

    @property
    def running(self) -> bool:
        """Whether anybody waits for it; a thread that still hangs on the network after a cancel does not count."""
        return self.work.running and not self.work.cancelled

    @property
    def problem(self) -> str | None:
        """The sentence with which it failed."""
        try:
            self.work.results  # noqa: B018 — raises what the thread met
        except MlfsError as problem:
            return str(problem)
        return None


def offer() -> None:
    """Which sets can be had, the button, and how far it is."""
    here = list_datasets()
    names = [entry.name for entry in CATALOGUE.values() if entry.openml_id is not None and entry.name not in here]
    current: Download | None = st.session_state.get(_WORK)
    if current is not None and current.running:
        failures.fragment(_follow, "Data", run_every=0.5)
        return
    if current is not None:
        _tell(current)
    if not names:
        st.caption("All sets that can be downloaded are on this machine.")
        return
    name = st.selectbox("From OpenML", names, format_func=_described, key="download-name")
    st.button("Download", on_click=start, args=(name,), type="primary")
    st.caption("It is kept on this machine and then listed under Data.")


def start(name: str) -> None:
    st.session_state[_WORK] = Download(name)


def take() -> None:
    """Choose the set that has arrived; call it before the choice of a data set is drawn."""
    current: Download | None = st.session_state.get(_WORK)
    if current is None or current.running or current.taken:
        return
    current.taken = True
    if current.problem is None and current.work.results:
        st.session_state["data"] = current.name


def _follow() -> None:
    """The progress, until there is none; then the page begins anew with the set, or with what went wrong."""
    current: Download = st.session_state[_WORK]
    if not current.running:
        st.rerun()
    st.progress(current.share, current.sentence)
    st.caption("OpenML does not tell how much is still to come; large sets take a minute or more.")
    st.button("Cancel", key="download-cancel", on_click=current.work.cancel)


def _tell(current: Download) -> None:
    if current.problem is not None:
        st.error(literal(current.problem))
    elif current.work.results:
        st.success(f"{current.name} is here.")
    else:
        st.info(f"The download of {current.name} was stopped.")


def _described(name: str) -> str:
    entry = CATALOGUE[name]
    return f"{name} ({entry.instances} × {entry.features}, {entry.labels} labels)"
