"""Which feature comes second: the scores of a copy and of a newcomer under three criteria."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from mlfs.learn import Copying
from mlfs.learn.copying import CRITERIA, FEATURES
from mlfs.plots.canvas import axis, draw, named_axis
from mlfs.plots.palette import style_of, wash
from mlfs.plots.template import ACCENT, PALETTE
from mlfs.plots.wording import listing

SIZE = 320
COLOURS = {1: ACCENT, 2: PALETTE[1]}


def second_pick(model: Copying, *, title: str | None = None) -> go.Figure:
    """Bars of what f₂ and f₃ score once f₁ is picked; the bar of the pick is full, the other pale."""
    data: list[dict[str, Any]] = []
    for feature, colour in COLOURS.items():
        picked = [model.second[criterion] == feature for criterion in CRITERIA]
        values = [float(model.scores[criterion][feature]) for criterion in CRITERIA]
        data.append(
            {
                "type": "bar",
                "x": list(range(len(CRITERIA))),
                "y": values,
                "name": FEATURES[feature],
                "marker": {
                    "color": [wash(colour, 0.85 if pick else 0.25) for pick in picked],
                    "line": {"color": colour, "width": 1},
                },
                "text": [f"{value:.3f}" for value in values],
                "textposition": "outside",
                "cliponaxis": False,
                "customdata": [" (picked)" if pick else "" for pick in picked],
                "hovertemplate": FEATURES[feature] + ": %{y:.4f} bits%{customdata}<extra></extra>",
            }
        )
    names = [style_of(criterion).name for criterion in CRITERIA]
    picks = [FEATURES[model.second[criterion]] for criterion in CRITERIA]
    layout = {
        "barmode": "group",
        "xaxis": named_axis(
            [f"{name}<br>picks <b>{pick}</b>" for name, pick in zip(names, picks, strict=True)],
            title={"text": "Criterion", "standoff": 8},
        ),
        # Of one length whatever the slider says, so that bars move and the axis does not.
        "yaxis": axis("Score once f₁ is picked (bits)", range=[-0.85, 0.6], zeroline=True),
        "showlegend": True,
    }
    told = [
        f"{name} picks {pick} ({FEATURES[1]} {model.scores[criterion][1]:.4f}, "
        f"{FEATURES[2]} {model.scores[criterion][2]:.4f})"
        for name, pick, criterion in zip(names, picks, CRITERIA, strict=True)
    ]
    alt = f"Scores of the second feature where {model.copied:.0%} of f₂ is copied from f₁: {listing(told)}."
    return draw(data, layout, alt=alt, title=title, height=SIZE)
