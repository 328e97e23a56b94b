"""Compare: many methods on one or several data sets, run as a study in the background."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from mlfs.errors import MlfsError
from mlfs.metrics import metric_title
from mlfs.plots import curves, curves_outline, overlap_heatmap, time_bars
from mlfs.plots.curves import BANDS
from mlfs.recipes import comparison
from mlfs.recipes.writing import changes
from mlfs.results import setting_title
from mlfs.selectors.specification import method_text
from mlfs.studies import MethodGrid, Plan
from mlfs.studies.comparison import levels, mean_seconds, overlap, selections, stability_table
from mlfs.tables import MethodSummary, summary, to_styler
from mlfs.tables.answer import best_method
from mlfs.tables.joining import join_summaries
from mlfs.tables.sheet import BEST, caption, caption_of_metrics
from mlfs.tables.styled import methods_down
from mlfs.wording import count, file_name, listing
from pages.parts import controls, exports, link, rankings, studies, view
from pages.parts.data import choose_data_sets, explorer_of, is_upload, title
from pages.parts.methods import choose_methods, note_run, offer_run
from pages.parts.protocol import choose_experiment, largest_sizes
from pages.parts.result_tables import choose_joined, choose_size
from pages.parts.studies import StudyView
from pages.parts.uploads import labels_of_uploads
from pages.parts.words import literal

DATA, METHODS, REPEATS = ["emotions"], ["els", "grro", "random", "all_features"], 10
FIRST = 10
RUN = "compared-run"  # the one that was clicked last
BAND_HELP = "What the shaded band around a mean curve shows."
BAND_NAMES = {"std": "Standard deviation", "ci": "95% confidence", "none": "None"}
STABILITY = (
    "Stability (Nogueira et al. 2018) is 1 when a method selects the same features on every split (every division of "
    "the rows into training and test rows), and about 0 when it selects by chance. It needs at least two splits."
)


@dataclass(frozen=True)
class CompareView:
    """What is shown: one data set, the band, the size of the tables, that of the subsets, and results that join."""

    dataset: str
    band: str
    at: int | str | None
    first: int | None
    joined: str


def choose_plan() -> Plan | str:
    """The study that the sidebar describes, or what has to be chosen for it."""
    here = link.current()
    if here.arrived is not None and "sets" not in here.arrived and "data" in here.arrived:
        here.arrived["sets"] = here.arrived["data"]  # from a page about one set
    with st.sidebar:
        explorers = choose_data_sets(DATA)
        if not explorers:
            return "Choose at least one data set in the sidebar."
        methods = choose_methods(METHODS, largest_sizes(explorers))
        chosen = rankings.choose_rankings(list(explorers))
        place = st.container()
    protocol, seed = choose_experiment(explorers, repeats=REPEATS)
    with place:
        rankings.offer(explorers, protocol, seed, "rankings")
    chosen = rankings.fitting(chosen, protocol)
    if not methods and not chosen:
        return "Choose at least one method in the sidebar."
    # Named by its content, so that the same link is the same study.
    titles = [setting_title(method_text(*method)) for method in methods]
    titles += dict.fromkeys(ranking.name for ranking in chosen)
    name = f"{listing(titles)} on {listing(list(map(title, explorers)))}"
    grids = tuple(MethodGrid(method, parameters) for method, parameters in methods)
    return Plan(name, tuple(explorers), grids, protocol.name, changes(protocol), (seed,), tuple(chosen))


def choose_shown(plan: Plan) -> CompareView:
    features = {name: explorer_of(name).ds.X.shape[1] for name in plan.datasets}
    with st.sidebar, st.expander("View", expanded=True):
        dataset = studies.choose_shown(plan, help="Which data set the figures show. The tables show all of them.")
        band = controls.choose("Band", list(BANDS), "band", name=BAND_NAMES.get, help=BAND_HELP)
        sizes = plan.resolved_protocol.sizes_for(max(features.values()))
        at = choose_size("Table at", sizes)
        first = None
        if sizes:  # else each method has its own
            first = controls.whole(
                "Overlap of the first",
                "first",
                FIRST,
                1,
                max(sizes),
                help="How many features of each method are compared.",
            )
        joined = choose_joined()
    return CompareView(dataset, band, at, first, joined)


def draw(study: StudyView, shown: CompareView) -> None:
    """All that is there by now; called again while more arrives."""
    results = study.results()
    dataset = study.titles[shown.dataset]
    of_shown = results[results["dataset"] == dataset]
    metrics, baseline = study.plan.resolved_protocol.metrics, levels(of_shown)
    succeeded = (of_shown["error"] == "").any()
    with st.container():  # there while it is empty too: the figure keeps its place
        if study.complete:  # a few runs would name a winner by chance
            say_which_is_best(results, metrics[0], shown)
    if not study.complete and not succeeded:
        show_outline(study, shown)
    elif not succeeded:
        exports.placeholder("none of the runs succeeded", 120, "curves")
    else:
        exports.figure(
            curves(selections(of_shown), metrics=metrics, band=shown.band, baseline=baseline),
            f"{dataset}-curves",
            "curves",
            on_click=partial(note_run, RUN),
            marks=True,
        )
    if succeeded and (baseline or len(study.titles) > 1):
        st.caption(" ".join(_about_curves(literal(dataset), len(study.titles), bool(baseline))))
    if not study.complete and not study.active and len(of_shown):
        st.caption(f"From the {count(study.known, 'run')} already done: press {studies.verb(study)} for the others.")
    if succeeded and not view.presenting():
        offer_run(RUN, shown.dataset, compared(study.plan))
    shown_rankings = [ranking for ranking in study.plan.rankings if ranking.dataset == shown.dataset]
    for note in rankings.notes(shown_rankings, study.plan.seeds[0]):
        st.caption(literal(note))
    if view.presenting() or results.empty:
        return
    if not study.active:
        view.let_paint()
    studies.show_failed_cells(results)
    if (results["error"] == "").any():
        show_tables(results, metrics, shown, file_name("compare", *study.titles.values()))
        show_subsets(study, of_shown, shown)


def _about_curves(dataset: str, datasets: int, baseline: bool) -> list[str]:
    """Which data set the curves are of, how to see another, and what the dashed line is."""
    more = datasets > 1 and not view.presenting()
    text = [f"On {dataset}; choose another data set under View in the sidebar." if more else f"On {dataset}."]
    return [*text, "The dashed line shows what all features achieve."] if baseline else text


def show_outline(study: StudyView, shown: CompareView) -> None:
    """What will be here, before the first run on the data set shown has ended."""
    protocol, plan = study.plan.resolved_protocol, study.plan
    # All features will be a level.
    names = [setting_title(method_text(*method)) for method in compared(plan) if method[0] != "all_features"]
    names += dict.fromkeys(ranking.name for ranking in plan.rankings if ranking.dataset == shown.dataset)
    sizes = protocol.sizes_for(study.datasets[shown.dataset].X.shape[1])
    exports.outline(partial(curves_outline, names, protocol.metrics, sizes), "curves")


def compared(plan: Plan) -> list[tuple[str, dict[str, Any]]]:
    """The methods of a study, each with its parameters."""
    return [(grid.method, dict(parameters)) for grid in plan.methods for parameters in grid.combinations()]


def say_which_is_best(results: pd.DataFrame, metric: str, shown: CompareView) -> None:
    """The answer, above its picture; the table below may show another size, or results that join."""
    if results.empty or not (results["error"] == "").any():
        return
    with suppress(MlfsError):  # so far no run has this many features
        st.markdown(f"**{literal(best_method(summary(results, metric, shown.at)))}**")


def show_tables(results: pd.DataFrame, metrics: tuple[str, ...], shown: CompareView, name: str) -> None:
    st.subheader("Mean and standard deviation", anchor=False)
    try:
        summaries = [summary(results, metric, shown.at) for metric in metrics]
        if shown.joined:
            summaries = join_summaries(summaries, shown.joined)
    except MlfsError as problem:  # so far no run has this many features: the rest of the page stands
        st.info(literal(str(problem)))
        return
    alone = len(summaries[0].mean) == 1
    if alone:
        st.table(methods_down(summaries), border="horizontal")
        st.caption(literal(_with_notes(caption_of_metrics(summaries, _mark), summaries)))
    for table in summaries:
        if alone:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption(metric_title(table.metric), width="content")
                exports.downloads(table, f"{name}-{table.metric}", f"summary-{table.metric}")
            continue
        st.markdown(f"**{metric_title(table.metric)}**")
        escaped = replace(table, mean=table.mean.rename(index=literal))
        st.table(to_styler(escaped, escape=False), border="horizontal")
        st.caption(literal(_with_notes(caption(table, _mark), [table])))
        exports.downloads(table, f"{name}-{table.metric}", f"summary-{table.metric}")


def _mark(mark: str) -> str:
    return "Bold" if mark == BEST else "underlined"


def _with_notes(text: str, summaries: Sequence[MethodSummary]) -> str:
    notes = dict.fromkeys(note for table in summaries for note in table.notes if "no value" not in note)
    return " ".join([text, *notes])


def show_subsets(study: StudyView, results: pd.DataFrame, shown: CompareView) -> None:
    """Times, overlap and stability on the data set shown, whose results these are."""
    dataset, d = study.titles[shown.dataset], study.datasets[shown.dataset].X.shape[1]
    selected = study.rankings()
    selected = selected[selected["dataset"] == dataset]
    left, right = view.columns("subsets", [1, 1])
    with left:
        st.markdown(f"**Selection time** on {literal(dataset)}")
        exports.figure(time_bars(mean_seconds(results)), f"{dataset}-times", "times")
    with right:
        which = "features that each selects" if shown.first is None else f"first {shown.first} features"
        st.markdown(f"**Overlap** of the {which}: the share that two methods have in common")
        common = overlap(selected, d, shown.first)
        exports.figure(overlap_heatmap(common.to_numpy(), list(common.index)), f"{dataset}-overlap", "overlap")
    st.markdown(f"**Stability** of the {which}")
    stable = stability_table(selected, d, shown.first)
    if stable["stability"].isna().all():
        st.caption(f"{STABILITY} Choose more repeats to see it.")
        return
    stable["method"] = stable["method"].map(setting_title)
    stable.columns = ["Method", "Stability", "Features", "Splits"]
    exports.table(to_styler(stable, escape=False), stable, f"{dataset}-stability", "stability", hide_index=True)
    st.caption(STABILITY)


def show_recipe(plan: Plan, shown: CompareView) -> None:
    uploaded = {name for name in plan.datasets if is_upload(name)}
    options = {
        "uploaded": uploaded,
        "labels": labels_of_uploads(),
        "rankings": [rankings.file_of(ranking) for ranking in plan.rankings],
    }
    how = (plan.resolved_protocol, plan.seeds, shown.at)
    exports.recipes(partial(comparison, plan.datasets, compared(plan), *how, **options, joined=bool(shown.joined)))


def main() -> None:
    view.page_header()
    plan = studies.choose_study(sweeps=False) or choose_plan()
    if isinstance(plan, str):
        view.choose_view()
        link.current().end_early()
        st.info(plan)
        return
    shown = choose_shown(plan)
    view.choose_view()
    study = studies.study_view(plan)
    studies.follow(study, lambda now: draw(now, shown))
    if not view.presenting():
        studies.offer_next_steps(study)
        show_recipe(plan, shown)
        studies.list_studies()


main()
