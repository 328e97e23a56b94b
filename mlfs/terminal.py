"""Text for a terminal: nothing in it that a terminal would obey (names come from strangers), and how wide it is."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


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


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """Columns apart by two blanks, flush right where `right` says so; a rule under the header.

    >>> print(text_table(["name", "rows"], [["emotions", "593"], ["yeast", "2417"]], [False, True]))
    name      rows
    --------  ----
    emotions   593
    yeast     2417
    """
    clean = [[printable(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(width, column)) for column in zip(*clean, strict=True)]
    clean.insert(1, ["-" * wide for wide in widths])
    lines = []
    for row in clean:
        blanks = [" " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True)]
        cells = [gap + cell if flush else cell + gap for cell, gap, flush in zip(row, blanks, right, strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
