"""Widgets whose value stands in the link. One function per kind; parameters choose theirs by how they are declared.

A name is a word that the data decide, such as a label or a method of a table; it may hold a comma.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from mlfs.errors import ParameterError, did_you_mean
from mlfs.parameters import Parameter, parse_value, value_text
from mlfs.wording import either, plain_number, sentence_case, value_title, value_words
from pages.parts import link

# A slider with more stops than this is a number field.
STOPS = 200
# More features than this are picked by their number, for a list of all names would be slow.
LISTED = 2000


def choose(
    label: str,
    options: Sequence[str],
    key: str,
    default: str | None = None,
    *,
    name: Callable[[str], str] = str,
    help: str | None = None,
    style: str = "selectbox",
    always: bool = False,
) -> str:
    """One of several words; style "selectbox", "radio" or "segmented"; `always` as of `Link.control`."""
    default = options[0] if default is None else default
    parse = link.one_of(list(options), label.lower())
    value = link.current().control(key, default, parse, always=always, widget=True)
    how = {"options": options, "format_func": name, "help": help}
    if style == "segmented":
        return link.current().show(st.segmented_control, label, key, value, required=True, **how)
    return link.current().show(st.radio if style == "radio" else st.selectbox, label, key, value, **how)


def choose_many(
    label: str, options: Sequence[str], key: str, default: Sequence[str], *, most: int | None = None, **how: Any
) -> list[str]:
    """Several words, in the order in which they were chosen; ``name`` and ``help`` as of `choose`."""
    parse = link.many_of(list(options), label.lower(), most)
    value = link.current().control(key, list(default), parse, ",".join, widget=True)
    return _multiselect(label, options, key, value, most, **how)


def _multiselect(
    label: str,
    options: Sequence[str],
    key: str,
    value: list[str],
    most: int | None,
    name: Callable[[str], str] = str,
    help: str | None = None,
) -> list[str]:
    return link.current().show(
        st.multiselect, label, key, value, options=options, format_func=name, help=help, max_selections=most
    )


def forget_unless(key: str, known: Sequence[str]) -> None:
    """With other data there are other names: what was chosen before is no mistake to be told of, unless a link says it.

    For a control of several names, any unknown one counts.
    """
    chosen = st.session_state.get(key)
    chosen = chosen if isinstance(chosen, list) else [] if chosen is None else [chosen]
    if link.current().arrived is None and not set(chosen) <= set(known):
        st.session_state.pop(key, None)


def forget_with(key: str, value: str, others: Sequence[str]) -> None:
    """What other controls say suits one value of a control: with another they begin anew, unless a link says them."""
    before = f"{key}-before"
    if st.session_state.get(before, value) != value and link.current().arrived is None:
        for other in others:
            st.session_state.pop(other, None)
    st.session_state[before] = value


def choose_name(label: str, options: Sequence[str], key: str, default: str | None = None, **how: Any) -> str:
    """`choose` one of names that may change with the data."""
    forget_unless(key, options)
    return choose(label, options, key, default, **how)


def choose_names(
    label: str, options: Sequence[str], key: str, default: Sequence[str], *, most: int | None = None, **how: Any
) -> list[str]:
    """`choose_many` of names that may change with the data, and that may hold commas."""
    forget_unless(key, options)

    def parse(text: str) -> list[str]:
        words = list(dict.fromkeys(_split(text)))
        for word in words:
            if word not in options:
                raise ParameterError(f"{label} has no {word!r}: {did_you_mean(word, options)}")
        if most is not None and len(words) > most:
            raise ParameterError(f"{label} takes at most {most} names, not {len(words)}.")
        return words

    value = link.current().control(key, list(default), parse, _joined, widget=True)
    return _multiselect(label, options, key, value, most, **how)


def choose_feature(names: Sequence[str], key: str, default: int = 0) -> int:
    """One of the features, by its index; the link counts from 1."""
    d, here, before = len(names), link.current(), f"{key}-before"
    # Of the set shown before, or what it was called there where the browser was behind: no mistake to be told of.
    unknown = here.arrived is None and st.session_state.get(key, 1) not in range(1, d + 1)
    # The same number of another set: the browser would go on showing the old name.
    if unknown or st.session_state.get(before, names) != names:
        st.session_state.pop(key, None)
    st.session_state[before] = names
    if d > LISTED:
        return whole("Feature, by its number", key, default + 1, 1, d) - 1
    number = Parameter("integer", default + 1, "which feature is shown", 1, d, name=key)
    value = here.control(key, default + 1, lambda text: parse_value(None, number, text), widget=True)
    how = {"options": range(1, d + 1), "format_func": lambda number: names[number - 1]}
    return here.show(st.selectbox, "Feature", key, value, **how) - 1


def choose_words(
    label: str, options: Sequence[str], key: str, name: Callable[[str], str] = str, **how: Any
) -> list[str]:
    """Several of the options, or words that the person types; whoever uses them checks those."""
    chosen = link.current().control(key, [], _split, _joined, widget=True)
    listed = list(dict.fromkeys([*options, *chosen]))
    return link.current().show(
        st.multiselect, label, key, chosen, options=listed, format_func=name, accept_new_options=True, **how
    )


def keep_name(key: str) -> None:
    """Keep the value of a `choose_name` that cannot be shown now, for its names are not known."""
    link.current().control(key, "", str)


def keep_names(key: str) -> None:
    """The same for `choose_names`."""
    link.current().control(key, [], _split, _joined)


def switch(label: str, key: str, default: bool = False, *, help: str | None = None) -> bool:
    """On or off."""
    value = link.current().control(key, default, link.flag, lambda value: "1" if value else "0", widget=True)
    return link.current().show(st.toggle, label, key, value, help=help)


def whole(label: str, key: str, default: int, low: int, high: int, *, help: str | None = None, step: int = 1) -> int:
    """A whole number on a slider, or in a field where there would be too many stops."""
    default = min(max(default, low), high)
    parameter = Parameter("integer", default, help or label, low, high, name=key)
    value = link.current().control(key, default, lambda text: parse_value(None, parameter, text), str, widget=True)
    if low == high:
        st.caption(f"{label}: {low}")
        return low
    widget = st.slider if (high - low) // step <= STOPS else st.number_input
    return int(link.current().show(widget, label, key, value, min_value=low, max_value=high, help=help, step=step))


def parameter_control(owner: str | None, parameter: Parameter, sizes: Mapping[str, int], key: str, label: str) -> Any:
    """The widget for a declared parameter, as its kind and range ask for; `owner` names its method in messages."""
    current = keep_parameter(owner, parameter, sizes, key)
    return parameter_widget(parameter, sizes, key, label, current)


def keep_parameter(owner: str | None, parameter: Parameter, sizes: Mapping[str, int], key: str) -> Any:
    """The value of a declared parameter in the link, without a widget: for what is not to be moved just now."""

    def parse(text: str) -> Any:
        value = parse_value(owner, parameter, text)
        parameter.check(value, sizes)
        return value

    return link.current().control(key, parameter.default, parse, value_text, widget=True)


def closed_box(title: str, key: str, opened: bool = False) -> Any:
    """A box that is closed at first, unless it is what a person came for: fill it where its `open` is true, for what
    nobody sees costs as much to send."""
    return st.expander(title, expanded=opened, key=key, on_change="rerun")


def parameter_widget(
    parameter: Parameter, sizes: Mapping[str, int], key: str, label: str, current: Any, **more: Any
) -> Any:
    """The same without the link, for parameters that stand in the link as part of another setting."""
    how = {"label": label, "key": key, "value": current, "help": parameter_help(parameter, sizes), **more}
    draw = partial(link.current().show, **how)
    if parameter.kind == "choice":
        if parameter.choices == (False, True):
            return draw(st.toggle)
        return draw(st.selectbox, options=parameter.choices, format_func=value_title)
    low, high = parameter_ends(parameter, sizes)
    if stops := _stops(parameter, low, high, current):
        return draw(
            st.select_slider,
            options=stops,
            format_func=lambda stop: "auto" if stop is None else plain_number(stop),
        )
    field = {"min_value": low, "max_value": high, "placeholder": "auto"}
    if parameter.kind == "integer":
        return draw(st.number_input, step=1, **field)
    if current is not None:
        draw = partial(draw, value=float(current))  # as Streamlit wants it beside ends that are no integers
    if high is None or parameter.name == "tol":
        return draw(st.number_input, format="%g", **field | {"min_value": float(low)})
    step = 10.0 ** math.floor(math.log10((high - low) / 20))
    inside = step if parameter.open_ends else 0.0
    low, high = min(low + inside, current), max(high - inside, current)  # a link may stand closer to an open end
    return draw(st.slider, min_value=float(low), max_value=float(high), step=step)


def parameter_help(parameter: Parameter, sizes: Mapping[str, int]) -> str:
    """What a parameter means and what it may be, in the words of people rather than of Python."""
    meaning = sentence_case(parameter.meaning)
    if parameter.kind == "choice":
        named = [value_words(choice) for choice in parameter.choices]
        return f"{meaning}." if parameter.choices == (False, True) else f"{meaning}: {either(named)}."
    low, high = parameter_ends(parameter, sizes)
    if low is None and high is None:
        limits = "any number"
    elif high is None:
        limits = f"{'above' if parameter.open_ends else 'from'} {plain_number(low)}"
    else:
        ends = "between {} and {}" if parameter.open_ends else "from {} to {}"
        limits = ends.format(plain_number(low), plain_number(high))
    return f"{meaning}: {limits}" + (f", or auto ({parameter.none})." if parameter.none else ".")


def parameter_ends(parameter: Parameter, sizes: Mapping[str, int]) -> tuple[Any, Any]:
    """The ends of the range, those that are a size of the data as numbers."""
    low, high = (sizes[end] if isinstance(end, str) else end for end in (parameter.low, parameter.high))
    return low, high


def _stops(parameter: Parameter, low: Any, high: Any, current: Any) -> list[Any]:
    """The stops of a slider: powers of ten in three steps, or whole numbers; none where a field serves better."""
    if parameter.scale == "log":
        stops: list[Any] = _decades(low, high)
    elif parameter.kind == "integer" and high is not None and 0 < high - low <= STOPS:
        stops = list(range(int(low), int(high) + 1))
    else:
        return []
    if current is not None and current not in stops:  # a link may stand between two stops
        stops = sorted([*stops, current])
    return [None, *stops] if parameter.none is not None else stops


def _decades(low: float, high: float) -> list[float]:
    """1, 2 and 5 of each power of ten between the ends."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    stops = (float(f"{first}e{power}") for power in powers for first in (1, 2, 5))
    return [stop for stop in stops if low <= stop <= high]


def _joined(names: Sequence[str]) -> str:
    """Names with commas between, those that hold commas themselves in quotation marks."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()


def _split(text: str) -> list[str]:
    """The inverse of `_joined`."""
    return [name for name in next(csv.reader([text]), []) if name]
