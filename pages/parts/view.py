"""What surrounds every page: the menu, the ink of figures, notes about the link, and the mode for the classroom."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.parts import link
from pages.parts.words import literal

# Streamlit writes in its figures with a pale grey; this gives them the ink of the page, in either theme.
LOOK = """<style>
.js-plotly-plot :is(.infolayer, .cartesianlayer) text { fill: currentColor !important; }
.stMainBlockContainer { padding-top: 2.6rem; }
[data-testid="stSidebarHeader"] { height: 2.2rem; margin-bottom: 0; }
[data-testid="stTableStyledTable"] td * { text-decoration: inherit; }
.st-key-menu { gap: 0; }
.st-key-menu a { padding: 0.1rem 0.4rem; min-height: 0; }
</style>"""
PAINT_SECONDS = 0.2
# Everything scales with the root's font; the menu and Streamlit's own bar go.
CLASSROOM = """<style>
html { font-size: 20px !important; }
.st-key-menu, header[data-testid="stHeader"] { display: none !important; }
</style>"""


class Frame:
    """The places around a page that are filled when the page is done and its link is known."""

    def __init__(self) -> None:
        st.html(LOOK)
        self._menu = st.sidebar.container(key="menu")
        self._notes = st.container()
        if link.current().control("present", False, link.flag, lambda on: "1" if on else "0"):
            st.html(CLASSROOM)

    def finish(self, pages: Mapping[str, Any]) -> None:
        """The menu, whose links carry the data set and the settings along, and what the link could not have."""
        here = link.current()
        with self._menu:
            listed = list(pages.items())
            for row in (listed[first : first + 2] for first in range(0, len(listed), 2)):
                for column, (name, page) in zip(st.columns(2, gap="xxsmall"), row, strict=False):
                    column.page_link(page, label=name, query_params=here.address_of(name))
        for note in here.notes:
            self._notes.info(literal(note))


def let_paint() -> None:
    """Stop for a moment, so that the browser draws what it has before the rest of the page arrives.

    Without it the browser takes in everything first: the curves of Explore came after 4.5 to 5.6 times what an empty
    page takes, with it after 2.9 times (make bench ARGS=app).
    """
    time.sleep(PAINT_SECONDS)


def presenting() -> bool:
    """Whether only the picture and its controls are to be shown, in large type."""
    return bool(st.session_state.get("present"))


def choose_view() -> None:
    """The last part of the sidebar."""
    st.sidebar.toggle("Presentation", key="present", help="Only the picture and its controls, in large type.")
