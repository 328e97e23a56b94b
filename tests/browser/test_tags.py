"""Tags that are put in and taken out faster than the address follows: what a person chose stays."""

from __future__ import annotations

from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import TimeoutError

from tests.browser.conftest import settle
from tests.waiting import until

# The link that opens a page, the key of its tags, and two that are added: as menus and as links write them.
PAGES = {
    "compare": ("sets=emotions,yeast,scene&methods=els", "methods", {"SPFS": "spfs", "MICO": "mico"}),
    "noise": ("methods=fimf", "methods", {"ELS": "els", "SCLS": "scls"}),
    "pareto": ("methods=mapd", "methods", {"ELS": "els", "SCLS": "scls"}),
    "sensitivity": ("method=grro&vary=alpha", "vary", {"β": "beta", "Bins": "n_bins"}),
    "explore": ("metrics=hamming_loss", "metrics", {"One-error": "one_error", "Coverage": "coverage"}),
    "significance": ("without=mfs", "without", {"ELS": "els", "FIMF": "fimf"}),
}


def put_in(page, key, typed, tags):
    """Choose by typing and a click, until it is there: a list that is just being replaced takes no click."""
    option = page.get_by_role("option").filter(has_text=typed)

    def chosen():
        page.locator(f".st-key-{key} input").fill(typed)
        with suppress(TimeoutError):
            option.first.click(timeout=1000)
        page.wait_for_timeout(200)
        return tags.filter(has_text=typed).count()

    until(chosen)


@pytest.mark.parametrize("name", PAGES)
def test_tags_stay_as_they_were_left(visit, name):
    query, key, added = PAGES[name]
    page = visit(f"/{name}?{query}")
    tags = page.locator(f".st-key-{key} .react-aria-ComboBox [data-tag]")
    first, second = added
    for typed in added:
        put_in(page, key, typed, tags)
    tags.filter(has_text=first).get_by_label("Remove").click()
    for _ in range(3):  # estimates and figures that arrive later ask for runs of their own
        page.wait_for_timeout(1500)
        settle(page)
        chosen = " ".join(tags.all_inner_texts())
        assert second in chosen
        assert first not in chosen
        words = parse_qs(urlsplit(page.url).query)[key][0].split(",")
        assert added[second] in words
        assert added[first] not in words
