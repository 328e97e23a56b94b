"""What the tests here rest on: a page counts as settled only once it shows what was asked for, however slow the way."""

from itertools import islice
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import settle
from tests.browser.slow import delaying, settings


def test_a_page_is_not_settled_before_the_answer_to_a_click(known_tab, address):
    seconds = [0.0]
    with delaying(urlsplit(address).port, lambda _: iter(lambda: seconds[0], None)) as port:
        known_tab.goto(f"http://127.0.0.1:{port}/learn?tour=zhou_2023_mapd&step=2")
        settle(known_tab)
        seconds[0] = 0.5
        known_tab.get_by_role("button", name="Next").click()
        settle(known_tab)
        assert "step=3" in known_tab.url
        assert known_tab.locator("h3").first.inner_text().startswith("3. ")
        known_tab.goto("about:blank")


def first_delays(text, way):
    delays, _ = settings(text)
    return list(islice(delays(way), 20))


def test_what_is_slow_is_named_in_the_environment():
    assert settings("") == (None, 1)
    assert settings("network,processor")[1] == 6
    assert first_delays("network", 0) == 2 * [*9 * [0.3], 1.0]
    drawn = first_delays("random:1", 0)
    assert drawn == first_delays("random:1", 0)
    assert all(0 <= each < 3 for each in drawn)
    assert drawn not in (first_delays("random:1", 1), first_delays("random:2", 0))
    with pytest.raises(ValueError, match="MLFS_SLOW cannot be 'netwrok': network, random:SEED or processor"):
        settings("netwrok")
