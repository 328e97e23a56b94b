"""Tables as colours: the solution Z of GRRO, the overlap of subsets, labels together, any named matrices.

Zero is the ground of the page in the first, and little is pale in the others, so that what is there stands out in
light and dark; a value that is missing has no cell at all.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import FeatureNames, Features, FeaturesByLabels, LabelNames, Sides, checked
from mlfs.plots.figure import (
    ACCENT,
    INK,
    PALETTE,
    ROW,
    draw,
    finite,
    heading,
    named_axis,
    nothing_yet,
    panel_axes,
    panel_layout,
    plain,
    scatter,
    short,
    short_all,
    sparse_axis,
    standing_for,
    text_width,
)
from mlfs.plots.palette import styles_of, wash
from mlfs.wording import count, listing

# A grey zero, so that a missing cell differs from it; at most 0.7, so that ink reads on it in light and dark.
PALE = [[0, "rgba(128, 128, 128, 0.08)"], [1, wash(ACCENT, 0.7)]]
DIVERGING = [[0, wash(PALETTE[1], 0.7)], [0.5, "rgba(128, 128, 128, 0.08)"], [1, wash(ACCENT, 0.7)]]

NAMES, FEW_NAMES = 16, 6  # that fit below a heat map in half a page, and on a telephone
LEVEL_NAMES = 200  # pixels of names that stand level beside each other there
WRITTEN = 12  # rows and columns up to which a cell has its number in it
PANEL_ROW, PANEL_HEAD, PANEL_LINE = 22, 30, 16  # pixels: a row, the heading of a panel, a line of names below it
ASLANT = 35  # degrees of these names
PANEL_WRITTEN = 7  # columns up to which a cell has its number in it, which still fits on a telephone
LONGEST = 20  # letters of a name below a panel, which stand aslant


@checked
def z_heatmap(
    Z: FeaturesByLabels,
    feature_names: FeatureNames,
    label_names: LabelNames,
    *,
    features: Features | None = None,
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
    cells = heatmap_trace(shown, DIVERGING, -limit, limit, "z", "%{customdata}: %{z:.4g}", _pairs(rows, columns))
    cells = named_cells(cells, ("feature", rows), ("label", columns))
    across, narrow = label_axes(columns)
    layout = {"xaxis": across, "yaxis": named_axis(short_all(rows), autorange="reversed")}
    alt = (
        f"Heat map of Z for {count(len(rows), 'feature')} and {count(len(columns), 'label')}, from {-limit:.4g} to "
        f"{limit:.4g}; the largest entry is {shown[row, column]:.4g} of {rows[row]} for {columns[column]}."
    )
    return draw([cells], layout, alt=alt, title=title, height=height + 100, narrow=narrow)


@checked
def overlap_heatmap(
    overlap: Annotated[np.ndarray, Sides("methods", "methods")],
    methods: Annotated[Sequence[Hashable], Sides("methods")],
    *,
    title: str | None = None,
) -> go.Figure:
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
    data = [heatmap_trace(overlap, PALE, 0, 1, "Share in common", "%{customdata}: %{z:.2f}", _pairs(names, names))]
    data[0] = named_cells(data[0], ("method", names), ("method", names))
    if len(names) <= WRITTEN:
        data[0] |= _numbers(overlap, "{:.2f}")
    written = [short(name, 14) for name in names]
    level = sum(map(text_width, written)) < LEVEL_NAMES
    layout = {
        "xaxis": named_axis(written, tickangle=0 if level else -45),
        "yaxis": named_axis(written, autorange="reversed"),
        "showlegend": False,
    }
    pairs = {(min(i, j), max(i, j)): overlap[i, j] for i, j in np.argwhere(apart)}
    ordered = sorted(pairs, key=lambda pair: -pairs[pair])
    pair_words = [f"{names[i]} and {names[j]} {pairs[i, j]:.2f}" for i, j in ordered]
    alt = f"Overlap (Jaccard index) of the subsets of {len(names)} methods, largest first: {listing(pair_words)}."
    return draw(data, layout, alt=alt, title=title, height=height + 40)


@checked
def co_occurrence_heatmap(
    counts: Annotated[np.ndarray, Sides("q", "q")], label_names: LabelNames, *, title: str | None = None
) -> go.Figure:
    """Of the instances with the row's label, the share that also has the column's.

    Parameters
    ----------
    counts : (q, q) instances with both labels, as `Profile.co_occurrence`; the diagonal is the label's own count
    """
    counts = finite(counts).reshape(len(label_names), len(label_names))
    q = len(label_names)
    height = _height(q, 24 if q <= WRITTEN else ROW)
    totals = np.diagonal(counts)
    if q < 2 or not np.nansum(totals):
        return nothing_yet("two labels that occur are needed", title, height)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = counts / totals[:, None]
    shares[~np.isfinite(shares)] = np.nan
    np.fill_diagonal(shares, np.nan)
    words = [
        [f"{plain(a)} → {plain(b)}: {counts[i, j]:.0f} of {totals[i]:.0f}" for j, b in enumerate(label_names)]
        for i, a in enumerate(label_names)
    ]
    data = [heatmap_trace(shares, PALE, 0, np.nanmax(shares) or 1, "Share", "%{customdata} (%{z:.0%})", words)]
    data[0]["colorbar"]["tickformat"] = ".0%"
    data[0] = named_cells(data[0], ("label", label_names), ("label", label_names))
    names = short_all(label_names, 16)
    if q <= WRITTEN:
        data[0] |= _numbers(shares, "{:.0%}")
    across = named_axis(names, tickangle=-45, title={"text": "… also have"})
    down = named_axis(names, autorange="reversed", title={"text": "Rows with …", "standoff": 8})
    layout: dict[str, Any] = {
        "xaxis": sparse_axis(across, NAMES),
        "yaxis": sparse_axis(down, 2 * NAMES),
        "showlegend": False,
    }
    narrow = {"xaxis": sparse_axis(across, FEW_NAMES)}
    ordered = np.argsort(-np.nan_to_num(shares, nan=-1.0), axis=None, kind="stable")[:3]
    commonest = []
    for cell in ordered:
        i, j = divmod(int(cell), q)
        commonest.append(f"{shares[i, j]:.0%} of {label_names[i]} have {label_names[j]}")
    alt = f"Heat map of how often {q} labels occur together; most: {listing(commonest)}."
    return draw(data, layout, alt=alt, title=title, height=height + 60, narrow=narrow)


def label_axes(names: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The axis of labels below a heat map, and the layout in which fewer have their name where there is little room."""
    across = named_axis(short_all(names, 16), title={"text": "Label"}, tickangle=-45)
    # Aslant, names of columns as narrow as those would touch each other.
    return sparse_axis(across, NAMES), {"xaxis": {**sparse_axis(across, FEW_NAMES), "tickangle": -90}}


def heatmap_trace(
    table: np.ndarray,
    colours: Any,
    low: float | None,
    high: float | None,
    name: str,
    hover: str,
    words: list[list[str]],
) -> dict[str, Any]:
    """Cells with a colour bar; `words` is what the hover calls each."""
    bar = {"title": {"text": plain(name), "side": "right"}, "thickness": 12, "outlinewidth": 0, "ticklen": 3}
    gap = 1 if max(table.shape) <= 50 else 0
    return heatmap_cells(table, colours, (low, high), hover, words, gap, hoverongaps=False, colorbar=bar)


def heatmap_cells(
    table: np.ndarray,
    colours: Any,
    ends: tuple[float | None, float | None],
    hover: str,
    words: list[list[str]],
    gap: int = 1,
    **more: Any,
) -> dict[str, Any]:
    """Cells whose colours run from one end to the other."""
    rows, columns = table.shape
    return {
        **{"type": "heatmap", "x": list(range(columns)), "y": list(range(rows)), "z": table},
        **{"colorscale": colours, "zmin": ends[0], "zmax": ends[1], "xgap": gap, "ygap": gap},
        **{"customdata": words, "hovertemplate": f"{hover}<extra></extra>"},
        **more,
    }


def named_cells(
    cells: dict[str, Any], rows: tuple[str, Sequence[str]], columns: tuple[str, Sequence[str]]
) -> dict[str, Any]:
    """Cells that say what their rows and columns stand for: a kind, such as "feature", and the names."""
    names = [{kind: [plain(name) for name in list_of_names]} for kind, list_of_names in (rows, columns)]
    return standing_for(cells, rows=names[0], columns=names[1])


def _numbers(table: np.ndarray, form: str) -> dict[str, Any]:
    """The numbers in the cells, as small as the cells ask for; pages write them in their own ink."""
    text = [[form.format(value) if np.isfinite(value) else "" for value in row] for row in table]
    return {"text": text, "texttemplate": "%{text}", "textfont": {"color": INK}}


def _pairs(rows: Sequence[str], columns: Sequence[str]) -> list[list[str]]:
    return [[f"{plain(row)}, {plain(column)}" for column in columns] for row in rows]


def _height(rows: int, each: int = ROW) -> float:
    """Rows keep their height until there are so many that the figure would outgrow the screen."""
    return min(max(rows * each, 120), 560) + 64


@dataclass(frozen=True, eq=False)
class MatrixPanel:
    """One matrix.

    Attributes
    ----------
    name : its heading
    values : (rows, columns); colours run from 0 to the largest, or to both sides of 0 where some are negative
    rows, columns : names
    most : the value of the full colour, where several panels share a scale
    """

    name: str
    values: np.ndarray
    rows: Sequence[str]
    columns: Sequence[str]
    most: float | None = None


@checked
def matrix_panels(panels: Sequence[MatrixPanel], *, title: str | None = None) -> go.Figure:
    """Heat maps with their numbers in them, each on a scale of its own unless `most` says otherwise."""
    heights = [PANEL_ROW * len(panel.rows) for panel in panels]
    below = [_names_height(panel.columns) for panel in panels]
    inner = sum(heights) + sum(below[:-1]) + PANEL_HEAD * (len(panels) - 1)
    data: list[dict[str, Any]] = []
    # A panel of one row is lower than what Plotly would leave it for names below it.
    lowest = {"minreducedheight": PANEL_ROW}
    layout: dict[str, Any] = {"annotations": [], "showlegend": False, "hovermode": "closest", **lowest}
    top = 1.0
    for place, (panel, height, names) in enumerate(zip(panels, heights, below, strict=True)):
        bottom = top - height / inner
        data += _panel_traces(panel, panel_axes(place))
        x = sparse_axis(named_axis(short_all(panel.columns, LONGEST), tickangle=-ASLANT), 2 * FEW_NAMES)
        y = named_axis(short_all(panel.rows, 20), domain=[max(bottom, 0.0), top], range=[len(panel.rows) - 0.5, -0.5])
        layout |= panel_layout(place, x, y)
        # From the right, for long names on the left leave little room on a telephone.
        layout["annotations"].append(heading(f"<b>{plain(panel.name)}</b>", 1, top) | {"xanchor": "right"})
        top = bottom - (PANEL_HEAD + names) / inner
    sentences = [_describe_panel(panel) for panel in panels]
    return draw(data, layout, alt=f"{'; '.join(sentences)}.", title=title, height=inner + sum(below[-1:]) + 40)


def _names_height(names: Sequence[str]) -> float:
    """Pixels that the names below a panel reach down."""
    widest = max(map(text_width, short_all(names, LONGEST)), default=0.0)
    return PANEL_LINE + widest * math.sin(math.radians(ASLANT))


def _panel_traces(panel: MatrixPanel, axes: dict[str, str]) -> list[dict[str, Any]]:
    values = finite(panel.values)
    most = panel.most or float(np.abs(values).max(initial=0.0)) or 1.0
    signed = bool((values < 0).any())
    colours, low = (DIVERGING, -most) if signed else (PALE, 0.0)
    words = _pairs(panel.rows, panel.columns)
    cells = heatmap_cells(values, colours, (low, most), "%{customdata}: %{z:.4f}", words, showscale=False) | axes
    if values.shape[1] > PANEL_WRITTEN:
        return [cells]
    return [cells, matrix_numbers(values, **axes, textfont={"size": 10})]


def matrix_numbers(values: np.ndarray, **more: Any) -> dict[str, Any]:
    """Every number of a matrix in its cell, in the page's own ink: Plotly's choice assumes a white ground."""
    rows, columns = np.indices(values.shape).reshape(2, -1)
    # Without the minus of a rounded zero.
    text = [f"{round(float(value), 2) + 0.0:.2f}".replace("-", "−") for value in values.ravel()]
    return scatter(columns, rows, "text", text=text, **more)


def _describe_panel(panel: MatrixPanel) -> str:
    values = finite(panel.values)
    row, column = divmod(int(np.abs(values).argmax()), values.shape[1])
    return (
        f"{panel.name}, {values.shape[0]} × {values.shape[1]} from {values.min():.4f} to {values.max():.4f}, "
        f"largest for {panel.rows[row]} and {panel.columns[column]}"
    )
