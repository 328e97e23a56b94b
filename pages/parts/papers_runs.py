"""A result of a paper, measured: the stored run, or one made here in the background that takes its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from mlfs.background import BackgroundJob, LatestJob, Progress
from mlfs.datasets import CATALOGUE, bundled_names
from mlfs.datasets.download import BY_HAND
from mlfs.evaluation import PROTOCOLS, Protocol
from mlfs.memo import Memo
from mlfs.papers import get_paper
from mlfs.papers.experiment import Experiment, ExperimentResult, run_experiment
from mlfs.papers.stored_runs import stored_rows, stored_runs
from mlfs.stopping import current_stop
from mlfs.studies import JobQueue
from mlfs.wording import count
from pages.parts import background, studies
from pages.parts.words import literal

MOST_REPEATS = 30


@dataclass(frozen=True)
class ShownRows:
    """The measured rows on the page, and where they come from.

    Attributes
    ----------
    runs : of stored rows, when and how they ran, as `stored_runs` gives it
    here : the run of this session, where its rows are shown
    """

    experiment: Experiment
    rows: pd.DataFrame
    runs: pd.DataFrame
    here: ExperimentRun | None = None

    def once(self, key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
        """What is made of these rows, computed once: of stored rows for everybody, of a run for this session."""
        memo = _made_of_stored() if self.here is None else self.here.memo
        return memo.once((self.experiment.paper, self.experiment.result, *key), make)

    @property
    def datasets(self) -> list[str]:
        """What the command of its run has to name."""
        return list(self.here.names) if self.here else " ".join(self.runs["datasets"]).split()

    @property
    def repeats(self) -> int | None:
        """The same for repeats; None where each data set had its own number."""
        if self.here:
            return self.here.repeats
        words = {str(text) for text in self.runs["repeats"]}
        return int(min(words)) if len(words) == 1 and min(words).isdigit() else None


def shown_rows(experiment: Experiment) -> ShownRows:
    """What there is to show of a result: the run of this session, else the stored one, else nothing."""
    here = run_of(experiment)
    result = here.result
    if result is not None and here.has_rows:
        return ShownRows(experiment, result.rows, pd.DataFrame(), here)
    rows, runs = _stored(experiment.paper, experiment.result)
    return ShownRows(experiment, rows, runs)


def run_of(experiment: Experiment) -> ExperimentRun:
    """The run of this session: it goes on while other pages are looked at."""
    key = f"paper-run-{experiment.paper}-{experiment.result}"
    here: ExperimentRun = st.session_state.setdefault(key, ExperimentRun(experiment))
    return here


def say_whose(shown: ShownRows) -> None:
    """A word above the numbers where they are not the stored ones."""
    if shown.here is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(literal(shown.here.sentence), width="stretch")
            st.button("Discard my run", key="run-discard", on_click=shown.here.forget)
        for note in shown.here.noticed:
            st.warning(literal(note))


def show_origin(experiment: Experiment, shown: ShownRows) -> None:
    """When and by which command stored numbers came about, and what to know of any."""
    for run in shown.runs.itertuples():
        st.caption(
            literal(
                f"Measured on {run.date} with mlfs {run.mlfs}, NumPy {run.numpy}, scikit-learn {run.scikit_learn} and "
                f"Python {run.python}, on {run.datasets.replace(' ', ', ')} (repeats: {run.repeats}), by"
            )
        )
        st.code(run.command, language="bash", wrap_lines=True)
    if len(shown.rows):
        st.caption(literal(" ".join(experiment.notes)))


@st.cache_data(show_spinner=False)
def _stored(paper: str, result: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    return stored_rows(paper, result), stored_runs(paper, result)


@st.cache_resource
def _made_of_stored() -> Memo:
    return Memo(64)


class SessionRun:
    """A run of this session on data sets that a person chooses, in a thread that outlives the run of the page.

    Parameters
    ----------
    what : begins the sentence of a failure
    task : what is run, given names of data sets, repeats, the queue of the server and a `Progress`
    key : begins the keys of its widgets
    """

    button = "run"  # ends the key of the button that starts it

    def __init__(self, what: str, task: Callable[..., Any], key: str) -> None:
        self._what, self._task, self.key = what, task, key
        self.names: list[str] = []
        self.repeats = 1
        self.work, self.memo = LatestJob(), Memo(16)

    @property
    def job(self) -> BackgroundJob:
        return self.work.job

    def start(self, names: Sequence[str], repeats: int) -> None:
        """Begin anew; cells already in the store are not computed again."""
        self.names, self.repeats, self.memo = list(names), repeats, Memo(16)
        self.job.cancel()
        task = partial(self._task, self.names, repeats, studies.job_queue())
        self.work = background.start(self._what, task, places=background.LONG_RUNS)

    def choose(self, available: Sequence[str], default: Sequence[str], most: int, help: str, name: str = "") -> None:
        """The controls that start it; `most` repeats, `help` what they are, none to be chosen where it is empty."""
        chosen = st.multiselect("Data sets", available, default=default, key=f"{self.key}-sets{name}")
        repeats = st.number_input("Repeats", 1, most, 1, key=f"{self.key}-repeats{name}", help=help) if help else 1
        if st.button("Run", key=f"{self.key}-{self.button}", disabled=not chosen):
            self.start(chosen, int(repeats))
            st.rerun()


class ExperimentRun(SessionRun):
    """A run of one result."""

    button = "start"

    def __init__(self, experiment: Experiment) -> None:
        super().__init__("The run", partial(_run, experiment), "run")
        self.experiment = experiment

    def forget(self) -> None:
        """Give its numbers up; the stored ones are shown again."""
        self.job.cancel()
        self.work = LatestJob()

    @property
    def result(self) -> ExperimentResult | None:
        """What came out, all of it or what was done when somebody cancelled."""
        result: ExperimentResult | None = self.job.result
        return result

    @property
    def has_rows(self) -> bool:
        result = self.result
        return result is not None and len(result.rows) > 0

    @property
    def noticed(self) -> list[str]:
        """What to know of this run beyond what is known of the experiment."""
        result = self.result
        return [note for note in result.notes if note not in self.experiment.notes] if result is not None else []

    @property
    def sentence(self) -> str:
        """Whose numbers these are."""
        result = self.result
        stopped = " It was stopped early." if result is not None and result.cancelled else ""
        often = "" if _is_fixed(self.experiment) else f" ({count(self.repeats, 'repeat')})"
        return (
            f"Run in this session on {', '.join(self.names)}{often}: its numbers are shown in place of the stored ones."
            f"{stopped}"
        )

    def show(self, shown: ShownRows) -> None:
        """How far it is, or the controls to start it, below what is shown."""
        if shown.here is None and self.has_rows:
            st.rerun()  # it ended while the page was being drawn with the numbers of before
        with st.expander(
            "Run it again here", expanded=self.job.running or self.job.cancelled or bool(self.job.failure)
        ):
            if self.job.running:
                st.button("Cancel", key="run-cancel", on_click=self.job.cancel, disabled=self.job.cancelled)
                background.follow(self._show_progress, "the run of a paper")
                return
            self._tell_end()
            self._offer()

    def _show_progress(self) -> bool:
        if not self.job.running:
            return True
        text = "stopping …" if self.job.cancelled else self.job.progress.text
        st.progress(self.job.progress.share, text=literal(text))
        return False

    def _tell_end(self) -> None:
        result = self.result
        if self.job.failure:
            st.error(literal(self.job.failure))
        for problem in result.problems if result is not None else ():
            st.warning(literal(problem))
        if self.job.cancelled and not self.has_rows:
            st.caption("Stopped. What is done is kept, and a new run continues from there.")
        elif result is not None and result.rows.empty and not result.problems:
            st.caption("There is nothing to show: this result needs more data sets.")

    def _offer(self) -> None:
        here, missing = self.experiment.available()
        if missing:
            st.caption(literal(how_to_get(missing)))
        if not here:
            return
        bundled = [name for name in here if name in bundled_names()]
        about, name = _repeats_help(self.experiment), f"-{self.experiment.paper}-{self.experiment.result}"
        self.choose(here, bundled, MOST_REPEATS, about, name)


def how_to_get(missing: Sequence[str]) -> str:
    """Which data sets are not at hand, and what to do about it.

    >>> how_to_get(["birds", "bibtex"])[:70]
    'Not on this server: birds, bibtex. Download birds on the Data page; fo'
    """
    online = [name for name in missing if name in CATALOGUE and CATALOGUE[name].openml_id is not None]
    others = [name for name in missing if name not in online]
    ways = [f"download {', '.join(online)} on the Data page"] if online else []
    ways += [f"for {', '.join(others)}, {BY_HAND}"] if others else []
    what_to_do = "; ".join(ways)
    return f"Not on this server: {', '.join(missing)}. {what_to_do[:1].upper()}{what_to_do[1:]}."


def _is_fixed(experiment: Experiment) -> bool:
    """Whether there is one split, which came with the data."""
    return experiment.kind != "times" and _protocol(experiment).split == "given"


def _repeats_help(experiment: Experiment) -> str:
    if _is_fixed(experiment):
        return ""
    if experiment.kind == "times":
        return "How often each time is measured."
    return f"How often the splits are drawn; the paper has {_protocol(experiment).repeats}."


def _protocol(experiment: Experiment) -> Protocol:
    return PROTOCOLS[get_paper(experiment.paper).protocol]


def _run(
    experiment: Experiment, names: Sequence[str], repeats: int, queue: JobQueue, progress: Progress
) -> ExperimentResult:
    where = {"store": queue.store, "engine": queue.engine, "workers": queue.workers}
    return run_experiment(experiment, names, repeats, **where, progress=progress.note, cancel=current_stop())
