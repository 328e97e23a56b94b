"""Curves against the number of features, one per method, with bands: losses, scores, R(F), C(F)."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from scipy.special import stdtrit

from mlfs.checks import checked, table_columns, whole
from mlfs.errors import ParameterError, did_you_mean
from mlfs.metrics import direction, lower_is_better, metric_title
from mlfs.plots.figure import (
    HEIGHT,
    MARGIN,
    NEUTRAL,
    NO_RESULTS,
    axis,
    draw,
    finite,
    heading,
    legend_rows,
    level_line,
    log_range,
    log_ticks,
    metric_axis,
    note,
    nothing_yet,
    on_lines,
    panel_axes,
    panel_layout,
    plain,
    polyline,
    scatter,
    standing_for,
)
from mlfs.plots.palette import Style, styles_of
from mlfs.results import settings_of
from mlfs.wording import listing, plain_number

BANDS = {"std": "mean ± standard deviation", "ci": "mean with its 95% confidence interval", "none": "mean"}
COLUMNS = ("method", "size", "metric", "value")

LEVEL = "all features"
# Above so many methods bands cover each other: they fade, and pages bring out the one under the pointer.
CLEAR_BANDS, BAND, FADED = 4, 0.15, 0.04
# Room for the numbers of an axis and its title. Left to measure it, Plotly would draw each panel twice.
PANEL_MARGIN = {**MARGIN, "l": 56, "b": 46}
ROOM = 0.06  # above and below the curves, as a share of their height
GAP = 0.12  # between panels, as a share of the width
LINE = 15  # pixels: a line of a heading
NO_VALUES = "not defined on these data"
OUTLINED = 4  # curves at most, however many will come


@checked
def tidy(curves: Mapping[Any, pd.DataFrame | Sequence[pd.DataFrame]]) -> pd.DataFrame:
    """The tables of `mlfs.evaluation.loss_curve`, one or several repeats by method, as the table that `curves` draws.

    >>> table = pd.DataFrame({"size": [1, 2], "hamming_loss": [0.3, 0.2]})
    >>> tidy({"els": table}).to_dict("list")
    {'method': ['els', 'els'], 'size': [1, 2], 'metric': ['hamming_loss', 'hamming_loss'], 'value': [0.3, 0.2]}
    """
    parts = [
        table.melt("size", var_name="metric").assign(method=method)
        for method, tables in curves.items()
        for table in ([tables] if isinstance(tables, pd.DataFrame) else tables)
    ]
    return pd.concat(parts, ignore_index=True)[list(COLUMNS)] if parts else pd.DataFrame(columns=list(COLUMNS))


@checked
def curves(
    table: pd.DataFrame,
    *,
    metrics: Sequence[str] | None = None,
    band: str = "std",
    baseline: Mapping[str, float] | None = None,
    columns: int = 2,
    x_title: str = "Number of features",
    log_x: bool = False,
    log_y: bool = False,
    title: str | None = None,
) -> go.Figure:
    """One curve per method against the number of features, one panel per metric.

    Parameters
    ----------
    table : columns method, size, metric, value; rows that agree in the first three (and in parameters, where there
        is such a column) are repeats, of which the mean is drawn. A column std gives the spread instead where the
        repeats are no longer there, and a column n how many they were.
    metrics : which, and in which order; all of the table unless given
    band : "std" (mean ± standard deviation), "ci" (95% confidence interval of the mean; of repeats, or of std and n)
        or "none"
    baseline : metric → value with all features, drawn as a level line
    columns : panels side by side
    log_x : for sizes that grow by factors: the first few features decide most
    """
    if band not in BANDS:
        raise ParameterError(f"There is no band {band!r}: {did_you_mean(band, BANDS)}")
    table_columns(table, COLUMNS, "curves")
    whole("columns", columns, 1)
    table = _by_setting(table[table["size"].notna()])  # a cell that failed has no size
    if metrics is None:
        metrics = list(table["metric"].unique())
    lines = _lines(table[table["metric"].isin(list(metrics))], band)
    if not any(np.isfinite(line.mean).any() for line in lines):
        return nothing_yet("the curves appear once a method has been evaluated", title)
    metrics = [metric for metric in metrics if any(line.metric == metric for line in lines)]
    styles = styles_of(dict.fromkeys(line.method for line in lines))
    banded = any(np.isfinite(line.spread).any() for line in lines)

    data: list[dict[str, Any]] = []
    listed: set[Any] = set()
    for panel, metric in enumerate(metrics):
        here = [line for line in lines if line.metric == metric]
        for line in here:
            data += _band(line, styles[line.method], FADED if len(styles) > CLEAR_BANDS else BAND, panel)
        for line in here:
            data.append(_curve(line, styles[line.method], panel, first=line.method not in listed))
            listed.add(line.method)
        all_features = (baseline or {}).get(metric, np.nan)
        if np.isfinite(all_features):
            data.append(_level(all_features, here, panel, first=LEVEL not in listed))
            listed.add(LEVEL)

    names = [plain(style.name) for style in styles.values()]
    # The legend also says what the band is.
    legend = len(listed) > 1 or banded
    rows = legend_rows(names) if legend else 0

    def arranged(columns: int) -> dict[str, Any]:
        height = HEIGHT * -(-len(metrics) // columns) + 19 * rows
        layout = {"height": height, **_panels(metrics, lines, columns, height, x_title, log_x, log_y, baseline or {})}
        above: dict[str, Any] = {}
        if len(metrics) > 1:
            above["y"] = _above(metrics, height)
            layout["margin"] = {
                **PANEL_MARGIN,
                "t": MARGIN["t"] if legend else max(_heading_height(metrics), MARGIN["t"]),
            }
        if banded:
            above["title"] = {"text": BANDS[band], "side": "top", "font": {"size": 11}}
        layout["legend"] = above
        return layout

    columns = min(columns, len(metrics))
    layout = {"hovermode": "x unified" if len(names) <= 10 else "closest", "showlegend": legend, **arranged(columns)}
    alt = _describe(lines, metrics, styles, baseline or {}, BANDS[band] if banded else "")
    narrow = arranged(1) if columns > 1 else None
    return draw(data, layout, alt=alt, title=title, height=layout["height"], narrow=narrow)


@checked
def curves_outline(
    names: Sequence[str],
    metrics: Sequence[str],
    sizes: Sequence[float] | np.ndarray,
    *,
    columns: int = 2,
    x_title: str = "Number of features",
    log_x: bool = False,
) -> go.Figure:
    """What `curves` will look like, before there are results: grey lines that mean nothing, no numbers on their axes.

    Parameters
    ----------
    names : of the curves to come
    sizes : where they will have their points
    """
    whole("columns", columns, 1)
    at = np.unique(finite(sizes))
    at = at[at > 0] if log_x else at[np.isfinite(at)]
    if not (len(names) and len(metrics) and len(at)):
        return nothing_yet("the curves appear once a method has been evaluated")
    # Towards the better side, as most curves go.
    shape = 1 / (1 + 4 * np.linspace(0, 1, len(at)))
    lines = [
        _Line(metric, place, at, (shape + place / 6) * (1 if lower_is_better(metric) else -1), shape * np.nan)
        for metric in metrics
        for place in range(min(len(names), OUTLINED))
    ]
    look = {"color": NEUTRAL, "width": 1.5, "dash": "dot"}
    data = [
        scatter(line.size, line.mean, "lines", name=NO_RESULTS, line=look, showlegend=place == 0)
        | panel_axes(list(metrics).index(line.metric))
        for place, line in enumerate(lines)
    ]
    rows = legend_rows(list(names))  # as the legend to come

    def arranged(columns: int) -> dict[str, Any]:
        height = HEIGHT * -(-len(metrics) // columns) + 19 * rows
        layout = {"height": height, **_panels(metrics, lines, columns, height, x_title, log_x, False, {})}
        for panel in range(len(metrics)):
            layout["yaxis" + panel_axes(panel)["yaxis"][1:]] |= {"showticklabels": False}
        if len(metrics) > 1:
            layout |= {"legend": {"y": _above(metrics, height)}, "margin": PANEL_MARGIN}
        return layout

    columns = min(columns, len(metrics))
    layout = {"hovermode": False, "showlegend": True, **arranged(columns)}
    titles = listing([metric_title(metric) for metric in metrics])
    alt = f"{NO_RESULTS}. There will be a curve of {titles} for each of {listing(list(names))}."
    return draw(data, layout, alt=alt, height=layout["height"], narrow=arranged(1) if columns > 1 else None)


class _Line:
    """One method in one metric: sizes in rising order, mean and spread of the repeats."""

    def __init__(self, metric: str, method: Any, size: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> None:
        self.metric, self.method, self.size = metric, method, size
        self.mean, self.spread = finite(mean), finite(spread)


def _by_setting(table: pd.DataFrame) -> pd.DataFrame:
    """One method with several settings is several curves; several data sets are several figures."""
    sets = table["dataset"].unique() if "dataset" in table else []
    if len(sets) > 1:
        raise ParameterError(f"The table holds several data sets ({sets[0]}, {sets[1]}, …): draw one figure for each.")
    return table.assign(method=settings_of(table)) if "parameters" in table else table


def _lines(table: pd.DataFrame, band: str) -> list[_Line]:
    """The curves, methods in the order of the table. In NumPy: a page draws them at every move of a slider."""
    if table.empty:
        return []
    pairs = list(zip(table["metric"], table["method"], strict=True))
    place = {pair: i for i, pair in enumerate(dict.fromkeys(pairs))}
    line, size = np.array([place[pair] for pair in pairs]), table["size"].to_numpy(dtype=float)
    order = np.lexsort((size, line))
    line, size = line[order], size[order]
    first = np.flatnonzero(np.r_[True, (np.diff(line) != 0) | (np.diff(size) != 0)])
    mean, spread, n = _moments(finite(table["value"])[order], first)
    if band == "none":
        spread[:] = np.nan
    elif "std" in table:
        spread = _moments(finite(table["std"])[order], first)[0]
        n = _moments(finite(table["n"])[order], first)[0] if "n" in table else n
    if band == "ci" and ("n" in table or "std" not in table):
        spread *= stdtrit(np.maximum(n - 1, 1), 0.975) / np.sqrt(np.maximum(n, 1))
    if (size == np.floor(size)).all():
        size = size.astype(np.intp)  # rows that failed have made them fractions
    cuts = [*np.searchsorted(line[first], range(len(place))), len(first)]
    lines = [
        _Line(*pair, size[first[a:b]], mean[a:b], spread[a:b])
        for pair, (a, b) in zip(place, pairwise(cuts), strict=True)
    ]
    methods = list(dict.fromkeys(line.method for line in lines))
    return sorted(lines, key=lambda line: methods.index(line.method))


def _moments(values: np.ndarray, first: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, standard deviation (n − 1) and number of the known values of each group, which begins at `first`."""
    known = np.isfinite(values)
    n = np.add.reduceat(known.astype(float), first)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.add.reduceat(np.where(known, values, 0.0), first) / n
        from_mean = np.where(known, values - np.repeat(mean, np.diff(np.r_[first, len(values)])), 0.0)
        return mean, finite(np.sqrt(np.add.reduceat(from_mean**2, first) / np.where(n > 1, n - 1, np.nan))), n


def _curve(line: _Line, style: Style, panel: int, first: bool) -> dict[str, Any]:
    spread = np.isfinite(line.spread)
    alone = np.isfinite(line.mean).sum() == 1
    listed = {"name": plain(style.name), "legendgroup": plain(style.name), "showlegend": first}
    look = {"line": style.line(), "marker": {**style.marker(), "maxdisplayed": 12}, **panel_axes(panel)}
    trace = scatter(line.size, line.mean, "lines+markers", hover="%{y:.4f}", named=True) | listed | look
    if spread.any():
        trace["customdata"] = np.nan_to_num(line.spread)
        trace["hovertemplate"] += " ± %{customdata:.4f}"
    if alone and spread.any():
        # One size has no area to fill.
        trace["error_y"] = {"type": "data", "array": line.spread, "color": style.colour, "thickness": 1.5, "width": 4}
    return standing_for(trace, method=plain(style.name))


def _band(line: _Line, style: Style, opacity: float, panel: int) -> list[dict[str, Any]]:
    """The area around a curve, as one trace; where a value is missing the area is interrupted as the curve is."""
    known = np.isfinite(line.mean) & np.isfinite(line.spread)
    edges = np.flatnonzero(np.diff(np.r_[False, known, False].astype(int)))
    pieces = []
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        if b - a > 1:
            low, high = line.mean[a:b] - line.spread[a:b], line.mean[a:b] + line.spread[a:b]
            pieces.append((np.r_[line.size[a:b], line.size[a:b][::-1]], np.r_[high, low[::-1]]))
    if not pieces:
        return []
    x, y = polyline(pieces)
    area = {"fill": "toself", "fillcolor": style.wash(opacity), "line": {"width": 0}, "showlegend": False}
    return [standing_for(scatter(x, y, "lines") | panel_axes(panel) | area, method=plain(style.name))]


def _level(value: float, lines: list[_Line], panel: int, first: bool) -> dict[str, Any]:
    sizes = np.unique(np.concatenate([line.size for line in lines]))
    listed = {"legendgroup": LEVEL, "showlegend": first, **panel_axes(panel)}
    return level_line(sizes, value, LEVEL, hover="%{y:.4f}", named=True, **listed)


def _panels(
    metrics: Sequence[str],
    lines: list[_Line],
    columns: int,
    height: float,
    x_title: str,
    log_x: bool,
    log_y: bool,
    baseline: Mapping[str, float],
) -> dict[str, Any]:
    """Axes side by side and one below the other; several panels have headings, one has a title on its axis."""
    rows = -(-len(metrics) // columns)
    wide = (1 - GAP * (columns - 1)) / columns
    gap = (32 + LINE * max(len(_heading(metric)) for metric in metrics)) / (height - 60)
    high = (1 - gap * (rows - 1)) / rows
    sizes = np.unique(np.concatenate([line.size for line in lines]))
    ticks = _ticks(sizes, log_x)
    reaches = {} if log_y else {metric: _reach(metric, lines, baseline) for metric in metrics}
    layout: dict[str, Any] = {"annotations": []}
    for panel, metric in enumerate(metrics):
        row, column = divmod(panel, columns)
        left, top = column * (wide + GAP), 1 - row * (high + gap)
        last = panel + columns >= len(metrics)
        x = axis(on_lines(x_title) if last else None, domain=[left, min(left + wide, 1.0)], **ticks)
        scale = _log_scale(metric, lines) if log_y else reaches[metric]
        y = axis(domain=[max(top - high, 0.0), top], **scale)
        if panel:
            x["matches"] = "x"
        if len(metrics) == 1:
            y |= metric_axis(metric)
        else:
            x["automargin"] = y["automargin"] = False
            layout["annotations"].append(heading("<br>".join(_heading(metric)), left, top, align="left"))
        if not any(np.isfinite(line.mean).any() for line in lines if line.metric == metric):
            y["showticklabels"] = False
            layout["annotations"].append(_no_values(left + wide / 2, top - high / 2))
        layout |= panel_layout(panel, x, y)
    return layout


def _no_values(x: float, y: float) -> dict[str, Any]:
    """What an empty panel says, such as that of the ranking loss where there is one label."""
    return note(NO_VALUES, x=x, y=y, xanchor="center", yanchor="middle")


def _log_scale(metric: str, lines: list[_Line]) -> dict[str, Any]:
    """A panel's log axis with 1, 2 and 5 of each power of ten, or more; nothing where a value has no logarithm."""
    values = np.concatenate([line.mean for line in lines if line.metric == metric])
    values = values[np.isfinite(values)]
    if not len(values) or (values <= 0).any():
        return {}
    low, high = np.floor(np.log10([values.min(), values.max()])).astype(int)
    steps: tuple[float, ...] = (1, 2, 5) if high - low < 3 else (1,)
    if 1.2 * values.min() < values.max() < 5 * values.min():  # too few of those ticks would lie on it
        steps = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
    ticks = [float(f"{step}e{power}") for power in range(low - 1, high + 2) for step in steps]
    return {"type": "log", "tickvals": ticks, "ticktext": [plain_number(tick) for tick in ticks]}


def _reach(metric: str, lines: list[_Line], baseline: Mapping[str, float]) -> dict[str, Any]:
    """The ends of a panel's y axis, with room; not left to Plotly, so that a page can keep them as curves move."""
    shown = [finite([baseline.get(metric, np.nan)])]
    for line in lines:
        if line.metric == metric:
            spread = np.nan_to_num(line.spread)
            shown += [line.mean - spread, line.mean + spread]
    values = np.concatenate(shown)
    values = values[np.isfinite(values)]
    if not len(values):
        return {}
    low, high = float(values.min()), float(values.max())
    room = ROOM * (high - low) or 0.05 * abs(high) or 0.5
    return {"range": [low - room, high + room]}


def _ticks(sizes: np.ndarray, log_x: bool) -> dict[str, Any]:
    """Every size where they are few; else round numbers, on a log axis 1, 2, 5, 10, 20, …"""
    few: dict[str, Any] = {"tickvals": sizes} if len(sizes) <= 6 else {}
    if not log_x:
        return few or {"nticks": 8}
    low, high = log_range(sizes, 0.03)
    scale: dict[str, Any] = {"type": "log", "range": [low, high]}
    if few:
        return scale | few
    if sizes.min() < 1:  # no sizes, but the values of a parameter
        return log_ticks(low, high)
    steps = [step * 10**power for power in range(int(high) + 1) for step in (1, 2, 5)]
    return {**scale, "tickvals": [step for step in steps if sizes.min() <= step <= sizes.max()]}


def _above(metrics: Sequence[str], height: float) -> float:
    """Where the legend begins: above the headings of the first panels."""
    return 1 + _heading_height(metrics) / (height - 80)


def _heading_height(metrics: Sequence[str]) -> int:
    return 12 + LINE * max(len(_heading(metric)) for metric in metrics)


@cache
def _heading(metric: str) -> list[str]:
    """The title of a panel with an arrow to the better side, in lines that fit half a telephone's width."""
    arrow = {"lower is better": " ↓", "higher is better": " ↑"}.get(direction(metric), "")
    return [f"<b>{plain(line)}</b>" for line in textwrap.wrap(metric_title(metric) + arrow, 19)]


def _describe(lines: list[_Line], metrics: Sequence[str], styles: Mapping, baseline: Mapping, band: str) -> str:
    sizes = np.concatenate([line.size for line in lines])
    sentences = []
    for metric in metrics:
        sign = 1 if lower_is_better(metric) else -1
        best = [
            (sign * np.nanmin(sign * line.mean), line.size[np.nanargmin(sign * line.mean)], styles[line.method].name)
            for line in lines
            if line.metric == metric and np.isfinite(line.mean).any()
        ]
        best.sort(key=lambda entry: sign * entry[0])
        words = [f"{name} {value:.4f} at {size}" for value, size, name in best]
        if not best:
            sentences.append(f"{metric_title(metric)} is {NO_VALUES}.")
            continue
        level = f"; all features {baseline[metric]:.4f}" if metric in baseline else ""
        sentences.append(f"{metric_title(metric)}, best of each method: {listing(words)}{level}.")
    spread = f", {band}" if band else ""
    return f"Curves against the number of features from {sizes.min()} to {sizes.max()}{spread}. " + " ".join(sentences)
