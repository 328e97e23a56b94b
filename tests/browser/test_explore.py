"""Explore in a real browser: live, in the link, taken away."""

import csv
import io
import re
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import TimeoutError

from mlfs import load_dataset
from mlfs.evaluation import averaged, explore_all, get_protocol
from tests.browser.conftest import settle
from tests.waiting import until

CURVES = ".st-key-curves-figure .scatterlayer .js-line"
# One split, so that the picture rests as soon as it is there.
ONE_SPLIT = "/explore?repeats=1"


def curves(page):
    page.wait_for_selector(CURVES, state="attached")
    return page.eval_on_selector_all(CURVES, "lines => lines.map(line => line.getAttribute('d'))")


def values(page):
    """What the curves are, wherever the ends of their axes are."""
    return page.evaluate("""() => document.querySelector('.st-key-curves-figure .mlfs-figure')._fullData
      .map((trace) => [trace.name, Array.from(trace.x), Array.from(trace.y)])""")


def query(page):
    return {key: values[0] for key, values in parse_qs(urlsplit(page.url).query).items()}


def move(page, key, press="ArrowRight"):
    page.focus(f".st-key-{key} input[type=range]")
    page.keyboard.press(press)


def open_list(page, place):
    """The list of a menu, open; one that opens while the page still moves is closed again."""
    menu, found = place.locator("input"), page.locator("[role=listbox]")

    def opened():
        menu.click()
        with suppress(TimeoutError):
            found.wait_for(timeout=1000)
        return found.is_visible()

    until(opened)
    return found


def wait_for_change(page, before):
    page.wait_for_function(
        """([selector, before]) => {
            const now = Array.from(document.querySelectorAll(selector), (line) => line.getAttribute('d'));
            return now.length && now.join() !== before.join();
        }""",
        arg=[CURVES, before],
    )
    settle(page)


# Frames in which the first figure was another element than at first, or had no curves.
WATCH = """(curves) => {
  const first = document.querySelector('.st-key-curves-figure .js-plotly-plot');
  window.gone = 0;
  const look = () => {
    const now = document.querySelector('.st-key-curves-figure .js-plotly-plot');
    if (now !== first || !document.querySelector(curves)) window.gone += 1;
    requestAnimationFrame(look);
  };
  look();
}"""


def test_a_slider_changes_the_curves_in_place_and_the_link_and_back_undoes_it(visit):
    page = visit(f"{ONE_SPLIT}&method=grro")
    drawn, first = curves(page), values(page)
    page.evaluate(WATCH, CURVES)
    move(page, "grro-alpha", "ArrowLeft")
    wait_for_change(page, drawn)
    assert page.evaluate("window.gone") == 0
    drawn, second, link = curves(page), values(page), page.url
    assert query(page)["grro.alpha"] == "0.5"

    again = visit(urlsplit(link).path + "?" + urlsplit(link).query, fresh=True)
    assert again.url == link
    curves(again)
    assert values(again) == second

    page.go_back()
    wait_for_change(page, drawn)
    assert values(page) == first
    assert "grro.alpha" not in query(page)


def test_wrong_values_in_the_link_give_way_with_a_note(walk):
    page = walk(f"{ONE_SPLIT}&method=grro&grro.alpha=-3&split=nonsense&data=emotions")
    told = page.locator("[data-testid=stAlert]").all_inner_texts()
    assert any("alpha must be a number from 0.001 to 1000.0, not -3.0" in note for note in told)
    assert any("nonsense" in note for note in told)
    assert curves(page)
    assert "grro.alpha" not in query(page)


def test_the_repeats_follow_as_a_band_and_the_table_downloads_as_it_is_shown(walk):
    page = walk("/explore?repeats=2&method=els&els.n_labels=3")
    page.wait_for_selector("text=emotions: 2 splits")
    settle(page)
    assert "mean ± standard deviation" in page.locator(".st-key-curves-figure").inner_text()
    with page.expect_download() as event:
        page.locator(".st-key-numbers-CSV button").click()
    rows = list(csv.DictReader(io.StringIO(event.value.path().read_text(encoding="utf-8"))))
    protocol = get_protocol("quick", repeats=2)
    expected = averaged(explore_all(load_dataset("emotions"), ("els", {"n_labels": 3}), protocol))
    assert [int(float(row["size"])) for row in rows] == expected["size"].tolist()
    assert [float(row["hamming_loss"]) for row in rows] == expected["hamming_loss"].tolist()
    assert event.value.suggested_filename.endswith(".csv")


def test_the_figure_downloads_as_svg(walk):
    page = walk(f"{ONE_SPLIT}&method=els")
    curves(page)
    page.locator(".st-key-curves-save button").first.click()
    with page.expect_download() as event:
        page.locator(".st-key-curves-SVG button").click()
    text = event.value.path().read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "Hamming loss" in text
    assert "ELS" in text
    # Two curves and two levels, and both kinds in the legend.
    assert len(re.findall('class="js-line"', text)) == 6


def test_a_presentation_can_be_ended_on_a_telephone(visit):
    page = visit(f"{ONE_SPLIT}&present=1", 390)
    page.get_by_role("button", name="End presentation").click()
    page.wait_for_url(lambda address: "present" not in address)
    page.get_by_role("button", name="End presentation").wait_for(state="detached")
    page.locator("[data-testid=stExpandSidebarButton]").click()
    page.locator(".st-key-menu").wait_for(state="visible")
