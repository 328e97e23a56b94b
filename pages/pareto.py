"""Pareto: which features no other beats under some labels, what MAPD keeps of them, and which runs no other beats."""

import json
from functools import partial

import pandas as pd
import streamlit as st

from mlfs import SELECTORS
from mlfs.errors import MlfsError
from mlfs.evaluation import FeatureFront, compare_features, get_protocol, runs_of, runs_of_study, sizes_up_to
from mlfs.metrics import METRICS
from mlfs.plots import feature_front, feature_lines, nothing_yet, run_front, selected_count
from mlfs.recipes import pareto
from mlfs.results import metrics_in
from mlfs.selectors.specification import method_text
from mlfs.tables import to_styler
from mlfs.wording import count, listing
from pages.parts import controls, names, takeaway, view
from pages.parts.data import choose_data, is_upload
from pages.parts.gradually import MethodByMethod
from pages.parts.method import choose_parameters
from pages.parts.methods import choose_methods
from pages.parts.protocol import LARGEST, SEED_HELP, choose_settings, sizes_of
from pages.parts.studies import choose_finished
from pages.parts.uploads import labels_of_uploads
from pages.parts.words import literal

METHODS = ("mapd", "els", "grro", "random")
SOURCES = {"here": "computed here", "study": "a finished study"}
AXES = {"size": "the number of features", "seconds": "time"}
KINDS = ("neither", "on the front", "selected by MAPD")
RUNS = (
    "A run is a method with a number of features; its time is that of the whole selection. Opaque runs are on the "
    "front: no other is better in loss, number of features and time at once."
)
DIFFERENT = (
    "A feature beats another in a label where its symmetrical uncertainty (SU) with it is strictly higher. On the "
    "front are the features that none beats in each of the chosen labels. MAPD looks at all labels: it keeps a feature "
    "unless another beats it in more than the share α of them."
)


def show_front(front: FeatureFront, alpha: float) -> None:
    """The one picture: the front of the chosen labels, with what MAPD selects."""
    takeaway.figure(
        partial(
            feature_front,
            front.uncertainty[:, list(front.columns)],
            front.on_front,
            front.labels,
            front.feature_names,
            highlight=list(map(int, front.selected)),
            kinds=KINDS,
        ),
        f"{ds.name}-front",
        "front",
        of=question,
    )
    st.caption(
        f"At α = {alpha:g} MAPD selects {len(front.selected)} of {count(len(front.feature_names), 'feature')} of "
        f"{literal(ds.name)}; {front.on_front.sum()} are on the front of {literal(' and '.join(front.labels))}, "
        f"{front.selected_on_front} of them selected."
    )


def show_counts(front: FeatureFront, alpha: float) -> None:
    st.markdown("**Selected features** against α")
    takeaway.figure(
        partial(selected_count, front.alphas, front.counts, alpha=alpha, d=len(front.feature_names)),
        f"{ds.name}-selected",
        "counts",
        of=question,
    )
    st.caption(
        f"Selected: {literal(listing([front.feature_names[i] for i in front.selected], 8))}."
        if len(front.selected)
        else "Every feature is dominated by another at this α: a larger one keeps more."
    )


def show_lines(front: FeatureFront) -> None:
    st.subheader("All labels", anchor=False)
    takeaway.figure(
        partial(
            feature_lines,
            front.uncertainty,
            front.on_front,
            ds.label_names,
            front.feature_names,
            highlight=list(map(int, front.selected)),
            kinds=KINDS,
        ),
        f"{ds.name}-labels",
        "lines",
        of=question,
    )
    st.caption(DIFFERENT)


def picture(work: MethodByMethod, alpha: float) -> None:
    if "mapd" not in work.found:
        takeaway.figure(nothing_yet("the features are being compared", height=380), "front", "front")
        return
    front: FeatureFront = work.found["mapd"]
    if view.presenting():
        show_front(front, alpha)
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        show_front(front, alpha)
    with right:
        show_counts(front, alpha)


def show_runs(runs: pd.DataFrame, about: str) -> None:
    if runs.empty:
        takeaway.figure(nothing_yet("the runs appear when a method is done", height=380), "runs", "runs")
        return
    takeaway.figure(run_front(runs, metric, x=axis), f"{ds.name}-runs-{metric}", "runs")
    st.caption(about)


def show_here() -> None:
    """The runs of the chosen methods on the first split, as they arrive."""
    chosen = {method_text(*method): method for method in methods}
    runs = MethodByMethod("runs")
    runs.ask(
        (data, repr(protocol), seed),
        {word: partial(explorer.explore, method, protocol, seed=seed) for word, method in chosen.items()},
    )

    def draw() -> None:
        found = [(chosen[word][0], json.dumps(chosen[word][1]), one) for word, one in runs.found.items()]
        show_runs(runs_of(found), f"{literal(ds.name)}, {protocol.split} split. {RUNS}")

    runs.show(draw)


def show_study() -> None:
    """The runs of a finished study, on one of its data sets."""
    try:
        name, rows = choose_finished()
    except MlfsError as problem:
        st.info(str(problem))
        return
    measured = metrics_in(rows)
    if metric not in measured:
        st.info(
            f"This study measured {', '.join(METRICS[known].title for known in measured)}: choose one as the metric."
        )
        return
    with st.sidebar:
        dataset = names.choose_name("Data set of the study", list(rows["dataset"].unique()), "set")
    show_runs(
        runs_of_study(rows, dataset, metric), f"{literal(name)} on {literal(dataset)}, means over repeats. {RUNS}"
    )


explorer = choose_data()
ds, data = explorer.ds, st.session_state["data"]
sizes = sizes_of(ds)
label_names = list(ds.label_names)
with st.sidebar:
    st.markdown("**Features: MAPD**")
    parameters = choose_parameters("mapd", sizes)
    labels = names.choose_names(
        "Labels", label_names, "labels", label_names[:2], most=3, help="Two or three labels to compare features by."
    )
    st.markdown("**Runs**")
    source = controls.choose("Runs", list(SOURCES), "source", name=SOURCES.get)
    if source == "here":
        methods = choose_methods(METHODS, sizes, most=12)
    metric = controls.choose("Metric", list(METRICS), "metric", name=lambda name: METRICS[name].title)
    axis = controls.choose("Against", list(AXES), "axis", name=AXES.get)
    with st.expander("Evaluation", expanded=True):
        settings = choose_settings(sizes, given=ds.split is not None)
        seed = controls.whole("Seed", "seed", 0, 0, 2**31 - 1, help=SEED_HELP)
        most = controls.whole("Features, at most", "most", LARGEST, 1, min(sizes["features"], 500))
view.choose_view()
protocol = get_protocol("quick", **settings, metrics=(metric,), sizes=sizes_up_to(most))
alpha = parameters.get("alpha", SELECTORS["mapd"].parameters["alpha"].default)

st.header("Pareto", anchor=False)
work = MethodByMethod("front")
if len(labels) < 2:
    st.info(
        "Choose two or three labels in the sidebar."
        if len(label_names) > 1
        else f"{literal(ds.name)} has one label, and a front needs two."
    )
else:
    question = (data, repr(protocol), seed, method_text("mapd", parameters), *labels)
    task = partial(compare_features, explorer, labels, ("mapd", parameters), protocol, seed=seed)
    work.ask(question, {"mapd": task})
    work.show(partial(picture, work, alpha))
    view.let_paint()

if not view.presenting():
    if work.found:
        show_lines(work.found["mapd"])
    st.subheader("Whole runs: loss, number of features, time", anchor=False)
    if source == "study":
        show_study()
    elif not methods:
        st.info("Choose a method for the runs in the sidebar.")
    else:
        show_here()
    if work.found:
        st.subheader("Numbers", anchor=False)
        table = work.found["mapd"].table()
        takeaway.table(to_styler(table, escape=False), table, f"{ds.name}-features", "features", hide_index=True)
        takeaway.recipes(
            partial(
                pareto,
                data,
                labels,
                parameters,
                methods if source == "here" else [],
                protocol,
                seed,
                uploaded=is_upload(data),
                labels=labels_of_uploads().get(data),
            )
        )
