"""The words and numbers that figures write, so that a thing is called the same in every one of them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any


def plain(text: Any) -> str:
    """A name that Plotly shows letter by letter: its own small markup language would swallow ``<`` and ``&``.

    >>> plain("a<b>c & d")
    'a&lt;b>c &amp; d'
    """
    return str(text).replace("&", "&amp;").replace("<", "&lt;")


def short(text: Any, length: int = 22) -> str:
    """A name cut in the middle, where names that begin alike still differ at the end, ready for Plotly.

    >>> short("mean_of_the_first_cepstral_coefficient_12", 20)
    'mean_of_th…icient_12'
    """
    text = str(text)
    if len(text) > length:
        half = (length - 1) // 2
        text = text[: length - 1 - half] + "…" + text[len(text) - half :]
    return plain(text)


def short_all(names: Sequence[Any], length: int = 22) -> list[str]:
    """Names of one list, cut so that they still differ: parts that long names have in common go first.

    >>> short_all(["Mean_Acc1298_Std_Mem40_MFCC_3", "Mean_Acc1298_Mean_Mem40_MFCC_3", "BPM"], 20)
    ['Mean_…_Std_…_MFCC_3', 'Mean_…_Mean_…_MFCC_3', 'BPM']
    """
    found = [str(name) for name in names]
    parts = {i: re.split("([^A-Za-z0-9]+)", name) for i, name in enumerate(found) if len(name) > length}
    for i, own in parts.items():
        alike = [other for other in parts.values() if len(other) == len(own)]
        # Not the first part, by which people know a name; the longest first, and no more than need be.
        common = [p for p in range(1, len(own)) if len(alike) > 1 and all(other[p] == own[p] for other in alike)]
        kept = list(own)
        for place in sorted(common, key=lambda p: -len(own[p])):
            if len("".join(kept)) > length and len(own[place]) > 2:
                kept[place] = "…"
        found[i] = "".join(kept)
    cut = [short(name, length) for name in found]
    return cut if len(set(cut)) == len(set(map(str, names))) else [short(name, length + 10) for name in names]


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


def time_tick(power: int) -> str:
    """Powers of ten with a unit: 100 s, not 1 min 40 s.

    >>> [time_tick(p) for p in (-5, -1, 0, 3)]
    ['10 µs', '100 ms', '1 s', '1000 s']
    """
    for limit, unit in ((-3, "µs"), (0, "ms")):
        if power < limit:
            return f"{10 ** (power - limit + 3):.0f} {unit}"
    return f"{10**power:.0f} s"


def level(value: float) -> str:
    """A parameter's value on an axis: powers of ten as powers, others as they are.

    >>> level(0.001), level(1), level(10), level(0.05), level(1e5)
    ('10<sup>−3</sup>', '1', '10', '0.05', '10<sup>5</sup>')
    """
    if value > 0 and not 0.1 <= value <= 10:
        power = math.log10(value)
        if abs(power - round(power)) < 1e-9:
            return f"10<sup>{round(power)}</sup>".replace("-", "−")
    return f"{value:g}".replace("-", "−")


def listing(words: list[str], most: int = 6) -> str:
    """Words in a row, the rest counted.

    >>> listing(["a", "b", "c", "d"], most=2)
    'a, b and 2 more'
    """
    if len(words) > most:
        return f"{', '.join(words[:most])} and {len(words) - most} more"
    return ", ".join(words)


def count(number: int, thing: str, things: str | None = None) -> str:
    """
    >>> count(1, "label"), count(3, "label"), count(2, "class", "classes")
    ('1 label', '3 labels', '2 classes')
    """
    return f"{number} {thing if number == 1 else things or thing + 's'}"
