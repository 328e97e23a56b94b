"""On a wall, whatever the page: the picture in its full width, no sidebar, controls on demand, a link for the class."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from pages.parts.menu import PAGES
from tests.browser.conftest import SIDEBAR, rests_at, settle
from tests.browser.test_explore import ONE_SPLIT, curves, query
from tests.browser.test_pages import check

# The figure and the line below it end above the end of the screen, and not far above it.
FILLED = """() => {
  const figure = document.querySelector('.st-key-curves-figure .js-plotly-plot').getBoundingClientRect();
  return figure.bottom <= innerHeight && figure.bottom > 0.8 * innerHeight;
}"""
# By how many of its own sizes each name beside a figure's rows is apart from the next, at the least.
APART = """() => {
  const names = [...document.querySelectorAll('.ytick text')];
  const size = parseFloat(getComputedStyle(names[0]).fontSize);
  const middles = names.map((name) => { const box = name.getBoundingClientRect(); return (box.top + box.bottom) / 2; });
  return Math.min(...middles.slice(1).map((middle, i) => Math.abs(middle - middles[i]))) / size;
}"""


@pytest.mark.parametrize("name", [name.lower() for name in PAGES if name != "Home"])
def test_a_page_has_no_sidebar_on_a_wall_and_is_whole_when_it_comes_off(walk, name):
    page = walk(f"/{name}?present=1")
    expect(page.locator(SIDEBAR)).to_be_hidden()
    expect(page.locator("[data-testid=stExpandSidebarButton]")).to_be_hidden()
    rests_at(page, True, "document.querySelector('[data-testid=stMain]').getBoundingClientRect().width >= 1279")
    expect(page.get_by_role("button", name="End presentation")).to_be_visible()
    expect(page.locator(".st-key-show-controls")).to_have_count(int(name != "learn"))
    # Off the wall it is the page that its address opens.
    page.get_by_role("button", name="End presentation").click()
    page.locator(SIDEBAR).wait_for(state="visible")
    settle(page)
    check(page)
    if name == "learn":  # two rows of buttons, next to each other, and then the sliders
        rests_at(page, True, "document.querySelector('.st-key-presets').clientHeight < 120")


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_moved_most_stands_above_the_picture_and_the_rest_is_a_click_away(walk, width):
    """Type is larger, too."""
    size = "parseFloat(getComputedStyle(document.querySelector('.st-key-method label p')).fontSize)"
    page = walk(f"{ONE_SPLIT}&present=1", width)
    assert curves(page)
    large = page.evaluate(size)
    slider, figure = (page.locator(f".st-key-{key}").bounding_box() for key in ("els-n_labels", "curves-figure"))
    assert slider["y"] < figure["y"]
    buttons = page.locator(".st-key-presentation")
    assert buttons.bounding_box()["x"] >= 0  # on a telephone, too
    page.get_by_role("button", name="Controls").click()
    page.locator(".st-key-data").wait_for(state="visible")
    settle(page)
    box = page.locator(".st-key-data").bounding_box()
    assert 0 <= box["x"] < box["x"] + box["width"] <= width
    assert not page.locator(".st-key-menu").is_visible()
    page.get_by_role("button", name="Hide controls").click()
    page.locator(SIDEBAR).wait_for(state="hidden")
    assert query(page)["present"] == "1"
    page.get_by_role("button", name="End presentation").click()
    page.wait_for_url(lambda address: "present" not in address)
    settle(page)
    assert large > page.evaluate(size)


def test_who_follows_the_code_on_the_wall_is_not_on_a_wall(walk):
    page = walk("/learn?present=1&topic=bound", wait=".js-plotly-plot")
    page.locator(".st-key-share button").first.click()
    code = page.locator("[data-testid=stPopoverBody] [data-testid=stCode]")
    code.wait_for()
    assert parse_qs(urlsplit(code.inner_text().strip()).query) == {"topic": ["bound"]}
    page.keyboard.press("Escape")


def test_the_controls_of_a_lesson_share_a_row_so_that_its_figure_is_not_flat(walk):
    page = walk("/learn?present=1&topic=dominance", wait=".js-plotly-plot")
    keys = ("labels", "mapd-alpha", "draw", "across", "up", "feature")
    boxes = [page.locator(f".st-key-{key}").bounding_box() for key in keys]
    assert max(box["y"] for box in boxes) < min(box["y"] + box["height"] for box in boxes)
    figure = page.locator(".st-key-learn-dominance-figure .js-plotly-plot").bounding_box()
    assert figure["height"] > 400
    assert figure["y"] + figure["height"] <= 801


def test_no_number_beside_a_slider_is_cut(visit):
    page = visit("/learn?present=1&topic=redundancy", width=820, wait=".js-plotly-plot")
    cut = (
        "[...document.querySelectorAll('.stMetric *')].filter((each) => each.scrollWidth > each.clientWidth + 1).length"
    )
    assert page.locator(".stMetric").count() == 2
    rests_at(page, 0, cut)


@pytest.mark.parametrize("height", [800, 1080])
def test_curves_fill_the_wall_and_end_with_it(visit, height):
    page = visit("/explore?repeats=1&present=1")
    page.set_viewport_size({"width": 1920, "height": height})
    settle(page)
    rests_at(page, True, f"({FILLED})()")


def test_names_beside_rows_do_not_touch_each_other_where_a_figure_is_to_end_with_the_screen(walk):
    page = walk("/learn?tour=zhang_2020_grro&step=2&present=1", wait=".js-plotly-plot")
    rests_at(page, True, f"({APART})() > 1.1")
