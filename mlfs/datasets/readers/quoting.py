"""ARFF's rows, with its quotes and escapes: where to cut a row, and what a quoted piece says."""

from __future__ import annotations

import re

from mlfs.datasets.readers.columns import BadRow
from mlfs.datasets.readers.problems import show

# Possessive (*+), so that an unclosed quote in a long line is not looked at again and again.
SINGLE = r"'([^'\\]*+(?:\\.[^'\\]*+)*+)'"
DOUBLE = r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"'
_CELL = re.compile(rf"\s*(?:{SINGLE}\s*,|{DOUBLE}\s*,|([^,]*),)")
_PAIR = re.compile(rf"\s*([0-9]{{1,9}})\s+(?:{SINGLE}\s*,|{DOUBLE}\s*,|([^,]*),)")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r"}


def split_cells(row: str) -> list[str]:
    r"""Cut a row at its commas, but not at those in quotes.

    >>> split_cells(r"1,'a, b',it's,'it\'s'")
    ['1', 'a, b', "it's", "it's"]
    """
    if "'" not in row and '"' not in row:
        return row.split(",")
    return [_cell_text(*match.groups()) for match in _CELL.finditer(row + ",")]


def split_sparse(row: str) -> tuple[list[int], list[str]]:
    """``{1 0.5, 7 'a b'}`` → the indices and the texts of the values."""
    if not row.endswith("}"):
        raise BadRow("the sparse row does not end with a brace; the file may have been cut off.")
    inner = row[1:-1]
    if not inner or inner.isspace():
        return [], []
    if "'" in inner or '"' in inner:
        return _split_quoted_pairs(inner + ",")
    pairs = [pair.split() for pair in inner.split(",")]
    try:
        texts = [index for index, _ in pairs]
        if "".join(texts).isdecimal():
            return [int(index) for index in texts], [value for _, value in pairs]
    except ValueError:
        pass
    bad = next((pair for pair in pairs if len(pair) != 2 or not pair[0].isdecimal()), pairs[0])
    raise BadRow(f"{show(' '.join(bad))} where a sparse row has an index and a value, such as 7 0.5; correct it.")


def _split_quoted_pairs(inner: str) -> tuple[list[int], list[str]]:
    indices, cells, place = [], [], 0
    while place < len(inner):
        # Not finditer, which would look for a pair from every blank of a long run of blanks.
        match = _PAIR.match(inner, place)
        if not match:
            raise BadRow(f"{show(inner[place:-1])} where a sparse row has an index and a value; correct it.")
        indices.append(int(match[1]))
        cells.append(_cell_text(*match.groups()[1:]))
        place = match.end()
    return indices, cells


def _cell_text(single: str | None, double: str | None, plain: str | None) -> str:
    if plain is not None:
        return plain
    return unescape(single if single is not None else double or "")


def unescape(text: str) -> str:
    def character(match: re.Match[str]) -> str:
        escape = match[1]
        if len(escape) == 1:
            return _CONTROL.get(escape, escape)
        code = int(escape[1:], 16)
        return "\N{REPLACEMENT CHARACTER}" if 0xD800 <= code < 0xE000 else chr(code)  # half a character

    return _ESCAPE.sub(character, text) if "\\" in text else text
