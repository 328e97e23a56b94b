"""What can be said of sets of features without a prediction: how noisy one is, and how far several agree.

Redundancy R(F) and residual label correlation C(F) of Wang et al. 2020 are sums over the features of a set, so the
whole curve over a ranking costs as much as its last point. Stability and overlap tell whether a method selects the
same features again: on other rows, or as another method does.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from mlfs.checks import checked, indices, table, whole
from mlfs.encoding import checked_labels
from mlfs.similarity import correlations, label_similarity, standardized_sums

# More than any file may have; a typing mistake must not take all the memory.
MOST_FEATURES = 100_000_000


def redundancy(X: Any, Y: Any, subset: Sequence[int] | np.ndarray) -> float:
    """R(F): how much the features of a set tell the same about the labels (Wang et al. 2020, eq. 16).

    Σ_c [(Σ_{i∈F} ρ_ic²)² − Σ_{i∈F} ρ_ic⁴] / (k'(k'−1)·q) for k' features and ρ = Pearson(f_i, y_c); 0 for k' < 2.

    Parameters
    ----------
    X : (n, d) array or sparse matrix
        The features.
    Y : (n, q) table of 0 and 1
        The labels.
    subset : sequence of int
        The features of the set, by their indices.

    Returns
    -------
    float
        From 0 to 1, lower is better.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> round(redundancy(X, Y, [0, 1]), 3), round(redundancy(X, Y, [0, 2]), 3)
    (0.5, 0.0)
    """
    return float(redundancy_curve(X, Y, subset)[-1])


def redundancy_curve(X: Any, Y: Any, ranking: Sequence[int] | np.ndarray) -> np.ndarray:
    """(len(ranking),) R(F) of the first 1, 2, … features of a ranking; see `redundancy`."""
    X, Y, ranking = _checked(X, Y, ranking)
    squared = correlations(X[:, ranking], Y) ** 2
    total, size = np.cumsum(squared, axis=0), np.arange(1, len(ranking) + 1)
    pairs = (total**2 - np.cumsum(squared**2, axis=0)).sum(axis=1)
    return np.divide(pairs, size * (size - 1) * squared.shape[1], out=np.zeros(len(size)), where=size > 1)


def residual_label_correlation(X: Any, Y: Any, subset: Sequence[int] | np.ndarray) -> float:
    """C(F): how much of the similarity between labels a set of features leaves unexplained (Wang et al. 2020).

    ‖YᵀX_F X_FᵀY/n² − S‖²_F / (k'(k'−1)) for k' features, X z-scored, S the label similarity. For k' < 2 it is NaN, with
    a warning.

    Parameters
    ----------
    X : (n, d) array or sparse matrix
        The features.
    Y : (n, q) table of 0 and 1
        The labels.
    subset : sequence of int
        The features of the set, by their indices.

    Returns
    -------
    float
        From 0, lower is better.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> X = np.column_stack([Y, [0, 1, 1, 0]])  # the labels, and whether they differ
    >>> residual_label_correlation(X, Y, [0, 1]) < residual_label_correlation(X, Y, [0, 2])
    True
    """
    value = float(residual_label_correlation_curve(X, Y, subset)[-1])
    if np.isnan(value):
        warnings.warn("C(F) of a single feature is not defined, hence NaN: use at least two.", stacklevel=2)
    return value


def residual_label_correlation_curve(X: Any, Y: Any, ranking: Sequence[int] | np.ndarray) -> np.ndarray:
    """(len(ranking),) C(F) of the first 1, 2, … features of a ranking, the first NaN; see
    `residual_label_correlation`."""
    X, Y, ranking = _checked(X, Y, ranking)
    explained = standardized_sums(X[:, ranking], Y) / len(Y)
    residual = -label_similarity(Y)
    squares = np.full(len(ranking), np.nan)
    for position, a in enumerate(explained):
        residual += np.outer(a, a)
        if position:
            squares[position] = (residual**2).sum() / (position * (position + 1))
    return squares


def _checked(X: Any, Y: Any, features: Any) -> tuple[Any, np.ndarray, np.ndarray]:
    X = table(X)
    return X, checked_labels(Y, X.shape[0]), indices(features, X.shape[1], "subset")


@checked
def stability(subsets: Sequence[Sequence[int]], n_features: int) -> float:
    """Stability of repeated selections, 1 for always the same set, about 0 for chance (Nogueira et al., JMLR 2018).

    Φ = 1 − [mean over features of the unbiased variance of being selected] / [k̄/d·(1 − k̄/d)]. NaN for fewer than two
    selections, or where every selection is empty or holds all features: then nothing could vary.

    Parameters
    ----------
    subsets : sequence of sequences of int
        The features that each selection kept.
    n_features : int
        How many features there are.

    Returns
    -------
    float
        At most 1.

    Examples
    --------
    >>> stability([[0, 1], [0, 1], [0, 1]], n_features=5)
    1.0
    """
    chosen = _membership(subsets, n_features)
    m = len(chosen)
    share = chosen.mean() if chosen.size else 0.0
    if m < 2 or share in (0.0, 1.0):
        return float("nan")
    frequency = chosen.mean(axis=0)
    variance = m / (m - 1) * frequency * (1 - frequency)
    return float(1 - variance.mean() / (share * (1 - share)))


@checked
def jaccard(subsets: Sequence[Sequence[int]], n_features: int) -> np.ndarray:
    """(m, m) overlap of each pair of subsets: shared features / features in either; two empty sets overlap fully.

    Parameters
    ----------
    subsets : m sequences of int
        The features of each set.
    n_features : int
        How many features there are.

    Examples
    --------
    >>> jaccard([[0, 1], [1, 2]], n_features=3).round(2)
    array([[1.  , 0.33],
           [0.33, 1.  ]])
    """
    chosen = _membership(subsets, n_features).astype(np.float64)
    both = chosen @ chosen.T
    size = chosen.sum(axis=1)
    either = size[:, None] + size[None, :] - both
    return np.divide(both, either, out=np.ones_like(both), where=either > 0)


def _membership(subsets: Sequence[Sequence[int]], n_features: int) -> np.ndarray:
    n_features = whole("n_features", n_features, 1, MOST_FEATURES)
    chosen = np.zeros((len(subsets), n_features), dtype=bool)
    for row, subset in zip(chosen, subsets, strict=True):
        row[indices(subset, n_features, "Each of subsets", empty=True)] = True
    return chosen
