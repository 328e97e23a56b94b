"""How noisy a set of features is: redundancy R(F) and residual label correlation C(F) of Wang et al. 2020.

Both are sums over the features of a set, so the whole curve over a ranking costs as much as its last point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mlfs.correlation import correlations, standardized_sums
from mlfs.errors import ParameterError
from mlfs.label_similarity import label_similarity


def redundancy(X: Any, Y: Any, subset: Sequence[int] | np.ndarray) -> float:
    """R(F) = Σ_c [(Σ_{i∈F} ρ_ic²)² − Σ_{i∈F} ρ_ic⁴] / (k'(k'−1)·q), ρ = Pearson(f_i, y_c) (eq. 16); 0 for k' < 2."""
    return float(redundancy_curve(X, Y, subset)[-1])


def redundancy_curve(X: Any, Y: Any, ranking: Sequence[int] | np.ndarray) -> np.ndarray:
    """(len(ranking),) R(F) of the first 1, 2, … features of a ranking."""
    ranking = _checked(X, ranking)
    squared = correlations(X[:, ranking], Y) ** 2
    total, size = np.cumsum(squared, axis=0), np.arange(1, len(ranking) + 1)
    pairs = (total**2 - np.cumsum(squared**2, axis=0)).sum(axis=1)
    return np.divide(pairs, size * (size - 1) * squared.shape[1], out=np.zeros(len(size)), where=size > 1)


def residual_label_correlation(X: Any, Y: Any, subset: Sequence[int] | np.ndarray) -> float:
    """C(F) = ‖YᵀX_F X_FᵀY/n² − S‖²_F / (k'(k'−1)), X z-scored, S the label similarity; NaN for k' < 2."""
    return float(residual_label_correlation_curve(X, Y, subset)[-1])


def residual_label_correlation_curve(X: Any, Y: Any, ranking: Sequence[int] | np.ndarray) -> np.ndarray:
    """(len(ranking),) C(F) of the first 1, 2, … features of a ranking; the first is NaN."""
    ranking = _checked(X, ranking)
    Y = np.asarray(Y)
    explained = standardized_sums(X[:, ranking], Y) / len(Y)
    residual = -label_similarity(Y)
    squares = np.full(len(ranking), np.nan)
    for position, a in enumerate(explained):
        residual += np.outer(a, a)
        if position:
            squares[position] = (residual**2).sum() / (position * (position + 1))
    return squares


def _checked(X: Any, features: Sequence[int] | np.ndarray) -> np.ndarray:
    features = np.asarray(features, dtype=np.intp)
    if features.ndim != 1 or len(features) == 0 or len(np.unique(features)) < len(features):
        raise ParameterError("A set of features must be a list of different column indices with at least one entry.")
    if features.min() < 0 or features.max() >= X.shape[1]:
        wrong = features[(features < 0) | (features >= X.shape[1])][0]
        raise ParameterError(f"Feature indices must be from 0 to {X.shape[1] - 1}, not {wrong}.")
    return features
