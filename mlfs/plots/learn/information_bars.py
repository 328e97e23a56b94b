"""Entropies laid against each other: what feature and label have in common is where their bars overlap."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from mlfs.learn import Table
from mlfs.plots.canvas import axis, draw, named_axis
from mlfs.plots.palette import wash
from mlfs.plots.template import ACCENT, FAINT, PALETTE

SIZE = 300
ROWS = ("H(f,l)", "H(f)", "H(l)", "parts")
LONGEST = 2.0  # bits: two variables of two values
# Pale enough for the page's ink in light and dark.
FEATURE, BOTH, LABEL = wash(ACCENT, 0.6), wash(PALETTE[2], 0.6), wash(PALETTE[1], 0.6)


def information_bars(table: Table, *, title: str | None = None) -> go.Figure:
    """H(f,l) is as long as H(f) and H(l) laid end to end, less M(f;l), by which they overlap."""
    left, middle, right = table.feature_rest, table.information, table.label_rest
    # Name, row, where it begins, how long it is, colour.
    pieces = [
        ("H(f,l)", 0, 0.0, table.joint_entropy, FAINT),
        ("H(f)", 1, 0.0, table.feature_entropy, FEATURE),
        ("H(l)", 2, left, table.label_entropy, LABEL),
        ("H(f|l)", 3, 0.0, left, FEATURE),
        ("M(f;l)", 3, left, middle, BOTH),
        ("H(l|f)", 3, left + middle, right, LABEL),
    ]
    data: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "x": [length],
            "y": [row],
            "base": [start],
            "name": name,
            "marker": {"color": colour},
            # A number that does not fit into its piece is left to the hover.
            "text": [f"{name} {length:.3f}" if length > 0.34 else f"{length:.2f}" if length > 0.12 else ""],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "textangle": 0,
            "constraintext": "none",
            "hovertemplate": f"{name} = {length:.4f} bits<extra></extra>",
        }
        for name, row, start, length, colour in pieces
    ]
    layout = {
        "barmode": "overlay",
        "bargap": 0.25,
        "xaxis": axis("Bits", range=[0, LONGEST], dtick=0.5),
        "yaxis": named_axis(list(ROWS), range=[len(ROWS) - 0.5, -0.5]),
        "showlegend": False,
    }
    told = ", ".join(f"{name} {length:.4f}" for name, _, _, length, _ in pieces)
    return draw(data, layout, alt=f"Information diagram in bits: {told}.", title=title, height=SIZE)
