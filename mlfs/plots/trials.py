"""Trials of a search, drawn over the sweep of the same parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.plots.figure import PALETTE, alt_text, finite
from mlfs.wording import count

TRIAL, BEST = "#ffffff", PALETTE[1]


def with_trials(
    figure: go.Figure,
    trials: Sequence[Sequence[float]] | np.ndarray,
    values: Sequence[float] | np.ndarray,
    grid: Sequence[Sequence[float]],
    *,
    lower: bool = True,
    log: Sequence[bool] = (False, False),
) -> go.Figure:
    """A copy of a figure of `sensitivity_lines`, `curves`, `grid_heatmap` or `grid_surface` with the trials on it.

    Trials stand between the values of the grid where they were made; the best is marked. Their values come from
    validation rows, so that on a surface they float above or below it.

    Parameters
    ----------
    trials : (n, 1) or (n, 2) values of the parameters
    values : (n,) of the metric, NaN where a trial failed
    grid : the values of each parameter that the figure goes through
    log : whether a parameter is searched by factors
    """
    places, found = finite(trials), finite(values)
    known = np.isfinite(found)
    if not known.any():
        return figure
    best = int(np.nanargmin(found if lower else -found))
    if places.shape[1] == 2:
        columns = [_places(places[:, i], grid[i], log[i]) for i in range(2)]
        # One look for the flat and the solid picture; only the solid one has a height.
        solid = figure.data[0].type == "surface"
        axes = [*columns, found] if solid else columns
    else:
        solid, axes = False, [places[:, 0], found]
    words = [f"trial {number + 1}: {value:.4f}" for number, value in enumerate(found)]
    drawn = go.Figure(figure)
    for rows, name, colour, size in (
        (np.flatnonzero(known), "trials", TRIAL, 6),
        (np.array([best]), f"best trial: {found[best]:.4f}", BEST, 11),
    ):
        drawn.add_trace(_points([axis[rows] for axis in axes], [words[i] for i in rows], name, colour, size, solid))
    told = f"{alt_text(figure)} With {count(int(known.sum()), 'trial')} of a search, the best {found[best]:.4f}."
    return drawn.update_layout(meta={"alt": told})


def _places(values: np.ndarray, ticks: Sequence[float], log: bool) -> np.ndarray:
    """Where values stand on an axis on which the ticks are 0, 1, 2, …

    >>> _places(np.array([1.0, 10.0, 31.6227766]), [1, 100], True).round(2)
    array([0.  , 0.5 , 0.75])
    """
    marks = np.asarray(ticks, dtype=float)
    order = np.argsort(marks)
    if log and (marks > 0).all():
        values, marks = np.log(values), np.log(marks)
    return np.interp(values, marks[order], order.astype(float))


def _points(axes: list[np.ndarray], words: list[str], name: str, colour: str, size: int, solid: bool) -> dict[str, Any]:
    marker = {"color": colour, "size": size / 2 if solid else size, "line": {"color": "#000000", "width": 1}}
    return {
        "type": "scatter3d" if solid else "scatter",
        **dict(zip("xyz", axes, strict=False)),
        "mode": "markers",
        "name": name,
        "text": words,
        "hovertemplate": "%{text}<extra></extra>",
        "marker": marker,
        "showlegend": False,
    }
