"""What all programs say: one spelling, no code words, none of the phrases that readers stumbled over."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

FOLDERS = ("pages", "mlfs")
# Regular expressions, case ignored.
FORBIDDEN = {
    "American spelling": r"\w(?<!s)iz(e|es|ed|ing|ation|ations)\b|\bcolors?\b|behavior|\bneighbors?\b|\bcentered\b",
    "a number as programs write it": r"\d+e\+\d+|\bone of False\b|\bFalse, True\b",
    "a phrase that means something else": r"take it away|\bknown slips?\b|\bcomes? out\b|at hand:|nothing is shown",
    "a quantity in the words of the program": r"\bcells?, \d+ known|(seconds|time) of a selection|\bone of before\b|"
    r"^tol\b|\bN candidates\b",
}
# Words that are written so everywhere, and names.
ALLOWED = re.compile(
    r"optimization|\bsize[sd]?\b|prize|\bdiscretize\b|text categorization|(manifold|sparse) regulariz|"
    r"norms minimization|dependence maximization|extremely randomized|matrix factorization",
    re.IGNORECASE,
)


def sentences(path: Path) -> Iterator[tuple[int, str]]:
    """Every piece of text of a program with a blank in it: no docstrings, style sheets or scripts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    skipped = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, own) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            text = node.value
            is_code = any(mark in text for mark in ("<style", "<script", "function", "background-color", "{ "))
            if re.search(r"\w \w", text) and not is_code:
                yield node.lineno, text


@cache
def all_sentences() -> list[tuple[str, str]]:
    return list(_gathered())


def _gathered() -> Iterator[tuple[str, str]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for line, text in sentences(path):
                yield f"{path.relative_to(ROOT)}:{line}", text
        for path in sorted((ROOT / folder).rglob("*.toml")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                yield f"{path.relative_to(ROOT)}:{number}", line


def wrong(text: str, pattern: str) -> bool:
    return any(not ALLOWED.search(text[max(0, m.start() - 30) : m.end()]) for m in re.finditer(pattern, text, re.I))


@pytest.mark.parametrize("why", FORBIDDEN)
def test_no_page_says(why):
    found = [f"{where}: {text}" for where, text in all_sentences() if wrong(text, FORBIDDEN[why])]
    assert not found, "\n".join(found)


def test_the_patterns_find_what_they_are_for():
    for why, text in (
        ("American spelling", "Preview of the discretization"),
        ("American spelling", "the color of a method"),
        ("a number as programs write it", "one of False, True"),
        ("a number as programs write it", "between 1 and 1e+08"),
        ("a phrase that means something else", "Most losses come out."),
        ("a phrase that means something else", "Between the other pairs nothing is shown."),
        ("a quantity in the words of the program", "12 cells, 4 known: about 414 ms"),
        ("a quantity in the words of the program", "Seconds of a selection"),
        ("a quantity in the words of the program", "A new one, made below, or one of before."),
    ):
        assert wrong(text, FORBIDDEN[why]), text
    for text in ("Number of rows by size", "the discretisation", "Redundancy Optimization", "colours"):
        assert not any(wrong(text, pattern) for pattern in FORBIDDEN.values()), text
