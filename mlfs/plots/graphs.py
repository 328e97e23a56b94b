"""Features and labels as graphs: MGFS' walk among features, BMFS' matching of labels with features."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import FeatureNames, Features, LabelNames, OfFeatures, Sides, checked
from mlfs.errors import ParameterError
from mlfs.plots.figure import (
    ACCENT,
    BROWSER_POINTS,
    CLEAR,
    FAINT,
    HEIGHT,
    NEUTRAL,
    ROW,
    axis,
    draw,
    finite,
    named_axis,
    nothing_yet,
    plain,
    polyline,
    short_all,
)
from mlfs.plots.heatmaps import DIVERGING, heatmap_trace, label_axes, named_cells
from mlfs.plots.palette import wash
from mlfs.wording import count, listing

SMALLEST, LARGEST = 4, 18  # pixels: markers of the least and the most visited feature


@checked
def feature_graph(
    positions: Annotated[np.ndarray, Sides("d", 2)],
    pagerank: OfFeatures,
    edges: Annotated[np.ndarray, Sides("edges", 2, of="whole numbers")],
    feature_names: FeatureNames,
    *,
    named: int = 4,
    title: str | None = None,
) -> go.Figure:
    """Features in the plane, larger the more often a walk along the edges comes by; the strongest edges drawn.

    Parameters
    ----------
    positions : (d, 2), as `mlfs.selectors.mgfs.FeatureGraph` has them
    pagerank : (d,)
    edges : (e, 2) pairs of features
    named : how many features have their names written beside them, the most visited first
    """
    positions, pagerank = finite(positions), finite(pagerank)
    edges = edges.astype(np.intp)
    if edges.size and not (edges.min() >= 0 and edges.max() < len(positions)):
        raise ParameterError(f"edges must hold feature indices from 0 to {len(positions) - 1}.")
    if not np.isfinite(pagerank).any():
        return nothing_yet("the graph appears once MGFS has been run", title, HEIGHT + 60)
    order = np.argsort(-pagerank, kind="stable")
    spread = float(np.ptp(pagerank)) or 1.0
    size = SMALLEST + (LARGEST - SMALLEST) * (pagerank - pagerank.min()) / spread
    names = [plain(name) for name in feature_names]
    chosen = order[:named].tolist()
    written = dict(zip(chosen, short_all([feature_names[i] for i in chosen], 22), strict=True))
    x, y = polyline([(positions[pair, 0], positions[pair, 1]) for pair in edges])
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": x,
            "y": y,
            "mode": "lines",
            "line": {"color": FAINT, "width": 1},
            "hoverinfo": "skip",
        },
        {
            "type": "scattergl" if len(pagerank) > BROWSER_POINTS else "scatter",
            "x": positions[order, 0],
            "y": positions[order, 1],
            "mode": "markers+text",
            "marker": {"size": size[order], "color": wash(ACCENT, 0.6)},
            "text": [written.get(int(i), "") for i in order],
            "textposition": "top center",
            "customdata": [[names[i], pagerank[i]] for i in order],
            "meta": {"each": {"feature": [names[i] for i in order]}},
            "hovertemplate": "%{customdata[0]}<br>PageRank %{customdata[1]:.5f}<extra></extra>",
            "cliponaxis": False,
        },
    ]
    layout = {
        "xaxis": axis("Correlations with the labels: first direction", nticks=6),
        "yaxis": axis("Second direction", nticks=6),
        "showlegend": False,
        "hovermode": "closest",
    }
    words = [f"{feature_names[int(i)]} {pagerank[i]:.5f}" for i in order]
    alt = (
        f"Graph of {count(len(pagerank), 'feature')} by their correlations with the labels, with the "
        f"{len(edges)} strongest edges among the first; by PageRank: {listing(words, 4)}."
    )
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 60)


@checked
def matching_heatmap(
    correlation: Annotated[np.ndarray, Sides("shown", "q")],
    rounds: Annotated[np.ndarray, Sides("rounds", "q", of="whole numbers")],
    features: Features,
    feature_names: FeatureNames,
    label_names: LabelNames,
    *,
    title: str | None = None,
) -> go.Figure:
    """The correlations of features (rows) with labels (columns), and which label got which feature in which round.

    Parameters
    ----------
    correlation : (features, q) of the features that are shown
    rounds : (rounds, q) the feature that each label got in each round, −1 for none, as `BMFS.rounds_` is
    features : those that are shown, from the top
    """
    features = [int(feature) for feature in features]
    height = ROW * max(len(features), 4) + 130
    if not features or not np.isfinite(finite(correlation)).any():
        return nothing_yet("the rounds appear once BMFS has been run", title, height)
    rows, columns = [feature_names[i] for i in features], list(label_names)
    pairs = [[f"{plain(row)}, {plain(column)}" for column in columns] for row in rows]
    place = {feature: row for row, feature in enumerate(features)}
    matched = [
        (place[int(rounds[number, label])], int(label), int(number) + 1)
        for number, label in np.argwhere(rounds >= 0)
        if int(rounds[number, label]) in place
    ]
    limit = float(np.nanmax(np.abs(finite(correlation)))) or 1.0
    data = [
        named_cells(
            heatmap_trace(finite(correlation), DIVERGING, -limit, limit, "ρ", "%{customdata}: ρ = %{z:.3f}", pairs),
            ("feature", rows),
            ("label", columns),
        ),
        {
            "type": "scatter",
            "x": [label for _, label, _ in matched],
            "y": [row for row, _, _ in matched],
            "mode": "markers+text",
            "marker": {"symbol": "circle", "size": 15, "color": CLEAR, "line": {"color": NEUTRAL, "width": 2}},
            "text": [str(number) for _, _, number in matched],
            "textfont": {"size": 10},
            "hoverinfo": "skip",
            "showlegend": False,
        },
    ]
    across, narrow = label_axes(columns)
    layout = {"xaxis": across, "yaxis": named_axis(short_all(rows), autorange="reversed")}
    words = [f"{rows[row]} for {columns[label]} in round {number}" for row, label, number in sorted(matched)]
    alt = (
        f"Correlations of {count(len(rows), 'feature')} with {count(len(columns), 'label')} and their matching: "
        f"{listing(words, 4)}."
    )
    return draw(data, layout, alt=alt, title=title, height=height, narrow=narrow)
