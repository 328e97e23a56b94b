"""The pages, in the order in which work flows, and the menu of them.

A page is a file of its name, in small letters, in pages/. The menu is one piece of plain Markdown, which the browser
draws as soon as the heading: Streamlit fetches the parts of its program that draw its own links, and HTML within
Markdown, only when they are needed. A click goes to the page within the session, as the browser's back button does
(`SCRIPT`); with a key for a new tab, or before that script is there, the link is an ordinary one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any
from urllib.parse import urlencode

import streamlit as st

#: Pages by the question they help with, each with its symbol; a group of one needs no heading.
GROUPS: dict[str, dict[str, str]] = {
    "Start": {"Home": "home", "Data": "table_view"},
    "Explore": {"Explore": "tune", "Noise": "graphic_eq", "Pareto": "scatter_plot", "Sensitivity": "grid_on"},
    "Decide": {"Compare": "stacked_line_chart", "Significance": "balance"},
    "Papers": {"Papers": "article"},
    "Learn": {"Learn": "school"},
}
PAGES = tuple(name for group in GROUPS.values() for name in group)

LOOK = """<style>
.st-key-menu p { margin: 0; }
.st-key-menu p + p { margin-top: 0.35rem; }
.st-key-menu p > span { display: block; padding: 0 0.4rem; font-size: 0.75rem; }
.st-key-menu a { display: block; padding: 0.05rem 0.4rem; border-radius: 0.3rem; line-height: 1.5;
  color: inherit !important; text-decoration: none !important; }
.st-key-menu a:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
.st-key-menu a:focus-visible { outline: 2px solid currentColor; outline-offset: -2px; }
.st-key-menu strong a { background: color-mix(in srgb, currentColor 12%, transparent); }
</style>"""
SCRIPT = """<script>
window.mlfsMenu ??= document.addEventListener('click', (event) => {
  const link = event.target.closest?.('.st-key-menu a');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState({}, '', link.href);
  window.dispatchEvent(new PopStateEvent('popstate'));
}) ?? true;
</script>"""
_PAGES = "pages"


def navigation() -> tuple[dict[str, Any], Any]:
    """All pages by name, and the one the address asks for. The menu itself is ours, for its links carry settings."""
    # Found once for a session, for ten files cost more than ten links; each run has copies, for a page runs only once.
    known = st.session_state.get(_PAGES) or {
        name: st.Page(f"{name.lower()}.py", title=name, default=name == PAGES[0]) for name in PAGES
    }
    st.session_state[_PAGES] = known
    pages = {name: copy(page) for name, page in known.items()}
    return pages, st.navigation(list(pages.values()), position="hidden")


def menu_text(here: str, pages: Mapping[str, Any], settings_of: Callable[[str], Mapping[str, str]]) -> str:
    """The menu as Markdown: links that carry each page's settings, the page one is on in bold."""

    def link(name: str, symbol: str) -> str:
        query = urlencode(settings_of(name))
        text = f"[:material/{symbol}: {name}](./{pages[name].url_path}{'?' if query else ''}{query})"
        return f"**{text}**" if name == here else text

    paragraphs = []
    for title, group in GROUPS.items():
        heading = f":gray[{title}] " if len(group) > 1 else ""
        paragraphs.append(heading + " ".join(link(name, symbol) for name, symbol in group.items()))
    return "\n\n".join(paragraphs)
