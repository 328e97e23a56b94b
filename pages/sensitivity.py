"""Sensitivity: what one or two parameters of a method do, run as a study in the background."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from mlfs import SELECTORS
from mlfs.errors import MlfsError
from mlfs.metrics import lower_is_better, metric_title
from mlfs.parameters import parse_value, value_text
from mlfs.plots import (
    curves,
    curves_outline,
    grid_heatmap,
    grid_outline,
    grid_surface,
    selected_count,
    sensitivity_lines,
    with_trials,
)
from mlfs.recipes import sensitivity
from mlfs.recipes.writing import changes
from mlfs.results import setting_title
from mlfs.selectors.specification import method_text
from mlfs.studies import MethodGrid, Plan, Search
from mlfs.studies.sweep import (
    ACR,
    LOSSES,
    Landscape,
    as_curve,
    best_of_sweep,
    held_at,
    landscape,
    numbers,
    selected_table,
    settings_done,
    sweep_table,
    sweepable,
    swept_method,
)
from mlfs.tables import to_styler
from mlfs.wording import count
from pages.parts import controls, exports, searching, studies, view
from pages.parts.chart import Click
from pages.parts.data import choose_data, explorer_of
from pages.parts.methods import open_in_explore, parameter_meaning, parameter_name
from pages.parts.protocol import choose_experiment
from pages.parts.studies import StudyView
from pages.parts.sweep import choose_sweep
from pages.parts.uploads import recipe_options
from pages.parts.words import literal

# As in Lee & Kim 2016.
LINES = ("10", "30", "50")
VALUE = (
    f"{ACR}, average classification result: Hamming loss plus ranking loss, summed over the first 30 numbers of "
    "features. Zhang et al. 2020 choose α, β and k by it."
)
REPEATS = 10
CLICK = "Click a {} to open its setting in Explore."


@dataclass(frozen=True)
class SensitivityView:
    """What of the results is shown: which value, at which sizes, on which slice of a sweep over three parameters."""

    dataset: str
    value: str
    sizes: tuple[int | str | None, ...]
    held: Mapping[str, Any]

    def varied(self, plan: Plan) -> list[str]:
        """The parameters that are drawn."""
        return [name for name in swept_method(plan).grid if name not in self.held]

    def of(self, plan: Plan) -> SensitivityView:
        """The same of another study, whose data set is its own."""
        held = {name: values[0] for name, values in list(swept_method(plan).grid.items())[2:]}
        return SensitivityView(plan.datasets[0], self.value, self.sizes, held)


def choose_plan() -> Plan:
    """The sweep that the sidebar describes."""
    explorer = choose_data()
    data = st.session_state["data"]
    with st.sidebar:
        grid = choose_sweep(explorer.ds.sizes)
    natural = True if SELECTORS[grid.method].selects_sets else None  # others have no size of their own
    protocol, seed = choose_experiment({data: explorer}, repeats=REPEATS, natural=natural)
    # Named by its content, so that the same link is the same study.
    method = setting_title(method_text(grid.method, grid.parameters))
    name = f"{method}: {' × '.join(parameter_name(each, grid.method) for each in grid.grid)} on {explorer.ds.name}"
    return Plan(name, (data,), (grid,), protocol.name, changes(protocol), (seed,))


def choose_shown(plan: Plan) -> SensitivityView:
    grid, protocol = swept_method(plan), plan.resolved_protocol
    with st.sidebar, st.expander("View", expanded=True):
        dataset = studies.choose_shown(plan)
        sizes = protocol.sizes_for(explorer_of(dataset).ds.X.shape[1])
        both = len(sizes) > 1 and set(LOSSES) <= set(protocol.metrics)
        values = [*protocol.metrics, ACR] if both else list(protocol.metrics)
        value = controls.choose_name("Value", values, "value", name=metric_title, help=VALUE if both else None)
        held = {name: _choose_held(grid.method, name, grid.grid[name]) for name in list(grid.grid)[2:]}
        return SensitivityView(dataset, value, _choose_sizes(sizes, value, len(grid.grid)), held)


def _choose_sizes(sizes: list[int], value: str, varied: int) -> tuple[int | str | None, ...]:
    """One number of features for a heat map, several for lines; none where there is nothing to choose."""
    if value == ACR or not sizes:
        return (None,)
    if varied > 1:
        at = controls.choose_name(
            "With",
            ["mean", *map(str, sizes)],
            "at",
            name=lambda w: f"{w} features" if w != "mean" else "mean over sizes",
        )
        return (at if at == "mean" else int(at),)
    options = list(map(str, sizes))
    usual = [size for size in LINES if size in options] or options[-1:]
    lines = controls.choose_names("Lines", options, "n", usual, help="Numbers of features, one line for each.")
    return tuple(sorted(map(int, lines or usual)))


def _choose_held(method: str, name: str, values: tuple[Any, ...]) -> Any:
    """The value of a third parameter, at which the other two are drawn."""
    chosen = controls.choose_name(f"At {parameter_name(name, method)} =", list(map(value_text, values)), f"{name}.at")
    return parse_value(method, sweepable(method)[name], chosen)


def shown_rows(study: StudyView, shown: SensitivityView) -> pd.DataFrame:
    results = study.results()
    return held_at(results[results["dataset"] == study.titles[shown.dataset]], shown.held)


def picture(study: StudyView, shown: SensitivityView, key: str, search: Search | None, *, narrow: bool = False) -> None:
    """The answer: lines over one parameter, a heat map and a surface over two; with the trials of a search on them."""
    grid, rows, varied = swept_method(study.plan), shown_rows(study, shown), shown.varied(study.plan)
    name = f"{study.titles[shown.dataset]}-{grid.method}-{'-'.join(varied)}"
    if not study.complete and settings_done(rows) < 2:
        show_outline(grid, varied, shown, key, narrow)
        return
    if not settings_done(rows):
        exports.placeholder("none of the runs succeeded", 380, f"{key}-lines")
        return
    if len(varied) == 1:
        figure = _lines(rows, grid.method, varied[0], shown)
        figure = _with_search(figure, search, grid, varied, shown.value)
        exports.figure(figure, name, f"{key}-lines", on_click=partial(open_point, grid, shown, varied[0]))
        if not view.presenting():
            st.caption(CLICK.format("point"))
        return
    scape = landscape(sweep_table(rows, varied, shown.value, shown.sizes[0]), (varied[0], varied[1]), grid)
    axes = (parameter_name(varied[0], grid.method), parameter_name(varied[1], grid.method))
    meanings = (parameter_meaning(varied[0], grid.method), parameter_meaning(varied[1], grid.method))
    places = [st.container(), st.container()] if narrow else view.columns("grid", [1, 1])
    for place, draw, kind in zip(places, (grid_heatmap, grid_surface), ("heatmap", "surface"), strict=True):
        with place:
            if kind == "surface" and study.active:
                # A browser without a graphics card would do nothing but draw it again.
                st.caption("The surface follows when the sweep is done.")
                continue
            how = {"meanings": meanings} if kind == "heatmap" else {}  # there is no room for words in space
            figure = draw(scape.values, scape.first, scape.second, shown.value, names=axes, **how)
            figure = _with_search(figure, search, grid, varied, shown.value)
            opened = partial(open_cell, grid, shown, (varied[0], varied[1]), scape) if kind == "heatmap" else None
            exports.figure(figure, f"{name}-{kind}", f"{key}-{kind}", on_click=opened)
            if opened is not None and not view.presenting():
                st.caption(CLICK.format("cell"))


def open_cell(
    grid: MethodGrid, shown: SensitivityView, varied: tuple[str, str], scape: Landscape, click: Click
) -> None:
    """A click on a cell of the heat map opens its setting in Explore."""
    if click.row is not None and click.column is not None:
        _open(grid, shown, {varied[0]: scape.first[click.column], varied[1]: scape.second[click.row]})


def open_point(grid: MethodGrid, shown: SensitivityView, name: str, click: Click) -> None:
    """A click on a line opens the setting below it in Explore."""
    if click.x is not None:
        _open(grid, shown, {name: click.x})


def _open(grid: MethodGrid, shown: SensitivityView, values: Mapping[str, float]) -> None:
    declared = sweepable(grid.method)
    typed = {name: int(value) if declared[name].kind == "integer" else value for name, value in values.items()}
    open_in_explore(shown.dataset, grid.method, {**grid.parameters, **shown.held, **typed})


def show_outline(grid: MethodGrid, varied: list[str], shown: SensitivityView, key: str, narrow: bool) -> None:
    """What will be here, before the first run has ended."""
    names, meanings = (tuple(of(name, grid.method) for name in varied) for of in (parameter_name, parameter_meaning))
    if len(varied) == 1:
        lines = (
            [metric_title(shown.value)]
            if shown.sizes == (None,)
            else [count(int(size), "feature") for size in shown.sizes]
        )
        log = sweepable(grid.method)[varied[0]].scale == "log"
        how = {"x_title": meanings[0], "log_x": log}
        exports.outline(partial(curves_outline, lines, [shown.value], grid.grid[varied[0]], **how), f"{key}-lines")
        return
    place = st.container() if narrow else view.columns("grid", [1, 1])[0]
    with place:
        axes = [grid.grid[name] for name in varied]
        exports.outline(partial(grid_outline, *axes, shown.value, names=names, meanings=meanings), f"{key}-heatmap")


def _lines(rows: pd.DataFrame, method: str, name: str, shown: SensitivityView) -> Any:
    log = sweepable(method)[name].scale == "log"
    if shown.sizes == (None,):
        table = as_curve(sweep_table(rows, [name], shown.value, None), name, method, shown.value)
        return curves(table, x_title=parameter_meaning(name, method), log_x=log)
    titles = {"x_title": parameter_name(name, method), "meaning": parameter_meaning(name, method)}
    return sensitivity_lines(rows, name, shown.value, sizes=shown.sizes, log_x=log, **titles)


def _with_search(figure: Any, search: Search | None, grid: MethodGrid, varied: list[str], value: str) -> Any:
    if search is None or not figure.data:
        return figure
    return with_trials(
        figure,
        search.trials[varied].to_numpy(float),
        search.trials["value"].to_numpy(float),
        [grid.grid[name] for name in varied],
        lower=lower_is_better(value),
        log=[sweepable(grid.method)[name].scale == "log" for name in varied],
    )


def draw(study: StudyView, shown: SensitivityView, search: Search | None, beside: StudyView | None) -> None:
    """All that is there by now; called again while more arrives."""
    with st.container():  # there while it is empty too: the figure keeps its place
        if study.complete:  # a few runs would name a place by chance
            say_where_it_is_best(study, shown)
    if beside is None:
        picture(study, shown, "sweep", search)
    else:
        left, right = view.columns("studies", [1, 1])
        for place, drawn, key in ((left, study, "sweep"), (right, beside, "beside")):
            with place:
                st.markdown(f"**{literal(drawn.plan.name)}**")
                try:
                    same = drawn.plan.id == study.plan.id
                    picture(drawn, shown.of(drawn.plan), key, search if same else None, narrow=True)
                except MlfsError as problem:
                    st.error(str(problem))
    if not view.presenting():
        show_numbers(study, shown)


def say_where_it_is_best(study: StudyView, shown: SensitivityView) -> None:
    """The answer, above its picture: of several lines that with the most features."""
    rows, varied = shown_rows(study, shown), shown.varied(study.plan)
    method = swept_method(study.plan).method
    table = sweep_table(rows, varied, shown.value, shown.sizes[-1])
    if sentence := best_of_sweep(table, varied, shown.value, shown.sizes[-1], partial(parameter_name, method=method)):
        st.markdown(f"**{literal(sentence)}**")


def show_numbers(study: StudyView, shown: SensitivityView) -> None:
    grid, rows, varied = swept_method(study.plan), shown_rows(study, shown), shown.varied(study.plan)
    studies.show_failed_cells(rows)
    if settings_done(rows) < (1 if study.complete else 2):
        return
    file_name = f"{study.titles[shown.dataset]}-{grid.method}"
    if SELECTORS[grid.method].selects_sets and varied == ["alpha"]:
        counts = selected_table(rows, varied)
        st.markdown("**How many features are selected**, mean over the splits")
        figure = selected_count(
            counts["alpha"].to_numpy(float), counts["mean"].to_numpy(float), d=study.datasets[shown.dataset].X.shape[1]
        )
        exports.figure(figure, f"{file_name}-selected", "selected")
    st.subheader("Numbers", anchor=False)
    table = numbers(rows, varied, shown.value, shown.sizes)
    titled = table.dropna(axis="columns", how="all")  # one split has no deviation
    short = {name: parameter_name(name, grid.method) for name in varied}
    titled = titled.rename(columns=short | {"features": "Features"})
    titled = titled.rename(columns={"mean": metric_title(shown.value), "std": "±", "repeats": "Splits"})
    styled = to_styler(titled, escape=False).format("{:g}", subset=list(short.values()))
    exports.table(styled, table, file_name, "numbers", hide_index=True)


def show_recipe(plan: Plan, shown: SensitivityView) -> None:
    asked = (shown.varied(plan), shown.value, shown.sizes, shown.held)
    exports.recipes(partial(sensitivity, plan, *asked, dataset=shown.dataset, **recipe_options(shown.dataset)))


def main() -> None:
    view.page_header()
    plan = studies.choose_study(sweeps=True) or choose_plan()
    shown = choose_shown(plan)
    second = studies.choose_beside(sweeps=True)
    view.choose_view()
    study, beside = studies.study_view(plan), None if second is None else studies.study_view(second)
    # A metric on one data set can be searched for; a slice of a sweep cannot.
    searchable = shown.value != ACR and len(plan.datasets) == 1 and not shown.held
    search = searching.search_view(study, shown.value) if searchable else searching.SearchView()
    studies.follow(study, lambda now: draw(now, shown, search.result, beside))
    if not view.presenting():
        studies.offer_next_steps(study)
        if searchable:
            searching.offer_search(study, shown.value, search)
        show_recipe(plan, shown)
        studies.list_studies()


main()
