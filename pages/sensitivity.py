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
from mlfs.plots import curves, grid_heatmap, grid_surface, selected_count, sensitivity_lines, with_trials
from mlfs.recipes import sensitivity
from mlfs.recipes.writing import changes
from mlfs.results import setting_title
from mlfs.selectors.specification import method_text
from mlfs.studies import Plan
from mlfs.studies.comparison import failures
from mlfs.studies.sweep import (
    ACR,
    LOSSES,
    as_curve,
    held_at,
    landscape,
    numbers,
    selected_table,
    sweep_table,
    sweepable,
    swept_method,
)
from mlfs.tables import to_styler
from pages.parts import names, searching, studies, takeaway, view
from pages.parts.data import choose_data, explorer_of, is_upload, titles
from pages.parts.experiment import choose_experiment
from pages.parts.protocol import sizes_of
from pages.parts.studies import StudyView
from pages.parts.sweep import choose_sweep, parameter_name
from pages.parts.uploads import labels_of_uploads
from pages.parts.words import literal

# As in Lee & Kim 2016.
LINES = ("10", "30", "50")
VALUE = (
    f"{ACR}: the sum of Hamming and ranking loss over the first 30 sizes, by which Zhang et al. 2020 choose α, β, k."
)


@dataclass(frozen=True)
class Sight:
    """What of the results is shown: which value, at which sizes, on which slice of a sweep over three parameters."""

    dataset: str
    value: str
    sizes: tuple[int | str | None, ...]
    held: Mapping[str, Any]


def choose_plan() -> Plan:
    """The sweep that the sidebar describes."""
    explorer = choose_data()
    data = st.session_state["data"]
    with st.sidebar:
        grid = choose_sweep(sizes_of(explorer.ds))
    natural = True if SELECTORS[grid.method].selects_sets else None  # others have no size of their own
    protocol, seed = choose_experiment({data: explorer}, repeats=1, natural=natural)
    # Named by its content, so that the same link is the same study.
    method = setting_title(method_text(grid.method, grid.parameters))
    name = f"{method}: {' × '.join(map(parameter_name, grid.grid))} on {explorer.ds.name}"
    return Plan(name, (data,), (grid,), protocol.name, changes(protocol), (seed,))


def choose_sight(plan: Plan) -> Sight:
    grid, protocol = swept_method(plan), plan.resolved_protocol
    with st.sidebar, st.expander("View", expanded=True):
        dataset = plan.datasets[0]
        if len(plan.datasets) > 1:
            dataset = names.choose_name("Shown", plan.datasets, "shown", name=titles(plan.datasets).get)
        sizes = protocol.sizes_for(explorer_of(dataset).ds.X.shape[1])
        both = len(sizes) > 1 and set(LOSSES) <= set(protocol.metrics)
        values = [*protocol.metrics, ACR] if both else list(protocol.metrics)
        value = names.choose_name("Value", values, "value", name=metric_title, help=VALUE if both else None)
        held = {name: _choose_held(grid.method, name, grid.grid[name]) for name in list(grid.grid)[2:]}
        return Sight(dataset, value, _choose_sizes(sizes, value, len(grid.grid)), held)


def _choose_sizes(sizes: list[int], value: str, varied: int) -> tuple[int | str | None, ...]:
    """One number of features for a heat map, several for lines; none where there is nothing to choose."""
    if value == ACR or not sizes:
        return (None,)
    if varied > 1:
        at = names.choose_name(
            "With",
            ["mean", *map(str, sizes)],
            "at",
            name=lambda w: f"{w} features" if w != "mean" else "mean over sizes",
        )
        return (at if at == "mean" else int(at),)
    options = list(map(str, sizes))
    usual = [size for size in LINES if size in options] or options[-1:]
    lines = names.choose_names("Lines", options, "n", usual, help="Numbers of features, a line each.")
    return tuple(sorted(map(int, lines or usual)))


def _choose_held(method: str, name: str, values: tuple[Any, ...]) -> Any:
    """The value of a third parameter, at which the other two are drawn."""
    chosen = names.choose_name(f"At {parameter_name(name)} =", list(map(value_text, values)), f"{name}.at")
    return parse_value(method, sweepable(method)[name], chosen)


def shown_rows(study: StudyView, sight: Sight) -> pd.DataFrame:
    results = study.results()
    return held_at(results[results["dataset"] == study.titles[sight.dataset]], sight.held)


def picture(study: StudyView, sight: Sight, key: str, *, narrow: bool = False) -> None:
    """The answer: lines over one parameter, a heat map and a surface over two."""
    grid, rows = swept_method(study.plan), shown_rows(study, sight)
    varied = [name for name in grid.grid if name not in sight.held]
    name = f"{study.titles[sight.dataset]}-{grid.method}-{'-'.join(varied)}"
    if len(varied) == 1:
        figure = _lines(rows, grid.method, varied[0], sight)
        takeaway.figure(_searched(figure, study, varied, sight), name, f"{key}-lines")
        return
    scape = landscape(sweep_table(rows, varied, sight.value, sight.sizes[0]), (varied[0], varied[1]), grid)
    axes = (parameter_name(varied[0]), parameter_name(varied[1]))
    places = [st.container(), st.container()] if narrow else st.columns(2, gap="medium")
    for place, draw, kind in zip(places, (grid_heatmap, grid_surface), ("heatmap", "surface"), strict=True):
        with place:
            if kind == "surface" and study.active:
                # A browser without a graphics card would do nothing but draw it again.
                st.caption("The surface follows when the sweep has ended.")
                continue
            figure = draw(scape.values, scape.first, scape.second, sight.value, names=axes)
            takeaway.figure(_searched(figure, study, varied, sight), f"{name}-{kind}", f"{key}-{kind}")


def _lines(rows: pd.DataFrame, method: str, name: str, sight: Sight) -> Any:
    log = sweepable(method)[name].scale == "log"
    if sight.sizes == (None,):
        table = as_curve(sweep_table(rows, [name], sight.value, None), name, method, sight.value)
        return curves(table, x_title=parameter_name(name), log_x=log)
    return sensitivity_lines(rows, name, sight.value, sizes=sight.sizes, log_x=log, x_title=parameter_name(name))


def _searched(figure: Any, study: StudyView, varied: list[str], sight: Sight) -> Any:
    """The figure with the trials of a search on it, where there was one of this very sweep."""
    result = search.result
    if result is None or study.plan.id != plan.id or not figure.data:
        return figure
    grid = swept_method(study.plan)
    return with_trials(
        figure,
        result.trials[varied].to_numpy(float),
        result.trials["value"].to_numpy(float),
        [grid.grid[name] for name in varied],
        lower=lower_is_better(sight.value),
        log=[sweepable(grid.method)[name].scale == "log" for name in varied],
    )


def draw(study: StudyView, sight: Sight, beside: StudyView | None) -> None:
    """All that is there by now; called again while more arrives."""
    if beside is None:
        picture(study, sight, "sweep")
    else:
        left, right = st.columns(2, gap="medium")
        for place, shown, key in ((left, study, "sweep"), (right, beside, "beside")):
            with place:
                st.markdown(f"**{literal(shown.plan.name)}**")
                try:
                    picture(shown, sight_of(shown, sight), key, narrow=True)
                except MlfsError as problem:
                    st.error(str(problem))
    if not view.presenting():
        show_numbers(study, sight)


def sight_of(study: StudyView, sight: Sight) -> Sight:
    """The same sight of another study, whose data set is its own."""
    held = {name: values[0] for name, values in list(swept_method(study.plan).grid.items())[2:]}
    return Sight(study.plan.datasets[0], sight.value, sight.sizes, held)


def show_numbers(study: StudyView, sight: Sight) -> None:
    grid, rows = swept_method(study.plan), shown_rows(study, sight)
    for failure in failures(rows).itertuples():
        st.warning(literal(f"{setting_title(failure.setting)} failed on {failure.dataset}. {failure.error}"))
    if not (rows["error"] == "").any():
        return
    varied = [name for name in grid.grid if name not in sight.held]
    if SELECTORS[grid.method].selects_sets and varied == ["alpha"]:
        counts = selected_table(rows, varied)
        st.markdown("**How many features are selected**, mean over the splits")
        figure = selected_count(
            counts["alpha"].to_numpy(float), counts["mean"].to_numpy(float), d=study.datasets[sight.dataset].X.shape[1]
        )
        takeaway.figure(figure, f"{study.titles[sight.dataset]}-{grid.method}-selected", "selected")
    st.subheader("Numbers", anchor=False)
    table = numbers(rows, varied, sight.value, sight.sizes)
    shown = table.dropna(axis="columns", how="all")  # one split has no deviation
    shown = shown.rename(columns={name: parameter_name(name) for name in varied} | {"features": "Features"})
    shown = shown.rename(columns={"mean": metric_title(sight.value), "std": "±", "repeats": "Splits"})
    styled = to_styler(shown, escape=False).format("{:g}", subset=[parameter_name(name) for name in varied])
    takeaway.table(styled, table, f"{study.titles[sight.dataset]}-{grid.method}", "numbers", hide_index=True)


def show_recipe(plan: Plan, sight: Sight) -> None:
    varied = [name for name in swept_method(plan).grid if name not in sight.held]
    takeaway.recipes(
        partial(
            sensitivity,
            plan,
            varied,
            sight.value,
            sight.sizes,
            sight.held,
            dataset=sight.dataset,
            uploaded=is_upload(sight.dataset),
            labels=labels_of_uploads().get(sight.dataset),
        )
    )


st.header("Sensitivity", anchor=False)
plan = studies.choose_study(sweeps=True) or choose_plan()
sight = choose_sight(plan)
second = studies.choose_beside(sweeps=True)
view.choose_view()
study, beside = studies.study_view(plan), None if second is None else studies.study_view(second)
# A metric on one data set can be searched for; a slice of a sweep cannot.
searchable = sight.value != ACR and len(plan.datasets) == 1 and not sight.held
search = searching.search_view(study, sight.value) if searchable else searching.SearchView()
studies.follow(study, lambda now: draw(now, sight, beside))
if not view.presenting():
    studies.feed(study)
    if searchable:
        searching.offer_search(study, sight.value, search)
    show_recipe(plan, sight)
    studies.list_studies()
