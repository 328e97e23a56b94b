"""Addresses of downloads, asked for over HTTP: whoever has one gets the file, and nobody can make one."""

from __future__ import annotations

import asyncio

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.web.server.starlette.starlette_routes import create_media_routes

from pages.parts import exports
from pages.parts.owners import COOKIE, GiveOwnerCookie

ANN, BOB = (f"{COOKIE}=6a1b2c3d-{letter * 43}" for letter in "ab")
MIB = 1024**2


class Server:
    """Streamlit's downloads behind the app's own middleware."""

    def __init__(self):
        storage = MemoryMediaFileStorage("/media")
        self.files = MediaFileManager(storage)
        self.app = Starlette(routes=create_media_routes(storage, ""), middleware=[Middleware(GiveOwnerCookie)])

    def offer(self, label, make, file_name, mime, **_):
        """In the place of Streamlit's button, which takes what is made on a click alone."""
        assert callable(make)
        self.offered = self.files.add_deferred(make, mime, "0", file_name=file_name)

    def click(self, make, name="table.csv"):
        """The address that a click on a button of the app gets."""
        exports.download("CSV", make, name, "text/csv", "key")
        return self.files.execute_deferred(self.offered)

    def get(self, path, cookie=None, method="GET"):
        """Status, headers and body of the answer."""
        sent = []

        async def receive():
            return {"type": "http.request", "body": b""}

        async def send(message):
            sent.append(message)

        headers = [(b"cookie", cookie.encode())] if cookie else []
        scope = {"type": "http", "method": method, "scheme": "http", "path": path, "query_string": b""}
        asyncio.run(self.app({**scope, "headers": headers}, receive, send))
        told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return sent[0]["status"], told, b"".join(message.get("body", b"") for message in sent)


@pytest.fixture
def server(monkeypatch):
    server = Server()
    monkeypatch.setattr(st, "download_button", server.offer)
    return server


def test_whoever_has_the_address_has_the_file(server):
    """As docs/security.md says: no cookie is asked for."""
    path = server.click(lambda: "secret")
    for cookie in (ANN, BOB, None):
        status, headers, body = server.get(path, cookie)
        assert (status, body) == (200, b"secret")
        assert headers["content-disposition"] == 'attachment; filename="table.csv"'
        assert headers["content-type"].startswith("text/csv;")


def test_who_knows_the_content_cannot_make_the_address(server):
    path = server.click(lambda: "secret")
    guessed = MemoryMediaFileStorage("/media")
    for mime in ("text/csv", exports._with_token("text/csv")):
        number = guessed.load_and_get_id(b"secret", mime, "downloadable", "table.csv")
        assert guessed.get_url(number).removesuffix(".csv") != path
        assert server.get(guessed.get_url(number), BOB)[0] == 404
    assert server.click(lambda: "secret") != path  # not even who downloads the same


def test_a_button_that_nobody_clicked_has_no_file(server):
    exports.download("CSV", "secret", "table.csv", "text/csv", "key")
    assert server.get(f"/media/{server.offered}", ANN)[0] == 404
    assert server.get("/media/", ANN)[0] == 404


def test_a_large_file_is_never_taken_for_another(server):
    """Streamlit looks at the ends and the middle of a file, and these two differ elsewhere."""
    contents = [b"0" * (MIB // 2) + digit + b"0" * (2 * MIB) for digit in (b"1", b"2")]
    paths = [server.click(lambda content=content: content) for content in contents]
    assert [server.get(path)[2] == content for path, content in zip(paths, contents, strict=True)] == [True, True]
