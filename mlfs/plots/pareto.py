"""Features as competitors: who tells more about two, three or all labels, and how many are left for each α."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import FeatureNames, Features, FeaturesByLabels, LabelNames, OfLabels, Sides, checked
from mlfs.errors import ParameterError
from mlfs.plots.figure import (
    ACCENT,
    BROWSER_POINTS,
    HEIGHT,
    NEUTRAL,
    PALETTE,
    ROW,
    SOLID_GRID,
    axis,
    draw,
    finite,
    heading,
    legend_rows,
    named_axis,
    nothing_yet,
    outside,
    plain,
    polyline,
    row_bars,
    scatter,
    scene_axis,
    short,
    short_all,
    standing_for,
)
from mlfs.plots.palette import wash
from mlfs.wording import count, listing

HIGHLIGHT = PALETTE[1]
SCENE_HEIGHT = 460
#: From where a cloud is seen: so far that the names of its axes are whole; further where there is less room across.
EYE, FURTHER = {"x": 1.75, "y": 1.75, "z": 1.0}, 1.2
KINDS = ("dominated", "on the front", "marked")
DRAWN = 200  # lines of each kind; more of them are one grey area


@checked
def feature_front(
    uncertainty: FeaturesByLabels,
    on_front: Annotated[np.ndarray, Sides("d", of="True and False")],
    label_names: LabelNames,
    feature_names: FeatureNames,
    *,
    highlight: Features = (),
    measure: str = "SU",
    kinds: tuple[str, str, str] = KINDS,
    title: str | None = None,
) -> go.Figure:
    """Features by what they tell about two or three labels: the front coloured, the dominated grey.

    Parameters
    ----------
    uncertainty : (d, 2) or (d, 3) symmetrical uncertainty with the chosen labels
    on_front : (d,) bool, as `mlfs.selectors.pareto.front` gives
    label_names : of the two or three labels
    highlight : features to mark
    kinds : what the legend calls the dominated, the front and the marked
    """
    values, on_front = finite(uncertainty), np.asarray(on_front, dtype=bool)
    if values.ndim != 2 or values.shape[1] not in (2, 3):
        raise ParameterError("A front is drawn for two or three labels: choose as many.")
    solid = values.shape[1] == 3
    height = SCENE_HEIGHT if solid else HEIGHT + 60
    if not np.isfinite(values).all(axis=1).any():
        return nothing_yet("choose labels to see how the features compare", title, height)
    names = np.array([plain(name) for name in feature_names], dtype=object)
    data = []
    if not solid:
        data.append(staircase(values[on_front], showlegend=False))
    marked = np.zeros(len(values), dtype=bool)
    marked[list(highlight)] = True
    for rows, name, colour, size in (
        (~on_front & ~marked, kinds[0], SOLID_GRID if solid else NEUTRAL, 5),
        (on_front & ~marked, kinds[1], ACCENT, 8),
        (marked, kinds[2], HIGHLIGHT, 10),
    ):
        if rows.any():
            data.append(
                _points(values[rows], names[rows], f"{name} ({rows.sum()})", colour, size, label_names, measure)
            )
    titles = [short(name, 16) if solid else f"{measure} with {short(name)}" for name in label_names]
    layout: dict[str, Any] = {"showlegend": True, "hovermode": "closest"}
    narrow = None
    if solid:
        sides = dict(zip(("xaxis", "yaxis", "zaxis"), (scene_axis(text) for text in titles), strict=True))
        camera = {"eye": EYE, "center": {"x": 0, "y": 0, "z": -0.2}}
        layout |= {"scene": {**sides, "camera": camera}, "dragmode": "turntable"}
        further = {**camera, "eye": {axis: FURTHER * place for axis, place in EYE.items()}}
        narrow = {"scene": {**sides, "camera": further}}
        layout["margin"] = {"l": 0, "r": 0, "t": 24, "b": 0}
        layout["legend"] = {"itemsizing": "constant"}  # points in space are small
    else:
        layout |= {"xaxis": axis(titles[0], rangemode="tozero"), "yaxis": axis(titles[1], rangemode="tozero")}
    order = np.flatnonzero(on_front)
    order = order[np.argsort(-values[order].sum(axis=1), kind="stable")]
    front_words = [f"{feature_names[int(i)]} ({', '.join(f'{v:.3f}' for v in values[i])})" for i in order]
    alt = (
        f"{count(len(values), 'feature')} by {measure} with {', '.join(map(str, label_names))}: "
        f"{on_front.sum()} on the Pareto front: {listing(front_words, 4)}."
    )
    return draw(data, layout, alt=alt, title=title, height=height, narrow=narrow)


@checked
def feature_lines(
    uncertainty: FeaturesByLabels,
    on_front: Annotated[np.ndarray, Sides("d", of="True and False")],
    label_names: LabelNames,
    feature_names: FeatureNames,
    *,
    highlight: Features = (),
    measure: str = "SU",
    kinds: tuple[str, str, str] = KINDS,
    title: str | None = None,
) -> go.Figure:
    """All labels in parallel coordinates: a line per feature, the front coloured, the dominated grey behind it.

    All labels share one scale, for all are measured alike. Of more than 200 of a kind the highest on average are drawn.

    Parameters
    ----------
    uncertainty : (d, q)
    on_front : (d,) bool: selected, whatever the dominance
    kinds : what the legend calls the dominated, the front and the marked
    """
    values, on_front = finite(uncertainty), np.asarray(on_front, dtype=bool)
    if values.size == 0 or not np.isfinite(values).any():
        return nothing_yet("choose a data set to see how its features compare", title)
    q = values.shape[1]
    order = np.argsort(-np.nan_to_num(values).mean(axis=1), kind="stable")
    marked = np.isin(order, np.asarray(highlight, dtype=np.intp))
    x = list(range(q))
    data, left_out = [], 0
    for chosen, name, colour, width in (
        (order[~on_front[order] & ~marked], kinds[0], NEUTRAL, 0.75),
        (order[on_front[order] & ~marked], kinds[1], wash(ACCENT, 0.9 if on_front.sum() <= 30 else 0.45), 1.6),
        (order[marked], kinds[2], HIGHLIGHT, 2.6),
    ):
        if not len(chosen):
            continue
        drawn = chosen[:DRAWN]
        left_out += len(chosen) - len(drawn)
        xs, ys = polyline([(x, values[i]) for i in drawn])
        words = [w for i in drawn for w in [plain(feature_names[i])] * q + [""]][:-1]
        look = {"line": {"color": colour, "width": width}, "marker": {"color": colour}, "text": words}
        hover, mode = f"%{{text}}: {measure} %{{y:.3f}}", "lines" if q > 1 else "markers"
        drawn_lines = scatter(xs, ys, mode, name=f"{name} ({len(chosen)})", hover=hover) | look
        data.append(standing_for(drawn_lines, each={"feature": "text"}))
    step = -(-q // 40)
    names = short_all(label_names, 16)
    sides = named_axis(names, autotickangles=[0, -90], range=[-0.2, q - 0.8], title={"text": "Label"})
    sides |= {"tickvals": x[::step], "ticktext": names[::step], "showgrid": q <= 40}
    upwards = axis(measure, rangemode="tozero")
    layout = {"xaxis": sides, "yaxis": upwards, "hovermode": "closest", "showlegend": True}
    rest = f" Lines of {left_out} more features are not drawn." if left_out else ""
    kept = order[on_front[order] | marked]
    best = [f"{feature_names[i]} {np.nanmean(values[i]):.3f}" for i in kept]
    said = f"{len(kept) - marked.sum()} {kinds[1]}" + (f", {marked.sum()} {kinds[2]}" if marked.any() else "")
    alt = (
        f"Parallel coordinates of {count(len(values), 'feature')} over {count(q, 'label')} by {measure}: "
        f"{said}, highest mean first: {listing(best, 4)}.{rest}"
    )
    return draw(data, layout, alt=alt, title=title, height=HEIGHT + 60)


@checked
def selected_count(
    alphas: Annotated[np.ndarray, Sides("steps")],
    counts: Annotated[np.ndarray, Sides("steps")],
    *,
    alpha: float | None = None,
    d: int | None = None,
    title: str | None = None,
) -> go.Figure:
    """How many features MAPD selects, against α; steps, as `mlfs.selectors.pareto.selected_against_alpha` gives.

    Parameters
    ----------
    alphas, counts : `counts[i]` holds from `alphas[i]` up to `alphas[i + 1]`
    alpha : the chosen α, marked
    d : number of all features, for the words
    """
    alphas, counts = finite(alphas), finite(counts)
    if not len(alphas) or not np.isfinite(counts).any():
        return nothing_yet("the counts appear once the features have been compared", title, HEIGHT - 60)
    mode, line = "lines" if len(alphas) > 1 else "markers", {"shape": "hv", "color": ACCENT, "width": 2}
    data = [scatter(alphas, counts, mode, line=line, hover="from α = %{x:.3f}: %{y} features")]
    here, notes = "", []
    if alpha is not None:
        place = int(np.clip(np.searchsorted(alphas, alpha + 1e-9, side="right") - 1, 0, len(counts) - 1))
        here = f"; at α = {alpha:g} {counts[place]:.0f}"
        words = f"{counts[place]:.0f} features" if d is None else f"{counts[place]:.0f} of {d} features"
        # Above the steps, where no line crosses it.
        notes = [heading(f"at α = {alpha:g}: {words}", 0, 1)]
        data.append(scatter([alpha], [counts[place]], "markers", marker={"color": HIGHLIGHT, "size": 10}))
    top, edge = max(float(np.nanmax(counts)), 1.0), 0.03 * float(np.ptp(alphas)) or 0.05
    layout = {
        "xaxis": axis("α: share of labels needed to dominate", range=[alphas[0] - edge, alphas[-1] + edge]),
        "yaxis": axis("Features selected", range=[0, 1.08 * top], nticks=6, **({"dtick": 1} if top <= 6 else {})),
        "annotations": notes,
        "showlegend": False,
    }
    alt = (
        f"Features selected by approximate Pareto dominance: {counts[0]:.0f} just above α = {alphas[0]:g}, "
        f"{counts[-1]:.0f} towards α = {alphas[-1]:g}{here}{'' if d is None else f'; {d} in all'}."
    )
    return draw(data, layout, alt=alt, title=title, height=HEIGHT - 60)


@checked
def objective_fronts(
    objectives: Annotated[np.ndarray, Sides("d", "objectives")],
    fronts: Annotated[np.ndarray, Sides("d", of="whole numbers")],
    feature_names: FeatureNames,
    *,
    titles: tuple[str, str],
    drawn: int = 5,
    title: str | None = None,
) -> go.Figure:
    """Features by two objectives to be minimised: the first fronts as coloured lines, all further features grey.

    Parameters
    ----------
    objectives : (d, 2); rows with NaN are left out
    fronts : (d,) the number of each feature's front, from 1
    titles : of the two axes
    drawn : fronts that have a line of their own
    """
    values, fronts = finite(objectives).reshape(-1, 2), np.asarray(fronts)
    known = np.isfinite(values).all(axis=1)
    if not known.any():
        return nothing_yet("the fronts appear once a feature varies", title, HEIGHT + 60)
    across, up = map(plain, titles)
    names = np.array([plain(name) for name in feature_names], dtype=object)
    last = int(fronts[known].max())
    groups = [(f"front {number}", known & (fronts == number)) for number in range(1, min(drawn, last) + 1)]
    data: list[dict[str, Any]] = []
    if last > drawn:
        groups.insert(0, (f"fronts {drawn + 1} to {last}" if last > drawn + 1 else f"front {last}", fronts > drawn))
    for name, rows in groups:
        beyond = last > drawn and not data
        members = np.flatnonzero(rows)
        members = members[np.argsort(values[members, 0], kind="stable")]
        colour = NEUTRAL if beyond else PALETTE[len(data) - (last > drawn)]
        data.append(
            {
                "type": "scattergl" if len(members) > BROWSER_POINTS else "scatter",
                "x": values[members, 0],
                "y": values[members, 1],
                "mode": "markers" if beyond else "lines+markers",
                "line": {"shape": "hv", "color": colour, "width": 1, "dash": "dot"},
                "marker": {"color": colour, "size": 5 if beyond else 8},
                "name": f"{name} ({len(members)})",
                "text": list(names[members]),
                "meta": {"each": {"feature": "text"}},
                "hovertemplate": f"<b>%{{text}}</b><br>{across}: %{{x:.4g}}<br>{up}: %{{y:.4g}}<extra></extra>",
            }
        )
    layout = {
        "xaxis": axis(across, nticks=6),
        "yaxis": axis(up, nticks=6),
        "showlegend": True,
        "hovermode": "closest",
    }
    first = [str(feature_names[int(i)]) for i in np.flatnonzero(known & (fronts == 1))]
    alt = (
        f"{count(int(known.sum()), 'feature')} by two objectives to be minimised, in {count(last, 'front')}; on the "
        f"first: {listing(first, 6)}."
    )
    height = HEIGHT + 60 + 19 * legend_rows([trace["name"] for trace in data])
    return draw(data, layout, alt=alt, title=title, height=height)


def _points(
    values: np.ndarray, names: np.ndarray, name: str, colour: str, size: float, labels: Sequence[str], measure: str
) -> dict[str, Any]:
    solid = values.shape[1] == 3
    kind = "scatter3d" if solid else "scattergl" if len(values) > BROWSER_POINTS else "scatter"
    shown = "<br>".join(
        f"{measure} with {short(label)}: %{{{side}:.3f}}" for label, side in zip(labels, "xyz", strict=False)
    )
    look = {"type": kind, "name": name, "marker": {"color": colour, "size": size * (0.6 if solid else 1)}}
    height: dict[str, Any] = {"z": values[:, 2]} if solid else {}
    if kind == "scatter":
        height["cliponaxis"] = False  # who tells nothing stands on an axis
    hover = f"<b>%{{text}}</b><br>{shown}"
    points = scatter(values[:, 0], values[:, 1], "markers", text=list(names), hover=hover) | look | height
    return standing_for(points, each={"feature": "text"})


def staircase(front: np.ndarray, **more: Any) -> dict[str, Any]:
    """The border of what a front of two labels, (n, 2), dominates."""
    x, y = front[np.argsort(front[:, 0], kind="stable")].T
    return scatter(x, y, "lines", line={"shape": "vh", "color": ACCENT, "width": 1, "dash": "dot"}, **more)


@checked
def duel(
    mine: OfLabels,
    theirs: OfLabels,
    names: tuple[str, str],
    label_names: LabelNames,
    wins: Annotated[np.ndarray, Sides("q", of="True and False")],
    *,
    measure: str = "SU",
    title: str | None = None,
) -> go.Figure:
    """Bars of a feature and of its rival for each label.

    Parameters
    ----------
    mine, theirs : (q,) the measure of the feature and of its rival
    names : of the feature and of its rival
    wins : (q,) bool: the labels in which the rival is strictly better, which a star marks
    """
    q = len(label_names)
    words = [plain(name) for name in label_names]
    data = []
    for values, name, colour, marks in (
        (mine, names[0], ACCENT, [""] * q),
        (theirs, names[1], NEUTRAL, ["★" if won else "" for won in wins]),
    ):
        hover = f"{plain(name)}<br>{measure} with %{{customdata}}: %{{x:.4f}}"
        drawn = row_bars(values, colour, name=short(name, 32), customdata=words, hover=hover, **outside(marks))
        data.append(standing_for(drawn, each={"label": "customdata"}))
    top = float(max(mine.max(initial=0.0), theirs.max(initial=0.0))) or 1.0
    layout = {
        "xaxis": axis(f"{measure}; ★ the rival is better", range=[0, 1.1 * top], nticks=6),
        "yaxis": named_axis(short_all(label_names, 18), range=[q - 0.5, -0.5]),
        "barmode": "group",
        "bargap": 0.3,
        "showlegend": True,
    }
    alt = (
        f"{measure} of {names[0]} and of {names[1]} with {count(q, 'label')}: {names[1]} is strictly better in "
        f"{int(wins.sum())} of them."
    )
    height = 2.2 * ROW * max(q, 4) + 70 + 19 * legend_rows(list(names))
    return draw(data, layout, alt=alt, title=title, height=height)
