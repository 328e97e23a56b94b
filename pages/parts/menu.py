"""The pages, in the order in which work flows, what each of them answers, and the menu of them.

A page is a file of its name, in small letters, in pages/. The menu is one piece of plain Markdown, which the browser
draws as soon as the heading: Streamlit fetches the parts of its program that draw its own links, and HTML within
Markdown, only when they are needed. A click goes to the page within the session, as the browser's back button does
(`SCRIPT`); with a key for a new tab, or before that script is there, the link is an ordinary one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, NamedTuple
from urllib.parse import urlencode

import streamlit as st


class MenuEntry(NamedTuple):
    """A page in the menu: its symbol, and the question that it answers, which stands below its title."""

    symbol: str
    question: str


#: Pages by what they help with; a group of one needs no heading.
GROUPS: dict[str, dict[str, MenuEntry]] = {
    "Start": {
        "Home": MenuEntry("home", "Which features are worth keeping when a row may carry several labels?"),
        "Data": MenuEntry("table_view", "What is in my data?"),
    },
    "Explore": {
        "Explore": MenuEntry("tune", "Which features should I keep?"),
        "Noise": MenuEntry("graphic_eq", "How much do the selected features repeat each other, and what do they miss?"),
        "Pareto": MenuEntry("scatter_plot", "Which features does no other feature beat?"),
        "Sensitivity": MenuEntry("grid_on", "How much do a method's parameters matter?"),
    },
    "Decide": {
        "Methods": MenuEntry("leaderboard", "Which method should I use?"),
        "Compare": MenuEntry("stacked_line_chart", "Which method is best on my data?"),
        "Significance": MenuEntry("balance", "Is one method really better, or could it be chance?"),
    },
    "Papers": {"Papers": MenuEntry("article", "Do the published results hold up?")},
    "Learn": {"Learn": MenuEntry("school", "How do these methods work?")},
}
ENTRIES = {name: entry for group in GROUPS.values() for name, entry in group.items()}
PAGES = tuple(ENTRIES)

LOOK = """<style>
.st-key-menu { margin-bottom: 0.75rem; }
.st-key-menu p { margin: 0; }
.st-key-menu p + p { margin-top: 0.35rem; }
.st-key-menu p > span { display: block; padding: 0 0.4rem; font-size: 0.75rem; }
.st-key-menu a { display: block; padding: 0.05rem 0.4rem; border-radius: 0.3rem; line-height: 1.5;
  color: inherit !important; text-decoration: none !important; }
.st-key-menu a:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
.st-key-menu a:focus-visible { outline: 2px solid currentColor; outline-offset: -2px; }
.st-key-menu strong a { background: color-mix(in srgb, currentColor 12%, transparent); }
</style>"""
#: The class of links elsewhere that go to a page as those of the menu do.
INSIDE = "mlfs-inside"
# What a click and a key do: links go to their page within the session, the arrows step on (the buttons of a tour, the
# links to the lessons before and after), and a button copies what it holds. A menu of methods tells all of
# each; once it is chosen, its tag says what stands before the first dot: its name without meaning, year and family.
SCRIPT = """<script>
window.mlfsKeys ??= (() => {
  const copy = async (text) => {
    if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
    const field = Object.assign(document.createElement('textarea'), { value: text });
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    if (!done) throw new Error('not copied');
  };
  document.addEventListener('click', (event) => {
    const button = event.target.closest?.('.mlfs-copy');
    if (button) {
      copy(button.dataset.copy).then(
        () => { button.textContent = 'Copied'; },
        () => { button.textContent = 'Select the link below to copy it'; });
      return;
    }
    const link = event.target.closest?.('.st-key-menu a, a.mlfs-inside');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.pushState({}, '', link.href);
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  const typed = 'input, textarea, select, [role=slider], [role=combobox], [role=radiogroup], [role=grid], canvas';
  // A slider may stay while the lesson around it changes: it gives the arrow keys back.
  const lesson = () => {
    const settings = new URLSearchParams(location.search);
    return [location.pathname, ...['topic', 'tour', 'step'].map((key) => settings.get(key))].join();
  };
  let before = lesson();
  const leave = () => {
    if (before !== lesson() && document.activeElement?.closest(typed)) document.activeElement.blur();
    before = lesson();
  };
  window.addEventListener('popstate', leave);
  window.navigation?.addEventListener('currententrychange', leave);
  document.addEventListener('keydown', (event) => {
    const way = { ArrowLeft: 'previous', ArrowRight: 'next' }[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (event.target.closest?.(typed)) return;
    document.querySelector(`.st-key-step-${way} button:not(:disabled), a.mlfs-${way}`)?.click();
  });
  return true;
})();
window.mlfsTags ??= (() => {
  const shorten = () => {
    for (const tag of document.querySelectorAll('[data-tag] > span[title]')) {
      if (!tag.closest('.stMultiSelect')?.querySelector('input[aria-label^="Methods"]')) continue;
      const [short] = tag.title.split(' · ');
      if (tag.dataset.short !== short) tag.dataset.short = short;
    }
  };
  const observer = new MutationObserver(shorten);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['title'] });
  return true;
})();
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
        paragraphs.append(heading + " ".join(link(name, entry.symbol) for name, entry in group.items()))
    return "\n\n".join(paragraphs)
