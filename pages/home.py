"""Home: what this is, and the bundled data sets at a glance."""

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from mlfs.datasets import Profile, bundled_names, load_dataset, profile
from mlfs.errors import MlfsError
from mlfs.plots import label_frequencies
from mlfs.plots.template import config

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


st.title("Multi-label feature selection")
st.markdown(
    "mlfs finds the features worth keeping when an instance may carry several labels at once. "
    "Here are its data sets; the pages of the methods follow."
)

sets: list[tuple[str, Profile]] = []
for name in bundled_names():
    try:
        sets.append(profiled(name))
    except MlfsError as error:
        st.error(str(error))

if sets:
    st.header("Bundled data sets")
    left, right = st.columns([3, 2], gap="medium")
    left.table(profile_table([p for _, p in sets]), border="horizontal")
    right.caption(MEANINGS)
    st.space("xsmall")
    for column, (source, p) in zip(st.columns(len(sets), gap="medium"), sets, strict=True):
        with column.container(gap="xsmall"):
            st.markdown(f"**{p.name}**")
            st.plotly_chart(
                label_frequencies(p),
                config=config(f"{p.name}-labels"),
                key=p.name,
                alt=f"Share of the instances of {p.name} that carry each label",
            )
            st.caption(f"Source: {source}")
