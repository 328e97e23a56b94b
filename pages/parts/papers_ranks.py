"""The order of the methods as published and as measured: slopes, correlations, and a diagram of each."""

from __future__ import annotations

import math

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mlfs.papers import PublishedRanks, published_ranks
from mlfs.papers.beside import RankAgreement, RanksBeside, beside_ranks, rank_agreement
from mlfs.papers.experiments import Experiment
from mlfs.papers.paper import PublishedTable
from mlfs.plots import critical_difference_diagram, rank_slopes
from mlfs.results import setting_title
from mlfs.tables.sheet import NOTHING, word
from mlfs.wording import count
from pages.parts import takeaway, view
from pages.parts.words import literal

TESTS = {"bonferroni_dunn": "Bonferroni–Dunn", "nemenyi": "Nemenyi"}


def show(experiment: Experiment, table: PublishedTable, rows: pd.DataFrame, metric: str | None) -> None:
    """Of a table that ranks methods: both orders, how far they agree, and both diagrams."""
    where = (experiment.paper, table.table, rows, metric)
    agreement = rank_agreement(*where) if len(rows) else None
    name = "-".join(filter(None, (experiment.paper, experiment.result, metric)))
    if agreement is not None:
        st.subheader("The order of the methods, published and measured", anchor=False)
        _show_agreement(agreement, name)
        show_diagrams(beside_ranks(*where), name)
    if table.rank_test is not None:
        _show_published(published_ranks(experiment.paper, table.table, metric), name, agreement is not None)


def show_diagrams(ranks: RanksBeside, name: str) -> None:
    """Published and measured side by side; on a narrow screen, or in large type, below each other."""
    if ranks.measured is None:
        st.caption(literal(ranks.reason))
        return
    sides = {"Published": ranks.published, "Measured": ranks.measured}
    known = {side: own for side, own in sides.items() if own is not None}
    places = [st.container() for _ in known] if view.presenting() else st.columns(len(known), gap="medium")
    for place, (side, own) in zip(places, known.items(), strict=True):
        with place:
            takeaway.figure(_diagram(own, side), f"{name}-cd-{side.lower()}")
            st.caption(literal(_tested(own)))
    told = "" if ranks.published is not None else " The paper prints no numbers of this metric."
    st.caption(literal(f"On the data sets with all methods: {', '.join(ranks.datasets)}.{told}"))


def _show_agreement(agreement: RankAgreement, name: str) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        takeaway.figure(rank_slopes(agreement.ranks), f"{name}-slopes")
    with right:
        words = agreement.by_dataset.rename(
            columns={"dataset": "Data set", "spearman": "Spearman", "kendall": "Kendall"}
        ).drop(columns="methods")
        shown = words.style.format(_signed, subset=["Spearman", "Kendall"])
        st.markdown(_correlation(agreement))
        takeaway.table(shown, agreement.by_dataset, f"{name}-agreement", hide_index=True, placeholder=NOTHING)


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


def _show_published(ranks: PublishedRanks, name: str, folded: bool) -> None:
    """The test as the paper makes it, on all its data sets; out of the way where both sides are shown."""
    title = "Average ranks of all published numbers"
    if not folded:
        st.subheader(title, anchor=False)
    with st.expander(title) if folded else st.container():
        takeaway.figure(_diagram(ranks, None), f"{name}-ranks")
        printed = "–" if ranks.printed_F is None else f"{ranks.printed_F:g}"
        st.caption(
            f"{_test(ranks)} Friedman's F_F of the printed values is {ranks.friedman.F:.3f}, and the paper prints "
            f"{printed}; the critical difference is {ranks.critical_difference:.4f}, and the paper prints "
            f"{ranks.printed_critical_difference:g}. Printed values are rounded, so some tie that did not."
        )


def _diagram(ranks: PublishedRanks, title: str | None) -> go.Figure:
    return critical_difference_diagram(
        ranks.average_ranks, ranks.critical_difference, control=ranks.control, metric=ranks.metric, title=title
    )


def _tested(ranks: PublishedRanks) -> str:
    found = ranks.friedman
    return (
        f"{_test(ranks)} F_F = {found.F:.3f}, critical value {found.critical_value(ranks.alpha):.3f}; "
        f"critical difference {ranks.critical_difference:.3f}."
    )


def _test(ranks: PublishedRanks) -> str:
    against = f" with {setting_title(ranks.control)} as the control" if ranks.control else ""
    return f"{TESTS[ranks.test]}'s test at {ranks.alpha:.0%}{against}."
