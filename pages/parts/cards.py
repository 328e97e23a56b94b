"""Links as cards, and lists of links, as one piece of HTML: there at once, without a part of Streamlit's program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple
from urllib.parse import quote, urlencode

from pages.parts import link
from pages.parts.menu import INSIDE

# Drawings of 120 × 60, in a grey and a blue (class a) that stand out against either theme.
DRAWINGS = {
    "table": '<path d="M10 12h100M10 24h100M10 36h100M10 48h100M10 12v36M35 12v36M60 12v36M85 12v36M110 12v36"/>'
    '<path class="f" d="M85 12h25v36h-25z"/><path class="a" d="M35 12h25v36h-25z"/>',
    "lesson": '<path d="M18 8h84v34H18zM60 42v10M44 52h32"/><path class="a" d="M28 34l14-10 14 4 16-12 18 8"/>',
    "ranks": '<path d="M14 16h92M14 12v8M37 14v4M60 14v4M83 14v4M106 12v8M24 16v26h-14M44 16v18h-34M76 16v18h34M92 '
    '16v26h18"/><path class="a b" d="M22 24h24M74 24h20"/>',
    "valley": '<path d="M14 6v46h96"/><path class="a" d="M16 12C26 46 32 46 40 44S80 26 108 22"/>',
    "level": '<path d="M14 6v46h96"/><path class="d" d="M14 36h96"/><path class="a" d="M16 10C26 26 34 34 48 36S90 38 '
    '108 34"/>',
    "bars": '<path d="M14 52h92"/><path class="f" d="M24 20h14v32H24zM62 30h14v22H62z"/><path class="a f" d="M40 '
    '28h14v24H40zM78 18h14v34H78z"/>',
    "circle": '<path d="M52 14a22 22 0 0 1 28 18M78 42a22 22 0 0 1-34 4M40 36a22 22 0 0 1 8-20"/><circle class="a" '
    'cx="50" cy="15" r="4"/><circle class="a" cx="80" cy="37" r="4"/><circle class="a" cx="41" cy="41" r="4"/>',
    "steps": '<path d="M12 48h24V36h24V24h24V12h24"/><circle class="a" cx="48" cy="30" r="4"/>',
    "verdicts": '<path d="M40 14h68M40 30h68M40 46h52"/><path class="a" d="M14 14l5 5 9-10M14 30l5 5 9-10M15 41l11 '
    '11M26 41L15 52"/>',
}
INK = """<style>svg { fill: none; stroke: #808080; stroke-width: 2 } .f { fill: #80808060 } .d { stroke-dasharray: 5 4 }
.a { stroke: #2A8ACB; stroke-width: 3 } circle.a, .a.f { fill: #2A8ACB } .b { stroke-width: 5 }</style>"""
LOOK = """<style>
.mlfs-cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(max(15rem, 30%), 1fr));
  gap: 0.8rem; }
.mlfs-cards a, .mlfs-answers a { color: inherit !important; text-decoration: none !important; }
.mlfs-cards a { display: grid; grid-template-columns: auto 1fr; gap: 0.3rem 0.8rem; align-items: center;
  align-content: start; padding: 0.8rem; border-radius: 0.5rem;
  border: 1px solid color-mix(in srgb, currentColor 22%, transparent); }
.mlfs-cards a:hover, .mlfs-answers a:hover { background: color-mix(in srgb, currentColor 7%, transparent); }
.mlfs-cards a:focus-visible, .mlfs-answers a:focus-visible { outline: 2px solid currentColor; outline-offset: -2px; }
.mlfs-cards b { line-height: 1.3; }
.mlfs-cards span { grid-column: 1 / -1; font-size: 0.875rem; line-height: 1.4; opacity: 0.85; }
.mlfs-cards img { width: 4.6rem; height: 2.3rem; }
.mlfs-entrances { grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); }
.mlfs-entrances a { grid-template-columns: 1fr; gap: 0.5rem; padding: 1rem;
  border-color: color-mix(in srgb, currentColor 40%, transparent); }
.mlfs-entrances b { font-size: 1.25rem; }
.mlfs-entrances img { width: 7.5rem; height: 3.75rem; }
.mlfs-answers { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(25rem, 100%), 1fr)); gap: 0 1rem; }
.mlfs-answers a { display: grid; grid-template-columns: 7.5rem 1fr; gap: 0.6rem; padding: 0.25rem 0.4rem;
  border-radius: 0.3rem; }
.mlfs-home h2 { font-size: 1.35rem; margin: 1.6rem 0 0.6rem; padding: 0; }
.mlfs-cards a[aria-current] { background: color-mix(in srgb, currentColor 12%, transparent); }
.mlfs-small { grid-template-columns: repeat(auto-fill, minmax(6.9rem, 1fr)); gap: 0.4rem; }
.mlfs-small a { padding: 0.3rem 0.5rem; gap: 0; grid-template-columns: 1fr; }
.mlfs-small b { font-size: 0.9rem; }
.mlfs-small span { font-size: 0.8rem; }
@media (max-width: 1000px) { .mlfs-small { grid-template-columns: repeat(3, 1fr); } }
@media (max-width: 640px) { .mlfs-small span { display: none; } }
.mlfs-beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); gap: 0.4rem 1.5rem; }
.mlfs-beside h2 { font-size: 0.95rem; margin: 0 0 0.3rem; padding: 0; }
</style>"""


class LinkCard(NamedTuple):
    """A link to a page with everything set: what one does or sees there, and its drawing, where it has one."""

    title: str
    page: str
    settings: Mapping[str, str]
    look: str = ""
    drawing: str = ""


def cards(listed: Iterable[LinkCard], style: str = "", chosen: LinkCard | None = None) -> str:
    """Links with a drawing, a title and a sentence; the chosen one is marked."""
    links = [
        f'<a class="{INSIDE}" href="{address(card.page, card.settings)}"{marked(card == chosen)}>'
        f"{_image(card.drawing)}<b>{escape(card.title)}</b>{_words(card.look)}</a>"
        for card in listed
    ]
    return f'<div class="mlfs-cards {style}">{"".join(links)}</div>'


def address(page: str, settings: Mapping[str, str]) -> str:
    """Where a link leads, as HTML."""
    query = urlencode(settings)
    return escape(f"./{page}{'?' if query else ''}{query}")


def carried() -> dict[str, str]:
    """The settings of now that go along to any page."""
    here = link.current()
    return {key: text for key, text in here.address_of(here.page).items() if key in link.SHARED}


def marked(is_chosen: bool) -> str:
    """What a link has that leads to what is shown already."""
    return ' aria-current="true"' if is_chosen else ""


def _words(look: str) -> str:
    return f"<span>{escape(look)}</span>" if look else ""


def _image(drawing: str) -> str:
    """A drawing as the address of an image: Streamlit takes out any that stand in the HTML itself."""
    if not drawing:
        return ""
    content = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60">{INK}{DRAWINGS[drawing]}</svg>'
    return f'<img alt="" src="data:image/svg+xml,{quote(content)}">'
