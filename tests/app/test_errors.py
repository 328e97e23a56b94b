"""Work in the background that fails in a way nobody foresaw: a sentence, once in the log, and the page goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from mlfs.errors import DatasetError, MlfsError
from mlfs.stopping import GivenUp
from pages.parts import downloads, searching
from pages.parts.errors import as_sentence
from tests.app.job_queue import press, said, until
from tests.waiting import GUARD

SENTENCE = "The {} failed because of a bug in mlfs: the terminal that runs the app shows the details."


def broken(*_, **__):
    raise KeyError("x")


def test_a_download(open_page, monkeypatch, caplog):
    monkeypatch.setattr(downloads, "download_dataset", broken)
    app = open_page("data")
    app.selectbox(key="download-name").set_value("birds").run()
    press(app, "Download")
    app.session_state["download"].job.wait(1, GUARD)
    for _ in range(2):
        app.run()
        assert [error.value for error in app.error] == [SENTENCE.format("download")]
    assert app.metric, "the page is there"
    assert [record.exc_info[0] for record in caplog.records if record.name == "mlfs"] == [KeyError]


def test_a_search(open_page, engine, monkeypatch):
    monkeypatch.setattr(searching, "search", broken)
    app = open_page("sensitivity", data="synthetic")
    app = until(press(app, "Search"), lambda app: len(app.error) > 0)
    assert [error.value for error in app.error] == [SENTENCE.format("search")]
    assert "70 runs · about 3 s" in said(app)


@pytest.mark.parametrize("problem", [DatasetError("A sentence."), GivenUp()])
def test_what_was_foreseen_passes(problem):
    def task():
        raise problem

    with pytest.raises(type(problem)) as error:
        as_sentence("It", task)
    assert error.value is problem


def test_lack_of_memory():
    def task():
        raise MemoryError

    with pytest.raises(MlfsError, match="The search ran out of memory: try fewer rows, features or methods"):
        as_sentence("The search", task)


def test_every_part_that_is_drawn_again_is_watched_over():
    pages = Path(downloads.__file__).parents[1]
    direct = [path.name for path in pages.rglob("*.py") if "st.fragment(" in path.read_text(encoding="utf-8")]
    assert direct == ["errors.py"]


@pytest.mark.parametrize("word", ["²", "9" * 30, "9" * 5000])
@pytest.mark.parametrize("page", ["compare", "sensitivity", "significance", "pareto"])
def test_a_link_to_a_study_that_can_have_no_such_number(open_page, engine, page, word):
    app = open_page(page, source="study", study=word)
    assert not app.exception
    assert "bug in mlfs" not in said(app)
