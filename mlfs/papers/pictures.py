"""The papers' figures from measured rows, drawn as the papers draw them."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go

from mlfs.papers.beside import RanksBeside, beside_ranks, measured_ranks
from mlfs.papers.experiments import Experiment
from mlfs.papers.registry import get_paper
from mlfs.plots import (
    counts_against_alpha,
    counts_by_method,
    curves,
    grid_heatmap,
    grid_surface,
    sensitivity_lines,
    two_orders,
)
from mlfs.selectors.specification import parse_method

ORDERS = {"max_entropy": "highest entropy first", "min_entropy": "lowest entropy first"}
SECONDS = "Seconds to select"
#: The papers that draw the 95 % confidence intervals of their means.
WITH_INTERVALS = ("sechidis_2014",)
#: Of GRRO, whose ACR sums the losses over so many features (Zhang et al. 2020, eq. 11).
ACR_SIZE = 30


def is_of_ranks(experiment: Experiment) -> bool:
    """Whether a figure shows critical-difference diagrams, one for each metric."""
    return not experiment.is_of_table and experiment.kind == "losses"


def is_by_dataset(experiment: Experiment) -> bool:
    """Whether a figure has one picture for each data set."""
    return not experiment.is_of_table and experiment.kind not in ("losses", "sizes")


def pictures(experiment: Experiment, rows: pd.DataFrame) -> dict[str, go.Figure]:
    """The pictures of a figure by a short name; `rows` are of one data set where `is_by_dataset` says so."""
    if experiment.kind == "curves" and experiment.paper in WITH_INTERVALS:
        return _curves(rows, "ci")
    return _DRAWN[experiment.kind](rows)


def figure_ranks(experiment: Experiment, rows: pd.DataFrame, metric: str, *, alpha: float = 0.05) -> RanksBeside:
    """The rank test behind one diagram of a figure; without the published side where the paper prints no such table."""
    ranked = [table for table in get_paper(experiment.paper).tables if table.rank_test]
    own = next((table for table in ranked if metric in table.metrics), None)
    if own is not None:
        return beside_ranks(experiment.paper, own.table, rows, metric, alpha=alpha)
    return measured_ranks(ranked[0], rows, metric, alpha)


def _curves(rows: pd.DataFrame, band: str = "std") -> dict[str, go.Figure]:
    return {"curves": curves(rows.rename(columns={"setting": "method"}).drop(columns="dataset"), band=band)}


def _times(rows: pd.DataFrame) -> dict[str, go.Figure]:
    named = rows.rename(columns={"setting": "method"}).drop(columns="dataset").assign(metric=SECONDS)
    return {"times": curves(named, log_y=True)}


def _sweep(rows: pd.DataFrame) -> dict[str, go.Figure]:
    told = pd.DataFrame([parse_method(setting)[1] for setting in rows["setting"]], index=rows.index)
    table = pd.concat([rows.drop(columns="dataset"), told], axis=1)
    metric = str(rows["metric"].iloc[0])
    if metric == "acr":
        return _acr(table)
    if "label_order" in table:
        named = table.rename(columns={"label_order": "order"})
        return {"orders": two_orders(named, metric, names=ORDERS)}
    return {"sweep": sensitivity_lines(table, "n_labels", metric, x_title="|Y|")}


def _acr(table: pd.DataFrame) -> dict[str, go.Figure]:
    """GRRO over α and β, GRRO-LS over k."""
    both = table[table["setting"].str.startswith("grro:")]
    grid = both.pivot_table("value", "alpha", "beta")
    k = table[table["setting"].str.startswith("grro_ls:")].assign(size=ACR_SIZE, metric="ACR")
    axes = (grid.to_numpy(), list(grid.index), list(grid.columns), "ACR")
    return {
        "surface": grid_surface(*axes),
        "k": sensitivity_lines(k, "k", "ACR"),
        "heatmap": grid_heatmap(*axes),
    }


def _sizes(rows: pd.DataFrame) -> dict[str, go.Figure]:
    if rows["setting"].str.contains("alpha=").any():
        alphas = [float(parse_method(setting)[1]["alpha"]) for setting in rows["setting"]]
        return {"counts": counts_against_alpha(rows.assign(alpha=alphas))}
    return {"counts": counts_by_method(rows.rename(columns={"setting": "method"}))}


_DRAWN: dict[str, Callable[[pd.DataFrame], dict[str, go.Figure]]] = {
    "curves": _curves,
    "noise": _curves,
    "times": _times,
    "sweep": _sweep,
    "sizes": _sizes,
}
