"""Several methods with their parameters. In the link they are words such as ``els,grro:alpha=10,beta=1``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from mlfs import SELECTORS
from mlfs.results import setting_title
from mlfs.selectors import AllFeatures
from mlfs.selectors.specification import method_text, parse_method
from pages.parts import controls, link
from pages.parts.method import ELSEWHERE, PLUMBING, method_ids, parameter_label

HELP = "Set the parameters of a method below; then it can be chosen once more, with others."


def choose_methods(
    default: Sequence[str], sizes: Mapping[str, int], *, most: int = 40, key: str = "methods"
) -> list[tuple[str, dict[str, Any]]]:
    """Methods, and below them a fold for the parameters of each; only what differs from the defaults is given."""
    link.current().control(key, list(default), lambda text: link.at_most(most, "methods", words_of(text)), ",".join)
    chosen: list[str] = st.session_state[key]
    ids = [*method_ids(), AllFeatures.id]
    options = [*ids, *(word for word in chosen if word not in ids)]
    st.multiselect("Methods", options, key=key, format_func=setting_title, help=HELP, max_selections=most)
    for place, word in enumerate(chosen):
        method = word.partition(":")[0]
        # By method and turn, not by place or value: so that a fold stays open while its values change.
        turn = sum(other.partition(":")[0] == method for other in chosen[:place])
        _show_parameters(key, place, word, sizes, f"{key}:{method}:{turn}")
    return [parse_method(word) for word in chosen]


def words_of(text: str) -> list[str]:
    """The methods of a link, each once, without what is the default anyway."""
    return list(dict.fromkeys(_word(*parse_method(word)) for word in link.specifications(text)))


def _word(method: str, parameters: Mapping[str, Any]) -> str:
    """A method as the link writes it: without what is the default anyway."""
    declared = SELECTORS[method].parameters
    return method_text(method, {name: v for name, v in parameters.items() if v != declared[name].default})


def _show_parameters(key: str, place: int, word: str, sizes: Mapping[str, int], prefix: str) -> None:
    method, own = parse_method(word)
    declared = {name: p for name, p in SELECTORS[method].parameters.items() if name not in ELSEWHERE}
    # Those of the solver come last: a fold in a fold is too deep.
    names = sorted(declared, key=lambda name: name in PLUMBING)
    if not names:
        return
    with controls.closed_box(setting_title(word), f"{prefix}:fold") as box:
        for name in names if box.open else ():
            widget, parameter = f"{prefix}:{name}", declared[name]
            st.session_state[widget] = value = own.get(name, parameter.default)
            wide = {end: max(size, value if isinstance(value, int) else 0) for end, size in sizes.items()}
            controls.parameter_widget(
                parameter,
                wide,
                widget,
                parameter_label(name),
                value,
                on_change=_changed,
                args=(key, place, name, widget),
            )


def _changed(key: str, place: int, name: str, widget: str) -> None:
    words = list(st.session_state[key])
    method, own = parse_method(words[place])
    words[place] = _word(method, {**own, name: st.session_state[widget]})
    st.session_state[key] = list(dict.fromkeys(words))
