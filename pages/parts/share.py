"""The page as a link and as a QR code, for a class to open what is on the wall."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from html import escape
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from pages.parts import errors, link

ONLY_HERE = (
    "This link works on this computer only. To share it with a class, start the app with `make run HOST=0.0.0.0` and "
    "open it at this computer's name or address on the network."
)
LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
MODULE, LARGE_MODULE = 6, 14  # pixels of each square of the code
COPY = """<style>
[data-testid="stPopoverBody"] .stElementContainer:has([data-testid="stImage"])
  { display: flex; justify-content: center; }
.mlfs-copy { font: inherit; color: inherit; width: 100%; padding: 0.4rem; cursor: pointer; border-radius: 0.5rem;
  background: none; border: 1px solid color-mix(in srgb, currentColor 40%, transparent); }
.mlfs-copy:hover { background: color-mix(in srgb, currentColor 8%, transparent); }
.mlfs-copy:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
</style>"""


def offer(large: bool = False) -> None:
    """A menu, filled when it is opened; `large` for a code that is read from the last row."""
    errors.fragment(partial(_menu, LARGE_MODULE if large else MODULE), "Share")


def address() -> str:
    """The page as it is, as this browser would open it."""
    return address_later()() or ""


def address_later() -> Callable[[], str | None]:
    """The same for whoever asks when the run is over, in whatever thread; None where the browser tells no address.

    Without the look for a wall: whoever follows a link from the wall sits before a screen, or holds a telephone.
    """
    url, here = st.context.url, link.current()

    def settings() -> dict[str, str]:
        return {key: text for key, text in (here.written or {}).items() if key != "present"}

    return lambda: urlunsplit((*urlsplit(url)[:3], urlencode(settings()), "")) if url else None


def qr_code(text: str, module: int = MODULE) -> bytes:
    """The code as PNG, dark on white whatever the theme, for cameras want it so."""
    picture = io.BytesIO()
    segno.make(text, micro=False).save(picture, kind="png", scale=module, border=3, dark="#000000", light="#ffffff")
    return picture.getvalue()


def _menu(module: int) -> None:
    menu = st.popover("Share", type="tertiary", icon=":material/qr_code_2:", key="share", on_change="rerun")
    if not menu.open:
        return
    with menu:
        here = address()
        st.image(qr_code(here, module))
        st.html(f'{COPY}<button class="mlfs-copy" type="button" data-copy="{escape(here)}">Copy the link</button>')
        st.code(here, language=None, wrap_lines=True)
        if urlsplit(here).hostname in LOCAL:
            st.caption(ONLY_HERE)
