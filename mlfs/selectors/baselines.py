"""What every method should beat: no selection, and chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlfs.parameters import integer
from mlfs.selectors.base import ScoreSelector
from mlfs.selectors.evidence import Evidence


class Baseline(ScoreSelector):
    family = "baselines"

    def _evidence(self, X: Any, Y: np.ndarray) -> Evidence:
        return Evidence(X, Y)


class AllFeatures(Baseline):
    """No selection: all features in their own order, whatever ``n_features_to_select`` says.

    Examples
    --------
    >>> AllFeatures(n_features_to_select=1).fit([[5, 1, 2], [3, 1, 0]], [[0], [1]]).ranking_
    array([0, 1, 2])
    """

    id = "all_features"
    name = "All"
    long_name = "every feature, as they stand"
    summary = "Keeps every feature. The line that a selection should reach with fewer features, or beat."
    formula = r"F"
    paper = "–"
    cost = "nothing"
    selects_sets = True

    def _score(self, evidence: Evidence) -> np.ndarray:
        self.n_selected_ = self.n_features_in_
        return np.zeros(self.n_features_in_)


class Random(Baseline):
    """Features in random order, the same for the same seed.

    Examples
    --------
    >>> X, Y = [[5, 1, 2], [3, 1, 0]], [[0], [1]]
    >>> first, again = (Random(random_state=7).fit(X, Y).ranking_.tolist() for _ in range(2))
    >>> first == again, sorted(first)
    (True, [0, 1, 2])
    """

    id = "random"
    name = "Random"
    long_name = "features in random order"
    summary = "Orders the features at random. A method that does not beat it has learned nothing from the data."
    formula = r"f\sim\mathrm{Uniform}(F)"
    paper = "–"
    cost = "nothing"

    random_state: int = integer(0, 0, 2**32 - 1, "seed of the random order")

    def _score(self, evidence: Evidence) -> np.ndarray:
        return np.random.default_rng(self.random_state).permutation(self.n_features_in_).astype(np.float64)
