"""Nearest neighbours for growing sets of features: each feature is added to the distances once.

Distances are Euclidean, ties go to the lowest training row, so the result does not depend on how work is divided.
One row's distances are kept at a time: they stay in the cache, and no table of rows × rows is ever made.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit

from mlfs.blocks import each, ranges

# Query rows a thread takes at a time.
BLOCK_ROWS = 64
# Training rows that are skipped together where none of them can be near.
CHUNK = 16


def nearest(
    train: np.ndarray,
    query: np.ndarray,
    sizes: Sequence[int],
    k: int,
    *,
    itself: bool = False,
    n_jobs: int | None = None,
) -> np.ndarray:
    """(len(sizes), n_query, k) training rows nearest to each query row by the first s features, for s in sizes.

    Parameters
    ----------
    train, query : (rows, features) dense arrays, features in the order in which they are added
    sizes : ascending numbers of features
    itself : query is train, and no row is its own neighbour
    """
    found = np.empty((len(sizes), len(query), k), dtype=np.int32)
    ends = np.asarray(sizes, dtype=np.int64)
    by_feature = np.ascontiguousarray(train.T, dtype=np.float64)
    rows = np.ascontiguousarray(query, dtype=np.float64)

    def fill(block: tuple[int, int]) -> None:
        _grow(by_feature, rows, ends, itself, block[0], block[1], found)

    each(fill, list(ranges(len(rows), BLOCK_ROWS)), n_jobs)
    return found


@njit(nogil=True, cache=True)
def _grow(train, query, ends, itself, first, last, found):  # pragma: no cover - compiled
    """Write the neighbours of query rows first … last − 1, nearest first, for each number of features in `ends`."""
    n, k = train.shape[1], found.shape[2]
    distance = np.empty(n)
    least = np.empty(-(-n // CHUNK))
    row = np.empty(k, dtype=np.int32)
    for i in range(first, last):
        distance[:] = 0.0
        least[:] = 0.0
        if itself:
            distance[i] = np.inf
        row[:] = np.arange(k)
        done = 0
        for position in range(len(ends)):
            for f in range(done, ends[position]):
                value, column = query[i, f], train[f]
                for j in range(n):
                    difference = value - column[j]
                    distance[j] += difference * difference
            done = ends[position]
            # The old neighbours first: few rows can beat the farthest of them.
            for m in range(k):
                _insert(row, distance, m, row[m])
            for chunk in range(len(least)):
                start, farthest = chunk * CHUNK, row[k - 1]
                # Distances only grow: what was least in a chunk when it was last looked at bounds it still.
                if least[chunk] > distance[farthest] or (least[chunk] == distance[farthest] and start > farthest):
                    continue
                stop = min(start + CHUNK, n)
                smallest = distance[start]
                for j in range(start + 1, stop):
                    smallest = distance[j] if distance[j] < smallest else smallest
                least[chunk] = smallest
                if smallest <= distance[farthest]:
                    for j in range(start, stop):
                        if _nearer(distance, j, row[k - 1]) and not _among(row, j):
                            _insert(row, distance, k - 1, j)
            found[position, i] = row


@njit(nogil=True, cache=True)
def _nearer(distance, a, b):  # pragma: no cover - compiled
    return distance[a] < distance[b] or (distance[a] == distance[b] and a < b)


@njit(nogil=True, cache=True)
def _among(row, j):  # pragma: no cover - compiled
    for other in row:  # noqa: SIM110 - a generator would not compile
        if other == j:
            return True
    return False


@njit(nogil=True, cache=True)
def _insert(row, distance, place, new):  # pragma: no cover - compiled
    """Put a row at its place among the first `place` ones, which are sorted; what stood at `place` drops out."""
    while place > 0 and _nearer(distance, new, row[place - 1]):
        row[place] = row[place - 1]
        place -= 1
    row[place] = new
