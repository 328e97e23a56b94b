"""Counts by products of 0/1 matrices, and the table of c·log c that turns counts into entropies."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import sparse

# Cells of the largest dense table a thread works on at a time: a megabyte or so, which stays in the cache.
BLOCK_CELLS = 1 << 16


def product(left: sparse.csr_matrix, right: sparse.csr_matrix) -> np.ndarray:
    """left @ right as a dense integer table, by whichever way costs least (nanoseconds, measured roughly)."""
    rows, inner = left.shape
    columns = right.shape[1]
    by_sparse = 6.0 * left.nnz * right.nnz / max(inner, 1) + 1.0 * rows * columns
    by_blas = 0.08 * rows * inner * columns + 2.0 * inner * (rows + columns)
    fits = inner < 1 << 24 and inner * (rows + columns) <= 16 * BLOCK_CELLS
    if fits and by_blas < by_sparse:
        # float32 holds every count below 2²⁴ exactly, so the order of summation cannot matter.
        dense = left.astype(np.float32).toarray() @ right.astype(np.float32).toarray()
        return dense.astype(np.int32)
    return (left @ right).toarray()


def membership(groups: np.ndarray, sizes: np.ndarray) -> sparse.csr_matrix:
    """(n, groups) 0/1 matrix: which group each observation is in."""
    n = len(groups)
    return sparse.csr_matrix((np.ones(n, dtype=np.int32), groups, np.arange(n + 1)), shape=(n, len(sizes)))


def row_of(matrix: sparse.csr_matrix) -> np.ndarray:
    """(nnz,) the row of each stored entry."""
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))


def log2(n: int) -> float:
    """log₂n, 0 for no observations."""
    return float(np.log2(n)) if n else 0.0


@lru_cache(maxsize=4)
def xlogx_table(n: int) -> np.ndarray:
    """c·log₂c for c = 0 … n."""
    count = np.arange(n + 1, dtype=np.float64)
    count[1:] *= np.log2(count[1:])
    count.setflags(write=False)
    return count
