"""The scores of the best features, and what those of GRRO are made of."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import FeatureNames, Features, OfFeatures, checked
from mlfs.plots.figure import (
    ACCENT,
    NEUTRAL,
    PALETTE,
    ROW,
    axis,
    draw,
    finite,
    legend_rows,
    named_axis,
    nothing_yet,
    plain,
    row_bars,
    scatter,
    short_all,
    standing_for,
)
from mlfs.plots.palette import style_of
from mlfs.wording import count, listing

#: Term → name in the legend, sign with which it enters the score, colour.
TERMS = {
    "relevance": ("relevance", 1, PALETTE[0]),
    "features": ("− feature redundancy (α)", -1, PALETTE[1]),
    "labels": ("− label redundancy (β)", -1, PALETTE[2]),
}


@checked
def score_bars(
    scores: OfFeatures,
    ranking: Features,
    feature_names: FeatureNames,
    *,
    top: int = 20,
    method: str | None = None,
    unit: str = "",
    title: str | None = None,
) -> go.Figure:
    """Bars of the scores of the `top` first features of a ranking, best on top.

    Greedy methods score a feature when they pick it, so that their bars need not shrink downwards. Where all scores
    are more than half as far from 0 as the farthest, bars would look alike: then there are dots on an axis that
    begins where the scores do, and says so.

    Parameters
    ----------
    scores : (d,) as `scores_`
    ranking : feature indices, best first, as `ranking_`
    method : its id, for the colour and the description
    unit : of the scores, such as "bits"
    """
    chosen = [int(feature) for feature in ranking[:top]]
    height = ROW * max(len(chosen), 5) + 64
    if not chosen:
        return nothing_yet("the scores appear once a method has ranked the features", title, height)
    values = np.asarray(scores, dtype=float)[chosen]
    score_words = ["∞" if value == np.inf else f"{value:.4g}" for value in values]
    # A score without bound (MFS: a feature constant inside every label) gets the longest bar, and its sign.
    known = finite(values)[np.isfinite(values)]
    longest = known.max(initial=0.0) or 1.0
    lengths = finite(np.where(values == np.inf, longest, values))
    names = [str(feature_names[feature]) for feature in chosen]
    who = style_of(method).name if method else "The method"
    best = [f"{name} {value}" for name, value in zip(names, score_words, strict=True)]
    scored = [f"{name}: {value}" for name, value in zip(names, score_words, strict=True)]
    colour = style_of(method).colour if method else ACCENT
    signs = ["∞" if value == "∞" else "" for value in score_words]
    words = [plain(f"{place}. {score}") for place, score in enumerate(scored, 1)]
    named, what, across = list(map(plain, names)), f"Score ({unit})" if unit else "Score", {}
    if _alike(known):
        room = 0.08 * float(np.ptp(known))
        across = {"range": [float(known.min()) - room, float(known.max()) + room]}
        what += f", from {known.min() - room:.3g} on".replace("-", "−")
        dots = {"marker": {"color": colour, "size": 9}, "text": signs, "textposition": "middle right"}
        drawn = scatter(lengths, list(range(len(chosen))), "markers+text", customdata=words, hover="%{customdata}")
        data = [standing_for(drawn | dots, each={"feature": named})]
    else:
        drawn = row_bars(lengths, colour, text=signs, customdata=words, hover="%{customdata}")
        data = [standing_for(drawn, each={"feature": named})]
    layout = {
        "xaxis": axis(what, nticks=6, **across),
        "yaxis": named_axis(short_all(names, 26), range=[len(chosen) - 0.5, -0.5]),
        "bargap": 0.25,
        "showlegend": False,
        "hovermode": "closest",
    }
    alt = f"{who} scores {count(len(chosen), 'feature')} of {len(scores)} best: {listing(best)}."
    return draw(data, layout, alt=alt, title=title, height=height)


def _alike(values: np.ndarray) -> bool:
    """Whether bars from 0 would hardly differ, though the values do.

    >>> _alike(np.array([5.1, 5.0])), _alike(np.array([5.0, 1.0])), _alike(np.array([5.0, 5.0]))
    (True, False, False)
    """
    if not len(values) or values.min() * values.max() <= 0:
        return False
    return bool(0 < np.ptp(values) < np.abs(values).max() / 2)


@checked
def grro_terms(
    terms: Mapping[str, np.ndarray],
    ranking: Features,
    feature_names: FeatureNames,
    *,
    top: int = 15,
    title: str | None = None,
) -> go.Figure:
    """The three terms of the scores of the `top` first features: bars to both sides, whose sum is the score (a dot).

    Parameters
    ----------
    terms : "relevance", "features" and "labels", each (d,), as `GRRO.feature_terms` gives
    ranking : feature indices, best first, as `ranking_`
    """
    chosen = [int(feature) for feature in ranking[:top]]
    height = ROW * 1.2 * max(len(chosen), 5) + 64
    values = {term: sign * finite(terms[term])[chosen] for term, (_, sign, _) in TERMS.items()}
    scores = np.sum(list(values.values()), axis=0)
    if not np.isfinite(scores).any():
        return nothing_yet("the terms appear once GRRO has ranked the features", title, height)
    names = [str(feature_names[feature]) for feature in chosen]
    words = [plain(f"{place}. {name}") for place, name in enumerate(names, 1)]
    data = []
    for term, (name, _, colour) in TERMS.items():
        hover = f"%{{customdata}}<br>{name}: %{{x:.4f}} bits"
        drawn = row_bars(values[term], colour, name=name, customdata=words, hover=hover)
        data.append(standing_for(drawn, each={"feature": list(map(plain, names))}))
    dot = {"marker": {"color": "#ffffff", "size": 8, "line": {"color": NEUTRAL, "width": 2}}, "name": "score"}
    hover = "%{customdata}<br>score: %{x:.4f} bits"
    data.append(scatter(scores, list(range(len(chosen))), "markers", customdata=words, hover=hover) | dot)
    layout = {
        "xaxis": axis("Bits", nticks=6, zeroline=True, zerolinecolor=NEUTRAL, zerolinewidth=1),
        "yaxis": named_axis(short_all(names, 26), range=[len(chosen) - 0.5, -0.5]),
        "barmode": "relative",
        "bargap": 0.25,
        "showlegend": True,
        "hovermode": "closest",
    }
    sums = [
        f"{name} {relevance:.4f} {features:+.4f} {labels:+.4f} = {score:.4f}".replace(" -", " −")
        for name, relevance, features, labels, score in zip(names, *values.values(), scores, strict=True)
    ]
    alt = (
        f"Scores of GRRO in bits by relevance, redundancy with features and redundancy of labels, for "
        f"{count(len(chosen), 'feature')}: {listing(sums, 4)}."
    )
    legend = [name for name, _, _ in TERMS.values()]
    return draw(data, layout, alt=alt, title=title, height=height + 19 * legend_rows([*legend, "score"]))
