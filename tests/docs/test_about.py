"""What is said of mlfs as a whole agrees with what mlfs knows: the version, the papers, the layers, the verbs."""

from __future__ import annotations

import re

import pytest

import mlfs
from mlfs.papers import PAPERS
from tests.docs.pages import ROOT
from tests.test_house import LAYERS


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_citation_names_this_version():
    assert re.findall(r"^version: (.+)$", read("CITATION.cff"), flags=re.M) == [mlfs.__version__]


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_the_citation_refers_to_every_paper(paper):
    [entry] = [part for part in read("CITATION.cff").split("  - type: ") if f"title: {paper.title}\n" in part]
    people = re.findall(r"given-names: (.+)\n +family-names: (.+)", entry)
    assert [" ".join(names) for names in people] == re.split(", | & ", paper.authors)
    assert f"year: {paper.year}\n" in entry
    venue = re.findall(r"journal: (.+)|name: (.+)", entry)[0]
    volume = re.findall(r"volume: (.+)", entry)
    assert " ".join(filter(None, (*venue, *volume))) == paper.venue


def test_the_changelog_has_this_version_below_what_is_to_come():
    assert re.findall(r"^## \[(.+)\]", read("CHANGELOG.md"), flags=re.M)[:2] == ["Unreleased", mlfs.__version__]


def test_the_layers_are_those_that_imports_are_held_to():
    table = read("docs/architecture.md").partition("| layer |")[2].partition("\n\n")[0]
    rows = [set(re.findall(r"`(\w+)`", row.split("|")[1])) for row in table.splitlines()[3:]]
    assert rows == [packages - {"__main__"} for packages in LAYERS]


def test_every_verb_of_contributing_is_in_the_makefile():
    verbs = set(re.findall(r"`make (\w+)", read("CONTRIBUTING.md")))
    assert {"run", "check", "test"} <= verbs <= set(re.findall(r"^(\w+):.*## ", read("Makefile"), flags=re.M))


def test_modules_and_names_of_the_architecture_are_there():
    """Dotted names in it, such as `mlfs.evaluation.loss_curve`."""
    names = set(re.findall(r"`(mlfs(?:\.\w+)+)`", read("docs/architecture.md")))
    assert len(names) >= 3
    for name in names:
        module, _, attribute = name.rpartition(".")
        assert hasattr(__import__(module, fromlist=[attribute]), attribute), name
