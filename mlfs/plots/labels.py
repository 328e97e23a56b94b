"""Figures about the labels of a data set."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from mlfs.datasets import Profile
from mlfs.plots.figure import ACCENT, template
from mlfs.wording import listing

ROW = 17  # pixels: the same bar thickness, however many labels


def label_frequencies(profile: Profile) -> go.Figure:
    """Bars of how often each label occurs, most frequent first, each with its share of the instances.

    The scale is 0 to 100 % in every figure, so that data sets side by side compare.

    >>> from mlfs.datasets import load_dataset, profile
    >>> bars = label_frequencies(profile(load_dataset("scene"))).data[0]
    >>> bars.y[0], bars.text[0]
    ('Mountain', '22%')
    """
    counts = np.asarray(profile.label_counts)
    order = np.argsort(-counts, kind="stable")
    shares = counts[order] / max(profile.instances, 1)
    bars = go.Bar(
        x=shares,
        y=[profile.label_names[i] for i in order],
        text=[f"{share:.0%}" for share in shares],
        customdata=counts[order],
        orientation="h",
        marker_color=ACCENT,
        textposition="outside",
        constraintext="none",
        cliponaxis=False,
        hovertemplate=f"%{{y}}: %{{customdata}} of {profile.instances} instances (%{{x:.1%}})<extra></extra>",
    )
    shares_in_words = [f"{name} {share}" for name, share in zip(bars.y, bars.text, strict=True)]
    return go.Figure(bars).update_layout(
        template=template(),
        meta={"alt": f"Share of the instances of {profile.name} that carry each label: {listing(shares_in_words)}."},
        height=ROW * len(counts),
        title={"automargin": False},  # no title, and no room kept for one
        margin={"l": 0, "r": 40, "t": 0, "b": 0, "pad": 4},
        dragmode=False,  # a finger on the bars scrolls the page
        # The bars carry their values; axes would repeat them.
        xaxis={"range": [0, 1], "visible": False, "fixedrange": True},
        yaxis={"type": "category", "autorange": "reversed", "showgrid": False, "ticks": "", "fixedrange": True},
    )
