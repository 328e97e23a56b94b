"""Features under two labels: who is selected, and who dominates the one looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.learn import Tournament
from mlfs.plots.canvas import HEIGHT, axis, draw
from mlfs.plots.palette import wash
from mlfs.plots.template import ACCENT, CLEAR, NEUTRAL, PALETTE
from mlfs.plots.wording import count, listing

HIGHLIGHT = PALETTE[1]


def dominance_map(
    model: Tournament, across: int, up: int, *, looked_at: int | None = None, title: str | None = None
) -> go.Figure:
    """Features as points; selected ones full, dominated ones pale, the front of the two labels as a dotted stair.

    Parameters
    ----------
    across, up : the two labels of the axes
    looked_at : a feature; arrows come to it from those that dominate it
    """
    x, y = model.uncertainty[:, across], model.uncertainty[:, up]
    stair = model.on_front(across, up)
    stair_order = np.flatnonzero(stair)[np.argsort(x[stair], kind="stable")]
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": x[stair_order],
            "y": y[stair_order],
            "mode": "lines",
            "line": {"shape": "vh", "color": ACCENT, "width": 1, "dash": "dot"},
            "name": "front of these two labels",
            "hoverinfo": "skip",
        }
    ]
    for inside, name, colour in ((True, "selected", ACCENT), (False, "dominated", wash(NEUTRAL, 0.55))):
        rows = np.flatnonzero(model.selected == inside)
        if len(rows):
            data.append(_points(model, rows, x, y, f"{name} ({len(rows)})", colour))
    arrows = []
    if looked_at is not None:
        data.append(
            {
                "type": "scatter",
                "x": [x[looked_at]],
                "y": [y[looked_at]],
                "mode": "markers",
                "marker": {"size": 20, "color": CLEAR, "line": {"color": HIGHLIGHT, "width": 2}},
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )
        arrows = [_arrow((x[rival], y[rival]), (x[looked_at], y[looked_at])) for rival in model.dominators[looked_at]]
    labels = model.label_names
    layout = {
        "xaxis": axis(f"SU with {labels[across]}", range=_range(x)),
        "yaxis": axis(f"SU with {labels[up]}", range=_range(y)),
        "annotations": arrows,
        "hovermode": "closest",
        "showlegend": True,
    }
    return draw(data, layout, alt=_told(model, across, up, looked_at), title=title, height=HEIGHT + 60)


def _points(
    model: Tournament, rows: np.ndarray, x: np.ndarray, y: np.ndarray, name: str, colour: str
) -> dict[str, Any]:
    names = model.feature_names
    return {
        "type": "scatter",
        "x": x[rows],
        "y": y[rows],
        "mode": "markers+text",
        "text": [names[row] for row in rows],
        "textposition": "top center",
        "name": name,
        "marker": {"color": colour, "size": 11},
        "customdata": [_rivals(model, row) for row in rows],
        "hovertemplate": "<b>%{text}</b><br>(%{x:.3f}, %{y:.3f})<br>%{customdata}<extra></extra>",
    }


def _rivals(model: Tournament, feature: int) -> str:
    rivals = [model.feature_names[rival] for rival in model.dominators[feature]]
    return f"dominated by {listing(rivals)}" if rivals else "dominated by none: selected"


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> dict[str, Any]:
    return {
        "x": end[0],
        "y": end[1],
        "ax": start[0],
        "ay": start[1],
        "xref": "x",
        "yref": "y",
        "axref": "x",
        "ayref": "y",
        "text": "",
        "showarrow": True,
        "arrowhead": 2,
        "arrowwidth": 1.5,
        "arrowcolor": wash(HIGHLIGHT, 0.7),
        "startstandoff": 7,
        "standoff": 11,
    }


def _range(values: np.ndarray) -> list[float]:
    """A little room for the names above the points."""
    high = float(values.max()) or 1.0
    return [-0.06 * high, 1.15 * high]


def _told(model: Tournament, across: int, up: int, looked_at: int | None) -> str:
    chosen = [name for name, inside in zip(model.feature_names, model.selected, strict=True) if inside]
    words = (
        f"{count(model.d, 'feature')} by SU with {model.label_names[across]} and {model.label_names[up]}; at α = "
        f"{model.alpha:g} a feature needs {model.needed} of {count(model.q, 'label')} to dominate, and "
        f"{len(chosen)} are selected{': ' + listing(chosen, 12) if chosen else ''}"
    )
    if looked_at is not None:
        words += f"; {model.feature_names[looked_at]} is {_rivals(model, looked_at)}"
    return f"{words}."
