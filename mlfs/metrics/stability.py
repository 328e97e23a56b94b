"""Whether a method selects the same features again: on other rows, or as another method does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mlfs.errors import ParameterError


def stability(subsets: Sequence[Sequence[int]], n_features: int) -> float:
    """Stability of repeated selections, 1 for always the same set, about 0 for chance (Nogueira et al., JMLR 2018).

    Φ = 1 − [mean over features of the unbiased variance of being selected] / [k̄/d·(1 − k̄/d)]. NaN for fewer than two
    selections, or where every selection is empty or holds all features: then nothing could vary.

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


def jaccard(subsets: Sequence[Sequence[int]], n_features: int) -> np.ndarray:
    """(m, m) overlap of each pair of subsets: shared features / features in either; two empty sets overlap fully.

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
    chosen = np.zeros((len(subsets), n_features), dtype=bool)
    for row, subset in zip(chosen, subsets, strict=True):
        features = np.asarray(subset, dtype=np.intp)
        if len(features) and not 0 <= features.min() <= features.max() < n_features:
            raise ParameterError(f"Feature indices must be from 0 to {n_features - 1}: found {features.max()}.")
        row[features] = True
    return chosen
