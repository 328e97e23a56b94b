"""The sidebar's choice of a method and its parameters, and what the app says about a method."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from mlfs import SELECTORS
from pages.parts import controls

# Parameters of the solver rather than of the method: folded away.
PLUMBING = ("tol", "max_iter", "random_state", "n_samples", "rank", "n_candidates")
# Set by the page or by the data, not by a widget.
ELSEWHERE = ("n_features_to_select", "categorical_features", "n_jobs")
GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "lambda_": "λ", "n_labels": "|Y|, labels counted exactly", "k": "k"}
# Those that are no method: drawn as levels or for comparison.
BASELINES = ("all_features", "random")


def method_ids() -> list[str]:
    """The methods in the order of the registry, those of the five papers first."""
    first = ["els", "grro", "grro_ls", "elc", "mapd", "jmi_br"]
    rest = sorted(
        (i for i in SELECTORS if i not in first and i not in BASELINES), key=lambda i: SELECTORS[i].name.lower()
    )
    return [*first, *rest, "random"]


def method_name(method: str) -> str:
    return SELECTORS[method].name


def choose_method(sizes: Mapping[str, int]) -> tuple[str, dict[str, Any]]:
    """Method and parameters; only what differs from the defaults is in the parameters."""
    with st.sidebar:
        method = controls.choose("Method", method_ids(), "method", name=method_name)
        return method, choose_parameters(method, sizes)


def choose_parameters(method: str, sizes: Mapping[str, int]) -> dict[str, Any]:
    """A widget for each parameter of the method, where the caller stands."""
    declared = {name: p for name, p in SELECTORS[method].parameters.items() if name not in ELSEWHERE}
    values: dict[str, Any] = {}

    def show(names: list[str]) -> None:
        for name in names:
            label = GREEK.get(name, name.strip("_").replace("_", " ").capitalize())
            values[name] = controls.parameter_control(method, declared[name], sizes, f"{method}.{name}", label)

    show([name for name in declared if name not in PLUMBING])
    if folded := [name for name in declared if name in PLUMBING]:
        with st.expander("Solver"):
            show(folded)
    return {name: value for name, value in values.items() if value != declared[name].default}


def explain(method: str) -> None:
    """Two sentences, the formula, the paper, the cost, and where the paper and its authors' program differ."""
    about = SELECTORS[method]
    st.markdown(about.summary)
    st.latex(about.formula)
    st.markdown(f"**Paper** {about.paper}  \n**Cost** {about.cost}")
    if about.variants:
        st.markdown("**Variants**\n" + "\n".join(f"- `{name}`: {text}" for name, text in about.variants.items()))
