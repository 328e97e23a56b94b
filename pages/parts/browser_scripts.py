"""Programs the browser will need soon, asked for together with the page and answered from memory.

Plotly comes in two sizes. Nearly all figures are lines, bars and heat maps, for which a third of it is enough
(plotly/plotly-cartesian.min.js, as its makers distribute it); a browser takes a third of the time to begin with it, and
a class fetches a third over its network. Surfaces and clouds of many points take the whole, from the Python package.

Streamlit's program is cut in a hundred parts. The browser would begin to fetch some of them when the first element of
their kind arrives, and show a grey box meanwhile; and each would be read from the disk for every visitor, unpacked.
"""

from __future__ import annotations

import gzip
import mimetypes
import re
import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import plotly
import streamlit
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HERE = Path(__file__).parent
_CARTESIAN = _HERE / "plotly" / "plotly-cartesian.min.js"
_DRAWING = _HERE / "figure.js"


def _named(path: Path) -> str:
    """A name that changes with the content, so that a browser asks again after an update, and only then."""
    return f"{zlib.crc32(path.read_bytes()):08x}"


#: Where the programs are, below the app's address: Plotly for most figures and for all, and what draws with it.
PLOTLY = f"mlfs/plotly-cartesian-{_named(_CARTESIAN)}.js"
WHOLE_PLOTLY = f"mlfs/plotly-{plotly.__version__}.min.js"
FIGURES = f"mlfs/figures-{_named(_DRAWING)}.js"
#: The kinds of traces that the smaller Plotly draws, of those that mlfs uses.
CARTESIAN = frozenset({"scatter", "bar", "heatmap"})
#: The kinds of elements that stand on every page: the menu, figures, and what the sidebar is made of.
ELEMENTS = ("Html", "PageLink", "BidiComponent", "Selectbox", "Slider", "Multiselect", "NumberInput", "Checkbox")

_STREAMLIT = Path(streamlit.__file__).parent / "static"
_IMPORTED = re.compile(r"""(?:from|import)\s*["']\./([\w.-]+\.js)["']""")
_PACKED_ALREADY = {".woff2", ".woff", ".png", ".gif"}
_packed: dict[str, bytes] = {}


def plotly_for(traces: Iterable[Mapping[str, Any]]) -> str:
    """The Plotly that draws these traces."""
    return PLOTLY if all(trace.get("type", "scatter") in CARTESIAN for trace in traces) else WHOLE_PLOTLY


@cache
def _files() -> dict[str, Path]:
    """All that is answered from memory: path below the app's address → file."""
    static = _STREAMLIT / "static"
    known = {path.relative_to(_STREAMLIT).as_posix(): path for path in static.rglob("*") if path.is_file()}
    whole = Path(str(files("plotly").joinpath("package_data/plotly.min.js")))
    return known | {PLOTLY: _CARTESIAN, WHOLE_PLOTLY: whole, FIGURES: _DRAWING}


def packed(name: str) -> bytes:
    """The file's content, a third of its size where it can be packed: a class fetches it over one wireless network."""
    if name not in _packed:
        content = _files()[name].read_bytes()
        _packed[name] = content if Path(name).suffix in _PACKED_ALREADY else gzip.compress(content, compresslevel=6)
    return _packed[name]


def pack() -> None:
    """Have ready what every browser asks for."""
    for name in (PLOTLY, FIGURES, *(f"static/js/{script}" for script in (*_page_scripts(), *element_scripts()))):
        packed(name)


def _served(name: str, content: bytes, request: Headers) -> Response:
    """To be kept by the browser for good: all these files are named by their content or version."""
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if Path(name).suffix not in _PACKED_ALREADY:
        if "gzip" in request.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            content = gzip.decompress(content)
    kind = "text/javascript" if name.endswith(".js") else mimetypes.guess_type(name)[0]
    return Response(content, media_type=kind or "application/octet-stream", headers=headers)


@cache
def _page_scripts() -> list[str]:
    """Those that Streamlit's own page asks for."""
    return re.findall(r"js/([\w.-]+\.js)", (_STREAMLIT / "index.html").read_text(encoding="utf-8"))


def element_scripts() -> list[str]:
    """The files of ELEMENTS and of all that they import, without those that Streamlit's page asks for itself.

    They are named by their content, which changes with Streamlit: one that is not there is left to the browser.
    """
    folder = _STREAMLIT / "static" / "js"
    waiting = [path.name for element in ELEMENTS for path in folder.glob(f"{element}.*.js")]
    known = set(_page_scripts())
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


class ServeScripts:
    """Answers for these programs, and names those that will be needed in the header of every page.

    Parameters
    ----------
    base : the path below which the app is served, "" or "/so"
    """

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        self.app = app
        self.base = f"{base}/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        name = scope["path"].removeprefix(self.base)
        if scope["method"] == "GET" and scope["path"].startswith(self.base) and name in _files():
            content = _packed.get(name) or await run_in_threadpool(packed, name)
            await _served(name, content, Headers(scope=scope))(scope, receive, send)
            return

        async def with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("Link", link_header())
            await send(message)

        await self.app(scope, receive, with_header)
