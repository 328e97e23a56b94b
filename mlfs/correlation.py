"""Pearson correlation of columns with labels, dense or sparse, constant columns included."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse


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
