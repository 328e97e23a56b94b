"""What every figure must be: the figures are built without Plotly's own checks, so these stand in for them."""

from __future__ import annotations

import json
import re

import plotly.graph_objects as go

from mlfs.plots import alt_text
from mlfs.plots.figure import template


def check(figure: go.Figure, *sentences: str) -> go.Figure:
    """Return the figure if Plotly accepts it, it has the common look, and its description has these words."""
    content = json.loads(figure.to_json())
    go.Figure(content)
    assert figure.layout.template == template()
    assert content["layout"]["height"] > 0
    words = alt_text(figure)
    assert words.endswith(".")
    assert not re.search(r"\bnan\b", words)
    for part in sentences:
        assert part in words
    if figure.data and any(trace.type not in ("surface", "scatter3d") for trace in figure.data):
        assert not figure.layout.dragmode
    return figure


def is_empty(figure: go.Figure) -> bool:
    """Whether the figure says that there is nothing to show yet, and only that."""
    check(figure, "Nothing to show yet: ")
    return not figure.data and "Nothing to show yet" in figure.layout.annotations[0].text


def named(figure: go.Figure, name: str) -> go.Figure:
    """The trace of that name in the legend."""
    return next(trace for trace in figure.data if trace.name == name)
