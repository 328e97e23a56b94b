"""What GRRO's solution pays: distance from the relevance, redundancy, label distance."""

from __future__ import annotations

import plotly.graph_objects as go

from mlfs.learn import System
from mlfs.plots.canvas import axis, draw, named_axis
from mlfs.plots.palette import colour_at
from mlfs.plots.wording import listing

SIZE = 190
NAMES = {"fit": "‖Z−C‖²", "redundancy": "α·tr(ZᵀGZ)", "labels": "β·tr(RZᵀZ)"}


def objective_terms(model: System, *, title: str | None = None) -> go.Figure:
    """Bars of the three terms of the objective; the last may be negative, for R is not positive semidefinite."""
    values = [model.terms[name] for name in NAMES]
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "x": values,
            "y": list(range(len(values))),
            "marker": {"color": [colour_at(place) for place in range(len(values))]},
            "text": [f"{value:.4f}" for value in values],
            "textposition": "outside",
            "cliponaxis": False,
            "customdata": list(NAMES.values()),
            "hovertemplate": "%{customdata} = %{x:.4f}<extra></extra>",
        }
    ]
    reach = max(map(abs, values)) or 1.0
    low = min(min(values), 0.0)
    layout = {
        "xaxis": axis(
            "Part of the objective", range=[low - 0.2 * reach * (low < 0), 1.2 * reach], zeroline=True, nticks=6
        ),
        "yaxis": named_axis(list(NAMES.values()), range=[len(values) - 0.5, -0.5]),
        "bargap": 0.25,
        "showlegend": False,
    }
    told = [f"{NAMES[name]} {model.terms[name]:.4f}" for name in NAMES]
    alt = f"Terms of GRRO's objective: {listing(told)}; together {sum(values):.4f}."
    return draw(data, layout, alt=alt, title=title, height=SIZE)
