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
        X = sparse.csc_matrix(X)
        mean = np.asarray(X.mean(axis=0)).ravel()
        low, high = X.min(axis=0).toarray().ravel(), X.max(axis=0).toarray().ravel()
        variance = np.asarray(X.multiply(X).mean(axis=0)).ravel() - mean**2
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
