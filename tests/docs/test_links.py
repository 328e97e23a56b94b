"""What the documentation points to is there."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import ABOUT, DOCS, ROOT


@pytest.mark.parametrize("page", [*DOCS, *ABOUT, ROOT / "data" / "NOTICE.md"], ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if not re.match(r"[a-z]+:", target):
            file, _, anchor = target.partition("#")
            linked = page.parent / file if file else page
            assert linked.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in anchors(linked), f"{page.name} links to {target}"


def anchors(page):
    """The anchors that GitHub gives to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_readme_leads_to_every_page_of_the_documentation():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT).as_posix() for page in (*DOCS[1:], *ABOUT, ROOT / "CITATION.cff")]
    assert [page for page in pages if f"]({page})" not in readme] == []
