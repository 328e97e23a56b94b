"""Every pair of feature and label: what the feature tells of the label, against the most it could tell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.plots.figure import ACCENT, HEIGHT, NEUTRAL, axis, draw, log_ticks
from mlfs.plots.palette import wash
from mlfs.wording import count

BROWSER_POINTS = 2000  # above it the graphics card draws
LEAST = 1e-5  # bits: less than that is not drawn


def bound_pairs(
    bound: np.ndarray, information: np.ndarray, inside: np.ndarray, *, title: str | None = None
) -> go.Figure:
    """M(f;l) against min(H(f), H(l)); the pairs whose label is in Y have the accent colour.

    Both axes are logarithmic, for most features tell far less than they could.

    Parameters
    ----------
    bound, information : (d, q) in bits
    inside : (q,) bool: the labels in Y
    """
    drawn = (information >= LEAST) & (bound > 0)
    top = float(bound.max(initial=0.0)) or 1.0
    low = float(bound[drawn].min(initial=top))
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": [low, top],
            "y": [low, top],
            "mode": "lines",
            "name": "the bound itself",
            "line": {"color": NEUTRAL, "width": 1.5, "dash": "dash"},
            "hoverinfo": "skip",
        }
    ]
    for columns, name, colour in (
        (~inside, "outside Y: the bound is taken", wash(NEUTRAL, 0.4)),
        (inside, "in Y: counted", wash(ACCENT, 0.6)),
    ):
        shown = drawn & columns
        if shown.any():
            data.append(
                {
                    "type": "scattergl" if bound.size > BROWSER_POINTS else "scatter",
                    "x": bound[shown],
                    "y": information[shown],
                    "mode": "markers",
                    "name": name,
                    "marker": {"color": colour, "size": 5},
                    "hovertemplate": "at most %{x:.3f} bits, in truth %{y:.5f}<extra></extra>",
                }
            )
    layout = {
        "xaxis": axis("min(H(f), H(l)) (bits, log axis)", **log_ticks(math.log10(low) - 0.05, math.log10(top) + 0.05)),
        "yaxis": axis("M(f;l) (bits, log axis)", **log_ticks(math.log10(LEAST), math.log10(top) + 0.1)),
        "hovermode": "closest",
        "showlegend": True,
    }
    alt = (
        f"{count(bound.size, 'pair')} of feature and label by the bound, on average {bound.mean():.4f} bits, and the "
        f"mutual information, on average {information.mean():.4f} and at most {information.max():.4f}; "
        f"{count(int(inside.sum()), 'label')} in Y; {int((~drawn).sum())} pairs below {LEAST:g} bits are not drawn."
    )
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 60)
