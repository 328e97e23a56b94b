"""The whole state of a page is its address: every control registers here, reads its value from the link and writes it.

A control keeps its value in `st.session_state` under its key, as Streamlit's widgets do. The link rules when somebody
followed it (a deep link, the browser's back button); a value that it cannot have gives way to the default, with a note.
Values that are the default are left out, so that a plain address is the default picture.

Every run is given the address that the browser had when it was asked for, or that of the fragment that asked for it.
That may be older than the one written last, which is then still on its way: such an address says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from mlfs.errors import MlfsError, ParameterError, did_you_mean

#: Settings that go along from page to page, as far as the other page has them.
SHARED = ("data", "method", "split", "test_share", "folds", "stratified", "classifier", "scaling", "seed", "present")

_STATE = "link"


class Link:
    """One session's link: what the browser shows, what of it was understood, what to write in the end."""

    def __init__(self) -> None:
        self.page = ""
        self.written: dict[str, str] | None = None
        self.last: dict[str, dict[str, str]] = {}
        # The link that somebody followed, until a run of the page has come to its end, and the controls that have it.
        self.arrived: dict[str, str] | None = None
        self.taken: set[str] = set()
        self.controls: dict[str, str | None] = {}
        # What the controls of the page show.
        self.shown: dict[str, Any] = {}
        self.unread: dict[str, str] = {}
        self.ended_early = False
        self.closed = True
        self.notes: list[str] = []
        self._notes_before: list[str] = []
        # The address that the browser told last, and those written since: it may tell any of them.
        self._under_way: list[dict[str, str]] = []
        # Lists of tags that this run shows, and those that the last whole one has shown.
        self._tags: set[str] = set()
        self._tags_before: set[str] = set()
        # What was looked up in this run and is asked for again and again.
        self.known_in_run: dict[str, Any] = {}

    def open(self, page: str) -> None:
        """At the start of a run: is the address ours, or has somebody followed a link?"""
        address = st.query_params.to_dict()
        if page != self.page or went_back_or_forward() or address not in self._under_way:
            self.page, self.arrived, self.taken, self.unread = page, address, set(), {}
            self._notes_before, self._under_way = [], [address]
        else:
            if self.closed:
                self.arrived, self._notes_before = None, []
            self._notes_before += self.notes
            del self._under_way[: self._under_way.index(address)]
        if self.closed:
            self._tags_before = self._tags
        self.controls, self.shown, self.notes, self.known_in_run, self._tags = {}, {}, [], {}, set()
        self.ended_early = self.closed = False

    def control(
        self,
        key: str,
        default: Any,
        parse: Callable[[str], Any],
        text: Callable[[Any], str] = str,
        *,
        always: bool = False,
        tags: bool = False,
    ) -> Any:
        """The value a widget with this key shall show; call it just before the widget.

        `parse` turns the link's text into a value and raises ValueError or MlfsError where it cannot; it is also asked
        whether a value of before is still allowed, for a range may have changed with the data. `always` writes the
        default too: where another day has another default, the link would show something else. `tags`: the widget is a
        list of tags, which keeps what it shows as long as its key is the same. Set anew in every run it would be put
        back to what it was when the run was asked for, and over a slow network tags that were added since would go.
        """
        value = st.session_state.get(key, default)
        if self.arrived is not None and key not in self.taken:
            self.taken.add(key)
            value = default
            if key in self.arrived:
                value = self._understood(key, self.arrived[key], default, parse)
        elif key in self.unread:
            value = self._understood(key, self.unread.pop(key), default, parse)
        elif value != default:
            value = self._understood(key, text(value), default, parse)
        kept = tags and self.arrived is None and key in self._tags_before and st.session_state.get(key) == value
        if not kept:
            st.session_state[key] = value
        if tags:
            self._tags.add(key)
        self.shown[key] = value
        self.controls[key] = None if value == default and not always else text(value)
        return value

    def end_early(self) -> None:
        """Say that the page shows less than the link asks for, so that what it did not reach stays in the link."""
        self.ended_early = True

    def close(self, complete: bool = True) -> None:
        """At the end of a run: write the address, keep it for the menu."""
        address = {key: text for key, text in self.controls.items() if text is not None}
        said = (self.written if self.arrived is None else self.arrived) or {}
        left = {key: text for key, text in said.items() if key not in self.controls}
        if complete and not self.ended_early:
            self.unread = {}
            unknown = [key for key in left if key in (self.arrived or {}) and key not in SHARED]
            self.notes += [f"The link sets {key!r}, which this page does not have; it was ignored." for key in unknown]
            # What other pages know goes along, so that an address does not change on arrival.
            address |= {key: text for key, text in left.items() if key in SHARED}
        else:
            # Controls that the page did not reach keep what the link says of them, until it does.
            self.unread = left
            address |= left
        # Notes stay as long as what they are about.
        if self.arrived is not None or address == self.written:
            self.notes = list(dict.fromkeys([*self._notes_before, *self.notes]))
        self.written = self.last[self.page] = address
        self.closed = True
        if address != self._under_way[-1]:
            self._under_way.append(address)
        if st.query_params.to_dict() != address:
            st.query_params.from_dict(address)

    def address_of(self, page: str) -> dict[str, str]:
        """Where the menu leads: the page as it was left, with the data set and the settings of now."""
        here = self.last.get(self.page, self.arrived or {})
        known = self.last.get(page, {})
        return {key: text for key, text in known.items() if key not in SHARED} | {
            key: text for key, text in here.items() if key in SHARED
        }

    def _understood(self, key: str, text: str, default: Any, parse: Callable[[str], Any]) -> Any:
        try:
            return parse(text)
        except (ValueError, MlfsError) as problem:
            why = str(problem) if isinstance(problem, MlfsError) else f"{key} cannot be {text!r}."
            self.notes.append(f"{why} The default is shown instead.")
            return default


def went_back_or_forward() -> bool:
    """Whether a button of the browser asked for this run."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def start(page: str) -> Link:
    """The link of this session, opened for a run of this page; main.py does it."""
    link: Link = st.session_state.setdefault(_STATE, Link())
    link.open(page)
    return link


def current() -> Link:
    """The link of this session."""
    return st.session_state[_STATE]


def one_of(options: Mapping[str, Any] | list[str] | tuple[str, ...], what: str) -> Callable[[str], str]:
    """A parser that allows the given words."""

    def parse(text: str) -> str:
        if text in options:
            return text
        raise ParameterError(f"{what.capitalize()} cannot be {text!r}: {did_you_mean(text, options)}")

    return parse


def many_of(
    options: Mapping[str, Any] | list[str] | tuple[str, ...], what: str, most: int | None = None
) -> Callable[[str], list[str]]:
    """A parser of words with commas between, `most` of them at most."""
    single = one_of(options, what)

    return lambda text: at_most(most, what, [single(word) for word in text.split(",") if word])


def specifications(text: str) -> list[str]:
    """Words with commas between, some with parameters: a part with ``=`` and no word before it belongs to the last.

    >>> specifications("els,grro:alpha=10,beta=0.1;mapd")
    ['els', 'grro:alpha=10,beta=0.1', 'mapd']
    """
    words: list[str] = []
    for part in filter(None, (part.strip() for part in text.replace(";", ",").split(","))):
        name, sign, _ = part.partition("=")
        if sign and ":" not in name and words:
            words[-1] += f",{part}" if ":" in words[-1] else f":{part}"
        else:
            words.append(part)
    return words


def at_most(most: int | None, what: str, words: list[str]) -> list[str]:
    """The words, each once, where they are not too many."""
    words = list(dict.fromkeys(words))
    if most is not None and len(words) > most:
        raise ParameterError(f"The link names {len(words)} {what}, but this page takes {most} at most.")
    return words


def flag(text: str) -> bool:
    """1 and 0, as links write true and false."""
    if text not in ("0", "1"):
        raise ValueError(f"{text!r} is neither 1 nor 0")
    return text == "1"
