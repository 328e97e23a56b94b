"""From the cells of a table to rankings: its header, names beside scores, and whether rankings go down or across."""

from __future__ import annotations

from mlfs.datasets import Dataset
from mlfs.errors import RankingError
from mlfs.evaluation.ranking_files.entries import Entry, is_empty, near, number_in
from mlfs.wording import listing


def rankings_in(
    file: str, cells: list[list[Entry]], ds: Dataset, text: bool, kind: str | None, notes: list[str]
) -> tuple[list[list[Entry]], list[Entry] | None]:
    """The rankings of a table, and the names of its lines where each has one beside its scores."""
    known, d = set(ds.feature_names), ds.X.shape[1]
    header = text and len(cells) > 1 and _is_header(file, cells, known)
    if header:
        notes.append(f"The first line ({listing([str(cell) for cell in cells[0]], 3)}) is taken for a header.")
    corner, body = (cells[0][0] if header else ""), cells[1:] if header else cells
    width = max(map(len, body))
    if header and len(cells[0]) == width - 1:  # as R writes row names
        corner = ""
    body = [[*row, *[None] * (width - len(row))] for row in body]
    columns = [list(column) for column in zip(*body, strict=True)]
    if header and width > 1 and not corner and _counts(columns[0]):
        columns, body = columns[1:], [row[1:] for row in body]
    while len(columns) > 1 and all(is_empty(cell) for cell in columns[-1]):
        columns, body = columns[:-1], [row[:-1] for row in body]
    named = len(columns) > 1 and kind != "names" and all(isinstance(cell, str) and cell in known for cell in columns[0])
    if named and all(is_empty(cell) or number_in(cell) is not None for column in columns[1:] for cell in column):
        return columns[1:], columns[0]
    if header or len(columns) == 1:
        return columns, None
    return _oriented(columns, body, d, notes), None


def _is_header(file: str, cells: list[list[Entry]], known: set[str]) -> bool:
    strange = [
        str(cell) for cell in cells[0] if not is_empty(cell) and number_in(cell) is None and str(cell) not in known
    ]
    if not strange and not (is_empty(cells[0][0]) and len(cells[0]) > 1):
        return False
    body = [cell for row in cells[1:] for cell in row if not is_empty(cell)]
    if strange and body and all(str(cell) in known for cell in body):
        guess = near(strange[0], known)
        if guess.startswith("did you mean") and strange[0].lower() not in ("feature", "features", "name", "names"):
            raise RankingError(f"{file}: there is no feature {strange[0]!r}: {guess}")
    return True


def _oriented(columns: list[list[Entry]], body: list[list[Entry]], d: int, notes: list[str]) -> list[list[Entry]]:
    """Whether rankings go down or across: along the side with all features, else where none holds a feature twice."""
    if len(body) == 1:
        return body
    down, across = len(body) == d, len(columns) == d
    if down == across:
        down, across = _without_repeats(columns), _without_repeats(body)
    if down == across:
        down = len(body) >= len(columns)
        notes.append(f"Whether rankings go down or across is not clear: taken {'down' if down else 'across'}.")
    return columns if down else body


def _without_repeats(lists: list[list[Entry]]) -> bool:
    present = [[cell for cell in each if not is_empty(cell)] for each in lists]
    return all(len(set(each)) == len(each) for each in present)


def _counts(column: list[Entry]) -> bool:
    """Whether it numbers the lines, from 0 or from 1."""
    numbers = [number_in(cell) for cell in column]
    return numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))
