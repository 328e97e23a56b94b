"""Home: what this is, three demonstrations, and the bundled data sets at a glance."""

from typing import NamedTuple

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from mlfs.datasets import Profile, bundled_names, load_dataset, profile
from mlfs.errors import MlfsError


class Demonstration(NamedTuple):
    """A link to a page with everything set, and what to look at there."""

    title: str
    page: str
    settings: dict[str, str]
    look: str


DEMONSTRATIONS = (
    Demonstration(
        "Ten of a hundred and ten",
        "explore",
        {"data": "synthetic:n_redundant=0,n_irrelevant=100", "method": "grro"},
        "Ten features made these labels and a hundred say nothing: look how both losses fall until the ten are found, "
        "and rise again as the others come in.",
    ),
    Demonstration(
        "A third of yeast is enough",
        "explore",
        {"data": "yeast", "method": "grro", "split": "given"},
        "Look how both curves come down to the dashed level of all 103 features with the first 35; then move α and β, "
        "and see whether fewer will do.",
    ),
    Demonstration(
        "The price of a copy",
        "learn",
        {"topic": "redundancy", "copied": "90"},
        "f₂ tells more about the labels than f₃, but nearly all of it f₁ has told before: look which criterion picks "
        "it all the same, and move the slider to see when the others turn away.",
    ),
)

# What the table says of a set: row → field of its profile, and how to write it.
ROWS = {
    "instances": ("instances", "{:.0f}"),
    "features": ("features", "{:.0f}"),
    "labels": ("labels", "{:.0f}"),
    "cardinality": ("cardinality", "{:.3f}"),
    "density": ("density", "{:.3f}"),
    "distinct labelsets": ("distinct_labelsets", "{:.0f}"),
    "mean imbalance": ("mean_imbalance", "{:.2f}"),
}

MEANINGS = """
**Cardinality** is the mean number of labels of an instance, **density** the same as a share of all labels.
**Distinct labelsets** counts the combinations of labels that occur. **Mean imbalance** tells how many times rarer
than the most frequent label a label is, on average. The bars show the share of the instances that carry each label.
"""


@st.cache_resource(show_spinner="Reading the bundled data sets")
def profiled(name: str) -> tuple[str, Profile]:
    """The source and the profile of a bundled set, once for all sessions; its arrays are read-only."""
    ds = load_dataset(name)
    return ds.source, profile(ds)


def profile_table(profiles: list[Profile]) -> Styler:
    """One column per set: narrow enough for a telephone."""
    table = pd.DataFrame({p.name: {row: getattr(p, field) for row, (field, _) in ROWS.items()} for p in profiles})
    styler = table.style
    for row, (_, form) in ROWS.items():
        styler = styler.format(form, subset=pd.IndexSlice[[row], :])
    return styler


def show_demonstrations() -> None:
    for column, demonstration in zip(st.columns(len(DEMONSTRATIONS), gap="medium"), DEMONSTRATIONS, strict=True):
        with column.container(gap="xsmall"):
            st.page_link(
                f"{demonstration.page}.py",
                label=f"**{demonstration.title}**",
                icon=":material/arrow_forward:",
                query_params=demonstration.settings,
            )
            st.caption(demonstration.look)


def show_sets(sets: list[tuple[str, Profile]]) -> None:
    left, right = st.columns([3, 2], gap="medium")
    left.table(profile_table([p for _, p in sets]), border="horizontal")
    right.caption(MEANINGS)
    st.space("xsmall")
    # Late: the words above are on the screen while the libraries of the figures are read.
    from mlfs.plots import label_frequencies
    from pages.parts import exports

    for column, (source, p) in zip(st.columns(len(sets), gap="medium"), sets, strict=True):
        with column.container(gap="xsmall"):
            st.page_link("data.py", label=f"**{p.name}**", query_params={"data": p.name})
            exports.figure(label_frequencies(p), f"{p.name}-labels")
            st.caption(f"Source: {source}")


def main() -> None:
    st.title("Multi-label feature selection", anchor=False)
    st.markdown(
        "mlfs finds the features worth keeping when an instance may carry several labels at once. "
        "Load a data set, choose a method, move its parameters, and see at once what the choice does."
    )
    st.header("Three demonstrations", anchor=False)
    show_demonstrations()
    st.header("Bundled data sets", anchor=False)
    sets: list[tuple[str, Profile]] = []
    for name in bundled_names():
        try:
            sets.append(profiled(name))
        except MlfsError as error:
            st.error(str(error))
    if sets:
        show_sets(sets)


main()
