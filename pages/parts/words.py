"""Words of strangers on a page: names in files are shown letter by letter, never as Markdown."""

from __future__ import annotations

import re

_MARKUP = re.compile(r"([\\`*\[\]<>$#|~])")


def literal(text: str) -> str:
    """The text as Markdown that shows just it: no links, no pictures, no formulas.

    >>> literal("![x](y) costs $5")
    '!\\\\[x\\\\](y) costs \\\\$5'
    """
    return _MARKUP.sub(r"\\\1", text)
