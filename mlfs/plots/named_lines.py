"""A few named lines against anything: |Y|, the number of picks, the place of a labelset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import checked
from mlfs.plots.figure import (
    HEIGHT,
    axis,
    draw,
    finite,
    legend_rows,
    level_line,
    log_range,
    log_ticks,
    mark_line,
    nothing_yet,
    plain,
    scatter,
)
from mlfs.plots.palette import colour_at, dash_at
from mlfs.wording import listing

MARKERS = 40  # points up to which each has its marker

Line = tuple[np.ndarray, np.ndarray]


@checked
def named_lines(
    lines: Mapping[str, Line],
    x_title: str,
    y_title: str,
    *,
    marked: float | None = None,
    levels: Mapping[str, float] | None = None,
    log_y: bool = False,
    title: str | None = None,
) -> go.Figure:
    """Lines by name, each (x, y).

    Parameters
    ----------
    marked : where on the x axis a slider stands
    levels : name → height of a level line, for what the lines are to be held against
    """
    drawn = {name: (finite(x), finite(y)) for name, (x, y) in lines.items() if np.isfinite(finite(y)).any()}
    if not drawn:
        return nothing_yet("the lines appear once there is something to compare", title)
    levels = levels or {}
    across = np.concatenate([x for x, _ in drawn.values()])
    ends = [float(across.min()), float(across.max())]
    up = np.concatenate([*(y for _, y in drawn.values()), finite(list(levels.values()))])
    low, high = _reach(up, log_y)
    data: list[dict[str, Any]] = [_line(place, name, x, y) for place, (name, (x, y)) in enumerate(drawn.items())]
    for name, height in levels.items():
        data.append(level_line(ends, height, plain(name), hover=f"{plain(name)}: %{{y:.4g}}"))
    if marked is not None:
        data.append(mark_line(marked, *((10**low, 10**high) if log_y else (low, high))))
    names = [*map(plain, drawn), *map(plain, levels)]
    layout = {
        "xaxis": axis(plain(x_title), nticks=8),
        "yaxis": axis(plain(y_title), **(log_ticks(low, high) if log_y else {"range": [low, high], "nticks": 6})),
        "showlegend": len(names) > 1,
        "hovermode": "closest",
    }
    line_ends = [f"{name} from {y[0]:.4g} at {x[0]:g} to {y[-1]:.4g} at {x[-1]:g}" for name, (x, y) in drawn.items()]
    line_ends += [f"{name} {height:.4g}" for name, height in levels.items()]
    here = "" if marked is None else f"; {marked:g} is marked"
    alt = f"{y_title} against {x_title}: {listing(line_ends)}{here}."
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 19 * legend_rows(names))


def line_at(place: int, marker: float = 6) -> dict[str, Any]:
    """The look of the line at this position of its own list, with markers of this size."""
    return {"line": {"color": colour_at(place), "dash": dash_at(place), "width": 2}, "marker": {"size": marker}}


def _line(place: int, name: str, x: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    mode = "lines+markers" if len(x) <= MARKERS else "lines"
    return scatter(x, y, mode, name=plain(name), **line_at(place), hover=f"{plain(name)}, %{{x:.4g}}: %{{y:.4g}}")


def _reach(up: np.ndarray, log_y: bool) -> tuple[float, float]:
    """The ends of the y axis with a little room; powers of ten on a log axis."""
    if log_y:
        return log_range(up[np.isfinite(up)])
    low, high = float(np.nanmin(up)), float(np.nanmax(up))
    room = 0.08 * (high - low) or 0.5
    return low - room, high + room
