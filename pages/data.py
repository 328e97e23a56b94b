"""Data: choose, upload, download or make a data set, and see what it is like before anything is selected from it."""

from functools import partial

import pandas as pd
import streamlit as st

from mlfs.datasets import Dataset, Profile, is_synthetic, profile
from mlfs.errors import DatasetError
from mlfs.evaluation import Explorer
from mlfs.plots import co_occurrence_heatmap, discretization_preview, label_frequencies
from mlfs.recipes import data_profile
from mlfs.selectors import SELECTORS
from mlfs.tables import to_styler
from mlfs.wording import sentence_case
from pages.parts import controls, downloads, exports, link, uploads, view
from pages.parts.data import choose_data, is_upload
from pages.parts.synthetic import choose_synthetic
from pages.parts.words import literal

# Field of the profile → what it is called, how it is written, what it means.
MEASURES = {
    "instances": ("Rows", "{:,}", "One for each instance."),
    "features": ("Features", "{:,}", "Columns that a method selects from."),
    "labels": ("Labels", "{:,}", "What a row may carry, several at once."),
    "cardinality": ("Cardinality", "{:.3f}", "Mean number of labels of a row."),
    "density": ("Density", "{:.3f}", "Cardinality as a share of all labels."),
    "distinct_labelsets": ("Labelsets", "{:,}", "Combinations of labels that occur."),
    "mean_imbalance": (
        "Mean imbalance",
        "{:.2f}",
        "How many times rarer a label is than the most frequent one, on average.",
    ),
}
TALL = 24  # labels: with more, the bars scroll in a box of their own
BOX = 480
BINNED = "els"  # any method that discretises declares the same bins


def choose() -> Explorer | None:
    """What is at hand in the sidebar, and how to get more. None where the link's own upload is not this browser's."""
    uploads.take()
    downloads.take()
    missing = None
    try:
        explorer = choose_data()
    except DatasetError as problem:
        if not is_upload(st.session_state["data"]):
            raise
        explorer, missing = None, problem
    with st.sidebar:
        with st.expander("Download"):
            downloads.offer()
        if is_synthetic(st.session_state["data"]):
            choose_synthetic(st.session_state["data"])
    view.page_header()
    if missing is not None:
        st.info(literal(str(missing)))
        link.current().end_early()
    if missing is not None or not view.presenting():
        uploads.offer()
    return explorer


def profiled(ds: Dataset) -> Profile:
    """The profile, kept while the same set is shown: an upload's must not go into a cache that all sessions share."""
    kept = st.session_state.get("profile")
    if kept is None or kept[0] != ds.fingerprint:
        kept = st.session_state["profile"] = (ds.fingerprint, profile(ds))
    return kept[1]


def show_measures(p: Profile) -> None:
    with st.container(horizontal=True, gap="medium"):
        for field, (title, form, meaning) in MEASURES.items():
            value = getattr(p, field)
            st.metric(title, "–" if value is None else form.format(value), help=meaning, width="content")


def show_labels(p: Profile) -> None:
    together = sum(map(bool, p.label_counts)) > 1
    many = p.labels > TALL
    left, right = view.columns("labels", [1, 2] if view.presenting() else [2, 3] if many else [1, 1])
    with left:
        st.markdown("**Label frequencies**: the share of the rows that carry each label")
        with st.container(height=BOX if many else "content", border=False):
            exports.figure(label_frequencies(p), f"{p.name}-labels")
    if not together:
        return
    with right:
        st.markdown("**Co-occurrence**: of the rows with one label, the share that also has another")
        exports.figure(co_occurrence_heatmap(p.co_occurrence, p.label_names), f"{p.name}-co-occurrence")


def facts(ds: Dataset, p: Profile) -> list[str]:
    """What the figures do not say, in sentences."""
    types = ", ".join(f"{number:,} {kind}" for kind, number in p.feature_types.items() if number)
    split = "It has no train/test split of its own."
    if ds.split is not None:
        split = f"Its own split has {len(ds.split[0]):,} training and {len(ds.split[1]):,} test rows."
    never = ""
    if p.never_positive:
        count = len(p.never_positive)
        never = f"{count:,} label{'s' * (count > 1)} never occur{'s' * (count == 1)}."
    return [
        f"Features: {types}.",
        f"{p.unlabelled:.1%} of the rows carry no label." if p.unlabelled else "Every row carries a label.",
        split,
        never,
    ]


def show_discretization(ds: Dataset) -> None:
    st.subheader("Discretisation", anchor=False)
    sizes, declared = ds.sizes, SELECTORS[BINNED].parameters
    with st.container(horizontal=True, gap="medium"):
        feature = controls.choose_feature(ds.feature_names, "feature")
        method = controls.parameter_control(None, declared["discretization"], sizes, "discretization", "Cuts")
        n_bins = controls.parameter_control(None, declared["n_bins"], sizes, "n_bins", "Bins")
    st.caption(
        "Methods that count values put each number into one of a few bins. Here the bins come from all rows; a method "
        "learns them from its training rows."
    )
    exports.figure(
        discretization_preview(
            ds.X[:, [feature]],
            n_bins=n_bins,
            method=method,
            categorical=feature in ds.categories,
            name=ds.feature_names[feature],
        ),
        f"{ds.name}-feature-{feature + 1}",
        key="discretization-preview",
    )


def show_truth(ds: Dataset) -> None:
    st.subheader("How the labels were made", anchor=False)
    truth = ds.truth
    st.markdown(
        f"The labels were made from {len(truth.relevant)} **relevant** features, with the weights below. "
        f"{len(truth.redundant)} **redundant** features repeat them, {len(truth.irrelevant)} **irrelevant** ones say "
        "nothing. A good method finds the relevant ones first."
    )
    weights = pd.DataFrame(truth.weights, columns=list(ds.label_names))
    weights.insert(0, "feature", [ds.feature_names[j] for j in truth.relevant])
    left, right = view.columns("truth", [2, 1]) if truth.redundant else (st.container(), None)
    with left:
        shown = to_styler(weights.rename(columns={"feature": "Feature"}), decimals=3, escape=False)
        exports.table(shown, weights, f"{ds.name}-weights", hide_index=True)
    if right is not None:
        sources = [" and ".join(ds.feature_names[j] for j in source) for source in truth.source_of_redundant]
        repeats = pd.DataFrame({"feature": [ds.feature_names[j] for j in truth.redundant], "repeats": sources})
        with right:
            exports.table(repeats.rename(columns=sentence_case), repeats, f"{ds.name}-repeats", hide_index=True)


def show_origin(ds: Dataset) -> None:
    st.subheader("Origin", anchor=False)
    st.text(f"Source: {ds.source}")
    for note in ds.notes:
        st.text(note)
    st.text(f"Fingerprint (SHA-256): {ds.fingerprint}")


def show(ds: Dataset, name: str) -> None:
    """All about a data set; `name` is its name in the link."""
    p = profiled(ds)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.header(literal(ds.name), anchor=False, width="content")
        if not view.presenting() and not uploads.pending():
            there = uploads.explore_settings(name)
            st.page_link("explore.py", label=":primary[**Explore this data →**]", query_params=there, width="content")
    st.markdown(p.sentence)
    if not view.presenting():
        show_measures(p)
    show_labels(p)
    if view.presenting():
        link.current().end_early()
        return
    st.caption(" ".join(filter(None, facts(ds, p))))
    if ds.truth is not None:
        show_truth(ds)
    show_discretization(ds)
    counts = pd.DataFrame({"label": p.label_names, "rows": p.label_counts, "share": p.label_shares})
    st.subheader("Labels in numbers", anchor=False)
    shown = counts.rename(columns=sentence_case).style.format({"Share": "{:.1%}"})
    exports.table(shown, counts, f"{ds.name}-label-counts", hide_index=True)
    show_origin(ds)
    exports.recipes(partial(data_profile, name, **uploads.recipe_options(name)))


def main() -> None:
    explorer = choose()
    view.choose_view()
    if explorer is not None:
        show(explorer.ds, st.session_state["data"])


main()
