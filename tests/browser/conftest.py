"""One server and one browser for all tests here; each opens tabs of its own, which are watched.

The tabs share what a browser keeps of an address it has been at: a page opens in a fraction of the time of its first
visit. Of the app nothing is shared, for each tab is a session of its own.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from tests.browser.server import NoBrowser, chromium, serving
from tests.waiting import GUARD

# Streamlit looks for its server's root below the page's address first, and is told 404 there.
PROBES = re.compile(r"/\w+/_stcore/(health|host-config)$")
# In so many frames, one after the other, the script has run and no element waits for its successor.
SETTLED = """(frames) => {
  const rests = document.querySelector('.stApp')?.getAttribute('data-test-script-state') === 'notRunning'
    && document.querySelector('.st-key-menu a') && !document.querySelector('[data-stale=true]');
  window.rested = rests ? (window.rested ?? 0) + 1 : 0;
  return window.rested >= frames;
}"""


@pytest.fixture(scope="session")
def store_path(tmp_path_factory):
    """Where the server keeps its studies."""
    return tmp_path_factory.mktemp("app") / "studies.sqlite"


@pytest.fixture(scope="session")
def address(store_path):
    with serving(log=store_path.parent / "log.txt", MLFS_STORE=str(store_path)) as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    try:
        with chromium() as browser:
            yield browser
    except NoBrowser as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def known_browser(browser):
    """A context that keeps the files of the app from one test to the next."""
    with browser.new_context(accept_downloads=True) as context:
        context.set_default_timeout(1000 * GUARD)
        yield context


@pytest.fixture
def visit(browser, address, known_browser):
    """Opens a page of the app in a tab of its own; afterwards there was no error and no stranger was called."""
    opened, wrong = [], []

    def watch(page):
        page.on("pageerror", lambda error: wrong.append(f"script error: {error}"))
        page.on("console", lambda message: wrong.append(message.text) if _is_error(message) else None)
        page.on("request", lambda request: wrong.append(request.url) if _is_foreign(request.url) else None)

    def open_page(path="/", width=1280, theme="light", fresh=False, wait="[data-testid=stSidebar]"):
        """`fresh`: in a browser that was never here."""
        context = known_browser
        if fresh:
            context = browser.new_context()
            context.set_default_timeout(1000 * GUARD)
        page = context.new_page()
        opened.append(context if fresh else page)
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=theme)
        watch(page)
        page.goto(address + path)
        page.wait_for_selector(wait, state="attached")
        settle(page)
        return page

    yield open_page
    for tab in opened:
        tab.close()
    assert wrong == []


def settle(page):
    """Wait until the page rests."""
    page.evaluate("window.rested = 0")
    page.wait_for_function(SETTLED, arg=5)


def _is_error(message):
    return message.type == "error" and not PROBES.search(message.location.get("url", ""))


def _is_foreign(url):
    return urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).hostname != "127.0.0.1"
