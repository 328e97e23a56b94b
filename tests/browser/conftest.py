"""One server, one browser and one tab for all tests here, which is watched.

A tab that has been at the app opens its next page in a third of the time. Of the app nothing is shared: each opening is
a session of its own. Browser and tab go with the last of these tests, for playwright keeps an event loop running, in
which others could not start theirs.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, TimeoutError, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.SessionStatus_pb2 import SessionStatus

from tests.browser.server import NoBrowser, chromium, serving
from tests.browser.slow import slow_down, slowed
from tests.waiting import GUARD, until

# Streamlit looks for its server's root below the page's address first, and is told 404 there.
PROBES = re.compile(r"/\w+/_stcore/(health|host-config)$")
# For runs.js: what the browser says to the server, and what it is told.
NUMBERS = {
    field.name: field.number
    for message in (BackMsg, ForwardMsg, ClientState, SessionStatus)
    for field in message.DESCRIPTOR.fields
} | {"FINISHED_EARLY_FOR_RERUN": ForwardMsg.FINISHED_EARLY_FOR_RERUN}
WATCH_RUNS = f"({Path(__file__).with_name('runs.js').read_text('utf-8')})({json.dumps(NUMBERS)})"
# Every run that was asked for has ended; in so many frames, one after the other, the page shows all of it.
SETTLED = """(frames) => {
  const all = (selector, holds) => [...document.querySelectorAll(selector)].every(holds);
  const none = (selector) => !document.querySelector(selector);
  const holds = {
    runsEnded: window.mlfsRuns?.ended,
    notRunning: document.querySelector('.stApp')?.getAttribute('data-test-script-state') === 'notRunning',
    menuThere: !none('.st-key-menu a'),
    nothingStale: none('[data-stale=true]'),
    nothingLoading: none('[data-testid=stSkeleton]'),
    figuresThere: all('[class*="st-key-"] .stBidiComponent',
      (part) => part.closest('.st-key-first-figure') || part.querySelector('.mlfs-figure')),
    figuresDrawn: all('.mlfs-figure', (place) => place.shown && place.drawn === place.wanted),
    // The first figure of a visit asks for a run as soon as it is drawn, in which nothing waits for it any more.
    firstFigureTold: none('.st-key-first-figure') || none('.mlfs-figure'),
  };
  window.unsettled = Object.keys(holds).filter((name) => !holds[name]);
  window.rested = window.unsettled.length ? 0 : (window.rested ?? 0) + 1;
  return window.rested >= frames;
}"""


expect.set_options(timeout=1000 * GUARD)


@pytest.fixture(scope="package")
def store_path(tmp_path_factory):
    """Where the server keeps its studies."""
    return tmp_path_factory.mktemp("app") / "studies.sqlite"


@pytest.fixture(scope="package")
def address(store_path):
    with serving(log=store_path.parent / "log.txt", MLFS_STORE=str(store_path)) as direct, slowed(direct) as address:
        yield address


@pytest.fixture(scope="package")
def browser():
    try:
        with chromium() as browser:
            yield browser
    except NoBrowser as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="package")
def known_tab(browser):
    """A tab that may have been at the app before."""
    return _tab(browser)


@pytest.fixture
def visit(browser, address, known_tab):
    """Opens a page of the app; afterwards there was no error and no stranger was called."""
    tabs, wrong = [known_tab], []
    watchers = {
        "pageerror": lambda error: wrong.append(f"script error: {error}"),
        "console": lambda message: wrong.append(message.text) if _is_error(message) else None,
        "request": lambda request: wrong.append(request.url) if _is_foreign(request.url) else None,
    }

    def watch(page):
        for event, watcher in watchers.items():
            page.on(event, watcher)
        return page

    def open_page(path="/", width=1280, theme="light", fresh=False, wait="[data-testid=stSidebar]"):
        """`fresh`: in a browser that was never here, beside the page that was opened before."""
        if fresh:
            tabs.append(watch(_tab(browser)))
        page = tabs[-1]
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=theme)
        page.goto(address + path)
        page.wait_for_selector(wait, state="attached")
        settle(page)
        return page

    watch(known_tab)
    yield open_page
    with suppress(Error):  # there may be no page
        known_tab.evaluate("localStorage.clear()")  # whether somebody has closed the sidebar
    known_tab.goto("about:blank")
    for event, watcher in watchers.items():
        known_tab.remove_listener(event, watcher)
    for page in tabs[1:]:
        page.context.close()
    assert wrong == []


def _tab(browser):
    context = browser.new_context(accept_downloads=True)
    context.add_init_script(WATCH_RUNS)
    context.set_default_timeout(1000 * GUARD)
    page = context.new_page()
    slow_down(page)
    return page


def settle(page):
    """Wait until the page rests: it shows all of the last run that it has asked for."""
    page.evaluate("window.rested = 0")
    try:
        page.wait_for_function(SETTLED, arg=5)
    except TimeoutError as late:
        raise AssertionError(f"never settled: {page.evaluate('[unsettled, mlfsRuns]')}") from late


def run_study(page, sign):
    """Press Run until the study shows the sign of its results; one that is short begins by itself meanwhile."""
    run = page.locator(".st-key-run button")

    def begun():
        if run.is_visible():
            with suppress(TimeoutError):
                run.click(timeout=1000)
            settle(page)
        return sign.is_visible()

    run.or_(sign).first.wait_for()
    until(begun)


def _is_error(message):
    return message.type == "error" and not PROBES.search(message.location.get("url", ""))


def _is_foreign(url):
    return urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).hostname != "127.0.0.1"
