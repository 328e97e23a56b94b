"""A browser without a window: one session of a Streamlit app, spoken over its websocket as the frontend speaks.

It does what the frontend does and the server notices: asks for runs of the script, sends the state of every widget
along, runs fragments again at their interval, follows links to other pages, keeps large messages so that the server
sends a reference in their place, and notes when which picture arrives. It draws nothing.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

# The frontend gives up a handshake after this many seconds.
HANDSHAKE_SECONDS = 15
# What the frontend sends in place of the token that only a login needs.
NO_TOKEN = "PLACEHOLDER_AUTH_TOKEN"
# A figure is Streamlit's own Plotly element, or drawn by a component of the app.
FIGURES = ("plotly_chart", "bidi_component")
# The app's component that wants to hear when a visit's first figure is drawn (pages/parts/view.py), and its event.
LISTENER, DRAWN = "first-figure", "drawn"


class Lost(Exception):
    """The server ended the session, or never took it."""


@dataclass
class Request:
    """A run that was asked for: when, and when its first picture and its end came. None: not (yet)."""

    sent: float
    fragment: str = ""
    started: bool = False
    figure: float | None = None
    finished: float | None = None
    drawn: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def seconds(self) -> float | None:
        """From asking to the first picture."""
        return None if self.figure is None else self.figure - self.sent


@dataclass
class Widget:
    """A widget as it was drawn last; `script` is the file that drew it, as the server names it."""

    id: str
    kind: str
    proto: Any
    fragment: str
    script: str

    @property
    def choices(self) -> list[Any]:
        """The values a person can give it; none for fields to type in."""
        proto = self.proto
        if self.kind == "slider" and not proto.options:
            # Days and times also count in steps; a slider of two ends is left alone.
            steps = int((proto.max - proto.min) / proto.step) if proto.step and len(proto.default) == 1 else -1
            return [proto.min + number * proto.step for number in range(steps + 1)]
        if self.kind == "checkbox":
            return [False, True]
        return [_content(option) for option in proto.options] if self.kind in CHOSEN else []


CHOSEN = ("slider", "selectbox", "radio", "button_group")
# Which field of a widget's state holds its value.
FIELDS = {
    "slider": "double_array_value",
    "selectbox": "string_value",
    "radio": "string_value",
    "checkbox": "bool_value",
    "multiselect": "string_array_value",
    "button_group": "string_array_value",
    "number_input": "double_value",
    "text_input": "string_value",
    "text_area": "string_value",
}

# A link of the menu: its label, the page's path, and its settings.
MENU_LINK = re.compile(r"\[:material/\w+: (\w+)\]\(\./(\w*)\??([^)]*)\)")


class Session:
    """One visitor. `answer` are the kinds of element that answer a move, `answer_key` the key the app gave it."""

    def __init__(
        self,
        address: str,
        page: str = "",
        query: str = "",
        *,
        answer: Sequence[str] = FIGURES,
        answer_key: str = "",
    ) -> None:
        self.address, self.page, self.query = address, page, query
        self.answer, self.answer_key = answer, answer_key
        self.lost: str | None = None
        self.errors: list[str] = []
        self.widgets: dict[str, Widget] = {}
        self.links: dict[str, tuple[str, str]] = {}
        self.request: Request | None = None
        self.received = 0
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._states: dict[str, WidgetState] = {}
        self._polls: dict[str, tuple[float, asyncio.Task[None]]] = {}
        self._page_hash = self._main_hash = ""
        self._pages: dict[str, str] = {}
        self._seen: set[str] = set()
        self._run_open = self._leaving = self._telling = False
        # The listener's id until it was told.
        self._listener = ""
        self._told: asyncio.Task[None] | None = None
        self._fragments: Sequence[str] = ()

    async def open(self) -> Request:
        """Connect as a browser does that has the app's files in its cache, and ask for the page."""
        start = time.perf_counter()
        parts = urlsplit(self.address)
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                await asyncio.gather(*(_get(parts.hostname, parts.port, path) for path in ("health", "host-config")))
            self._socket = await connect(
                f"ws://{parts.netloc}/_stcore/stream",
                origin=self.address,
                subprotocols=["streamlit", NO_TOKEN],
                open_timeout=HANDSHAKE_SECONDS,
                ping_interval=None,
                max_size=None,
            )
        except (OSError, WebSocketException, TimeoutError) as problem:
            self.lost = f"no connection: {type(problem).__name__}"
            raise Lost(self.lost) from problem
        self._reader = asyncio.create_task(self._read())
        return await self._ask(sent=start)

    async def move(self, key: str, value: Any) -> Request:
        """Give the widget with this key a value."""
        widget = self.widgets[key]
        self._states[widget.id] = _state(widget.id, widget.kind, value, bool(getattr(widget.proto, "options", ())))
        return await self._ask(widget.fragment)

    async def press(self, key: str) -> Request:
        """Press the button with this key."""
        widget = self.widgets[key]
        self._states[widget.id] = WidgetState(id=widget.id, trigger_value=True)
        try:
            return await self._ask(widget.fragment)
        finally:
            # A button is up again as soon as it was heard.
            del self._states[widget.id]

    async def _tell_drawn(self) -> None:
        """What a browser sends on its own: the first figure is drawn. The script begins anew with it."""
        id = f"$$STREAMLIT_INTERNAL_KEY_{self._listener}__events"
        self._listener, self._telling = "", True
        self._states[id] = WidgetState(id=id, json_trigger_value=json.dumps([{"event": DRAWN, "value": True}]))
        try:
            await self._send()
        except Lost:
            pass
        finally:
            del self._states[id]

    async def follow(self, label: str) -> Request:
        """Click the link to another page of the app."""
        self._page_hash, self.query = self.links[label]
        self._stop_polls()
        # Only what the main script drew outlives its page.
        kept = {widget.id for widget in self.widgets.values() if widget.script == self._main_hash}
        self._states = {id: state for id, state in self._states.items() if id in kept}
        return await self._ask()

    async def answered(self, request: Request, seconds: float) -> bool:
        """Wait for the first picture; False where none came in time."""
        return await self._wait(request.drawn, seconds)

    async def finished(self, request: Request, seconds: float) -> bool:
        """Wait until the script has come to its end; False where it has not in time."""
        return await self._wait(request.ended, seconds)

    @property
    def polling(self) -> bool:
        """Whether a fragment is run again and again: the page shows work that goes on."""
        return bool(self._polls)

    def value(self, key: str) -> Any:
        """What the widget shows, as it was sent; None for an empty one."""
        state = self._states.get(self.widgets[key].id)
        kind = state.WhichOneof("value") if state is not None else None
        if state is None or kind is None:
            return None
        value = getattr(state, kind)
        return value.data[0] if hasattr(value, "data") and len(value.data) == 1 else value

    async def close(self) -> None:
        """Close the window."""
        self._leaving = True
        self._stop_polls()
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await self._reader

    # Sending

    async def _ask(self, fragment: str = "", sent: float | None = None) -> Request:
        request = Request(time.perf_counter() if sent is None else sent, fragment)
        self.request = request
        await self._send(fragment)
        return request

    async def _send(self, fragment: str = "", auto: bool = False) -> None:
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_script_hash, run.fragment_id, run.is_auto_rerun = (
            self.query,
            self._page_hash,
            fragment,
            auto,
        )
        run.page_name = "" if self._page_hash else self.page
        run.widget_states.widgets.extend(self._states.values())
        run.context_info.timezone, run.context_info.locale = "UTC", "en-GB"
        run.context_info.url, run.context_info.is_embedded = f"{self.address}/{self.page}", False
        if self._socket is None or self.lost:
            raise Lost(self.lost or "not open")
        try:
            await self._socket.send(message.SerializeToString())
        except WebSocketException as problem:
            raise Lost(str(problem)) from problem

    async def _poll(self, fragment: str, interval: float) -> None:
        try:
            while True:
                await asyncio.sleep(interval)
                await self._send(fragment, auto=True)
        except Lost:
            pass

    def _stop_polls(self, fragments: Sequence[str] | None = None) -> None:
        for fragment in list(self._polls if fragments is None else fragments):
            if fragment in self._polls:
                self._polls.pop(fragment)[1].cancel()

    async def _wait(self, event: asyncio.Event, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            return False
        if self.lost:
            raise Lost(self.lost)
        return True

    # Receiving

    async def _read(self) -> None:
        assert self._socket is not None
        try:
            async for data in self._socket:
                self.received += len(data)
                self._take(ForwardMsg.FromString(data))  # type: ignore[arg-type]
        except WebSocketException:
            pass
        if not self._leaving:
            self.lost = f"closed by the server with {self._socket.close_code}"
        self._stop_polls()
        if self.request is not None:
            # Whoever waits is told.
            self.request.drawn.set()
            self.request.ended.set()

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "delta":
            self._delta(message)
        elif kind == "ref_hash":
            self.errors.append("a message that the browser was to keep and may have let go: it would stop for good")
        elif kind == "new_session":
            self._new_run(message)
        elif kind == "script_finished":
            self._end_of_run(message)
        elif kind == "navigation":
            self._page_hash = message.navigation.page_script_hash or self._page_hash
            self._pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "auto_rerun":
            fragment, interval = message.auto_rerun.fragment_id, message.auto_rerun.interval
            if self._polls.get(fragment, (None,))[0] != interval:
                self._stop_polls([fragment])
                self._polls[fragment] = interval, asyncio.create_task(self._poll(fragment, interval))
        elif kind == "stop_auto_rerun":
            self._stop_polls(message.stop_auto_rerun.fragment_ids)
        elif kind == "session_event" and message.session_event.HasField("script_compilation_exception"):
            self.errors.append(message.session_event.script_compilation_exception.message)

    def _new_run(self, message: ForwardMsg) -> None:
        new, self._fragments = message.new_session, list(message.metadata.run.fragment_ids)
        request, whole = self.request, not self._fragments
        if whole:
            self._stop_polls()
            self._seen = set()
            self._main_hash = new.main_script_hash
            # With several pages the message `navigation` says which one it is; the first run does not know yet.
            if not self._page_hash and len(new.app_pages) <= 1:
                self._page_hash = new.page_script_hash
        if request is not None and (whole or request.fragment in self._fragments):
            if request.started and self._run_open and whole and not self._telling:
                # The run before was cut off by the one that was asked for: it was on its way when we asked, and
                # what it drew shows the state before.
                request.figure = None
            request.started = True
        self._telling = self._telling and not whole
        self._run_open = True

    def _end_of_run(self, message: ForwardMsg) -> None:
        self._run_open = False
        status, request = message.script_finished, self.request
        if status == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return
        if status == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.widgets = {key: widget for key, widget in self.widgets.items() if widget.id in self._seen}
            self._states = {id: state for id, state in self._states.items() if id in self._seen}
        if request is not None and request.started and (not self._fragments or request.fragment in self._fragments):
            request.finished = request.finished or time.perf_counter()
            request.ended.set()

    def _delta(self, message: ForwardMsg) -> None:
        delta = message.delta
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        kind = element.WhichOneof("type") or ""
        proto = getattr(element, kind)
        id = getattr(proto, "id", "")
        key = key_of(id)
        if kind in FIELDS or kind == "button":
            self._seen.add(id)
            self.widgets[key or id] = Widget(id, kind, proto, delta.fragment_id, message.metadata.active_script_hash)
            self._show(id, kind, proto)
        elif kind == "bidi_component" and key == LISTENER and self._told is None:
            self._listener = id
        elif kind == "markdown":
            for label, path, query in MENU_LINK.findall(proto.body):
                self.links[label] = self._pages[path], query
        elif kind == "exception":
            self.errors.append(proto.message)
        elif kind == "alert" and proto.format == Alert.ERROR:
            self.errors.append(proto.body)
        self._arrived(kind, key)

    def _arrived(self, kind: str, key: str) -> None:
        if self._listener and kind in FIGURES and key != LISTENER:
            self._told = asyncio.create_task(self._tell_drawn())
        request = self.request
        if kind not in self.answer or request is None or not request.started or request.figure is not None:
            return
        if key != LISTENER and (not self.answer_key or key == self.answer_key):
            request.figure = time.perf_counter()
            request.drawn.set()

    def _show(self, id: str, kind: str, proto: Any) -> None:
        """The state a widget has once it is drawn: what the server says, else what it was, else its default."""
        if kind == "button" or (id in self._states and not proto.set_value):
            return
        options = [_content(option) for option in getattr(proto, "options", ())]
        if proto.set_value:
            value = next((getattr(proto, name) for name in _VALUES[kind] if hasattr(proto, name)), None)
            if kind == "slider" and options:
                value = list(proto.raw_value)
        else:
            value = proto.default
            if options and kind in ("selectbox", "radio"):
                value = options[value] if proto.HasField("default") else None
            elif options:
                value = [options[int(number)] for number in value]
        self._states[id] = _state(id, kind, value, bool(options))


_VALUES = dict.fromkeys(FIELDS, ("raw_value", "raw_values", "value")) | {"slider": ("value",)}


def key_of(id: str) -> str:
    """The key that the app gave an element, from the id that Streamlit made of it; empty where it gave none.

    >>> key_of("$$ID-0f3a-grro.alpha")
    'grro.alpha'
    """
    key = id.split("-", 2)[2] if id.count("-") >= 2 else ""
    return "" if key == "None" else key


def _state(id: str, kind: str, value: Any, options: bool) -> WidgetState:
    """A widget's state with the value in the field of its kind; a slider over words sends the words."""
    state = WidgetState(id=id)
    name = "string_array_value" if kind == "slider" and options else FIELDS[kind]
    if value is None:
        return state
    if name.endswith("array_value"):
        several = [value] if isinstance(value, str | float | int) else list(value)
        getattr(state, name).data.extend(several)
        getattr(state, name).SetInParent()
    else:
        setattr(state, name, value)
    return state


def _content(option: Any) -> str:
    """An option's text; a button of a group is a message of its own."""
    return option if isinstance(option, str) else option.content


async def _get(host: str | None, port: int | None, name: str) -> None:
    """What the frontend asks before it opens the socket."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(f"GET /_stcore/{name} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
    await reader.read()
    writer.close()
    await writer.wait_closed()
