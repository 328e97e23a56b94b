"""The figures of the questions about the papers: printed beside measured, and how far an order of methods moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.metrics import direction, lower_is_better, metric_title
from mlfs.plots.canvas import (
    HEIGHT,
    ROW,
    axis,
    draw,
    finite,
    legend_rows,
    log_range,
    log_ticks,
    named_axis,
    nothing_yet,
)
from mlfs.plots.curves import curves
from mlfs.plots.palette import SYMBOLS, colour_at, dash_at, styles_of
from mlfs.plots.template import FAINT, NEUTRAL
from mlfs.plots.wording import listing, plain

OVERLAPS = {
    "overlap_exact": "Overlap with the exact solution (Jaccard)",
    "overlap_start": "Overlap with the start of the loop (Jaccard)",
}
#: A choice on the axis: the group it belongs to, such as the kind of bins, and its name within it.
Choice = tuple[str, str]
PRINTED = "published"


def ways_beside_published(
    table: pd.DataFrame, metric: str, ways: Mapping[str, str], *, title: str | None = None
) -> go.Figure:
    """One row per data set: the printed value, and what comes out each way.

    Parameters
    ----------
    table : columns dataset, published and those of `ways`; a loss is drawn on a log axis where all are above 0
    ways : column → what it is called
    """
    names = [str(name) for name in table["dataset"]]
    columns = {PRINTED: "printed in the paper", **ways}
    values = {column: finite(table[column]) for column in columns}
    known = np.concatenate([*values.values(), np.empty(0)])
    known = known[np.isfinite(known)]
    height = 2 * ROW * len(names) + 110
    if not len(known):
        return nothing_yet("the values appear once the experiment has run", title, max(height, 240))
    data: list[dict[str, Any]] = []
    for place, (column, name) in enumerate(columns.items()):
        data.append(
            {
                "type": "scatter",
                "x": values[column],
                "y": list(range(len(names))),
                "mode": "markers",
                "name": plain(name),
                "marker": _mark(place),
                "customdata": [plain(dataset) for dataset in names],
                "hovertemplate": f"%{{customdata}}, {plain(name)}: %{{x:.4f}}<extra></extra>",
            }
        )
    better = direction(metric)
    across = axis(plain(metric_title(metric)) + (f" ({better})" if better else ""))
    if lower_is_better(metric) and (known > 0).all():
        across |= log_ticks(*log_range(known))
    layout = {
        "xaxis": across,
        "yaxis": named_axis([plain(name) for name in names], autorange="reversed", showgrid=True),
        "showlegend": True,
        "hovermode": "closest",
    }
    told = [
        f"{name}: " + ", ".join(f"{words} {_number(values[column][i])}" for column, words in columns.items())
        for i, name in enumerate(names)
    ]
    alt = f"{metric_title(metric)} of {len(names)} data sets, as printed and as measured. {listing(told)}."
    rows = legend_rows([str(trace["name"]) for trace in data])
    return draw(data, layout, alt=alt, title=title, height=height + 19 * rows)


def rank_bumps(
    ranks: pd.DataFrame, choices: Sequence[Choice], *, reference: int | None = None, title: str | None = None
) -> go.Figure:
    """The rank of each method under each choice, best on top; lines that cross are orders that change.

    Parameters
    ----------
    ranks : methods × choices
    choices : how the columns are called
    reference : the column that the others are compared with, marked
    """
    methods, values = list(ranks.index), finite(ranks)
    if not values.size or not np.isfinite(values).any():
        return nothing_yet("the ranks appear once the experiment has run", title)
    styles = styles_of(methods)
    data = [
        {
            "type": "scatter",
            **_points(choices, values[row]),
            "mode": "lines+markers",
            "name": plain(styles[method].name),
            "line": styles[method].line(),
            "marker": styles[method].marker(),
            "hovertemplate": f"{plain(styles[method].name)}, %{{text}}: %{{y:.2f}}<extra></extra>",
        }
        for row, method in enumerate(methods)
    ]
    layout = _by_choice(choices, reference)
    layout["yaxis"] = axis("Average rank (1 is best)", autorange="reversed", dtick=1)
    at = 0 if reference is None else reference
    told = [f"{styles[methods[i]].name} {values[i, at]:.1f}" for i in np.argsort(values[:, at], kind="stable")]
    alt = (
        f"Average ranks of {len(methods)} methods under {len(choices)} choices. With {_said(choices[at])}, from the "
        f"best: {listing(told, 12)}. {_moves(values, [styles[method].name for method in methods])}"
    )
    names = [str(trace["name"]) for trace in data]
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 40 + 19 * legend_rows(names))


def order_agreement(
    agreement: pd.DataFrame,
    choices: Sequence[Choice],
    *,
    level: float | None = None,
    reference: int | None = None,
    title: str | None = None,
) -> go.Figure:
    """Kendall's τ between the order of methods under each choice and that of the reference, one line per data set.

    Parameters
    ----------
    agreement : data sets × choices
    level : τ between two single random splits under the same choice: the agreement that chance alone leaves
    """
    values = finite(agreement)
    if not values.size or not np.isfinite(values).any():
        return nothing_yet("the agreement appears once the experiment has run", title)
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            **_points(choices, values[row]),
            "mode": "lines+markers",
            "name": plain(dataset),
            "line": {"color": colour_at(row), "dash": dash_at(row), "width": 2},
            "marker": {"size": 6},
            "hovertemplate": f"{plain(dataset)}, %{{text}}: %{{y:.2f}}<extra></extra>",
        }
        for row, dataset in enumerate(agreement.index)
    ]
    known = level is not None and np.isfinite(level)
    if known:
        data.append(
            {
                "type": "scatter",
                "x": [-0.5, _places(choices)[-1] + 0.5],
                "y": [level, level],
                "mode": "lines",
                "name": "between two single random splits",
                "line": {"color": NEUTRAL, "dash": "dot", "width": 2},
                "hovertemplate": "between two single random splits: %{y:.2f}<extra></extra>",
            }
        )
    layout = _by_choice(choices, reference)
    layout["yaxis"] = axis(
        "Kendall's τ with the paper's choice", range=[min(-0.05, float(np.nanmin(values)) - 0.05), 1.05]
    )
    told = [f"{name} {np.nanmean(values[row]):.2f}" for row, name in enumerate(agreement.index)]
    beside = f" Between two single random splits it is {level:.2f}." if known else ""
    alt = f"Kendall's τ of the order of methods, mean over {len(choices)} choices: {listing(told)}.{beside}"
    names = [str(trace["name"]) for trace in data]
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 19 * legend_rows(names))


def set_overlaps(table: pd.DataFrame, *, title: str | None = None) -> go.Figure:
    """How much the selected sets have in common with the exact solution and with the start, by their size.

    Parameters
    ----------
    table : columns method, size, metric ("overlap_exact" or "overlap_start") and value
    """
    named = table.assign(metric=table["metric"].map(OVERLAPS))
    figure = curves(named, metrics=list(OVERLAPS.values()), band="none", title=title)
    if not figure.data:
        return figure
    # Curves tell the lowest value of each method; of an overlap the mean says more.
    styles = styles_of(dict.fromkeys(named["method"]))
    parts = []
    for metric, own in named.groupby("metric", sort=False):
        means = own.groupby("method", sort=False)["value"].mean().sort_values(ascending=False, kind="stable")
        told = [f"{styles[name].name} {value:.2f}" for name, value in means.items()]
        parts.append(f"{metric}, mean over the sizes: {listing(told, 12)}")
    figure.layout.meta = {"alt": f"Curves of overlap against the number of features. {'. '.join(parts)}."}
    return figure


def _mark(place: int) -> dict[str, Any]:
    """A bar for what is printed; every second way is hollow, so that one shows through another."""
    if place == 0:
        return {"size": 15, "symbol": "line-ns-open", "color": NEUTRAL, "line": {"width": 3, "color": NEUTRAL}}
    hollow, colour = place % 2 == 0, colour_at(place - 1)
    symbol = SYMBOLS[(place - 1) % len(SYMBOLS)] + ("-open" if hollow else "")
    return {"size": 12 if hollow else 8, "symbol": symbol, "color": colour, "line": {"width": 2 if hollow else 0}}


def _number(value: float) -> str:
    return f"{value:.4f}" if np.isfinite(value) else "–"


def _said(choice: Choice) -> str:
    return " ".join(filter(None, choice))


def _places(choices: Sequence[Choice]) -> list[float]:
    """Positions on the axis, with room between groups."""
    groups = list(dict.fromkeys(group for group, _ in choices))
    return [float(number + groups.index(group)) for number, (group, _) in enumerate(choices)]


def _points(choices: Sequence[Choice], values: np.ndarray) -> dict[str, Any]:
    """A line that is broken between groups."""
    x: list[float] = []
    y: list[float] = []
    words: list[str] = []
    for number, (place, choice, value) in enumerate(zip(_places(choices), choices, values, strict=True)):
        if number and choice[0] != choices[number - 1][0]:
            x, y, words = [*x, place - 1], [*y, np.nan], [*words, ""]
        x, y, words = [*x, place], [*y, float(value)], [*words, plain(_said(choice))]
    return {"x": x, "y": y, "text": words}


def _by_choice(choices: Sequence[Choice], reference: int | None) -> dict[str, Any]:
    """The axis of choices, named by group, and a mark at the reference."""
    places = _places(choices)
    groups = dict.fromkeys(group for group, _ in choices if group)
    centres = {group: [p for p, choice in zip(places, choices, strict=True) if choice[0] == group] for group in groups}
    ticks = named_axis([plain(name) for _, name in choices])
    title = " · ".join(plain(group) for group in groups)
    layout: dict[str, Any] = {
        "xaxis": {
            **ticks,
            "tickvals": places,
            "range": [-0.6, places[-1] + 0.6],
            "title": {"text": title, "standoff": 8},
        },
        "showlegend": True,
        "hovermode": "closest",
    }
    if len(groups) > 1:
        layout["xaxis"]["title"] = {"text": ""}
        layout["annotations"] = [
            {
                "text": plain(group),
                "x": sum(own) / len(own),
                "xref": "x",
                "y": 0,
                "yref": "paper",
                "yanchor": "top",
                "yshift": -22,
                "showarrow": False,
            }
            for group, own in centres.items()
        ]
        layout["margin"] = {"l": 8, "r": 24, "t": 24, "b": 48, "pad": 0}
    if reference is not None:
        at = places[reference]
        layout["shapes"] = [
            {
                "type": "rect",
                "x0": at - 0.35,
                "x1": at + 0.35,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "fillcolor": FAINT,
                "opacity": 0.35,
                "line": {"width": 0},
                "layer": "below",
            }
        ]
    return layout


def _moves(values: np.ndarray, names: Sequence[str]) -> str:
    """Which method moves most, in words."""
    span = np.nanmax(values, axis=1) - np.nanmin(values, axis=1)
    most = int(np.nanargmax(span))
    return f"{names[most]} moves most, from {np.nanmin(values[most]):.1f} to {np.nanmax(values[most]):.1f}."
