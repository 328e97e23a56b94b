"""One data set whose every name is an attack, and what a page must not send of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from mlfs.datasets import Dataset
from tests.app.figures import figures

#: What makes names of strangers harmless: in words of a page, in its figures, and in files that are taken away.
WORDS, FIGURES, FILES = "words", "figures", "files"
#: Raw, none of these may reach what renders Markdown, HTML or Plotly's small markup language.
MARKUP = ("<img src=x onerror=alert(1)>", "**bold**", "$x^2$", ":red[x]", "[link](http://e.example)", "`code`")
TAGS = ("<img", "<b>", "<a ", "<script")
FORMULA = "=cmd|'/c calc'!A1"
NAMES = (
    *MARKUP,
    FORMULA,
    "\\input{/etc/passwd}",
    "</script><script>alert(1)</script>",
    "'; import os; os.abort() #",
    "$(touch pwned)`touch pwned`",
    "<b>big</b> & <a href='javascript:1'>x</a>",
    "+1+1",
    "@SUM(A1)",
    "n" * 500,
    "🙂",
    "\u202ereversed",
    "a\x00b",
    "tab\there",
)


def hostile_dataset() -> Dataset:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, len(NAMES)))
    Y = (X[:, :4] + 0.3 * rng.normal(size=(60, 4)) > 0).astype(int)
    labels = [f"{name} label" for name in (MARKUP[0], MARKUP[1], FORMULA, NAMES[11])]
    return Dataset(X, Y, NAMES, labels, f"{MARKUP[0]}**bold**$x^2$", notes=[f"A note about {MARKUP[0]}{MARKUP[1]}."])


# Fields that Streamlit's browser side shows letter by letter, or does not show.
_LETTERS = {
    "code_text", "options", "default", "value", "raw_values", "query_string", "url", "id", "element_id", "form_id",
    "key", "user_key", "arrow_data", "data", "bytes", "mixed", "columns", "default_value", "script_path", "json",
    "file_name", "page", "content",
}  # fmt: skip
# These render Markdown in their options too.
_MARKDOWN_OPTIONS = {"radio", "button_group"}
_TEXT = {"text", "code", "bidi_component"}
# Of these only what stands around them is Markdown.
_CHOICES = {"selectbox", "multiselect", "text_input", "text_area"}


def _strings(proto: Any, literal: bool) -> Iterator[str]:
    for field, value in proto.ListFields():
        if field.name in _LETTERS and not (literal and field.name == "options"):
            continue
        for item in value if field.is_repeated else [value]:
            if field.message_type is not None:
                if hasattr(item, "ListFields"):
                    yield from _strings(item, literal)
            elif field.cpp_type == field.CPPTYPE_STRING and isinstance(item, str):
                yield item


def rendered(app: AppTest) -> Iterator[tuple[str, str]]:
    """What the page sends to be rendered as Markdown or HTML, with the kind of element."""
    for node in app._tree:
        proto = getattr(node, "proto", None)
        if proto is None or node.type in _TEXT:
            continue
        if node.type in _CHOICES:
            yield from ((node.type, text) for text in (proto.label, proto.help))
            continue
        for text in _strings(proto, node.type in _MARKDOWN_OPTIONS):
            yield node.type, text


def leaks(app: AppTest) -> list[tuple[str, str]]:
    """Raw markup of strangers on a page, in words and in figures."""
    found = []
    for kind, text in rendered(app):
        for markup in (*MARKUP, "<b>big"):
            place = text.find(markup)
            if place >= 0 and not (kind == "html" and markup[0] not in "<"):
                found.append((kind, text[max(place - 40, 0) : place + 80]))
    for figure in figures(app):
        layout = {key: value for key, value in figure.layout.items() if key != "meta"}
        text = json.dumps([figure.data, layout], ensure_ascii=False)
        found += [(figure.key, text[max(text.find(tag) - 60, 0) :][:160]) for tag in TAGS if _has_tag(text, tag)]
    return found


def _has_tag(text: str, tag: str) -> bool:
    # <b> is also what our own titles use: only that of the strangers counts.
    return ("<b>big" in text) if tag == "<b>" else tag in text
