"""Words on several pages; and those of strangers, of files and links, shown letter by letter, never as Markdown."""

from __future__ import annotations

import re

#: What axes mean, wherever they are.
NOISE = (
    "**R(F)**, the redundancy of the selected features F, is high when pairs of them say the same about the labels. "
    "**C(F)**, the residual label correlation, is the part of the labels' similarity that the selected features do not "
    "explain. Lower is better in both."
)

SU = "SU, symmetrical uncertainty, is how much a feature and a label tell about each other, from 0 to 1."

# An underscore within a word, a colon before a blank and the like mean nothing in Markdown and stay as they are.
_MARKUP = re.compile(r"([\\`*\[\]<>$#|~]|(?<![^\W_])_|_(?![^\W_])|!(?=\[)|&(?=#?\w+;)|:(?=[\w+-]+[:\[]))")
# Addresses become links without any markup; a joiner of no width takes them apart.
_ADDRESS = re.compile(r"(www|https?|ftp|mailto|@)", flags=re.IGNORECASE)
_JOINER = "\u2060"


def literal(text: str) -> str:
    """The text as Markdown that shows just it: no links, no pictures, no formulas, no symbols.

    >>> literal("![x](y) costs $5")
    '\\!\\[x\\](y) costs \\$5'
    """
    return _MARKUP.sub(r"\\\1", _ADDRESS.sub(rf"\1{_JOINER}", text))
