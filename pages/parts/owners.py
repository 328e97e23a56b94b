"""Whose an upload or a study is: a browser's, known by a random cookie that no page and no other browser can read.

The cookie comes with the first page and lasts until the browser is closed. So a reload, and a second tab, see the same
uploads, and nobody else does. A browser that keeps no cookies owns things for one session.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.parts import server

if TYPE_CHECKING:  # the server answers before it has read what an explorer needs
    from mlfs.evaluation import Explorer
from mlfs.recipes.writing import Labels

COOKIE = "mlfs-owner"
# When it was given, and what nobody can guess.
_TOKEN = re.compile(r"([0-9a-f]{1,12})-[A-Za-z0-9_-]{43}")
#: Seconds for which uploads are kept after the last session of their owner has ended.
KEPT_SECONDS = 3600.0
# Names of uploads that are gone, so that their owners can be told.
MOST_FORGOTTEN = 10_000
STARTED = time.time()
_VIEWER, _VISIT = "viewer", "visit"


class GiveOwnerCookie:
    """Gives the cookie to every browser that asks for a page and has none."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.append("Set-Cookie", new_cookie(_is_https(scope)))
                headers["Cache-Control"] = "private, no-store"  # or a proxy would give it to others
            await send(message)

        await self.app(scope, receive, with_cookie if _wants_cookie(scope) else send)


def new_cookie(secure: bool) -> str:
    """A cookie with a token of its own, as a header says it."""
    token = f"{int(time.time()):x}-{secrets.token_urlsafe(32)}"
    path = server.base_path() or "/"
    return f"{COOKIE}={token}; Path={path}; HttpOnly; SameSite=Lax" + ("; Secure" if secure else "")


def _wants_cookie(scope: Scope) -> bool:
    """Whether a browser asks for a page, rather than for one of its parts, and is not known yet."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    headers = Headers(scope=scope)
    cookies = [part.strip().partition("=") for part in headers.get("cookie", "").split(";")]
    known = any(name == COOKIE and _TOKEN.fullmatch(value) for name, _, value in cookies)
    return not known and "text/html" in headers.get("accept", "")


def _is_https(scope: Scope) -> bool:
    return "https" in (scope["scheme"], Headers(scope=scope).get("x-forwarded-proto"))


def _token() -> str | None:
    """This browser's token; None where it keeps no cookies."""
    token = str(st.context.cookies.get(COOKIE))
    return token if _TOKEN.fullmatch(token) else None


def viewer() -> str:
    """Who looks: what is kept under this name, only this browser sees. The token itself is kept nowhere."""
    if _VIEWER not in st.session_state:
        token = _token()
        known = secrets.token_hex(32) if token is None else hashlib.sha256(token.encode()).hexdigest()
        st.session_state[_VIEWER] = known
        st.session_state[_VISIT] = UPLOADS.visit(known, lasting=token is not None)
    return st.session_state[_VIEWER]


def was_here_before_the_start() -> bool:
    """Whether this browser was here when another server, or this one before its last start, was."""
    match = _TOKEN.fullmatch(_token() or "")
    return match is not None and int(match[1], 16) < int(STARTED)


class Upload(NamedTuple):
    """An uploaded set, what the reader was told about its labels, and the bytes it takes."""

    explorer: Explorer
    labels: Labels
    size: int


class Visit:
    """One session of an owner; it ends when Streamlit lets go of the session's state."""


class Owner:
    """The uploads of one owner, and whether they are here.

    Attributes
    ----------
    lasting : whether they can come back, in another session
    left : when a session of theirs ended last
    """

    def __init__(self, lasting: bool) -> None:
        self.lasting, self.left = lasting, 0.0
        self.visits: weakref.WeakSet[Visit] = weakref.WeakSet()
        self.uploads: dict[str, Upload] = {}

    def note_end(self, clock: Callable[[], float]) -> None:
        self.left = clock()


class UploadRegistry:
    """All uploads of this server, by owner and name.

    Those of an owner who is away are kept for a while, and give way earlier where others need the memory.

    Parameters
    ----------
    seconds : float
        For which they are kept after the owner's last session.
    clock : callable
    """

    def __init__(self, seconds: float = KEPT_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self._clock = clock
        self._owners: dict[str, Owner] = {}
        self._forgotten: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._guard = threading.RLock()

    def visit(self, owner: str, lasting: bool = True) -> Visit:
        """Begin a session of this owner; it lasts as long as somebody holds what is returned."""
        visit = Visit()
        with self._guard:
            known = self._owners.setdefault(owner, Owner(lasting))
            known.visits.add(visit)
        weakref.finalize(visit, known.note_end, self._clock).atexit = False
        return visit

    def of(self, owner: str) -> dict[str, Upload]:
        """The uploads of an owner by name, as they are now."""
        with self._guard:
            return dict(self._owners[owner].uploads) if owner in self._owners else {}

    def keep(self, owner: str, name: str, upload: Upload) -> None:
        with self._guard:
            self._forgotten.pop((owner, name), None)
            self._owners[owner].uploads[name] = upload

    def remove(self, owner: str, name: str) -> None:
        with self._guard:
            if self._owners[owner].uploads.pop(name, None) is not None:
                self._note_forgotten(owner, [name])

    def knows(self, owner: str) -> bool:
        """Whether this owner is here, or may come back to what is kept for them."""
        with self._guard:
            return owner in self._owners

    def had(self, owner: str, name: str) -> bool:
        """Whether this was an upload of the owner's, and is gone."""
        with self._guard:
            return (owner, name) in self._forgotten

    def total(self) -> int:
        """Bytes of all uploads."""
        with self._guard:
            return sum(upload.size for owner in self._owners.values() for upload in owner.uploads.values())

    def make_room(self, limit: int) -> None:
        """Forget those who are away, the longest first, until no more bytes are kept than that, or all are here."""
        with self._guard:
            self.sweep()
            for name, _ in sorted(self._away().items(), key=lambda item: item[1].left):
                if self.total() <= limit:
                    return
                self._forget(name)

    def sweep(self) -> None:
        """Forget those who have been away for too long."""
        with self._guard:
            for name, owner in self._away().items():
                if not owner.lasting or not owner.uploads or self._clock() - owner.left > self.seconds:
                    self._forget(name)

    def _away(self) -> dict[str, Owner]:
        return {name: owner for name, owner in self._owners.items() if not len(owner.visits)}

    def _forget(self, name: str) -> None:
        owner = self._owners.pop(name)
        if owner.lasting:
            self._note_forgotten(name, owner.uploads)

    def _note_forgotten(self, owner: str, names: Iterable[str]) -> None:
        self._forgotten.update(dict.fromkeys((owner, name) for name in names))
        while len(self._forgotten) > MOST_FORGOTTEN:
            self._forgotten.popitem(last=False)


#: Those of this server.
UPLOADS = UploadRegistry()
server.at_every_cleanup(UPLOADS.sweep)
