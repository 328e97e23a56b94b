"""The cells of a file with rankings, how much of it is read, and words that come near a strange one."""

from __future__ import annotations

import math
from typing import Any

from mlfs.errors import RankingError, did_you_mean
from mlfs.evaluation.external_ranking import MOST_ENTRIES
from mlfs.wording import listing

MOST_BYTES = 32 << 20
GUESSED = 5_000  # among more names than this a guess takes long
#: A cell of a table: text of a file, or a number, or None where there is nothing.
Entry = str | float | None
_MISSING = frozenset({"", "na", "nan", "n/a", "none", "null", "-"})


def is_empty(cell: Entry) -> bool:
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in _MISSING)


def number_in(cell: Entry) -> float | None:
    if not isinstance(cell, str):
        return cell
    try:
        value = float(cell) if "_" not in cell else math.nan
    except ValueError:
        return None
    return None if math.isnan(value) else value


def near(word: Any, known: Any) -> str:
    """A guess, or some of the words: a data set may have thousands of features."""
    names = list(map(str, known))
    hint = did_you_mean(str(word)[:100], names) if len(names) <= GUESSED else ""
    return hint if hint.startswith("did you mean") else f"it has {listing(names, 4)}."


def refuse_large(file: str, size: int) -> None:
    """Refuse more bytes than a ranking needs."""
    if size > MOST_BYTES:
        raise RankingError(f"{file} has more than {MOST_BYTES >> 20} MB: keep the first features of each ranking.")


def refuse_many(file: str, cells: int) -> None:
    """Refuse more cells than a ranking needs."""
    if cells > MOST_ENTRIES:
        raise RankingError(f"{file} has more than {MOST_ENTRIES:,} cells: keep the first features of each ranking.")
