"""From which share of copying on a criterion prefers the newcomer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.plots.canvas import axis, draw
from mlfs.plots.palette import style_of
from mlfs.plots.template import NEUTRAL
from mlfs.plots.wording import listing

SIZE = 320


def copy_advantage(
    shares: np.ndarray, advantages: Mapping[str, np.ndarray], *, copied: float | None = None, title: str | None = None
) -> go.Figure:
    """How far f₂ is ahead of f₃ against the share of f₁ it copies; below the line f₃ is picked.

    Parameters
    ----------
    shares, advantages : as `mlfs.learn.advantages` gives
    copied : the share of the slider, marked
    """
    data: list[dict[str, Any]] = []
    told = []
    for criterion, values in advantages.items():
        style = style_of(criterion)
        behind = np.flatnonzero(values < 0)
        told.append(
            f"{style.name} prefers f₃ from {shares[behind[0]]:.0%} on" if len(behind) else f"{style.name} never"
        )
        data.append(
            {
                "type": "scatter",
                "x": shares,
                "y": values,
                "mode": "lines",
                "name": style.name,
                "line": style.line(),
                "hovertemplate": f"{style.name}, %{{x:.0%}} copied: %{{y:+.4f}} bits<extra></extra>",
            }
        )
    low, high = min(v.min() for v in advantages.values()), max(v.max() for v in advantages.values())
    ends = [float(low) - 0.05, float(high) + 0.1]
    if copied is not None:
        data.append(
            {
                "type": "scatter",
                "x": [copied, copied],
                "y": ends,
                "mode": "lines",
                "line": {"color": NEUTRAL, "width": 1.5, "dash": "dot"},
                "hoverinfo": "skip",
                "showlegend": False,
            }
        )
    layout = {
        "xaxis": axis("Share of f₁ that f₂ copies", range=[-0.01, 1.01], tickformat=".0%"),
        "yaxis": axis("Score of f₂ − score of f₃ (bits)", range=ends),
        "shapes": [{"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 0, "y1": 0, "line": {"color": NEUTRAL}}],
        "annotations": [
            {
                "x": 0.99,
                "y": 0,
                "xref": "paper",
                "yanchor": anchor,
                "xanchor": "right",
                "showarrow": False,
                "text": text,
            }
            for anchor, text in (("bottom", "picks f₂"), ("top", "picks f₃"))
        ],
        "showlegend": True,
    }
    alt = f"Advantage of the copy f₂ over the newcomer f₃ as it copies more of f₁: {listing(told)}."
    return draw(data, layout, alt=alt, title=title, height=SIZE)
