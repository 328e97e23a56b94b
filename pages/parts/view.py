"""What surrounds every page: head, menu, tab, the ink of figures, notes about the link, the mode for the classroom."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mlfs.background import BackgroundJob, Gate, other_requests
from mlfs.wording import listing
from pages.parts import link, menu, share
from pages.parts.words import literal

# On a telephone the controls lie below the picture instead of covering it, and the menu after them.
# Streamlit writes in its figures with a pale grey; this gives them the ink of the page, in either theme. So it does
# where Streamlit's colours leave too little contrast to read: captions, tags, what is chosen, coloured code; and what
# is written on the accent has the colour of the page's ground.
LOOK = """<style>
.js-plotly-plot :is(.infolayer, .cartesianlayer) text { fill: currentColor !important; }
.stMainBlockContainer { padding-top: 2.6rem; }
[data-testid="stSidebarHeader"] { height: 2.2rem; margin-bottom: 0; }
.stMainBlockContainer h1 { font-size: 1.9rem; padding: 0; line-height: 1.2; }
.stMarkdown :has(> h1) + p { font-size: 1.1rem; margin: 0.1rem 0 0.9rem; opacity: 0.75; }
.stMarkdown :has(> h1):last-child { margin-bottom: 0.8rem; }
[class*="st-key-beside"] > div > .stHorizontalBlock { flex-wrap: wrap; }
[class*="st-key-beside"] > div > .stHorizontalBlock > .stColumn { min-width: min(100%, 21rem); }
.stMainBlockContainer h1 [data-testid="stHeaderActionElements"] { display: none; }
[data-testid="stTableStyledTable"] td * { text-decoration: inherit; }
[data-testid="stTableStyledTable"] :is(th, td) { padding-inline: 0.25rem !important; }
[data-testid="stCaptionContainer"] { color: inherit !important; opacity: 0.85 !important; }
[data-testid="stBaseButton-primary"]:not(:disabled), [data-testid="stBaseButton-primary"]:not(:disabled) *
  { color: Canvas !important; }
[data-variant="segmented_control"][data-selected], [data-testid="stCode"] .token { color: inherit !important; }
[data-testid="stMultiSelectTagsContainer"] [data-tag]
  { color: inherit !important; background: color-mix(in srgb, currentColor 14%, transparent) !important; }
[data-rac] > input { text-overflow: ellipsis; }
.stHorizontalBlock:has(> .stElementContainer > .stMetric) { row-gap: 0.5rem; }
.st-key-csv textarea { white-space: pre; }
[data-tag] { max-width: 100% !important; }
[data-tag] > span[data-short] { font-size: 0 !important; }
[data-tag] > span[data-short]::before { content: attr(data-short); font-size: 0.875rem; display: inline-block;
  max-width: 100%; overflow: hidden; text-overflow: ellipsis; vertical-align: middle; }
@media (min-width: 641px) {
  [data-rac][data-trigger="ComboBox"]:has(> [role="listbox"]:is([aria-label="Method"], [aria-label="Methods"]))
    { min-width: 36rem !important; }
}
@media (max-width: 640px) {
  .stApp:not(:has([data-testid="stExpandSidebarButton"])) [data-testid="stSidebar"]
    { position: fixed !important; inset: auto 0 0 0 !important; width: 100% !important; max-width: none !important;
      height: 46vh !important; border-top: 1px solid color-mix(in srgb, currentColor 30%, transparent); }
  .stApp:not(:has([data-testid="stExpandSidebarButton"])) .stMainBlockContainer { padding-bottom: 50vh; }
  .st-key-menu, [data-testid="stSidebar"] :has(> .st-key-menu) { order: 1; }
  .st-key-controls { flex-direction: row !important; flex-wrap: wrap !important; align-items: flex-end; }
  .st-key-controls > .stElementContainer:has(.stSlider, .stSelectbox, .stNumberInput, .stButtonGroup)
    { flex: 1 1 40%; width: auto !important; min-width: 0; }
}
</style>"""
PAINT_SECONDS, LONGEST_PAINT = 0.2, 3.0
# For browsers that never say that they have drawn.
OPENING_SECONDS = 4.0
DRAWN = "drawn"
# While results arrive, a page is drawn again so often when nobody else asks for anything, and whatever waits looks so
# often whether it is still wanted: a move waits for that.
REDRAW_SECONDS, LOOK_SECONDS = 1.5, 0.03
MORE = "more"
_ABOUT, _TAB = "about", "tab"
_CONTROLS = "controls-shown"
# Pages without any in the sidebar: what moves there stands beside the picture.
WITHOUT_CONTROLS = ("Home", "Learn")
# So many runs draw at a time, and the others wait in their order: all at once, each would take as long as all. Who is
# not done after so many seconds waits for something, and is not counted.
DRAWING = Gate(places=2, lease=0.25)
# Everything scales with the root's font; the menu goes, and of Streamlit's own bar all but what opens the sidebar. The
# way out stands where that bar was, on a telephone too; where there is room, the heading and the steps of a lesson are
# on its left, and many controls share a row, so that more of the wall is left for the picture.
CLASSROOM = """<style>
html { font-size: 20px !important; }
.st-key-menu, [data-testid="stMainMenu"], [data-testid="stToolbarActions"] { display: none !important; }
header[data-testid="stHeader"] { background: none; }
.st-key-presentation { position: fixed; top: 0.4rem; right: 1rem; width: max-content !important; z-index: 1000000;
  flex-wrap: nowrap !important; }
[data-testid="stPopoverBody"] { max-height: 90vh !important; }
.st-key-presentation button { background: color-mix(in srgb, Canvas 80%, transparent); }
@media (min-width: 900px) {
  .stMainBlockContainer { padding: 0.4rem 2.5rem 1rem; }
  .stMainBlockContainer h1 { padding-right: 24rem; }
  /* What stands before it takes no place but two gaps. */
  .stElementContainer:has(h1) { margin-top: -2rem; }
}
@media (min-width: 1200px) {
  .st-key-row > .stElementContainer:has(.stSlider, .stSelectbox) { flex-basis: 6.4rem !important; }
  .st-key-row > .stElementContainer:has(.mlfs-steps) { position: absolute; }
  .mlfs-steps, .st-key-steps { position: fixed; top: 0.4rem; right: 18.5rem; width: max-content !important;
    z-index: 1000000; line-height: 2.4rem; }
}
@media (max-width: 640px) {
  html { font-size: 16px !important; }
  .st-key-presentation { right: 0.4rem; gap: 0.2rem !important; }
  .st-key-presentation button { padding: 0.2rem 0.4rem; min-height: 2.2rem; }
}
</style>"""
# On a wall there is the picture alone, until somebody asks for the controls: then they are there, whether the sidebar
# was open before or not.
WITHOUT_SIDEBAR = """<style>
[data-testid="stSidebar"], [data-testid="stExpandSidebarButton"] { display: none !important; }
</style>"""
WITH_SIDEBAR = """<style>
[data-testid="stSidebarCollapseButton"], [data-testid="stExpandSidebarButton"] { display: none !important; }
[data-testid="stSidebar"] { transform: none !important; min-width: 17rem !important; }
[data-testid="stSidebarContent"] { width: 100% !important; }
@media (max-width: 640px) {
  [data-testid="stSidebar"] { position: fixed !important; inset: auto 0 0 0 !important; width: 100% !important;
    max-width: none !important; height: 46vh !important; }
  .stMainBlockContainer { padding-bottom: 50vh !important; }
}
</style>"""


# What opens the sidebar is two arrows, which do not say what is behind them.
SIDEBAR_NAME = """<style>
[data-testid="stExpandSidebarButton"] {{ width: max-content; }}
[data-testid="stExpandSidebarButton"]::after {{ content: "{name}"; font-size: 0.9rem; }}
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
        here = link.current().page
        st.html(SIDEBAR_NAME.format(name="Menu" if here in WITHOUT_CONTROLS else "Menu and controls"))
        st.session_state.pop(MORE, None)  # of a run that was cut off
        self._pages = pages
        page, title = st.session_state.get(_TAB, ("", ""))
        self._title = title if page == link.current().page else _tab_title()
        st.set_page_config(page_title=self._title)
        self._shown = self._menu_text()
        with st.sidebar.container(key="menu"):
            self._menu = st.empty()
        self._menu.markdown(self._shown)
        self._notes = st.container()
        if not st.session_state.get(DRAWN):
            _listener(key="first-figure", on_drawn_change=_note_drawn)
        if link.current().control("present", False, link.flag, lambda on: "1" if on else "0", widget=True):
            st.html(CLASSROOM + (WITH_SIDEBAR if st.session_state.get(_CONTROLS) else WITHOUT_SIDEBAR))
            with st.container(key="presentation", horizontal=True, vertical_alignment="center"):
                share.offer(large=True)
                if link.current().page not in WITHOUT_CONTROLS:
                    shown = bool(st.session_state.get(_CONTROLS))
                    st.button(
                        "Hide controls" if shown else "Controls",
                        key="show-controls",
                        icon=":material/tune:",
                        on_click=_show_controls,
                        args=(not shown,),
                    )
                st.button(
                    "End presentation", key="end-presentation", icon=":material/close:", on_click=_end_presentation
                )

    def finish(self) -> None:
        """Once the page is done and its link is known: links that carry its settings along, what it could not have."""
        if (text := self._menu_text()) != self._shown:
            self._menu.markdown(text)
        for note in link.current().notes:
            self._notes.info(literal(note))
        if (title := _tab_title()) != self._title:
            st.set_page_config(page_title=title)
        st.session_state[_TAB] = (link.current().page, title)

    def _menu_text(self) -> str:
        return menu.menu_text(link.current().page, self._pages, link.current().address_of)


def page_header(about: str | None = None, title: str | None = None) -> None:
    """The page's one heading of the first order, and the question that it answers, as one piece of Markdown.

    On a wall the heading alone is shown.

    Parameters
    ----------
    about : what the page shows, for the name of its tab; where it is None, the chosen data
    title : where it is not the page's name in the menu
    """
    here = link.current()
    here.known_in_run[_ABOUT] = about
    question = "" if presenting() else f"\n\n{menu.ENTRIES[here.page].question}"
    st.markdown(f"# {title or here.page}{question}")


def _tab_title() -> str:
    """What the browser's tab is called: the page and what it shows."""
    here = link.current()
    about = here.known_in_run.get(_ABOUT)
    chosen = here.shown.get("sets") or [name for name in [here.shown.get("data")] if name]
    if about is None and chosen:
        from pages.parts.data import titles  # late: Home does without what it imports

        about = listing(list(titles(chosen).values()), 2)
    return " · ".join(filter(None, (here.page, about, "mlfs")))


def _note_drawn() -> None:
    st.session_state[DRAWN] = True


def _end_presentation() -> None:
    st.session_state["present"] = False


def _show_controls(shown: bool) -> None:
    st.session_state[_CONTROLS] = shown


def let_paint() -> None:
    """Stop for a moment, so that the browser draws the first figure before the rest of the page arrives.

    At a session's first figure the browser has Plotly still to load: it says when it is done, which begins the run
    anew. While others ask for theirs, the rest waits longer: who moves on meanwhile does without it.
    """
    drawn = st.session_state.get(DRAWN)
    end = time.monotonic() + (min(PAINT_SECONDS * (1 + other_requests()), LONGEST_PAINT) if drawn else OPENING_SECONDS)
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


def redraw_when_more_arrives(work: BackgroundJob, seen: int) -> None:
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
    soonest = time.monotonic() + (REDRAW_SECONDS * (1 + other_requests()) if seen else 0)
    while work.running and (work.done == seen or time.monotonic() < soonest):
        work.wait(work.total if seen else 1, LOOK_SECONDS)
        _end_if_moved()
    link.current().unasked = True
    st.rerun()


def presenting() -> bool:
    """Whether only the picture and its controls are to be shown, in large type."""
    return bool(link.current().shown.get("present"))


def choose_view() -> None:
    """The last part of the sidebar."""
    with st.sidebar:
        link.current().show(
            st.toggle,
            "Presentation",
            "present",
            presenting(),
            help="For a projector: large type, the picture in full width, no menu.",
        )
        if not presenting():
            share.offer()


def columns(name: str, widths: Sequence[int]) -> list[DeltaGenerator]:
    """Columns that stand below each other where they would be too narrow for a figure, a tablet's width included."""
    with st.container(key=f"beside-{name}"):
        return st.columns(widths, gap="medium")


def text_and_picture() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Where a lesson has its words and controls, and where its figures: beside them, or on a wall below them."""
    if not presenting():
        left, right = columns("lesson", [2, 3])
        return left, right
    return st.container(), st.container()


def beside_picture() -> AbstractContextManager[Any]:
    """Around what is moved most: in the sidebar, or on a wall, which has none, in a row above the picture."""
    return st.container(horizontal=True, gap="small") if presenting() else st.sidebar


def in_a_row() -> DeltaGenerator:
    """The place of a lesson's controls: below each other, on a telephone in pairs, on a wall in a row."""
    if not presenting():
        return st.container(key="controls")
    return st.container(key="row", horizontal=True, gap="small", vertical_alignment="bottom")
