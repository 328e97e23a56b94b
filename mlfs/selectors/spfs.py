"""SPFS: features whose inner products reproduce how alike instances of the same labelset are (Zhao et al. 2013)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.encoding import dense
from mlfs.information import labelset
from mlfs.selectors.base import GreedySelector
from mlfs.selectors.parts.design import Design
from mlfs.selectors.ranking import best
from mlfs.similarity import instance_similarity

# Numbers in the largest temporary table.
BLOCK = 4_000_000


class SPFS(GreedySelector):
    r"""Similarity preserving feature selection by forward search (Zhao et al. 2013; Wang et al. 2020, Appendix B).

    Minimises ‖X_S X_Sᵀ − K‖²_F, with K_ij = exp(−‖x_i − x_j‖²/(2δ²)) for instances of the same labelset and 0
    for others, x standardised and δ² the mean of ‖x_i − x_j‖² over all pairs. Adding f changes it by
    ‖f‖⁴ − 2fᵀ(K − X_S X_Sᵀ)f; the score is minus that change.

    Features enter X_S with mean 0 and length 1 (Wang et al. 2020, §3.2). With variance 1 instead, ‖f‖⁴ = n² would
    outweigh K for every feature, so that the best choice would be none. K is scanned in blocks, one labelset at a
    time, and never kept. A categorical feature enters as its best category.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(SPFS().fit(X, Y).ranking_[0])
    3
    """

    id = "spfs"
    family = "graph"
    name = "SPFS"
    long_name = "similarity preserving"
    summary = (
        "Adds the feature that brings the inner products of instances nearest to a similarity matrix: a Gaussian "
        "kernel on the features between instances of the same labelset, 0 between others. What the picked features "
        "already explain counts against a new one."
    )
    formula = r"\min_S\bigl\|X_SX_S^\top-K\bigr\|_F^2,\quad\Delta_f=\|f\|^4-2f^\top\bigl(K-X_SX_S^\top\bigr)f"
    paper = "Zhao, Wang, Liu & Ye, On similarity preserving feature selection, IEEE TKDE 2013"
    cost = "m²·d for each labelset of m instances, then n·d per picked feature (less where data are sparse)"

    def _evidence(self, X: Any, Y: np.ndarray) -> Design:
        return Design(X, Y, scaling="standard", categorical=self.categorical_features)

    def _search(self, evidence: Design) -> Generator[np.ndarray, int, None]:
        n = evidence.sizes["instances"]
        forms, varies = evidence.once("similarity_forms", lambda: similarity_forms(evidence))
        alone = 2 * forms / n - varies
        shared = np.zeros_like(alone)
        while True:
            gain = alone - 2 * shared
            s = yield evidence.per_feature(gain)
            columns = np.flatnonzero(evidence.owner == s)
            shared += (_products_with(evidence, columns[best(gain[columns])]) / n) ** 2


def similarity_forms(evidence: Design) -> tuple[np.ndarray, np.ndarray]:
    """(columns,) fᵀKf for every standardised column f, and whether it varies."""
    X = evidence.columns
    mean = np.zeros(X.shape[1]) if evidence.offset is None else evidence.offset
    varies = np.asarray(abs(X).max(axis=0).toarray()).ravel() > 0 if sparse.issparse(X) else X.any(axis=0)
    # Columns of variance 1 or 0: the mean of ‖x_i − x_j‖² over all pairs is twice the number that vary.
    width = 2.0 * np.count_nonzero(varies)
    forms, sums, total = np.zeros(X.shape[1]), np.zeros(X.shape[1]), 0.0
    for block, rows in _blocks(X, labelset(evidence.Y)):
        K = instance_similarity(block, rows, width)
        image = K @ rows
        forms += _column_products(block, image)
        # For columns that are not centred: (x − m)ᵀK(x − m) = xᵀKx − 2m·1ᵀKx + m²·1ᵀK1.
        sums += image.sum(axis=0)
        total += float(K.sum())
    return forms - 2 * mean * sums + mean**2 * total, varies


def _products_with(evidence: Design, column: int) -> np.ndarray:
    """(columns,) inner product of every standardised column with one of them."""
    # Its offset falls out: the columns sum to 0.
    return evidence.transposed_times(dense(evidence.columns[:, [column]])).ravel()


def _blocks(values: Any, group: np.ndarray) -> Iterator[tuple[Any, Any]]:
    """For each labelset its rows, a block of them at a time, beside all of them."""
    order = np.argsort(group, kind="stable")
    for members in np.split(order, np.flatnonzero(np.diff(group[order])) + 1):
        rows = values[members]
        step = max(1, BLOCK // max(values.shape[1], len(members)))
        for start in range(0, len(members), step):
            yield rows[start : start + step], rows


def _column_products(first: Any, second: np.ndarray) -> np.ndarray:
    if sparse.issparse(first):
        return np.asarray(first.multiply(second).sum(axis=0)).ravel()
    return np.einsum("ij,ij->j", first, second)
