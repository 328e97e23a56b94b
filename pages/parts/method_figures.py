"""What a method sees: the picture of its own idea, beside its result. A method without one has none."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from mlfs.datasets import Dataset
from mlfs.evaluation import Explorer, Protocol
from mlfs.plots import bounds, convergence, feature_front, grro_terms, label_entropies, selected_count, z_heatmap
from mlfs.selectors import Selector
from mlfs.selectors.pareto import front, selected_against_alpha
from pages.parts import exports

SHOWN = 8  # features in figures with a line for each
SYSTEM_ROWS = 15  # features in GRRO's pictures
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
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Label entropies**, with the labels of Y marked")
        exports.figure(
            lambda: label_entropies(evidence().label_entropy, ds.label_names, els.labels_), "label-entropies", of=of
        )
    with right:
        st.markdown("**The chain of bounds** C ≤ C̃ⱼ ≤ C̃ of the first features, less the mean of all")
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


def _system(ds: Dataset, grro: Any, evidence: Callable[[], Any], of: Hashable) -> None:
    left, right = st.columns(2, gap="medium")
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
    left, right = st.columns(2, gap="medium")
    labels = [0, 1] if len(ds.label_names) > 1 else [0, 0]

    def dominance() -> go.Figure:
        prepared = evidence()
        return feature_front(
            prepared.tables.symmetrical_uncertainty[:, labels],
            front(prepared, sorted(set(labels))),
            [ds.label_names[label] for label in labels],
            ds.feature_names,
            highlight=[int(feature) for feature in pareto.ranking_[: pareto.n_selected_][:SHOWN]],
        )

    def counts() -> go.Figure:
        alphas, selected = selected_against_alpha(evidence())
        return selected_count(alphas, selected, alpha=getattr(pareto, "alpha", None), d=len(ds.feature_names))

    with left:
        st.markdown("**Dominance** under the first two labels; the Pareto page shows any")
        exports.figure(dominance, "dominance", of=of)
    with right:
        st.markdown("**Selected features** against α")
        exports.figure(counts, "selected", of=of)


def _convergence(ds: Dataset, selector: Any, evidence: Callable[[], Any], of: Hashable) -> None:
    st.markdown("**Convergence**")
    exports.figure(partial(convergence, selector.history_, method=selector.id), "convergence", of=of)


_FIGURES: dict[str, MethodFigures] = {
    "els": _labels_and_bounds,
    "grro": _system,
    "grro_ls": _system,
    "mapd": _dominance,
    "parfs": _dominance,
}
