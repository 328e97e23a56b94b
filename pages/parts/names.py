"""Names that the data decide, such as labels or methods of a table, chosen with their value in the link."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

import streamlit as st

from mlfs.errors import ParameterError, did_you_mean
from pages.parts import controls, link


def forget_unless(key: str, known: Sequence[str]) -> None:
    """With other data there are other names: what was chosen before is no mistake to be told of, unless a link says it.

    For a control of several names, any unknown one counts.
    """
    chosen = st.session_state.get(key)
    chosen = chosen if isinstance(chosen, list) else [] if chosen is None else [chosen]
    if link.current().arrived is None and not set(chosen) <= set(known):
        st.session_state.pop(key, None)


def choose_name(
    label: str,
    options: Sequence[str],
    key: str,
    default: str | None = None,
    *,
    name: Callable[[str], str] = str,
    help: str | None = None,
) -> str:
    """One of names that may change with the data."""
    forget_unless(key, options)
    return controls.choose(label, options, key, default, name=name, help=help)


def choose_names(
    label: str,
    options: Sequence[str],
    key: str,
    default: Sequence[str],
    *,
    name: Callable[[str], str] = str,
    help: str | None = None,
    most: int | None = None,
) -> list[str]:
    """Several of names that may change with the data, and that may hold commas."""
    forget_unless(key, options)

    def parse(text: str) -> list[str]:
        words = list(dict.fromkeys(split(text)))
        for word in words:
            if word not in options:
                raise ParameterError(f"{label} has no {word!r}: {did_you_mean(word, options)}")
        if most is not None and len(words) > most:
            raise ParameterError(f"{label} takes at most {most} names, not {len(words)}.")
        return words

    link.current().control(key, list(default), parse, joined)
    return st.multiselect(label, options, key=key, format_func=name, help=help, max_selections=most)


def keep(key: str, several: bool = False) -> None:
    """Keep the value of a control that cannot be shown now, for its names are not known."""
    if several:
        link.current().control(key, [], split, joined)
    else:
        link.current().control(key, "", str)


def joined(names: Sequence[str]) -> str:
    """Names with commas between, those that hold commas themselves in quotation marks."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue()


def split(text: str) -> list[str]:
    """The inverse of `joined`."""
    return [name for name in next(csv.reader([text]), []) if name]
