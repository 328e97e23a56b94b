"""How alike columns, labels or instances are: Pearson correlation, cosine, and S and K of Wang et al. 2020.

One place, because three things must mean the same S (Appendix B): the ELC objective, its released program, and the
residual label correlation C(F) that a selected set is judged by.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from mlfs.encoding import dense


def standardized_sums(X: Any, Y: np.ndarray) -> np.ndarray:
    """(d, q) Σ_i z_ij·y_il of z-scored columns (population standard deviation), 0 for constant columns.

    A sparse X stays as it is: centring is a correction of rank one.
    """
    n = X.shape[0]
    Y = np.asarray(Y, dtype=np.float64)
    if sparse.issparse(X):
        low, high = X.min(axis=0).toarray().ravel(), X.max(axis=0).toarray().ravel()
        X = center_full_columns(X)
        mean = np.asarray(X.mean(axis=0)).ravel()
        filled = np.diff(X.indptr)
        apart = X.copy()
        apart.data = (X.data - np.repeat(mean, filled)) ** 2
        variance = (np.asarray(apart.sum(axis=0)).ravel() + (n - filled) * mean**2) / n
        sums = np.asarray(X.T @ Y) - np.outer(mean, Y.sum(axis=0))
    else:
        X = np.asarray(X, dtype=np.float64)
        low, high = X.min(axis=0), X.max(axis=0)
        # Centred by a value of the column first: a large offset would eat the digits of a small spread.
        X = X - X[0]
        X -= X.mean(axis=0)
        variance = np.einsum("ij,ij->j", X, X) / n
        sums = X.T @ Y
    # The two-value test is exact where the variance of a constant is only nearly 0.
    spread = np.sqrt(np.maximum(variance, 0.0))[:, None]
    varies = (low != high)[:, None] & (spread > 0)
    return np.divide(sums, spread, out=np.zeros_like(sums), where=varies)


def center_full_columns(X: Any) -> sparse.csc_matrix:
    """A CSC copy of a sparse X in which columns without implicit zeros have mean 0.

    Such a column may lie far from 0, where squares and products eat the digits of its spread; shifting it costs no
    sparsity. Other columns contain 0, so their spread is of the size of their values.
    """
    X = sparse.csc_matrix(X, dtype=np.float64, copy=True)
    X.sum_duplicates()
    filled = np.diff(X.indptr)
    full = (filled == X.shape[0]) & (filled > 0)
    shift = np.where(full, np.asarray(X.sum(axis=0)).ravel() / max(X.shape[0], 1), 0.0)
    X.data -= np.repeat(shift, filled)
    return X


def correlations(X: Any, Y: np.ndarray) -> np.ndarray:
    """(d, q) Pearson correlation of each column with each label, 0 where either is constant.

    >>> correlations(np.array([[1.0, 5], [2, 5], [3, 5]]), np.array([[0], [0], [1]])).round(3)
    array([[0.866],
           [0.   ]])
    """
    Y = np.asarray(Y, dtype=np.float64)
    spread = Y.std(axis=0)
    sums = standardized_sums(X, Y) / len(Y)
    return np.clip(np.divide(sums, spread, out=np.zeros_like(sums), where=spread > 0), -1.0, 1.0)


def label_cosine(Y: np.ndarray) -> np.ndarray:
    """(q, q) cosine of each pair of labels, 1 of a label with itself, 0 of a label that never occurs with another.

    >>> label_cosine(np.array([[1, 1, 0], [1, 0, 0]])).round(3)
    array([[1.   , 0.707, 0.   ],
           [0.707, 1.   , 0.   ],
           [0.   , 0.   , 1.   ]])
    """
    Y = np.asarray(Y, dtype=np.float64)
    together = Y.T @ Y
    count = np.diag(together)
    norm = np.sqrt(np.multiply.outer(count, count))
    cosine = np.divide(together, norm, out=np.zeros_like(together), where=norm > 0)
    np.fill_diagonal(cosine, 1.0)
    return cosine


def label_similarity(Y: np.ndarray) -> np.ndarray:
    """(q, q) S_ij = exp(−‖y_i − y_j‖² / (2δ²)) where labels i and j occur together, else 0.

    y_i is the column of label i, and δ² the mean of ‖y_i − y_j‖² over all ordered pairs, i = j included. The zeros
    can make S indefinite. Where all labels are the same, δ² = 0 and what occurs at all counts as alike.

    >>> label_similarity(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]])).round(3)
    array([[1.   , 0.687, 0.   ],
           [0.687, 1.   , 0.   ],
           [0.   , 0.   , 1.   ]])
    """
    together, squared = _label_distances(Y)
    width = 2 * squared.mean()
    return np.where(together > 0, np.exp(-squared / (width if width > 0 else 1.0)), 0.0)


def released_label_similarity(Y: np.ndarray) -> np.ndarray:
    """(q, q) exp(−‖y_i − y_j‖) / (2·mean ‖y_i − y_j‖), as the authors' released program computes it.

    The width divides the exponential instead of its exponent, and the norm is not squared. Where all labels are the
    same, so that the mean is 0, the similarity is 1.
    """
    distance = np.sqrt(_label_distances(Y)[1])
    width = 2 * distance.mean()
    return np.exp(-distance) / (width if width > 0 else 1.0)


def instance_similarity(rows: Any, others: Any, width: float) -> np.ndarray:
    """(rows, others) exp(−‖x_i − x_j‖² / (2δ²)) with width = δ²: a block of K, for instances of one labelset.

    Between instances of different labelsets K is 0, so nobody needs those blocks.
    """
    product = rows @ others.T
    product = dense(product)
    squared = _squared_lengths(rows)[:, None] + _squared_lengths(others)[None, :] - 2 * product
    return np.exp(-np.maximum(squared, 0.0) / (2 * width if width > 0 else 1.0))


def _label_distances(Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Co-occurrences and squared distances of the label columns: whole numbers, so exact."""
    labels = np.asarray(Y, dtype=np.float64)
    together = labels.T @ labels
    alone = np.diag(together)
    return together, alone[:, None] + alone[None, :] - 2 * together


def _squared_lengths(rows: Any) -> np.ndarray:
    if sparse.issparse(rows):
        return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", rows, rows)
