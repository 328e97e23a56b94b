"""docs/add-a-page.md, done as it says."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import blocks

PAGE = blocks("add-a-page.md")


@pytest.fixture(scope="module")
def author(newcomer):
    newcomer.follow(PAGE)
    [place] = [block.text.strip() for block in PAGE if block.language == "text"]
    newcomer.replace("pages/parts/menu.py", '"Explore", "Compare",', place)
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
print(*(link.proto.label for link in app.get("page_link")), sep="|")
"""
    assert "Explore|Ranking|Compare" in author.python(program)


def test_the_parts_it_names_are_there():
    from pages.parts import controls, data, failures, gradually, method, protocol, studies, takeaway, view, words

    assert all(map(callable, (data.choose_data, method.choose_method, protocol.choose_protocol)))
    assert all(map(callable, (controls.choose, controls.choose_many, controls.switch, controls.whole)))
    assert all(map(callable, (takeaway.figure, takeaway.table, takeaway.recipes)))
    assert all(map(callable, (view.choose_view, view.presenting, gradually.MethodByMethod, failures.fragment)))
    assert callable(words.literal)
    assert studies.__doc__
