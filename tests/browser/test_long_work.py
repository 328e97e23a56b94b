"""Long work in a real browser: it goes on without the page, shows how far it is, and stops when told to."""

import re

from playwright.sync_api import expect

from mlfs.studies import Store
from tests.browser.conftest import settle
from tests.waiting import until

# Some minutes of work: it must be stopped, not waited for.
LONG = "/sensitivity?data=scene&method=grro&vary=alpha,beta&repeats=30"


def done_and_total(page):
    text = page.locator("[data-testid=stProgress]").first.inner_text()
    found = re.search(r"(\d+) of ([\d,]+) runs", text)
    return (int(found[1]), int(found[2].replace(",", ""))) if found else (0, 0)


def test_a_study_survives_leaving_the_page_and_stops_when_cancelled(visit, store_path):
    page = visit(LONG)
    page.locator(".st-key-run button").click()
    page.wait_for_selector("[data-testid=stProgress]")
    page.wait_for_function(
        r"() => /^[1-9]\d* of/.test(document.querySelector('[data-testid=stProgress]')?.innerText ?? '')",
    )
    before, total = done_and_total(page)
    assert total > 100
    page.locator(".st-key-menu a", has_text="Learn").click()
    page.wait_for_url("**/learn*")
    settle(page)
    with Store(store_path) as store:
        until(lambda: store.studies()[-1].done > before)
    page.go_back()
    page.wait_for_function(
        "(before) => parseInt(document.querySelector('[data-testid=stProgress]')?.innerText ?? '0') > before",
        arg=before,
    )
    page.locator(".st-key-cancel button").click()
    page.wait_for_selector("text=Cancelled.")
    expect(page.locator(".st-key-run button")).to_have_text("Resume")
