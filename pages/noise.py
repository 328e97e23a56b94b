"""Noise: how redundant the selected features are, and what of the labels' correlation they leave unexplained."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from mlfs.datasets import Dataset
from mlfs.evaluation import Explorer, Protocol, get_protocol, noise_at_tenths
from mlfs.evaluation.noise import MEASURES, lowest, together
from mlfs.metrics import metric_title
from mlfs.plots import curves, nothing_yet
from mlfs.recipes import noise
from mlfs.results import setting_title
from mlfs.selectors.specification import method_text
from mlfs.tables import to_styler
from pages.parts import controls, takeaway, view
from pages.parts.data import choose_data
from pages.parts.gradually import MethodByMethod
from pages.parts.methods import choose_methods
from pages.parts.protocol import choose_seed, choose_split
from pages.parts.uploads import recipe_options
from pages.parts.words import literal

METHODS = ("elc", "mifs", "grro", "mapd", "fimf")
MEANINGS = """
**R(F)** is the redundancy: high where pairs of the selected features tell of the same labels. **C(F)** is the residual
label correlation: what of the labels' similarity the selected features do not explain. Both are those of Wang et al.
2020, and lower is better: a method that avoids noise stays low while it takes more features. R(F) is low, too, where
features tell little of any label, as random ones do, so that it is read beside the losses.
"""
DIGITS = 5


@dataclass(frozen=True)
class NoiseSettings:
    """What the sidebar says: the data by its name in the link, methods by their words, how to measure and draw them."""

    explorer: Explorer
    data: str
    methods: Mapping[str, tuple[str, dict[str, Any]]]
    protocol: Protocol
    seed: int
    log: bool

    @property
    def ds(self) -> Dataset:
        return self.explorer.ds

    @property
    def question(self) -> tuple[Any, ...]:
        """All that the numbers of a method depend on."""
        return self.data, repr(self.protocol), self.seed


def read_controls() -> NoiseSettings:
    explorer = choose_data()
    ds = explorer.ds
    with st.sidebar:
        methods = choose_methods(METHODS, ds.sizes, most=12)
        with st.expander("Evaluation", expanded=True):
            split = choose_split(ds.sizes, given=ds.split is not None)
            seed = choose_seed()
        log = controls.switch("Log axis", "log", help="For measures that differ by orders of magnitude.")
    view.choose_view()
    by_word = {method_text(*method): method for method in methods}
    return NoiseSettings(explorer, st.session_state["data"], by_word, get_protocol("quick", **split), seed, log)


def measure(settings: NoiseSettings) -> MethodByMethod:
    work = MethodByMethod("noise")
    tasks = {
        word: partial(noise_at_tenths, settings.explorer, method, settings.protocol, seed=settings.seed)
        for word, method in settings.methods.items()
    }
    work.ask(settings.question, tasks)
    return work


def table_of(settings: NoiseSettings, work: MethodByMethod) -> pd.DataFrame:
    """What has arrived, one row per method and size."""
    methods = settings.methods
    return together([(methods[word][0], json.dumps(methods[word][1]), table) for word, table in work.results.items()])


def picture(settings: NoiseSettings, work: MethodByMethod) -> None:
    ds, table = settings.ds, table_of(settings, work)
    if table.empty:
        takeaway.figure(nothing_yet("the curves appear when a method is done", height=380), "noise", "noise")
        return
    tidy = table.rename(columns={"setting": "method"}).melt(["method", "size"], var_name="metric")
    takeaway.figure(
        partial(curves, tidy, metrics=MEASURES, log_y=settings.log, x_title="Number of features k'"),
        f"{ds.name}-noise",
        "noise",
        of=(*settings.question, *work.results, settings.log),
    )
    if not work.work.running:
        sentences = [
            f"{metric_title(measure)} is lowest on average with **{setting_title(best[0])}** ({best[1]:.4g})."
            for measure in MEASURES
            if (best := lowest(table, measure)) is not None
        ]
        if len(work.results) > 1:
            st.markdown(" ".join(sentences))
    st.caption(
        f"{literal(ds.name)}, k' = d/10 … 9d/10 of {ds.X.shape[1]} features; selected and measured on the training "
        f"rows of the {'given' if settings.protocol.split == 'given' else 'first'} split."
    )


def show_numbers(name: str, table: pd.DataFrame) -> None:
    st.subheader("Numbers", anchor=False)
    for place, measure in zip(st.columns(2, gap="medium"), MEASURES, strict=True):
        with place:
            st.markdown(f"**{metric_title(measure)}**")
            grid = table.pivot_table(measure, "size", "setting", sort=False).rename(columns=setting_title)
            grid = grid.rename_axis(index="k'", columns=None)
            takeaway.table(to_styler(grid, decimals=DIGITS, escape=False), grid, f"{name}-{measure}", f"{measure}-grid")


def show_recipe(settings: NoiseSettings) -> None:
    data, methods = settings.data, list(settings.methods.values())
    takeaway.recipes(partial(noise, data, methods, settings.protocol, settings.seed, **recipe_options(data)))


def main() -> None:
    settings = read_controls()
    st.header("Noise", anchor=False)
    if not settings.methods:
        st.info("Choose a method in the sidebar.")
        return
    work = measure(settings)
    work.show(partial(picture, settings, work))
    view.let_paint()
    if work.results and not view.presenting():
        st.caption(MEANINGS)
        show_numbers(settings.ds.name, table_of(settings, work))
        show_recipe(settings)


main()
