"""A result over a grid of two parameters as a surface: how flat the good region is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.metrics import metric_title
from mlfs.plots.canvas import draw, note, nothing_yet
from mlfs.plots.grid import Grid
from mlfs.plots.template import PALETTE
from mlfs.plots.wording import plain

SURFACE_HEIGHT = 440
# The graphics card mixes a transparent colour with white, whatever the page's ground is.
SOLID_GRID = "#9a9a9a"


def grid_surface(
    values: np.ndarray,
    alphas: Sequence[float] | np.ndarray,
    betas: Sequence[float] | np.ndarray,
    value: str = "ACR",
    *,
    names: tuple[str, str] = ("α", "β"),
    lower: bool | None = None,
    title: str | None = None,
) -> go.Figure:
    """The same as `heatmaps.grid_heatmap`, in three dimensions; the best point is marked."""
    grid = Grid.of(values, alphas, betas, value, names, lower)
    if grid.best is None:
        return nothing_yet("the surface appears as its runs finish", title, SURFACE_HEIGHT)
    if min(grid.values.shape) < 2:
        return nothing_yet("a surface needs two values of each parameter", title, SURFACE_HEIGHT)
    i, j = grid.best
    what = plain(metric_title(value))
    data: list[dict[str, Any]] = [
        {
            "type": "surface",
            "x": list(range(len(grid.alphas))),
            "y": list(range(len(grid.betas))),
            "z": grid.values.T,
            "colorscale": "Cividis",
            "customdata": grid.labels,
            "hovertemplate": f"%{{customdata}}<br>{what} %{{z:.4f}}<extra></extra>",
            "contours": {axis: {"show": True, "color": SOLID_GRID, "highlight": False} for axis in ("x", "y")},
            "showscale": False,  # the height says it already
        },
        {
            "type": "scatter3d",
            "x": [i],
            "y": [j],
            # A little above, or the surface would cover half of it.
            "z": [grid.values[i, j] + 0.03 * float(np.nanmax(grid.values) - np.nanmin(grid.values))],
            "mode": "markers",
            "marker": {"color": PALETTE[1], "size": 5},
            "hoverinfo": "skip",
            "showlegend": False,
        },
    ]
    scene = {
        "xaxis": scene_axis(grid.names[0], grid.alpha_words),
        "yaxis": scene_axis(grid.names[1], grid.beta_words),
        "zaxis": scene_axis(what),
        "aspectratio": {"x": 1, "y": 1, "z": 0.7},
        "camera": {"eye": {"x": 1.3, "y": -1.3, "z": 1.15}, "center": {"x": 0, "y": 0, "z": -0.15}},
    }
    layout = {
        "scene": scene,
        "margin": {"l": 0, "r": 0, "t": 24, "b": 0},
        "annotations": [note(grid.caption(), x=0, y=1, xanchor="left", yanchor="bottom")],
        "dragmode": "turntable",
    }
    return draw(data, layout, alt=f"Surface of {grid.describe()}", title=title, height=SURFACE_HEIGHT)


def scene_axis(title: str, words: list[str] | None = None) -> dict[str, Any]:
    """An axis in three dimensions without Plotly's grey walls, which a dark page would light up."""
    found: dict[str, Any] = {
        "title": {"text": title},
        "showbackground": False,
        "gridcolor": SOLID_GRID,
        "linecolor": SOLID_GRID,
        "zeroline": False,
        "showspikes": False,
        "nticks": 5,
    }
    if words is not None:
        # Every other, where they would crowd.
        step = 1 if len(words) <= 4 else 2
        found |= {"tickmode": "array", "tickvals": list(range(0, len(words), step)), "ticktext": words[::step]}
    return found
