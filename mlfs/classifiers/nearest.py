"""Nearest neighbours for growing sets of features: each feature is added to the distances once.

Distances are Euclidean, ties go to the lowest training row, so the result does not depend on how work is divided.
One row's distances are kept at a time: they stay in the cache, and no table of rows × rows is ever made.
Where a query row is 0 in a feature that is 0 nearly everywhere, only the training rows that are not are visited; the
others would have 0 added, so that every distance is the same to the last bit.

Which rows are near is looked up in either of two ways, with the same result. Where whole features are added, the least
distance of each chunk is computed anew, all at once, and rows are compared without branches, which the processor would
guess wrongly half the time. Where most of what is added is 0, most chunks are as they were, and are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlfs.blocks import each, ranges
from mlfs.compiled import compiled

# Query rows a thread takes at a time, between two looks whether the work is still wanted.
BLOCK_ROWS = 256
# Training rows that are skipped together where none of them can be near; a multiple of four.
CHUNK = 16
# A feature is 0 nearly everywhere where at most one row in so many is not: below that, adding to all is as quick.
FEW = 8


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
    neighbours = np.empty((len(sizes), len(query), k), dtype=np.int32)
    ends = np.asarray(sizes, dtype=np.int64)
    by_feature = np.ascontiguousarray(train.T, dtype=np.float64)
    rows = np.ascontiguousarray(query, dtype=np.float64)
    few, begin, filled, square = _filled(by_feature)

    def fill(block: tuple[int, int]) -> None:
        _grow(by_feature, few, begin, filled, square, rows, ends, itself, block[0], block[1], neighbours)

    each(fill, list(ranges(len(rows), BLOCK_ROWS)), n_jobs)
    return neighbours


def _filled(by_feature: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Which features are 0 nearly everywhere, and of these the rows that are not 0, with their squares.

    Those of feature f stand at begin[f] … begin[f + 1] − 1.
    """
    counts = np.count_nonzero(by_feature, axis=1)
    few = counts * FEW <= by_feature.shape[1]
    begin = np.concatenate([[0], np.cumsum(np.where(few, counts, 0))])
    listed = by_feature[few]
    of, filled = np.nonzero(listed)
    return few, begin, filled.astype(np.int32), np.square(listed[of, filled])


@compiled
def _grow(train, few, begin, filled, square, query, ends, itself, first, last, neighbours):
    """Write the neighbours of query rows first … last − 1, nearest first, for each number of features in `ends`."""
    n, k = train.shape[1], neighbours.shape[2]
    chunks = -(-n // CHUNK)
    distance = np.full(chunks * CHUNK, np.inf)
    # As many places as make k equal parts.
    least = np.full(-(-chunks // k) * k, np.inf)
    row, near, parts = np.empty(k, dtype=np.int32), np.empty(k), np.empty(k)
    listed = np.empty(len(distance), dtype=np.int64)
    mostly_zero = few.any()
    for i in range(first, last):
        distance[:n] = 0.0
        least[:chunks] = 0.0
        if itself:
            distance[i] = np.inf
        row[:] = np.arange(k)
        done = 0
        for position in range(len(ends)):
            for f in range(done, ends[position]):
                value, column = query[i, f], train[f]
                if few[f] and value == 0.0:
                    for place in range(begin[f], begin[f + 1]):
                        distance[filled[place]] += square[place]
                    continue
                for j in range(n):
                    difference = value - column[j]
                    distance[j] += difference * difference
            done = ends[position]
            if mostly_zero:
                _find_in_few(distance, least[:chunks], row, near)
            else:
                _find(distance, chunks, least, parts, listed, row, near)
            neighbours[position, i] = row


@compiled
def _find(distance, chunks, least, parts, listed, row, near):
    """Put the nearest rows into `row`, which holds those of before, and their distances into `near`.

    Chunks hold every so-manieth row, so that what is least in each is computed for many of them at once.
    """
    k = len(row)
    _least_of_each(distance, least[:chunks])
    _least_of_each(least, parts)
    # The nearest are no farther than those of before, nor than the nearest of each of k parts.
    bound = min(_farthest(distance, row), parts.max())
    for m in range(_list_within(bound, distance, least[:chunks], listed)):
        j, here = listed[m], distance[listed[m]]
        if m < k:
            _insert(row, near, m, j, here)
        elif here < near[k - 1] or (here == near[k - 1] and j < row[k - 1]):
            _insert(row, near, k - 1, j, here)


@compiled
def _least_of_each(values, least):
    """The least value of each of len(least) parts: place j is in part j modulo their number."""
    parts = len(least)
    least[:] = values[:parts]
    for start in range(parts, len(values), parts):
        row = values[start : start + parts]
        for part in range(parts):
            least[part] = row[part] if row[part] < least[part] else least[part]


@compiled
def _farthest(distance, row):
    farthest = 0.0
    for j in row:
        farthest = distance[j] if distance[j] > farthest else farthest
    return farthest


@compiled
def _list_within(bound, distance, least, listed):
    """List the rows that are no farther than the bound; how many they are."""
    chunks, looked, count = len(least), 0, 0
    hits = np.empty(chunks, dtype=np.int64)
    for chunk in range(chunks):
        hits[looked] = chunk
        looked += least[chunk] <= bound
    for hit in range(looked):
        for j in range(hits[hit], len(distance), chunks):
            listed[count] = j
            count += distance[j] <= bound
    return count


@compiled
def _find_in_few(distance, least, row, near):
    """As `_find`, where few distances change; chunks hold rows that follow each other.

    `least` is what was least in a chunk when it was last looked at. Distances only grow: it bounds it still.
    """
    k = len(row)
    # The old neighbours first: few rows can beat the farthest of them.
    for m in range(k):
        _insert(row, near, m, row[m], distance[row[m]])
    for chunk in range(len(least)):
        start, bound = chunk * CHUNK, near[k - 1]
        if least[chunk] > bound or (least[chunk] == bound and start > row[k - 1]):
            continue
        least[chunk] = _least(distance, start)
        if least[chunk] <= bound:
            for j in range(start, start + CHUNK):
                here = distance[j]
                closer = here < near[k - 1] or (here == near[k - 1] and j < row[k - 1])
                if closer and not _among(row, j):
                    _insert(row, near, k - 1, j, here)


@compiled
def _least(distance, start):
    """The least of a chunk, by four chains of comparisons that do not wait for each other."""
    a, b, c, d = distance[start], distance[start + 1], distance[start + 2], distance[start + 3]
    for j in range(start + 4, start + CHUNK, 4):
        a = distance[j] if distance[j] < a else a
        b = distance[j + 1] if distance[j + 1] < b else b
        c = distance[j + 2] if distance[j + 2] < c else c
        d = distance[j + 3] if distance[j + 3] < d else d
    return min(min(a, b), min(c, d))


@compiled
def _among(row, j):
    for other in row:  # noqa: SIM110 - a generator would not compile
        if other == j:
            return True
    return False


@compiled
def _insert(row, near, place, new, here):
    """Put a row at its place among the first `place` ones, which are sorted; what stood at `place` drops out."""
    while place > 0 and (here < near[place - 1] or (here == near[place - 1] and new < row[place - 1])):
        row[place], near[place] = row[place - 1], near[place - 1]
        place -= 1
    row[place], near[place] = new, here
