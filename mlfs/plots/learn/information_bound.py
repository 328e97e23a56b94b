"""M(f;l) against H(l), under the bound min(H(f), H(l))."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.learn import Bound, LabelPoints
from mlfs.plots.canvas import HEIGHT, axis, draw, legend_rows
from mlfs.plots.palette import wash
from mlfs.plots.template import ACCENT, NEUTRAL, PALETTE
from mlfs.plots.wording import listing, plain


def information_bound(
    model: Bound,
    curve: tuple[np.ndarray, np.ndarray, np.ndarray],
    points: LabelPoints | None = None,
    *,
    title: str | None = None,
) -> go.Figure:
    """The label as a point, the bound as a roof, and where the point goes as the label's frequency changes.

    Parameters
    ----------
    curve : as `bound_curve` gives
    points : labels of real data to lay under the roof; each has a feature, and so a bound, of its own
    """
    table, top = model.table, model.table.feature_entropy
    shares, entropies, information = curve
    data: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": [0.0, top, 1.0],
            "y": [0.0, top, top],
            "mode": "lines",
            "name": "min(H(f), H(l))",
            "line": {"color": NEUTRAL, "width": 2},
            "fill": "tozeroy",
            "fillcolor": wash(NEUTRAL, 0.12),
            "hovertemplate": "H(l) = %{x:.3f}: at most %{y:.3f} bits<extra></extra>",
        },
        {
            "type": "scatter",
            "x": entropies,
            "y": information,
            "mode": "lines",
            "name": "other p(l)",
            "line": {"color": wash(ACCENT, 0.6), "width": 1.5, "dash": "dot"},
            "customdata": shares,
            "hovertemplate": "p(l) = %{customdata:.2f}: H(l) = %{x:.3f}, M(f;l) = %{y:.3f}<extra></extra>",
        },
        {
            "type": "scatter",
            "x": [table.label_entropy] * 2,
            "y": [table.information, model.bound],
            "mode": "lines",
            "name": "excess of ELS",
            "line": {"color": PALETTE[1], "width": 2},
            "hoverinfo": "skip",
        },
    ]
    if points is not None:
        data.append(_labels(points))
    data.append(
        {
            "type": "scatter",
            "x": [table.label_entropy],
            "y": [table.information],
            "mode": "markers",
            "name": "this label",
            "marker": {"color": ACCENT, "size": 13},
            "hovertemplate": "H(l) = %{x:.4f}<br>M(f;l) = %{y:.4f}<extra>this label</extra>",
        }
    )
    layout = {
        "xaxis": axis("Entropy of the label, H(l) (bits)", range=[-0.02, 1.02]),
        "yaxis": axis("M(f;l) (bits)", range=[-0.02, 1.05]),
        "hovermode": "closest",
        "showlegend": True,
    }
    alt = (
        f"Mutual information against the entropy of the label: M(f;l) = {table.information:.4f} bits at "
        f"H(l) = {table.label_entropy:.4f}, under the bound {model.bound:.4f}"
    )
    if points is not None:
        told = [f"{n} {m:.4f}" for n, m in zip(points.names, points.information, strict=True)]
        alt += f"; labels of real data with their best feature: {listing(told)}"
    return draw(
        data,
        layout,
        alt=f"{alt}.",
        title=title,
        height=HEIGHT + 40 + 19 * legend_rows([trace["name"] for trace in data]),
    )


def _labels(points: LabelPoints) -> dict[str, Any]:
    own = np.minimum(points.label_entropy, points.feature_entropy)
    return {
        "type": "scatter",
        "x": points.label_entropy,
        "y": points.information,
        "mode": "markers",
        "name": "real labels",
        "marker": {"color": PALETTE[2], "size": 9, "symbol": "diamond"},
        "customdata": [
            f"<b>{plain(label)}</b> with {plain(feature)}<br>its bound: {bound:.4f}"
            for label, feature, bound in zip(points.names, points.features, own, strict=True)
        ],
        "hovertemplate": "%{customdata}<br>H(l) = %{x:.4f}<br>M(f;l) = %{y:.4f}<extra></extra>",
    }
