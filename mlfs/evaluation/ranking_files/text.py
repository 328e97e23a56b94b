"""The lines of a text file, each as its cells."""

from __future__ import annotations

import csv
import re

from mlfs.datasets import Dataset
from mlfs.errors import RankingError
from mlfs.evaluation.ranking_files.entries import Entry, number_in, refuse_many

_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")


def text_cells(file: str, content: bytes, ds: Dataset) -> list[list[Entry]]:
    """The lines of a text, each as its cells."""
    try:
        text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    if "\0" in text:
        raise RankingError(f"{file} is not text: save the ranking as CSV, one feature per line.")
    known = set(ds.feature_names)
    lines = [line.strip("\r ") for line in text.split("\n")]
    lines = [line for line in lines if line.strip() and (line[0] not in "#%" or line in known)]
    if not lines:
        raise RankingError(f"{file} is empty: give feature indices, names or scores, one per line.")
    if all(line in known for line in lines):
        return [[line] for line in lines]
    separator = next((each for each in "\t;," if any(each in line for line in lines)), None)
    if separator is None:
        split = [line.split() for line in lines]
        numeric = all(number_in(cell) is not None or cell in known for line in split[1:] or split for cell in line)
        cells: list[list[Entry]] = [list(line) for line in split] if numeric else [[line.strip('"')] for line in lines]
    else:
        refuse_many(file, sum(line.count(separator) for line in lines))
        try:
            cells = [list(row) for row in csv.reader(lines, delimiter=separator, skipinitialspace=True)]
        except csv.Error as problem:
            raise RankingError(f"{file} cannot be read as CSV: {problem}.") from None
        if separator != ",":
            cells = [[_point(cell) for cell in row] for row in cells]
    refuse_many(file, sum(map(len, cells)))
    return [[str(cell).strip() for cell in row] for row in cells]


def _point(cell: Entry) -> Entry:
    """A decimal comma as a point, where commas do not separate."""
    text = str(cell).strip()
    return text.replace(",", ".") if _DECIMAL_COMMA.fullmatch(text) else cell
