"""docs/add-a-paper.md, done as it says."""

from __future__ import annotations

import json

import pytest

from mlfs.evaluation import compare, get_protocol
from tests.docs.pages import blocks

PAGE = blocks("add-a-paper.md")
[USE] = [block for block in PAGE if block.language == "sh"]
EXPORT = USE.text.splitlines()[0]


@pytest.fixture(scope="module")
def author(newcomer):
    """Somebody who has written every file of the page and run its commands."""
    newcomer.follow(PAGE)
    newcomer.printed = newcomer.shell(USE.text)
    return newcomer


def test_its_numbers_stand_beside_those_of_a_run(author):
    listed, *_, told = author.printed.partition("Twenty Features Are Enough")
    assert "zhang_2020_grro" in listed, "those of mlfs come first"
    assert "doe_2024, Table 1. Hamming loss with 20 features." in told
    document = json.loads(author.shell(f"{EXPORT}\nmlfs paper show doe_2024 table1 --measured --json"))
    row = next(row for row in document["beside"]["hamming_loss"] if row["setting"] == "els")
    value = compare(["emotions"], ["els"], get_protocol("given", sizes=(20,)), metrics=["hamming_loss"])["value"].iloc[
        0
    ]
    assert (row["dataset"], row["published"]) == ("emotions", 0.215)
    assert row["measured"] == pytest.approx(value, rel=1e-5)
    assert document["runs"][0]["command"] == "mlfs paper run doe_2024 table1 --datasets emotions"


def test_the_finding_is_made_of_the_stored_run(author):
    assert "The losses differ from the printed ones by ELS 0.0" in author.printed
    assert (author.folder / "mine/doe_2024/measured/doe_2024.csv").exists()


PAGES = """
from streamlit.testing.v1 import AppTest

for page, query in (("papers", {"paper": "doe_2024"}), ("learn", {"tour": "doe_2024"})):
    app = AppTest.from_file("pages/main.py", default_timeout=120)
    app.session_state["drawn"] = True  # what only a browser says
    app.switch_page(f"{page}.py")
    app.query_params.update(query)
    app.run()
    assert not app.exception and not app.error, (app.exception, app.error)
    kinds = (app.header, app.subheader, app.markdown, app.caption)
    print(*(part.value for kind in kinds for part in kind), *(part.proto.body for part in app.get("html")), sep="\\n")
"""


def test_the_app_shows_it(author):
    told = author.python(PAGES, MLFS_EXTENSIONS="doe_2024", PYTHONPATH="mine")
    assert "Twenty Features Are Enough" in told
    assert "Table 1 · Hamming loss, 20 features" in told
    assert "The losses differ from the printed ones" in told
    assert "1. How much each label holds" in told
    assert "holds most, " in told


def test_in_mlfs_it_needs_the_folder_only(author):
    folder = "mlfs/papers/doe_2024"
    told = author.shell(f"mv mine/doe_2024 {folder}\nmlfs paper show doe_2024\nmv {folder} mine/doe_2024")
    assert "The losses differ from the printed ones by ELS 0.0" in told
