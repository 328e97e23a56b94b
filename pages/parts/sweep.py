"""The sidebar's choice of a sweep: which parameters of a method vary, from where to where, in how many steps."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from mlfs.errors import ParameterError
from mlfs.parameters import Parameter, parse_value, value_text
from mlfs.studies import MethodGrid
from mlfs.studies.sweep import sweepable, usual_range, usually_swept, values_between
from pages.parts import controls, link
from pages.parts.methods import choose_parameters, method_ids, method_option, parameter_name

STEPS, STEPS_OF_SEVERAL, MOST_STEPS = 10, 7, 50
MOST_VARIED = 3
VARY = "One parameter gives lines, two give a heat map and a surface. The others stay as they are set below."


def choose_sweep(sizes: Mapping[str, int]) -> MethodGrid:
    """A method, and the values of one parameter or more."""
    swept = [method for method in method_ids() if sweepable(method)]
    method = controls.choose("Method", swept, "method", name=method_option)
    controls.forget_with("swept", method, ("vary", "natural"))
    declared = sweepable(method)
    usual = list(usually_swept(method))
    vary = controls.choose_names(
        "Vary", list(declared), "vary", usual, name=partial(parameter_name, method=method), help=VARY, most=MOST_VARIED
    )
    vary = vary or usual
    steps = STEPS if len(vary) == 1 else STEPS_OF_SEVERAL
    grid = {name: _choose_values(method, declared[name], sizes, steps) for name in vary}
    with st.expander("Other parameters"):
        fixed = choose_parameters(method, sizes, without=vary)
    return MethodGrid(method, fixed, grid)


def _choose_values(method: str, parameter: Parameter, sizes: Mapping[str, int], steps: int) -> tuple[Any, ...]:
    label, key = parameter_name(parameter.name, method), f"{method}.{parameter.name}"
    left, right = st.columns(2, gap="small")
    usual = usual_range(parameter, sizes)
    with left:
        low = _choose_end(f"{label} from", method, parameter, sizes, f"{key}.from", usual[0])
    with right:
        high = _choose_end("to", method, parameter, sizes, f"{key}.to", usual[1])
    count = controls.whole(f"Steps of {label}", f"{key}.steps", steps, 2, MOST_STEPS)
    return values_between(parameter, low, high, count)


def _choose_end(
    label: str, method: str, parameter: Parameter, sizes: Mapping[str, int], key: str, usual: float
) -> float:
    """One end of the range, inside what is declared."""

    def parse(text: str) -> Any:
        value = parse_value(method, parameter, text)
        if value is None:
            raise ParameterError(f"{key} must be a number, not {text!r}.")
        parameter.check(value, sizes)
        return value

    kind = int if parameter.kind == "integer" else float
    low, high = (None if end is None else kind(end) for end in controls.parameter_ends(parameter, sizes))
    value = link.current().control(key, kind(usual), parse, value_text, widget=True)
    how: dict[str, Any] = {"step": 1} if kind is int else {"step": None, "format": "%g"}
    help = controls.parameter_help(parameter, sizes)
    return kind(
        link.current().show(st.number_input, label, key, value, min_value=low, max_value=high, help=help, **how)
    )
