"""Programs the browser will need soon, asked for together with the page: Plotly, and parts of Streamlit's own program.

Plotly is served from the Python package. Streamlit's program is cut in parts, one for each kind of element, which the
browser would begin to fetch when the first element of a kind arrives, and show a grey box meanwhile.
"""

from __future__ import annotations

import gzip
import re
import zlib
from functools import cache
from importlib.resources import files
from pathlib import Path

import plotly
import streamlit
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Where Plotly is, below the app's address; the version makes a browser ask again after an update, and only then.
PLOTLY = f"mlfs/plotly-{plotly.__version__}.min.js"
#: The program that draws figures with it, which would go along with each figure if Streamlit sent it; named by content.
_DRAWING = Path(__file__).with_name("figure.js").read_bytes()
FIGURES = f"mlfs/figures-{zlib.crc32(_DRAWING):08x}.js"
#: The kinds of elements that stand on every page: the menu, figures, and what the sidebar is made of.
ELEMENTS = ("Html", "PageLink", "BidiComponent", "Selectbox", "Slider", "Multiselect", "NumberInput", "Checkbox")

_STREAMLIT = Path(streamlit.__file__).parent / "static"
_IMPORTED = re.compile(r"""(?:from|import)\s*["']\./([\w.-]+\.js)["']""")


@cache
def packed_plotly() -> bytes:
    """Plotly, a third of its size: a class fetches it over one wireless network."""
    return gzip.compress(files("plotly").joinpath("package_data/plotly.min.js").read_bytes(), compresslevel=6)


@cache
def packed_figures() -> bytes:
    """The program that draws figures."""
    return gzip.compress(_DRAWING)


async def serve_plotly(request: Request) -> Response:
    """Plotly, to be kept by the browser for good."""
    return _served(packed_plotly(), request)


async def serve_figures(request: Request) -> Response:
    """The program that draws figures, to be kept likewise."""
    return _served(packed_figures(), request)


def _served(packed: bytes, request: Request) -> Response:
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(packed), media_type="text/javascript", headers=headers)
    return Response(packed, media_type="text/javascript", headers={**headers, "Content-Encoding": "gzip"})


def element_scripts() -> list[str]:
    """The files of ELEMENTS and of all that they import, without those that Streamlit's page asks for itself.

    They are named by their content, which changes with Streamlit: one that is not there is left to the browser.
    """
    folder = _STREAMLIT / "static" / "js"
    waiting = [path.name for element in ELEMENTS for path in folder.glob(f"{element}.*.js")]
    known = set(re.findall(r"js/([\w.-]+\.js)", (_STREAMLIT / "index.html").read_text(encoding="utf-8")))
    scripts = []
    for name in waiting:
        if name not in known and (folder / name).is_file():
            known.add(name)
            scripts.append(name)
            waiting += _IMPORTED.findall((folder / name).read_text(encoding="utf-8"))
    return scripts


@cache
def link_header() -> str:
    """All that the browser is asked to fetch with a page."""
    parts = [f"<./static/js/{name}>; rel=modulepreload" for name in element_scripts()]
    return ", ".join([f"<./{PLOTLY}>; rel=preload; as=script", f"<./{FIGURES}>; rel=modulepreload", *parts])


class NameScripts:
    """Names these programs in the header of every page that is served."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("Link", link_header())
            await send(message)

        await self.app(scope, receive, with_header if scope["type"] == "http" else send)
