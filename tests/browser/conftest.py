"""One server, one browser and one tab for all tests here, which is watched.

A tab that has been at the app opens its next page in a third of the time. Of the app nothing is shared: each opening is
a session of its own, but for tests that `walk`, which share a session and a tab within their module. Browser and tabs
go with the last of these tests, for playwright keeps an event loop running, in which others could not start theirs.
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
# A page is open for a second or two: to compile its programs a second time, for speed, takes longer than they run.
QUICK_TO_START = ["--js-flags=--no-opt --no-maglev"]
# Every run that was asked for has ended; in so many frames, one after the other, the page shows all of it, alike.
SETTLED = """(frames) => {
  const all = (selector, holds) => [...document.querySelectorAll(selector)].every(holds);
  const none = (selector) => !document.querySelector(selector);
  const holds = {
    runsEnded: window.mlfsRuns?.ended,
    notRunning: document.querySelector('.stApp')?.getAttribute('data-test-script-state') === 'notRunning',
    menuThere: !none('.st-key-menu a'),
    nothingStale: none('[data-stale=true]'),
    nothingLoading: none('[data-testid=stSkeleton]'),
    nothingMoves: !document.getAnimations().some(
      (each) => each.playState === 'running' && each.effect.getTiming().iterations !== Infinity),
    figuresThere: all('[class*="st-key-"] .stBidiComponent',
      (part) => part.closest('.st-key-first-figure') || part.querySelector('.mlfs-figure')),
    figuresDrawn: all('.mlfs-figure', (place) => place.shown && place.drawn === place.wanted),
    // The first figure of a visit asks for a run as soon as it is drawn, in which nothing waits for it any more.
    firstFigureTold: none('.st-key-first-figure') || none('.mlfs-figure'),
  };
  // What follows the width of the page does so some frames later.
  const extent = [...document.querySelectorAll('[data-testid=stMain], [data-testid=stSidebar]')]
    .map((part) => [part.clientWidth, part.scrollWidth, part.scrollHeight]).join();
  holds.nothingResized = extent === window.extent;
  window.extent = extent;
  window.unsettled = Object.keys(holds).filter((name) => !holds[name]);
  window.rested = window.unsettled.length ? 0 : (window.rested ?? 0) + 1;
  return window.rested >= frames;
}"""
SIDEBAR = "[data-testid=stSidebar]"
# What a click on a link of the menu does.
FOLLOW = """(path) => {
  document.activeElement?.blur();
  history.pushState({}, '', path);
  window.dispatchEvent(new PopStateEvent('popstate'));
}"""
FRAMES = """async (count) => {
  while (count--) await new Promise(requestAnimationFrame);
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
        with chromium(*QUICK_TO_START) as browser:
            yield browser
    except NoBrowser as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="package")
def known_tab(browser):
    """A tab that may have been at the app before."""
    return _tab(browser)


@pytest.fixture
def watch():
    """``watch(page)``: until the end of the test nothing goes wrong there and no stranger is called."""
    pages, wrong = [], []
    watchers = {
        "pageerror": lambda error: wrong.append(f"script error: {error}"),
        "console": lambda message: wrong.append(message.text) if _is_error(message) else None,
        "request": lambda request: wrong.append(request.url) if _is_foreign(request.url) else None,
    }

    def begin(page):
        pages.append(page)
        for event, watcher in watchers.items():
            page.on(event, watcher)
        return page

    yield begin
    for page in pages:
        for event, watcher in watchers.items():
            page.remove_listener(event, watcher)
    assert wrong == []


@pytest.fixture
def visit(browser, address, known_tab, watch):
    """Opens a page of the app."""
    tabs = [watch(known_tab)]

    def open_page(path="/", width=1280, theme="light", fresh=False, wait=SIDEBAR):
        """`fresh`: in a browser that was never here, beside the page that was opened before."""
        if fresh:
            tabs.append(watch(_tab(browser)))
        page = tabs[-1]
        _dress(page, width, theme)
        page.goto(address + path)
        page.wait_for_selector(wait, state="attached")
        settle(page)
        return page

    yield open_page
    with suppress(Error):  # there may be no page
        known_tab.evaluate("localStorage.clear()")  # whether somebody has closed the sidebar
    known_tab.goto("about:blank")
    for page in tabs[1:]:
        page.context.close()


@pytest.fixture(scope="module")
def walked_tab(known_tab):
    """A tab in which one session goes on through the tests of a module."""
    page = _tab_of(known_tab.context)
    yield page
    page.close()


@pytest.fixture
def walk(walked_tab, address, watch):
    """Goes to a page of the app as a link of its menu does: a session that is here costs half of what a new one does.

    For tests of how a page looks, whoever opened it and what was done before.
    """
    watch(walked_tab)

    def go(path, width=1280, theme="light", wait=SIDEBAR):
        _dress(walked_tab, width, theme)
        if walked_tab.url.startswith(address):
            asked = walked_tab.evaluate("mlfsRuns.asked")
            walked_tab.evaluate(FOLLOW, path)
            walked_tab.wait_for_function("(before) => mlfsRuns.asked > before", arg=asked)
        else:
            walked_tab.goto(address + path)
        walked_tab.wait_for_selector(wait, state="attached")
        settle(walked_tab)
        return walked_tab

    return go


def _dress(page, width, theme):
    page.bring_to_front()  # a tab behind another is given a frame each second, and `settle` waits for five
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=theme)


def _tab(browser):
    context = browser.new_context(accept_downloads=True)
    context.add_init_script(WATCH_RUNS)
    context.set_default_timeout(1000 * GUARD)
    return _tab_of(context)


def _tab_of(context):
    page = context.new_page()
    slow_down(page)
    return page


def settle(page, frames=5):
    """Wait until the page rests: it shows all of the last run that it has asked for."""
    page.evaluate("window.rested = 0")
    try:
        page.wait_for_function(SETTLED, arg=frames)
    except TimeoutError as late:
        raise AssertionError(f"never settled: {page.evaluate('[unsettled, mlfsRuns]')}") from late


def rests_at(page, expected, script):
    """Whether the script gives what is expected, once all is drawn: some of it is so frames after the last run."""
    with suppress(AssertionError):
        until(lambda: page.evaluate(script) == expected)
    assert page.evaluate(script) == expected


def rests_within_its_width(page):
    """Nothing needs scrolling sideways."""
    main = "document.querySelector('[data-testid=stMain]')"
    rests_at(page, True, f"{main}.scrollWidth <= {main}.clientWidth + 1")


def move_ahead(page, moves):
    """Make moves of which the page sees the answers late, as over a slow network, and every one of them.

    The second is made once the first is answered, the third as soon as the page has seen that answer, a fourth at once.
    """

    def show_answer():
        more = page.evaluate("mlfsRuns.deliver()")
        page.evaluate(FRAMES, 10)
        return more

    page.evaluate("mlfsRuns.hold()")
    for number, move in enumerate(moves):
        if number == 1:
            page.wait_for_function("mlfsRuns.arrived.ended")
        if number == 2:
            show_answer()
        before = page.evaluate("mlfsRuns.asked")
        move()
        page.wait_for_function("(before) => mlfsRuns.asked > before", arg=before)
    page.wait_for_function("mlfsRuns.arrived.ended")
    while show_answer():
        pass
    settle(page, 20)


def run_again(page):
    """Have the page run once more as it is."""
    page.locator(".stMain :is(h1, h2)").first.click()
    before = page.evaluate("mlfsRuns.asked")
    page.keyboard.press("r")
    page.wait_for_function("(before) => mlfsRuns.asked > before", arg=before)
    settle(page)


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
