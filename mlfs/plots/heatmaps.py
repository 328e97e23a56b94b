"""Tables as colours: the solution Z of GRRO, a grid of two parameters, the overlap of subsets, labels together.

Zero is the ground of the page in the first, and little is pale in the last two, so that what is there stands out in
light and dark; a value that is missing has no cell at all.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.metrics import metric_title
from mlfs.plots.canvas import ROW, draw, finite, named_axis, note, nothing_yet
from mlfs.plots.grid import Grid
from mlfs.plots.palette import styles_of, wash
from mlfs.plots.template import ACCENT, CLEAR, PALETTE
from mlfs.plots.wording import count, listing, plain, short, short_all

SEQUENTIAL = "Cividis"
# A grey zero, so that a missing cell differs from it; at most 0.7, so that ink reads on it in light and dark.
PALE = [[0, "rgba(128, 128, 128, 0.08)"], [1, wash(ACCENT, 0.7)]]
DIVERGING = [
    [0, wash(PALETTE[1], 1)],
    [0.5, "rgba(128, 128, 128, 0.1)"],
    [1, wash(PALETTE[0], 1)],
]

WRITTEN = 12  # rows and columns up to which a cell has its number in it


def z_heatmap(
    Z: np.ndarray,
    feature_names: Sequence[str],
    label_names: Sequence[str],
    *,
    features: Sequence[int] | np.ndarray | None = None,
    top: int = 25,
    title: str | None = None,
) -> go.Figure:
    """GRRO's solution: what each feature (row) has for each label (column), blue for, orange against.

    Parameters
    ----------
    Z : (d, q)
    features : rows to show, from the top, for example the first of the ranking; unless given, the `top` rows of
        largest norm
    """
    Z = finite(Z).reshape(len(feature_names), len(label_names))
    if features is None:
        features = np.argsort(-np.nan_to_num(np.linalg.norm(np.nan_to_num(Z), axis=1)), kind="stable")[:top]
    features = [int(feature) for feature in features]
    shown = Z[features]
    height = _height(len(features))
    if not np.isfinite(shown).any():
        return nothing_yet("Z appears once GRRO has been run", title, height)
    limit = float(np.nanmax(np.abs(shown))) or 1.0
    row, column = np.unravel_index(np.nanargmax(np.abs(shown)), shown.shape)
    rows, columns = [feature_names[i] for i in features], list(label_names)
    cells = _cells(shown, DIVERGING, -limit, limit, "z", "%{customdata}: %{z:.4g}", _pairs(rows, columns))
    layout = {
        "xaxis": named_axis(short_all(columns, 16), title={"text": "Label"}, tickangle=-45),
        "yaxis": named_axis(short_all(rows), autorange="reversed"),
    }
    alt = (
        f"Heat map of Z for {count(len(rows), 'feature')} and {count(len(columns), 'label')}, from {-limit:.4g} to "
        f"{limit:.4g}; the largest entry is {shown[row, column]:.4g} of {rows[row]} for {columns[column]}."
    )
    return draw([cells], layout, alt=alt, title=title, height=height + 40)


def grid_heatmap(
    values: np.ndarray,
    alphas: Sequence[float] | np.ndarray,
    betas: Sequence[float] | np.ndarray,
    value: str = "ACR",
    *,
    names: tuple[str, str] = ("α", "β"),
    lower: bool | None = None,
    title: str | None = None,
) -> go.Figure:
    """A loss, or the sum of losses ACR, over a grid of two parameters; the best cell is ringed.

    The parameters are searched by powers of ten, so that each value of the grid has the same width: log axes.

    Parameters
    ----------
    values : (len(alphas), len(betas)); NaN where a run failed or is still to come
    value : a metric, or any other name
    lower : whether lower is better, where `value` is no metric; it is unless said
    """
    grid = Grid.of(values, alphas, betas, value, names, lower)
    height = max(ROW * 2 * len(grid.betas) + 84, 240)
    if grid.best is None:
        return nothing_yet("the grid fills as its runs finish", title, height)
    i, j = grid.best
    table = grid.values.T
    data = [
        _cells(table, SEQUENTIAL, None, None, metric_title(value), "%{customdata}: %{z:.4f}", grid.labels),
        {
            "type": "scatter",
            "x": [i],
            "y": [j],
            "mode": "markers",
            # Two rings: one of them shows on any colour of the scale.
            "marker": {
                "symbol": "circle",
                "size": 17,
                "color": CLEAR,
                "line": {"color": "#ffffff", "width": 3},
            },
            "hoverinfo": "skip",
            "showlegend": False,
        },
        {
            "type": "scatter",
            "x": [i],
            "y": [j],
            "mode": "markers",
            "marker": {"symbol": "circle", "size": 20, "color": CLEAR, "line": {"color": "#000000", "width": 1.5}},
            "hoverinfo": "skip",
            "showlegend": False,
        },
    ]
    layout = {
        "xaxis": named_axis(grid.alpha_words, title={"text": grid.names[0], "standoff": 8}),
        "yaxis": named_axis(grid.beta_words, title={"text": grid.names[1], "standoff": 8}),
        "annotations": [note(grid.caption(), x=0, y=1, xanchor="left", yanchor="bottom")],
        "showlegend": False,
    }
    return draw(data, layout, alt=f"Heat map of {grid.describe()}", title=title, height=height)


def overlap_heatmap(overlap: np.ndarray, methods: Sequence[Hashable], *, title: str | None = None) -> go.Figure:
    """How much the subsets of any two methods have in common.

    Parameters
    ----------
    overlap : (m, m) Jaccard indices, from 0 to 1
    methods : their ids
    """
    overlap = finite(overlap).reshape(len(methods), len(methods))
    styles = styles_of(methods)
    names = [styles[method].name for method in methods]
    height = _height(len(names), 24)
    apart = ~np.eye(len(names), dtype=bool) & np.isfinite(overlap)
    if not apart.any():
        return nothing_yet("the overlap appears once two methods have selected features", title, height)
    data = [_cells(overlap, PALE, 0, 1, "Jaccard", "%{customdata}: %{z:.2f}", _pairs(names, names))]
    if len(names) <= WRITTEN:
        data.append(_numbers(overlap, "{:.2f}"))
    layout = {
        "xaxis": named_axis([short(name, 14) for name in names], tickangle=-45),
        "yaxis": named_axis([short(name, 14) for name in names], autorange="reversed"),
        "showlegend": False,
    }
    pairs = {(min(i, j), max(i, j)): overlap[i, j] for i, j in np.argwhere(apart)}
    ordered = sorted(pairs, key=lambda pair: -pairs[pair])
    told = [f"{names[i]} and {names[j]} {pairs[i, j]:.2f}" for i, j in ordered]
    alt = f"Overlap (Jaccard index) of the subsets of {len(names)} methods, largest first: {listing(told)}."
    return draw(data, layout, alt=alt, title=title, height=height + 40)


def co_occurrence_heatmap(counts: np.ndarray, label_names: Sequence[str], *, title: str | None = None) -> go.Figure:
    """Of the instances with the row's label, the share that also has the column's.

    Parameters
    ----------
    counts : (q, q) instances with both labels, as `Profile.co_occurrence`; the diagonal is the label's own count
    """
    counts = finite(counts).reshape(len(label_names), len(label_names))
    q = len(label_names)
    height = _height(q, 24 if q <= WRITTEN else ROW)
    own = np.diagonal(counts)
    if q < 2 or not np.nansum(own):
        return nothing_yet("two labels that occur are needed", title, height)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = counts / own[:, None]
    shares[~np.isfinite(shares)] = np.nan
    np.fill_diagonal(shares, np.nan)
    words = [
        [f"{plain(a)} → {plain(b)}: {counts[i, j]:.0f} of {own[i]:.0f}" for j, b in enumerate(label_names)]
        for i, a in enumerate(label_names)
    ]
    data = [_cells(shares, PALE, 0, np.nanmax(shares) or 1, "share", "%{customdata} (%{z:.0%})", words)]
    data[0]["colorbar"]["tickformat"] = ".0%"
    if q <= WRITTEN:
        data.append(_numbers(shares, "{:.0%}"))
    layout: dict[str, Any] = {
        "xaxis": named_axis(short_all(label_names, 16), tickangle=-45, title={"text": "… also have"}),
        "yaxis": named_axis(
            short_all(label_names, 16),
            autorange="reversed",
            title={"text": "Instances with …", "standoff": 8},
        ),
        "showlegend": False,
    }
    # Plotly leaves out ticks that do not fit only where it has chosen them itself.
    for side, most in (("xaxis", 16), ("yaxis", 32)):
        step = -(-q // most)
        if step > 1:
            layout[side]["tickvals"] = layout[side]["tickvals"][::step]
            layout[side]["ticktext"] = layout[side]["ticktext"][::step]
    ordered = np.argsort(-np.nan_to_num(shares, nan=-1.0), axis=None, kind="stable")[:3]
    told = []
    for cell in ordered:
        i, j = divmod(int(cell), q)
        told.append(f"{shares[i, j]:.0%} of {label_names[i]} have {label_names[j]}")
    alt = f"Heat map of how often {q} labels occur together; most: {listing(told)}."
    return draw(data, layout, alt=alt, title=title, height=height + 60)


def _cells(
    table: np.ndarray,
    colours: Any,
    low: float | None,
    high: float | None,
    name: str,
    hover: str,
    words: list[list[str]],
) -> dict[str, Any]:
    return {
        "type": "heatmap",
        "x": list(range(table.shape[1])),
        "y": list(range(table.shape[0])),
        "z": table,
        "colorscale": colours,
        "zmin": low,
        "zmax": high,
        "xgap": 1 if max(table.shape) <= 50 else 0,
        "ygap": 1 if max(table.shape) <= 50 else 0,
        "customdata": words,
        "hovertemplate": hover + "<extra></extra>",
        "hoverongaps": False,
        "colorbar": {"title": {"text": plain(name), "side": "right"}, "thickness": 12, "outlinewidth": 0, "ticklen": 3},
    }


def _numbers(table: np.ndarray, form: str) -> dict[str, Any]:
    """The numbers in the cells, in the page's own ink: Plotly's choice assumes a white ground."""
    rows, columns = np.nonzero(np.isfinite(table))
    return {
        "type": "scatter",
        "x": columns,
        "y": rows,
        "mode": "text",
        "text": [form.format(table[i, j]) for i, j in zip(rows, columns, strict=True)],
        "textfont": {"size": 11},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _pairs(rows: Sequence[str], columns: Sequence[str]) -> list[list[str]]:
    return [[f"{plain(row)}, {plain(column)}" for column in columns] for row in rows]


def _height(rows: int, each: int = ROW) -> float:
    """Rows keep their height until there are so many that the figure would outgrow the screen."""
    return min(max(rows * each, 120), 560) + 64
