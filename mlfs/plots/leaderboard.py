"""Methods against each other over many data sets: average ranks, time against rank, a map by what they select.

And of one method: its rank on each data set, what its parameters change, how its time grows.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.checks import checked, table_columns
from mlfs.plots.figure import (
    HEIGHT,
    NEUTRAL,
    ROW,
    axis,
    draw,
    finite,
    log_range,
    log_ticks,
    named_axis,
    nothing_yet,
    plain,
    polyline,
    ring,
    scatter,
    short,
    standing_for,
    time_tick,
)
from mlfs.plots.named_lines import line_at
from mlfs.plots.palette import styles_of
from mlfs.wording import duration, listing, settings_text

# Pixels that the points of a figure share on a telephone, and of its letters: names that have room there have room
# everywhere.
WIDTH, TALL, LETTER, LINE, EDGE, POINT, RING = 210, 264, 6.5, 14, 24, 8, 18
# Letters of a setting on one line.
NAME = 24
SIDES = {
    "middle right": (0.5, 0),
    "middle left": (-0.5, 0),
    "top center": (0, 1.5),
    "bottom center": (0, -1.5),
    "top right": (0.5, 0.5),
    "top left": (-0.5, 0.5),
    "bottom right": (0.5, -0.5),
    "bottom left": (-0.5, -0.5),
}
# What keeps a name off its point, which Plotly would write it over, and off the ring of the one that is marked.
OFF = {
    "middle right": "{0}{1}",
    "middle left": "{1}{0}",
    "top center": "{1}<br>{0}",
    "bottom center": "{0}<br>{1}",
    "top right": "{0}{1}",
    "top left": "{1}{0}",
    "bottom right": "{0}{1}",
    "bottom left": "{1}{0}",
}
BLANK, WIDER = "\u2003", "\u2003\u2002"


@checked
def rank_intervals(
    table: pd.DataFrame,
    *,
    methods: int | None = None,
    among: Sequence[Hashable] = (),
    marked: Hashable | None = None,
    title: str | None = None,
) -> go.Figure:
    """Average ranks, best on top, each with the interval in which it would lie on other data sets of this kind.

    Parameters
    ----------
    table : by method: average_rank, low and high
    methods : how many there are in all, where the table is cut
    among : methods of a figure beside it, where these look as they do there
    marked : a method that gets a ring
    """
    if table.empty:
        return nothing_yet("ranks appear once methods have been run", title)
    table_columns(table, ("average_rank", "low", "high"), "ranks")
    total = methods or len(table)
    styles = styles_of([*table.index, *among])
    names = [styles[method].name for method in table.index]
    rows = range(len(table))
    ranks = finite(table["average_rank"])
    ends = zip(table["low"], table["high"], rows, strict=True)
    x, y = polyline([([low, high], [row, row]) for low, high, row in ends])
    marker = {"color": [styles[m].colour for m in table.index], "symbol": [styles[m].symbol for m in table.index]}
    words = [
        f"{plain(name)}<br>average rank {rank:.2f}<br>95% interval {low:.1f} to {high:.1f}"
        for name, rank, low, high in zip(names, ranks, table["low"], table["high"], strict=True)
    ]
    data: list[dict[str, Any]] = [
        scatter(x, y, "lines", line={"color": NEUTRAL, "width": 2}),
        _each_a_method(
            scatter(ranks, list(rows), "markers", hover="%{text}", text=words, marker={**marker, "size": 9}), names
        ),
    ]
    if marked in table.index:
        row = list(table.index).index(marked)
        data.append(ring(float(ranks[row]), row, 16, NEUTRAL))
    layout = {
        "xaxis": axis(f"Average rank of {total} (1 is best)", range=[0.5, float(max(table["high"].max(), 2)) + 0.5]),
        "yaxis": named_axis([short(name, 16) for name in names], range=[len(table) - 0.4, -0.6]),
        "showlegend": False,
        "hovermode": "closest",
    }
    said = [
        f"{name} {rank:.1f} ({low:.1f} to {high:.1f})"
        for name, rank, low, high in zip(names, ranks, table["low"], table["high"], strict=True)
    ]
    alt = f"Average ranks with 95% intervals, best first: {listing(said, 8)}."
    return draw(data, layout, alt=alt, title=title, height=ROW * max(len(table), 4) + 64)


@checked
def rank_against_time(table: pd.DataFrame, *, marked: Hashable | None = None, title: str | None = None) -> go.Figure:
    """Average rank against time: whoever wants a better rank than a method on the front pays with time.

    Parameters
    ----------
    table : by method: average_rank, seconds and on_front
    """
    if table.empty:
        return nothing_yet("times appear once methods have been run", title)
    table_columns(table, ("average_rank", "seconds", "on_front"), "ranks and times")
    styles = styles_of(table.index)
    seconds, ranks = finite(table["seconds"]), finite(table["average_rank"])
    front = table["on_front"].to_numpy(dtype=bool)
    words = [
        f"{plain(styles[m].name)}<br>average rank {rank:.1f}<br>{duration(t)}"
        for m, rank, t in zip(table.index, ranks, seconds, strict=True)
    ]
    look = {
        "color": [styles[m].colour for m in table.index],
        "symbol": [styles[m].symbol for m in table.index],
        "size": [11 if on else 6 for on in front],
        # Points of different sizes would be pale and have a rim.
        "opacity": 1,
        "line": {"width": 0},
    }
    data: list[dict[str, Any]] = [
        scatter(*_steps(seconds[front], ranks[front]), "lines", line={"color": NEUTRAL, "width": 1, "dash": "dot"}),
        _each_a_method(
            scatter(seconds, ranks, "markers", hover="%{text}", text=words, marker=look),
            [styles[m].name for m in table.index],
        ),
    ]
    names = [plain(styles[m].name) for m in table.index[front]]
    # Better is up, and so the axis of ranks is the other way round.
    ringed = np.array([method == marked for method in table.index], dtype=bool)
    # The stairs leave each point to its right, and come to it from below.
    free = ("middle left", "top center", "top left", "bottom right", "bottom center", "middle right")
    sides = _free_sides(np.log(seconds[front]), -ranks[front], names, (np.log(seconds), -ranks), ringed, free)
    data.append(_beside(seconds[front], ranks[front], names, sides, ringed[front]))
    for place in np.flatnonzero(ringed):
        data.append(ring(float(seconds[place]), float(ranks[place]), RING, NEUTRAL))
    low, high = log_range(seconds, 0.12)
    span = float(ranks.max() - ranks.min()) or 1.0
    layout = {
        "xaxis": axis("Selection time (log axis)", **_time_ticks(low, high)),
        "yaxis": axis(
            "Average rank (1 is best)", range=[float(ranks.max()) + 0.06 * span, float(ranks.min()) - 0.1 * span]
        ),
        "showlegend": False,
        "hovermode": "closest",
    }
    said = [
        f"{styles[m].name} with rank {row['average_rank']:.1f} in {duration(row['seconds'])}"
        for m, row in table[front].iterrows()
    ]
    alt = f"{len(table)} methods by average rank and time; nothing is both better and quicker than {listing(said, 6)}."
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 60)


def _each_a_method(trace: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The trace, whose points stand for methods: a click tells which."""
    return standing_for(trace, each={"method": [plain(name) for name in names]})


def _beside(
    x: np.ndarray, y: np.ndarray, names: Sequence[str], sides: Sequence[str], ringed: np.ndarray
) -> dict[str, Any]:
    """Names beside points, where a side is free; the pointer tells the others."""
    shown = [place for place, side in enumerate(sides) if side]
    text = [OFF[sides[place]].format(WIDER if ringed[place] else BLANK, names[place]) for place in shown]
    places = [sides[place] for place in shown]
    return scatter(x[shown], y[shown], "text", text=text, textposition=places, textfont={"size": 11})


def _free_sides(
    x: np.ndarray,
    y: np.ndarray,
    names: Sequence[str],
    among: tuple[np.ndarray, np.ndarray],
    ringed: np.ndarray,
    preferred: Sequence[str] = tuple(SIDES),
) -> list[str]:
    """For each point a side on which its name is inside and meets no name or named point; "" where there is none.

    One on which it meets no other point either goes before.

    Parameters
    ----------
    among : all points of the figure
    ringed : which of them have a ring around them, that no name may touch
    preferred : the sides, the best first
    """
    starts, spans = [float(values.min()) for values in among], [float(np.ptp(values)) or 1.0 for values in among]

    def pixels(across: np.ndarray, up: np.ndarray) -> np.ndarray:
        return np.column_stack([(across - starts[0]) / spans[0] * WIDTH, (up - starts[1]) / spans[1] * TALL])

    named, every = pixels(x, y), pixels(*among)
    rings = every[ringed]
    taken: list[tuple[float, float, float]] = []
    free = []
    for place, name in enumerate(names):
        beside_others, among_all, other_rings = (
            points[(points != named[place]).any(axis=1)] for points in (named, every, rings)
        )
        open_sides = []
        for side in preferred:
            along, above = SIDES[side]
            width = LETTER * (len(name) + 2 * bool(along))  # beside its point a name keeps off it
            box = (named[place, 0] + along * width, named[place, 1] + above * LINE, width)
            inside = box[0] - width / 2 >= -EDGE and box[0] + width / 2 <= WIDTH + EDGE
            clear = not any(
                abs(box[0] - other[0]) < (width + other[2]) / 2 and abs(box[1] - other[1]) < LINE for other in taken
            )
            if inside and clear and not _covered(box, beside_others) and not _covered(box, other_rings, RING):
                open_sides.append((_covered(box, among_all), side, box))
        if open_sides:
            _, side, box = min(open_sides, key=lambda each: each[0])
            taken.append(box)
            free.append(side)
        else:
            free.append("")
    return free


def _covered(box: tuple[float, float, float], points: np.ndarray, size: float = POINT) -> int:
    """How many points of a size a name would cover: a box of one line, given by its middle and its width."""
    beside, above = np.abs(points[:, 0] - box[0]), np.abs(points[:, 1] - box[1])
    return int(((beside < (box[2] + size) / 2) & (above < (LINE + size) / 2)).sum())


def _time_ticks(low: float, high: float) -> dict[str, Any]:
    """The settings of a log axis of seconds, with units also where it reaches over less than two powers of ten.

    >>> _time_ticks(-1.05, -0.4)["ticktext"]
    ['100 ms', '200 ms', '300 ms']
    """
    ticks = log_ticks(low, high, time_tick)
    if "ticktext" in ticks:
        return ticks
    powers = range(math.floor(low), math.ceil(high) + 1)
    values = [digit * 10.0**power for power in powers for digit in (1, 2, 3, 5)]
    inside = [value for value in values if low <= math.log10(value) <= high]
    return {"type": "log", "range": [low, high], "tickvals": inside, "ticktext": [duration(v) for v in inside]}


def _steps(seconds: np.ndarray, ranks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The border of what the front is better than: with more time the rank of the quicker holds until the next."""
    order = np.argsort(seconds, kind="stable")
    return np.repeat(seconds[order], 2)[1:], np.repeat(ranks[order], 2)[:-1]


@checked
def method_map(
    placed: pd.DataFrame,
    *,
    named: Sequence[Hashable] = (),
    marked: Hashable | None = None,
    title: str | None = None,
) -> go.Figure:
    """Methods as points: the nearer, the more of the same features they select.

    Parameters
    ----------
    placed : by method: x and y
    named : whose names stand beside them where there is room, the first first; the pointer tells the others
    marked : a method that gets a ring
    """
    if placed.empty or "y" not in placed:
        return nothing_yet("the map needs the selections of some methods", title, HEIGHT + 60)
    styles = styles_of(placed.index)
    x, y = finite(placed["x"]), finite(placed["y"])
    look = {
        "color": [styles[m].colour for m in placed.index],
        "symbol": [styles[m].symbol for m in placed.index],
        "size": [10 if not len(named) or m in named or m == marked else 6 for m in placed.index],
        "opacity": 1,
        "line": {"width": 0},
    }
    text = [plain(styles[m].name) for m in placed.index]
    points = scatter(x, y, "markers", hover="%{text}", text=text, marker=look)
    data: list[dict[str, Any]] = [_each_a_method(points, [styles[m].name for m in placed.index])]
    wanted = [m for m in dict.fromkeys([*([marked] if marked in placed.index else []), *named]) if m in placed.index]
    at = np.array([list(placed.index).index(m) for m in wanted], dtype=int)
    ringed = np.array([method == marked for method in placed.index], dtype=bool)
    sides = _free_sides(x[at], y[at], [text[i] for i in at], (x, y), ringed)
    shown = [m for m, side in zip(wanted, sides, strict=True) if side]
    if shown:
        data.append(_beside(x[at], y[at], [text[i] for i in at], sides, ringed[at]))
    for place in np.flatnonzero(ringed):
        data.append(ring(float(x[place]), float(y[place]), RING, NEUTRAL))
    bare = {"showticklabels": False, "nticks": 6}
    room = [0.08 * (float(values.max() - values.min()) or 1.0) for values in (x, y)]
    layout = {
        "xaxis": axis(None, range=[float(x.min()) - room[0], float(x.max()) + room[0]], **bare),
        "yaxis": axis(None, range=[float(y.min()) - room[1], float(y.max()) + 1.5 * room[1]], **bare),
        "showlegend": False,
        "hovermode": "closest",
    }
    names = listing([styles[m].name for m in shown], 8) or "none"
    alt = f"A map of {len(placed)} methods: the nearer, the more of the same features they select; named: {names}."
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 60)


@checked
def ranks_by_dataset(ranks: pd.Series, methods: int, *, method: Hashable, title: str | None = None) -> go.Figure:
    """The rank of one method on each data set, best on top.

    Parameters
    ----------
    ranks : by data set
    methods : how many were ranked
    """
    if ranks.empty:
        return nothing_yet("the method has not been ranked", title)
    ordered = ranks.sort_values(kind="stable")
    style = styles_of([method])[method]
    rows = range(len(ordered))
    values = finite(ordered)
    names = [short(name, 16) for name in ordered.index]
    x, y = polyline([([1, value], [row, row]) for value, row in zip(values, rows, strict=True)])
    text = [f"{plain(name)}: rank {value:g} of {methods}" for name, value in ordered.items()]
    data: list[dict[str, Any]] = [
        scatter(x, y, "lines", line={"color": NEUTRAL, "width": 1}),
        scatter(values, list(rows), "markers", hover="%{text}", text=text, marker={**style.marker(10)}),
    ]
    layout = {
        "xaxis": axis(f"Rank of {methods} (1 is best)", range=[0.3, methods + 0.7]),
        "yaxis": named_axis(names, range=[len(names) - 0.4, -0.6]),
        "showlegend": False,
        "hovermode": "closest",
    }
    said = [f"{name} {value:g}" for name, value in ordered.items()]
    alt = f"Ranks of {style.name} among {methods} methods, best first: {listing(said, 15)}."
    return draw(data, layout, alt=alt, title=title, height=ROW * 1.2 * max(len(names), 4) + 64)


@checked
def parameter_changes(table: pd.DataFrame, quantity: str, *, method: Hashable, title: str | None = None) -> go.Figure:
    """What each change of one parameter alone does to a metric, in per cent: mean, and the extremes met.

    Parameters
    ----------
    table : parameter, value, change, low and high, as shares of the metric with the defaults
    """
    if table.empty:
        return nothing_yet("the parameters of this method were not varied", title)
    table_columns(table, ("parameter", "value", "change", "low", "high"), "changes")
    style = styles_of([method])[method]
    names = [settings_text(f"{row.parameter}={row.value}", str(method)) for row in table.itertuples()]
    rows = range(len(table))
    change, low, high = (100 * finite(table[name]) for name in ("change", "low", "high"))
    x, y = polyline([([a, b], [row, row]) for a, b, row in zip(low, high, rows, strict=True)])
    text = [
        f"{plain(name)}: {c:+.1f}% ({a:+.1f} to {b:+.1f})"
        for name, c, a, b in zip(names, change, low, high, strict=True)
    ]
    data: list[dict[str, Any]] = [
        scatter([0, 0], [-0.6, len(table) - 0.4], "lines", line={"color": NEUTRAL, "width": 1.5, "dash": "dash"}),
        scatter(x, y, "lines", line={"color": NEUTRAL, "width": 2}),
        scatter(change, list(rows), "markers", hover="%{text}", text=text, marker=style.marker(9)),
    ]
    layout = {
        "xaxis": axis(f"Change of {plain(quantity)}, %", nticks=7),
        "yaxis": named_axis(list(map(_on_two_lines, names)), range=[len(names) - 0.4, -0.6]),
        "showlegend": False,
        "hovermode": "closest",
    }
    pitch = 1.7 if any(len(name) > NAME for name in names) else 1.2
    said = [f"{name} {c:+.1f}%" for name, c in zip(names, change, strict=True)]
    alt = f"Change of {quantity} where one parameter of {style.name} is changed alone: {listing(said, 10)}."
    return draw(data, layout, alt=alt, title=title, height=ROW * pitch * max(len(names), 4) + 64)


def _on_two_lines(setting: str) -> str:
    """A parameter and its value, ready for Plotly; below each other where they are too long for one line.

    >>> _on_two_lines("bins=3"), _on_two_lines("discretisation=equal frequency")
    ('bins=3', 'discretisation=<br>equal frequency')
    """
    name, sign, value = setting.partition("=")
    return plain(setting) if len(setting) <= NAME else f"{short(name, NAME)}{sign}<br>{short(value, NAME)}"


@checked
def growth(lines: Mapping[str, tuple[np.ndarray, np.ndarray]], *, title: str | None = None) -> go.Figure:
    """Seconds against how many times larger the data are, both axes logarithmic: a straight line is a power.

    Parameters
    ----------
    lines : name → factors and seconds
    """
    drawn = {name: (finite(x), finite(y)) for name, (x, y) in lines.items() if len(x)}
    if not drawn:
        return nothing_yet("the growth of its time was not measured", title)
    data = [
        scatter(
            x, y, "lines+markers", name=plain(name), hover=f"{plain(name)} × %{{x}}: %{{y:.3g}} s", **line_at(place)
        )
        for place, (name, (x, y)) in enumerate(drawn.items())
    ]
    every = np.concatenate([y for _, y in drawn.values()])
    factors = sorted({float(value) for x, _ in drawn.values() for value in x})
    low, high = log_range(every, 0.1)
    layout = {
        "xaxis": axis(
            "Times as many rows, features or labels",
            type="log",
            tickvals=factors,
            ticktext=[f"× {factor:g}" for factor in factors],
        ),
        "yaxis": axis("Selection time", **_time_ticks(low, high)),
        "showlegend": True,
        "hovermode": "closest",
    }
    said = [f"{name} from {duration(y[0])} to {duration(y[-1])} at × {x[-1]:g}" for name, (x, y) in drawn.items()]
    return draw(data, layout, alt=f"How the time grows: {listing(said)}.", title=title, height=HEIGHT)
