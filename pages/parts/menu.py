"""The pages, in the order in which work flows. A page is a file of this name, in small letters, in pages/."""

from __future__ import annotations

from copy import copy
from typing import Any

import streamlit as st

_PAGES = "pages"
PAGES = ("Home", "Data", "Explore", "Compare", "Noise", "Pareto", "Sensitivity", "Significance", "Papers", "Learn")


def navigation() -> tuple[dict[str, Any], Any]:
    """All pages by name, and the one the address asks for. The menu itself is ours, for its links carry settings."""
    # Found once for a session, for ten files cost more than ten links; each run has copies, for a page runs only once.
    known = st.session_state.get(_PAGES) or {
        name: st.Page(f"{name.lower()}.py", title=name, default=name == PAGES[0]) for name in PAGES
    }
    st.session_state[_PAGES] = known
    pages = {name: copy(page) for name, page in known.items()}
    return pages, st.navigation(list(pages.values()), position="hidden")
