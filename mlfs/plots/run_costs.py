"""What runs cost: which no other beats in loss, number of features and time at once; how long each method took."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.checks import checked, table_columns
from mlfs.errors import ParameterError
from mlfs.metrics import lower_is_better, metric_title
from mlfs.plots.figure import (
    CLEAR,
    HEIGHT,
    ROW,
    axis,
    draw,
    finite,
    legend_rows,
    log_range,
    log_ticks,
    metric_axis,
    named_axis,
    nothing_yet,
    outside,
    plain,
    row_bars,
    scatter,
    short,
    standing_for,
    text_width,
    time_tick,
)
from mlfs.plots.palette import styles_of
from mlfs.wording import count, duration, listing

SHORTEST = 1e-6  # seconds: clocks tell no less, and a log axis has no zero


def non_dominated(costs: np.ndarray) -> np.ndarray:
    """(n,) whether no other row of costs is at most as high everywhere and lower somewhere; rows with NaN never are.

    n²·m comparisons, for the runs of a study; features have `mlfs.selectors.pareto.front`.

    >>> non_dominated(np.array([[1, 3], [2, 2], [3, 3], [2, 2]]))
    array([ True,  True, False,  True])
    """
    costs = finite(costs)
    known = np.isfinite(costs).all(axis=1)
    unbeaten = np.zeros(len(costs), dtype=bool)
    for i in np.flatnonzero(known):
        others = costs[known]
        unbeaten[i] = not ((others <= costs[i]).all(axis=1) & (others < costs[i]).any(axis=1)).any()
    return unbeaten


def on_run_front(runs: pd.DataFrame, metric: str) -> np.ndarray:
    """(n,) whether no other run is better in loss, number of features and time at once.

    A run whose time is not known is compared by the two others, and beats none itself.
    """
    sign = 1 if lower_is_better(metric) else -1
    costs = np.column_stack([finite(runs["size"]), sign * finite(runs[metric]), finite(runs["seconds"])])
    return np.where(np.isfinite(costs[:, 2]), non_dominated(costs), non_dominated(costs[:, :2]))


@checked
def about_runs(runs: pd.DataFrame, metric: str) -> str:
    """The answer of `run_front` in a sentence: which run is best, and how many are worth a look.

    >>> about_runs(pd.DataFrame({"method": ["els", "els", "grro"], "size": [1, 5, 5], "seconds": [0.1, 0.1, 0.2],
    ...                          "hamming_loss": [0.4, 0.3, 0.35]}), "hamming_loss")
    'ELS with 5 features has the lowest Hamming loss, 0.3000. 2 of 3 runs are on the front.'
    """
    table_columns(runs, ("method", "size", "seconds", metric), "runs")
    value = finite(runs[metric])
    if not np.isfinite(value).any():
        return "No run has been evaluated yet."
    lower = lower_is_better(metric)
    cost = value if lower else -value
    # One that is on the front.
    best = runs[cost == np.nanmin(cost)].sort_values(["size", "seconds"], kind="stable").iloc[0]
    front = int(on_run_front(runs, metric).sum())
    return (
        f"{styles_of(runs['method'])[best['method']].name} with {count(int(best['size']), 'feature')} has the "
        f"{'lowest' if lower else 'highest'} {metric_title(metric)}, {best[metric]:.4f}. {front} of "
        f"{count(len(runs), 'run')} {'is' if front == 1 else 'are'} on the front."
    )


@checked
def run_front(
    runs: pd.DataFrame, metric: str = "hamming_loss", *, x: str = "size", title: str | None = None
) -> go.Figure:
    """Whole runs by loss, number of features and time: those that no other run beats in all three stand out.

    A run whose time is not known, as that of a ranking from elsewhere, stands out where none beats it in the two
    others; it beats none itself, and an axis of time leaves it out.

    Parameters
    ----------
    runs : columns method, size, seconds and the metric's value in a column of its name; one row per run
    x : "size", and a larger marker is a longer time; or "seconds", and a larger marker is more features
    """
    table_columns(runs, ("method", "size", "seconds", metric), "runs")
    if x not in ("size", "seconds"):
        raise ParameterError(f"x={x!r} must be 'size' or 'seconds'.")
    sign = 1 if lower_is_better(metric) else -1
    size, seconds, value = (finite(runs[column]) for column in ("size", "seconds", metric))
    best = on_run_front(runs, metric)
    height = HEIGHT + 60
    if not np.isfinite(value).any():
        return nothing_yet("the runs appear once methods have been evaluated", title, height)
    third = seconds if x == "size" else size
    area = _sizes(third)
    styles = styles_of(runs["method"])
    methods = runs["method"].to_numpy()
    words = [
        f"{plain(styles[m].name)}<br>{metric_title(metric)} {v:.4f}<br>{count(int(s), 'feature')}, {_time_text(t)}"
        if np.isfinite(s)
        else ""
        for m, s, t, v in zip(methods, size, seconds, value, strict=True)
    ]
    data: list[dict[str, Any]] = []
    across = size if x == "size" else seconds
    for method, style in styles.items():
        rows = np.flatnonzero(methods == method)
        # The front stands above the others; and a legend looks as the first of all does.
        rows = rows[np.argsort(best[rows], kind="stable")]
        fill = [style.colour if best[i] else CLEAR for i in rows]
        rim = {"color": style.colour, "width": 1.5}
        marker = {**style.marker(), "color": fill, "line": rim, "opacity": 1, "size": area[rows]}
        look = {"name": plain(style.name), "marker": marker, "text": [words[i] for i in rows]}
        points = scatter(across[rows], value[rows], "markers", hover="%{text}") | look
        data.append(standing_for(points, method=plain(style.name)))
    names = [plain(style.name) for style in styles.values()]
    bigger = "longer time" if x == "size" else "more features"
    layout: dict[str, Any] = {
        "xaxis": axis("Number of features" if x == "size" else "Time (log axis)"),
        "yaxis": metric_axis(metric),
        "showlegend": True,
        "legend": {
            "title": {"text": f"filled: on the front; larger: {bigger}", "side": "top", "font": {"size": 11}},
            "itemsizing": "constant",
        },
        "hovermode": "closest",
    }
    if x == "seconds":
        low, high = log_range(seconds[np.isfinite(seconds)])
        layout["xaxis"] |= _time_ticks(low, high)
    order = np.flatnonzero(best)[np.argsort(sign * value[best], kind="stable")]
    front_words = [
        f"{styles[methods[i]].name} {value[i]:.4f} with {count(int(size[i]), 'feature')} in {_time_text(seconds[i])}"
        for i in order
    ]
    alt = (
        f"{len(runs)} runs by {metric_title(metric)}, number of features and time; the front, best first: "
        f"{listing(front_words, 5)}."
    )
    return draw(data, layout, alt=alt, title=title, height=height + 19 * legend_rows(names))


def _time_text(seconds: float) -> str:
    return duration(seconds) if np.isfinite(seconds) else "unknown time"


def _time_ticks(low: float, high: float) -> dict[str, Any]:
    """Powers of ten with their unit; where there is hardly one, 1, 2 and 5 of each."""
    ticks = log_ticks(low, high, time_tick)
    if "tickvals" in ticks:
        return ticks
    powers = range(math.floor(low), math.ceil(high) + 1)
    stops = [first * 10.0**power for power in powers for first in (1, 2, 5)]
    stops = [stop for stop in stops if low <= math.log10(stop) <= high]
    return {**ticks, "tickvals": stops, "ticktext": [duration(stop) for stop in stops]}


def _sizes(values: np.ndarray) -> np.ndarray:
    """Marker sizes from 7 to 22 pixels by the order of magnitude; the smallest where nothing is known."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = finite(np.log10(values))
    low, high = np.nanmin(logs, initial=np.inf), np.nanmax(logs, initial=-np.inf)
    if not high > low:
        return np.full(len(values), 10.0)
    return np.nan_to_num(7 + 15 * (logs - low) / (high - low), nan=7.0)


@checked
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
    colours = [styles[method].colour for method in given.index]
    # The bars carry their values, so that the pointer says nothing.
    times = row_bars(np.maximum(given.to_numpy(), SHORTEST), colours, constraintext="none", **outside(words))
    times = standing_for(times, each={"method": list(map(plain, names))})
    layout = {
        "xaxis": axis("Time (log axis)", **log_ticks(low, high + 0.02 * (high - low), time_tick)),
        "yaxis": named_axis([short(name, 16) for name in names], range=[len(given) - 0.4, -0.6]),
        "margin": {"l": 8, "r": 12 + max(text_width(word) for word in words), "t": 24, "b": 24},
        "showlegend": False,
    }
    time_words = [f"{name} {word}" for name, word in zip(names, words, strict=True)]
    return draw([times], layout, alt=f"Run times on a log axis: {listing(time_words, 10)}.", title=title, height=height)
