"""Zhou & Guo 2023: a feature stays unless another beats it in most labels."""

from __future__ import annotations

from functools import partial

import numpy as np

from mlfs.evaluation import Explorer, compare_features, get_protocol
from mlfs.papers.published import published
from mlfs.papers.tour import Knob, StepView, Tour, TourStep, first_curve, information_of, tuned, where_largest
from mlfs.parameters import Parameter
from mlfs.plots import feature_front, selected_count
from mlfs.plots.heatmaps import MatrixPanel, matrix_panels
from mlfs.plots.named_lines import named_lines
from mlfs.plots.pareto import duel
from mlfs.selectors.pareto import dominance, selected_against_alpha, wins_needed
from mlfs.wording import count

PROTOCOL = get_protocol("zhou_2023_mapd")
evidence_of = partial(information_of, method="mapd", protocol=PROTOCOL)
METRIC = "hamming_loss"
SHOWN = 15  # features in the matrix

ALPHA = tuned("mapd", "alpha", "α: share of labels to be won")
PLACE = Knob(
    "Feature looked at, by mean SU",
    Parameter("integer", 5, "its place when features are ordered by their mean SU, best first", 1, 50, name="place"),
)


def uncertainty(explorer: Explorer) -> StepView:
    """SU of features with labels (eq. 3)."""
    table, ds = evidence_of(explorer).tables.symmetrical_uncertainty, explorer.ds
    first = _by_mean(table)[:SHOWN]
    best = table.argmax(axis=0)
    row, column = where_largest(table)
    different = len(set(best))
    bests = (
        f"have {different} different best features, so no single order of the features serves them all"
        if different > 1
        else "share their best feature"
    )
    sentence = (
        f"The largest of all {table.size:,} symmetrical uncertainties (SU) is {table.max():.3f}, of "
        f"{ds.feature_names[row]} with {ds.label_names[column]}. The {len(ds.label_names)} labels {bests}."
    )
    names = [ds.feature_names[i] for i in first]
    panel = MatrixPanel(f"SU, the first {SHOWN} by mean", table[first], names, ds.label_names)
    return StepView(sentence, matrix_panels([panel]))


def rivals(explorer: Explorer, place: int, alpha: float) -> StepView:
    """A feature and the one that beats it in most labels (Definition 3)."""
    evidence, ds = evidence_of(explorer), explorer.ds
    table = evidence.tables.symmetrical_uncertainty
    mine = int(_by_mean(table)[place - 1])
    rival, better = dominance(evidence).strongest_rival(mine)
    won, q = int(better.sum()), len(better)
    needed = wins_needed(alpha, q)
    verdict = "so it is dominated" if won >= needed else "so nothing dominates it, and it stays"
    names = (str(ds.feature_names[mine]), str(ds.feature_names[rival]))
    sentence = (
        f"{names[0]} is number {place} by mean SU. Its strongest rival, {names[1]}, is strictly better in "
        f"{won} of {count(q, 'label')}, {won / q:.0%}; at α = {alpha:g} it takes {needed}, {verdict}."
    )
    return StepView(sentence, duel(table[mine], table[rival], names, ds.label_names, better))


def remaining(explorer: Explorer, alpha: float) -> StepView:
    """How many features stay, for every α (Figure 1)."""
    alphas, counts = selected_against_alpha(evidence_of(explorer))
    d, chosen = len(explorer.ds.feature_names), explorer.fit(("mapd", {"alpha": alpha}), PROTOCOL)[0].n_selected_
    sentence = (
        f"At α = {alpha:g}, {chosen} of {count(d, 'feature')} {'stays' if chosen == 1 else 'stay'}. The number "
        f"grows from {counts[0]} just above α = 0.5 to {counts[-1]} near α = 1, where a rival must win every label; at "
        "each step it must win one more."
    )
    return StepView(sentence, selected_count(alphas, counts, alpha=alpha, d=d))


def fronts(explorer: Explorer, alpha: float) -> StepView:
    """The front of the two labels of highest entropy, and what MAPD keeps by all labels."""
    ds, entropies = explorer.ds, evidence_of(explorer).label_entropy
    labels = [ds.label_names[label] for label in np.argsort(-entropies, kind="stable")[:2]]
    features = compare_features(explorer, labels, ("mapd", {"alpha": alpha}), PROTOCOL)
    chosen = [int(i) for i in features.selected]
    outside = sum(not features.on_front[i] for i in chosen)
    other = (
        f"{count(outside, 'of these is', 'of these are')} not on this front, for the sake of other labels."
        if outside
        else "Raise α to see features join that this front leaves out."
    )
    sentence = (
        f"Seen by {labels[0]} and {labels[1]} alone, {int(features.on_front.sum())} of {len(features.on_front)} "
        f"features are on the front. MAPD looks at all {count(len(ds.label_names), 'label')} and keeps "
        f"{len(chosen)}. {other}"
    )
    figure = feature_front(
        features.uncertainty[:, list(features.columns)],
        features.on_front,
        labels,
        ds.feature_names,
        highlight=chosen,
        kinds=("dominated here", "on this front", "kept by MAPD"),
    )
    return StepView(sentence, figure)


def honest(explorer: Explorer, alpha: float) -> StepView:
    """Hamming loss of the set for every number of features that some α selects (Table II holds the printed ones)."""
    alphas, counts = selected_against_alpha(evidence_of(explorer))
    losses: dict[int, float] = {}
    for low, high, size in zip(alphas, alphas[1:], counts, strict=False):
        if size and int(size) not in losses:
            losses[int(size)] = _loss(explorer, float(low + high) / 2)
    here, size = _loss(explorer, alpha), explorer.fit(("mapd", {"alpha": alpha}), PROTOCOL)[0].n_selected_
    sizes = sorted(losses)
    best = min(sizes, key=lambda size: losses[size])
    which = count(size, "feature") if size else "the empty set (judged by the first feature of the ranking)"
    sentence = (
        f"At α = {alpha:g}, a Hamming loss of {here:.4f} with {which}; over all α it is lowest with "
        f"{count(best, 'feature')}, {losses[best]:.4f}."
    )
    printed = _printed(explorer.ds.name)
    if printed is not None:
        sentence += (
            f" The paper prints {printed:.4f} for α = 0.6. The best set here has {losses[best] / printed:.0f} times "
            "that: it looks as if the label columns had been left among the features."
        )
    levels = {} if printed is None else {"printed for α = 0.6": printed}
    line = (np.array(sizes), np.array([losses[n] for n in sizes]))
    figure = named_lines(
        {"measured, first fold": line}, "Features that some α keeps", "Hamming loss", marked=size, levels=levels
    )
    return StepView(sentence, figure)


def _by_mean(table: np.ndarray) -> np.ndarray:
    """Features, highest mean SU first."""
    return np.argsort(-table.mean(axis=1), kind="stable")


def _loss(explorer: Explorer, alpha: float) -> float:
    """With the set's own size; a set that is empty counts as its first feature."""
    return float(first_curve(explorer, ("mapd", {"alpha": alpha}), PROTOCOL)[METRIC].iloc[0])


def _printed(dataset: str) -> float | None:
    table = published("zhou_2023_mapd", "tableII")
    rows = table[(table["dataset"] == dataset) & (table["setting"] == "mapd:alpha=0.6")]
    return None if rows.empty else float(rows["value"].iloc[0])


TOUR = Tour(
    "zhou_2023_mapd",
    "emotions",
    (
        TourStep("Each label has its own best features", uncertainty),
        TourStep("One feature against its strongest rival", rivals, (PLACE, ALPHA)),
        TourStep("How many stay", remaining, (ALPHA,)),
        TourStep("Two labels are not all labels", fronts, (ALPHA,)),
        TourStep("What the sets are worth", honest, (ALPHA,)),
    ),
)
