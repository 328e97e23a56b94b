"""What ELS sees: the entropies of the labels, how its score closes in on the exact one as labels enter Y, and by how
much the bound of each pair is too high.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import FeatureNames, Features, FeaturesByLabels, IndicesOf, LabelNames, OfLabels, Sides, checked
from mlfs.plots.figure import (
    ACCENT,
    BROWSER_POINTS,
    HEIGHT,
    NEUTRAL,
    ROW,
    axis,
    bars,
    draw,
    finite,
    legend_rows,
    log_ticks,
    mark_line,
    named_axis,
    nothing_yet,
    plain,
    scatter,
    short_all,
    standing_for,
)
from mlfs.plots.named_lines import line_at
from mlfs.plots.palette import wash
from mlfs.wording import count, listing

LEAST = 1e-5  # bits: less than that is not drawn
HALF_PAGE = 220  # pixels of a legend there, in which a long name has a row of its own
NAMED = 40  # labels that still have a row, and a name, each


@checked
def label_entropies(
    entropies: OfLabels,
    label_names: LabelNames,
    chosen: Annotated[Sequence[int] | np.ndarray, IndicesOf("q")] = (),
    *,
    title: str | None = None,
) -> go.Figure:
    """Bars of the labels' entropies, highest first; the labels in Y have the accent colour.

    Parameters
    ----------
    entropies : (q,) in bits
    chosen : the labels in Y, as `ELS.labels_`
    """
    values = finite(entropies)
    order = np.argsort(-np.nan_to_num(values, nan=-1.0), kind="stable")
    wide = len(order) > NAMED
    height = HEIGHT if wide else ROW * max(len(order), 5) + 84
    if not len(order):
        return nothing_yet("the entropies appear once a data set is chosen", title, height)
    inside = np.isin(order, np.asarray(chosen, dtype=np.intp))
    data = []
    for member, name, colour in ((True, "in Y (exact)", ACCENT), (False, "outside Y (bound)", NEUTRAL)):
        places = np.flatnonzero(inside == member)
        if len(places):
            labels = {"name": name, "customdata": [plain(label_names[i]) for i in order[places]]}
            x, y, way = (places, values[order[places]], "v") if wide else (values[order[places]], places, "h")
            hover = f"%{{customdata}}: %{{{'y' if wide else 'x'}:.4f}} bits"
            drawn = bars(x, y, colour, orientation=way, hover=hover) | labels
            data.append(standing_for(drawn, each={"label": "customdata"}))
    bits = axis("Entropy H(l) (bits)", range=[0, max(1.0, float(np.nanmax(values, initial=0.0)))])
    if wide:
        across = axis("Labels, by entropy", showgrid=False, showticklabels=False)
        layout: dict[str, Any] = {"xaxis": across, "yaxis": bits}
    else:
        names = short_all([label_names[i] for i in order])
        layout = {"xaxis": bits, "yaxis": named_axis(names, range=[len(order) - 0.5, -0.5])}
    layout |= {"barmode": "overlay", "bargap": 0.1 if wide else 0.25, "showlegend": True}
    first = [f"{label_names[i]} {values[i]:.4f}" for i in order]
    inside_words = f"{inside.sum()} are in Y"
    alt = f"Entropies of {count(len(order), 'label')} in bits, highest first: {listing(first)}; {inside_words}."
    return draw(data, layout, alt=alt, title=title, height=height)


@checked
def bounds(
    chain: Annotated[np.ndarray, Sides("steps", "d")],
    features: Features,
    feature_names: FeatureNames,
    *,
    n_labels: int | None = None,
    relative: bool = False,
    title: str | None = None,
) -> go.Figure:
    """The chain of bounds C ≤ C̃_j ≤ C̃ (Lee & Kim 2016, Lemma 1) of a few features against j = |Y|.

    At |Y| = 0 stands the loosest bound C̃, at |Y| = q the exact score C. Lines that no longer cross right of the
    chosen |Y| mean that more labels would not change the order of these features.

    Parameters
    ----------
    chain : (q + 1, d) as `ELS.bounds` gives
    features : which of the d to draw; up to a dozen stay readable
    n_labels : the chosen |Y|, marked
    relative : draw each score minus the mean of all features, which shows how their order changes
    """
    chain = finite(chain)
    features = [int(feature) for feature in features]
    if not features or len(chain) < 2:
        return nothing_yet("choose features to see their bounds", title)
    q = len(chain) - 1
    height = chain - chain.mean(axis=1, keepdims=True) if relative else chain
    j = np.arange(q + 1)
    names, mode = short_all([feature_names[feature] for feature in features]), "lines+markers" if q <= 30 else "lines"
    data: list[dict[str, Any]] = [
        standing_for(
            scatter(j, height[:, feature], mode, name=name, **line_at(place, 4), hover="%{y:.4f}", named=True),
            feature=plain(feature_names[feature]),
        )
        for place, (feature, name) in enumerate(zip(features, names, strict=True))
    ]
    shown = height[:, features]
    low, high = np.nanmin(shown, initial=np.inf), np.nanmax(shown, initial=-np.inf)
    if not np.isfinite(low):
        return nothing_yet("these features have no score", title)
    margin = 0.06 * (high - low) or 0.5
    if n_labels is not None:
        data.append(mark_line(n_labels, low - margin, high + margin))
    ticks = sorted({0, q, *range(0, q, max(1, q // 6))} - ({q - 1} if q > 6 else set()))
    words = {0: "0<br>C̃", q: f"{q}<br>C"}
    layout = {
        "xaxis": axis(
            "|Y|: labels whose information is exact",
            tickvals=ticks,
            ticktext=[words.get(tick, str(tick)) for tick in ticks],
            range=[-0.02 * q, 1.02 * q],
        ),
        "yaxis": axis(
            "Score − mean of all features (bits)" if relative else "Score (bits)", range=[low - margin, high + margin]
        ),
        "hovermode": "x unified",
        "showlegend": True,
    }
    ends = [f"{feature_names[f]} from {chain[0, f]:.4f} down to {chain[q, f]:.4f}" for f in features]
    marked = "" if n_labels is None else f"; |Y| = {n_labels} is marked"
    alt = f"Bounds of the ELS score in bits as |Y| grows from 0 to {q}: {listing(ends)}{marked}."
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 19 * legend_rows(names, HALF_PAGE))


@checked
def bound_pairs(
    bound: FeaturesByLabels,
    information: FeaturesByLabels,
    inside: Annotated[np.ndarray, Sides("q", of="True and False")],
    *,
    title: str | None = None,
) -> go.Figure:
    """M(f;l) against min(H(f), H(l)); the pairs whose label is in Y have the accent colour.

    Both axes are logarithmic, for most features tell far less than they could.

    Parameters
    ----------
    bound, information : (d, q) in bits
    inside : (q,) bool: the labels in Y
    """
    drawn = (information >= LEAST) & (bound > 0)
    top = float(bound.max(initial=0.0)) or 1.0
    low = float(bound[drawn].min(initial=top))
    line = {"color": NEUTRAL, "width": 1.5, "dash": "dash"}
    data = [scatter([low, top], [low, top], "lines", name="the bound itself", line=line)]
    kind = "scattergl" if bound.size > BROWSER_POINTS else "scatter"
    for columns, name, colour in (
        (~inside, "outside Y: the bound is taken", wash(NEUTRAL, 0.4)),
        (inside, "in Y: counted", wash(ACCENT, 0.6)),
    ):
        shown = drawn & columns
        if shown.any():
            look = {"type": kind, "name": name, "marker": {"color": colour, "size": 5}}
            hover = "at most %{x:.3f} bits, in truth %{y:.5f}"
            data.append(scatter(bound[shown], information[shown], "markers", hover=hover) | look)
    layout = {
        "xaxis": axis("min(H(f), H(l)) (bits, log axis)", **log_ticks(math.log10(low) - 0.05, math.log10(top) + 0.05)),
        "yaxis": axis("M(f;l) (bits, log axis)", **log_ticks(math.log10(LEAST), math.log10(top) + 0.1)),
        "hovermode": "closest",
        "showlegend": True,
    }
    alt = (
        f"{count(bound.size, 'pair')} of feature and label by the bound, on average {bound.mean():.4f} bits, and the "
        f"mutual information, on average {information.mean():.4f} and at most {information.max():.4f}; "
        f"{count(int(inside.sum()), 'label')} in Y; {int((~drawn).sum())} pairs below {LEAST:g} bits are not drawn."
    )
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 60)
