"""RFS: regression that neither outlying rows nor most features can pull, by row norms in loss and penalty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from mlfs.parameters import weight
from mlfs.selectors.parts.descent import DescentSelector, Iterate, row_norms
from mlfs.selectors.parts.design import Design

# √(‖r‖² + ε²) stands for ‖r‖, which has no derivative at 0. Residuals are of the size of labels, 0 to 1; for rows of W
# ε is divided by the size of the numbers in X. The objective is raised by at most ε per row, then.
SMOOTHING = 1e-6


class RFS(DescentSelector):
    r"""Robust feature selection (Nie, Huang, Cai & Ding, NIPS 2010).

    min_W ‖XW−Y‖₂,₁ + γ‖W‖₂,₁ with √(‖·‖²+ε²) for each row norm. Each iteration weighs rows and features by the
    inverse of their norms and solves the weighted ridge regression in the smaller of n and d; the paper's Algorithm 1
    takes the same steps through a system of size n + d. The weighted problem lies above the objective and touches it
    at the current W, so no iteration raises it.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(RFS().fit(X, Y).ranking_[0])
    3
    """

    id = "rfs"
    name = "RFS"
    long_name = "robust joint ℓ2,1-norms"
    summary = (
        "Regresses all labels on the features with a loss that counts each row's error unsquared, so that outliers "
        "pull little, and a penalty that removes whole features. Solved by reweighted least squares."
    )
    formula = r"\min_W\|XW-Y\|_{2,1}+\gamma\|W\|_{2,1}"
    paper = (
        "Nie, Huang, Cai & Ding, Efficient and robust feature selection via joint ℓ2,1-norms minimization, NIPS 2010"
    )
    cost = "n·d·min(n, d) + min(n, d)³ per iteration (less where data are sparse)"

    gamma: float = weight(10.0, "weight γ of the row norms of W")

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """The weighted Gram matrix on the smaller side, and its factor."""
        return 16 * min(sizes["instances"], sizes["features"]) ** 2

    def _descend(self, evidence: Design) -> Iterator[Iterate]:
        Y = evidence.labels
        n, d = evidence.shape
        typical = float(np.linalg.norm(evidence.lengths)) / np.sqrt(n * d)
        smallest = SMOOTHING / (typical or 1.0)
        # With norms of ½ everywhere it is ridge regression of strength γ.
        W = self._weighted_ridge(evidence, np.full(n, 0.5), np.full(d, 0.5))
        residual, size = _smoothed(Y - evidence.times(W), SMOOTHING), _smoothed(W, smallest)
        objective = float(residual.sum() + self.gamma * size.sum())
        yield Iterate(W, objective)
        while True:
            W_new = self._weighted_ridge(evidence, residual, size)
            residual_new, size_new = _smoothed(Y - evidence.times(W_new), SMOOTHING), _smoothed(W_new, smallest)
            reached = float(residual_new.sum() + self.gamma * size_new.sum())
            if reached <= objective:
                W, residual, size, objective = W_new, residual_new, size_new, reached
            # Else only rounding is left, and the iteration stays where it is.
            yield Iterate(W, objective)

    def _weighted_ridge(self, evidence: Design, residual: np.ndarray, size: np.ndarray) -> np.ndarray:
        """argmin Σ_i ‖x_iW−y_i‖²/(2·residual_i) + γ Σ_j ‖w_j‖²/(2·size_j)."""
        return evidence.weighted_ridge(self.gamma, np.sqrt(size), 1.0 / np.sqrt(residual))(evidence.labels)


def _smoothed(rows: np.ndarray, epsilon: float) -> np.ndarray:
    return np.hypot(row_norms(rows), epsilon)
