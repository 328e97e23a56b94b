"""Selectors that see discretised features: the two parameters they share, and their evidence."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlfs.information.discretization import METHODS
from mlfs.selectors.base import GreedySelector, ScoreSelector, Selector
from mlfs.selectors.evidence import Information
from mlfs.selectors.parameters import choice, integer


class InformationSelector(Selector):
    n_bins: int = integer(5, 2, 256, "bins per numeric feature; features with fewer values keep them", prepares=True)
    discretization: str = choice("equal_width", METHODS, "how numeric features are cut into bins", prepares=True)

    def _evidence(self, X: Any, Y: np.ndarray) -> Information:
        return Information(
            X,
            Y,
            n_bins=self.n_bins,
            discretization=self.discretization,
            categorical=self.categorical_features,
            n_jobs=self.n_jobs,
        )


class InformationScore(InformationSelector, ScoreSelector):
    """Information methods that score each feature once."""


class InformationSearch(InformationSelector, GreedySelector):
    """Information methods that pick one feature after another."""
