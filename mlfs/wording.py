"""Counts, lists and times in words, so that pages, commands and figures write them alike."""

from __future__ import annotations

import math
from collections.abc import Iterable


def count(number: int, thing: str, things: str | None = None) -> str:
    """
    >>> count(1, "label"), count(3, "label"), count(2, "class", "classes")
    ('1 label', '3 labels', '2 classes')
    """
    return f"{number} {thing if number == 1 else things or thing + 's'}"


def listing(words: list[str], most: int = 6) -> str:
    """Words in a row, the rest counted.

    >>> listing(["a", "b", "c", "d"], most=2)
    'a, b and 2 more'
    """
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most} more"
    return ", ".join(words)


def joined(words: Iterable[str]) -> str:
    """All of them, with "and" before the last.

    >>> joined(["DATASET", "METHOD", "--seed"]), joined(["els"])
    ('DATASET, METHOD and --seed', 'els')
    """
    words = list(words)
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def duration(seconds: float) -> str:
    """A time with the unit that suits it.

    >>> [duration(s) for s in (0, 0.00085, 0.0123, 3.42, 125, 4320)]
    ['0 s', '850 µs', '12 ms', '3.4 s', '2 min 5 s', '1 h 12 min']
    """
    if not math.isfinite(seconds):
        return "–"
    if seconds == 0:
        return "0 s"
    # The limits lie where the number would round up into the next unit.
    for limit, factor, unit in ((0.9995e-3, 1e6, "µs"), (0.9995, 1e3, "ms"), (59.95, 1, "s")):
        if abs(seconds) < limit:
            return f"{_two_digits(seconds * factor)} {unit}"
    if seconds < 3599.5:
        minutes, rest = divmod(round(seconds), 60)
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def _two_digits(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 9.95 else f"{value:.2g}"
