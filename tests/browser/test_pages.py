"""Every page by its address: without errors, strangers or sideways scrolling."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts.menu import PAGES
from tests.browser.conftest import rests_at, rests_within_its_width, settle
from tests.waiting import until

HARD_TO_READ = Path(__file__).with_name("contrast.js").read_text("utf-8")


def check(page):
    assert page.locator("[data-testid=stException]").count() == 0
    assert page.locator("[data-testid=stAlertContentError]").count() == 0
    expect(page.locator("h1")).to_have_count(1)
    expect(page.locator("h1")).to_have_text(re.compile(r"\S"))
    expect(page).to_have_title(re.compile(r" · mlfs$"))
    rests_within_its_width(page)
    rests_at(page, [], HARD_TO_READ)


@pytest.mark.parametrize("name", ["", *(name.lower() for name in PAGES[1:])])
def test_a_page_on_a_telephone_in_the_dark(walk, name):
    """At 1280 in the light, test_presentation.py checks them."""
    check(walk(f"/{name}", 400, "dark"))


@pytest.mark.parametrize("name", ["", "methods"])
def test_a_page_by_its_address(visit, name):
    """Other tests open all others by theirs."""
    check(visit(f"/{name}"))


def test_figures_that_would_be_too_narrow_stand_below_each_other(walk):
    page = walk("/data", wait=".js-plotly-plot")
    for width, below in (1280, False), (820, True):
        page.set_viewport_size({"width": width, "height": 800})
        settle(page)
        bars, map_ = (
            page.locator(f".st-key-emotions-{name}-figure").bounding_box() for name in ("labels", "co-occurrence")
        )
        assert (map_["y"] > bars["y"] + bars["height"]) == below


def test_the_menu_carries_the_data_set_along(visit):
    page = visit("/explore?data=yeast&method=grro&repeats=1")
    page.evaluate("window.sameVisit = true")
    page.locator(".st-key-menu a", has_text="Noise").click()
    page.wait_for_url("**/noise*")
    settle(page)
    assert "data=yeast" in page.url
    page.wait_for_function("document.title === 'Noise · yeast · mlfs'")
    assert page.locator(".st-key-menu strong a").inner_text().endswith("Noise")
    assert page.evaluate("window.sameVisit")  # the session goes on: nothing was loaded anew
    page.go_back()
    page.wait_for_url("**/explore*")
    settle(page)
    assert "data=yeast" in page.url
    assert "method=grro" in page.url


def test_figures_have_words_and_controls_are_reached_by_the_keyboard(walk):
    page = walk("/explore?repeats=1&method=grro", wait=".js-plotly-plot")
    figures = page.locator(".js-plotly-plot")
    assert figures.count() >= 3
    for number in range(figures.count()):
        assert figures.nth(number).get_attribute("role") == "figure"
        assert len(figures.nth(number).get_attribute("aria-label")) > 20
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "document.activeElement.closest('[class*=st-key-]')?.className.match(/st-key-([\\w-]+)/)?.[1]"
            )
        )
    assert {"menu", "data", "method", "grro-alpha", "grro-beta"} <= reached
    # Where the keyboard is can be seen in the menu.
    link = page.locator(".st-key-menu a").nth(1)
    link.focus()
    assert link.evaluate("(link) => getComputedStyle(link).outlineStyle") == "solid"


def test_every_message_is_sent_whole(visit, known_tab):
    """One that refers to an earlier one would stop a browser for good that has just let that one go."""
    kinds = []

    def read(data):
        kinds.append(ForwardMsg.FromString(data).WhichOneof("type"))

    known_tab.once("websocket", lambda socket: socket.on("framereceived", read))
    page = visit("/explore?repeats=1&method=grro")
    for _ in range(2):
        kinds.clear()
        page.locator(".stMain :is(h1, h2)").first.click()
        page.keyboard.press("r")  # runs the page again, with the same figures
        settle(page)
        until(lambda: page.wait_for_timeout(20) or "script_finished" in kinds)
        assert "ref_hash" not in kinds
