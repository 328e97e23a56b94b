"""Selectors that see the raw numbers: their evidence, and how a categorical feature gets one score."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from mlfs.selectors.base import ScoreSelector, Selector
from mlfs.selectors.evidence import Raw


class RawSelector(Selector):
    def _evidence(self, X: Any, Y: np.ndarray) -> Raw:
        return Raw(X, Y, categorical=self.categorical_features)


class RawScore(RawSelector, ScoreSelector):
    """Methods that score each column once; a categorical feature counts as its best category."""

    def _score(self, evidence: Raw) -> np.ndarray:
        return evidence.per_feature(self._score_columns(evidence))

    @abstractmethod
    def _score_columns(self, evidence: Raw) -> np.ndarray:
        """(columns,) scores of the one-hot expanded columns."""
