"""The menu: every page once, in the order of the work, each link with the settings of its page."""

import re
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest

from pages.parts.menu import ENTRIES, GROUPS, PAGES, menu_text

FILES = {name: SimpleNamespace(url_path="" if name == PAGES[0] else name.lower()) for name in PAGES}


def links(settings: dict[str, str]) -> dict[str, str]:
    text = menu_text("Explore", FILES, lambda name: settings)
    return dict(re.findall(r"\[:material/\w+: (\w+)\]\((\S+?)\)", text))


def test_every_page_is_there_once_and_the_present_one_is_marked():
    text = menu_text("Explore", FILES, lambda name: {})
    assert re.findall(r"\[:material/\w+: (\w+)\]", text) == list(PAGES)
    assert re.findall(r"\*\*\[:material/\w+: (\w+)\]\S+\*\*", text) == ["Explore"]
    assert links({})["Home"] == "./"
    assert links({})["Noise"] == "./noise"


def test_groups_of_several_pages_have_a_heading():
    text = menu_text("Explore", FILES, lambda name: {})
    assert re.findall(r":gray\[(\w+)\]", text) == [title for title, group in GROUPS.items() if len(group) > 1]


def test_settings_survive_whatever_they_hold():
    odd = {"data": "synthetic:n_labels=4,seed=1", "q": "a) b](c) & **d** [e](f) ü"}
    address = links(odd)["Pareto"]
    assert {key: value for key, [value] in parse_qs(urlsplit(address).query).items()} == odd
    assert not set(address) & set("()[]* ")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_one_question(name):
    question = ENTRIES[name].question
    assert question.endswith("?")
    assert len(question) < 80
    assert sum(question == entry.question for entry in ENTRIES.values()) == 1


def test_a_page_begins_with_its_name_and_its_question(open_page):
    app = open_page("learn")
    assert app.main.markdown[0].value == f"# Learn\n\n{ENTRIES['Learn'].question}"
