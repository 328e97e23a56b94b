"""The four matrices of the GRRO system side by side, with their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.learn import System
from mlfs.learn.system import FEATURES, LABELS
from mlfs.plots.canvas import draw, named_axis, note
from mlfs.plots.palette import wash
from mlfs.plots.template import ACCENT, PALETTE

SIZE = 430
# Pale enough for the page's ink in light and dark.
COLOURS = [[0, wash(PALETTE[1], 0.7)], [0.5, "rgba(128, 128, 128, 0.08)"], [1, wash(ACCENT, 0.7)]]
#: Where each matrix stands: columns and rows of the figure as shares of it.
LEFT, RIGHT, UPPER, LOWER = [0.0, 0.44], [0.56, 1.0], [0.57, 0.94], [0.0, 0.37]


def system_matrices(model: System, *, title: str | None = None) -> go.Figure:
    """C and Z on one scale, so that it shows how much of the relevance is left; G and R on their own, from 0 to 1."""
    limit = float(max(np.abs(model.C).max(), np.abs(model.Z).max())) or 1.0
    pieces = (
        ("C: relevance M(f;l)", model.C, FEATURES, LABELS, limit, LEFT, UPPER),
        ("Z: the solution", model.Z, FEATURES, LABELS, limit, RIGHT, UPPER),
        ("G: shared M(f;f')", model.G, FEATURES, FEATURES, 1.0, LEFT, LOWER),
        ("R: label distance", model.R, LABELS, LABELS, 1.0, RIGHT, LOWER),
    )
    data: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"showlegend": False, "annotations": []}
    for position, (name, values, rows, columns, most, across, up) in enumerate(pieces, 1):
        number = "" if position == 1 else str(position)
        data += [_cells(name[0], values, rows, columns, most, number), _numbers(values, number)]
        layout[f"xaxis{number}"] = named_axis(list(columns), domain=across, anchor=f"y{number}")
        layout[f"yaxis{number}"] = named_axis(list(rows), domain=up, anchor=f"x{number}", range=[len(rows) - 0.5, -0.5])
        layout["annotations"].append(note(f"<b>{name}</b>", x=across[0], y=up[1], xanchor="left", yanchor="bottom"))
    best = " > ".join(f"{FEATURES[i]} {model.scores[i]:.4f}" for i in model.ranking)
    alt = (
        f"Matrices of the GRRO system at α = {model.alpha:g}, β = {model.beta:g}: C up to {model.C.max():.4f}, Z from "
        f"{model.Z.min():.4f} to {model.Z.max():.4f}; features by the length of their row of Z: {best}."
    )
    return draw(data, layout, alt=alt, title=title, height=SIZE)


def _cells(
    letter: str, values: np.ndarray, rows: tuple[str, ...], columns: tuple[str, ...], most: float, number: str
) -> dict[str, Any]:
    return {
        "type": "heatmap",
        "x": list(range(len(columns))),
        "y": list(range(len(rows))),
        "z": values,
        "xaxis": f"x{number}",
        "yaxis": f"y{number}",
        "colorscale": COLOURS,
        "zmin": -most,
        "zmax": most,
        "xgap": 1,
        "ygap": 1,
        "showscale": False,
        "customdata": [[f"{letter}({row}, {column})" for column in columns] for row in rows],
        "hovertemplate": "%{customdata} = %{z:.4f}<extra></extra>",
    }


def _numbers(values: np.ndarray, number: str) -> dict[str, Any]:
    """In the page's own ink: Plotly's choice for the text of a heat map assumes a white ground."""
    rows, columns = np.indices(values.shape).reshape(2, -1)
    return {
        "type": "scatter",
        "x": columns,
        "y": rows,
        "xaxis": f"x{number}",
        "yaxis": f"y{number}",
        "mode": "text",
        # Without the minus of a rounded zero.
        "text": [f"{round(float(value), 2) + 0.0:.2f}".replace("-", "−") for value in values.ravel()],
        "hoverinfo": "skip",
    }
