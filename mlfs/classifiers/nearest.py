"""Nearest neighbours for growing sets of features: each feature is added to the distances once.

Distances are Euclidean, ties go to the lowest training row, so the result does not depend on how work is divided.
Memory: a few MiB of distances a thread, and the neighbours that are returned.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlfs.blocks import each, ranges

# Distances a thread works on at a time; small enough for the cache of a core.
BLOCK_CELLS = 1 << 18


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
    search = _search_binary if _is_binary(train) and _is_binary(query) else _search_numbers
    train, query = np.ascontiguousarray(train.T), np.ascontiguousarray(query.T)

    def fill(rows: tuple[int, int]) -> None:
        first, last = rows
        own = np.arange(first, last) if itself else None
        for position, neighbours in enumerate(search(train, query[:, first:last], sizes, k, own)):
            found[position, first:last] = neighbours

    each(fill, list(ranges(query.shape[1], max(1, BLOCK_CELLS // max(1, train.shape[1])))), n_jobs)
    return found


def _search_numbers(train, query, sizes, k, own):
    """Any numbers. What was near bounds what can be near: distances only grow, so after adding features no
    neighbour is farther than the farthest of the old ones, and one comparison leaves few candidates."""
    rows, n = query.shape[1], train.shape[1]
    distance, step = np.zeros((rows, n)), np.empty((rows, n))
    if own is not None:
        distance[np.arange(rows), own] = np.inf
    neighbours, done = None, 0
    for size in sizes:
        for f in range(done, size):
            np.subtract(query[f][:, None], train[f][None, :], out=step)
            np.multiply(step, step, out=step)
            distance += step
        done = size
        if neighbours is None:
            bound = np.partition(distance, k - 1, axis=1)[:, k - 1]
        else:
            bound = np.take_along_axis(distance, neighbours, axis=1).max(axis=1)
        row, column = np.nonzero(distance <= bound[:, None])
        # Stable: equal distances stay in the order of the training rows.
        order = np.lexsort((distance[row, column], row))
        start = np.searchsorted(row, np.arange(rows))
        neighbours = column[order[start[:, None] + np.arange(k)]]
        yield neighbours


def _search_binary(train, query, sizes, k, own):
    """Values 0 and 1: distances are counts. A count and the row it belongs to fit one integer, whose order is the
    order of neighbours, ties included."""
    rows, n = query.shape[1], train.shape[1]
    kind = np.int32 if (len(train) + 2) * n < 2**31 else np.int64
    key = np.tile(np.arange(n, dtype=kind), (rows, 1))
    if own is not None:
        key[np.arange(rows), own] += (len(train) + 1) * n
    # n where the values differ: |a − b|·n = (a + b − 2ab)·n, as two lines of a table.
    train = train.astype(kind) * kind(n)
    done = 0
    for size in sizes:
        for f in range(done, size):
            high = query[f] > 0
            key[high] += n - train[f]
            key[~high] += train[f]
        done = size
        yield np.partition(key, k - 1, axis=1)[:, :k] % n


def _is_binary(table: np.ndarray) -> bool:
    return bool(((table == 0) | (table == 1)).all())
