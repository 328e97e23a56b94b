"""A guided tour in the browser: its steps are addresses, which the back button follows; settings stay in them."""

import pytest

from tests.browser.conftest import settle


def title(page):
    return page.locator("h3").first.inner_text()


def test_steps_are_addresses(visit):
    page = visit("/learn?tour=zhou_2023_mapd&step=2&mapd.alpha=0.7", wait=".js-plotly-plot")
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
def test_matrices_fit_a_telephone(visit, step):
    page = visit(f"/learn?tour={step[0]}&step={step[1]}", 400, "dark", wait=".js-plotly-plot")
    main = "document.querySelector('[data-testid=stMain]')"
    assert page.evaluate(f"{main}.scrollWidth <= {main}.clientWidth + 1")
