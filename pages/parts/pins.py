"""Runs of Explore that stay on its curves, to be compared with the one that the sliders move.

In the link they are words, as the methods of Compare are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from mlfs.errors import MlfsError
from mlfs.evaluation import Exploration, Explorer
from mlfs.results import setting_title
from mlfs.selectors.specification import method_parameters, parse_method
from pages.parts import link
from pages.parts.methods import words_of

KEY = "pins"
MOST = 4


def pinned(sizes: Mapping[str, int]) -> list[str]:
    """The words of the pinned runs, as far as the data allow them."""

    def parse(text: str) -> list[str]:
        words = link.at_most(MOST, "pinned runs", words_of(text))
        for word in words:
            method, parameters = parse_method(word)
            for name, value in parameters.items():
                method_parameters(method)[name].check(value, sizes)
        return words

    return link.current().control(KEY, [], parse, ",".join, widget=True)


def task(explorer: Explorer, word: str, **how: Any) -> Any:
    """The exploration of a pinned run on one split, for a job."""
    return partial(_explored, explorer, parse_method(word), **how)


def _explored(explorer: Explorer, choice: tuple[str, dict[str, Any]], **how: Any) -> Exploration | None:
    """None where this run fails: the one that the page is about stands without it."""
    try:
        return explorer.explore(choice, **how)
    except MlfsError:
        return None


def parted(
    done: Sequence[Exploration | None], splits: int, words: Sequence[str]
) -> tuple[list[Exploration], dict[str, list[Exploration]]]:
    """Of the results so far those of the run that is shown, and those of each pinned one that has any."""
    parts = [[run for run in done[i : i + splits] if run is not None] for i in range(0, len(done), splits)]
    shown, *beside = parts or [[]]
    return shown, {word: runs for word, runs in zip(words, beside, strict=False) if runs}


def setting(word: str, shown: str) -> str:
    """What figures call a pinned run, beside the one that is shown under the name of its method.

    >>> setting("grro", "els"), setting("grro", "grro"), setting("grro:alpha=10", "grro")
    ('grro', 'grro:defaults', 'grro:alpha=10')
    """
    return f"{word}:defaults" if word == shown else word


def offer(pins: Sequence[str], word: str | None) -> None:
    """The button that pins the run that is shown, and the pinned ones, each with a way to take it off again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if word is not None and word not in pins:
            st.button(
                "Pin this run",
                key="pin",
                icon=":material/keep:",
                type="tertiary",
                disabled=len(pins) >= MOST,
                help=f"Keeps these curves while you move on, {MOST} at most.",
                on_click=_pin,
                args=(word,),
            )
        if pins:
            link.current().show(
                st.multiselect,
                "Pinned runs",
                KEY,
                list(pins),
                options=list(pins),
                format_func=setting_title,
                label_visibility="collapsed",
                width=420,
            )


def _pin(word: str) -> None:
    st.session_state[KEY] = [*st.session_state.get(KEY, []), word]
