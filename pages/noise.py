"""Noise: how redundant the selected features are, and what of the labels' correlation they leave unexplained."""

import json
from functools import partial

import pandas as pd
import streamlit as st

from mlfs.evaluation import get_protocol, noise_at_tenths
from mlfs.evaluation.noise import MEASURES, lowest, together
from mlfs.metrics import metric_title
from mlfs.plots import curves, nothing_yet
from mlfs.recipes import noise
from mlfs.results import setting_title
from mlfs.selectors.specification import method_text
from mlfs.tables import to_styler
from pages.parts import controls, takeaway, view
from pages.parts.data import choose_data, is_upload
from pages.parts.gradually import MethodByMethod
from pages.parts.methods import choose_methods
from pages.parts.protocol import SEED_HELP, choose_split, sizes_of
from pages.parts.uploads import labels_of_uploads
from pages.parts.words import literal

METHODS = ("elc", "mifs", "grro", "mapd", "fimf")
MEANINGS = """
**R(F)** is the redundancy: high where pairs of the selected features tell of the same labels. **C(F)** is the residual
label correlation: what of the labels' similarity the selected features do not explain. Both are those of Wang et al.
2020, and lower is better: a method that avoids noise stays low while it takes more features. R(F) is low, too, where
features tell little of any label, as random ones do, so that it is read beside the losses.
"""
DIGITS = 5


def table_of(work: MethodByMethod) -> pd.DataFrame:
    """What has arrived, one row per method and size."""
    return together([(chosen[word][0], json.dumps(chosen[word][1]), found) for word, found in work.found.items()])


def picture(work: MethodByMethod) -> None:
    table = table_of(work)
    if table.empty:
        takeaway.figure(nothing_yet("the curves appear when a method is done", height=380), "noise", "noise")
        return
    tidy = table.rename(columns={"setting": "method"}).melt(["method", "size"], var_name="metric")
    takeaway.figure(
        partial(curves, tidy, metrics=MEASURES, log_y=log, x_title="Number of features k'"),
        f"{ds.name}-noise",
        "noise",
        of=(data, repr(protocol), seed, *work.found, log),
    )
    if not work.work.running:
        told = [
            f"{metric_title(measure)} is lowest on average with **{setting_title(best[0])}** ({best[1]:.4g})."
            for measure in MEASURES
            if (best := lowest(table, measure)) is not None
        ]
        if len(work.found) > 1:
            st.markdown(" ".join(told))
    st.caption(
        f"{literal(ds.name)}, k' = d/10 … 9d/10 of {ds.X.shape[1]} features; selected and measured on the training "
        f"rows of the {'given' if protocol.split == 'given' else 'first'} split."
    )


def show_numbers(work: MethodByMethod) -> None:
    st.subheader("Numbers", anchor=False)
    table = table_of(work)
    for place, measure in zip(st.columns(2, gap="medium"), MEASURES, strict=True):
        with place:
            st.markdown(f"**{metric_title(measure)}**")
            grid = table.pivot_table(measure, "size", "setting", sort=False).rename(columns=setting_title)
            grid = grid.rename_axis(index="k'", columns=None)
            takeaway.table(
                to_styler(grid, decimals=DIGITS, escape=False), grid, f"{ds.name}-{measure}", f"{measure}-grid"
            )


explorer = choose_data()
ds, data = explorer.ds, st.session_state["data"]
with st.sidebar:
    methods = choose_methods(METHODS, sizes_of(ds), most=12)
    with st.expander("Evaluation", expanded=True):
        settings = choose_split(sizes_of(ds), given=ds.split is not None)
        seed = controls.whole("Seed", "seed", 0, 0, 2**31 - 1, help=SEED_HELP)
    log = controls.switch("Log axis", "log", help="For measures that differ by orders of magnitude.")
view.choose_view()
protocol = get_protocol("quick", **settings)

st.header("Noise", anchor=False)
chosen = {method_text(*method): method for method in methods}
if not chosen:
    st.info("Choose a method in the sidebar.")
else:
    work = MethodByMethod("noise")
    work.ask(
        (data, repr(protocol), seed),
        {word: partial(noise_at_tenths, explorer, method, protocol, seed=seed) for word, method in chosen.items()},
    )
    work.show(partial(picture, work))
    view.let_paint()
    if work.found and not view.presenting():
        st.caption(MEANINGS)
        show_numbers(work)
        labels = labels_of_uploads().get(data)
        takeaway.recipes(partial(noise, data, methods, protocol, seed, uploaded=is_upload(data), labels=labels))
