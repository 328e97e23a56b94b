"""How many features are selected, and the losses with label columns left in: the figures of Zhou & Guo 2023."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.metrics import lower_is_better, metric_title
from mlfs.papers.figures import with_parameters
from mlfs.plots.figure import (
    HEIGHT,
    NEUTRAL,
    ROW,
    axis,
    draw,
    finite,
    legend_rows,
    level,
    log_range,
    log_ticks,
    metric_axis,
    named_axis,
    nothing_yet,
    plain,
    scatter,
)
from mlfs.plots.named_lines import line_at
from mlfs.plots.palette import SYMBOLS, colour_at, styles_of
from mlfs.wording import listing

PRINTED = "published"


def against_alpha(rows: pd.DataFrame) -> dict[str, go.Figure]:
    """Figure 1 from measured rows."""
    return {"counts": counts_against_alpha(with_parameters(rows))}


def by_method(rows: pd.DataFrame) -> dict[str, go.Figure]:
    """Figure 2 from measured rows."""
    return {"counts": counts_by_method(rows.rename(columns={"setting": "method"}))}


def counts_against_alpha(table: pd.DataFrame) -> go.Figure:
    """How many features are selected for each α, one line per data set, on a log axis (Zhou & Guo 2023, Fig. 1).

    Parameters
    ----------
    table : columns dataset, alpha and value, the mean number of features
    """
    rows = table[finite(table["value"]) > 0]
    if rows.empty:
        return nothing_yet("the counts appear once MAPD has run")
    data = []
    for place, (name, group) in enumerate(rows.groupby("dataset", sort=False)):
        x, y = (group[column].to_numpy(dtype=float) for column in ("alpha", "value"))
        trace = scatter(x, y, "lines+markers", name=plain(name), hover=f"{plain(name)}, α = %{{x:g}}: %{{y:.1f}}")
        symbol = {"size": 7, "symbol": SYMBOLS[place // 6 % len(SYMBOLS)]}
        data.append({**trace, **line_at(place), "marker": symbol})
    across = sorted(rows["alpha"].astype(float).unique())
    layout = {
        "xaxis": axis("α", tickvals=across, ticktext=[level(value) for value in across]),
        "yaxis": axis("Features selected (log axis)", **_counted(rows["value"])),
        "showlegend": True,
        "hovermode": "closest",
    }
    words = [
        f"{name} {group['value'].iloc[0]:.1f} to {group['value'].iloc[-1]:.1f}"
        for name, group in rows.groupby("dataset", sort=False)
    ]
    alt = f"Features selected for α from {across[0]:g} to {across[-1]:g}: {listing(words, 12)}."
    names = [str(trace["name"]) for trace in data]
    return draw(data, layout, alt=alt, height=HEIGHT + 19 * legend_rows(names))


def counts_by_method(table: pd.DataFrame) -> go.Figure:
    """How many features each method selects on each data set, on a log axis (Zhou & Guo 2023, Fig. 2).

    Parameters
    ----------
    table : columns dataset, method and value, the mean number of features
    """
    rows = table[finite(table["value"]) > 0]
    datasets = list(dict.fromkeys(rows["dataset"]))
    if rows.empty:
        return nothing_yet("the counts appear once the methods have run")
    styles = styles_of(dict.fromkeys(rows["method"]))
    data = []
    for place, (method, group) in enumerate(rows.groupby("method", sort=False)):
        style = styles[method]
        # A little beside each other: methods that select equally many would hide each other.
        shift = 0.16 * (place - (len(styles) - 1) / 2)
        data.append(
            _by_dataset(
                group["value"].to_numpy(dtype=float),
                [datasets.index(name) + shift for name in group["dataset"]],
                group["dataset"],
                style.name,
                style.marker(9),
                f"{plain(style.name)} on %{{customdata}}: %{{x:.1f}}",
            )
        )
    layout = {
        "xaxis": axis("Features selected (log axis)", **_counted(rows["value"])),
        "yaxis": named_axis([plain(name) for name in datasets], range=[len(datasets) - 0.4, -0.6], showgrid=True),
        "showlegend": True,
        "hovermode": "closest",
    }
    words = [
        f"{name}: " + ", ".join(f"{styles[row.method].name} {row.value:.1f}" for row in group.itertuples())
        for name, group in rows.groupby("dataset", sort=False)
    ]
    alt = f"Features selected on {len(datasets)} data sets. {listing(words, 12)}."
    names = [str(trace["name"]) for trace in data]
    height = 2.2 * ROW * max(len(datasets), 3) + 90
    return draw(data, layout, alt=alt, height=height + 19 * legend_rows(names))


def _counted(values: pd.Series) -> dict[str, Any]:
    """A log axis of counts; at least a power of ten, for less has no ticks to read from."""
    low, high = log_range(values.to_numpy(dtype=float))
    return log_ticks(min(low, np.floor(high)), max(high, np.ceil(low) + 0.05))


def ways_and_published(table: pd.DataFrame, metric: str, ways: Mapping[str, str]) -> go.Figure:
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
        return nothing_yet("the values appear once the experiment has run", height=max(height, 240))
    data: list[dict[str, Any]] = []
    for place, (column, name) in enumerate(columns.items()):
        hover = f"%{{customdata}}, {plain(name)}: %{{x:.4f}}"
        data.append(_by_dataset(values[column], list(range(len(names))), names, name, _mark(place), hover))
    across = metric_axis(metric)
    if lower_is_better(metric) and (known > 0).all():
        across |= log_ticks(*log_range(known))
    layout = {
        "xaxis": across,
        "yaxis": named_axis([plain(name) for name in names], autorange="reversed", showgrid=True),
        "showlegend": True,
        "hovermode": "closest",
    }
    words = [
        f"{name}: " + ", ".join(f"{way} {_number(values[column][i])}" for column, way in columns.items())
        for i, name in enumerate(names)
    ]
    alt = f"{metric_title(metric)} of {len(names)} data sets, as printed and as measured. {listing(words)}."
    rows = legend_rows([str(trace["name"]) for trace in data])
    return draw(data, layout, alt=alt, height=height + 19 * rows)


def _by_dataset(
    x: np.ndarray, rows: list[float], datasets: Iterable[str], name: str, marker: dict[str, Any], hover: str
) -> dict[str, Any]:
    """Points in the rows of the data sets."""
    words = [plain(dataset) for dataset in datasets]
    return scatter(x, rows, "markers", name=plain(name), marker=marker, customdata=words, hover=hover)


def _mark(place: int) -> dict[str, Any]:
    """A bar for what is printed; every second way is hollow, so that one shows through another."""
    if place == 0:
        return {"size": 15, "symbol": "line-ns-open", "color": NEUTRAL, "line": {"width": 3, "color": NEUTRAL}}
    hollow, colour = place % 2 == 0, colour_at(place - 1)
    symbol = SYMBOLS[(place - 1) % len(SYMBOLS)] + ("-open" if hollow else "")
    return {"size": 12 if hollow else 8, "symbol": symbol, "color": colour, "line": {"width": 2 if hollow else 0}}


def _number(value: float) -> str:
    return f"{value:.4f}" if np.isfinite(value) else "–"
