"""What the methods that rank by ridge regression share: one factorisation for every strength of the penalty."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import linalg, sparse

from mlfs.parameters import choice, weight
from mlfs.selectors.base import ScoreSelector
from mlfs.selectors.parts.design import SCALINGS, Design


class RidgeDesign(Design):
    """A design without its constant columns: with the features as given, such a column would be the intercept.

    Attributes
    ----------
    varies : (columns,) bool array
    """

    def __init__(self, X: Any, Y: np.ndarray, **how: Any) -> None:
        super().__init__(X, Y, **how)
        low, high = (_flat(end) for end in (self.columns.min(axis=0), self.columns.max(axis=0)))
        self.varies = low != high
        if not self.varies.all():
            kept = self.varies.astype(np.float64)
            self.columns = (
                (self.columns @ sparse.diags(kept)).tocsr() if sparse.issparse(self.columns) else self.columns * kept
            )

    def coefficients(self, strength: float) -> np.ndarray:
        """(columns, q) (XᵀX + strength·I)⁻¹ XᵀY; the first call factors X on its smaller side, the others do not."""
        values, vectors = self.once("spectrum", lambda: linalg.eigh(self.gram))
        n, d = self.shape
        right = self.once("rotated", lambda: vectors.T @ (self.correlations if d <= n else self.labels))
        # No eigenvalue of XᵀX is negative but by rounding.
        solution = vectors @ (right / (np.maximum(values, 0.0) + strength)[:, None])
        return solution if d <= n else self.transposed_times(solution)


class RidgeSelector(ScoreSelector):
    """Methods that rank features by the rows of W = (XᵀX + λI)⁻¹XᵀY; constant features come last.

    Attributes
    ----------
    coefficients_ : (d, q) float array
        W; a categorical feature has one row per category, in the place of the feature.
    """

    lambda_: float = weight(10.0, "strength λ of the ridge penalty")
    scaling: str = choice(
        "none",
        SCALINGS,
        "features scaled to mean 0 and deviation 1, scaled to the range from 0 to 1, or as given",
        prepares=True,
    )

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """XᵀX or XXᵀ, its eigenvectors and the work space of their computation."""
        return 32 * min(sizes["instances"], sizes["features"]) ** 2

    def _evidence(self, X: Any, Y: np.ndarray) -> RidgeDesign:
        return RidgeDesign(X, Y, scaling=self.scaling, categorical=self.categorical_features)

    @abstractmethod
    def _score_varying(self, coefficients: np.ndarray, evidence: RidgeDesign) -> tuple[np.ndarray, float]:
        """Scores of the columns that vary, by their rows of W, and the score of all others, which is the lowest."""

    def _score(self, evidence: RidgeDesign) -> np.ndarray:
        self.coefficients_ = evidence.coefficients(self.lambda_)
        varies = evidence.varies
        scores = np.zeros(len(varies))
        if varies.any():
            scores[varies], scores[~varies] = self._score_varying(self.coefficients_[varies], evidence)
        return evidence.per_feature(scores)

    def __sklearn_is_fitted__(self) -> bool:
        # Without this scikit-learn would take lambda_ for a fitted attribute.
        return hasattr(self, "ranking_")


def _flat(row: Any) -> np.ndarray:
    return row.toarray().ravel() if sparse.issparse(row) else row
