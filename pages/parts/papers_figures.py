"""One figure of a paper, drawn from measured rows as the paper draws it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mlfs.metrics import quantity
from mlfs.papers import PublishedFigure
from mlfs.papers.beside_tables import fewer_splits, not_measured
from mlfs.papers.experiments import Experiment
from mlfs.papers.pictures import figure_ranks, is_by_dataset, is_of_ranks, pictures
from pages.parts import controls, papers_ranks, takeaway
from pages.parts.words import literal

OURS = "The paper prints no numbers behind this figure: what is drawn is measured here, in the same way."


def choose(experiment: Experiment, figure: PublishedFigure, rows: pd.DataFrame) -> str | None:
    """The data set or the metric of which there is one picture each; None where one picture shows all."""
    if is_by_dataset(experiment) and len(rows):
        return controls.choose_name("Data set", list(rows["dataset"].unique()), "set")
    if is_of_ranks(experiment):
        return controls.choose_name("Metric", figure.metrics, "metric", name=lambda metric: quantity(metric).title)
    return None


def show(experiment: Experiment, rows: pd.DataFrame, chosen: str | None) -> None:
    if rows.empty:
        return
    name = "-".join(filter(None, (experiment.paper, experiment.result, chosen)))
    drawn = rows
    if is_of_ranks(experiment):
        drawn = rows[rows["metric"] == chosen]
        papers_ranks.show_diagrams(figure_ranks(experiment, rows, str(chosen)), name)
    else:
        drawn = rows[rows["dataset"] == chosen] if is_by_dataset(experiment) else rows
        _draw(pictures(experiment, drawn), name, experiment.result)
    takeaway.downloads(drawn, name, f"{experiment.result}-rows")
    missing = not_measured(experiment, rows)
    said = [
        "" if is_of_ranks(experiment) else OURS,
        f"Not measured: {', '.join(missing)}." if missing else "",
        fewer_splits(experiment, drawn),
    ]
    st.caption(literal(" ".join(filter(None, said))))


def _draw(drawn: Mapping[str, go.Figure], name: str, key: str) -> None:
    """One picture as wide as the page, several in two columns."""
    places = st.columns(2, gap="medium") if len(drawn) > 1 else [st.container()]
    for place, (part, picture) in zip(cycle(places), drawn.items(), strict=False):
        with place:
            takeaway.figure(picture, f"{name}-{part}", f"{key}-{part}")
