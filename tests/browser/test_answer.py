"""The answer in a real browser: from a table of one's own to the list of features, and what else can be taken away."""

import csv
import io
import json
import re
import zipfile
from html import unescape
from urllib.parse import parse_qs, urlsplit

from mlfs.answer import SHORTLIST, answer, answer_settings
from mlfs.datasets import load_dataset, make_synthetic, read_dataset, write_dataset
from mlfs.evaluation import get_protocol, sizes_up_to
from tests.browser.conftest import settle
from tests.browser.test_upload import Clicks, choose

OPENER = ".st-key-answer-box summary"


def downloaded(page, label):
    """The file behind a button of the box; of two with this label, the first."""
    with page.expect_download() as event:
        page.locator(".st-key-answer-box button", has_text=label).first.click()
    return event.value


def test_from_a_table_of_ones_own_to_the_list_of_features_in_four_steps(visit, tmp_path):
    ds = make_synthetic(n_instances=60, n_relevant=3, n_redundant=1, n_irrelevant=2, n_labels=3, seed=5)
    [table] = write_dataset(ds, tmp_path / "mine.csv")
    page, clicks = visit("/data"), Clicks()
    clicks.do(choose, page, table)
    clicks.do(page.get_by_role("button", name="Use these files").click)
    page.wait_for_selector("h2:has-text('mine')")
    settle(page)
    clicks.do(page.get_by_text("Explore this data →").click)
    page.wait_for_selector("text=mine: 10 splits")
    page.wait_for_selector(".st-key-answer-features-CSV")  # the box is open: the list is what a table was brought for
    settle(page)
    files = []
    clicks.do(lambda: files.append(downloaded(page, "CSV")))
    assert clicks.count == 4

    settings = answer_settings([SHORTLIST[0]], protocol=get_protocol("quick", repeats=10, sizes=sizes_up_to(6)))
    found = answer(load_dataset(table, labels=-3), settings, draws=0)
    rows = list(csv.DictReader(io.StringIO(files[0].path().read_text(encoding="utf-8"))))
    assert [row["feature"] for row in rows] == found.selection.names


def test_all_files_hold_the_same_features(visit, tmp_path):
    page = visit("/explore?repeats=2&method=grro&keep=number&number=7")
    page.wait_for_selector("text=emotions: 2 splits")
    settle(page)
    page.locator(OPENER).click()
    page.wait_for_selector(".st-key-answer-features-CSV")
    settle(page)
    names = {row["name"] for row in json.loads(downloaded(page, "List (JSON)").path().read_text("utf-8"))}
    assert len(names) == 7

    def data_in(label, file_name, **how):
        file = tmp_path / file_name
        file.write_bytes(downloaded(page, label).path().read_bytes())
        return set(read_dataset([file], **how).feature_names)

    assert data_in("Smaller data (CSV)", "small.csv", labels=-6) == names
    assert data_in("Smaller data (MATLAB)", "small.mat") == names
    both = zipfile.ZipFile(downloaded(page, "Smaller data (ARFF and XML)").path())
    assert sorted(both.namelist()) == ["emotions.arff", "emotions.xml"]
    assert "n_features_to_select=7" in downloaded(page, "Python program").path().read_text("utf-8")
    report = downloaded(page, "Report").path().read_text("utf-8")
    [back] = re.findall('<a href="([^"]*)">Open the live page', report)
    here, there = urlsplit(page.url), urlsplit(unescape(back))
    assert (there.netloc, there.path, parse_qs(there.query)) == (here.netloc, here.path, parse_qs(here.query))
    assert all(name in report for name in names)
