"""Text for a terminal: nothing in it that a terminal would obey (names come from strangers), and how wide it is."""

from __future__ import annotations

import unicodedata


def printable(text: str) -> str:
    r"""Text without what moves the cursor, changes colours or turns the reading direction.

    >>> print(printable("a\x1b[31mb\nc"))
    a\x1b[31mb\nc
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def width(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> width("abc"), width("音楽"), width("e\u0301")
    (3, 4, 1)
    """
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
