"""What surrounds every page: the menu, the ink of figures, notes about the link, and the mode for the classroom."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import streamlit as st

from mlfs.background import BackgroundJob, Gate, others
from pages.parts import link, menu, share
from pages.parts.words import literal

# Streamlit writes in its figures with a pale grey; this gives them the ink of the page, in either theme.
LOOK = """<style>
.js-plotly-plot :is(.infolayer, .cartesianlayer) text { fill: currentColor !important; }
.stMainBlockContainer { padding-top: 2.6rem; }
[data-testid="stSidebarHeader"] { height: 2.2rem; margin-bottom: 0; }
[data-testid="stTableStyledTable"] td * { text-decoration: inherit; }
</style>"""
PAINT_SECONDS, LONGEST_PAINT = 0.2, 3.0
# For browsers that never say that they have drawn.
OPENING_SECONDS = 4.0
DRAWN = "drawn"
# While results arrive, a page is drawn again so often when nobody else asks for anything, and whatever waits looks so
# often whether it is still wanted: a move waits for that.
REDRAW_SECONDS, LOOK_SECONDS = 1.5, 0.03
MORE = "more"
# So many runs draw at a time, and the others wait in their order: all at once, each would take as long as all. Who is
# not done after so many seconds waits for something, and is not counted.
DRAWING = Gate(places=2, lease=0.25)
# Everything scales with the root's font; the menu goes, and of Streamlit's own bar all but what opens the sidebar. The
# way out stands where that bar was, on a telephone too.
CLASSROOM = """<style>
html { font-size: 20px !important; }
.st-key-menu, [data-testid="stMainMenu"], [data-testid="stToolbarActions"] { display: none !important; }
header[data-testid="stHeader"] { background: none; }
.st-key-end-presentation { position: fixed; top: 0.4rem; right: 1rem; width: auto; z-index: 1000000; }
@media (max-width: 640px) { html { font-size: 16px !important; } }
</style>"""


# Says once, when the first figure of a visit is drawn, that it is: figure.js sends the event.
LISTENER = """
export default function ({ setTriggerValue }) {
  const tell = () => setTriggerValue('drawn', true);
  if (window.mlfsDrawn) tell();
  else document.addEventListener('mlfs-drawn', tell, { once: true });
  return () => document.removeEventListener('mlfs-drawn', tell);
}
"""
_listener = st.components.v2.component("mlfs_first_figure", js=LISTENER)


class Frame:
    """What is around a page: its menu, which is there with the heading, and notes about its link."""

    def __init__(self, pages: Mapping[str, Any]) -> None:
        st.html(LOOK + menu.LOOK + menu.SCRIPT, unsafe_allow_javascript=True)
        st.session_state.pop(MORE, None)  # of a run that was cut off
        self._pages = pages
        self._shown = self._menu_text()
        with st.sidebar.container(key="menu"):
            self._menu = st.empty()
        self._menu.markdown(self._shown)
        self._notes = st.container()
        if not st.session_state.get(DRAWN):
            _listener(key="first-figure", on_drawn_change=_note_drawn)
        if link.current().control("present", False, link.flag, lambda on: "1" if on else "0"):
            st.html(CLASSROOM)
            st.button("End presentation", key="end-presentation", icon=":material/close:", on_click=_end_presentation)

    def finish(self) -> None:
        """Once the page is done and its link is known: links that carry its settings along, what it could not have."""
        if (text := self._menu_text()) != self._shown:
            self._menu.markdown(text)
        for note in link.current().notes:
            self._notes.info(literal(note))

    def _menu_text(self) -> str:
        return menu.menu_text(link.current().page, self._pages, link.current().address_of)


def _note_drawn() -> None:
    st.session_state[DRAWN] = True


def _end_presentation() -> None:
    st.session_state["present"] = False


def let_paint() -> None:
    """Stop for a moment, so that the browser draws the first figure before the rest of the page arrives.

    At a session's first figure the browser has Plotly still to load: it says when it is done, which begins the run
    anew. While others ask for theirs, the rest waits longer: who moves on meanwhile does without it.
    """
    drawn = st.session_state.get(DRAWN)
    end = time.monotonic() + (min(PAINT_SECONDS * (1 + others()), LONGEST_PAINT) if drawn else OPENING_SECONDS)
    with DRAWING.outside():
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, LOOK_SECONDS))
            _end_if_moved()


def wait_for(job: BackgroundJob, count: int, seconds: float) -> None:
    """Wait so long for so many results, unless somebody moves something: what they ask for then is not this."""
    end = time.monotonic() + seconds
    with DRAWING.outside():
        while not job.wait(count, min(max(end - time.monotonic(), 0), LOOK_SECONDS)) and time.monotonic() < end:
            _end_if_moved()


def _end_if_moved() -> None:
    """End this run when another has been asked for: Streamlit looks for that whenever a script meets it."""
    st.session_state.get(DRAWN)


def come_back(work: BackgroundJob, seen: int) -> None:
    """Have the page drawn again when more of this has arrived than the page has seen; it goes on to its end first."""
    st.session_state[MORE] = (work, seen)


def wait_for_more() -> None:
    """At the end of a run: wait for what the page wants to come back for, as long as nobody moves anything.

    Nothing is sent and nothing computed meanwhile. A page that asks the server again and again costs as much as a move
    each time: thirty of them kept it from answering any.
    """
    if MORE not in st.session_state:
        return
    work, seen = st.session_state.pop(MORE)
    # The first result is drawn at once, more of them at leisure.
    soonest = time.monotonic() + (REDRAW_SECONDS * (1 + others()) if seen else 0)
    while work.running and (work.done == seen or time.monotonic() < soonest):
        work.wait(work.total if seen else 1, LOOK_SECONDS)
        _end_if_moved()
    st.rerun()


def presenting() -> bool:
    """Whether only the picture and its controls are to be shown, in large type."""
    return bool(st.session_state.get("present"))


def choose_view() -> None:
    """The last part of the sidebar."""
    st.sidebar.toggle("Presentation", key="present", help="Only the picture and its controls, in large type.")
    share.offer()
