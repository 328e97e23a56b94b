"""The sidebar's choice of a method and its parameters, and what the app says about a method."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import streamlit as st

from mlfs import SELECTORS
from mlfs.selectors import AllFeatures, Random
from pages.parts import controls

# Parameters of the solver rather than of the method: folded away.
PLUMBING = ("tol", "max_iter", "random_state", "n_samples", "rank", "n_candidates")
# Set by the page or by the data, not by a widget.
ELSEWHERE = ("n_features_to_select", "categorical_features", "n_jobs")
LABELS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "lambda_": "λ",
    "k": "k",
    "n_labels": "|Y|, labels counted exactly",
    "n_bins": "Bins",
    "n_latent": "Latent dimensions",
    "n_neighbors": "Neighbours",
    "min_count": "Least count of a labelset",
}
# Those that are no method: drawn as levels or for comparison.
BASELINES = (AllFeatures.id, Random.id)


def method_ids() -> list[str]:
    """The methods in the order of the registry, those of the five papers first."""
    first = ["els", "grro", "grro_ls", "elc", "mapd", "jmi_br"]
    rest = [i for i in SELECTORS if i not in (*first, *BASELINES)]
    return [*first, *sorted(rest, key=lambda i: method_name(i).lower()), "random"]


def method_name(method: str) -> str:
    return SELECTORS[method].name


def parameter_label(name: str) -> str:
    return LABELS.get(name, name.strip("_").replace("_", " ").capitalize())


def choose_method(sizes: Mapping[str, int]) -> tuple[str, dict[str, Any]]:
    """Method and parameters; only what differs from the defaults is in the parameters."""
    with st.sidebar:
        method = controls.choose("Method", method_ids(), "method", name=method_name)
        return method, choose_parameters(method, sizes)


def choose_parameters(method: str, sizes: Mapping[str, int], without: Collection[str] = ()) -> dict[str, Any]:
    """A widget for each parameter of the method but those left out, where the caller stands."""
    left_out = (*ELSEWHERE, *without)
    declared = {name: p for name, p in SELECTORS[method].parameters.items() if name not in left_out}
    values: dict[str, Any] = {}

    def read(names: list[str], shown: bool) -> None:
        for name in names:
            key, parameter = f"{method}.{name}", declared[name]
            values[name] = controls.keep_parameter(method, parameter, sizes, key)
            if shown:
                values[name] = controls.parameter_widget(parameter, sizes, key, parameter_label(name), values[name])

    read([name for name in declared if name not in PLUMBING], shown=True)
    if solver := [name for name in declared if name in PLUMBING]:
        with controls.closed_box("Solver", f"{method}-solver") as box:
            read(solver, shown=bool(box.open))
    return {name: value for name, value in values.items() if value != declared[name].default}


def explain(method: str) -> None:
    """Two sentences, the formula, the paper, the cost, and where the paper and its authors' program differ."""
    about = SELECTORS[method]
    st.markdown(about.summary)
    st.latex(about.formula)
    st.markdown(f"**Paper** {about.paper}  \n**Cost** {about.cost}")
    if about.variants:
        st.markdown("**Variants**\n" + "\n".join(f"- `{name}`: {text}" for name, text in about.variants.items()))
