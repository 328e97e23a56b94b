"""Aligned tables for a terminal. Without pandas, whose import takes longer than most quick verbs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mlfs.terminal import printable, width


def table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Columns apart by two blanks, the first `left` of them flush left, the others flush right.

    >>> print(table(["name", "rows"], [["emotions", "593"], ["yeast", "2417"]]))
    name      rows
    --------  ----
    emotions   593
    yeast     2417
    """
    clean = [[printable(cell) for cell in row] for row in (header, *rows)]
    widths = [max(map(width, column)) for column in zip(*clean, strict=True)]
    lines = [_line(row, widths, left) for row in clean]
    return "\n".join([lines[0], "  ".join("-" * wide for wide in widths), *lines[1:]])


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """One fact a line, names and values aligned.

    >>> print(facts([("rows", "593"), ("cardinality", "1.87")]))
    rows         593
    cardinality  1.87
    """
    widest = max((width(name) for name, _ in pairs), default=0)
    return "\n".join(f"{name}{' ' * (widest - width(name))}  {printable(value)}".rstrip() for name, value in pairs)


def loss(value: float) -> str:
    """A loss or score with four decimals, as papers print it; a dash where there is none.

    >>> loss(0.21342), loss(float("nan"))
    ('0.2134', '–')
    """
    return f"{value:.4f}" if math.isfinite(value) else "–"


def figure(value: float) -> str:
    """A number of any magnitude with four digits.

    >>> figure(0.00123456), figure(12.0), figure(float("nan")), figure(float("inf"))
    ('0.001235', '12', '–', '∞')
    """
    return "–" if math.isnan(value) else f"{value:.4g}".replace("inf", "∞")


def listing(words: Sequence[str]) -> str:
    """
    >>> listing(["DATASET", "METHOD", "--seed"])
    'DATASET, METHOD and --seed'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def notes(sentences: Sequence[str]) -> list[str]:
    """Remarks to stand under a table, as one paragraph; none where there are none.

    >>> notes(["Two rows are alike."]), notes([])
    (['note: Two rows are alike.'], [])
    """
    return ["\n".join(f"note: {printable(sentence)}" for sentence in sentences)] if sentences else []


def _line(cells: Sequence[str], widths: Sequence[int], left: int) -> str:
    padded = []
    for place, (cell, wide) in enumerate(zip(cells, widths, strict=True)):
        blanks = " " * (wide - width(cell))
        padded.append(cell + blanks if place < left else blanks + cell)
    return "  ".join(padded).rstrip()
