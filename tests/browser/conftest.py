"""One server and one browser for all tests here; a fresh context, watched, for each."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from tests.browser.server import NoBrowser, chromium, serving

# Streamlit looks for its server's root below the page's address first, and is told 404 there.
PROBES = re.compile(r"/\w+/_stcore/(health|host-config)$")


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("app")
    with serving(log=folder / "log.txt", MLFS_STORE=str(folder / "studies.sqlite")) as found:
        yield found


@pytest.fixture(scope="session")
def browser():
    try:
        with chromium() as found:
            yield found
    except NoBrowser as reason:
        pytest.skip(str(reason))


@pytest.fixture
def visit(browser, address):
    """Opens a page of the app in a context of its own; afterwards there was no error and no stranger was called."""
    contexts, wrong = [], []

    def watch(page):
        page.on("pageerror", lambda error: wrong.append(f"script error: {error}"))
        page.on("console", lambda message: wrong.append(message.text) if _is_error(message) else None)
        page.on("request", lambda request: wrong.append(request.url) if _is_foreign(request.url) else None)

    def open_page(path="/", width=1280, theme="light", context=None, wait="[data-testid=stSidebar]"):
        if context is None:
            context = browser.new_context(
                viewport={"width": width, "height": 800}, color_scheme=theme, accept_downloads=True
            )
            contexts.append(context)
        page = context.new_page()
        watch(page)
        page.goto(address + path)
        page.wait_for_selector(wait, state="attached", timeout=60_000)
        settle(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def settle(page, seconds=60):
    """Wait until the script has run and no element waits for its successor."""
    page.wait_for_function(
        """() => document.querySelector('.stApp')?.getAttribute('data-test-script-state') === 'notRunning'
               && document.querySelector('.st-key-menu a')""",
        timeout=1000 * seconds,
    )
    page.wait_for_timeout(300)


def _is_error(message):
    return message.type == "error" and not PROBES.search(message.location.get("url", ""))


def _is_foreign(url):
    return urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).hostname != "localhost"
