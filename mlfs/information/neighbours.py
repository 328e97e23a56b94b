"""Mutual information of continuous features with a class, from nearest-neighbour distances, no bins.

The Kozachenko–Leonenko entropy estimate for H(X) − Σ_c p(c)·H(X | c), as Gómez-Verdejo et al. (2009) use it:

    M ≈ [ψ(n) − Σ_c n_c/n·ψ(n_c)] + (dim/n)·Σ_i [ln ε(i) − ln ε_c(i)],

ε(i) the distance from row i to its k-th neighbour among all rows, ε_c(i) among the rows of its own class. The
volume of the unit ball and ψ(k) cancel. Distances are maxima over the features, the norm in which adding a
feature to a set only takes a maximum with what is there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import digamma

from mlfs.encoding import dense
from mlfs.errors import TooLargeError

# Rows with k equal neighbours have ε = 0; ln of this share of a standard deviation stands in for ln 0.
SMALLEST = 1e-6


# Distances of the set so far, of one candidate, and a copy to find neighbours in: 12 bytes a pair of rows.
MEMORY_LIMIT = 4 << 30


class NeighbourInformation:
    """Estimates of M(features; class) in bits for growing sets of features.

    Parameters
    ----------
    X : (n, columns) dense or sparse, standardised here column by column
    owner : the feature each column belongs to (a categorical feature has several 0/1 columns)
    classes : (n,) class of each row; each class must have more than k rows
    k : neighbours
    """

    def __init__(self, X: Any, owner: np.ndarray, classes: np.ndarray, k: int) -> None:
        n = len(classes)
        if 12 * n * n > MEMORY_LIMIT:
            raise TooLargeError(
                f'estimator="knn" compares all pairs of {n} rows, which takes {12 * n * n / 2**30:.1f} GiB; '
                f'use estimator="plugin" or at most {int((MEMORY_LIMIT / 12) ** 0.5)} rows.'
            )
        X = dense(X)
        spread = X.std(axis=0)
        order = np.argsort(classes, kind="stable")
        # Sorted by class, the distances within a class are a block on the diagonal.
        self.X = (X / np.where(spread > 0, spread, 1.0))[order].astype(np.float32)
        self.owner, self.k = owner, k
        _, self.start, sizes = np.unique(classes[order], return_index=True, return_counts=True)
        self.ends = self.start + sizes
        self.constant = digamma(n) - (sizes / n * digamma(sizes)).sum() if n else 0.0
        self.distance = np.zeros((n, n), dtype=np.float32)
        self.size = 0

    def with_feature(self, f: int | np.integer) -> float:
        """M of the features added so far and f together with the class."""
        if len(self.X) == 0:
            return 0.0
        distance = self._distance(f)
        near = np.concatenate([self._kth(distance[a:b, a:b]) for a, b in zip(self.start, self.ends, strict=True)])
        gain = np.log(np.maximum(self._kth(distance), SMALLEST)) - np.log(np.maximum(near, SMALLEST))
        return float((self.constant + (self.size + 1) * gain.mean(dtype=np.float64)) / np.log(2))

    def add(self, f: int) -> None:
        self.distance = self._distance(f)
        self.size += 1

    def _kth(self, distance: np.ndarray) -> np.ndarray:
        # Position 0 is the row itself.
        return np.partition(distance, self.k, axis=1)[:, self.k]

    def _distance(self, f: int | np.integer) -> np.ndarray:
        distance = self.distance
        for column in self.X[:, self.owner == f].T:
            distance = np.maximum(distance, np.abs(column[:, None] - column[None, :]))
        return distance
