"""Noise: how redundant the selected features are, and what of the labels' correlation they leave unexplained."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from mlfs.evaluation import ExternalRanking, get_protocol, noise_at_tenths
from mlfs.evaluation.noise import MEASURES, least_noise, together
from mlfs.metrics import metric_title
from mlfs.plots import curves
from mlfs.recipes import noise
from mlfs.results import setting_title
from mlfs.tables import to_styler
from pages.parts import controls, exports, rankings, view
from pages.parts.data import choose_data
from pages.parts.method_results import MethodResults
from pages.parts.methods import choose_methods
from pages.parts.protocol import Evaluation, choose_seed, choose_split
from pages.parts.uploads import recipe_options
from pages.parts.words import NOISE, literal

METHODS = ("elc", "mifs", "grro", "mapd", "fimf")
MEANINGS = (
    f"{NOISE} Both are from Wang et al. 2020. R(F) is also low for features that say little about any label, random "
    "ones for example, so read it beside the losses on Compare."
)
DIGITS = 5
#: With so many methods, two tables fit beside each other.
BESIDE = 4


@dataclass(frozen=True)
class NoiseSettings(Evaluation):
    """What the sidebar says: how methods are measured, which, and how they are drawn."""

    methods: list[tuple[str, dict[str, Any]]]
    rankings: list[ExternalRanking]
    log: bool

    @property
    def question(self) -> tuple[Hashable, ...]:
        return *super().question, *(ranking.fingerprint for ranking in self.rankings)


def read_controls() -> NoiseSettings:
    explorer = choose_data()
    ds, data = explorer.ds, st.session_state["data"]
    with st.sidebar:
        methods = choose_methods(METHODS, ds.sizes, most=12)
        chosen = rankings.choose_rankings([data])
        place = st.container()
        with st.expander("Evaluation", expanded=True):
            split = choose_split(ds.sizes, given=ds.split is not None)
            seed = choose_seed()
        log = controls.switch(
            "Log axis", "log", True, help="Without it, curves that fall steeply are hard to tell apart."
        )
    view.choose_view()
    protocol = get_protocol("quick", **split)
    with place:
        rankings.offer({data: explorer}, protocol, seed, "rankings")
    return NoiseSettings(explorer, data, protocol, seed, methods, rankings.fitting(chosen, protocol), log)


def picture(settings: NoiseSettings, work: MethodResults) -> None:
    ds, table = settings.ds, together(work.rows)
    if table.empty:
        exports.placeholder("the curves appear as each method is done", 380, "noise")
        return
    if not work.work.running and len(work.results) > 1:
        st.markdown(f"**{literal(least_noise(table, setting_title))}**")
    tidy = table.rename(columns={"setting": "method"}).melt(["method", "size"], var_name="metric")
    exports.figure(
        partial(curves, tidy, metrics=MEASURES, log_y=settings.log, x_title="Number of features"),
        f"{ds.name}-noise",
        "noise",
        of=(*settings.question, *work.results, settings.log),
    )
    st.caption(
        f"{literal(ds.name)}: one tenth to nine tenths of its {ds.X.shape[1]} features, selected and measured on the "
        f"training rows of the {'given' if settings.protocol.split == 'given' else 'first'} split."
    )
    for note in rankings.notes(settings.rankings, settings.seed):
        st.caption(literal(note))


def show_numbers(name: str, table: pd.DataFrame) -> None:
    st.subheader("Numbers", anchor=False)
    narrow = table["setting"].nunique() <= BESIDE
    places = view.columns("numbers", [1, 1]) if narrow else [st.container() for _ in MEASURES]
    for place, measure in zip(places, MEASURES, strict=True):
        with place:
            st.markdown(f"**{metric_title(measure)}**")
            grid = table.pivot_table(measure, "size", "setting", sort=False).rename(columns=setting_title)
            grid = grid.rename_axis(index="Features", columns=None)
            exports.table(to_styler(grid, decimals=DIGITS, escape=False), grid, f"{name}-{measure}", f"{measure}-grid")


def main() -> None:
    view.page_header()
    settings = read_controls()
    if not settings.methods and not settings.rankings:
        st.info("Choose at least one method in the sidebar.")
        return
    work, protocol, seed = MethodResults("noise"), settings.protocol, settings.seed
    task = partial(noise_at_tenths, settings.explorer, protocol=protocol, seed=seed)
    work.ask_methods(settings.question, [*settings.methods, *settings.rankings], task)
    work.show(partial(picture, settings, work))
    view.let_paint()
    if work.results and not view.presenting():
        st.caption(MEANINGS)
        show_numbers(settings.ds.name, together(work.rows))
        data, files = settings.data, [rankings.file_of(ranking) for ranking in settings.rankings]
        options = {**recipe_options(data), "rankings": files}
        exports.recipes(partial(noise, data, settings.methods, protocol, seed, **options))


main()
