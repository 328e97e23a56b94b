"""Every menu of every page opened on a data set of hostile names: whatever is taken away from there is safe to use."""

from __future__ import annotations

import ast
import re
import shlex
import struct
from html.parser import HTMLParser
from pathlib import Path

import kaleido
import pytest
import streamlit as st

from fuzz import links
from mlfs.answer import answer, answer_settings, parse_rule
from mlfs.answer.export import features_csv
from mlfs.answer.report import report_html
from mlfs.evaluation import get_protocol
from mlfs.plots import can_draw_images, score_bars, to_image
from mlfs.recipes import pipeline_program
from pages.parts import exports
from tests.app.hostile import FIGURES, FILES, MARKUP, NAMES, WORDS, leaks
from tests.app.job_queue import finished, press, until
from tests.app.owned_uploads import give_upload
from tests.app.test_hostile import DS, EXPLORER, NAME, PAGES, check_file, kinds_of

# The smaller data set, which must be read again: for programs, not for spreadsheets, as docs/security.md says.
REDUCED = re.compile(r"-els-\d+\.csv$")
FILE_NAME = re.compile(r"[\w.()+-][\w .()+-]*")


@pytest.fixture
def taken(monkeypatch):
    """What the downloads of a page would be, by file name."""
    files: dict[str, object] = {}

    def keep(label, data, file_name, mime=None, **_):
        files[file_name] = data

    monkeypatch.setattr(st, "download_button", keep)
    monkeypatch.setattr(exports, "_images", lambda: False)  # those have a test of their own below
    monkeypatch.setattr("plotly.io._html.get_plotlyjs", str)  # megabytes, and nobody's names
    return files


@pytest.fixture
def menus(monkeypatch):
    """The keys of all closed boxes and menus that were met; each is opened before it is drawn."""
    met: list[str] = []

    def opening(original):
        def make(*words, key=None, **how):
            if how.get("on_change") == "rerun" and key is not None:
                met.append(key)
                if key not in st.session_state:
                    st.session_state[key] = True
            return original(*words, key=key, **how)

        return make

    for kind in ("popover", "expander"):
        monkeypatch.setattr(st, kind, opening(getattr(st, kind)))
    return met


@pytest.fixture
def opened(open_page, browser, engine, menus):
    def page(name: str, **query: str):
        browser("ann")
        give_upload(open_page("data"), NAME, EXPLORER, -4)
        return open_page(name, **query)

    return page


@pytest.fixture
def one_browser():
    """It draws all images of a test, else each has one of its own."""
    kaleido.start_sync_server(n=1, mathjax=False)
    yield
    kaleido.stop_sync_server()


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))


def check_html(text: str) -> None:
    """Nothing that a stranger wrote has become an element, an attribute or a program."""
    reader = Elements()
    reader.feed(text)
    for tag, attributes in reader.found:
        assert tag not in ("img", "b", "iframe", "object"), (tag, attributes)
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
        assert not str(attributes.get("href", "")).lower().startswith(("javascript:", "data:")), attributes
    assert text.count("<script>alert(1)") == 0


def check_program(text: str) -> None:
    """A program that is one: names are texts in it, and nothing of them is run."""
    assert not [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute) and node.attr == "abort"]


def check_command(text: str) -> None:
    """A command in which names are words: no other command, no file, nothing that a shell fills in."""
    text = re.sub(r"cat > [\w.]+ <<'END'\n.*?\nEND\n", "", text, flags=re.DOTALL)  # quoted: a shell reads nothing in it
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    assert not [word for word in lexer if set(word) <= set(";|&()<>")], text
    outside_quotes = re.sub(r"'[^']*'", "", text)
    assert not set("$`") & set(outside_quotes), text


def check_content(file, make) -> None:
    content = make() if callable(make) else make
    if file.endswith((".html", ".csv", ".tex", ".svg", ".md")) and not REDUCED.search(file):
        check_file(file, content)
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else content
    if file.endswith(".html"):
        check_html(text)
    if file.endswith(".py"):
        check_program(text)


def check_taken(app, taken) -> None:
    assert leaks(app) == []
    for file, make in taken.items():
        assert FILE_NAME.fullmatch(file), file
        check_content(file, make)


def unsafe(taken) -> set[str]:
    """The suffixes of files that hold names as an attacker wants them."""
    found = set()
    for file, make in taken.items():
        try:
            check_content(file, make)
        except AssertionError:
            found.add(Path(file).suffix)
    return found


def test_every_page_is_there():
    assert set(PAGES) == set(links.PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_what_is_behind_every_menu_is_safe(opened, taken, menus, name):
    app = opened(name, **PAGES[name])
    if name in ("compare", "sensitivity"):
        app = until(press(app, "Run"), finished)
    assert not app.exception, app.exception[0].value
    assert not [error.value for error in app.error if "bug in mlfs" in error.value]
    check_taken(app, taken)
    if name in ("explore", "data", "compare", "noise", "pareto", "sensitivity"):
        assert [file for file in taken if file.endswith(".html")], taken  # the menus were open
        python, command = [code.value for code in app.code if code.language in ("python", "bash")][:2]
        check_program(python)
        check_command(command)


#: Which guards hold the names of an upload on a page, all of its menus open; and of which files those of figures and
#: those of files do. No other page says a name.
HELD = {
    "data": ({WORDS, FIGURES}, {".html"}, {".csv", ".html"}),
    "explore": ({WORDS, FIGURES}, {".html"}, {".tex", ".html"}),
    "pareto": ({WORDS, FIGURES}, {".html"}, {".csv", ".html"}),
    "compare": ({WORDS}, set(), {".tex"}),
    "noise": ({WORDS}, set(), set()),
    "sensitivity": ({WORDS}, set(), set()),
    "methods": ({WORDS}, set(), set()),
}


@pytest.mark.parametrize(
    ("name", "guards"), [*((name, (WORDS, FIGURES)) for name in PAGES), *((name, (FILES,)) for name in HELD)]
)
def test_a_page_is_held_by_the_guards_that_are_named_here(opened, taken, take_away, name, guards):
    """Without them the tests above see names on it; where they did not, they would not see a fault of ours either."""
    take_away(*guards)
    app = opened(name, **PAGES[name])
    if name in ("compare", "sensitivity"):
        app = until(press(app, "Run"), finished)
    on_page, by_figures, by_files = HELD.get(name, (set(), set(), set()))
    if guards == (FILES,):
        assert (kinds_of(leaks(app)), unsafe(taken)) == (set(), by_files)
    else:
        assert (kinds_of(leaks(app)), unsafe(taken)) == (on_page, by_figures)


def test_the_answer_s_report_program_and_list_are_safe():
    protocol = get_protocol("quick", split="folds", folds=2, sizes=(5, len(NAMES)), classifier="ridge")
    settings = answer_settings(["igmf"], protocol=protocol, rule=parse_rule(f"number={len(NAMES)}"))
    found = answer(DS, settings, draws=1)
    assert len(found.selection.features) == len(NAMES)  # all names are in it
    report = report_html(found, link="https://example.org/?a=<b>", command="mlfs answer '<b>big</b>'")
    check_html(report)
    assert "onerror" in report
    check_file("features.csv", features_csv(found))
    for uploaded in (False, True):
        check_program(pipeline_program(found, f"{MARKUP[0]}'; import os; os.abort() #", uploaded=uploaded))


@pytest.mark.skipif(not can_draw_images(), reason="images need a Chromium")
@pytest.mark.filterwarnings("ignore:The kopts argument is ignored")
def test_an_image_has_names_as_text(take_away, one_browser):
    names = [f"{name} {k}" for k, name in enumerate(NAMES)]

    def drawing():
        return score_bars(range(len(NAMES)), range(5), names, title="".join(NAMES))

    figure = drawing()
    picture = to_image(figure, "svg").decode("utf-8")
    check_html(picture)
    assert "&#60;img src=x" in picture  # as text; long names are cut
    assert "&#60;b&#62;big" in picture
    drawn = to_image(figure, "png", width=400, height=300, scale=2)
    assert struct.unpack(">II", drawn[16:24]) == (800, 600)  # of the size that was asked for, whatever the names hold
    assert b"/URI" not in to_image(figure, "pdf")  # no name became a link
    take_away(FIGURES)  # then Plotly takes for its own markup what it knows of it; the rest it shows as text itself
    assert 'bold">big</tspan>' in to_image(drawing(), "svg").decode("utf-8")


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (check_html, f"<p>{MARKUP[0]}</p>"),
        (check_html, "<a href='javascript:1'>x</a>"),
        (check_html, "<script>alert(1)</script>"),
        (check_program, "x = ''; import os; os.abort() #'"),
        (check_command, "mlfs select a; touch pwned"),
        (check_command, "mlfs select $(touch pwned)"),
        (check_command, "mlfs select `touch pwned`"),
    ],
)
def test_a_leak_would_be_found(check, text):
    with pytest.raises(AssertionError):
        check(text)
