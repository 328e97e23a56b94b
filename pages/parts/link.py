"""The whole state of a page is its address: every control registers here, reads its value from the link and writes it.

A control keeps its value in `st.session_state` under its key, as Streamlit's widgets do. The link rules when somebody
followed it (a deep link, the browser's back button); a value that it cannot have gives way to the default, with a note.
Values that are the default are left out, so that a plain address is the default picture.

A widget begins where its default puts it, and from then on the browser moves it. A value that is set in
`st.session_state` is sent to the browser, which puts the widget there, wherever it has been moved since the run was
asked for. So one is set only where it comes from elsewhere: from a link, a click on a figure, a range that has changed.

Every run is given the address that the browser had when it was asked for, or that of the fragment that asked for it.
That may be older than the one written last, which is then still on its way: such an address says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import get_session_state
from streamlit.runtime.state.common import user_key_from_element_id

from mlfs.errors import MlfsError, ParameterError, did_you_mean

#: Settings that go along from page to page, as far as the other page has them.
SHARED = ("data", "method", "split", "test_share", "folds", "stratified", "classifier", "scaling", "seed", "present")

_STATE, _TOLD = "link", "widgets-told"

# What Streamlit tells widgets of one key apart by: the page, the kind, and these arguments.
Identity = tuple[Any, ...]
IDENTITIES = {"slider": ("min_value", "max_value", "step"), "multiselect": ("max_selections", "accept_new_options")}
# What the argument for a widget's default is called where it is not `value`.
DEFAULTS = {"selectbox": "index", "radio": "index", "multiselect": "default", "segmented_control": "default"}


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
        # Whether the server asks for the next run itself: that brings the address written last, which the browser may
        # not have yet.
        self.unasked = False
        # The identities of widgets by key: those that this run shows, those that the browser may have of the last whole
        # run and of what was begun since, and all that were ever sent to it.
        self._widgets: dict[str, Identity] = {}
        self._in_browser: dict[str, Identity] = {}
        self._ever: set[tuple[str, Identity]] = set()
        # Values that were set over the browser's, until it says that it has them.
        self._unsure: dict[str, Any] = {}
        # What was looked up in this run and is asked for again and again.
        self.known_in_run: dict[str, Any] = {}

    def open(self, page: str) -> None:
        """At the start of a run: is the address ours, or has somebody followed a link?"""
        address = st.query_params.to_dict()
        unasked, self.unasked = self.unasked, False
        if page != self.page:
            self._widgets, self._in_browser, self._unsure = {}, {}, {}
        self._in_browser = self._widgets if self.closed else self._in_browser | self._widgets
        if page != self.page or went_back_or_forward() or address not in self._under_way:
            self.page, self.arrived, self.taken, self.unread = page, address, set(), {}
            self._notes_before, self._under_way = [], [address]
        else:
            if self.closed:
                self.arrived, self._notes_before = None, []
            self._notes_before += self.notes
            if not unasked:
                del self._under_way[: self._under_way.index(address)]
        self.controls, self.shown, self.notes, self.known_in_run, self._widgets = {}, {}, [], {}, {}
        self.ended_early = self.closed = False

    def control(
        self,
        key: str,
        default: Any,
        parse: Callable[[str], Any],
        text: Callable[[Any], str] = str,
        *,
        always: bool = False,
        widget: bool = False,
    ) -> Any:
        """The value of a control.

        `parse` turns the link's text into a value and raises ValueError or MlfsError where it cannot; it is also asked
        whether a value of before is still allowed, for a range may have changed with the data. `always` writes the
        default too: where another day has another default, the link would show something else. `widget`: the value is
        for one that `show` draws; where none is drawn after all, the end of the run keeps it.
        """
        value = st.session_state.get(key, default)
        if self.arrived is not None and key not in self.taken:
            value = default
            if key in self.arrived:
                value = self._understood(key, self.arrived[key], default, parse)
        elif key in self.unread:
            value = self._understood(key, self.unread[key], default, parse)
        elif value != default:
            value = self._understood(key, text(value), default, parse)
        if not widget:
            st.session_state[key] = value
            self._take(key)
        self.shown[key] = value
        self.controls[key] = None if value == default and not always else text(value)
        return value

    def show(self, widget: Callable[..., Any], label: str, key: str, value: Any, **how: Any) -> Any:
        """One of Streamlit's widgets, where the value of its control puts it; what it returns."""
        kind = widget.__name__
        identity = (self.page, kind, *(how.get(name) for name in IDENTITIES.get(kind, ())))
        if self._begins(key, value, identity):
            default = DEFAULTS.get(kind, "value")
            how[default] = list(how["options"]).index(value) if default == "index" else value
        self._widgets[key] = identity
        self._ever.add((key, identity))
        shown = widget(label, key=key, **how)
        self._take(key)
        return shown

    def _begins(self, key: str, value: Any, identity: Identity) -> bool:
        """Whether the default is all that a widget needs; where it is not, the value is set."""
        state = get_session_state()
        in_browser = self._in_browser.get(key) == identity
        in_place = key in state and state[key] == value and not state.is_new_state_value(key)
        if (key, identity) not in self._ever and key not in self._told():
            if not in_place:
                st.session_state.pop(key, None)
            return True
        # A value that was set may reach the browser after this move, and then it has to be told again.
        if in_browser and in_place and self._unsure.pop(key, value) == value:
            return True
        st.session_state[key] = value
        if in_browser:
            self._unsure[key] = value
        return False

    def _told(self) -> set[str | None]:
        """The keys of the widgets that the browser has: after a lost connection it may have some of another session."""
        if _TOLD not in self.known_in_run:
            states = get_session_state().get_widget_states()
            self.known_in_run[_TOLD] = {user_key_from_element_id(state.id) for state in states}
        return self.known_in_run[_TOLD]

    def _take(self, key: str) -> None:
        """The session has what the link says of this control."""
        self.taken.add(key)
        self.unread.pop(key, None)

    def end_early(self) -> None:
        """Say that the page shows less than the link asks for, so that what it did not reach stays in the link."""
        self.ended_early = True

    def close(self, complete: bool = True) -> None:
        """At the end of a run: write the address, keep it for the menu."""
        for key in self.shown.keys() - self._widgets.keys():
            st.session_state[key] = self.shown[key]
            self._take(key)
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
        if self._under_way != [address]:  # the browser has another, or has one to come
            st.query_params.from_dict(address)

    def address_of(self, page: str) -> dict[str, str]:
        """Where the menu leads: the page as it was left, with the data set and the settings of now."""
        # A link that was followed, or a way back, is not what the page showed before.
        here = (self.last.get(self.page, {}) if self.arrived is None else self.arrived) | self.controls
        known = self.last.get(page, {})
        return {key: text for key, text in known.items() if key not in SHARED} | {
            key: text for key, text in here.items() if key in SHARED and text is not None
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
