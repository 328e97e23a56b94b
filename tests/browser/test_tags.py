"""Tags that are put in and taken out faster than the address follows: what a person chose stays."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.browser.conftest import move_ahead, run_again, settle
from tests.browser.test_explore import open_list
from tests.waiting import until

# The link that opens a page, the key of its tags, and two that are added: as menus and as links write them.
PAGES = {
    "compare": ("sets=emotions,yeast,scene&methods=els", "methods", {"SPFS": "spfs", "MICO": "mico"}),
    "noise": ("methods=fimf", "methods", {"ELS": "els", "SCLS": "scls"}),
    "pareto": ("methods=mapd", "methods", {"ELS": "els", "SCLS": "scls"}),
    "sensitivity": ("method=grro&vary=alpha", "vary", {"β": "beta", "Bins": "n_bins"}),
    "explore": ("repeats=2&metrics=hamming_loss", "metrics", {"One-error": "one_error", "Coverage": "coverage"}),
    "significance": ("without=mfs", "without", {"ELS": "els", "FIMF": "fimf"}),
}


@pytest.mark.parametrize("name", PAGES)
def test_tags_stay_as_they_were_left(visit, name):
    query, key, added = PAGES[name]
    page = visit(f"/{name}?{query}")
    tags = page.locator(f".st-key-{key} .react-aria-ComboBox [data-tag]")
    first, second = added

    def put_in(typed):
        place, option = page.locator(f".st-key-{key}"), page.get_by_role("option").filter(has_text=typed)

        def offered():
            open_list(page, place)
            place.locator("input").fill(typed)
            with suppress(TimeoutError):
                option.first.wait_for(timeout=1000)
            return option.count()

        until(offered)  # what is typed while a list opens may be lost
        option.first.click()
        tags.filter(has_text=typed).wait_for()

    def take_out():
        tags.filter(has_text=first).get_by_label("Remove").click()

    move_ahead(page, [lambda: put_in(first), lambda: put_in(second), take_out])
    expect(page.get_by_text("estimating the time")).to_have_count(0)  # with its end it asks for a run of its own
    for wait in (settle, run_again):
        wait(page)
        chosen = " ".join(tags.all_inner_texts())
        assert second in chosen
        assert first not in chosen
        words = parse_qs(urlsplit(page.url).query)[key][0].split(",")
        assert added[second] in words
        assert added[first] not in words
