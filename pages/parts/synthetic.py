"""The controls of a synthetic set: its name holds all of them (``synthetic:n_labels=4,seed=1``), the link its name."""

from __future__ import annotations

import streamlit as st

from mlfs.datasets import SYNTHETIC, parse_synthetic, synthetic_name
from mlfs.errors import MlfsError
from pages.parts import controls

LABELS = {
    "n_instances": "Instances",
    "n_labels": "Labels",
    "n_relevant": "Relevant features",
    "n_redundant": "Redundant features",
    "n_irrelevant": "Irrelevant features",
    "label_correlation": "Label correlation",
    "label_density": "Label density",
    "noise": "Noise",
    "sparse": "Sparse",
    "binary": "Binary",
    "seed": "Seed of the set",
}
_REFUSED = "synthetic-refused"


def choose_synthetic(name: str) -> None:
    """A widget for each argument of `make_synthetic`, standing where the set's name puts it."""
    given = parse_synthetic(name)
    if refused := st.session_state.pop(_REFUSED, None):
        st.error(refused)
    for argument, label in LABELS.items():
        parameter = SYNTHETIC[argument]
        value = given.get(argument, parameter.default)
        controls.parameter_widget(parameter, {}, _key(argument), label, value, on_change=_rename)


def _rename() -> None:
    """A widget has moved: the set has another name."""
    name = synthetic_name({argument: st.session_state[_key(argument)] for argument in LABELS})
    try:
        parse_synthetic(name)
    except MlfsError as problem:
        st.session_state[_REFUSED] = str(problem)
    else:
        st.session_state["data"] = name


def _key(argument: str) -> str:
    return f"synthetic.{argument}"
