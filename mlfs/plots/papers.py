"""The pictures that only the papers have: ranks as published and as measured, numbers of selected features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.metrics import metric_title
from mlfs.plots.canvas import (
    HEIGHT,
    ROW,
    axis,
    draw,
    finite,
    legend_rows,
    log_range,
    log_ticks,
    named_axis,
    nothing_yet,
    text_width,
)
from mlfs.plots.curves import curves
from mlfs.plots.palette import SYMBOLS, colour_at, dash_at, styles_of
from mlfs.plots.wording import level, listing, plain

SIDES = ("published", "measured")
NAME = 18  # pixels that a name takes on the side of the slopes


def rank_slopes(ranks: pd.DataFrame, *, title: str | None = None) -> go.Figure:
    """Average ranks as published on the left, as measured on the right; lines that cross are orders that changed.

    Parameters
    ----------
    ranks : one row per method, with the columns of SIDES, as `mlfs.papers.beside.rank_agreement` gives
    """
    known = ranks[list(SIDES)].dropna()
    height = max(HEIGHT, NAME * 1.3 * len(known) + 70)
    if len(known) < 2:
        return nothing_yet("ranks need two methods that have both numbers", title, height)
    styles = styles_of(known.index)
    values = finite(known)
    low, high = float(values.min()), float(values.max())
    data: list[dict[str, Any]] = []
    for row, method in enumerate(known.index):
        style = styles[method]
        data.append(
            {
                "type": "scatter",
                "x": [0, 1],
                "y": values[row],
                "mode": "lines+markers",
                "name": plain(style.name),
                "line": style.line(),
                "marker": style.marker(),
                "hovertemplate": f"{plain(style.name)}: %{{y:.2f}}<extra></extra>",
            }
        )
    room = (high - low) / max(height - 70, 1) * NAME or 1.0
    names = [styles[method].name for method in known.index]
    for side in (0, 1):
        room_before, room_after = ("&nbsp;" * 2, "") if side else ("", "&nbsp;" * 2)
        words = [
            f"{room_before}{plain(name)} {rank:.2f}{room_after}"
            for name, rank in zip(names, values[:, side], strict=True)
        ]
        data.append(
            {
                "type": "scatter",
                "x": [side] * len(words),
                "y": _apart(values[:, side], room),
                "mode": "text",
                "text": words,
                "textposition": "middle right" if side else "middle left",
                "showlegend": False,
                "hoverinfo": "skip",
                "cliponaxis": False,
            }
        )
    wide = max(text_width(f"{name} 0.00") for name in names) + 20
    layout = {
        "xaxis": named_axis(list(SIDES), range=[-0.04, 1.04], side="top", fixedrange=True),
        "yaxis": axis(None, range=[high + room, low - room], showticklabels=False, showgrid=False, zeroline=False),
        "margin": {"l": wide, "r": wide, "t": 34, "b": 8, "pad": 0},
        "showlegend": False,
        "hovermode": "closest",
    }
    order = np.argsort(values[:, 0], kind="stable")
    told = [f"{names[i]} {values[i, 0]:.2f} and {values[i, 1]:.2f}" for i in order]
    alt = f"Average ranks of {len(known)} methods, 1 being best, published and measured: {listing(told, 12)}."
    return draw(data, layout, alt=alt, title=title, height=height)


def counts_against_alpha(table: pd.DataFrame, *, title: str | None = None) -> go.Figure:
    """How many features are selected for each α, one line per data set, on a log axis (Zhou & Guo 2023, Fig. 1).

    Parameters
    ----------
    table : columns dataset, alpha and value, the mean number of features
    """
    rows = table[finite(table["value"]) > 0]
    if rows.empty:
        return nothing_yet("the counts appear once MAPD has run", title)
    data = [
        {
            "type": "scatter",
            "x": own["alpha"].to_numpy(dtype=float),
            "y": own["value"].to_numpy(dtype=float),
            "mode": "lines+markers",
            "name": plain(name),
            "line": {"color": colour_at(place), "dash": dash_at(place), "width": 2},
            "marker": {"size": 7, "symbol": SYMBOLS[place // 6 % len(SYMBOLS)]},
            "hovertemplate": f"{plain(name)}, α = %{{x:g}}: %{{y:.1f}}<extra></extra>",
        }
        for place, (name, own) in enumerate(rows.groupby("dataset", sort=False))
    ]
    across = sorted(rows["alpha"].astype(float).unique())
    layout = {
        "xaxis": axis("α", tickvals=across, ticktext=[level(value) for value in across]),
        "yaxis": axis("Features selected (log axis)", **_counted(rows["value"])),
        "showlegend": True,
        "hovermode": "closest",
    }
    told = [
        f"{name} {own['value'].iloc[0]:.1f} to {own['value'].iloc[-1]:.1f}"
        for name, own in rows.groupby("dataset", sort=False)
    ]
    alt = f"Features selected for α from {across[0]:g} to {across[-1]:g}: {listing(told, 12)}."
    names = [str(trace["name"]) for trace in data]
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 19 * legend_rows(names))


def counts_by_method(table: pd.DataFrame, *, title: str | None = None) -> go.Figure:
    """How many features each method selects on each data set, on a log axis (Zhou & Guo 2023, Fig. 2).

    Parameters
    ----------
    table : columns dataset, method and value, the mean number of features
    """
    rows = table[finite(table["value"]) > 0]
    datasets = list(dict.fromkeys(rows["dataset"]))
    if rows.empty:
        return nothing_yet("the counts appear once the methods have run", title)
    styles = styles_of(dict.fromkeys(rows["method"]))
    data = []
    for place, (method, own) in enumerate(rows.groupby("method", sort=False)):
        style = styles[method]
        # A little beside each other: methods that select equally many would hide each other.
        shift = 0.16 * (place - (len(styles) - 1) / 2)
        data.append(
            {
                "type": "scatter",
                "x": own["value"].to_numpy(dtype=float),
                "y": [datasets.index(name) + shift for name in own["dataset"]],
                "mode": "markers",
                "name": plain(style.name),
                "marker": style.marker(9),
                "customdata": [plain(name) for name in own["dataset"]],
                "hovertemplate": f"{plain(style.name)} on %{{customdata}}: %{{x:.1f}}<extra></extra>",
            }
        )
    layout = {
        "xaxis": axis("Features selected (log axis)", **_counted(rows["value"])),
        "yaxis": named_axis([plain(name) for name in datasets], range=[len(datasets) - 0.4, -0.6], showgrid=True),
        "showlegend": True,
        "hovermode": "closest",
    }
    told = [
        f"{name}: " + ", ".join(f"{styles[row.method].name} {row.value:.1f}" for row in own.itertuples())
        for name, own in rows.groupby("dataset", sort=False)
    ]
    alt = f"Features selected on {len(datasets)} data sets. {listing(told, 12)}."
    names = [str(trace["name"]) for trace in data]
    height = 2.2 * ROW * max(len(datasets), 3) + 90
    return draw(data, layout, alt=alt, title=title, height=height + 19 * legend_rows(names))


def two_orders(
    table: pd.DataFrame, metric: str, *, names: Mapping[str, str], columns: int = 3, title: str | None = None
) -> go.Figure:
    """A loss against |Y| for two orders of the labels, a panel for each number of features (Lee & Kim 2016, Fig. 7).

    Parameters
    ----------
    table : columns order, n_labels, size, value and std
    names : order → what it is called
    """
    what = metric_title(metric)
    sizes = sorted(table["size"].unique())
    panels = {size: f"{what}, {size:.0f} features" for size in sizes}
    drawn = pd.DataFrame(
        {
            "method": table["order"].map(dict(names)),
            "size": table["n_labels"],
            "metric": table["size"].map(panels),
            "value": table["value"],
            "std": table["std"],
        }
    )
    figure = curves(drawn, metrics=list(panels.values()), columns=columns, x_title="|Y|", title=title)
    if figure.data:
        figure.layout.meta = {"alt": _orders_in_words(drawn, what)}
    return figure


def _orders_in_words(drawn: pd.DataFrame, what: str) -> str:
    told = []
    for panel, own in drawn.groupby("metric", sort=False):
        means = own.groupby("method", sort=False)["value"].mean()
        told.append(f"{panel}: " + ", ".join(f"{name} {value:.4f}" for name, value in means.items()))
    across = drawn["size"]
    return f"{what} against |Y| from {across.min():g} to {across.max():g}, mean over |Y|. {'. '.join(told)}."


def _counted(values: pd.Series) -> dict[str, Any]:
    """A log axis of counts; at least a power of ten, for less has no ticks to read from."""
    low, high = log_range(values.to_numpy(dtype=float))
    return log_ticks(min(low, np.floor(high)), max(high, np.ceil(low) + 0.05))


def _apart(values: Sequence[float] | np.ndarray, room: float) -> np.ndarray:
    """Places near the values, at least `room` from each other, in their order.

    >>> _apart([1.0, 1.1, 3.0], 0.5)
    array([0.8, 1.3, 3. ])
    """
    values = np.array(values, dtype=float)
    order = np.argsort(values, kind="stable")
    groups: list[list[int]] = [[int(i)] for i in order]

    def span(group: list[int]) -> tuple[float, float]:
        middle, half = values[group].mean(), room * (len(group) - 1) / 2
        return middle - half, middle + half

    merged: list[list[int]] = []
    for group in groups:
        merged.append(group)
        while len(merged) > 1 and span(merged[-1])[0] < span(merged[-2])[1] + room - 1e-9:
            last = merged.pop()
            merged[-1] = merged[-1] + last
    places = np.empty(len(values))
    for group in merged:
        places[group] = span(group)[0] + room * np.arange(len(group))
    return places.round(10)
