"""The page as a link and as a QR code, for a class to open what is on the wall."""

from __future__ import annotations

import io
from collections.abc import Callable
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from pages.parts import errors, link

ONLY_HERE = (
    "This address leads to this machine only. For others, start the app with `make run HOST=0.0.0.0` and open it by "
    "this machine's name or number in the network."
)
LOCAL = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
MODULE = 6  # pixels of each square of the code


def offer() -> None:
    """A menu in the sidebar, filled when it is opened."""
    with st.sidebar:
        errors.fragment(_menu, "Share")


def address() -> str:
    """The page as it is, as this browser would open it."""
    return address_later()() or ""


def address_later() -> Callable[[], str | None]:
    """The same for whoever asks when the run is over, in whatever thread; None where the browser tells no address."""
    url, here = st.context.url, link.current()
    return lambda: urlunsplit((*urlsplit(url)[:3], urlencode(here.written or {}), "")) if url else None


def qr_code(text: str) -> bytes:
    """The code as PNG, dark on white whatever the theme, for cameras want it so."""
    picture = io.BytesIO()
    segno.make(text, micro=False).save(picture, kind="png", scale=MODULE, border=3, dark="#000000", light="#ffffff")
    return picture.getvalue()


def _menu() -> None:
    menu = st.popover("Share", type="tertiary", icon=":material/qr_code_2:", key="share", on_change="rerun")
    if not menu.open:
        return
    with menu:
        here = address()
        st.image(qr_code(here))
        st.code(here, language=None, wrap_lines=True)
        if urlsplit(here).hostname in LOCAL:
            st.caption(ONLY_HERE)
