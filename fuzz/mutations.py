"""Ways to damage a file."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

PIECES = tuple(
    piece.encode()
    for piece in (
        "@attribute ", "@relation ", "@data", "numeric", "{0,1}", "{", "}", ",", ";", "\t", " ", "\n", "\r", "'", '"',
        '"' * 999, "\\", "?", "%", "#", ":", "-C 1", "0", "1", "-1", "1e999", "9" * 400, "nan", "inf", "-inf", "é",
        "\0", "\ufeff", "\u2028", "<labels>", "&amp;", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "999999999:1", "1_000", "0x10",
        "\x1a",
    )
)  # fmt: skip

Damage = Callable[[bytes, np.random.Generator], bytes]


def _place(content: bytes, rng: np.random.Generator) -> int:
    return int(rng.integers(0, len(content) + 1))


def flip(content: bytes, rng: np.random.Generator) -> bytes:
    if not content:
        return content
    place = int(rng.integers(len(content)))
    return content[:place] + bytes([content[place] ^ (1 << int(rng.integers(8)))]) + content[place + 1 :]


def overwrite(content: bytes, rng: np.random.Generator) -> bytes:
    place, size = _place(content, rng), int(rng.integers(1, 9))
    return content[:place] + rng.bytes(size) + content[place + size :]


def insert(content: bytes, rng: np.random.Generator) -> bytes:
    place = _place(content, rng)
    return content[:place] + rng.bytes(int(rng.integers(1, 9))) + content[place:]


def piece(content: bytes, rng: np.random.Generator) -> bytes:
    place = _place(content, rng)
    return content[:place] + PIECES[rng.integers(len(PIECES))] + content[place:]


def cut_out(content: bytes, rng: np.random.Generator) -> bytes:
    low, high = sorted((_place(content, rng), _place(content, rng)))
    return content[:low] + content[min(high, low + 64) :]


def truncate(content: bytes, rng: np.random.Generator) -> bytes:
    return content[: _place(content, rng)]


def repeat(content: bytes, rng: np.random.Generator) -> bytes:
    place, other = _place(content, rng), _place(content, rng)
    return content[:place] + content[other : other + 64] + content[place:]


def append(content: bytes, rng: np.random.Generator) -> bytes:
    return content + (rng.bytes(8) if rng.random() < 0.5 else content[_place(content, rng) :])


def lines(content: bytes, rng: np.random.Generator) -> bytes:
    """Two lines swapped, one doubled, one lost."""
    parts = content.split(b"\n")
    first, second = rng.integers(len(parts), size=2)
    how = rng.integers(3)
    if how == 0:
        parts[first], parts[second] = parts[second], parts[first]
    elif how == 1:
        parts.insert(first, parts[second])
    else:
        del parts[first]
    return b"\n".join(parts)


def number(content: bytes, rng: np.random.Generator) -> bytes:
    """Four or eight bytes that say a huge number, where a binary format keeps its sizes."""
    place = _place(content, rng)
    words = (b"\xff\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\0\0\x80", b"\xff" * 7 + b"\x7f", b"\0\0\0\0")
    word = words[rng.integers(len(words))]
    return content[:place] + word + content[place + len(word) :]


def digit(content: bytes, rng: np.random.Generator) -> bytes:
    """Another digit in the place of one."""
    places = [place for place, byte in enumerate(content) if 48 <= byte <= 57]
    if not places:
        return content
    place = places[rng.integers(len(places))]
    return content[:place] + b"%d" % rng.integers(10) + content[place + 1 :]


def drop(content: bytes, rng: np.random.Generator) -> bytes:
    place = _place(content, rng)
    return content[:place] + content[place + 1 :]


DAMAGES: tuple[Damage, ...] = (
    flip,
    overwrite,
    insert,
    piece,
    cut_out,
    truncate,
    repeat,
    append,
    lines,
    number,
    digit,
    drop,
)
GENTLE: tuple[Damage, ...] = (flip, lines, digit, drop, append)


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """A gentle damage, which the file often survives; or one to three of all kinds."""
    if rng.random() < 0.5:
        return GENTLE[rng.integers(len(GENTLE))](content, rng)
    for _ in range(int(rng.integers(1, 4))):
        content = DAMAGES[rng.integers(len(DAMAGES))](content, rng)
    return content
