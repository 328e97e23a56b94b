"""Every page by its address: in both themes and widths, without errors, strangers or sideways scrolling."""

import pytest

from pages.parts.menu import PAGES
from tests.browser.conftest import settle


@pytest.mark.parametrize("name", ["", *(name.lower() for name in PAGES[1:])])
@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (400, "dark")])
def test_a_page_by_its_address(visit, name, width, theme):
    page = visit(f"/{name}", width, theme)
    assert page.locator("[data-testid=stException]").count() == 0
    assert page.locator("[data-testid=stAlertContentError]").count() == 0
    assert page.locator("h1, h2").first.inner_text().strip()
    main = "document.querySelector('[data-testid=stMain]')"
    assert page.evaluate(f"{main}.scrollWidth <= {main}.clientWidth + 1")


def test_the_menu_carries_the_data_set_along(visit):
    page = visit("/explore?data=yeast&method=grro&repeats=1")
    page.locator(".st-key-menu a", has_text="Noise").click()
    page.wait_for_url("**/noise*", timeout=30_000)
    settle(page)
    assert "data=yeast" in page.url
    page.go_back()
    page.wait_for_url("**/explore*", timeout=30_000)
    settle(page)
    assert "data=yeast" in page.url
    assert "method=grro" in page.url


def test_every_figure_has_words_for_those_who_do_not_see_it(visit):
    page = visit("/explore?repeats=1")
    page.wait_for_selector(".js-plotly-plot", timeout=60_000)
    settle(page)
    figures = page.locator(".js-plotly-plot")
    assert figures.count() >= 3
    for number in range(figures.count()):
        assert figures.nth(number).get_attribute("role") == "figure"
        assert len(figures.nth(number).get_attribute("aria-label")) > 20


def test_controls_are_reached_by_the_keyboard(visit):
    page = visit("/explore?repeats=1&method=grro")
    page.wait_for_selector(".js-plotly-plot", timeout=60_000)
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "document.activeElement.closest('[class*=st-key-]')?.className.match(/st-key-([\\w-]+)/)?.[1]"
            )
        )
    assert {"menu", "data", "method", "grro-alpha", "grro-beta"} <= reached
