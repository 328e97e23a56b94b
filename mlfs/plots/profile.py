"""What a data set is like: how often its labels occur, and what discretisation makes of a feature."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import checked, numbers
from mlfs.datasets import Profile
from mlfs.errors import ParameterError
from mlfs.information.discretization import Discretizer
from mlfs.plots.figure import (
    ACCENT,
    HEIGHT,
    NEUTRAL,
    PALETTE,
    axis,
    bars,
    draw,
    finite,
    nothing_yet,
    outside,
    panel_axes,
    panel_layout,
    plain,
    polyline,
    scatter,
    short,
    short_all,
    template,
)
from mlfs.wording import count, listing, value_words

BARS = 40
WRITTEN = 12  # states up to which a bar has its count on it
LABEL_ROW = 17  # pixels: the same bar thickness, however many labels


@checked
def label_frequencies(profile: Profile) -> go.Figure:
    """Bars of how often each label occurs, most frequent first, each with its share of the instances.

    The scale is 0 to 100% in every figure, so that data sets side by side compare.

    >>> from mlfs.datasets import load_dataset, profile
    >>> bars = label_frequencies(profile(load_dataset("scene"))).data[0]
    >>> bars.y[0], bars.text[0]
    ('Mountain', '22%')
    """
    counts = np.asarray(profile.label_counts)
    order = np.argsort(-counts, kind="stable")
    shares = counts[order] / max(profile.instances, 1)
    names = [profile.label_names[i] for i in order]
    bars = go.Bar(
        x=shares,
        y=[plain(name) for name in names],
        text=[f"{share:.0%}" for share in shares],
        customdata=counts[order],
        orientation="h",
        marker_color=ACCENT,
        textposition="outside",
        constraintext="none",
        cliponaxis=False,
        meta={"each": {"label": "y"}},
        hovertemplate=f"%{{y}}: %{{customdata}} of {profile.instances} rows (%{{x:.1%}})<extra></extra>",
    )
    shares_in_words = [f"{name} {share}" for name, share in zip(names, bars.text, strict=True)]
    return go.Figure(bars).update_layout(
        template=template(),
        meta={"alt": f"Share of the rows of {profile.name} that carry each label: {listing(shares_in_words)}."},
        height=LABEL_ROW * len(counts),
        title={"automargin": False},  # no title, and no room kept for one
        margin={"l": 0, "r": 40, "t": 0, "b": 0, "pad": 4},
        dragmode=False,  # a finger on the bars scrolls the page
        # The bars carry their values; axes would repeat them.
        xaxis={"range": [0, 1], "visible": False, "fixedrange": True},
        yaxis={
            "type": "category",
            "autorange": "reversed",
            "tickvals": bars.y,
            "ticktext": short_all(names, 40),
            "showgrid": False,
            "ticks": "",
            "fixedrange": True,
        },
    )


@checked
def discretization_preview(
    values: Any,
    *,
    n_bins: int = 5,
    method: str = "equal_width",
    categorical: bool = False,
    name: str = "feature",
    title: str | None = None,
) -> go.Figure:
    """A histogram of one feature with the cuts between its bins, and below it the rows in each state.

    Cuts and states are those of `mlfs.information.Discretizer`: a value on a cut belongs to the state below it, and a
    feature with at most `n_bins` values keeps them.

    Parameters
    ----------
    values : (n,) or (n, 1), dense or sparse
    categorical : whether the values are codes of categories, which stay as they are
    name : of the feature
    """
    known = finite(numbers(values, "values"))
    known = known[np.isfinite(known)]
    if categorical and (known != np.abs(np.round(known))).any():
        raise ParameterError("The values of a categorical feature must be codes, whole numbers from 0.")
    height = HEIGHT + 60
    if not len(known):
        return nothing_yet("choose a feature to see its bins", title, height)
    column = known[:, None]
    discretizer = Discretizer(n_bins, method, (0,) if categorical else ()).fit(column)
    codes, states = np.unique(discretizer.transform(column).ravel(), return_counts=True)
    distinct = np.unique(known)
    kept = len(codes) == len(distinct)  # each value its own state
    cuts = discretizer.cuts_[0][np.isfinite(discretizer.cuts_[0])]
    if kept:
        intervals = [f"{value:.4g}" for value in distinct]
    else:
        # A state between two cuts that no value falls into is a state without rows.
        states = np.bincount(codes, weights=states, minlength=len(cuts) + 1).astype(int)
        limits = [-np.inf, *cuts, np.inf]
        intervals = [_interval(low, high) for low, high in pairwise(limits)][: len(states)]
    tops, middles, width = _histogram(known)
    hover = "bin %{x}: %{customdata}<br>%{y} rows"
    places, written = list(range(len(states))), [str(rows) for rows in states] if len(states) <= WRITTEN else None
    data: list[dict[str, Any]] = [
        bars(middles, tops, NEUTRAL, width=width, hover="about %{x:.4g}: %{y} rows"),
        bars(places, states, ACCENT, customdata=intervals, hover=hover, **outside(written), **panel_axes(1)),
    ]
    if not kept:
        x, y = polyline([([cut, cut], [0, tops.max()]) for cut in cuts])
        lines = {"color": PALETTE[1], "width": 1.5}
        data.append(scatter(x, y, "lines", line=lines))
    how = "each value its own bin" if kept else f"{value_words(method)}, {count(len(states), 'bin')}"
    layout = {
        **panel_layout(0, axis(short(name, 40), domain=[0, 1], nticks=7), axis("Rows", domain=[0.52, 1], nticks=4)),
        **panel_layout(
            1,
            axis(f"Bin ({how})", domain=[0, 1], showgrid=False, tickvals=places[:: -(-len(states) // WRITTEN)]),
            axis("Rows", domain=[0, 0.32], nticks=3, range=[0, 1.25 * states.max()]),
        ),
        "bargap": 0.25,
        "showlegend": False,
    }
    rows_in_states = [f"{interval} {rows}" for interval, rows in zip(intervals, states, strict=True)]
    values_of = f"{count(len(known), 'value')} of {name}"
    alt = f"Histogram of {values_of}, and the rows of each bin ({how}): {listing(rows_in_states, 8)}."
    return draw(data, layout, alt=alt, title=title, height=height)


def _histogram(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Heights, middles and width of bars; one bar per value where there are few."""
    distinct, rows = np.unique(values, return_counts=True)
    if len(distinct) <= BARS:
        width = 0.8 * float(np.diff(distinct).min()) if len(distinct) > 1 else 1.0
        return rows, distinct, width
    tops, edges = np.histogram(values, bins=BARS)
    return tops, (edges[:-1] + edges[1:]) / 2, float(edges[1] - edges[0])


def _interval(low: float, high: float) -> str:
    if np.isfinite(low) and np.isfinite(high):
        words = f"{low:.4g} to {high:.4g}"
    elif np.isfinite(low):
        words = f"above {low:.4g}"
    else:
        words = f"up to {high:.4g}"
    return words.replace("-", "−")
