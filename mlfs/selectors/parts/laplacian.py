"""The graph of nearest neighbours that manifold terms tr(VᵀLV) are made of: near rows should stay near."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from mlfs.encoding import dense

NEIGHBOURS = 5
BLOCK_BYTES = 64 << 20
# Distances come from ‖a‖² + ‖b‖² − 2ab: below this share of the norms a difference is rounding, and a tie.
TOLERANCE = 1e-10


def neighbours(rows: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, k) the k nearest other rows of each row, and their squared Euclidean distances.

    Ties go to the lowest index. Distances are made for blocks of rows, so memory stays at n numbers for each row of
    a block.
    """
    n = rows.shape[0]
    square = rows.multiply(rows).sum(axis=1) if sparse.issparse(rows) else np.einsum("ij,ij->i", rows, rows)
    square = np.asarray(square, dtype=np.float64).ravel()
    rounding = TOLERANCE * square.max(initial=0.0)
    nearest, distance = np.empty((n, k), dtype=np.intp), np.empty((n, k))
    size = max(1, BLOCK_BYTES // (8 * n))
    across = rows.T.tocsr() if sparse.issparse(rows) else rows.T
    for start in range(0, n, size):
        here = np.arange(start, min(start + size, n))
        product = rows[here[0] : here[-1] + 1] @ across
        product = dense(product)
        block = square[here, None] + square - 2 * product
        block[block < rounding] = 0.0
        block[np.arange(len(here)), here] = np.inf
        last = np.partition(block, k - 1, axis=1)[:, k - 1, None]
        chosen = block < last - rounding
        tied = np.abs(block - last) <= rounding
        chosen |= tied & (np.cumsum(tied, axis=1) <= k - chosen.sum(axis=1, keepdims=True))
        nearest[here] = np.nonzero(chosen)[1].reshape(-1, k)
        distance[here] = np.take_along_axis(block, nearest[here], axis=1)
    return nearest, distance


def heat_kernel_graph(rows: Any, n_neighbors: int = NEIGHBOURS) -> sparse.csr_matrix:
    """(n, n) weights exp(−‖a−b‖²/σ²) where one of two rows is among the other's nearest, else 0.

    σ² is the mean squared distance over all neighbours, so that the graph does not depend on the unit of X.
    """
    n = rows.shape[0]
    k = min(n_neighbors, n - 1)
    nearest, distance = neighbours(rows, k)
    width = distance.mean()
    weight = np.exp(-distance / width) if width > 0 else np.ones_like(distance)
    graph = sparse.csr_matrix((weight.ravel(), nearest.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    return graph.maximum(graph.T).tocsr()


def roughness(V: np.ndarray, S: Any, degree: np.ndarray) -> float:
    """tr(VᵀLV) for the Laplacian L = D − S of a graph with weights S and row sums ``degree``."""
    return float(np.vdot(V, degree[:, None] * V - S @ V))
