"""Losses of ELS against |Y|: the figures of Lee & Kim 2016."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from mlfs.metrics import metric_title
from mlfs.papers.figures import with_parameters
from mlfs.plots import curves, sensitivity_lines

ORDERS = {"max_entropy": "highest entropy first", "min_entropy": "lowest entropy first"}


def sweep(rows: pd.DataFrame) -> dict[str, go.Figure]:
    """Figures 2, 3, 7 and 8 from measured rows."""
    table = with_parameters(rows.drop(columns="dataset"))
    metric = str(rows["metric"].iloc[0])
    if "label_order" in table:
        return {"orders": two_orders(table.rename(columns={"label_order": "order"}), metric)}
    return {"sweep": sensitivity_lines(table, "n_labels", metric, x_title="|Y|")}


def two_orders(table: pd.DataFrame, metric: str) -> go.Figure:
    """A loss against |Y| for two orders of the labels, a panel for each number of features (Lee & Kim 2016, Fig. 7).

    Parameters
    ----------
    table : columns order, n_labels, size, value and std
    """
    what = metric_title(metric)
    sizes = sorted(table["size"].unique())
    panels = {size: f"{what}, {size:.0f} features" for size in sizes}
    drawn = pd.DataFrame(
        {
            "method": table["order"].map(ORDERS),
            "size": table["n_labels"],
            "metric": table["size"].map(panels),
            "value": table["value"],
            "std": table["std"],
        }
    )
    figure = curves(drawn, metrics=list(panels.values()), columns=3, x_title="|Y|")
    if figure.data:
        figure.layout.meta = {**figure.layout.meta, "alt": _orders_in_words(drawn, what)}
    return figure


def _orders_in_words(drawn: pd.DataFrame, what: str) -> str:
    panels = []
    for panel, rows in drawn.groupby("metric", sort=False):
        means = rows.groupby("method", sort=False)["value"].mean()
        panels.append(f"{panel}: " + ", ".join(f"{name} {value:.4f}" for name, value in means.items()))
    across = drawn["size"]
    return f"{what} against |Y| from {across.min():g} to {across.max():g}, mean over |Y|. {'. '.join(panels)}."
