"""A ranking's whole way in a real browser: from the rows of the splits to its curve beside a method's."""

from __future__ import annotations

import numpy as np

from mlfs import load_dataset, make_selector
from tests.browser.conftest import run_study, settle
from tests.browser.test_explore import open_list
from tests.browser.test_upload import Clicks

BOX = ".st-key-ranking-box"


def press(page, place):
    place.click()
    settle(page)


def their_program(rows_file, file):
    """Ranks the features on the training rows of each split, and writes one column for each, counted from 1."""
    table, ds = np.loadtxt(rows_file, delimiter=",", skiprows=1, dtype=int), load_dataset("synthetic")
    rows = [table[train == 1, 0] - 1 for train in table[:, 1:].T]
    orders = [make_selector("els", n_features_to_select=10).fit(ds.X[each], ds.Y[each]).ranking_[:10] for each in rows]
    np.savetxt(file, np.column_stack(orders) + 1, fmt="%d", delimiter=",")


def test_from_the_rows_of_the_splits_to_its_curve_beside_others(visit, tmp_path):
    file = tmp_path / "my method.csv"
    page = visit("/compare?sets=synthetic&methods=els&repeats=2&most=10")
    clicks = Clicks()
    clicks.do(press, page, page.locator(f"{BOX} summary"))
    with page.expect_download() as download:
        clicks.do(press, page, page.get_by_text("Rows of synthetic, from 1"))
    their_program(download.value.path(), file)

    page.set_input_files(f"{BOX} input[type=file]", str(file))
    clicks.do(press, page, page.get_by_role("button", name="Use this ranking"))
    page.wait_for_url("**rankings=ranking-*")
    settle(page)
    assert "counted from 1, best first" in page.locator(BOX).inner_text()
    assert clicks.count == 3  # and Run, unless it takes a moment only
    run_study(page, page.get_by_text("all done."))
    settle(page)

    figure = page.locator(".st-key-curves-figure").first
    assert {"ELS", "my method"} <= set(figure.inner_text().split("\n"))
    main = page.locator("[data-testid=stMain]").inner_text()
    assert "my method: one ranking for each split, taken to be of the training rows of these splits (seed 0)" in main
    assert "saw test rows" not in main
    rows = [line.split("\t") for line in page.locator("[data-testid=stTable]").first.inner_text().split("\n")]
    losses = {name: cells[:2] for name, *cells in rows}
    assert losses["my method"] == losses["ELS"]  # their program is ELS

    # Nobody else sees it.
    stranger = visit("/" + page.url.split("/", 3)[3], fresh=True)
    assert "upload the same file in the box" in stranger.locator("[data-testid=stAlert]").first.inner_text()
    assert "my method" not in stranger.locator("[data-testid=stMain]").inner_text()


def test_a_refused_file_says_why_and_a_choice_mends_it(visit, tmp_path):
    file = tmp_path / "few.csv"
    file.write_text("3\n4\n")
    page = visit("/explore?data=synthetic&repeats=1&most=10")
    page.locator(f"{BOX} summary").click()
    page.set_input_files(f"{BOX} input[type=file]", str(file))
    page.get_by_role("button", name="Use this ranking").click()
    page.locator(BOX).get_by_text("few.csv holds neither 0 nor 50").wait_for()
    settle(page)
    counted = page.locator(f"{BOX} [data-testid=stSelectbox]", has_text="counted from")
    open_list(page, counted).get_by_text("1, as in MATLAB and R").click()
    settle(page)
    page.get_by_role("button", name="Use this ranking").click()
    page.locator("[data-testid=stMain]").get_by_text("few (saw test rows) on synthetic").wait_for()
