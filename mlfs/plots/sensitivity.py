"""How much one parameter matters: a metric against its values; and the trials of a search, drawn over a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.checks import Sides, checked, table_columns
from mlfs.errors import ParameterError
from mlfs.metrics import lower_is_better, metric_title
from mlfs.plots.figure import (
    HEIGHT,
    NEUTRAL,
    PALETTE,
    alt_text,
    axis,
    draw,
    finite,
    legend_rows,
    level,
    log_range,
    log_ticks,
    metric_axis,
    nothing_yet,
    on_lines,
    plain,
    ring,
    scatter,
)
from mlfs.plots.named_lines import line_at
from mlfs.results import parameter_values
from mlfs.wording import count, listing

SIZES = (10, 30, 50)  # of Lee & Kim 2016
TICKS = 9  # values up to which each has its tick
TRIAL, BEST = "#ffffff", PALETTE[1]  # colours


@checked
def sensitivity_lines(
    table: pd.DataFrame,
    parameter: str,
    metric: str,
    *,
    sizes: Sequence[int] | None = None,
    log_x: bool = False,
    lower: bool | None = None,
    x_title: str | None = None,
    meaning: str | None = None,
    title: str | None = None,
) -> go.Figure:
    """A metric against a parameter such as |Y|, k or α, one line per number of features; the best of all is ringed.

    Parameters
    ----------
    table : a column of the parameter, and size and value; rows that agree in both are repeats, of which the mean is
        drawn. The table of `mlfs.evaluation.compare` will do: there the column parameters holds the parameter's
        value, the column metric tells which rows count, and there must be one data set and one method.
    sizes : one line each; unless given 10, 30 and 50 where the table has them, as in Lee & Kim 2016, else all
    log_x : for parameters searched by powers of ten
    lower : whether lower is better, where `metric` is no metric; it is unless said
    x_title : the parameter's name for people
    meaning : what the axis says of it; its name unless given
    """
    if parameter not in table and "parameters" in table:
        table = table.assign(**{parameter: parameter_values(table, parameter)})
    table_columns(table, (parameter, "size", "value"), "the sweep")
    for column, things in (("dataset", "data sets"), ("method", "methods")):
        if column in table and len(several := table[column].unique()) > 1:
            raise ParameterError(
                f"The table holds several {things} ({several[0]}, {several[1]}, …): draw one figure for each."
            )
    rows = table[table["metric"] == metric] if "metric" in table else table
    means = _means(rows, parameter, log_x)
    name = x_title or parameter
    shown = _shown(list(means.columns), sizes)
    if means.empty or not len(shown) or not np.isfinite(means[shown].to_numpy()).any():
        return nothing_yet("the lines appear as the runs of the sweep finish", title)
    sign = 1 if (lower_is_better(metric) if lower is None else lower) else -1
    across = means.index.to_numpy(dtype=float)
    data: list[dict[str, Any]] = []
    best = []
    for place, size in enumerate(shown):
        values = means[size].to_numpy()
        if not np.isfinite(values).any():
            continue
        at = int(np.nanargmin(sign * values))
        best.append((sign * values[at], values[at], across[at], size))
        look = {
            "name": count(int(size), "feature"),
            **line_at(place),
            "connectgaps": True,
        }  # a size that one setting does not reach
        hover = f"{plain(name)} = %{{x:.4g}}: %{{y:.4f}}"
        data.append(scatter(across, values, "lines+markers", hover=hover, named=True) | look)
    _, value, where, size = min(best)
    best_name = f"best: {value:.4f} at {plain(name)} = {where:.4g}, {count(int(size), 'feature')}"
    data.append(ring(where, value, 15, NEUTRAL, name=best_name))
    layout: dict[str, Any] = {
        "xaxis": axis(on_lines((meaning or name) + (" (log axis)" if log_x else ""))),
        "yaxis": metric_axis(metric),
        "showlegend": True,
        "hovermode": "closest",
    }
    if log_x:
        layout["xaxis"] |= log_ticks(*log_range(across))
    if len(across) <= TICKS:
        layout["xaxis"] |= {"tickvals": across, "ticktext": [level(value) for value in across]}
    best_words = [f"with {count(int(size), 'feature')} {value:.4f} at {where:g}" for _, value, where, size in best]
    alt = (
        f"{metric_title(metric)} against {name} from {across.min():g} to {across.max():g}, best of each number of "
        f"features: {listing(best_words)}."
    )
    names = [str(trace["name"]) for trace in data]
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 19 * legend_rows(names))


def _means(rows: pd.DataFrame, parameter: str, log_x: bool) -> pd.DataFrame:
    """(values of the parameter, sizes) means over repeats; settings that are no number have no place on the axis."""
    at = pd.to_numeric(rows[parameter], errors="coerce")
    numbers = pd.DataFrame({"at": at, "size": rows["size"], "value": finite(rows["value"])}).dropna()
    if log_x:
        numbers = numbers[numbers["at"] > 0]
    if numbers.empty:
        return pd.DataFrame()
    means = numbers.pivot_table(values="value", index="at", columns="size")
    return means.set_axis([int(size) for size in means.columns], axis="columns")


def _shown(known: list[int], sizes: Sequence[int] | None) -> list[int]:
    if sizes is not None:
        return [int(size) for size in sizes if size in known]
    return [size for size in SIZES if size in known] or known


@checked
def with_trials(
    figure: go.Figure,
    trials: Annotated[Sequence[Sequence[float]] | np.ndarray, Sides("trials", "parameters")],
    values: Annotated[Sequence[float] | np.ndarray, Sides("trials")],
    grid: Annotated[Sequence[Sequence[float]], Sides("parameters")],
    *,
    lower: bool = True,
    log: Annotated[Sequence[bool], Sides("parameters")] = (False, False),
) -> go.Figure:
    """A copy of a figure of `sensitivity_lines`, `curves`, `grid_heatmap` or `grid_surface` with the trials on it.

    Trials stand between the values of the grid where they were made; the best is marked. Their values come from
    validation rows, so that on a surface they float above or below it.

    Parameters
    ----------
    trials : (n, 1) or (n, 2) values of the parameters
    values : (n,) of the metric, NaN where a trial failed
    grid : the values of each parameter that the figure goes through
    log : whether a parameter is searched by factors
    """
    places, results = finite(trials), finite(values)
    known = np.isfinite(results)
    if not known.any():
        return figure
    best = int(np.nanargmin(results if lower else -results))
    if places.shape[1] == 2:
        columns = [_places(places[:, i], grid[i], log[i]) for i in range(2)]
        # One look for the flat and the solid picture; only the solid one has a height.
        solid = figure.data[0].type == "surface"
        axes = [*columns, results] if solid else columns
    else:
        solid, axes = False, [places[:, 0], results]
    words = [f"trial {number + 1}: {value:.4f}" for number, value in enumerate(results)]
    drawn = go.Figure(figure)
    for rows, name, colour, size in (
        (np.flatnonzero(known), "trials", TRIAL, 6),
        (np.array([best]), f"best trial: {results[best]:.4f}", BEST, 11),
    ):
        drawn.add_trace(_points([axis[rows] for axis in axes], [words[i] for i in rows], name, colour, size, solid))
    if places.shape[1] == 1 and (ends := figure.layout.yaxis.range):
        low, high = float(np.nanmin(results)), float(np.nanmax(results))
        room = 0.06 * (max(high, ends[1]) - min(low, ends[0]))
        drawn.update_layout(yaxis_range=[min(low - room, ends[0]), max(high + room, ends[1])])
    alt = f"{alt_text(figure)} With {count(int(known.sum()), 'trial')} of a search, the best {results[best]:.4f}."
    return drawn.update_layout(meta={**figure.layout.meta, "alt": alt})


def _places(values: np.ndarray, ticks: Sequence[float], log: bool) -> np.ndarray:
    """Where values stand on an axis on which the ticks are 0, 1, 2, …

    >>> _places(np.array([1.0, 10.0, 31.6227766]), [1, 100], True).round(2)
    array([0.  , 0.5 , 0.75])
    """
    marks = np.asarray(ticks, dtype=float)
    order = np.argsort(marks)
    if log and (marks > 0).all():
        values, marks = np.log(values), np.log(marks)
    return np.interp(values, marks[order], order.astype(float))


def _points(axes: list[np.ndarray], words: list[str], name: str, colour: str, size: int, solid: bool) -> dict[str, Any]:
    marker = {"color": colour, "size": size / 2 if solid else size, "line": {"color": "#000000", "width": 1}}
    look = {"name": name, "text": words, "marker": marker, "showlegend": False}
    x, y, *z = axes
    height = {"type": "scatter3d", "z": z[0]} if solid else {}
    return scatter(x, y, "markers", hover="%{text}") | height | look
