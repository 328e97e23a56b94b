"""Tables for a terminal: columns that line up, and nothing in them that a terminal would obey."""

from __future__ import annotations

import pandas as pd

from mlfs.tables.sheet import BEST, DECIMALS, NEAR, caption, sheet
from mlfs.tables.summary import Summary
from mlfs.terminal import printable, width

SIGNS = {BEST: "*", NEAR: "~", "": " "}


def to_text(table: pd.DataFrame | Summary, *, decimals: int = DECIMALS) -> str:
    """The table with aligned columns; under a summary what it shows, what its signs mean, and its notes.

    >>> print(to_text(pd.DataFrame({"feature": ["a", "long name"], "score": [0.5, -12.0]})), end="")
    feature       score
    ---------  --------
    a            0.5000
    long name  −12.0000
    """
    found = sheet(table, decimals)
    marked = any(mark for marks in found.marks for mark in marks)
    rows = [
        [printable(text) + (SIGNS[mark] if marked and numeric else "") for text, mark, numeric in row]
        for row in (zip(*parts, found.numeric, strict=True) for parts in zip(found.rows, found.marks, strict=True))
    ]
    header = [printable(name) for name in found.header]
    widths = [max(map(width, column)) for column in zip(header, *rows, strict=True)]
    lines = [header, ["-" * wide for wide in widths], *rows]
    written = ["  ".join(map(_aligned, line, widths, found.numeric)).rstrip() for line in lines]
    if isinstance(table, Summary):
        told = [caption(table, lambda mark: SIGNS[mark]), *table.notes]
        written += ["", *map(printable, told)]
    return "\n".join([*written, ""])


def _aligned(text: str, wide: int, numeric: bool) -> str:
    space = " " * (wide - width(text))
    return space + text if numeric else text + space
