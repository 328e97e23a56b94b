"""The pages, in the order in which work flows. A page is a file of this name, in small letters, in pages/."""

from __future__ import annotations

from typing import Any

import streamlit as st

_PAGES = "pages"
PAGES = ("Home", "Data", "Explore", "Compare", "Noise", "Pareto", "Sensitivity", "Significance", "Papers", "Learn")


def navigation() -> tuple[dict[str, Any], Any]:
    """All pages by name, and the one the address asks for. The menu itself is ours, for its links carry settings."""
    # Each session has its own, made once: finding ten files costs more than drawing ten links.
    pages = st.session_state.get(_PAGES) or {
        name: st.Page(f"{name.lower()}.py", title=name, default=name == PAGES[0]) for name in PAGES
    }
    st.session_state[_PAGES] = pages
    return pages, st.navigation(list(pages.values()), position="hidden")
