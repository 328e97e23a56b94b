"""What a method sees: the picture of its own idea, beside its result. A method without one has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from mlfs.evaluation import Protocol, Workbench
from mlfs.plots import (
    bounds,
    convergence,
    feature_front,
    grro_terms,
    label_entropies,
    selected_count,
    z_heatmap,
)
from mlfs.selectors import Selector
from mlfs.selectors.pareto import front, selected_against_alpha
from pages.parts import takeaway

SHOWN = 8  # features in figures with a line for each
SYSTEM_ROWS = 15  # features in GRRO's pictures


def has_sight(selector: Selector) -> bool:
    return _sight(selector) is not None


def show(bench: Workbench, selector: Selector, protocol: Protocol, seed: int) -> None:
    """Draw what the fitted selector sees on the first split."""
    sight = _sight(selector)
    if sight is not None:
        sight(bench, selector, protocol, seed)


def _sight(selector: Selector) -> Callable[[Workbench, Any, Protocol, int], None] | None:
    if selector.id in _SIGHTS:
        return _SIGHTS[selector.id]
    return _convergence if hasattr(selector, "history_") else None


def _labels_and_bounds(bench: Workbench, els: Any, protocol: Protocol, seed: int) -> None:
    ds, evidence = bench.ds, bench.evidence(els, protocol, seed=seed)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**Label entropies**, with the labels of Y marked")
        takeaway.figure(label_entropies(evidence.label_entropy, ds.label_names, els.labels_), "label-entropies")
    with right:
        st.markdown("**The chain of bounds** C ≤ C̃ⱼ ≤ C̃ of the first features, less the mean of all")
        chain = els.bounds(evidence)
        takeaway.figure(
            bounds(chain, els.ranking_[:SHOWN], ds.feature_names, n_labels=len(els.labels_), relative=True), "bounds"
        )


def _system(bench: Workbench, grro: Any, protocol: Protocol, seed: int) -> None:
    ds, evidence = bench.ds, bench.evidence(grro, protocol, seed=seed)
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**The solution Z**: what each of the first features has for each label")
        first = grro.ranking_[:SYSTEM_ROWS]
        takeaway.figure(z_heatmap(grro.coefficients_, ds.feature_names, ds.label_names, features=first), "z")
    with right:
        st.markdown("**The three terms** of each score: relevance, less what other features and labels take")
        terms = grro.feature_terms(evidence)
        takeaway.figure(grro_terms(terms, grro.ranking_, ds.feature_names, top=SYSTEM_ROWS), "terms")


def _dominance(bench: Workbench, pareto: Any, protocol: Protocol, seed: int) -> None:
    ds, evidence = bench.ds, bench.evidence(pareto, protocol, seed=seed)
    left, right = st.columns(2, gap="medium")
    labels = [0, 1] if len(ds.label_names) > 1 else [0, 0]
    with left:
        st.markdown("**Dominance** under the first two labels; the Pareto page shows any")
        takeaway.figure(
            feature_front(
                evidence.tables.symmetrical_uncertainty[:, labels],
                front(evidence, sorted(set(labels))),
                [ds.label_names[label] for label in labels],
                ds.feature_names,
                highlight=[int(feature) for feature in pareto.ranking_[: pareto.n_selected_][:SHOWN]],
            ),
            "dominance",
        )
    with right:
        st.markdown("**Selected features** against α")
        alphas, counts = selected_against_alpha(evidence)
        takeaway.figure(
            selected_count(alphas, counts, alpha=getattr(pareto, "alpha", None), d=len(ds.feature_names)), "selected"
        )


def _convergence(bench: Workbench, selector: Any, protocol: Protocol, seed: int) -> None:
    st.markdown("**Convergence**")
    takeaway.figure(convergence(selector.history_, method=selector.id), "convergence")


_SIGHTS: dict[str, Callable[[Workbench, Any, Protocol, int], None]] = {
    "els": _labels_and_bounds,
    "grro": _system,
    "grro_ls": _system,
    "mapd": _dominance,
    "parfs": _dominance,
}
