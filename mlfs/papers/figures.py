"""The papers' figures from measured rows, drawn as the papers draw them, and ranks as published and as measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.papers.experiment import Experiment
from mlfs.plots import curves, styles_of
from mlfs.plots.figure import HEIGHT, axis, draw, finite, named_axis, nothing_yet, plain, scatter, text_width
from mlfs.selectors.specification import parse_method
from mlfs.wording import listing

SECONDS = "Seconds to select"
SIDES = ("published", "measured")
NAME = 18  # pixels that a name takes on the side of the slopes


def is_of_ranks(experiment: Experiment) -> bool:
    """Whether a figure shows critical-difference diagrams, one for each metric."""
    return not experiment.is_of_table and experiment.kind == "losses"


def is_by_dataset(experiment: Experiment) -> bool:
    """Whether a figure has one picture for each data set."""
    return not experiment.is_of_table and experiment.kind not in ("losses", "sizes")


def draw_figure(experiment: Experiment, rows: pd.DataFrame) -> dict[str, go.Figure]:
    """The pictures of a figure by a short name; `rows` are of one data set where `is_by_dataset` says so."""
    return (experiment.draw or _BY_KIND[experiment.kind])(rows)


def loss_curves(rows: pd.DataFrame, band: str = "std") -> dict[str, go.Figure]:
    """Metrics against the number of features; the band is that of `mlfs.plots.curves`."""
    return {"curves": curves(rows.rename(columns={"setting": "method"}).drop(columns="dataset"), band=band)}


def _times(rows: pd.DataFrame) -> dict[str, go.Figure]:
    named = rows.rename(columns={"setting": "method"}).drop(columns="dataset").assign(metric=SECONDS)
    return {"times": curves(named, log_y=True)}


_BY_KIND: dict[str, Callable[[pd.DataFrame], dict[str, go.Figure]]] = {
    "curves": loss_curves,
    "noise": loss_curves,
    "times": _times,
}


def with_parameters(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with the parameters of their settings as columns, each by its name."""
    parameters = pd.DataFrame([parse_method(setting)[1] for setting in rows["setting"]], index=rows.index)
    return pd.concat([rows, parameters], axis=1)


def rank_slopes(ranks: pd.DataFrame) -> go.Figure:
    """Average ranks as published on the left, as measured on the right; lines that cross are orders that changed.

    Parameters
    ----------
    ranks : one row per method, with the columns of SIDES, as `mlfs.papers.ranks.rank_agreement` gives
    """
    known = ranks[list(SIDES)].dropna()
    height = max(HEIGHT, NAME * 1.3 * len(known) + 70)
    if len(known) < 2:
        return nothing_yet("ranks need two methods that have both numbers", height=height)
    styles = styles_of(known.index)
    values = finite(known)
    low, high = float(values.min()), float(values.max())
    data: list[dict[str, Any]] = []
    for row, method in enumerate(known.index):
        style, name = styles[method], plain(styles[method].name)
        look = {"name": name, "line": style.line(), "marker": style.marker()}
        data.append(scatter([0, 1], values[row], "lines+markers", hover=f"{name}: %{{y:.2f}}") | look)
    room = (high - low) / max(height - 70, 1) * NAME or 1.0
    names = [styles[method].name for method in known.index]
    for side in (0, 1):
        room_before, room_after = ("&nbsp;" * 2, "") if side else ("", "&nbsp;" * 2)
        labels = [
            f"{room_before}{plain(name)} {rank:.2f}{room_after}"
            for name, rank in zip(names, values[:, side], strict=True)
        ]
        sides = {"textposition": "middle right" if side else "middle left", "showlegend": False, "cliponaxis": False}
        data.append(scatter([side] * len(labels), _apart(values[:, side], room), "text", text=labels) | sides)
    wide = max(text_width(f"{name} 0.00") for name in names) + 20
    layout = {
        "xaxis": named_axis(list(SIDES), range=[-0.04, 1.04], side="top", fixedrange=True),
        "yaxis": axis(None, range=[high + room, low - room], showticklabels=False, showgrid=False, zeroline=False),
        "margin": {"l": wide, "r": wide, "t": 34, "b": 8, "pad": 0},
        "showlegend": False,
        "hovermode": "closest",
    }
    order = np.argsort(values[:, 0], kind="stable")
    words = [f"{names[i]} {values[i, 0]:.2f} and {values[i, 1]:.2f}" for i in order]
    alt = f"Average ranks of {len(known)} methods, 1 being best, published and measured: {listing(words, 12)}."
    return draw(data, layout, alt=alt, height=height)


def _apart(values: Sequence[float] | np.ndarray, room: float) -> np.ndarray:
    """Places near the values, at least `room` from each other, in their order.

    >>> _apart([1.0, 1.1, 3.0], 0.5)
    array([0.8, 1.3, 3. ])
    """
    values = np.array(values, dtype=float)
    order = np.argsort(values, kind="stable")
    groups: list[list[int]] = [[int(i)] for i in order]

    def span(group: list[int]) -> tuple[float, float]:
        middle, half = values[group].mean(), room * (len(group) - 1) / 2
        return middle - half, middle + half

    merged: list[list[int]] = []
    for group in groups:
        merged.append(group)
        while len(merged) > 1 and span(merged[-1])[0] < span(merged[-2])[1] + room - 1e-9:
            last = merged.pop()
            merged[-1] = merged[-1] + last
    places = np.empty(len(values))
    for group in merged:
        places[group] = span(group)[0] + room * np.arange(len(group))
    return places.round(10)
