"""One result of a paper: its table, published and measured, or its figure, and the order of the methods in both."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import cycle

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mlfs.metrics import quantity
from mlfs.papers import PublishedFigure, PublishedTable, published_ranks
from mlfs.papers.experiment import Experiment
from mlfs.papers.figures import draw_figure, is_by_dataset, is_of_ranks, rank_slopes
from mlfs.papers.paper import ResultName
from mlfs.papers.published import grid_sheet, styled_grid
from mlfs.papers.published_vs_measured import is_of_times, reference
from mlfs.papers.published_vs_measured_tables import (
    FULL,
    difference_grid,
    fewer_splits,
    not_measured,
    pairs,
    pairs_sheet,
    styled_differences,
    styled_pairs,
)
from mlfs.papers.ranks import RankAgreement, RankTest, RankTests, figure_ranks, rank_agreement, rank_tests
from mlfs.plots import critical_difference_diagram
from mlfs.results import setting_title
from mlfs.tables.sheet import NOTHING, word
from mlfs.wording import count
from pages.parts import controls, exports, view
from pages.parts.papers_runs import ShownRows
from pages.parts.words import literal

PAIRS, DIFFERENCES, PUBLISHED = "pairs", "differences", "published"
LAYOUTS = {PAIRS: "Side by side", DIFFERENCES: "Differences", PUBLISHED: "As published"}
# Of a long table, so many rows are seen at once.
ROWS, HEIGHT = 14, 528
OURS = "The paper prints no numbers behind this figure: what is drawn is measured here, in the same way."
TESTS = {"bonferroni_dunn": "Bonferroni–Dunn", "nemenyi": "Nemenyi"}


def choose_metric(table: PublishedTable) -> str | None:
    """The metric, where the table has several grids."""
    if table.is_of_statistics or len(table.metrics) == 1:
        return None
    return controls.choose_name("Metric", table.metrics, "metric", name=lambda metric: quantity(metric).title)


def show_table(experiment: Experiment, table: PublishedTable, shown: ShownRows, metric: str | None) -> str:
    """The table in the chosen layout, which is returned."""
    rows, where = shown.rows, (table.paper, table.result, shown.rows, metric)
    both = shown.once(("pairs", metric), lambda: pairs(*where)) if len(rows) else pd.DataFrame()
    layout = _choose_layout(table) if len(both) else PUBLISHED
    name = _file_name(table, metric)
    if layout == PAIRS:
        _show_pairs(both, table, name)
    elif layout == DIFFERENCES:
        grid, how = difference_grid(both).reset_index(), {"height": "content"}
        exports.table(styled_differences(both, table), grid, f"{name}-differences", **how)
    else:
        _show_published(table, metric, name)
    said = [_reading(table, metric, layout), table.note]
    if layout != PUBLISHED:
        said += [_difference(table), _coverage(experiment, rows), fewer_splits(experiment, rows)]
    _say(*said)
    return layout


def _file_name(result: ResultName, part: str | None) -> str:
    return "-".join(filter(None, (result.paper, result.result, part)))


def _say(*sentences: str) -> None:
    """Those that there are, as one paragraph."""
    st.caption(literal(" ".join(filter(None, sentences))))


def _choose_layout(table: PublishedTable) -> str:
    known = [key for key in LAYOUTS if key != DIFFERENCES or len(table.methods) > 1]
    if st.session_state.get("layout") not in (None, *known):
        del st.session_state["layout"]  # of the table before; this one has a single column
    return controls.choose("Numbers", known, "layout", name=lambda key: LAYOUTS[key], style="segmented")


def _show_pairs(both: pd.DataFrame, table: PublishedTable, name: str) -> None:
    how = {"height": HEIGHT if len(both) > ROWS else "content", "hide_index": True}
    exports.table(styled_pairs(both, table), both, f"{name}-beside", latex=pairs_sheet(both, table), **how)


def _show_published(table: PublishedTable, metric: str | None, name: str) -> None:
    rows, where = table.rows, (table.paper, table.result, metric)
    rows = rows if metric is None else rows[rows["metric"] == metric]
    exports.table(styled_grid(*where), rows, name, latex=grid_sheet(*where), height="content")


def _reading(table: PublishedTable, metric: str | None, layout: str) -> str:
    """How to read the numbers: the quantity, its unit, which way is better."""
    if table.is_of_statistics:
        return "Methods differ significantly where Friedman's F is above the critical value."
    what = quantity(metric or table.metric)
    unit = f" in {what.unit}" if what.unit else ""
    if what.lower_is_better is None:
        return f"{what.title}{unit}."
    better = "lower" if what.lower_is_better else "higher"
    bold = ", and the best of each row is in bold" if layout == PUBLISHED else ""
    return f"{what.title}{unit}: {better} is better{bold}."


def _difference(table: PublishedTable) -> str:
    """What is subtracted, and what the colours say."""
    colours = f"blue is above, orange below, in full colour from {FULL:.0%} of the published value"
    bounded = (table.rows["bound"] != "").any()
    beyond = " Where ours lies beyond a bound that the paper prints, there is no difference." if bounded else ""
    if not is_of_times(table):
        return f"The difference is measured − published: {colours}, and no colour where rounding explains it.{beyond}"
    divisor = setting_title(reference(table))
    return (
        f"The paper's machine is not ours, so times are given as multiples of that of {divisor} on the same data "
        f"set, except where the paper prints 0. The difference is that of the multiples: {colours}.{beyond}"
    )


def _coverage(experiment: Experiment, rows: pd.DataFrame) -> str:
    missing = not_measured(experiment, rows)
    return f"Not measured: {', '.join(missing)}." if missing else ""


def choose_part(experiment: Experiment, figure: PublishedFigure, rows: pd.DataFrame) -> str | None:
    """The data set or the metric of which there is one picture each; None where one picture shows all."""
    if is_by_dataset(experiment) and len(rows):
        return controls.choose_name("Data set", list(rows["dataset"].unique()), "set")
    if is_of_ranks(experiment):
        return controls.choose_name("Metric", figure.metrics, "metric", name=lambda metric: quantity(metric).title)
    return None


def show_figure(experiment: Experiment, shown: ShownRows, chosen: str | None) -> None:
    rows = shown.rows
    if rows.empty:
        return
    name = _file_name(experiment, chosen)
    if is_of_ranks(experiment):
        drawn = rows[rows["metric"] == chosen]
        _show_diagrams(shown.once(("ranks", chosen), lambda: figure_ranks(experiment.paper, rows, str(chosen))), name)
    else:
        drawn = rows[rows["dataset"] == chosen] if is_by_dataset(experiment) else rows
        _draw(draw_figure(experiment, drawn), name, experiment.result)
    exports.downloads(drawn, name, f"{experiment.result}-rows")
    ours = "" if is_of_ranks(experiment) else OURS
    _say(ours, _coverage(experiment, rows), fewer_splits(experiment, drawn))


def _draw(drawn: Mapping[str, go.Figure], name: str, key: str) -> None:
    """One picture as wide as the page, several in two columns."""
    places = view.columns(f"{key}-parts", [1, 1]) if len(drawn) > 1 else [st.container()]
    for place, (part, picture) in zip(cycle(places), drawn.items(), strict=False):
        with place:
            exports.figure(picture, f"{name}-{part}", f"{key}-{part}")


def show_ranks(table: PublishedTable, shown: ShownRows, metric: str | None) -> None:
    """Of a table that ranks methods: both orders, how far they agree, and both diagrams."""
    where = (table.paper, table.result, shown.rows, metric)
    agreement = shown.once(("agreement", metric), lambda: rank_agreement(*where)) if len(shown.rows) else None
    name = _file_name(table, metric)
    if agreement is not None:
        st.subheader("The order of the methods, published and measured", anchor=False)
        _show_agreement(agreement, name)
        _show_diagrams(shown.once(("ranks", metric), lambda: rank_tests(*where)), name)
    if table.rank_test is not None:
        printed = shown.once(("published", metric), lambda: published_ranks(table.paper, table.result, metric))
        _show_published_ranks(printed, name, agreement is not None)


def _show_diagrams(ranks: RankTests, name: str) -> None:
    """Published and measured side by side; on a narrow screen, or in large type, below each other."""
    if ranks.measured is None:
        st.caption(literal(ranks.reason))
        return
    sides = {"Published": ranks.published, "Measured": ranks.measured}
    known = {side: test for side, test in sides.items() if test is not None}
    places = [st.container() for _ in known] if view.presenting() else view.columns("ranks", [1] * len(known))
    for place, (side, test) in zip(places, known.items(), strict=True):
        with place:
            exports.figure(_diagram(test, side), f"{name}-cd-{side.lower()}")
            st.caption(literal(_tested(test)))
    unprinted = "" if ranks.published is not None else " The paper prints no numbers for this metric."
    st.caption(literal(f"Over the data sets on which all methods were run: {', '.join(ranks.datasets)}.{unprinted}"))


def _show_agreement(agreement: RankAgreement, name: str) -> None:
    left, right = view.columns("agreement", [3, 2])
    with left:
        exports.figure(rank_slopes(agreement.ranks), f"{name}-slopes")
    with right:
        words = agreement.by_dataset.rename(
            columns={"dataset": "Data set", "spearman": "Spearman", "kendall": "Kendall"}
        ).drop(columns="methods")
        shown = words.style.format(_signed, subset=["Spearman", "Kendall"])
        st.markdown(_correlation(agreement))
        exports.table(shown, agreement.by_dataset, f"{name}-agreement", hide_index=True)


def _correlation(agreement: RankAgreement) -> str:
    if not math.isfinite(agreement.spearman):
        return "One of the two orders ranks all methods alike: there is no correlation."
    over = count(len(agreement.datasets), "data set")
    return (
        f"Average ranks over {over}: Spearman **{_signed(agreement.spearman)}**, "
        f"Kendall **{_signed(agreement.kendall)}**. On each data set alone:"
    )


def _signed(correlation: float) -> str:
    return word(correlation, 2)


def _show_published_ranks(ranks: RankTest, name: str, folded: bool) -> None:
    """The test as the paper makes it, on all its data sets; out of the way where both sides are shown."""
    title = "Average ranks of all published numbers"
    if not folded:
        st.subheader(title, anchor=False)
    with st.expander(title) if folded else st.container():
        exports.figure(_diagram(ranks, None), f"{name}-ranks")
        F, difference = (
            NOTHING if printed is None else f"{printed:g}"
            for printed in (ranks.printed_F, ranks.printed_critical_difference)
        )
        st.caption(
            f"{_test(ranks)} Friedman's F of the printed values is {ranks.friedman.F:.3f}, and the paper prints "
            f"{F}; the critical difference is {ranks.critical_difference:.4f}, and the paper prints "
            f"{difference}. Printed values are rounded, so some tie that did not; as in the paper, F is not "
            "corrected for ties."
        )


def _diagram(ranks: RankTest, title: str | None) -> go.Figure:
    return critical_difference_diagram(
        ranks.average_ranks, ranks.critical_difference, control=ranks.control, metric=ranks.metric, title=title
    )


def _tested(ranks: RankTest) -> str:
    result = ranks.friedman
    return (
        f"{_test(ranks)} F = {result.F:.3f} without correction for ties, critical value "
        f"{result.critical_value(ranks.alpha):.3f}; critical difference {ranks.critical_difference:.3f}."
    )


def _test(ranks: RankTest) -> str:
    against = f" with {setting_title(ranks.control)} as the control" if ranks.control else ""
    return f"{TESTS[ranks.test]}'s test at {ranks.alpha:.0%}{against}."
