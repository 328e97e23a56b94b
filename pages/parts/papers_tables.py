"""One table of a paper: published and measured pair by pair, as differences, or as the paper prints it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from mlfs.metrics import quantity
from mlfs.papers import PublishedTable, get_table, grid_sheet, published, styled_grid
from mlfs.papers.beside import is_of_times, reference
from mlfs.papers.beside_tables import (
    FULL,
    difference_grid,
    fewer_splits,
    not_measured,
    pairs,
    pairs_sheet,
    styled_differences,
    styled_pairs,
)
from mlfs.papers.experiments import Experiment
from mlfs.results import setting_title
from mlfs.tables.sheet import NOTHING
from pages.parts import controls, takeaway
from pages.parts.words import literal

PAIRS, DIFFERENCES, PUBLISHED = "pairs", "differences", "published"
LAYOUTS = {PAIRS: "Side by side", DIFFERENCES: "Differences", PUBLISHED: "As published"}
# Of a long table, so many rows are seen at once.
ROWS, HEIGHT = 14, 528


def choose_metric(table: PublishedTable) -> str | None:
    """The metric, where the table has several grids."""
    if table.is_of_statistics or len(table.metrics) == 1:
        return None
    return controls.choose_name("Metric", table.metrics, "metric", name=lambda metric: quantity(metric).title)


def show(experiment: Experiment, rows: pd.DataFrame, metric: str | None) -> str:
    """The table in the chosen layout, which is returned."""
    table = get_table(experiment.paper, experiment.number)
    found = pairs(experiment.paper, table.table, rows, metric) if len(rows) else pd.DataFrame()
    layout = _choose_layout(table) if len(found) else PUBLISHED
    name = "-".join(filter(None, (table.paper, experiment.result, metric)))
    if layout == PAIRS:
        _show_pairs(found, table, name)
    elif layout == DIFFERENCES:
        takeaway.table(
            styled_differences(found, table),
            difference_grid(found).reset_index(),
            f"{name}-differences",
            height="content",
            placeholder=NOTHING,
        )
    else:
        _show_published(table, metric, name)
    said = [_reading(table, metric, layout), table.note]
    if layout != PUBLISHED:
        said += [_difference(table), _coverage(experiment, rows), fewer_splits(experiment, rows)]
    st.caption(literal(" ".join(filter(None, said))))
    return layout


def _choose_layout(table: PublishedTable) -> str:
    known = [key for key in LAYOUTS if key != DIFFERENCES or len(table.methods) > 1]
    if st.session_state.get("layout") not in (None, *known):
        del st.session_state["layout"]  # of the table before; this one has a single column
    return controls.choose("Numbers", known, "layout", name=lambda key: LAYOUTS[key], style="segmented")


def _show_pairs(found: pd.DataFrame, table: PublishedTable, name: str) -> None:
    takeaway.table(
        styled_pairs(found, table),
        found,
        f"{name}-beside",
        latex=pairs_sheet(found, table),
        height=HEIGHT if len(found) > ROWS else "content",
        hide_index=True,
        placeholder=NOTHING,
    )


def _show_published(table: PublishedTable, metric: str | None, name: str) -> None:
    rows = published(table.paper, table.table)
    where = (table.paper, table.table, metric)
    takeaway.table(
        styled_grid(*where),
        rows if metric is None else rows[rows["metric"] == metric],
        name,
        latex=grid_sheet(*where),
        height="content",
    )


def _reading(table: PublishedTable, metric: str | None, layout: str) -> str:
    """How to read the numbers: the quantity, its unit, which way is better."""
    if table.is_of_statistics:
        return "Methods differ significantly where F_F is above the critical value."
    what = quantity(metric or table.metric)
    unit = f" in {what.unit}" if what.unit else ""
    if what.lower_is_better is None:
        return f"{what.title}{unit}."
    better = "lower" if what.lower_is_better else "higher"
    bold = ", and the best of each row is in bold" if layout == PUBLISHED else ""
    return f"{what.title}{unit}: {better} is better{bold}."


def _difference(table: PublishedTable) -> str:
    """What is subtracted, and what the colours say."""
    colours = f"blue where it is above, orange where below, in full colour from {FULL:.0%} of the published value on"
    bounded = (published(table.paper, table.table)["bound"] != "").any()
    beyond = " What lies beyond a printed bound has none." if bounded else ""
    if not is_of_times(table):
        return f"The difference is measured − published: {colours}, and without where rounding explains it.{beyond}"
    one = setting_title(reference(table))
    return (
        f"Their machine is not ours: times are compared as multiples of that of {one} on the same data set, and there "
        f"is none where the paper prints 0. The difference is that of the multiples: {colours}.{beyond}"
    )


def _coverage(experiment: Experiment, rows: pd.DataFrame) -> str:
    missing = not_measured(experiment, rows)
    return f"Not measured: {', '.join(missing)}." if missing else ""
