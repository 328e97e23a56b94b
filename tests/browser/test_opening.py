"""What a click opens: a feature with its rival on Pareto, a method in Explore from Compare; a dropped file on Home."""

from tests.browser.conftest import run_study, settle
from tests.browser.test_clicks import click, trace_of
from tests.browser.test_explore import query
from tests.browser.test_upload import Clicks, choose, table

__all__ = ["table"]  # the fixture

CURVES = ".st-key-curves-figure .mlfs-figure"
RIVALS = ".st-key-rivals-figure .mlfs-figure"
MARKS = "[...document.querySelectorAll('.mlfs-figure')].filter((f) => f.querySelector('.mlfs-marks > *')).length"


def test_a_point_of_the_front_opens_its_feature_and_stays_marked(visit):
    page = visit("/pareto", wait=f"{RIVALS} .main-svg")
    name = page.evaluate("document.querySelector('.st-key-front-figure .mlfs-figure')._fullData[1].text[7]")
    click(page, "front", 1, 7)
    page.wait_for_url("**looked_at=*")
    settle(page)
    assert page.evaluate(f"document.querySelector('{RIVALS}').getAttribute('aria-label')").startswith(f"SU of {name} ")
    assert page.locator("[data-testid=stMain] p", has_text=f"{name} tells most about").count() == 1
    assert page.evaluate(MARKS) >= 2
    page.reload()  # the link shows the same feature
    page.wait_for_selector(f"{RIVALS} .main-svg")
    settle(page)
    assert page.evaluate(f"document.querySelector('{RIVALS}').getAttribute('aria-label')").startswith(f"SU of {name} ")


def test_a_line_of_compare_is_marked_and_opens_in_explore(visit):
    page = visit("/compare?sets=synthetic&methods=els,grro&repeats=2&most=10", wait=CURVES)
    page.evaluate(f"window.figure = document.querySelector('{CURVES}')")
    run_study(page, page.get_by_text("all done"))
    settle(page)
    # It was never made anew, neither with the first run nor after the last: clicks meanwhile would be lost.
    assert page.evaluate(f"document.querySelector('{CURVES}') === window.figure")
    click(page, "curves", trace_of(page, "GRRO"), 4)
    way = page.get_by_role("link", name="Open GRRO with 5 features in Explore")
    way.wait_for()
    settle(page)
    others = page.locator(".st-key-curves-figure .scatterlayer .mlfs-dimmed")
    assert others.count() == 4  # line and band of ELS in both panels
    assert float(others.first.evaluate("(line) => getComputedStyle(line).opacity")) < 0.5
    way.click()
    page.wait_for_url("**/explore*")
    page.wait_for_selector(".st-key-curves-figure .js-line", state="attached")
    settle(page)
    found = query(page)
    assert (found["method"], found["keep"], found["number"]) == ("grro", "number", "5")


def test_from_home_a_file_is_two_steps_from_the_features_to_keep(visit, table):
    page, clicks = visit("/", wait="[data-testid=stFileUploader]"), Clicks()
    clicks.do(choose, page, table)
    page.wait_for_selector(".mlfs-preview td")
    assert page.locator(".mlfs-preview th.label").count() == 3
    clicks.do(page.get_by_role("button", name="Find the features to keep →").click)
    page.wait_for_selector(".st-key-curves-figure .js-line", state="attached")
    page.locator("[data-testid=stMain] strong", has_text="Keep ").wait_for()
    assert "/explore?data=upload-" in page.url
    assert clicks.count == 2
