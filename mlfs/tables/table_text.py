"""A table as text: as people paste it, with whatever separators and decimals they use, and packed into a link."""

from __future__ import annotations

import base64
import binascii
import codecs
import csv
import io
import re
import zlib

import pandas as pd

from mlfs.errors import ParameterError, StatisticsError

SEPARATORS = {"\t": "tabs", ";": "semicolons", ",": "commas", " ": "blanks"}
EMPTY = "The table is empty: give a header with the methods, and below it a row per data set."
MISSING = frozenset({"", "-", "–", "—", "?", "na", "n/a", "nan", "none", "null"})
# The deviation of a mean, which the tests do not use: "0.123 ± 0.004", "0.123 (0.004)".
DEVIATION = re.compile(r"\s*(±|\+/-|\+-|\\pm|\().*$")
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
MOST_LETTERS = 2000  # addresses of more than some 2,000 letters are cut by programs that pass them on
MOST_TEXT = 1 << 20  # a link from a stranger does not unpack to more


def parse_table(text: str) -> pd.DataFrame:
    """The table with its header as columns; cells that are numbers are floats, empty ones NaN, others stay text.

    Fields are apart by tabs, semicolons, commas or blanks, whichever the header has. Decimal commas are read where
    commas do not separate, of "0.123 ± 0.004" the mean, and blank lines are skipped.

    >>> parse_table("data; els; mfs\\nflags; 0,25; 0,5 ± 0,1\\n").to_dict("records")
    [{'data': 'flags', 'els': 0.25, 'mfs': 0.5}]
    """
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if len(numbered) < 2:
        raise StatisticsError(EMPTY)
    separator = _separator(numbered[0][1])
    rows = [(number, _fields(line, separator, number)) for number, line in numbered]
    header = _header(rows)
    for number, cells in rows[1:]:
        if len(cells) != len(header):
            raise StatisticsError(
                f"Line {number} ({cells[0]!r}) has {len(cells)} cells and the header has {len(header)}, read with "
                f"{SEPARATORS[separator]} between: give every line the same number."
            )
    # The first column holds names, even where they look like numbers.
    return pd.DataFrame([[cells[0], *map(_cell, cells[1:])] for _, cells in rows[1:]], columns=header)


def header_of(text: str) -> tuple[list[str], str]:
    """The names in the first line that is not blank, and the separator between them; the rest is not read."""
    lines = enumerate(io.StringIO(text.lstrip("\ufeff"), newline=None), start=1)
    number, line = next(((number, line.rstrip("\n")) for number, line in lines if line.strip()), (1, ""))
    if not line:
        raise StatisticsError(EMPTY)
    separator = _separator(line)
    return _fields(line, separator, number), separator


def decoded(content: bytes) -> str:
    """The text of a file: UTF-8, UTF-16 where it begins with its mark, else Latin-1, as older spreadsheets write it.

    >>> decoded("größe".encode("latin-1")), decoded("a".encode("utf-16"))
    ('größe', 'a')
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def packed(text: str) -> str | None:
    """The word for a text, or None where it would be too long for a link.

    >>> unpacked(packed("data,els\\nflags,0.1\\n"))
    'data,els\\nflags,0.1\\n'
    """
    if len(text) > MOST_TEXT:
        return None
    word = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).rstrip(b"=").decode()
    return word if len(word) <= MOST_LETTERS else None


def unpacked(word: str) -> str:
    """The text of a word.

    >>> unpacked("nonsense")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: The table in this link is damaged: copy the whole link again.
    """
    try:
        raw = base64.b64decode(word + "=" * (-len(word) % 4), altchars=b"-_", validate=True)
        stream = zlib.decompressobj()
        text = stream.decompress(raw, MOST_TEXT)
        if not stream.eof:
            raise ValueError("cut off, or too much")
        return text.decode()
    except (binascii.Error, zlib.error, ValueError):
        raise ParameterError("The table in this link is damaged: copy the whole link again.") from None


def _separator(header: str) -> str:
    """The first of the separators, from the least likely in a name to the most, that parts the header."""
    for separator in SEPARATORS:
        if len(_fields(header, separator, 1)) > 1:
            return separator
    raise StatisticsError("The table has one column: give data sets in the first and a method in each other one.")


def _fields(line: str, separator: str, number: int) -> list[str]:
    try:
        cells = next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True))
    except csv.Error:
        raise StatisticsError(
            f"Line {number} opens a quotation mark that it does not close: add or drop one."
        ) from None
    cells = [cell.strip() for cell in cells]
    return [cell for cell in cells if cell] if separator == " " else cells


def _header(rows: list[tuple[int, list[str]]]) -> list[str]:
    """The names of the columns; the corner may be left out, as R does."""
    header = rows[0][1]
    if rows[1:] and all(len(cells) == len(header) + 1 for _, cells in rows[1:]):
        header = ["", *header]
    while len(header) > 1 and not header[-1] and all(not cells[-1] for _, cells in rows[1:]):
        # Separators at the end of every line make no column.
        header = header[:-1]
        for _, cells in rows[1:]:
            cells.pop()
    if len(header) > 1 and all(isinstance(_cell(name), float) for name in header[1:]):
        raise StatisticsError("The first line holds numbers: put the names of the methods there.")
    for place, name in enumerate(header[1:], start=2):
        if not name:
            raise StatisticsError(f"Column {place} has no name: write its method in the first line.")
    return header


def _cell(text: str) -> float | str:
    """A number where it is one, NaN where nothing is there, else the text."""
    if text.lower() in MISSING:
        return float("nan")
    bare = DEVIATION.sub("", text).replace("−", "-")
    if DECIMAL_COMMA.fullmatch(bare):
        bare = bare.replace(",", ".")
    try:
        return float(bare)
    except ValueError:
        return text
