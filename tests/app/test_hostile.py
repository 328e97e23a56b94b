"""Names of strangers are shown letter by letter on every page, and what leaves the app is safe to open."""

from __future__ import annotations

import csv
import io
import re

import pytest

from mlfs.evaluation import Explorer
from mlfs.spreadsheet import FORMULA as SIGNS
from pages.parts import exports
from pages.parts.data import upload_name
from tests.app.hostile import MARKUP, hostile_dataset, leaks, rendered
from tests.app.job_queue import finished, press, until
from tests.app.owned_uploads import give_upload

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
    "methods": {},
}


@pytest.fixture
def taken(monkeypatch):
    """What the downloads of a page would be, by file name."""
    files: dict[str, object] = {}
    monkeypatch.setattr(exports, "download", lambda label, make, file, mime, key: files.__setitem__(file, make))
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
        assert not re.search(r"(?<!\\)[$](?!-|\\pm|\\)", body.replace("$-$", "").replace("$\\pm$", ""))
    elif file.endswith((".html", ".svg")):
        assert "<img src=x" not in text
        assert "<b>big" not in text
    elif file.endswith(".md"):
        assert not any(markup in text for markup in MARKUP)


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def test_a_leak_would_be_found(opened, monkeypatch):
    """The net has no hole where it matters: names without their escapes are seen in words and in figures."""
    monkeypatch.setattr("pages.parts.words._MARKUP", re.compile("((?!))"))
    monkeypatch.setattr("mlfs.plots.figure.plain", str)
    kinds = {kind for kind, _ in leaks(opened("data", data=NAME)) + leaks(opened("explore", data=NAME, seed="1"))}
    assert {"header", "caption"} <= kinds, kinds
    assert any("figure" in kind for kind in kinds), kinds
