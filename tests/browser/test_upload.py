"""Uploads in a real browser: taken, refused, and seen by nobody else."""

from mlfs.datasets import make_synthetic, write_dataset
from tests.browser.conftest import settle


def give(page, *files):
    """Hand files to the uploader of the Data page and ask for them to be used."""
    if not page.locator("[data-testid=stFileUploader]").first.is_visible():
        page.get_by_text("Upload", exact=True).first.click()
    page.set_input_files("[data-testid=stFileUploader] input[type=file]", [str(file) for file in files])
    page.get_by_role("button", name="Use these files").click()
    settle(page)


def test_a_mulan_pair_becomes_the_data_set_of_this_session_only(visit, tmp_path):
    ds = make_synthetic(n_instances=60, n_relevant=3, n_redundant=1, n_irrelevant=2, n_labels=3, seed=5)
    files = write_dataset(ds, tmp_path / "mine.arff")
    page = visit("/data")
    give(page, *files)
    page.wait_for_selector("h2:has-text('mine')")
    assert "data=upload-" in page.url
    assert "60" in page.locator("[data-testid=stMetric]").first.inner_text()

    stranger = visit("/explore?repeats=1", fresh=True)
    stranger.locator(".st-key-data input").click()
    assert "mine" not in stranger.locator("[role=listbox]").inner_text()
    followed = visit("/" + page.url.split("/", 3)[3])
    told = followed.locator("[data-testid=stAlert]").first.inner_text()
    assert "upload the same file on the Data page" in told

    # The owner takes it along to the other pages.
    page.locator(".st-key-menu a", has_text="Explore").click()
    page.wait_for_selector(".st-key-curves-figure .js-line", state="attached")
    assert "data=upload-" in page.url


def test_a_refused_file_says_why_and_leaves_everything_as_it_was(visit, tmp_path):
    broken = tmp_path / "broken.arff"
    broken.write_text("@relation 'x: -C 2'\n@attribute a {0,1}\n@data\n0,1,7\n")
    page = visit("/data?data=yeast")
    give(page, broken)
    told = page.locator("[data-testid=stAlertContentError]").first.inner_text()
    assert told.count(".") >= 1
    assert "Traceback" not in told
    assert "data=yeast" in page.url
    assert page.locator("h2:has-text('yeast')").count() == 1
