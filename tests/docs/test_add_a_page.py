"""docs/add-a-page.md, done as it says."""

from __future__ import annotations

import importlib
import re

import pytest

from tests.docs.pages import ROOT, blocks

PAGE = blocks("add-a-page.md")


@pytest.fixture(scope="module")
def author(newcomer):
    newcomer.follow(PAGE)
    [place] = [block.text.strip() for block in PAGE if block.language == "text"]
    newcomer.replace("pages/parts/menu.py", '"Noise": MenuEntry(', place)
    return newcomer


def test_its_tests_pass(author):
    [test] = [block for block in PAGE if block.language == "sh"]
    [own] = [block.text for block in PAGE if block.file == "tests/app/test_ranking.py"]
    [passed] = re.findall(r"^(\d+) passed", author.shell(test.text), flags=re.M)
    assert int(passed) == own.count("def test_")


def test_it_is_in_the_menu(author):
    program = """
from streamlit.testing.v1 import AppTest

app = AppTest.from_file("pages/main.py", default_timeout=120).run()
assert not app.exception
print(app.sidebar.markdown[0].value)
"""
    menu = re.findall(r"\[:material/\w+: (\w+)\]\((\S+)\)", author.python(program))
    after = menu.index(("Explore", "./explore")) + 1
    assert menu[after : after + 2] == [("Ranking", "./ranking"), ("Noise", "./noise")]


def test_the_parts_it_names_are_there():
    """The table of parts, row by row: `module.name`, then names of the same module, or a module alone."""
    text = (ROOT / "docs" / "add-a-page.md").read_text(encoding="utf-8")
    rows = [row.split("|")[1] for row in re.findall(r"^\| `.*$", text, flags=re.M)]
    assert len(rows) >= 5
    for row in rows:
        for part in re.findall(r"`([\w.]+)`", row):
            module, _, name = part.rpartition(".")
            if module:
                holder = importlib.import_module(f"pages.parts.{module}")
            elif (ROOT / "pages" / "parts" / f"{part}.py").exists():
                continue
            assert callable(getattr(holder, name, None)), f"the page names {part}"
