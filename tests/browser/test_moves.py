"""Widgets that are moved again before the server has answered: they stay where the person has left them."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.conftest import settle
from tests.browser.slow import delaying

# All that a widget has shown since, frame by frame.
WATCH = """(place) => {
  const shown = () => {
    const [widget] = document.querySelectorAll(`${place} :is(input, textarea)`);
    const chosen = [...document.querySelectorAll(`${place} :is([data-tag], [data-selected]):not(template *)`)];
    const value = widget?.type === 'checkbox' ? String(widget.checked) : widget?.value ?? '';
    return value || chosen.map((each) => each.innerText).join(' ');
  };
  const seen = window.seen = [shown()];
  const look = () => {
    if (shown() !== seen.at(-1)) seen.push(shown());
    if (seen === window.seen) requestAnimationFrame(look);
  };
  look();
}"""


def press(key):
    def move(page, place, _):
        page.focus(f"{place} input")
        page.keyboard.press(key)

    return move


def click(what):
    return lambda page, place, _: page.locator(f"{place} {what}").first.click()


def step(page, place, turn):
    page.locator(f"{place} [role=radio]").nth(turn + 1).click()


def choose(*words):
    """One word at the first move, the other at the second."""

    def move(page, place, turn):
        page.locator(f"{place} input").fill(words[turn])
        page.keyboard.press("Enter")

    return move


RIGHT, LEFT = press("ArrowRight"), press("ArrowLeft")
MORE = click("[data-testid=stNumberInputStepUp]")
# By address: the key of a widget, how it is moved, what it shows before and after each of two moves, and what of the
# link is changed then.
MOVES = {
    "explore?repeats=1&method=grro": [
        ("grro.alpha", LEFT, "9, 8, 7", {"grro.alpha": "0.2"}),
        ("most", LEFT, "50, 49, 48", {"most": "48"}),
        ("seed", MORE, "0, 1, 2", {"seed": "2"}),
        ("scaling", choose("minmax", "none"), "none, minmax, none", {}),
        ("stratified", click("label"), "false, true, false", {}),
    ],
    "explore?repeats=1&pins=els,scls,fimf": [
        ("pins", click("[aria-label^=Remove]"), "ELS SCLS FIMF, SCLS FIMF, FIMF", {"pins": "fimf"}),
    ],
    "learn?tour=zhou_2023_mapd": [("step", step, "1, 2, 3", {"step": "3"})],
    "noise?methods=els": [("methods:els:0:n_labels", RIGHT, "0, 1, 2", {"methods": "els:n_labels=1"})],
    "data?data=synthetic": [("synthetic.noise", RIGHT, "0.1, 0.2, 0.3", {"data": "synthetic:noise=0.3"})],
}


@pytest.fixture
def slow_tab(known_tab, address):
    """``slow_tab(path)``: the tab at that path; from then on either way takes 0.6 s."""
    seconds = [0.0]

    def open_page(path):
        known_tab.goto(f"http://127.0.0.1:{port}/{path}")
        settle(known_tab)
        for fold in known_tab.locator("[class*=-fold] summary").all():
            fold.click()
            settle(known_tab)
        seconds[0] = 0.6
        return known_tab

    with delaying(urlsplit(address).port, lambda _: iter(lambda: seconds[0], None)) as port:
        yield open_page
        known_tab.goto("about:blank")


def place_of(key):
    return ".st-key-" + re.sub(r"[^\w-]", "-", key)


def moved_twice(page, place, move):
    """All that the widget shows from before the moves until the page rests after them."""
    page.evaluate(WATCH, place)
    for turn in range(2):
        move(page, place, turn)
        page.wait_for_timeout(200)
    for _ in range(2):
        settle(page)
        page.wait_for_timeout(1000)
    return ", ".join(page.evaluate("window.seen"))


@pytest.mark.parametrize("path", MOVES)
def test_a_widget_that_is_moved_twice_never_goes_back(slow_tab, path):
    page = slow_tab(path)
    for key, move, shown, changed in MOVES[path]:
        before = parse_qs(urlsplit(page.url).query)
        assert moved_twice(page, place_of(key), move) == shown, key
        assert parse_qs(urlsplit(page.url).query) == before | {name: [text] for name, text in changed.items()}, key


def test_nor_does_one_of_a_page_that_was_left(slow_tab):
    page = slow_tab("explore?repeats=1&most=40")
    page.locator(".st-key-menu a", has_text="Data").click()
    settle(page)
    page.locator(".st-key-menu a", has_text="Explore").click()
    page.wait_for_selector(place_of("most"))
    settle(page)
    assert moved_twice(page, place_of("most"), LEFT) == "40, 39, 38"
    assert "most=38" in page.url
