"""Zhang et al. 2020: relevance, redundancy and label distance in one linear system."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from mlfs.evaluation import Explorer, average_classification_result, get_protocol
from mlfs.papers.tour import StepView, Tasks, Tour, TourStep, first_curve, information_of, overlap, tuned, where_largest
from mlfs.plots import grid_heatmap, z_heatmap
from mlfs.plots.heatmaps import MatrixPanel, matrix_panels
from mlfs.selectors.grro import label_distance
from mlfs.selectors.ranking import rank
from mlfs.selectors.specification import method_text
from mlfs.wording import count

PROTOCOL = get_protocol("zhang_2020_grro")
evidence_of = partial(information_of, method="grro", protocol=PROTOCOL)
#: ACR is a sum over the first thirty sizes (eq. 11).
FIRST_SIZES = get_protocol(PROTOCOL, sizes=tuple(range(1, 31)), metrics=("hamming_loss", "ranking_loss"))
#: Every second power of ten of the paper's grid.
GRID = (1e-3, 1e-1, 1e1, 1e3)
MATRIX_ROWS, HEATMAP_ROWS = 6, 15

ALPHA, BETA = tuned("grro", "alpha", "α: redundancy of features"), tuned("grro", "beta", "β: distance of labels")
K = tuned("grro_ls", "k", "k: features that each label keeps")


def matrices(explorer: Explorer) -> StepView:
    """C, G and R of eq. (6)."""
    evidence, ds = evidence_of(explorer), explorer.ds
    G, R = evidence.feature_information, label_distance(evidence.Y)
    first = rank(evidence.relevance)[:MATRIX_ROWS]
    shared = G - np.diag(np.diag(G))
    i, j = where_largest(shared)
    a, b = where_largest(np.where(np.eye(len(R), dtype=bool), -np.inf, -R))
    best = int(first[0])
    sentence = (
        f"{ds.feature_names[best]} tells the most, {evidence.relevance[best]:.3f} bits summed over the labels. "
        f"{ds.feature_names[i]} and {ds.feature_names[j]} share the most, {shared[i, j]:.3f} bits; "
        f"{ds.label_names[a]} and {ds.label_names[b]} are nearest, {R[a, b]:.3f} apart. GRRO weighs these three "
        "against each other for all features at once; the figure shows the most relevant ones."
    )
    names = [ds.feature_names[i] for i in first]
    panels = [
        MatrixPanel("C: relevance, M(f;l)", evidence.information[first], names, ds.label_names),
        MatrixPanel("G: what features share", G[np.ix_(first, first)], names, names),
        MatrixPanel("R: how far labels are apart", R, ds.label_names, ds.label_names),
    ]
    return StepView(sentence, matrix_panels(panels))


def weights(explorer: Explorer, alpha: float, beta: float) -> StepView:
    """Z of eq. (8) for the first features."""
    fitted, evidence, ds = _fitted(explorer, "grro", alpha=alpha, beta=beta), evidence_of(explorer), explorer.ds
    first, relevant = fitted.ranking_[:HEATMAP_ROWS], rank(evidence.relevance)[:HEATMAP_ROWS]
    terms = fitted.terms_
    sentence = (
        f"At α = {alpha:g} and β = {beta:g}, {ds.feature_names[first[0]]} comes first, and {overlap(first, relevant)} "
        f"of the first {len(first)} features are also among the {len(relevant)} most relevant ones. The objective is "
        f"{terms['fit']:.3f} for the distance from C, {_signed(terms['redundancy'])} for redundancy and "
        f"{_signed(terms['labels'])} for labels."
    )
    figure = z_heatmap(fitted.coefficients_, ds.feature_names, ds.label_names, features=first)
    return StepView(sentence, figure, tuple(fitted.notes_))


def label_specific(explorer: Explorer, alpha: float, beta: float, k: int) -> StepView:
    """The k largest weights of each label (eq. 9 and 10)."""
    fitted, ds = _fitted(explorer, "grro_ls", alpha=alpha, beta=beta, k=k), explorer.ds
    kept = fitted.coefficients_ != 0
    by_labels = kept.sum(axis=1)
    most = int(by_labels.argmax())
    q = len(ds.label_names)
    plain = _fitted(explorer, "grro", alpha=alpha, beta=beta).ranking_[:HEATMAP_ROWS]
    sentence = (
        f"The {q} labels keep {count(min(k, len(kept)), 'feature')} each, {int((by_labels > 0).sum())} different ones "
        f"together; {int((by_labels == 1).sum())} of them serve one label only, and {ds.feature_names[most]} serves "
        f"{by_labels[most]}. "
        f"{overlap(fitted.ranking_[:HEATMAP_ROWS], plain)} of the first {HEATMAP_ROWS} are also first in GRRO."
    )
    first = fitted.ranking_[:HEATMAP_ROWS]
    figure = z_heatmap(fitted.coefficients_, ds.feature_names, ds.label_names, features=first)
    return StepView(sentence, figure, tuple(fitted.notes_))


def grid_work(explorer: Explorer) -> Tasks:
    def acr(alpha: float, beta: float) -> float:
        return average_classification_result(
            first_curve(explorer, ("grro", {"alpha": alpha, "beta": beta}), FIRST_SIZES)
        )

    return {_setting(alpha, beta): partial(acr, alpha, beta) for alpha, beta in product(GRID, GRID)}


def grid(explorer: Explorer, measured: Mapping[str, float]) -> StepView:
    """ACR over α and β (eq. 11, Figure 3)."""
    values = np.array([[measured.get(_setting(alpha, beta), np.nan) for beta in GRID] for alpha in GRID])
    sentence = "The paper chooses α and β by the sum of Hamming and ranking loss over the first 30 sizes, ACR. "
    if np.isfinite(values).any():
        i, j = where_largest(-values)
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        sentence += (
            f"Here it is lowest, {low:.3f}, at α = {GRID[i]:g}, β = {GRID[j]:g}; the highest is {high:.3f}, "
            f"{high / low - 1:.0%} more. It is measured on the test rows, so the best cell is chosen with knowledge of "
            "them."
        )
    return StepView(sentence, grid_heatmap(values, GRID, GRID))


def _fitted(explorer: Explorer, method: str, **parameters: Any) -> Any:
    return explorer.fit((method, parameters), PROTOCOL)[0]


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")


def _setting(alpha: float, beta: float) -> str:
    return method_text("grro", {"alpha": alpha, "beta": beta})


TOUR = Tour(
    "zhang_2020_grro",
    "emotions",
    (
        TourStep("Relevance, redundancy, label distance", matrices),
        TourStep("α and β move the weights", weights, (ALPHA, BETA)),
        TourStep("Each label keeps its own", label_specific, (ALPHA, BETA, K)),
        TourStep("How the paper chooses α and β", grid, work=grid_work),
    ),
)
