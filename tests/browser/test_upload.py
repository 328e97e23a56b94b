"""Uploads in a real browser: from a table of one's own to Explore, kept over a reload, refused, seen by nobody else."""

import numpy as np
import pytest
from playwright.sync_api import expect
from scipy.io import savemat

from mlfs.datasets import make_synthetic, write_dataset
from tests.browser.conftest import settle
from tests.browser.test_explore import open_list

# Of the text on what is behind it, in the preview: 1 to 21, and 4.5 is enough to read.
CONTRAST = """(cell) => {
  const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * (top[3] ?? 1) + below[i] * (1 - (top[3] ?? 1)));
  const style = getComputedStyle(cell);
  const page = parse(getComputedStyle(document.querySelector('.stApp')).backgroundColor);
  const light = (rgb) => rgb.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = over(parse(style.backgroundColor), page);
  const ink = over([...parse(style.color).slice(0, 3), Number(style.opacity)], behind);
  const [low, high] = [light(ink), light(behind)].sort((a, b) => a - b);
  return { contrast: (high + 0.05) / (low + 0.05), fill: behind.map(Math.round).join() };
}"""


class Clicks:
    """Counts what a person has to do."""

    def __init__(self):
        self.count = 0

    def do(self, action, *arguments):
        self.count += 1
        action(*arguments)


def choose(page, *files):
    """Hand files to the uploader of the Data page."""
    page.set_input_files("[data-testid=stFileUploader] input[type=file]", [str(file) for file in files])


def give(page, *files):
    """Hand files to the uploader of the Data page and ask for them to be used."""
    choose(page, *files)
    page.get_by_role("button", name="Use these files").click()
    settle(page)


@pytest.fixture
def table(tmp_path):
    """A CSV with 3 labels at its end, and the numbers of its rows in front."""
    ds = make_synthetic(n_instances=60, n_relevant=3, n_redundant=1, n_irrelevant=2, n_labels=3, seed=5)
    [plain] = write_dataset(ds, tmp_path / "plain.csv")
    lines = plain.read_text().splitlines()
    numbered = ["customer_id," + lines[0], *(f"{100 + 7 * i},{line}" for i, line in enumerate(lines[1:]))]
    path = tmp_path / "mine.csv"
    path.write_text("\n".join(numbered) + "\n")
    return path


def test_from_a_table_of_ones_own_to_explore_in_three_steps(visit, table):
    page, clicks = visit("/data"), Clicks()
    clicks.do(choose, page, table)
    page.wait_for_selector(".mlfs-preview td")
    settle(page)
    assert page.locator(".mlfs-preview th.label").count() == 3
    assert page.locator(".mlfs-preview th.unused").inner_text().startswith("customer_id")
    assert page.locator(".mlfs-preview tbody tr").count() == 6
    proposed = page.locator("[data-testid=stRadio] label", has=page.locator("input:checked"))
    assert proposed.inner_text().strip() == "the last 3 columns (proposed)"
    clicks.do(page.get_by_role("button", name="Use these files").click)
    page.wait_for_selector("h2:has-text('mine')")
    settle(page)
    clicks.do(page.get_by_text("Explore this data →").click)
    page.wait_for_url("**/explore?data=upload-*")
    page.wait_for_selector(".st-key-curves-figure .js-line", state="attached")
    assert clicks.count == 3
    page.reload()  # and it is still there
    page.wait_for_selector(".st-key-curves-figure .js-line", state="attached")
    settle(page)
    assert page.locator("[data-testid=stAlert]").count() == 0


def test_from_a_matlab_file_through_a_corrected_guess_to_the_answer(visit, tmp_path):
    """As many features as instances, so that both ways round would do: the first guess is wrong."""
    ds = make_synthetic(n_instances=40, n_relevant=3, n_redundant=0, n_irrelevant=37, n_labels=3, seed=5)
    savemat(tmp_path / "lab.mat", {"fea": ds.X.T, "gnd": 2.0 * ds.Y.T - 1, "row": np.arange(1.0, 41)})
    page, clicks = visit("/data"), Clicks()

    def pick(label, option):
        page.locator("[data-testid=stSelectbox]", has_text=label).locator("input").click()
        page.locator("[role=option]", has_text=option).click()

    clicks.do(choose, page, tmp_path / "lab.mat")
    page.get_by_text("do not tell features from labels; choose both above.").wait_for()
    clicks.do(pick, "Features", "fea")
    clicks.do(pick, "Labels", "gnd")
    page.get_by_text("the sizes would fit another way too, so check this").wait_for()
    second = page.locator(".mlfs-preview tbody tr:nth-child(2) td:first-child")
    expect(second).to_have_text(f"{ds.X[0, 1]:.6g}")  # the second feature of the first instance
    clicks.do(pick, "Instances", "each column of both is an instance")
    expect(second).to_have_text(f"{ds.X[1, 0]:.6g}")
    clicks.do(page.get_by_role("button", name="Use these files").click)
    page.wait_for_selector("h2:has-text('lab')")
    settle(page)
    clicks.do(page.get_by_text("Explore this data →").click)
    page.locator("[data-testid=stMain] strong", has_text="Keep ").wait_for()
    assert clicks.count == 6


def test_labels_are_coloured_and_all_can_be_read_in_either_theme(visit, table):
    page = visit("/data")
    choose(page, table)
    page.wait_for_selector(".mlfs-preview td")
    cells = {kind: page.locator(f".mlfs-preview td{kind}").first for kind in (".label", ".unused", ":not([class*=l])")}
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        expect(page.locator(".stApp")).to_have_css("color-scheme", theme)
        settle(page)
        seen = {kind: cell.evaluate(CONTRAST) for kind, cell in cells.items()}
        assert all(each["contrast"] >= 4.5 for each in seen.values()), seen
        assert seen[".label"]["fill"] != seen[".unused"]["fill"]


def test_a_mulan_pair_is_its_browsers_only(visit, tmp_path):
    ds = make_synthetic(n_instances=60, n_relevant=3, n_redundant=1, n_irrelevant=2, n_labels=3, seed=6)
    files = write_dataset(ds, tmp_path / "pair.arff")
    page = visit("/data")
    give(page, *files)
    page.wait_for_selector("h2:has-text('pair')")
    page.wait_for_url("**/data?*data=upload-*")
    settle(page)
    assert "60" in page.locator("[data-testid=stMetric]").first.inner_text()
    assert page.evaluate("document.cookie").find("mlfs-owner") == -1  # no script can read it

    tab = page.context.new_page()  # another tab of the same browser
    tab.goto(page.url)
    tab.wait_for_selector("h2:has-text('pair')")
    tab.close()

    stranger = visit("/explore?repeats=1", fresh=True)
    offered = open_list(stranger, stranger.locator(".st-key-data")).inner_text()
    assert "emotions" in offered
    assert "pair" not in offered
    followed = visit("/" + page.url.split("/", 3)[3])
    told = followed.locator("[data-testid=stAlert]").first.inner_text()
    assert "which only its owner has: upload the same file on the Data page" in told

    # The owner takes it along to the other pages.
    page.locator(".st-key-menu a", has_text="Explore").click()
    page.wait_for_url("**/explore?*data=upload-*")
    page.wait_for_selector(".st-key-curves-figure .js-line", state="attached")
    assert "data=upload-" in page.url


def test_a_refused_file_says_why_and_leaves_everything_as_it_was(visit, tmp_path):
    broken = tmp_path / "broken.arff"
    broken.write_text("@relation 'x: -C 2'\n@attribute a {0,1}\n@data\n0,1,7\n")
    page = visit("/data?data=yeast")
    choose(page, broken)
    told = page.locator("[data-testid=stAlertContentError]").first.inner_text()
    settle(page)
    assert told.count(".") >= 1
    assert "Traceback" not in told
    assert "data=yeast" in page.url
    assert page.locator("h2:has-text('yeast')").count() == 1
