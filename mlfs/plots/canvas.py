"""What every figure is made on: the template, a title, a description in words, a face for having nothing to show."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.plots.template import CLEAR, template
from mlfs.plots.wording import level

ROW = 18  # pixels: a bar, a row of a heat map, a line of labels
HEIGHT = 320
TITLE = 26
Piece = tuple[Sequence[float] | np.ndarray, Sequence[float] | np.ndarray]

MARGIN = {"l": 8, "r": 24, "t": 24, "b": 24, "pad": 0}


def draw(
    data: list[dict[str, Any]], layout: dict[str, Any], *, alt: str, title: str | None = None, height: float = HEIGHT
) -> go.Figure:
    """Make the figure from plain dicts.

    Plotly checks every property again, in two thirds of the time a figure of ten curves takes; a page redraws at
    every move of a slider, so the tests check the figures instead (`tests/plots/checks.py`).

    Parameters
    ----------
    alt : what the figure shows and its main numbers, for those who cannot see it; see `alt_text`
    """
    layout = {
        "template": template(),
        "meta": {"alt": alt},
        "height": round(height),
        "margin": MARGIN,
        "dragmode": False,  # a finger on the figure scrolls the page
        **layout,
    }
    if title:
        layout["title"] = {"text": title}
        layout["height"] += TITLE
        if "scene" in layout or (layout.get("annotations") and not layout.get("showlegend")):
            # Plotly makes room for the title above the legend of axes, but not of a scene, nor above notes.
            layout["margin"] = {**layout["margin"], "t": layout["margin"]["t"] + TITLE}
    return go.Figure(data, layout, _validate=False)


def alt_text(figure: go.Figure) -> str:
    """What the figure shows, in words: for screen readers, and for the caption of a figure taken away."""
    meta = figure.layout.meta
    return meta.get("alt", "") if isinstance(meta, dict) else ""


def nothing_yet(reason: str, title: str | None = None, height: float = HEIGHT) -> go.Figure:
    """The figure before there is anything to draw: as high as the coming one, so that nothing jumps.

    >>> alt_text(nothing_yet("choose a method"))
    'Nothing to show yet: choose a method.'
    """
    reason = f"Nothing to show yet: {reason}."
    layout = {
        "xaxis": {"visible": False, "fixedrange": True},
        "yaxis": {"visible": False, "fixedrange": True},
        # Two lines, for one would not fit on a telephone.
        "annotations": [note(reason.replace(": ", ":<br>", 1), x=0.5, y=0.5, xanchor="center", yanchor="middle")],
    }
    return draw([], layout, alt=reason, title=title, height=height)


def axis(title: str | None = None, **more: Any) -> dict[str, Any]:
    """An axis whose settings hold in the app too, where Streamlit's own template covers ours."""
    found: dict[str, Any] = {"showgrid": True, **more}
    if title:
        found["title"] = {"text": title, "standoff": 8}
    return found


def named_axis(names: list[str], **more: Any) -> dict[str, Any]:
    """An axis of names at 0, 1, 2, …: two things of the same name keep a place each."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(names))),
        "ticktext": names,
        "showgrid": False,
        "zeroline": False,
        "ticks": "outside",  # unseen: a little room between name and bar
        "ticklen": 4,
        "tickcolor": CLEAR,
        **more,
    }


def log_ticks(low: float, high: float, words: Callable[[int], str] | None = None, most: int = 6) -> dict[str, Any]:
    """The settings of a log axis from 10**low to 10**high: ticks at powers of ten, no more than fit.

    >>> log_ticks(-2.5, 1)["ticktext"]
    ['10<sup>−2</sup>', '0.1', '1', '10']
    """
    powers = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    powers = powers[:: -(-len(powers) // most) or 1]
    if len(powers) < 2:
        return {"type": "log", "range": [low, high], "exponentformat": "power"}
    return {
        "type": "log",
        "range": [low, high],
        "tickvals": [10.0**power for power in powers],
        "ticktext": [words(power) if words else level(10.0**power) for power in powers],
    }


def log_range(values: np.ndarray, room: float = 0.05) -> tuple[float, float]:
    """The powers of ten between which all positive values lie, with a little room at both ends."""
    logs = np.log10(values[values > 0])
    low, high = float(logs.min()), float(logs.max())
    more = room * (high - low) or 0.3
    return low - more, high + more


def note(text: str, **more: Any) -> dict[str, Any]:
    """Text at a place of the figure (0 to 1 in both directions unless `xref`, `yref` say otherwise)."""
    return {"text": text, "xref": "paper", "yref": "paper", "showarrow": False, **more}


def legend_rows(names: list[str], width: int = 640) -> int:
    """How many rows the legend will take, roughly: figures grow by them, so that the curves keep their height."""
    widest = max((len(_shown(name)) for name in names), default=0)
    return -(-len(names) * (widest * 7 + 50) // width)


def text_width(text: str) -> float:
    """Pixels a text of the template's size takes at most, whatever the system's font is: measured in a wide one."""
    return sum(_letter_width(letter) for letter in _shown(text))


def _letter_width(letter: str) -> float:
    if letter in "MWmw%@—…":
        return 12.0
    if letter in "iljtf.,:;'|!()[] -":
        return 5.0
    return 9.5 if letter.isupper() else 7.8


def _shown(text: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", text))


def finite(values: Any) -> np.ndarray:
    """Numbers as an array of their own; infinite ones become NaN, which Plotly leaves out."""
    found = np.array(values, dtype=np.float64)
    found[~np.isfinite(found)] = np.nan
    return found


def polyline(pieces: Iterable[Piece]) -> tuple[np.ndarray, np.ndarray]:
    """Many lines as one trace: Plotly lifts the pen at NaN.

    >>> x, y = polyline([([1, 2], [0, 0]), ([3], [1])])
    >>> x, y
    (array([ 1.,  2., nan,  3.]), array([ 0.,  0., nan,  1.]))
    """
    points = [np.array(piece, dtype=np.float64) for piece in pieces]
    if not points:
        return np.zeros(0), np.zeros(0)
    pen_up = np.full((2, 1), np.nan)
    x, y = np.hstack([part for piece in points for part in (piece, pen_up)][:-1])
    return x, y
