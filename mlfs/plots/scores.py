"""The scores of the best features."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from mlfs.plots.figure import ACCENT, ROW, axis, draw, finite, named_axis, nothing_yet, plain, short_all
from mlfs.plots.palette import style_of
from mlfs.wording import count, listing


def score_bars(
    scores: np.ndarray,
    ranking: Sequence[int] | np.ndarray,
    feature_names: Sequence[str],
    *,
    top: int = 20,
    method: str | None = None,
    unit: str = "",
    title: str | None = None,
) -> go.Figure:
    """Bars of the scores of the `top` first features of a ranking, best on top.

    Greedy methods score a feature when they pick it, so that their bars need not shrink downwards.

    Parameters
    ----------
    scores : (d,) as `scores_`
    ranking : feature indices, best first, as `ranking_`
    method : its id, for the colour and the description
    unit : of the scores, such as "bits"
    """
    chosen = [int(feature) for feature in ranking[:top]]
    height = ROW * max(len(chosen), 5) + 64
    if not chosen:
        return nothing_yet("the scores appear once a method has ranked the features", title, height)
    values = np.asarray(scores, dtype=float)[chosen]
    told = ["∞" if value == np.inf else f"{value:.4g}" for value in values]
    # A score without bound (MFS: a feature constant inside every label) gets the longest bar, and its sign.
    longest = np.nanmax(finite(values), initial=0.0) or 1.0
    lengths = finite(np.where(values == np.inf, longest, values))
    names = [str(feature_names[feature]) for feature in chosen]
    who = style_of(method).name if method else "The method"
    best = [f"{name} {value}" for name, value in zip(names, told, strict=True)]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": lengths,
        "y": list(range(len(chosen))),
        "text": ["∞" if value == "∞" else "" for value in told],
        "customdata": [
            plain(f"{place}. {name}: {value}") for place, (name, value) in enumerate(zip(names, told, strict=True), 1)
        ],
        "marker": {"color": style_of(method).colour if method else ACCENT},
        "hovertemplate": "%{customdata}<extra></extra>",
    }
    layout = {
        "xaxis": axis(f"Score ({unit})" if unit else "Score", nticks=6),
        "yaxis": named_axis(short_all(names, 32), autorange="reversed"),
        "bargap": 0.25,
        "showlegend": False,
    }
    alt = f"{who} scores {count(len(chosen), 'feature')} of {len(scores)} best: {listing(best)}."
    return draw([bars], layout, alt=alt, title=title, height=height)
