"""How long each method took, on a log axis: methods differ by thousands."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.plots.figure import ROW, axis, draw, finite, log_ticks, named_axis, nothing_yet, short, text_width, time_tick
from mlfs.plots.palette import styles_of
from mlfs.wording import duration, listing

SHORTEST = 1e-6  # seconds: clocks tell no less, and a log axis has no zero


def time_bars(
    seconds: Mapping[Hashable, float] | pd.Series, *, sort: bool = True, title: str | None = None
) -> go.Figure:
    """Bars of run times by method, fastest first unless told to keep the order; one without a time keeps its row."""
    given = pd.Series(seconds, dtype=float)
    given = pd.Series(finite(given), index=given.index)
    if sort:
        given = given.sort_values(kind="stable", na_position="last")
    known = np.maximum(given.dropna().to_numpy(), SHORTEST)
    height = ROW * 1.2 * max(len(given), 4) + 64
    if not len(known):
        return nothing_yet("the times appear once a method has run", title, height)
    styles = styles_of(given.index)
    names = [styles[method].name for method in given.index]
    words = [duration(value) for value in given]
    low, high = np.floor(np.log10(known.min()) - 0.3), np.log10(known.max())
    bars: dict[str, Any] = {
        "type": "bar",
        "orientation": "h",
        "x": np.maximum(given.to_numpy(), SHORTEST),
        "y": list(range(len(given))),
        "text": words,
        "textposition": "outside",
        "constraintext": "none",
        "cliponaxis": False,
        "marker": {"color": [styles[method].colour for method in given.index]},
        "hoverinfo": "skip",  # the bars carry their values
    }
    layout = {
        "xaxis": axis(
            "Time (log axis)",
            **log_ticks(low, high + 0.02 * (high - low), time_tick),
        ),
        "yaxis": named_axis([short(name, 16) for name in names], range=[len(given) - 0.4, -0.6]),
        "margin": {"l": 8, "r": 12 + max(text_width(word) for word in words), "t": 24, "b": 24},
        "showlegend": False,
    }
    told = [f"{name} {word}" for name, word in zip(names, words, strict=True)]
    return draw([bars], layout, alt=f"Run times on a log axis: {listing(told, 10)}.", title=title, height=height)
