"""Matrices with named rows and columns, one below the other: labels by labels, features by labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.plots.figure import draw, finite, named_axis, note, plain, short_all
from mlfs.plots.heatmaps import DIVERGING, PALE

ROW, HEAD, NAMES = 22, 30, 88  # pixels: a row, the heading of a panel, the names below it
WRITTEN = 7  # columns up to which a cell has its number in it, which still fits on a telephone
LONGEST = 20  # letters of a name below a panel, which stand aslant


@dataclass(frozen=True, eq=False)
class Panel:
    """One matrix.

    Attributes
    ----------
    name : its heading
    values : (rows, columns); colours run from 0 to the largest, or to both sides of 0 where some are negative
    rows, columns : names
    most : the value of the full colour, where several panels share a scale
    """

    name: str
    values: np.ndarray
    rows: Sequence[str]
    columns: Sequence[str]
    most: float | None = None


def matrix_panels(panels: Sequence[Panel], *, title: str | None = None) -> go.Figure:
    """Heat maps with their numbers in them, each on a scale of its own unless `most` says otherwise."""
    heights = [ROW * len(panel.rows) for panel in panels]
    inner = sum(heights) + (HEAD + NAMES) * (len(panels) - 1)
    data: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"annotations": [], "showlegend": False, "hovermode": "closest"}
    top = 1.0
    for place, (panel, height) in enumerate(zip(panels, heights, strict=True)):
        suffix = "" if place == 0 else str(place + 1)
        bottom = top - height / inner
        data += _traces(panel, suffix)
        layout[f"xaxis{suffix}"] = named_axis(short_all(panel.columns, LONGEST), tickangle=-35, anchor=f"y{suffix}")
        layout[f"yaxis{suffix}"] = named_axis(
            short_all(panel.rows, 20), anchor=f"x{suffix}", domain=[max(bottom, 0.0), top], range=_upside_down(panel)
        )
        layout["annotations"].append(note(f"<b>{plain(panel.name)}</b>", x=0, y=top, xanchor="left", yanchor="bottom"))
        top = bottom - (HEAD + NAMES) / inner
    told = [_told(panel) for panel in panels]
    return draw(data, layout, alt=f"{'; '.join(told)}.", title=title, height=inner + NAMES + 40)


def _upside_down(panel: Panel) -> list[float]:
    return [len(panel.rows) - 0.5, -0.5]


def _traces(panel: Panel, suffix: str) -> list[dict[str, Any]]:
    values = finite(panel.values)
    most = panel.most or float(np.abs(values).max(initial=0.0)) or 1.0
    signed = bool((values < 0).any())
    axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
    cells = {
        "type": "heatmap",
        **axes,
        "x": list(range(values.shape[1])),
        "y": list(range(values.shape[0])),
        "z": values,
        "colorscale": DIVERGING if signed else PALE,
        "zmin": -most if signed else 0.0,
        "zmax": most,
        "xgap": 1,
        "ygap": 1,
        "showscale": False,
        "customdata": [[f"{plain(row)}, {plain(column)}" for column in panel.columns] for row in panel.rows],
        "hovertemplate": "%{customdata}: %{z:.4f}<extra></extra>",
    }
    if values.shape[1] > WRITTEN:
        return [cells]
    rows, columns = np.indices(values.shape).reshape(2, -1)
    numbers = {
        "type": "scatter",
        **axes,
        "x": columns,
        "y": rows,
        "mode": "text",
        # Without the minus of a rounded zero.
        "text": [f"{round(float(value), 2) + 0.0:.2f}".replace("-", "−") for value in values.ravel()],
        "textfont": {"size": 10},
        "hoverinfo": "skip",
    }
    return [cells, numbers]


def _told(panel: Panel) -> str:
    values = finite(panel.values)
    row, column = divmod(int(np.abs(values).argmax()), values.shape[1])
    return (
        f"{panel.name}, {values.shape[0]} × {values.shape[1]} from {values.min():.4f} to {values.max():.4f}, "
        f"largest for {panel.rows[row]} and {panel.columns[column]}"
    )
