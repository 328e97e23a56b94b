"""Widgets that are moved again before the server has answered: they stay where the person has left them."""

from __future__ import annotations

import re
from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.conftest import move_ahead, settle
from tests.browser.test_explore import open_list

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
    """One word at each move."""

    def move(page, place, turn):
        open_list(page, page.locator(place)).get_by_role("option", name=words[turn]).click()

    return move


RIGHT, LEFT = press("ArrowRight"), press("ArrowLeft")
MORE, REMOVE = click("[data-testid=stNumberInputStepUp]"), click("[aria-label^=Remove]")
# By address: the key of a widget, how it is moved, what it shows before and after each move, and what of the link is
# changed in the end.
MOVES = {
    "explore?repeats=1&method=grro": [
        ("grro.alpha", LEFT, "9, 8, 7, 6", {"grro.alpha": "0.1"}),
        ("most", LEFT, "50, 49, 48, 47", {"most": "47"}),
        ("seed", MORE, "0, 1, 2, 3", {"seed": "3"}),
        ("scaling", choose("Z-scores", "None"), "None, Z-scores, None", {}),
        ("stratified", click("label"), "false, true, false", {}),
    ],
    "explore?repeats=1&pins=els,scls,fimf,mapd": [
        ("pins", REMOVE, "ELS SCLS FIMF MAPD, SCLS FIMF MAPD, FIMF MAPD, MAPD", {"pins": "mapd"}),
    ],
    "learn?tour=zhou_2023_mapd": [("step", step, "1, 2, 3, 4", {"step": "4"})],
    "noise?methods=els": [("methods:els:0:n_labels", RIGHT, "0, 1, 2, 3", {"methods": "els:n_labels=2"})],
    "data?data=synthetic": [("synthetic.noise", RIGHT, "0.1, 0.2, 0.3, 0.4", {"data": "synthetic:noise=0.4"})],
}


def place_of(key):
    return ".st-key-" + re.sub(r"[^\w-]", "-", key)


def moved(page, key, move, times):
    """All that the widget shows from before the moves until the page rests after them."""
    place = place_of(key)
    page.evaluate(WATCH, place)
    move_ahead(page, [partial(move, page, place, turn) for turn in range(times)])
    return ", ".join(page.evaluate("window.seen"))


@pytest.mark.parametrize("path", MOVES)
def test_a_widget_that_is_moved_again_never_goes_back(visit, path):
    page = visit(f"/{path}")
    for fold in page.locator("[class*=-fold] summary").all():
        fold.click()
        settle(page)
    for key, move, shown, changed in MOVES[path]:
        before = parse_qs(urlsplit(page.url).query)
        assert moved(page, key, move, shown.count(", ")) == shown, key
        assert parse_qs(urlsplit(page.url).query) == before | {name: [text] for name, text in changed.items()}, key


def test_nor_does_one_of_a_page_that_was_left(visit):
    page = visit("/explore?repeats=1&most=40")
    page.locator(".st-key-menu a", has_text="Data").click()
    settle(page)
    page.locator(".st-key-menu a", has_text="Explore").click()
    page.wait_for_selector(place_of("most"))
    settle(page)
    assert moved(page, "most", LEFT, 3) == "40, 39, 38, 37"
    assert "most=37" in page.url
