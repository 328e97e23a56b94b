"""Pareto: which features no other beats, by labels (MAPD) or by coefficients (PMFS), and which runs no other beats."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mlfs import SELECTORS
from mlfs.errors import MlfsError
from mlfs.evaluation import ExternalRanking, FeatureFront, compare_features, get_protocol, runs_of, runs_of_study
from mlfs.metrics import METRICS
from mlfs.plots import about_runs, feature_front, feature_lines, run_front, selected_count
from mlfs.plots.pareto import duel
from mlfs.recipes import pareto
from mlfs.results import metrics_in, setting_title
from mlfs.selectors.specification import method_text
from mlfs.tables import to_styler
from mlfs.wording import listing, sentence_case
from pages.parts import controls, exports, pmfs_fronts, rankings, view
from pages.parts.chart import Click
from pages.parts.data import choose_data
from pages.parts.method_results import MethodResults
from pages.parts.methods import choose_methods, choose_parameters, note_run, offer_run
from pages.parts.protocol import Evaluation, choose_seed, choose_settings, choose_sizes
from pages.parts.studies import choose_finished
from pages.parts.uploads import recipe_options
from pages.parts.words import SU, literal

METHODS = ("mapd", "els", "grro", "random")
SOURCES = {"here": "Computed here", "study": "A finished study"}
AXES = {"size": "Number of features", "seconds": "Time"}
KINDS = ("neither", "only on the front", "selected by MAPD")
#: Columns with short names, so that all of them fit a screen.
TITLES = {"dominated by": "Beaten by", "on the front": "Front", "selected": "Kept"}
RUNS = (
    "A run is a method with a number of features; its time is that of the whole selection. Solid points are on the "
    "front: no other run is better in loss, number of features and time at once."
)
NO_TIME = (
    "the time is not known. Opaque are the runs that no other beats in loss and number of features at once; against "
    "time they are left out."
)
DIFFERENT = (
    f"{SU} A feature beats another in a label when its SU with that label is higher. The front is made of the features "
    "that no other beats in every chosen label. MAPD looks at all labels: it keeps a feature unless another beats it "
    "in more than the share α of them."
)
FEATURE, RUN = "looked_at", "front-run"  # clicked last
# MAPD's own default of 0.6 keeps one of the 72 features of emotions: nothing to look at.
ALPHA, SLIDER_WIDTH = 0.7, 420


@dataclass(frozen=True)
class ParetoSettings(Evaluation):
    """What the sidebar says: MAPD's parameters and the labels of the front; whence the runs come, and their axes."""

    parameters: dict[str, Any]
    labels: list[str]
    source: str
    methods: list[tuple[str, dict[str, Any]]]
    rankings: list[ExternalRanking]
    metric: str
    axis: str

    @property
    def question(self) -> tuple[Hashable, ...]:
        return *super().question, *(ranking.fingerprint for ranking in self.rankings)

    @property
    def front_question(self) -> tuple[Hashable, ...]:
        """All that the front of the features depends on."""
        return *super().question, method_text("mapd", self.parameters), *self.labels


def read_controls() -> ParetoSettings:
    explorer = choose_data()
    ds = explorer.ds
    data, label_names = st.session_state["data"], list(ds.label_names)
    methods, chosen = [], []
    with st.container(width=SLIDER_WIDTH):  # beside the picture it moves, on a telephone too
        declared = SELECTORS["mapd"].parameters["alpha"]
        alpha = controls.parameter_control("mapd", replace(declared, default=ALPHA), {}, "mapd.alpha", "α of MAPD")
    with st.sidebar:
        st.markdown("**Features: MAPD**")
        parameters = choose_parameters("mapd", ds.sizes, without=("alpha",))
        labels = controls.choose_names(
            "Labels", label_names, "labels", label_names[:2], most=3, help="Two or three labels to compare features by."
        )
        st.markdown("**Runs**")
        source = controls.choose("Runs", list(SOURCES), "source", name=SOURCES.get)
        if source == "here":
            methods = choose_methods(METHODS, ds.sizes, most=12)
            chosen = rankings.choose_rankings([data])
        place = st.container()
        metric = controls.choose("Metric", list(METRICS), "metric", name=lambda name: METRICS[name].title)
        axis = controls.choose("Against", list(AXES), "axis", name=AXES.get)
        with st.expander("Evaluation", expanded=True):
            evaluation = choose_settings(ds.sizes, given=ds.split is not None)
            seed = choose_seed()
            evaluation["sizes"] = choose_sizes(ds.sizes)
    view.choose_view()
    parameters["alpha"] = alpha
    protocol = get_protocol("quick", **evaluation, metrics=(metric,))
    if source == "here":
        with place:
            rankings.offer({data: explorer}, protocol, seed, "rankings")
    chosen = rankings.fitting(chosen, protocol)
    return ParetoSettings(explorer, data, protocol, seed, parameters, labels, source, methods, chosen, metric, axis)


def picture(settings: ParetoSettings, work: MethodResults) -> None:
    if "mapd" not in work.results:
        exports.placeholder("the features are being compared", 380, "front")
        return
    front: FeatureFront = work.results["mapd"]
    st.markdown(f"**{literal(front.sentence(settings.parameters['alpha']))}**")
    if view.presenting():
        show_front(settings, front)
        return
    left, right = view.columns("front", [3, 2])
    with left:
        show_front(settings, front)
        st.caption(DIFFERENT)
    with right:
        show_counts(settings, front)


def show_front(settings: ParetoSettings, front: FeatureFront) -> None:
    """The one picture: the front of the chosen labels, with what MAPD selects."""
    values = front.uncertainty[:, list(front.columns)]
    draw_features(settings, front, partial(feature_front, values, front.on_front, front.labels), "front", "front")


def draw_features(
    settings: ParetoSettings, front: FeatureFront, draw: Callable[..., go.Figure], name: str, key: str
) -> None:
    """A figure of the features, those that MAPD selects marked."""
    selected = list(map(int, front.selected))
    make = partial(draw, front.feature_names, highlight=selected, kinds=KINDS)
    clicked = partial(note_feature, front.feature_names)
    exports.figure(make, f"{settings.ds.name}-{name}", key, of=settings.front_question, on_click=clicked, marks=True)


def note_feature(names: Sequence[str], click: Click) -> None:
    """A click on a feature: it is looked at below, and in the link."""
    if (name := click.names.get("feature")) in names:
        st.session_state[FEATURE] = names.index(name) + 1


def show_feature(settings: ParetoSettings, front: FeatureFront) -> None:
    """One feature and its strongest rival, label by label: whichever was clicked, or chosen by its name."""
    st.subheader("One feature and its strongest rival", anchor=False)
    names, labels = front.feature_names, settings.ds.label_names
    left, right = view.columns("rivals", [2, 3])
    with left:
        feature = controls.choose_feature(names, FEATURE, int(front.selector.ranking_[0]))
        st.markdown(literal(front.about_feature(feature, settings.parameters["alpha"], labels)))
        st.caption("Click a feature in a figure to show it here.")
    rival, better = front.dominance.strongest_rival(feature)
    values, both = front.uncertainty, (names[feature], names[rival])
    with right:
        exports.figure(
            partial(duel, values[feature], values[rival], both, labels, better),
            f"{settings.ds.name}-rivals",
            "rivals",
            of=(*settings.front_question, feature),
        )


def show_counts(settings: ParetoSettings, front: FeatureFront) -> None:
    st.markdown("**Selected features** against α")
    exports.figure(
        partial(
            selected_count, front.alphas, front.counts, alpha=settings.parameters["alpha"], d=len(front.feature_names)
        ),
        f"{settings.ds.name}-selected",
        "counts",
        of=settings.front_question,
    )
    st.caption(
        f"Selected: {literal(listing([front.feature_names[i] for i in front.selected], 8))}."
        if len(front.selected)
        else "At this α every feature is beaten by another one: a larger α keeps more."
    )


def show_lines(settings: ParetoSettings, front: FeatureFront) -> None:
    st.subheader("All labels", anchor=False)
    draw = partial(feature_lines, front.uncertainty, front.on_front, settings.ds.label_names)
    draw_features(settings, front, draw, "labels", "lines")


def show_runs(settings: ParetoSettings, runs: pd.DataFrame, about: str) -> None:
    if runs.empty:
        exports.placeholder("the runs appear as each method is done", 380, "runs")
        return
    if runs[settings.metric].notna().any():
        st.markdown(f"**{literal(about_runs(runs, settings.metric))}**")
    figure = run_front(runs, settings.metric, x=settings.axis)
    clicked = partial(note_clicked, settings)
    exports.figure(figure, f"{settings.ds.name}-runs-{settings.metric}", "runs", on_click=clicked, marks=True)
    st.caption(f"{about} {RUNS}")
    if settings.source == "here":
        offer_run(RUN, settings.data, settings.methods)
    if len(unknown := runs.loc[runs["seconds"].isna(), "method"].unique()):
        names = listing([setting_title(each) for each in unknown])
        st.caption(f"{literal(names)}: {NO_TIME}")


def note_clicked(settings: ParetoSettings, click: Click) -> None:
    """A click on a run; only one axis tells its number of features."""
    note_run(RUN, click if settings.axis == "size" else replace(click, x=None))


def show_runs_here(settings: ParetoSettings) -> None:
    """The runs of the chosen methods on the first split, as they arrive."""
    work = MethodResults("runs")
    task = partial(settings.explorer.explore, protocol=settings.protocol, seed=settings.seed)
    work.ask_methods(settings.question, [*settings.methods, *settings.rankings], task)
    about = f"{literal(settings.ds.name)}, {settings.protocol.split} split."
    work.show(lambda: show_runs(settings, runs_of(work.rows), about))
    for note in rankings.notes(settings.rankings, settings.seed):
        st.caption(literal(note))


def show_runs_of_study(settings: ParetoSettings) -> None:
    """The runs of a finished study, on one of its data sets."""
    try:
        name, rows = choose_finished()
    except MlfsError as problem:
        st.info(str(problem))
        return
    measured = metrics_in(rows)
    if settings.metric not in measured:
        st.info(
            f"This study measured {', '.join(METRICS[known].title for known in measured)}: choose one as the metric."
        )
        return
    with st.sidebar:
        dataset = controls.choose_name("Data set of the study", list(rows["dataset"].unique()), "set")
    runs = runs_of_study(rows, dataset, settings.metric)
    show_runs(settings, runs, f"{literal(name)} on {literal(dataset)}, means over repeats.")


def show_numbers(settings: ParetoSettings, front: FeatureFront, pmfs: dict[str, Any]) -> None:
    st.subheader("Numbers", anchor=False)
    table, name = front.table(), f"{settings.ds.name}-features"
    titles = {f"SU with {label}": label for label in settings.labels}  # the names alone fit a screen
    shown = table.rename(columns=lambda name: titles.get(name) or TITLES.get(name) or sentence_case(name))
    st.caption("Of each feature, the SU with each chosen label, and its mean over all labels.")
    exports.table(to_styler(shown, escape=False), table, name, "features", hide_index=True)
    asked = (settings.labels, settings.parameters, settings.methods, settings.protocol, settings.seed)
    files = [rankings.file_of(ranking) for ranking in settings.rankings]
    more = recipe_options(settings.data)
    exports.recipes(partial(pareto, settings.data, *asked, pmfs=pmfs, **more, rankings=files))


def main() -> None:
    view.page_header()
    settings = read_controls()
    work = MethodResults("front")
    if len(settings.labels) < 2:
        st.info(
            "Choose two or three labels in the sidebar."
            if len(settings.ds.label_names) > 1
            else f"{literal(settings.ds.name)} has one label, and a front needs two."
        )
    else:
        mapd = ("mapd", settings.parameters)
        task = partial(
            compare_features, settings.explorer, settings.labels, mapd, settings.protocol, seed=settings.seed
        )
        work.ask(settings.front_question, {"mapd": task})
        work.show(partial(picture, settings, work))
        view.let_paint()
    if view.presenting():
        return
    front = work.results.get("mapd")
    if front is not None:
        if len(front.feature_names) > 1:
            show_feature(settings, front)
        show_lines(settings, front)
    pmfs = pmfs_fronts.show(settings)
    st.subheader("Whole runs: loss, number of features, time", anchor=False)
    if settings.source == "study":
        show_runs_of_study(settings)
    elif not settings.methods and not settings.rankings:
        st.info("Choose a method for the runs in the sidebar.")
    else:
        show_runs_here(settings)
    if front is not None:
        show_numbers(settings, front, pmfs)


main()
