"""The pictures of an answer: the chosen size on its curve, what features tell about labels, chance beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.answer.features import FeatureSelection
from mlfs.answer.shortlist import MethodResult
from mlfs.answer.size import SizeChoice
from mlfs.answer.validation import PermutationTest, RandomComparison
from mlfs.metrics import metric_title
from mlfs.plots import MatrixPanel, alt_text, curves, matrix_panels, nothing_yet, tidy
from mlfs.plots.figure import ACCENT, NEUTRAL, PALETTE, ROW, axis, draw, named_axis, panel_axes, plain, short_all
from mlfs.wording import count, listing

CHOSEN, BEST = PALETTE[1], PALETTE[2]
TOP = 40  # features that fit on a screen


def size_curve(
    results: Sequence[MethodResult], best: MethodResult, *, baseline: float | None = None, title: str | None = None
) -> go.Figure:
    """The curves of the methods with their bands, and on that of the best the chosen and the best number of features.

    Parameters
    ----------
    baseline : the value with all features
    """
    choice = best.choice
    table = tidy({result.text: [split.curve for split in result.explorations] for result in results})
    level = {} if baseline is None else {choice.metric: baseline}
    figure = curves(table, metrics=[choice.metric], baseline=level, title=title)
    return mark_size(figure, choice, [choice.metric], of=best.text)


def mark_size(figure: go.Figure, choice: SizeChoice, metrics: Sequence[str], *, of: str = "") -> go.Figure:
    """A figure of `mlfs.plots.curves` with the chosen number of features as a line through all panels.

    In the panel of the metric by which it was chosen, a ring is around the chosen mean, and a star on the best.

    Parameters
    ----------
    metrics : of the panels
    of : the method, where there are curves of several
    """
    content = figure.to_plotly_json()
    line = {"color": CHOSEN, "width": 1.5, "dash": "dot"}
    shapes = []
    for panel in range(len(metrics)):
        axes = panel_axes(panel)
        across = {"x0": choice.size, "x1": choice.size, "xref": axes["xaxis"]}
        shapes.append({"type": "line", **across, "y0": 0, "y1": 1, "yref": f"{axes['yaxis']} domain", "line": line})
    place = panel_axes(list(metrics).index(choice.metric))
    marks = [{**mark, **place} for mark in _marks(choice)]
    alt = (
        f"{alt_text(figure)} Chosen: {count(choice.size, 'feature')}{of and f' of {of}'}, {choice.mean:.4f}; best: "
        f"{choice.best_size}, {choice.best_mean:.4f}."
    )
    layout = {
        **content["layout"],
        "shapes": shapes,
        "meta": {**content["layout"]["meta"], "alt": alt},
        "showlegend": True,
    }
    return go.Figure([*content["data"], *marks], layout, _validate=False)


def _marks(choice: SizeChoice) -> list[dict[str, Any]]:
    sizes = [choice.size, choice.best_size]
    marks: list[dict[str, Any]] = []
    if np.isfinite(choice.limit) and choice.size != choice.best_size:
        marks.append(
            {
                "type": "scatter",
                "x": [min(sizes), max(sizes)],
                "y": [choice.limit, choice.limit],
                "mode": "lines",
                "line": {"color": NEUTRAL, "width": 1.5, "dash": "dot"},
                "name": "as good as the best, up to here",
                "hovertemplate": "%{y:.4f}",
            }
        )
    for name, size, mean, colour, symbol in (
        ("best", choice.best_size, choice.best_mean, BEST, "star"),
        ("chosen", choice.size, choice.mean, CHOSEN, "circle-open"),
    ):
        marks.append(
            {
                "type": "scatter",
                "x": [size],
                "y": [mean],
                "mode": "markers",
                "name": f"{name}: {size}",
                "marker": {"color": colour, "symbol": symbol, "size": 14, "line": {"color": colour, "width": 3}},
                "hovertemplate": "%{y:.4f}",
            }
        )
    return marks


def information_heatmap(selection: FeatureSelection, *, top: int = TOP, title: str | None = None) -> go.Figure:
    """What each selected feature (row) tells about each label (column), in bits."""
    features = selection.features[:top]
    if not features:
        return nothing_yet("the heat map appears once features have been selected", title)
    panel = MatrixPanel(
        "Mutual information in bits",
        selection.information[: len(features)],
        [feature.name for feature in features],
        selection.label_names,
    )
    return matrix_panels([panel], title=title)


def frequency_bars(selection: FeatureSelection, *, top: int = TOP, title: str | None = None) -> go.Figure:
    """On how many of the splits each feature of the final selection was selected too."""
    features = [feature for feature in selection.features[:top] if np.isfinite(feature.frequency)]
    height = ROW * max(len(features), 5) + 64
    if not features:
        return nothing_yet("the frequencies appear once a split has been computed", title, height)
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [feature.frequency for feature in features],
        "y": list(range(len(features))),
        "customdata": [plain(f"{feature.name}: {feature.frequency:.0%}") for feature in features],
        "marker": {"color": ACCENT},
        "hovertemplate": "%{customdata}<extra></extra>",
        "showlegend": False,
    }
    layout = {
        "xaxis": axis("Selected on this share of the splits", range=[0, 1], tickformat=".0%"),
        "yaxis": named_axis(short_all([feature.name for feature in features]), autorange="reversed"),
    }
    words = [f"{feature.name} {feature.frequency:.0%}" for feature in features]
    stability = "" if np.isnan(selection.stability) else f" Stability {selection.stability:.2f}."
    alt = f"Share of the splits on which each selected feature was selected: {listing(words)}.{stability}"
    return draw([bars], layout, alt=alt, title=title, height=height)


def chance_histogram(check: RandomComparison | PermutationTest, *, title: str | None = None) -> go.Figure:
    """The values of random features, or of permuted labels, and the observed one beside them."""
    kind = "random features" if isinstance(check, RandomComparison) else "permuted labels"
    if not check.values:
        return nothing_yet(f"the values of {kind} appear one after another", title)
    values = np.asarray(check.values)
    counts, edges = np.histogram(values, bins=min(20, max(5, len(values) // 5)))
    bars = {
        "type": "bar",
        "x": (edges[:-1] + edges[1:]) / 2,
        "y": counts,
        "width": np.diff(edges),
        "marker": {"color": NEUTRAL},
        "name": kind,
        "hovertemplate": "%{y} near %{x:.4f}<extra></extra>",
    }
    line = {
        "type": "scatter",
        "x": [check.observed, check.observed],
        "y": [0, int(counts.max())],
        "mode": "lines",
        "line": {"color": CHOSEN, "width": 3},
        "name": f"the selection: {check.observed:.4f}",
        "hovertemplate": "%{x:.4f}<extra></extra>",
    }
    layout = {
        "xaxis": axis(metric_title(check.metric)),
        "yaxis": axis("Draws" if isinstance(check, RandomComparison) else "Permutations"),
        "bargap": 0,
        "showlegend": True,
    }
    alt = (
        f"{metric_title(check.metric)} of {len(values)} × {kind}, from {values.min():.4f} to {values.max():.4f}; the "
        f"selection has {check.observed:.4f}, p = {check.p_value:.3g}."
    )
    return draw([bars, line], layout, alt=alt, title=title)
