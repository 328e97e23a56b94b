"""From rankings as they are written (indices from 0 or 1, names, scores) to feature indices from 0."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from mlfs.datasets import Dataset
from mlfs.errors import RankingError, did_you_mean
from mlfs.evaluation.external_ranking import ROWS, ExternalRanking
from mlfs.evaluation.ranking_files.entries import Entry, is_empty, near, number_in, refuse_many
from mlfs.selectors.ranking import rank
from mlfs.wording import count

KINDS = ("indices", "names", "scores")


def of_lists(
    name: str,
    file: str,
    lists: list[list[Entry]],
    ds: Dataset,
    *,
    base: int | None,
    kind: str | None,
    rows: str | None,
    notes: list[str],
) -> ExternalRanking:
    if kind not in (None, *KINDS):
        raise RankingError(f"A ranking holds {', '.join(KINDS)}, not {kind!r}: {did_you_mean(str(kind), KINDS)}")
    if base not in (None, 0, 1):
        raise RankingError(f"The first feature of {name} has the number 0 or 1, not {base!r}.")
    refuse_many(file, sum(map(len, lists)))
    kind = kind or _kind(lists)
    if kind == "scores":
        orders = [_by_scores(file, each, range(ds.X.shape[1]), ds.X.shape[1]) for each in lists]
        notes.append("Read as scores, one for each feature; the highest is the best.")
    elif kind == "names":
        orders = [_by_names(file, each, ds) for each in lists]
        notes.append("Read as names of features, best first.")
    else:
        numbers = [_whole(file, each) for each in lists]
        base = _first_number(file, numbers, ds.X.shape[1]) if base is None else base
        orders = [_by_indices(file, each, ds.X.shape[1], base) for each in numbers]
        notes.append(f"Read as feature indices, counted from {base}, best first.")
    return _made(name, orders, ds, rows, notes)


def scored(
    name: str, file: str, names: list[Entry], lists: list[list[Entry]], ds: Dataset, rows: str | None, notes: list[str]
) -> ExternalRanking:
    """Scores beside the names of their features."""
    places = _by_names(file, names, ds)
    notes.append("Read as names of features and their scores; the highest is the best.")
    return _made(name, [_by_scores(file, each, places, ds.X.shape[1]) for each in lists], ds, rows, notes)


def _made(
    name: str, orders: Sequence[Sequence[int]], ds: Dataset, rows: str | None, notes: list[str]
) -> ExternalRanking:
    rows = rows or ("train" if len(orders) > 1 else "all")
    if rows not in ROWS:
        raise RankingError(f"{name}: rows must be all or train, not {rows!r}.")
    shortest, d = min(map(len, orders)), ds.X.shape[1]
    if len(orders) > 1:
        notes.append(f"{len(orders)} rankings, one for each split.")
    if shortest < d:
        notes.append(f"It ranks the first {shortest} of {d} features: larger numbers of features are left out.")
    return ExternalRanking(name, ds.name, d, tuple(map(tuple, orders)), rows, tuple(notes))


def _kind(lists: list[list[Entry]]) -> str:
    cells = [cell for each in lists for cell in each if not is_empty(cell)]
    numbers = [number_in(cell) for cell in cells]
    if any(number is None for number in numbers):
        return "names"
    return "indices" if all(number >= 0 and number == int(number) for number in map(_finite, numbers)) else "scores"


def _finite(number: float | None) -> float:
    return 0.5 if number is None or math.isinf(number) else number


def _present(file: str, cells: list[Entry]) -> list[Entry]:
    """Without the empty cells at the end, where a ranking is shorter than others."""
    cells = list(cells)
    while cells and is_empty(cells[-1]):
        cells.pop()
    for place, cell in enumerate(cells, start=1):
        if is_empty(cell):
            raise RankingError(
                f"{file} has a gap at place {place} of a ranking: a ranking may end early, but must have no gaps."
            )
    return cells


def _whole(file: str, cells: list[Entry]) -> list[int]:
    numbers = [number_in(cell) for cell in _present(file, cells)]
    for place, number in enumerate(numbers, start=1):
        if number is None or not math.isfinite(number) or number != int(number) or abs(number) > 2**31:
            raise RankingError(f"{file}: place {place} of a ranking is not a feature index but {cells[place - 1]!r}.")
    return [int(number) for number in numbers if number is not None]


def _first_number(file: str, lists: list[list[int]], d: int) -> int:
    """From which number features are counted: 0 is only there where it is 0, their number only where it is 1."""
    first, last = any(0 in each for each in lists), any(d in each for each in lists)
    if first and last:
        raise RankingError(f"{file} holds both 0 and {d}, and there are {d} features: count them from 0 or from 1.")
    if not first and not last:
        raise RankingError(
            f"{file} holds neither 0 nor {d}, so that it does not show from where its {d} features are counted: say "
            "that the first has the number 0 (base 0, as in Python) or 1 (base 1, as in MATLAB and R)."
        )
    return 0 if first else 1


def _by_indices(file: str, indices: list[int], d: int, base: int) -> list[int]:
    for place, index in enumerate(indices, start=1):
        if not base <= index < d + base:
            raise RankingError(
                f"{file}: place {place} is feature {index}, and the {d} features go from {base} to {d - 1 + base}."
            )
    _refuse_twice(file, [str(index) for index in indices], "; if these are scores, say so" * (len(indices) == d))
    return [index - base for index in indices]


def _by_names(file: str, cells: list[Entry], ds: Dataset) -> list[int]:
    places = {feature: j for j, feature in enumerate(ds.feature_names)}
    names = [f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in _present(file, cells)]
    for name in names:
        if name not in places:
            raise RankingError(f"{file}: {ds.name} has no feature {name[:60]!r}: {near(name, places)}")
    _refuse_twice(file, names)
    return [places[name] for name in names]


def _by_scores(file: str, cells: list[Entry], places: Sequence[int], d: int) -> list[int]:
    """The features in the order of their scores; one without a score is not ranked."""
    if len(cells) != len(places):
        raise RankingError(
            f"{file} holds {count(len(cells), 'number')} with fractions or signs in a ranking: scores are one for each "
            f"of the {d} features, and indices are whole numbers."
        )
    scores = np.full(d, np.nan)
    for place, cell in zip(places, cells, strict=True):
        number = None if is_empty(cell) else number_in(cell)
        if number is None and not is_empty(cell):
            raise RankingError(f"{file}: the score {cell!r} is not a number.")
        scores[place] = np.nan if number is None else number
    order: list[int] = rank(scores).tolist()
    if not order:
        raise RankingError(f"{file} holds no score.")
    return order


def _refuse_twice(file: str, words: list[str], hint: str = "") -> None:
    if len(set(words)) < len(words):
        twice = Counter(words).most_common(1)[0][0]
        raise RankingError(f"{file}: the feature {twice[:60]} appears twice in a ranking; keep its first place{hint}.")
