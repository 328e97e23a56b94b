"""χ² of feature states against classes, from weighted counts."""

from __future__ import annotations

import numpy as np

from mlfs.information.states import States


def chi_square(features: States, weights: np.ndarray) -> np.ndarray:
    """(d,) χ² of each feature's states × classes table; `weights` (n, classes) says how much a row counts where.

    Cells that expect nothing count 0.
    """
    table = np.asarray(features.indicators @ weights)
    column = weights.sum(axis=0)
    total = column.sum()
    if total <= 0:
        return np.zeros(features.d)

    def deviation(observed: np.ndarray) -> np.ndarray:
        expected = observed.sum(axis=1, keepdims=True) * column / total
        parts = np.divide((observed - expected) ** 2, expected, out=np.zeros_like(observed), where=expected > 1e-12)
        return parts.sum(axis=1)

    background = column - features.reduce(table)
    return features.reduce(deviation(table)) + deviation(np.maximum(background, 0.0))
