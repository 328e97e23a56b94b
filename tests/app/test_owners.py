"""Owners: the cookie that tells browsers apart, and uploads that live as long as somebody may come back for them."""

from __future__ import annotations

import asyncio
import gc
import re

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Route

from pages.parts import owners
from pages.parts.owners import COOKIE, GiveOwnerCookie, Upload, UploadRegistry

PAGE = "text/html,application/xhtml+xml"
KNOWN = f"{COOKIE}=6a1b2c3d-{'x' * 43}"
APP = Starlette(
    routes=[Route("/", lambda request: HTMLResponse("page"), methods=["GET", "POST"])],
    middleware=[Middleware(GiveOwnerCookie)],
)


def answer(method="GET", scheme="http", **headers):
    """The headers of the answer to a request for the page."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b""}

    async def send(message):
        sent.append(message)

    asked = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "scheme": scheme, "path": "/", "query_string": b"", "headers": asked}
    asyncio.run(APP(scope, receive, send))
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_a_page_brings_a_cookie_that_no_script_and_no_other_site_can_use():
    headers = answer(accept=PAGE)
    form = rf"{COOKIE}=[0-9a-f]+-[\w-]{{43}}; Path=/; HttpOnly; SameSite=Lax"
    assert re.fullmatch(form, headers["set-cookie"])
    assert headers["cache-control"] == "private, no-store"
    assert answer(accept=PAGE)["set-cookie"] != headers["set-cookie"]


@pytest.mark.parametrize("how", [{"scheme": "https"}, {"x_forwarded_proto": "https"}])
def test_over_https_the_cookie_stays_there(how):
    assert answer(accept=PAGE, **how)["set-cookie"].endswith("; Secure")


def test_under_a_path_the_cookie_is_of_that_path(monkeypatch):
    monkeypatch.setattr(owners.server, "base_path", lambda: "/mlfs")
    assert "; Path=/mlfs;" in answer(accept=PAGE)["set-cookie"]


@pytest.mark.parametrize(
    "request_", [{"accept": PAGE, "cookie": f"a=b; {KNOWN}"}, {"accept": "*/*"}, {"method": "POST", "accept": PAGE}]
)
def test_who_has_a_cookie_or_asks_for_no_page_gets_none(request_):
    headers = answer(**request_)
    assert "set-cookie" not in headers
    assert "cache-control" not in headers


@pytest.mark.parametrize("cookie", [f"{COOKIE}=guess", f"{COOKIE}=", f"x{KNOWN}", ";=;"])
def test_a_cookie_that_is_not_ours_is_replaced(cookie):
    assert "set-cookie" in answer(accept=PAGE, cookie=cookie)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Registry(UploadRegistry):
    """With a clock that stands still, and sessions that can be ended."""

    def __init__(self):
        self.clock = Clock()
        super().__init__(seconds=100, clock=self.clock)
        self.sessions = {}

    def begin(self, owner, lasting=True):
        self.sessions.setdefault(owner, []).append(self.visit(owner, lasting))

    def end(self, owner):
        self.sessions[owner].pop()
        gc.collect()

    def give(self, owner, name, size=1):
        self.keep(owner, name, Upload(None, -2, size))

    def left(self):
        self.sweep()
        return {owner: list(self.of(owner)) for owner in self.sessions}


@pytest.fixture
def registry():
    return Registry()


def test_everybody_has_their_own(registry):
    registry.begin("ann")
    registry.begin("bob")
    registry.give("ann", "a")
    assert list(registry.of("ann")) == ["a"]
    assert registry.of("bob") == {}
    assert registry.of("nobody") == {}
    registry.of("ann").clear()  # a copy: another session may be looking at it
    assert list(registry.of("ann")) == ["a"]
    registry.remove("bob", "a")
    assert list(registry.of("ann")) == ["a"]
    registry.remove("ann", "a")
    assert registry.of("ann") == {}


def test_uploads_wait_for_their_owner_and_then_go(registry):
    registry.begin("ann")
    registry.give("ann", "a")
    registry.clock.now = 1000  # however long a session lasts
    assert registry.left() == {"ann": ["a"]}
    registry.end("ann")
    registry.clock.now = 1100
    assert registry.left() == {"ann": ["a"]}
    registry.begin("ann")  # a reload
    registry.clock.now = 5000
    assert registry.left() == {"ann": ["a"]}
    registry.begin("ann")  # a second tab
    registry.end("ann")
    registry.clock.now = 6000
    assert registry.left() == {"ann": ["a"]}
    registry.end("ann")
    registry.clock.now = 6101
    assert not registry.had("ann", "a")
    assert registry.left() == {"ann": []}
    assert registry.had("ann", "a")  # so that they can be told
    assert not registry.had("bob", "a")
    registry.begin("ann")
    registry.give("ann", "a")
    assert not registry.had("ann", "a")


def test_without_a_cookie_an_upload_goes_with_its_session(registry):
    registry.begin("ann", lasting=False)
    registry.give("ann", "a")
    assert registry.left() == {"ann": ["a"]}
    registry.end("ann")
    assert registry.left() == {"ann": []}


def test_who_left_first_gives_way_first_and_who_is_here_never(registry):
    for place, name in enumerate(["here", "early", "late", "back"]):
        registry.clock.now = place
        registry.begin(name)
        registry.give(name, "x", size=10)
        if name != "here":
            registry.end(name)
    registry.begin("back")
    assert registry.total() == 40
    registry.make_room(40)
    assert registry.total() == 40
    registry.make_room(35)
    assert registry.left() == {"here": ["x"], "early": [], "late": ["x"], "back": ["x"]}
    registry.make_room(0)
    assert registry.left() == {"here": ["x"], "early": [], "late": [], "back": ["x"]}
    assert registry.total() == 20


def test_what_is_remembered_of_the_forgotten_is_bounded(registry, monkeypatch):
    monkeypatch.setattr(owners, "MOST_FORGOTTEN", 2)
    registry.begin("ann")
    for name in "abc":
        registry.give("ann", name)
        registry.remove("ann", name)
    assert [registry.had("ann", name) for name in "abc"] == [False, True, True]


def test_the_server_sweeps():
    assert owners.UPLOADS.sweep in owners.server._tidying
