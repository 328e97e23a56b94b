"""What every figure is made of: the look, a title, a description in words, axes, text, a face for nothing to show.

One look for every figure: quiet, dense, the same on the screen and on paper. A figure that is taken away (SVG, HTML,
a notebook) has dark ink on a transparent ground. In the app the ink is the page's, so that a figure follows the switch
between light and dark without being drawn again; figures therefore set no colour of their own but those of the palette,
which all reach a contrast of 3 on white and on near-black. Where nobody repaints, `template(dark=True)` gives a figure
for a dark slide.
"""

from __future__ import annotations

import html
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import checked, number
from mlfs.metrics import direction, metric_title

#: Okabe & Ito's blue, vermilion, green and pink, and a violet and a brown in place of their pale colours: as lines on
#: white and on near-black all have a contrast of 3, and readers with any colour vision tell them apart.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#A078F0", "#8C5A2B")
#: What stands out, in figures and on light pages; and on dark ones, where text in the first would be hard to read.
ACCENT, DARK_ACCENT = PALETTE[0], "#56B4E9"

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"
INK, DARK_INK = "#333333", "#e6e6e4"
DARK_GROUND = "#161616"
#: The boxes under the pointer: light on dark, on every page.
BOX, BOX_INK = "#222222", "#ffffff"
#: Lines, points and bars that belong to no method; and crowds of points and edges that others are seen against.
NEUTRAL = "#808080"
FAINT = "rgba(128, 128, 128, 0.45)"
GRID = "rgba(128, 128, 128, 0.25)"
CLEAR = "rgba(0, 0, 0, 0)"
# The graphics card mixes a transparent colour with white, whatever the page's ground is.
SOLID_GRID = "#9a9a9a"

#: What is written on the outline of a figure that is still to be computed.
NO_RESULTS = "An outline: no results yet"

BROWSER_POINTS = 2000  # above it the graphics card draws
ROW = 18  # pixels: a bar, a row of a heat map, a line of labels
HEIGHT, TALLEST = 320, 20_000
TITLE = 26
# What XML, and so an image, cannot hold: a browser would draw none because of one of them.
_NO_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
# Parts left out that follow each other, with what is between them.
_GAPS = re.compile("…(?:[^A-Za-z0-9]*…)+")
Piece = tuple[Sequence[float] | np.ndarray, Sequence[float] | np.ndarray]

MARGIN = {"l": 8, "r": 24, "t": 24, "b": 24, "pad": 0}


@cache
def template(dark: bool = False) -> go.layout.Template:
    """Return the template of every figure; never change what it returns."""
    ground = DARK_GROUND if dark else CLEAR
    axis = {
        "gridcolor": GRID,
        "linecolor": GRID,
        "tickcolor": GRID,
        "zeroline": False,
        # 5×10⁻⁴, not 500µ: what is measured here has no unit to put a prefix to.
        "exponentformat": "power",
        "automargin": True,
        "title": {"standoff": 8},
    }
    return go.layout.Template(
        layout={
            "colorway": PALETTE,
            "font": {"family": FONT, "size": 12, "color": DARK_INK if dark else INK},
            "paper_bgcolor": ground,
            "plot_bgcolor": ground,
            # Above the legend, however many rows that takes.
            "title": {
                "x": 0,
                "xanchor": "left",
                "y": 1,
                "yanchor": "top",
                "yref": "container",
                "automargin": True,
                "pad": {"t": 6, "b": 6, "l": 4},
                "font": {"size": 14},
            },
            "margin": {"l": 8, "r": 24, "t": 24, "b": 24},
            "xaxis": axis,
            "yaxis": axis,
            "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0},
            # Plotly would write on the colour of the line, which leaves less contrast than reading needs.
            "hoverlabel": {
                "bgcolor": BOX,
                "bordercolor": NEUTRAL,
                "font": {"family": FONT, "size": 12, "color": BOX_INK},
            },
            "modebar": {"bgcolor": CLEAR, "color": NEUTRAL},
            "bargap": 0.3,
        }
    )


def config(filename: str) -> dict[str, Any]:
    """Plotly's settings beside a figure: no logo, one button, which saves it as SVG under this name."""
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": filename},
    }


def draw(
    data: list[dict[str, Any]],
    layout: dict[str, Any],
    *,
    alt: str,
    title: str | None = None,
    height: float = HEIGHT,
    narrow: dict[str, Any] | None = None,
) -> go.Figure:
    """Make the figure from plain dicts.

    Plotly checks every property again, in two thirds of the time a figure of ten curves takes; a page redraws at
    every move of a slider, so the tests check the figures instead (`tests/plots/checks.py`).

    Parameters
    ----------
    alt : what the figure shows and its main numbers, for those who cannot see it; see `alt_text`
    narrow : what is otherwise in the layout where there is little room, as on a telephone; pages look for it in `meta`
    """
    layout = {
        "template": template(),
        "meta": {"alt": alt} if narrow is None else {"alt": alt, "narrow": narrow},
        "height": round(height),
        "margin": MARGIN,
        "dragmode": False,  # a finger on the figure scrolls the page
        **layout,
    }
    if title:
        layout["title"] = {"text": plain(title)}
        layout["height"] += TITLE
        if "scene" in layout or (layout.get("annotations") and not layout.get("showlegend")):
            # Plotly makes room for the title above the legend of axes, but not of a scene, nor above notes.
            layout["margin"] = {**layout["margin"], "t": layout["margin"]["t"] + TITLE}
    return go.Figure(data, layout, _validate=False)


@checked
def alt_text(figure: go.Figure) -> str:
    """What the figure shows, in words: for screen readers, and for the caption of a figure taken away."""
    meta = figure.layout.meta
    return meta.get("alt", "") if isinstance(meta, dict) else ""


@checked
def nothing_yet(reason: str, title: str | None = None, height: float = HEIGHT) -> go.Figure:
    """The figure before there is anything to draw: as high as the coming one, so that nothing jumps.

    >>> alt_text(nothing_yet("choose a method"))
    'Nothing to show yet: choose a method.'
    """
    height = number("height", height, 1, TALLEST)
    reason = f"Nothing to show yet: {reason}."
    layout = {
        "xaxis": {"visible": False, "fixedrange": True},
        "yaxis": {"visible": False, "fixedrange": True},
        # Two lines, for one would not fit on a telephone.
        "annotations": [
            note(plain(reason).replace(": ", ":<br>", 1), x=0.5, y=0.5, xanchor="center", yanchor="middle")
        ],
    }
    return draw([], layout, alt=reason, title=title, height=height)


def axis(title: str | None = None, **more: Any) -> dict[str, Any]:
    """An axis whose settings hold in the app too, where Streamlit's own template covers ours."""
    settings: dict[str, Any] = {"showgrid": True, **more}
    if title:
        settings["title"] = {"text": title, "standoff": 8}
    return settings


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


def sparse_axis(named: dict[str, Any], most: int) -> dict[str, Any]:
    """A `named_axis` with so many names at most: Plotly leaves out those that do not fit only where it chose them.

    >>> sparse_axis(named_axis(list("abcde")), 3)["ticktext"]
    ['a', 'c', 'e']
    """
    step = -(-len(named["tickvals"]) // most) or 1
    return {**named, "tickvals": named["tickvals"][::step], "ticktext": named["ticktext"][::step]}


def scene_axis(title: str, words: list[str] | None = None) -> dict[str, Any]:
    """An axis in three dimensions without Plotly's grey walls, which a dark page would light up."""
    settings: dict[str, Any] = {
        "title": {"text": title},
        "showbackground": False,
        "gridcolor": SOLID_GRID,
        "linecolor": SOLID_GRID,
        "zeroline": False,
        "showspikes": False,
        "nticks": 5,
    }
    if words is not None:
        # Every other, where they would crowd.
        step = 1 if len(words) <= 4 else 2
        settings |= {"tickmode": "array", "tickvals": list(range(0, len(words), step)), "ticktext": words[::step]}
    return settings


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


def metric_axis(metric: str, **more: Any) -> dict[str, Any]:
    """An axis of a metric, whose title says which side is better."""
    better = direction(metric)
    return axis(plain(metric_title(metric)) + (f" ({better})" if better else ""), **more)


def note(text: str, **more: Any) -> dict[str, Any]:
    """Text at a place of the figure (0 to 1 in both directions unless `xref`, `yref` say otherwise)."""
    return {"text": text, "xref": "paper", "yref": "paper", "showarrow": False, **more}


def heading(text: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    """Text that begins above a place, such as the upper left corner of a panel."""
    return note(text, x=x, y=y, xanchor="left", yanchor="bottom", **more)


def panel_axes(panel: int) -> dict[str, str]:
    """The axes of the panel at this position, as the traces in it name them.

    >>> panel_axes(0), panel_axes(1)
    ({'xaxis': 'x', 'yaxis': 'y'}, {'xaxis': 'x2', 'yaxis': 'y2'})
    """
    number = "" if panel == 0 else str(panel + 1)
    return {"xaxis": f"x{number}", "yaxis": f"y{number}"}


def panel_layout(panel: int, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    """The two axes of a panel, each where the other ends, as the layout names them."""
    number = "" if panel == 0 else str(panel + 1)
    return {f"xaxis{number}": {**x, "anchor": f"y{number}"}, f"yaxis{number}": {**y, "anchor": f"x{number}"}}


def scatter(x: Any, y: Any, mode: str, *, hover: str | None = None, named: bool = False, **more: Any) -> dict[str, Any]:
    """A trace of lines, markers or text.

    Parameters
    ----------
    hover : what the pointer says there; nothing where None
    named : whether the name of the trace stands beside it
    more : other properties of the trace, as Plotly calls them
    """
    return {"type": "scatter", "x": x, "y": y, "mode": mode, **_hovering(hover, named), **more}


def standing_for(
    trace: dict[str, Any],
    *,
    each: Mapping[str, str | Sequence[str]] | None = None,
    rows: Mapping[str, Sequence[str]] | None = None,
    columns: Mapping[str, Sequence[str]] | None = None,
    **whole: str,
) -> dict[str, Any]:
    """The trace, which says in its `meta` what it stands for: a click marks the same in all figures of a page.

    Names are written as the figure shows them (`plain`).

    Parameters
    ----------
    each : kind ("feature", "label", "method") → the name of each point, or the property of the trace that holds them
    rows, columns : the same of a heat map
    whole : kind and name of the whole trace

    >>> standing_for({"type": "scatter"}, method="ELS")
    {'type': 'scatter', 'meta': {'of': {'method': 'ELS'}}}
    """
    meta = {"of": whole, "each": each, "rows": rows, "columns": columns}
    return {**trace, "meta": {part: names for part, names in meta.items() if names}}


def bars(x: Any, y: Any, colour: str | list[str], *, hover: str | None = None, **more: Any) -> dict[str, Any]:
    """A trace of bars; ``hover`` and ``more`` as of `scatter`."""
    return {"type": "bar", "x": x, "y": y, "marker": {"color": colour}, **_hovering(hover), **more}


def row_bars(x: Any, colour: str | list[str], **more: Any) -> dict[str, Any]:
    """Lying bars in the rows 0, 1, 2, …, for a `named_axis` beside them."""
    return bars(x, list(range(len(x))), colour, orientation="h", **more)


def outside(text: list[str] | None) -> dict[str, Any]:
    """What bars have written at their ends."""
    return {"text": text, "textposition": "outside", "cliponaxis": False}


def _hovering(hover: str | None, named: bool = False) -> dict[str, str]:
    if hover is None:
        return {"hoverinfo": "skip"}
    return {"hovertemplate": hover if named else f"{hover}<extra></extra>"}


def ring(x: float, y: float, size: float, colour: str, width: float = 2, **more: Any) -> dict[str, Any]:
    """A ring around a point of another trace."""
    marker = {"symbol": "circle", "size": size, "color": CLEAR, "line": {"color": colour, "width": width}}
    return scatter([x], [y], "markers", marker=marker, **more)


def level_line(x: Any, height: float, name: str, **more: Any) -> dict[str, Any]:
    """A dashed level that other lines are held against; a dash of its own where there is one place only."""
    line, marker = (
        {"color": NEUTRAL, "width": 1.5, "dash": "dash"},
        {"color": NEUTRAL, "symbol": "line-ew-open", "size": 14},
    )
    mode = "lines" if x[0] < x[-1] else "markers"
    return scatter(x, np.full(len(x), height), mode, name=name, line=line, marker=marker, **more)


def mark_line(x: float, low: float, high: float) -> dict[str, Any]:
    """A dotted line upwards, where a slider stands."""
    return scatter([x, x], [low, high], "lines", line={"color": NEUTRAL, "width": 1.5, "dash": "dot"}, showlegend=False)


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
    numbers = np.array(values, dtype=np.float64)
    numbers[~np.isfinite(numbers)] = np.nan
    return numbers


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


def plain(text: Any) -> str:
    """A name that Plotly shows letter by letter: its own small markup language would swallow ``<`` and ``&``, and what
    a pointer says is a template, in which ``%{x}`` stands for a number. Characters that no image can hold become �.

    >>> plain("a<b>c & d"), plain("%{x}")
    ('a&lt;b>c &amp; d', '%&#123;x}')
    >>> plain("a\\x00b")
    'a\ufffdb'
    """
    return _NO_XML.sub("\ufffd", str(text)).replace("&", "&amp;").replace("<", "&lt;").replace("%{", "%&#123;")


def short(text: Any, length: int = 22) -> str:
    """A name cut in the middle, where names that begin alike still differ at the end, ready for Plotly.

    >>> short("mean_of_the_first_cepstral_coefficient_12", 20)
    'mean_of_th…icient_12'
    """
    text = str(text)
    if len(text) > length:
        half = (length - 1) // 2
        text = text[: length - 1 - half] + "…" + text[len(text) - half :]
    return plain(text)


def on_lines(text: Any, length: int = 44) -> str:
    """A title on as many lines as a telephone's width takes, ready for Plotly.

    >>> on_lines("|Y|: labels whose mutual information is computed exactly", 30)
    '|Y|: labels whose mutual<br>information is computed<br>exactly'
    """
    return "<br>".join(plain(line) for line in textwrap.wrap(str(text), length))


def short_all(names: Sequence[Any], length: int = 22) -> list[str]:
    """Names of one list, cut so that they still differ: parts that long names have in common go first.

    >>> short_all(["Mean_Acc1298_Std_Mem40_MFCC_3", "Mean_Acc1298_Mean_Mem40_MFCC_3", "BPM"], 20)
    ['Mean_…_Std_…_MFCC_3', 'Mean_…_Mean_…_MFCC_3', 'BPM']
    """
    texts = [str(name) for name in names]
    parts = {i: re.split("([^A-Za-z0-9]+)", name) for i, name in enumerate(texts) if len(name) > length}
    for i, pieces in parts.items():
        alike = [other for other in parts.values() if len(other) == len(pieces)]
        if len(alike) == 1:  # the only one of so many parts: what it has in common with all at the same places
            alike = list(parts.values())
        # Not the first part, by which people know a name; the longest first, and no more than need be.
        common = [
            p
            for p in range(1, len(pieces) if len(alike) > 1 else 0)
            if all(other[p : p + 1] == [pieces[p]] for other in alike)
        ]
        kept = list(pieces)
        for place in sorted(common, key=lambda p: -len(pieces[p])):
            if len("".join(kept)) > length and len(pieces[place]) > 1:
                kept[place] = "…"
        texts[i] = _GAPS.sub("…", "".join(kept))
    cut = [_GAPS.sub("…", short(name, length)) for name in texts]
    return cut if len(set(cut)) == len(set(map(str, names))) else [short(name, length + 10) for name in names]


def level(value: float) -> str:
    """A parameter's value on an axis: powers of ten as powers, others as they are.

    >>> level(0.001), level(1), level(10), level(0.05), level(1e5)
    ('10<sup>−3</sup>', '1', '10', '0.05', '10<sup>5</sup>')
    """
    if value > 0 and not 0.1 <= value <= 10:
        power = math.log10(value)
        if abs(power - round(power)) < 1e-9:
            return f"10<sup>{round(power)}</sup>".replace("-", "−")
    return f"{value:g}".replace("-", "−")


def time_tick(power: int) -> str:
    """Powers of ten with a unit: 100 s, not 1 min 40 s.

    >>> [time_tick(p) for p in (-5, -1, 0, 3)]
    ['10 µs', '100 ms', '1 s', '1000 s']
    """
    for limit, unit in ((-3, "µs"), (0, "ms")):
        if power < limit:
            return f"{10 ** (power - limit + 3):.0f} {unit}"
    return f"{10**power:.0f} s"
