"""Methods: which one to use, by a benchmark of all of them; what is known of each; advice for the data at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd
import streamlit as st

from mlfs import SELECTORS
from mlfs.benchmark import (
    Benchmark,
    Card,
    Leaderboard,
    LeaderboardSettings,
    advise,
    bibtex,
    card,
    describe,
    leaderboard,
    overlaps,
    placed_on_map,
    read_benchmark,
    stabilities,
)
from mlfs.benchmark.card import growth_lines, sensitivity_sentence, time_and_memory
from mlfs.benchmark.kept import coverage, kept_folder
from mlfs.benchmark.leaderboard import (
    PROPERTIES,
    SIZES,
    board_table,
    judging_classifiers,
    measured_metrics,
    size_title,
)
from mlfs.benchmark.likeness import COMPARED
from mlfs.benchmark.rank_correlations import correlations_table, rank_correlations
from mlfs.benchmark.study import SETTINGS
from mlfs.benchmark.tuning import CRITERION
from mlfs.classifiers import CLASSIFIERS as ALL_CLASSIFIERS
from mlfs.errors import ParameterError
from mlfs.evaluation import Explorer
from mlfs.metrics import metric_title
from mlfs.plots import (
    growth,
    method_map,
    parameter_changes,
    rank_against_time,
    rank_intervals,
    ranks_by_dataset,
    verdict_diagram,
)
from mlfs.recipes import methods_leaderboard
from mlfs.results import setting_title
from mlfs.tables import to_styler
from mlfs.wording import joined, sentence_case
from pages.parts import controls, exports, link, view
from pages.parts.chart import Click
from pages.parts.data import choose_data
from pages.parts.methods import explain, method_ids, method_option
from pages.parts.words import literal

SETTING_NAMES = {"default": "defaults", "tuned": "tuned within the training rows"}
SHOWN, IN_DIAGRAM, MOST_IN_DIAGRAM = 15, 10, 20
DESCRIBED = "described-data"
HOW = (
    "Up to five stratified folds of each data set: those on which all methods were run. Subsets of 1 to 50 features, "
    "and for ML-kNN of 10% to 50% of them too; features are scaled to [0, 1] for the classifier. Limits: {limits}. "
    "Methods whose selection exceeds one share the last places. The 95% interval says where the average rank lies when "
    "as many data sets are drawn from these at random, again and again."
)


@dataclass(frozen=True)
class MethodsView:
    """What the sidebar says: the question, the method of the card, and how many methods the figures show."""

    explorer: Explorer
    data: str
    method: str
    settings: LeaderboardSettings
    shown: int
    in_diagram: int


@st.cache_resource(show_spinner=False, max_entries=2)
def kept(folder: Path, changed: float) -> Benchmark:
    """The tables of a folder, read again when they have changed."""
    return read_benchmark(folder)


@st.cache_resource(show_spinner=False, max_entries=100)
def ranked(folder: Path, changed: float, settings: LeaderboardSettings) -> Leaderboard:
    return leaderboard(kept(folder, changed), settings)


@st.cache_resource(show_spinner=False, max_entries=2)
def likeness(folder: Path, changed: float) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Overlaps of the methods, and their stability."""
    return overlaps(kept(folder, changed)), stabilities(kept(folder, changed))


@st.cache_resource(show_spinner=False, max_entries=2)
def agreement(folder: Path, changed: float) -> pd.DataFrame:
    """How far the ranks agree with those that papers print."""
    return rank_correlations(kept(folder, changed))


def where() -> tuple[Path, float]:
    """The folder of the benchmark, and when it was written last."""
    folder = kept_folder()
    about = folder / "about.json"
    return folder, about.stat().st_mtime if about.exists() else 0.0


def choose_settings(benchmark: Benchmark) -> LeaderboardSettings:
    usual = LeaderboardSettings()
    with st.expander("Evaluation", expanded=True):
        metrics = measured_metrics(benchmark)
        metric = controls.choose("Metric", metrics, "metric", usual.metric, name=metric_title)
        judge = controls.choose(
            "Classifier",
            judging_classifiers(benchmark),
            "judge",
            name=lambda name: ALL_CLASSIFIERS[name].title,
            style="segmented",
        )
        size = controls.choose("Number of features", SIZES, "size", name=size_option)
        setting = controls.choose(
            "Parameters",
            SETTINGS,
            "setting",
            name=lambda setting: sentence_case(SETTING_NAMES[setting]),
            help="Tuned: the defaults, or one parameter changed, whichever did best within the training rows.",
        )
        kind = controls.choose(
            "Data sets", list(PROPERTIES), "kind", name=lambda kind: sentence_case(PROPERTIES[kind][0])
        )
    return LeaderboardSettings(metric, judge, size, setting, kind)


def size_option(size: str) -> str:
    """As `size_title`, where the menu says of what."""
    short = size_title(size).removesuffix(" of the features").removesuffix(" features").removesuffix(" feature")
    return sentence_case(short)


def read_controls(benchmark: Benchmark) -> MethodsView:
    explorer = choose_data()
    with st.sidebar:
        place = st.container()
        settings = choose_settings(benchmark)
        with place:
            ids = [*method_ids(), *(method for method in benchmark.methods if method not in SELECTORS)]
            leader = first_of(settings)
            method = controls.choose(
                "Method", ids, "method", leader, name=method_option, help="Whose card is shown below the leaderboard."
            )
        with st.expander("View"):
            methods = max(len(benchmark.methods), SHOWN + 1)
            shown = controls.whole("Methods in the figure", "shown", SHOWN, 5, methods)
            in_diagram = controls.whole(
                "Methods in the diagram",
                "diagram",
                IN_DIAGRAM,
                3,
                MOST_IN_DIAGRAM,
                help="How many of the best methods are tested against each other below the leaderboard.",
            )
    view.choose_view()
    return MethodsView(explorer, st.session_state["data"], method, settings, shown, in_diagram)


def first_of(settings: LeaderboardSettings) -> str:
    """The leader, whose card is shown unless another is asked for."""
    try:
        return str(ranked(*where(), settings).table.index[0])
    except ParameterError:
        return method_ids()[0]


def picture(chosen: MethodsView, board: Leaderboard) -> None:
    left, right = view.columns("ranks", [1, 1])
    table = board.table.head(chosen.shown)
    of = (where(), chosen.settings, chosen.method)
    opened = partial(choose_point, list(board.table.index))
    with left:
        ranked_methods = list(board.table.index)
        draw = partial(rank_intervals, table, methods=len(ranked_methods), among=ranked_methods, marked=chosen.method)
        exports.figure(draw, "leaderboard", "ranks", of=(*of, chosen.shown), on_click=opened)
    with right:
        draw = partial(rank_against_time, board.table, marked=chosen.method)
        exports.figure(draw, "rank-and-time", "times", of=of, on_click=opened)


def caption(benchmark: Benchmark, board: Leaderboard) -> None:
    st.caption(
        f"{board.settings.text}; parameters: {SETTING_NAMES[board.settings.setting]}; "
        f"{joined(map(literal, board.datasets))}. No method is both better and quicker than those on the dotted line. "
        f"{'' if view.presenting() else 'Click a method to open its card below.'}"
    )
    for note in (*board.notes(), *benchmark.notes()):
        st.caption(literal(note))


def choose_row(methods: list[str]) -> None:
    """A click on a row of the leaderboard opens the card of its method."""
    rows = st.session_state["board-table"]["selection"]["rows"]
    if rows:
        st.session_state["method"] = methods[rows[0]]


def choose_point(methods: Sequence[str], click: Click) -> None:
    """A click on a method in a figure opens its card."""
    named = click.names.get("method")
    chosen = next((method for method in methods if setting_title(method) == named), None)
    if chosen is not None:
        st.session_state["method"] = chosen


def show_advice(chosen: MethodsView, benchmark: Benchmark, board: Leaderboard) -> None:
    ds = chosen.explorer.ds
    st.subheader(f"Advice for {literal(ds.name)}", anchor=False)
    known = st.session_state.setdefault(DESCRIBED, {})
    if ds.fingerprint not in known:
        known[ds.fingerprint] = describe(ds, ds.name)
    advice = advise(benchmark, known[ds.fingerprint], board)
    if advice is None:
        st.markdown("**The benchmark has too few data sets of this kind to give advice.** Choose more in the sidebar.")
        return
    st.markdown(literal(advice.sentence()))
    st.caption(literal(advice.evidence()))
    words = ",".join([*advice.shortlist, "random", "all_features"])
    there = {"sets": chosen.data, "methods": words}
    label = f":primary[**Compare these {len(advice.shortlist)} on {literal(ds.name)} →**]"
    st.page_link("compare.py", label=label, query_params=there, width="content")
    table = advice.shown()
    exports.table(to_styler(table, decimals=1, escape=False), table, f"{ds.name}-advice", "advice", hide_index=True)


def show_board(chosen: MethodsView, board: Leaderboard) -> None:
    st.subheader("Leaderboard", anchor=False)
    st.caption(
        "Tick the box of a row to open the card of its method below the table. On the front: no method is both better "
        "and quicker."
    )
    table = board_table(board)
    exports.table(
        to_styler(table, decimals=2, escape=False),
        table,
        "leaderboard",
        "board",
        hide_index=True,
        column_config={"Method": st.column_config.Column(pinned=True)},
        height=420,
        selection_mode="single-row",
        on_select=partial(choose_row, list(board.table.index)),
    )
    verdict = board.verdict(chosen.in_diagram)
    if verdict is not None:
        st.markdown(f"**Critical difference of the best {chosen.in_diagram}**")
        diagram = verdict_diagram(verdict, chosen.settings.metric, among=list(board.table.index))
        exports.figure(diagram, "critical-difference", "diagram")
        st.caption(
            "Nemenyi's test at 5%, with these methods ranked among themselves. They were chosen because they are the "
            "best here, so the test is a little kinder to them than it would be to methods chosen beforehand."
        )


def show_card(chosen: MethodsView, benchmark: Benchmark, board: Leaderboard) -> None:
    overlap, stable = likeness(*where())
    known = card(benchmark, chosen.method, board, overlap, stable)
    st.subheader(f"Card: {literal(known.name)}", anchor=False)
    st.markdown(f"**{literal(known.standing(board))}** {literal(known.wins_and_losses())}")
    there = link.current().address_of("Explore") | {"data": chosen.data, "method": chosen.method}
    st.page_link("explore.py", label=":primary[**Open in Explore →**]", query_params=there, width="content")
    left, right = view.columns("card", [1, 1])
    with left:
        if chosen.method in SELECTORS:
            explain(chosen.method)
        # No word of this sentence is anybody's own, so that its formula may be one.
        grows = known.cost("${symbol}^{{{exponent:.1f}}}$", " · ")
        st.markdown(f"**Time** {literal(time_and_memory(known))} {grows}")
        st.markdown(f"**Stability** {literal(known.stability_sentence())}")
        st.markdown(f"**Relatives** {literal(known.relatives_sentence())}")
        if entry := bibtex(chosen.method) if chosen.method in SELECTORS else "":
            st.code(entry, language="bibtex", wrap_lines=True)
    with right:
        exports.figure(
            partial(ranks_by_dataset, known.ranks, len(board.table), method=chosen.method),
            f"{chosen.method}-ranks",
            "card-ranks",
        )
        show_measured(known, benchmark)


def show_measured(known: Card, benchmark: Benchmark) -> None:
    st.markdown(f"**Parameters** {literal(sensitivity_sentence(known.sensitivity, known.method))}")
    if len(known.sensitivity):
        draw = partial(parameter_changes, known.sensitivity, metric_title(CRITERION).lower(), method=known.method)
        exports.figure(draw, f"{known.method}-parameters", "card-parameters")
        st.caption(
            "One parameter changed at a time, judged within the training rows; the line runs from the smallest change "
            "of the loss on any data set to the largest."
        )
    if known.growth_known:
        exports.figure(partial(growth, growth_lines(benchmark, known.method)), f"{known.method}-growth", "card-growth")


def show_map(chosen: MethodsView, board: Leaderboard) -> None:
    overlap, _ = likeness(*where())
    st.subheader("Map of methods", anchor=False)
    if overlap.isna().all().all():
        st.markdown("The map needs data sets with more features than the benchmark has.")
        return
    placed = placed_on_map(overlap)
    near = list(overlap[chosen.method].drop(chosen.method).nlargest(5).index) if chosen.method in overlap else []
    names = list(dict.fromkeys([*near, *board.table.index[:5], "random"]))
    exports.figure(
        partial(method_map, placed, named=names, marked=chosen.method),
        "map-of-methods",
        "map",
        of=(where(), chosen.method, tuple(names)),
        on_click=partial(choose_point, list(placed.index)),
    )
    st.caption(
        f"The nearer two methods are, the more of their first {COMPARED} features they share on the same rows (Jaccard "
        f"overlap, mean over data sets). Two dimensions show {placed.attrs['share']:.0%} of the differences. "
        "Click a method to open its card."
    )


def show_papers() -> None:
    table = correlations_table(agreement(*where()))
    shown = to_styler(table, decimals=2, escape=False)
    exports.table(shown, table, "agreement-with-papers", "agreement", hide_index=True)
    st.caption(
        "Rank correlation between the average ranks that a paper's table gives its methods and those here (1: the same "
        "order, −1: the opposite one), over all data sets of each and over those that both have. Each paper has its "
        "own splits, sizes and settings, so low agreement refutes nobody."
    )


def show_about(benchmark: Benchmark) -> None:
    st.caption(HOW.format(limits=benchmark.limits.text))
    st.caption(literal(benchmark.provenance()))
    table = coverage(benchmark)
    st.caption("Below each classifier: methods × splits. Tuned: how many methods were tuned, too.")
    shown = table.style.format("{:,}", subset=list(table.select_dtypes("number")))
    exports.table(shown, table, "coverage", "coverage", hide_index=True)


def main() -> None:
    benchmark = kept(*where())
    chosen = read_controls(benchmark)
    view.page_header()
    board = ranked(*where(), chosen.settings)
    st.markdown(f"**{literal(board.sentence())}**")
    picture(chosen, board)
    caption(benchmark, board)
    view.let_paint()
    if view.presenting():
        return
    show_advice(chosen, benchmark, board)
    show_board(chosen, board)
    show_card(chosen, benchmark, board)
    show_map(chosen, board)
    st.subheader("What was run", anchor=False)
    show_about(benchmark)
    exports.folded("Agreement with the papers", "agreement", show_papers)
    exports.recipes(partial(methods_leaderboard, chosen.settings, chosen.method))


main()
