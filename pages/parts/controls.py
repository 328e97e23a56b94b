"""Widgets whose value stands in the link. One function per kind; parameters choose theirs by how they are declared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from mlfs.selectors.parameters import Parameter
from mlfs.selectors.specification import parse_value, value_text
from pages.parts import link

# A slider with more stops than this is a number field.
STOPS = 400


def choose(
    label: str,
    options: Sequence[str],
    key: str,
    default: str | None = None,
    *,
    name: Callable[[str], str] = str,
    help: str | None = None,
    style: str = "selectbox",
) -> str:
    """One of several words; style "selectbox", "radio" or "segmented"."""
    default = options[0] if default is None else default
    link.current().control(key, default, link.one_of(list(options), label.lower()))
    if style == "segmented":
        return st.segmented_control(label, options, key=key, format_func=name, help=help, required=True)
    widget = st.radio if style == "radio" else st.selectbox
    chosen: str = widget(label, options, key=key, format_func=name, help=help)
    return chosen


def choose_many(
    label: str,
    options: Sequence[str],
    key: str,
    default: Sequence[str],
    *,
    name: Callable[[str], str] = str,
    help: str | None = None,
    most: int | None = None,
) -> list[str]:
    """Several words, in the order in which they were chosen."""
    parse = link.many_of(list(options), label.lower())
    link.current().control(key, list(default), parse, ",".join)
    return st.multiselect(label, options, key=key, format_func=name, help=help, max_selections=most)


def switch(label: str, key: str, default: bool = False, *, help: str | None = None) -> bool:
    """On or off."""
    link.current().control(key, default, link.flag, lambda value: "1" if value else "0")
    return st.toggle(label, key=key, help=help)


def whole(label: str, key: str, default: int, low: int, high: int, *, help: str | None = None, step: int = 1) -> int:
    """A whole number on a slider, or in a field where there would be too many stops."""
    default = min(max(default, low), high)
    parameter = Parameter("integer", default, help or label, low, high, name=key)
    link.current().control(key, default, lambda text: parse_value(None, parameter, text), str)
    if low == high:
        st.caption(f"{label}: {low}")
        return low
    widget = st.slider if (high - low) // step <= STOPS else st.number_input
    return int(widget(label, low, high, key=key, help=help, step=step))


def parameter_control(owner: str | None, parameter: Parameter, sizes: Mapping[str, int], key: str, label: str) -> Any:
    """The widget for a declared parameter, as its kind and range ask for."""
    default = parameter.default

    def parse(text: str) -> Any:
        value = parse_value(owner, parameter, text)
        parameter.check(value, sizes)
        return value

    current = link.current().control(key, default, parse, value_text)
    # LaTeX-free: the meaning is a sentence of the declaration, with the range it stands in.
    help = f"{parameter.meaning[:1].upper()}{parameter.meaning[1:]}: {parameter.describe_range(sizes)}."
    if parameter.kind == "choice":
        if parameter.choices == (False, True):
            return st.toggle(label, key=key, help=help)
        return st.selectbox(label, parameter.choices, key=key, help=help)
    low, high = (sizes[bound] if isinstance(bound, str) else bound for bound in (parameter.low, parameter.high))
    if parameter.scale == "log" or (parameter.none is not None and high is not None and high <= STOPS):
        stops = _decades(low, high) if parameter.scale == "log" else list(range(int(low), int(high) + 1))
        if parameter.none is not None:
            stops = [None, *stops]
        if current not in stops:  # a link may stand between two stops
            stops = sorted([*stops, current], key=lambda value: -1 if value is None else value)
        return st.select_slider(
            label, stops, key=key, help=help, format_func=lambda v: "auto" if v is None else f"{v:g}"
        )
    if parameter.kind == "integer":
        if high is not None and high - low <= STOPS:
            return st.slider(label, int(low), int(high), key=key, help=help) if high > low else low
        return st.number_input(label, low, high, key=key, help=help, placeholder="auto", step=1)
    if high is not None and parameter.name != "tol":
        step = (high - low) / 100
        inside = step if parameter.open_ends else 0.0
        return st.slider(label, float(low + inside), float(high - inside), key=key, help=help, step=step)
    return st.number_input(label, float(low), high, key=key, help=help, placeholder="auto", format="%g")


def _decades(low: float, high: float) -> list[float]:
    """1, 2, 5 of each power of ten between the ends."""
    stops, power = [], -12
    while 10.0**power <= high:
        stops += [float(f"{first}e{power}") for first in (1, 2, 5)]
        power += 1
    return [stop for stop in stops if low <= stop <= high]
