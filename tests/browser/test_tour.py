"""Learn in the browser: steps are addresses, which the back button and the arrow keys follow; a lesson on a wall."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import rests_within_its_width, settle


def title(page):
    return page.locator("h3").first.inner_text()


def test_steps_are_addresses(walk):
    page = walk("/learn?tour=zhou_2023_mapd&step=2&mapd.alpha=0.7", wait=".js-plotly-plot")
    assert title(page).startswith("2. ")
    page.get_by_role("button", name="Next").click()
    page.wait_for_url("**step=3*")
    settle(page)
    assert title(page).startswith("3. ")
    assert "mapd.alpha=0.7" in page.url
    page.go_back()
    page.wait_for_url("**step=2*")
    page.wait_for_selector("h3:has-text('2. ')")
    settle(page)
    assert "mapd.alpha=0.7" in page.url


@pytest.mark.parametrize("step", [("wang_2020_elc", 2), ("zhang_2020_grro", 1)])
def test_matrices_fit_a_telephone(walk, step):
    page = walk(f"/learn?tour={step[0]}&step={step[1]}", 400, "dark", wait=".js-plotly-plot")
    rests_within_its_width(page)


NAMES_AND_HEADINGS = """() => {
  const edge = (selector, side) => [...document.querySelectorAll(`.js-plotly-plot ${selector}`)]
    .map((part) => part.getBoundingClientRect()[side]);
  const lowest = {};
  for (const tick of document.querySelectorAll('.js-plotly-plot .xaxislayer-above')) {
    const ticks = [...tick.querySelectorAll('text')].map((text) => text.getBoundingClientRect());
    if (ticks.length) lowest[ticks[0].top] = Math.max(...ticks.map((box) => box.bottom));
  }
  const ordered = (edges) => edges.sort((a, b) => a - b);
  return { names: ordered(Object.values(lowest)), headings: ordered(edge('.annotation', 'top')) };
}"""


@pytest.mark.parametrize("how", ["", "&present=1"])
def test_names_below_a_matrix_do_not_touch_the_next_heading(walk, how):
    page = walk(f"/learn?tour=zhang_2020_grro{how}", 390, wait=".js-plotly-plot")
    seen = page.evaluate(NAMES_AND_HEADINGS)
    assert len(seen["headings"]) == len(seen["names"]) == 3
    for names, heading in zip(seen["names"][:-1], seen["headings"][1:], strict=True):
        assert names <= heading


@pytest.mark.parametrize("where", ["topic=bound", "tour=lee_kim_2016&step=5"])
def test_a_wall_shows_words_controls_and_the_whole_picture_at_once(walk, where):
    page = walk(f"/learn?present=1&{where}", wait=".js-plotly-plot")
    box = page.locator(".js-plotly-plot").first.bounding_box()
    assert box["y"] + box["height"] <= page.viewport_size["height"]
    assert box["height"] >= 0.4 * page.viewport_size["height"]


def test_a_picture_on_a_wall_follows_what_stands_above_it(walk):
    """It is drawn while the page before still stands there; what is left of that page goes later."""
    walk("/learn?present=1&topic=dominance", wait=".js-plotly-plot")
    page = walk("/learn?present=1&tour=lee_kim_2016&step=5", wait=".js-plotly-plot")
    for share in (0.1, 0):
        page.evaluate(ABOVE, share)
        page.wait_for_function(WHOLE)


# Something else at the top of the page, as high as a share of the screen.
ABOVE = """(share) => {
  const page = document.querySelector('[data-testid=stMainBlockContainer]');
  if (!page.querySelector('.above')) page.prepend(Object.assign(document.createElement('div'), { className: 'above' }));
  page.querySelector('.above').style.height = `${share * innerHeight}px`;
}"""
WHOLE = """() => {
  const { bottom, height } = document.querySelector('.js-plotly-plot').getBoundingClientRect();
  return bottom <= innerHeight && height >= 0.3 * innerHeight;
}"""


def test_the_arrow_keys_step(walk):
    page = walk("/learn?tour=zhou_2023_mapd&step=2", wait=".js-plotly-plot")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=3*")
    settle(page)
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**step=2*")
    settle(page)
    # Within a slider they belong to the slider.
    page.locator("input[type=range], [role=slider]").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**place=*")
    assert "step=2" in page.url


@pytest.mark.parametrize("way", ["back", "next"])
def test_a_slider_keeps_the_arrow_keys_no_longer_than_its_lesson(walk, way):
    page = walk("/learn?tour=lee_kim_2016&step=2", wait=".js-plotly-plot")
    if way == "back":
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**step=3*")
        settle(page)
    page.locator("input[type=range], [role=slider]").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**els.n_labels=*")
    settle(page)
    if way == "back":
        page.go_back()  # the slider where it was
        settle(page)
        page.go_back()
        page.wait_for_url("**step=2*")
    else:  # as a finger does, which takes the focus from nothing
        page.evaluate("document.querySelector('.st-key-step-next button').click()")
        page.wait_for_url("**step=3*")
    settle(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=3*" if way == "back" else "**step=4*")


def test_a_lesson_on_a_wall(walk):
    walk("/learn?topic=bound", wait=".js-plotly-plot")
    page = walk("/learn?present=1&topic=bound", wait=".js-plotly-plot")
    assert not page.locator("[data-testid=stSidebar]").is_visible()
    words = page.get_by_text("A feature cannot tell more about a label")
    assert words.is_visible()
    assert page.evaluate("(p) => parseFloat(getComputedStyle(p).fontSize)", words.element_handle()) >= 20
    width = page.locator(".js-plotly-plot").first.bounding_box()["width"]
    assert width > 0.8 * page.viewport_size["width"]
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("h1:has-text('Redundancy')")
    settle(page)
    assert {"present=1", "topic=redundancy"} <= set(page.url.partition("?")[2].split("&"))
    page.locator(".st-key-share button").first.click()
    page.locator("[data-testid=stPopoverBody] img").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="End presentation").click()
    page.wait_for_url(lambda address: "present" not in address)
    expect(page.locator("[data-testid=stSidebar]")).to_be_visible()


def test_a_lesson_on_a_telephone(walk):
    page = walk("/learn?present=1&topic=dominance", 390, wait=".js-plotly-plot")
    rests_within_its_width(page)
    way_out, heading = (
        page.get_by_role("button", name="End presentation").bounding_box(),
        page.locator("h1").bounding_box(),
    )
    assert way_out["y"] + way_out["height"] <= heading["y"]
    assert way_out["x"] + way_out["width"] <= 390
    assert page.get_by_text("On the board").count() == 1
    assert page.get_by_text("Ask the class").count() == 1
