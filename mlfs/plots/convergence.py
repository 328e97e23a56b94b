"""How a method that iterates came to its end: objective, change of the solution, change of the selected set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import checked
from mlfs.plots.figure import (
    ACCENT,
    axis,
    bars,
    draw,
    finite,
    heading,
    log_range,
    log_ticks,
    note,
    nothing_yet,
    panel_axes,
    panel_layout,
    plain,
    scatter,
)
from mlfs.plots.palette import style_of

#: What the entries of `history_` are called.
TITLES = {
    "objective": "Objective",
    "change": "Change of the solution ‖ΔW‖",
    "set_changes": "Features new in the set",
}
PANEL, HEAD = 130, 34  # pixels


@checked
def convergence(history: Mapping[str, np.ndarray], *, method: str | None = None, title: str | None = None) -> go.Figure:
    """One panel per entry of `history_`, one below the other, against the iteration; 0 is the start.

    What spans more than two powers of ten has a log axis, on which zeros and negative values are left out.
    """
    entries = {name: finite(values) for name, values in history.items()}
    if "change" in entries and len(entries["change"]):
        entries["change"][0] = np.nan  # before the first step nothing has changed
    entries = {name: values for name, values in entries.items() if np.isfinite(values).any()}
    entries = {name: entries[name] for name in sorted(entries, key=_place)}
    if not entries:
        return nothing_yet("the iterations appear once the method has run", title)
    colour = style_of(method).colour if method else ACCENT
    height = (PANEL + HEAD) * len(entries) + 40
    high = PANEL / (height - 48)
    gap = (1 - high * len(entries)) / max(len(entries) - 1, 1)
    steps = max(len(values) for values in entries.values()) - 1
    data: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"annotations": [], "showlegend": False, "hovermode": "x"}
    for panel, (name, values) in enumerate(entries.items()):
        top = 1 - panel * (high + gap)
        counts = name == "set_changes"
        log = not counts and _wide(values)
        data.append(_trace(values, counts, log, colour) | panel_axes(panel))
        last = panel == len(entries) - 1
        x = axis("Iteration" if last else None, showticklabels=last, range=[-0.5, steps + 0.5])
        if panel:
            x["matches"] = "x"
        layout |= panel_layout(panel, x, axis(domain=[max(top - high, 0), top], **_scale(values, counts, log)))
        if counts and not values[np.isfinite(values)].any():
            middle = top - high / 2
            layout["annotations"].append(note("the set never changed", x=0.5, y=middle))
        words = TITLES.get(name, name) + (" (log axis)" if log else "")
        layout["annotations"].append(heading(f"<b>{plain(words)}</b>", 0, top))
    ends = [f"{TITLES.get(name, name)} from {_first(v):.4g} to {_first(v[::-1]):.4g}" for name, v in entries.items()]
    return draw(data, layout, alt=f"Convergence in {steps} iterations: {'; '.join(ends)}.", title=title, height=height)


def _place(name: str) -> int:
    known = list(TITLES)
    return known.index(name) if name in known else len(known)


def _wide(values: np.ndarray) -> bool:
    positive = values[values > 0]
    if len(positive) < 2 or (values < 0).any():
        return False
    return bool(positive.max() > 100 * positive.min())


def _scale(values: np.ndarray, counts: bool, log: bool) -> dict[str, Any]:
    if log:
        return log_ticks(*log_range(values), most=4)
    if counts:
        most = max(float(np.nanmax(values)), 1.0)
        return {"range": [0, 1.1 * most], "nticks": 4, **({"dtick": 1} if most <= 3 else {})}
    return {"nticks": 4}


def _first(values: np.ndarray) -> float:
    return float(values[np.isfinite(values)][0])


def _trace(values: np.ndarray, counts: bool, log: bool, colour: str) -> dict[str, Any]:
    x = list(range(len(values)))
    if counts:
        return bars(x, values, colour, hover="%{y}")
    shown = np.where(values > 0, values, np.nan) if log else values
    mode = "lines+markers" if len(values) <= 40 else "lines"
    return scatter(x, shown, mode, line={"color": colour, "width": 2}, marker={"size": 5}, hover="%{y:.6g}")
