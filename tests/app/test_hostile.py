"""Names of strangers are shown letter by letter on every page, and what leaves the app is safe to open."""

from __future__ import annotations

import csv
import io
import re

import pytest

from mlfs.evaluation import Explorer
from mlfs.spreadsheet import FORMULA as SIGNS
from mlfs.studies import MethodGrid, Plan, run
from mlfs.tables.table_text import packed
from pages.parts import exports, studies
from pages.parts.data import upload_name
from tests.app.hostile import FIGURES, MARKUP, WORDS, hostile_dataset, leaks, rendered
from tests.app.job_queue import finished, press, until
from tests.app.owned_uploads import give_upload
from tests.app.test_rankings import give

DS = hostile_dataset()
NAME = upload_name(DS)
EXPLORER = Explorer(DS)
PAGES = {
    "home": {},
    "data": {"data": NAME},
    "explore": {"data": NAME, "method": "els"},
    "compare": {"sets": NAME, "methods": "els,igmf"},
    "noise": {"data": NAME, "methods": "els,igmf"},
    "pareto": {"data": NAME},
    "sensitivity": {"data": NAME, "method": "els"},
    "significance": {},
    "learn": {},
    "papers": {},
    "methods": {"data": NAME},
}


def kinds_of(leaking) -> set[str]:
    """Which guards would have held what leaks."""
    return {FIGURES if "figure" in kind else WORDS for kind, _ in leaking}


@pytest.fixture
def taken(monkeypatch):
    """What the downloads of a page would be, by file name; but for data sets, whose names must be read again.

    Those are written by `write_dataset` alone, as docs/security.md says.
    """
    files: dict[str, object] = {}

    def download(label, make, file, mime, key):
        if not label.startswith("Smaller data"):
            files[file] = make

    monkeypatch.setattr(exports, "download", download)
    monkeypatch.setattr("plotly.io._html.get_plotlyjs", str)  # megabytes, and nobody's names
    return files


@pytest.fixture
def opened(open_page, browser, engine):
    def page(name: str, **query: str):
        browser("ann")
        give_upload(open_page("data"), NAME, EXPLORER, -4)
        return open_page(name, **query)

    return page


@pytest.mark.parametrize("name", PAGES)
def test_no_page_renders_what_strangers_write(opened, taken, name):
    app = opened(name, **PAGES[name])
    assert not app.exception, app.exception[0].value
    assert not [error.value for error in app.error if "bug in mlfs" in error.value]
    if name in ("compare", "sensitivity"):
        app = until(press(app, "Run"), finished)
    assert leaks(app) == []
    if "data" in PAGES[name] or "sets" in PAGES[name]:
        everything = "".join(text for _, text in rendered(app)) + str(app.main)
        assert "onerror" in everything  # the names are there
    for file, make in taken.items():
        check_file(file, make() if callable(make) else make)


def check_file(file: str, content: str | bytes) -> None:
    text = content.decode("utf-8") if isinstance(content, bytes) else content
    if file.endswith(".csv"):
        for row in csv.reader(io.StringIO(text)):
            for cell in row:
                assert not cell or cell.lstrip()[:1] not in SIGNS or is_number(cell), (file, cell)
    elif file.endswith(".tex"):
        body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
        assert "\\input" not in body
        # Without ours: a minus, ±, a Greek letter, a raised or a lowered digit.
        theirs = re.sub(r"(?<!\\)[$](?:-|\\[a-z]+|[\^_][-0-9])[$]", "", body)
        assert not re.search(r"(?<!\\)[$]", theirs)
    elif file.endswith((".html", ".svg")):
        # So Plotly writes it in its data, where it reads markup but for what we keep for those who do not see.
        drawn = re.sub(r'"alt":"(?:[^"\\]|\\.)*"', "", text).replace("\\u003c", "<")
        # Of a long text with one of them in it pytest would make a comparison, line by line.
        assert [tag for tag in ("<img src=x", "<b>big") if tag in text or tag in drawn] == []
    elif file.endswith(".md"):
        assert not any(markup in text for markup in MARKUP)


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


# Names that do not come from a data set. Each test is done once more without the guards that it is about: then it must
# see the names, or another guard would hold them, and nobody knew which.

GUARDED = pytest.mark.parametrize("without", [(), (WORDS,), (FIGURES,)], ids=["guarded", "words", "figures"])


def everything_said(app) -> str:
    return "".join(text for _, text in rendered(app)) + str(app.main)


@GUARDED
def test_names_of_a_pasted_table_are_shown_letter_by_letter(open_page, taken, take_away, without):
    take_away(*without)
    header = ";".join(["data", *(f"{name} m" for name in (MARKUP[0], MARKUP[1], MARKUP[3]))])
    rows = [f"{MARKUP[i % 4]} {i};0.{10 + i};0.{30 + i};0.{50 + i}" for i in range(10)]  # so clear that a name is told
    app = open_page("significance", csv=packed("\n".join([header, *rows])))
    assert not app.exception
    assert not app.error, app.error[0].value
    assert "onerror" in str([frame.value.to_dict() for frame in app.dataframe])
    assert kinds_of(leaks(app)) == set(without)
    if without:
        return
    assert [file for file in taken if file.endswith(".csv")]
    for file, make in taken.items():
        check_file(file, make() if callable(make) else make)


SIZES = {"sizes": [1, 2]}
NAME_OF_STUDIES = f"{MARKUP[0]} {MARKUP[1]} {MARKUP[3]}"
STUDIES = {
    "compare": Plan(NAME_OF_STUDIES, ["synthetic"], ["els", "igmf"], settings=SIZES),
    "pareto": Plan(NAME_OF_STUDIES, ["synthetic"], ["els", "igmf"], settings=SIZES),
    "sensitivity": Plan(NAME_OF_STUDIES, ["synthetic"], [MethodGrid("els", grid={"n_labels": [1, 2]})], settings=SIZES),
    "significance": Plan(NAME_OF_STUDIES, ["synthetic", "emotions"], ["els", "igmf", "mfs"], settings=SIZES),
}


@pytest.mark.parametrize("without", [(), (WORDS,)], ids=["guarded", "words"])
@pytest.mark.parametrize("page", STUDIES)
def test_names_of_studies_are_shown_letter_by_letter(open_page, engine, taken, take_away, page, without):
    """Those of the command line are called as somebody likes, and everybody sees them. Figures do not name studies."""
    take_away(*without)
    number = run(STUDIES[page], studies.job_queue().store, engine=engine).study
    app = open_page(page, source="study", study=str(number))
    assert not app.exception
    assert "onerror" in everything_said(app)
    assert kinds_of(leaks(app)) == set(without)


@GUARDED
def test_the_name_of_a_ranking_is_shown_letter_by_letter(open_page, engine, taken, take_away, without):
    """A ranking's name may not hold every sign, but enough of them."""
    take_away(*without)
    app = open_page("compare", sets="synthetic", methods="els", repeats="2", most="5")
    app.session_state["ranking-box"] = True
    ranking = "\n".join(map(str, range(50, 0, -1))).encode()
    name = f"x<img src>{MARKUP[1]}{MARKUP[2]}{MARKUP[5]}"
    app = give(app.run(), f"{name}.csv", ranking)
    app = until(press(app, "Run"), finished)
    assert not app.exception
    assert not app.error, app.error[0].value
    assert name in str(app.table[0].value.index)
    assert kinds_of(leaks(app)) == set(without)
    if without:
        return
    for file, make in taken.items():
        check_file(file, make() if callable(make) else make)


@pytest.mark.parametrize("without", [(), (WORDS,)], ids=["guarded", "words"])
def test_why_a_ranking_is_refused_is_shown_letter_by_letter(open_page, engine, taken, take_away, without):
    take_away(*without)
    app = open_page("compare", sets="synthetic", methods="els", repeats="2", most="5")
    app.session_state["ranking-box"] = True
    app = give(app.run(), f"{MARKUP[0]}{MARKUP[1]}{MARKUP[3]}.csv", b"1\n2\n")
    assert "onerror" in str([error.value for error in app.error])
    assert kinds_of(leaks(app)) == set(without)
