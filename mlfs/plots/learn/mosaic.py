"""A 2 × 2 table as areas: the widths are p(f), the heights p(l | f)."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from mlfs.learn import Table
from mlfs.plots.canvas import axis, draw
from mlfs.plots.palette import wash
from mlfs.plots.template import ACCENT, NEUTRAL

SIZE = 300
GAP = 0.006  # of the width, between the two columns


def mosaic(table: Table, *, title: str | None = None) -> go.Figure:
    """Four areas, each as large as its share of the instances.

    Where feature and label are independent the border between l = 1 and l = 0 runs straight through.
    """
    yes, no = (table.both, table.label_only), (table.feature_only, table.neither)
    width = (table.p_feature, 1 - table.p_feature)
    data: list[dict[str, Any]] = []
    for counts, name, colour in ((yes, "l = 1", wash(ACCENT, 0.7)), (no, "l = 0", wash(NEUTRAL, 0.3))):
        inside = [place for place in (0, 1) if width[place] > 0]
        data.append(
            {
                "type": "bar",
                "x": [(0.0, width[0])[place] + width[place] / 2 for place in inside],
                "y": [counts[place] / table.n / width[place] for place in inside],
                "width": [max(width[place] - GAP, 0.001) for place in inside],
                "name": name,
                "marker": {"color": colour},
                "text": [f"{counts[place]}" if counts[place] else "" for place in inside],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "constraintext": "none",
                "customdata": [
                    f"f = {1 - place}, {name}: {counts[place]} of {table.n} ({counts[place] / table.n:.1%})"
                    for place in inside
                ],
                "hovertemplate": "%{customdata}<extra></extra>",
            }
        )
    names = [(width[0] / 2, "f = 1"), (width[0] + width[1] / 2, "f = 0")]
    shown = [place for place in (0, 1) if width[place] > 0]
    layout = {
        "barmode": "stack",
        "xaxis": axis(
            "Feature: width is its share",
            range=[0, 1],
            showgrid=False,
            tickvals=[names[place][0] for place in shown],
            ticktext=[names[place][1] for place in shown],
        ),
        "yaxis": axis("Share of l within each column", range=[0, 1], tickformat=".0%", nticks=6),
        "showlegend": True,
    }
    alt = (
        f"Mosaic of {table.n} instances: {table.both} with feature and label, {table.feature_only} with the feature "
        f"only, {table.label_only} with the label only, {table.neither} with neither."
    )
    return draw(data, layout, alt=alt, title=title, height=SIZE)
