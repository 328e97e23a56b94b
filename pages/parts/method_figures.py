"""What a method sees: the picture of its own idea, beside its result. A method without one has none."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from mlfs.datasets import Dataset
from mlfs.evaluation import Explorer, Protocol
from mlfs.plots import (
    bounds,
    convergence,
    feature_front,
    feature_graph,
    grro_terms,
    label_entropies,
    matching_heatmap,
    objective_fronts,
    selected_count,
    z_heatmap,
)
from mlfs.selectors import Selector
from mlfs.selectors.pareto import front, selected_against_alpha
from pages.parts import exports, view
from pages.parts.words import SU

SHOWN = 8  # features in figures with a line for each
SYSTEM_ROWS = 15  # features in GRRO's pictures
OBJECTIVES = (
    "PMFS regresses all labels on the features. The further left a feature stands, the nearer its largest coefficient "
    "comes to the largest of all; the lower, the less its coefficients are like those of other features. On the first "
    "front are the features that no other beats in both, on the second those that only the first front beats."
)
# Draws for a data set, a fitted selector, what it prepared (asked for where needed), and all that this depends on.
MethodFigures = Callable[[Dataset, Any, Callable[[], Any], Hashable], None]


def has_figures(selector: Selector) -> bool:
    return _figures_of(selector) is not None


def show(explorer: Explorer, selector: Selector, protocol: Protocol, seed: int, of: Hashable) -> None:
    """Draw what the fitted selector sees on the first split; `of` says all that it depends on."""
    draw = _figures_of(selector)
    if draw is not None:
        draw(explorer.ds, selector, partial(explorer.evidence, selector, protocol, seed=seed), of)


def _figures_of(selector: Selector) -> MethodFigures | None:
    if selector.id in _FIGURES:
        return _FIGURES[selector.id]
    return _convergence if hasattr(selector, "history_") else None


def _labels_and_bounds(ds: Dataset, els: Any, evidence: Callable[[], Any], of: Hashable) -> None:
    left, right = view.columns("labels-seen", [1, 1])
    with left:
        st.markdown("**Label entropies**, with the labels of Y marked")
        exports.figure(
            lambda: label_entropies(evidence().label_entropy, ds.label_names, els.labels_), "label-entropies", of=of
        )
        st.caption(
            "Y is made of the labels of highest entropy, and |Y| says how many. What a feature tells about those is "
            "computed exactly; for the others its upper bound stands in, the smaller of the two entropies."
        )
    with right:
        st.markdown("**The chain of bounds** C ≤ C̃ⱼ ≤ C̃ of the first features, minus the mean of all")
        exports.figure(
            lambda: bounds(
                els.bounds(evidence()),
                els.ranking_[:SHOWN],
                ds.feature_names,
                n_labels=len(els.labels_),
                relative=True,
            ),
            "bounds",
            of=of,
        )
        st.caption(
            "C is the score with every label exact, C̃ with bounds alone, and C̃ⱼ with j labels exact. Where lines "
            "cross, the order of the features changes."
        )


def _system(ds: Dataset, grro: Any, evidence: Callable[[], Any], of: Hashable) -> None:
    left, right = view.columns("system-seen", [1, 1])
    with left:
        st.markdown("**The solution Z**: what each of the first features has for each label")
        first = grro.ranking_[:SYSTEM_ROWS]
        exports.figure(
            partial(z_heatmap, grro.coefficients_, ds.feature_names, ds.label_names, features=first), "z", of=of
        )
    with right:
        st.markdown("**The three terms** of each score: relevance, less what other features and labels take")
        exports.figure(
            lambda: grro_terms(grro.feature_terms(evidence()), grro.ranking_, ds.feature_names, top=SYSTEM_ROWS),
            "terms",
            of=of,
        )


def _dominance(ds: Dataset, pareto: Any, evidence: Callable[[], Any], of: Hashable) -> None:
    left, right = view.columns("dominance-seen", [1, 1])
    labels = [0, 1] if len(ds.label_names) > 1 else [0, 0]

    def dominance() -> go.Figure:
        prepared = evidence()
        return feature_front(
            prepared.tables.symmetrical_uncertainty[:, labels],
            front(prepared, sorted(set(labels))),
            [ds.label_names[label] for label in labels],
            ds.feature_names,
            highlight=[int(feature) for feature in pareto.ranking_[: pareto.n_selected_][:SHOWN]],
            kinds=("neither", "only on the front", f"first selected by {pareto.name}"),
        )

    def counts() -> go.Figure:
        alphas, selected = selected_against_alpha(evidence())
        return selected_count(alphas, selected, alpha=getattr(pareto, "alpha", None), d=len(ds.feature_names))

    with left:
        st.markdown("**Dominance** under the first two labels; the Pareto page shows any")
        exports.figure(dominance, "dominance", of=of)
        st.caption(SU)
    with right:
        st.markdown("**Selected features** against α")
        exports.figure(counts, "selected", of=of)


def _graph(ds: Dataset, mgfs: Any, evidence: Callable[[], Any], of: Hashable) -> None:
    def graph() -> go.Figure:
        seen = mgfs.graph(evidence())
        return feature_graph(seen.positions, seen.pagerank, seen.edges, ds.feature_names)

    st.markdown("**The graph of features**: larger where the walk comes by more often, with the strongest edges")
    exports.figure(graph, "graph", of=of)
    st.caption(
        "Features are placed by their correlations with the labels, along the two directions in which they differ "
        "most. The farther two are apart, the stronger their edge."
    )


def _rounds(ds: Dataset, bmfs: Any, evidence: Callable[[], Any], of: Hashable) -> None:
    def rounds() -> go.Figure:
        first = bmfs.ranking_[:SYSTEM_ROWS]
        return matching_heatmap(
            bmfs.best_correlations(evidence(), first), bmfs.rounds_, first, ds.feature_names, ds.label_names
        )

    st.markdown("**The rounds**: a number marks the label that got the feature, and the round in which it did")
    exports.figure(rounds, "rounds", of=of)


def _objectives(ds: Dataset, pmfs: Any, evidence: Callable[[], Any], of: Hashable) -> None:
    def fronts() -> go.Figure:
        names = [ds.feature_names[feature] for feature in evidence().owner]
        return objective_fronts(pmfs.objectives_, pmfs.fronts_, names, titles=pmfs.objective_titles)

    st.markdown("**The fronts** of the two objectives, both to be minimised")
    exports.figure(fronts, "fronts", of=of)
    st.caption(OBJECTIVES)


def _convergence(ds: Dataset, selector: Any, evidence: Callable[[], Any], of: Hashable) -> None:
    st.markdown("**Convergence**")
    exports.figure(partial(convergence, selector.history_, method=selector.id), "convergence", of=of)


_FIGURES: dict[str, MethodFigures] = {
    "bmfs": _rounds,
    "els": _labels_and_bounds,
    "grro": _system,
    "grro_ls": _system,
    "mapd": _dominance,
    "mgfs": _graph,
    "parfs": _dominance,
    "pmfs": _objectives,
}
