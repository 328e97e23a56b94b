"""A ranking's whole way in a real browser: from the file to its curve beside the methods', clicks counted."""

from __future__ import annotations

from tests.browser.conftest import settle

BOX = ".st-key-ranking-box"


class Clicks:
    """Clicks on a page, counted."""

    def __init__(self, page):
        self.page, self.count = page, 0

    def on(self, place):
        self.count += 1
        place.click()
        settle(self.page)


def test_from_the_file_to_its_curve_beside_others(visit, tmp_path):
    file = tmp_path / "my method.csv"
    file.write_text("\n".join(str(index) for index in range(50, 0, -1)))
    page = visit("/compare?sets=synthetic&methods=els&repeats=2&most=10")
    clicks = Clicks(page)
    clicks.on(page.locator(f"{BOX} summary"))
    with page.expect_download() as download:
        page.get_by_text("Rows of synthetic, from 1").click()
    assert download.value.path().read_text().startswith("row_from_1,split_1_train,split_2_train\n1,")

    page.set_input_files(f"{BOX} input[type=file]", str(file))
    settle(page)
    clicks.on(page.get_by_role("button", name="Use this ranking"))
    page.wait_for_url("**rankings=ranking-*")
    settle(page)
    assert "counted from 1, best first" in page.locator(BOX).inner_text()
    clicks.on(page.locator(".st-key-run button"))
    page.get_by_text("all there.").wait_for()
    settle(page)
    assert clicks.count == 3

    figure = page.locator(".st-key-curves-figure").first
    assert {"ELS", "my method (test rows in sight)"} <= set(figure.inner_text().split("\n"))
    main = page.locator("[data-testid=stMain]").inner_text()
    assert "my method: one ranking for all rows, selected with the test rows in sight" in main
    assert "my method (test rows in sight)" in page.locator("[data-testid=stTable]").first.inner_text()

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
    settle(page)
    page.get_by_role("button", name="Use this ranking").click()
    settle(page)
    page.locator(BOX).get_by_text("few.csv holds neither 0 nor 50").wait_for()
    settle(page)
    page.locator(f"{BOX} [data-testid=stSelectbox]", has_text="counted from").locator("input").click()
    page.locator("[role=option]", has_text="1, as in MATLAB and R").click()
    settle(page)
    page.get_by_role("button", name="Use this ranking").click()
    page.locator("[data-testid=stMain]").get_by_text("few (test rows in sight) on synthetic").wait_for()
