"""Plotly's own program for the browser, served from the Python package, and asked for together with the page."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

import plotly
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Where it is, below the app's address; the version makes a browser ask again after an update, and only then.
PATH = f"mlfs/plotly-{plotly.__version__}.min.js"


@cache
def packed() -> bytes:
    """The program, a third of its size: a class fetches it over one wireless network."""
    return gzip.compress(files("plotly").joinpath("package_data/plotly.min.js").read_bytes(), compresslevel=6)


async def serve(request: Request) -> Response:
    """The program, to be kept by the browser for good."""
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(gzip.decompress(packed()), media_type="text/javascript", headers=headers)
    return Response(packed(), media_type="text/javascript", headers={**headers, "Content-Encoding": "gzip"})


class Preload:
    """Tells the browser with the page itself that Plotly will be needed, so that it is there with the first figure."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_header(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("Link", f"<./{PATH}>; rel=preload; as=script")
            await send(message)

        await self.app(scope, receive, with_header if scope["type"] == "http" else send)
