"""Long work in a real browser: it goes on without the page, shows how far it is, and stops when told to."""

import re

from tests.browser.conftest import settle

# Some minutes of work: it must be stopped, not waited for.
LONG = "/sensitivity?data=scene&method=grro&vary=alpha,beta&repeats=30"


def done_and_total(page):
    text = page.locator("[data-testid=stProgress]").first.inner_text()
    found = re.search(r"(\d+) of ([\d,]+) cells", text)
    return (int(found[1]), int(found[2].replace(",", ""))) if found else (0, 0)


def test_a_study_survives_leaving_the_page_and_stops_when_cancelled(visit):
    page = visit(LONG)
    page.locator(".st-key-run button").click(timeout=60_000)
    page.wait_for_selector("[data-testid=stProgress]", timeout=30_000)
    page.wait_for_function(
        r"() => /^[1-9]\d* of/.test(document.querySelector('[data-testid=stProgress]')?.innerText ?? '')",
        timeout=90_000,
    )
    before, total = done_and_total(page)
    assert total > 100
    page.locator(".st-key-menu a", has_text="Learn").click()
    page.wait_for_url("**/learn*", timeout=30_000)
    settle(page)
    page.wait_for_timeout(1500)
    page.go_back()
    page.wait_for_selector("[data-testid=stProgress]", timeout=60_000)
    page.wait_for_function(
        "(before) => parseInt(document.querySelector('[data-testid=stProgress]')?.innerText ?? '0') > before",
        arg=before,
        timeout=60_000,
    )
    page.locator(".st-key-cancel button").click()
    page.wait_for_selector("text=Cancelled.", timeout=60_000)
    assert page.locator(".st-key-run button").inner_text() == "Resume"
