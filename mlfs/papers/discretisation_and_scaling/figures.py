"""How far an order of methods moves from choice to choice, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.plots.figure import (
    FAINT,
    HEIGHT,
    NEUTRAL,
    axis,
    draw,
    finite,
    legend_rows,
    named_axis,
    note,
    nothing_yet,
    plain,
    scatter,
)
from mlfs.plots.named_lines import line_at
from mlfs.plots.palette import styles_of
from mlfs.wording import listing

#: A choice on the axis: the group it belongs to, such as the kind of bins, and its name within it.
Choice = tuple[str, str]


def rank_bumps(ranks: pd.DataFrame, choices: Sequence[Choice], *, reference: int | None = None) -> go.Figure:
    """The rank of each method under each choice, best on top; lines that cross are orders that change.

    Parameters
    ----------
    ranks : methods × choices
    choices : how the columns are called
    reference : the column that the others are compared with, marked
    """
    methods, values = list(ranks.index), finite(ranks)
    if not values.size or not np.isfinite(values).any():
        return nothing_yet("the ranks appear once the experiment has run")
    styles = styles_of(methods)
    data = []
    for row, method in enumerate(methods):
        style = styles[method]
        data.append(_line(choices, values[row], style.name, {"line": style.line(), "marker": style.marker()}))
    layout = _by_choice(choices, reference)
    layout["yaxis"] = axis("Average rank (1 is best)", autorange="reversed", dtick=1)
    at = 0 if reference is None else reference
    lines = [f"{styles[methods[i]].name} {values[i, at]:.1f}" for i in np.argsort(values[:, at], kind="stable")]
    alt = (
        f"Average ranks of {len(methods)} methods under {len(choices)} choices. With {_said(choices[at])}, from the "
        f"best: {listing(lines, 12)}. {_moves(values, [styles[method].name for method in methods])}"
    )
    names = [str(trace["name"]) for trace in data]
    return draw(data, layout, alt=alt, height=HEIGHT + 40 + 19 * legend_rows(names))


def order_agreement(
    agreement: pd.DataFrame,
    choices: Sequence[Choice],
    *,
    level: float | None = None,
    reference: int | None = None,
) -> go.Figure:
    """Kendall's τ between the order of methods under each choice and that of the reference, one line per data set.

    Parameters
    ----------
    agreement : data sets × choices
    level : τ between two single random splits under the same choice: the agreement that chance alone leaves
    """
    values = finite(agreement)
    if not values.size or not np.isfinite(values).any():
        return nothing_yet("the agreement appears once the experiment has run")
    data = [_line(choices, values[row], name, line_at(row)) for row, name in enumerate(agreement.index)]
    known = level is not None and np.isfinite(level)
    if known:
        name, line = "between two single random splits", {"color": NEUTRAL, "dash": "dot", "width": 2}
        ends = [-0.5, _places(choices)[-1] + 0.5]
        data.append(scatter(ends, [level, level], "lines", name=name, line=line, hover=f"{name}: %{{y:.2f}}"))
    layout = _by_choice(choices, reference)
    layout["yaxis"] = axis(
        "Kendall's τ with the paper's choice", range=[min(-0.05, float(np.nanmin(values)) - 0.05), 1.05]
    )
    lines = [f"{name} {np.nanmean(values[row]):.2f}" for row, name in enumerate(agreement.index)]
    beside = f" Between two single random splits it is {level:.2f}." if known else ""
    alt = f"Kendall's τ of the order of methods, mean over {len(choices)} choices: {listing(lines)}.{beside}"
    names = [str(trace["name"]) for trace in data]
    return draw(data, layout, alt=alt, height=HEIGHT + 19 * legend_rows(names))


def _said(choice: Choice) -> str:
    return " ".join(filter(None, choice))


def _places(choices: Sequence[Choice]) -> list[float]:
    """Positions on the axis, with room between groups."""
    groups = list(dict.fromkeys(group for group, _ in choices))
    return [float(number + groups.index(group)) for number, (group, _) in enumerate(choices)]


def _line(choices: Sequence[Choice], values: np.ndarray, name: Any, look: dict[str, Any]) -> dict[str, Any]:
    """A line that is broken between groups."""
    x: list[float] = []
    y: list[float] = []
    words: list[str] = []
    for number, (place, choice, value) in enumerate(zip(_places(choices), choices, values, strict=True)):
        if number and choice[0] != choices[number - 1][0]:
            x, y, words = [*x, place - 1], [*y, np.nan], [*words, ""]
        x, y, words = [*x, place], [*y, float(value)], [*words, plain(_said(choice))]
    hover = f"{plain(name)}, %{{text}}: %{{y:.2f}}"
    return scatter(x, y, "lines+markers", text=words, name=plain(name), hover=hover, **look)


def _by_choice(choices: Sequence[Choice], reference: int | None) -> dict[str, Any]:
    """The axis of choices, named by group, and a mark at the reference."""
    places = _places(choices)
    groups = dict.fromkeys(group for group, _ in choices if group)
    centres = {group: [p for p, choice in zip(places, choices, strict=True) if choice[0] == group] for group in groups}
    ticks = named_axis([plain(name) for _, name in choices])
    title = " · ".join(plain(group) for group in groups)
    across = {**ticks, "tickvals": places, "range": [-0.6, places[-1] + 0.6], "title": {"text": title, "standoff": 8}}
    layout: dict[str, Any] = {"xaxis": across, "showlegend": True, "hovermode": "closest"}
    if len(groups) > 1:
        layout["xaxis"]["title"] = {"text": ""}
        layout["annotations"] = [
            note(plain(group), x=sum(centre) / len(centre), xref="x", y=0, yanchor="top", yshift=-22)
            for group, centre in centres.items()
        ]
        layout["margin"] = {"l": 8, "r": 24, "t": 24, "b": 48, "pad": 0}
    if reference is not None:
        at = places[reference]
        place = {"type": "rect", "x0": at - 0.35, "x1": at + 0.35, "y0": 0, "y1": 1, "yref": "paper", "layer": "below"}
        layout["shapes"] = [{**place, "fillcolor": FAINT, "opacity": 0.35, "line": {"width": 0}}]
    return layout


def _moves(values: np.ndarray, names: Sequence[str]) -> str:
    """Which method moves most, in words."""
    span = np.nanmax(values, axis=1) - np.nanmin(values, axis=1)
    most = int(np.nanargmax(span))
    return f"{names[most]} moves most, from {np.nanmin(values[most]):.1f} to {np.nanmax(values[most]):.1f}."
