"""The questions about a paper: what the stored runs say, at once, and a way to run the experiment again here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from mlfs.background import Progress
from mlfs.datasets import bundled_names
from mlfs.errors import StudyError
from mlfs.evaluation.noise import MEASURES
from mlfs.memo import Memo
from mlfs.metrics import metric_title
from mlfs.papers import QUESTIONS, Paper
from mlfs.papers.discretisation_and_scaling import question as choices
from mlfs.papers.discretisation_and_scaling.figures import order_agreement, rank_bumps
from mlfs.papers.findings import Finding
from mlfs.papers.question import Question, Tables, shown_datasets
from mlfs.papers.stored_runs import StoredRun, StoredTables
from mlfs.papers.wang_2020_elc import question as elc_loop
from mlfs.papers.zhou_2023_mapd import question as label_columns
from mlfs.papers.zhou_2023_mapd.figures import ways_and_published
from mlfs.plots import curves
from mlfs.results import setting_title
from mlfs.stopping import checkpoint, current_stop
from mlfs.studies import JobQueue
from mlfs.tables import to_styler
from mlfs.wording import count, duration, sentence_case
from pages.parts import background, controls, exports, papers_verdicts, view
from pages.parts.papers_runs import SessionRun
from pages.parts.words import literal

MOST_REPEATS = 10
COLUMNS = {"dataset": "Data set", "setting": "Method"}
LABEL_COLUMNS = (
    "Labels as candidates: MAPD may select them like features. Labels beside: all of them are left beside the features "
    "that it selected without them. Kept: how many features it selects alone, and how many labels as candidates."
)
STORED, HERE = "Stored run", "Run here"


def show(paper: Paper) -> None:
    """Each question of the paper: its answer by the stored run, or by the one made here."""
    for question in paper.questions:
        _show(question, paper.id)


def _show(question: Question, paper: str) -> None:
    st.subheader(question.title, anchor=False)
    st.markdown(question.asks)
    here: QuestionRun = st.session_state.setdefault(f"question-{question.id}", QuestionRun(question))
    stored = _stored(question.id)
    shown, origin = ShownTables(stored.tables, _made_of_stored(question.id)), partial(_origin, stored.runs)
    if here.tables is not None and _choose_source(question) == HERE:
        arrived = len(here.done)  # before the tables, which may have grown when they are read
        shown, origin = ShownTables(here.tables, here.memo, arrived), partial(_origin_here, here)
    tables = shown.tables
    if all(table.empty for table in tables.values()):
        st.info("There is no stored run of this experiment: run it below.")
    else:
        if question.id in FIGURES:
            FIGURES[question.id](shown, paper)
        findings = _findings(question.id, paper) if tables is stored.tables else question.findings(tables, paper)
        st.markdown("**What the numbers say**")
        papers_verdicts.show_claims(findings)
        if question.id not in FIGURES:
            _tables(question.id, shown)
    if not view.presenting():
        st.caption(question.how)
        here.show(origin)


@dataclass(frozen=True)
class ShownTables:
    """The tables on the page, and what was made of them.

    Attributes
    ----------
    arrived : how many data sets of a run that goes on they are of
    """

    tables: Tables
    memo: Memo
    arrived: int = 0

    def once(self, make: Callable[..., Any], *arguments: Hashable) -> Any:
        """What a function makes of the tables, computed once: of stored ones for everybody."""
        return self.memo.once((make, self.arrived, *arguments), lambda: make(self.tables, *arguments))


@st.cache_resource
def _made_of_stored(question: str) -> Memo:
    return Memo(64)


@st.cache_resource(show_spinner=False)
def _stored(question: str) -> StoredTables:
    return QUESTIONS[question].stored()


@st.cache_data(show_spinner=False)
def _findings(question: str, paper: str) -> list[Finding]:
    """What the stored run says: the same for everybody."""
    return QUESTIONS[question].findings(_stored(question).tables, paper)


def _choose_source(question: Question) -> str | None:
    return st.segmented_control(
        "Numbers",
        [STORED, HERE],
        key=f"{question.id}-source",
        default=HERE,
        required=True,
        label_visibility="collapsed",
    )


def _origin(runs: tuple[StoredRun, ...]) -> None:
    """When and how the numbers came about."""
    if not runs:
        return
    origins = [
        f"Run on {run.date} in {duration(run.seconds)} on {', '.join(run.names)} ({count(run.repeats, 'repeat')}); "
        f"{run.versions}."
        for run in runs
    ]
    st.caption("  \n".join(origins))
    st.code("\n".join(run.command for run in runs), language="bash", wrap_lines=True)


def _origin_here(here: QuestionRun) -> None:
    st.caption(literal(f"Run in this session on {', '.join(here.done)} ({count(here.repeats, 'repeat')})."))
    for note in here.notes:
        st.warning(literal(note))


# The pictures


def _label_columns(shown: ShownTables, paper: str) -> None:
    rows = shown.once(label_columns.summary)
    with st.container(horizontal=True):
        words = [f"{alpha:g}" for alpha in label_columns.ALPHAS]
        alpha = float(controls.choose("α", words, "q_alpha", style="segmented"))
        scaling = controls.choose(
            "Features", label_columns.SCALINGS, "q_scaling", "unit", name=_scaled, style="segmented"
        )
    chosen = rows[(rows["alpha"] == alpha) & (rows["scaling"] == scaling)]
    for place, metric in zip(view.columns("label-columns", [1, 1]), label_columns.PRINTED, strict=True):
        with place:
            figure = ways_and_published(chosen[chosen["metric"] == metric], metric, label_columns.WAYS)
            exports.figure(figure, f"label-columns-{metric}-{alpha:g}-{scaling}", f"label-columns-{metric}")
    names_of = {"published": "printed", **label_columns.SHORT_WAYS}
    table = chosen.rename(columns={"n_selected": "features kept", "n_labels_selected": "labels kept"})
    table = table[["dataset", "metric", "published", *label_columns.WAYS, "features kept", "labels kept"]]
    named = table.assign(metric=table["metric"].map(metric_title)).rename(columns=names_of)
    digits = {**dict.fromkeys(names_of.values(), "{:.4f}"), "features kept": "{:.1f}", "labels kept": "{:.1f}"}
    exports.table(_titled(named, digits), rows, "label-columns", height="content", hide_index=True)
    st.caption(LABEL_COLUMNS)


def _scaled(scaling: str) -> str:
    return "Raw" if scaling == "none" else "Scaled to [0, 1]"


def _elc_loop(shown: ShownTables, paper: str) -> None:
    dataset = controls.choose_name("Data set", shown_datasets(shown.tables["sets"]), "q_data")
    overlaps = shown.once(elc_loop.curves_of, dataset, ("overlap_exact", "overlap_start"))
    exports.figure(elc_loop.set_overlaps(overlaps), f"elc-overlap-{dataset}", "elc-overlap")
    measures = (*MEASURES, elc_loop.LOSS)
    drawn = (MEASURES[0], elc_loop.RELATIVE, elc_loop.LOSS)
    noise = curves(shown.once(elc_loop.curves_of, dataset, drawn), metrics=drawn, band="none", columns=3)
    exports.figure(noise, f"elc-noise-{dataset}", "elc-noise")
    st.markdown("**What the loops did**, over all sizes and splits")
    done = shown.once(elc_loop.loops)
    named = done.assign(setting=done["setting"].map(setting_title))
    digits = {"replaced": "{:.0%}", "overlap_exact": "{:.2f}", "iterations": "{:.0f}"}
    exports.table(_titled(named, digits), done, "elc-loops", hide_index=True)
    label = "Mean over the sizes, as a multiple of a random choice's"
    measure = controls.choose(label, measures, "q_measure", name=metric_title, style="segmented")
    means = shown.once(elc_loop.means, measure)
    styled = means.rename(columns=setting_title).rename_axis(index="Data set").style.format("{:.2f}")
    styled = styled.highlight_min(axis=1, props="font-weight: bold")
    exports.table(styled, means.reset_index(), f"elc-{measure}", "elc-means", height="content")


def _discretisation(shown: ShownTables, paper: str) -> None:
    with st.container(horizontal=True):
        part = controls.choose("What varies", list(choices.CHOICES), "q_part", name=sentence_case, style="segmented")
        metric = controls.choose("Loss", choices.METRICS, "q_metric", name=metric_title, style="segmented")
    reference = choices.reference_of(paper, part)
    ranks = shown.once(choices.ranks, part, metric)
    agreement = shown.once(choices.agreement, part, metric, reference)
    at = list(ranks.columns).index(reference)
    parts = [choices.choice_parts(choice) for choice in ranks.columns]
    level = pd.Series(shown.once(choices.between_splits, part, metric, reference)).mean()
    exports.figure(rank_bumps(ranks, parts, reference=at), f"ranks-{part}-{metric}", "question-ranks")
    agreeing = order_agreement(agreement, parts, level=level, reference=at)
    exports.figure(agreeing, f"agreement-{part}-{metric}", "question-agreement")
    st.caption(f"Shaded: what this paper chose, {choices.choice_title(reference)}.")
    if part == choices.DISCRETISATION:
        st.markdown(f"**Overlap of the first {choices.OVERLAP_SIZE} features** with those of the paper's choice")
        grid = shown.once(choices.overlaps, reference)
        # Choices below each other: there are twice as many as methods, and their names are long.
        named = grid.rename(index=setting_title, columns=choices.choice_title).T
        exports.table(named.style.format("{:.2f}"), grid.reset_index(names="method"), "question-overlap")


def _tables(question: str, shown: ShownTables) -> None:
    """A question that has no pictures of its own: what its numbers say stands first, and they are folded away."""
    exports.folded("All numbers", f"{question}-tables", partial(_show_tables, question, shown.tables))


def _show_tables(question: str, tables: Tables) -> None:
    for name, table in tables.items():
        named = table.assign(setting=table["setting"].map(setting_title)) if "setting" in table else table
        named = named.rename(columns=_column_title)
        exports.table(to_styler(named, escape=False), table, f"{question}-{name}", hide_index=True)


def _titled(table: pd.DataFrame, digits: Mapping[str, str]) -> Styler:
    """The table under the words of people; how numbers are written is said by the names that columns have had."""
    forms = {_column_title(column): form for column, form in digits.items()}
    return table.rename(columns=_column_title).style.format(forms, na_rep="–")


def _column_title(column: str) -> str:
    return COLUMNS.get(column) or sentence_case(metric_title(column).replace("_", " "))


FIGURES: dict[str, Callable[[ShownTables, str], None]] = {
    label_columns.QUESTION.id: _label_columns,
    elc_loop.QUESTION.id: _elc_loop,
    choices.QUESTION.id: _discretisation,
}


# Running it here


class QuestionRun(SessionRun):
    """An experiment of this session: data set after data set, shown as they arrive."""

    def __init__(self, question: Question) -> None:
        super().__init__("The experiment", partial(_run, question), question.id)
        self.question = question

    @property
    def done(self) -> list[str]:
        """The data sets that are measured."""
        return self.names[: len(self.job.progress.parts)]

    @property
    def tables(self) -> Tables | None:
        """What is there of it."""
        parts = [tables for tables, _ in list(self.job.progress.parts)]
        return self.question.joined(parts) if parts else None

    @property
    def notes(self) -> list[str]:
        """What to know of its data sets."""
        return [note for _, notes in list(self.job.progress.parts) for note in notes]

    def show(self, origin: Callable[[], None]) -> None:
        """Where the numbers shown come from, and how far a run is, or the controls to start one."""
        with st.expander("How it was run, and a run of your own", expanded=self.job.running):
            origin()
            if self.job.running and not self.job.cancelled:
                st.button("Cancel", key=f"{self.question.id}-cancel", on_click=self.job.cancel)
                background.follow(self._show_progress, self.question.id)
                return
            if self.job.failure:
                st.error(literal(self.job.failure))
            elif self.job.cancelled:
                st.caption(f"Stopped after {len(self.done)} of {count(len(self.names), 'data set')}.")
            available = self.question.available()
            bundled = [name for name in available if name in bundled_names()]
            self.choose(available, bundled[:1], MOST_REPEATS, "How many random splits are drawn.")

    def _show_progress(self) -> bool:
        arrived = len(self.done)
        if not self.job.running or arrived != st.session_state.setdefault(f"{self.question.id}-arrived", arrived):
            st.session_state.pop(f"{self.question.id}-arrived", None)
            return True
        st.progress(self.job.progress.share, text=literal(self.job.progress.text))
        return False


def _run(question: Question, names: Sequence[str], repeats: int, queue: JobQueue, progress: Progress) -> None:
    """Data set after data set; what is done of it is among the parts."""
    for name in names:
        try:
            note, stop = partial(_note, progress, len(names)), current_stop()
            how = {"store": queue.store, "engine": queue.engine, "progress": note, "cancel": stop}
            notes: list[str] = []
            tables = question.run([name], repeats, notice=notes.append, **how)
        except StudyError:
            checkpoint()  # who pressed Cancel need not be told that it was stopped
            raise
        progress.parts.append((tables, notes))


def _note(progress: Progress, names: int, done: int, total: int, text: str) -> None:
    arrived = len(progress.parts)
    share = (arrived + done / max(total, 1)) / names
    progress.note(round(1000 * share), 1000, f"{arrived} of {count(names, 'data set')}; {done} of {total}: {text}")
