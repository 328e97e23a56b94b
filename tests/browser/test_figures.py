"""Figures in a real browser: soon there, in the ink of the theme, made small when the window is; a page as a code."""

from urllib.parse import parse_qs, urlsplit

from tests.browser.conftest import settle
from tests.browser.test_explore import ONE_SPLIT, curves


def test_a_figure_follows_the_theme_and_the_window_and_plotly_is_asked_for_with_the_page_itself(visit):
    page = visit(ONE_SPLIT, theme="dark")
    curves(page)
    began = page.evaluate("""() => ['mlfs/plotly-', '_stcore/host-config'].map((name) =>
      performance.getEntriesByType('resource').find((entry) => entry.name.includes(name)).startTime)""")
    assert began[0] < began[1]
    color = page.eval_on_selector(".st-key-curves-figure .xtick text", "e => getComputedStyle(e).fill")
    assert color == page.eval_on_selector("body .stApp", "e => getComputedStyle(e).color")
    wide = page.eval_on_selector(".st-key-curves-figure .main-svg", "e => e.getBoundingClientRect().width")
    page.set_viewport_size({"width": 900, "height": 800})
    page.wait_for_function(
        """(wide) => document.querySelector('.st-key-curves-figure .main-svg').getBoundingClientRect().width < wide""",
        arg=wide,
    )


def test_panels_stand_one_below_the_other_on_a_telephone(walk):
    page = walk(ONE_SPLIT, 390)
    curves(page)
    below = """([below]) => {
      const [first, second] = [...document.querySelectorAll('.st-key-curves-figure .cartesianlayer .subplot')]
        .map((panel) => panel.querySelector('.gridlayer').getBoundingClientRect());
      return first && second && (second.top >= first.bottom) === below;
    }"""
    page.wait_for_function(below, arg=[True])
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function(below, arg=[False])


def test_a_page_is_shared_as_a_link_and_a_code(walk):
    page = walk(f"{ONE_SPLIT}&method=grro&grro.alpha=2")
    page.locator(".st-key-share button").first.click()
    code = page.locator("[data-testid=stPopoverBody] [data-testid=stCode]")
    code.wait_for()
    shared, here = urlsplit(code.inner_text().strip()), urlsplit(page.url)
    assert shared[:3] == here[:3]
    assert parse_qs(shared.query) == parse_qs(here.query)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the link").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == code.inner_text().strip()
    page.wait_for_function("() => document.querySelector('[data-testid=stPopoverBody] img')?.naturalWidth > 100")
    assert "this computer only" in page.locator("[data-testid=stPopoverBody]").inner_text()


def test_a_cloud_in_three_dimensions_becomes_a_flat_figure_when_a_label_is_taken_away(visit):
    """The whole of Plotly is fetched for it alone, and what it drew makes way for what the smaller one draws."""
    page = visit("/pareto?data=emotions&labels=amazed-suprised,happy-pleased,sad-lonely")
    solid, flat = (page.locator(f".st-key-front-figure {part}") for part in (".gl-container canvas", ".xtick"))
    solid.first.wait_for(state="attached")
    names = page.evaluate("() => performance.getEntriesByType('resource').map((entry) => entry.name)")
    assert len({name for name in names if "/mlfs/plotly-" in name}) == 2
    page.locator(".st-key-labels [data-tag] button").last.click()
    flat.first.wait_for(state="attached")
    settle(page)
    assert solid.count() == 0
