"""RFSFS and SRFS: non-negative regression whose features should differ, with one penalty or the other."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

import numpy as np

from mlfs.parameters import weight
from mlfs.selectors.parts.descent import Iterate, row_norms
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.latent import multiply, square, unit_rows
from mlfs.selectors.parts.nonnegative import NonNegativeSelector, correlations
from mlfs.similarity import label_cosine

START = 0.5


class DistinctRowsSelector(NonNegativeSelector):
    r"""min over W ≥ 0 of ‖XW−Y‖² + α·tr(W L_C Wᵀ) + β·Ω(W) + γ(‖WWᵀ‖₁ − ‖W‖²) for features scaled to [0, 1].

    C holds the cosines of the labels, D_C their row sums, L_C = D_C − C. W starts at ½ and is multiplied, entry by
    entry, by (XᵀY + αWC + γW) / (XᵀXW + αWD_C + ½βΩ'(W) + γ·1(1ᵀW)), which never raises the objective. The last term
    is the sum of the products of all pairs of rows: nothing of size d × d is needed for it.
    """

    alpha: float = weight(0.1, "weight of labels that occur together having the same features")
    beta: float = weight(0.1, "weight of the sparsity of W")
    gamma: float = weight(0.1, "weight of the products of the rows of W, the redundancy")

    @abstractmethod
    def _penalty(self, W: np.ndarray) -> float:
        """Ω(W)."""

    @abstractmethod
    def _penalty_slope(self, W: np.ndarray) -> np.ndarray:
        """Ω'(W)."""

    def _descend(self, evidence: Design, rng: np.random.Generator | None = None) -> Iterator[Iterate]:
        C = label_cosine(evidence.Y)
        degree, total, push = C.sum(axis=0), square(evidence.labels), correlations(evidence, evidence.labels)
        W = np.full(push.shape, START)
        if rng is not None:
            # From rows weighed at random, so that equal features, and equal labels, start alike.
            W = correlations(evidence, evidence.labels * rng.random((len(evidence.labels), 1)))
            W *= START / (W.mean() or 1.0)
        while True:
            image, alike, sums = np.maximum(evidence.normal(W), 0.0), W @ C, W.sum(axis=0)
            objective = (
                float(np.vdot(W, image - 2.0 * push))
                + total
                + self.alpha * float(np.vdot(W, W * degree - alike))
                + self.beta * self._penalty(W)
                + self.gamma * (square(sums) - square(W))
            )
            yield Iterate(W, objective)
            pull = image + self.alpha * (W * degree) + 0.5 * self.beta * self._penalty_slope(W) + self.gamma * sums
            W = multiply(W, push + self.alpha * alike + self.gamma * W, pull)

    def _steepness(self, evidence: Design) -> np.ndarray:
        W = self.coefficients_
        C = label_cosine(evidence.Y)
        slope = evidence.normal(W) - evidence.correlations + self.alpha * (W * C.sum(axis=0) - W @ C)
        return self._downhill(slope + self.gamma * (W.sum(axis=0) - W))


class RFSFS(DistinctRowsSelector):
    r"""Robust flexible sparse regularized feature selection (Li, Hu & Gao 2023, as released).

    min over W ≥ 0 of ‖XW−Y‖² + α·tr(W L_C Wᵀ) + β‖W‖₁ + γ(‖WWᵀ‖₁ − ‖W‖²) for features scaled to [0, 1]. C holds the
    cosines of the labels, D_C their row sums, L_C = D_C − C. W starts at ½ and is multiplied, entry by entry, by
    (XᵀY + αWC + γW) / (XᵀXW + αWD_C + ½β + γ·1(1ᵀW)), which never raises the objective. Nothing of size d × d is needed
    for the last term, the sum of the products of all pairs of rows.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(RFSFS().fit(X, Y).ranking_[0])
    3
    """

    id = "rfsfs"
    name = "RFSFS"
    long_name = "robust flexible sparse regularisation"
    family = "regression with sparsity"
    summary = (
        "Regresses the labels on the features with few coefficients, alike for labels that occur together and "
        "different from feature to feature, so that features do not repeat each other. Coefficients cannot be "
        "negative: a feature that is high where labels are absent is overlooked."
    )
    formula = (
        r"\min_{W\ge0}\|XW-Y\|_F^2+\alpha\operatorname{tr}(WL_CW^\top)+\beta\|W\|_1"
        r"+\gamma\big(\|WW^\top\|_1-\|W\|_F^2\big)"
    )
    paper = (
        "Li, Hu & Gao, Multi-label feature selection via robust flexible sparse regularization, Pattern Recognition "
        "2023"
    )
    cost = "n·d² for XᵀX where d ≤ n, then d·q·min(2n, d) per iteration"

    def _penalty(self, W: np.ndarray) -> float:
        return float(W.sum())

    def _penalty_slope(self, W: np.ndarray) -> np.ndarray:
        return (W > 0).astype(np.float64)


class SRFS(DistinctRowsSelector):
    r"""SRFS (Li et al. 2025, as released): RFSFS with row norms for the sparsity.

    min over W ≥ 0 of ‖XW−Y‖² + α·tr(W L_C Wᵀ) + β‖W‖₂,₁ + γ(‖WWᵀ‖₁ − ‖W‖²) for features scaled to [0, 1], as `RFSFS`
    solves it with w_j/‖w_j‖ for 1 in the update.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(SRFS().fit(X, Y).ranking_[0])
    3
    """

    id = "srfs"
    name = "SRFS"
    long_name = "sparse supplementation"
    family = "regression with sparsity"
    summary = (
        "Regresses the labels on the features with coefficients alike for labels that occur together and different "
        "from feature to feature, and leaves whole features out. Coefficients cannot be negative: a feature that "
        "is high where labels are absent is overlooked."
    )
    formula = (
        r"\min_{W\ge0}\|XW-Y\|_F^2+\alpha\operatorname{tr}(WL_CW^\top)+\beta\|W\|_{2,1}"
        r"+\gamma\big(\|WW^\top\|_1-\|W\|_F^2\big)"
    )
    paper = (
        "Li, Wang, Yang, Gao, Ding & Li, Fusion-enhanced multi-label feature selection with sparse supplementation, "
        "Information Fusion 2025 (taken from a released program, not from the text)"
    )
    cost = RFSFS.cost

    def _penalty(self, W: np.ndarray) -> float:
        return float(row_norms(W).sum())

    def _penalty_slope(self, W: np.ndarray) -> np.ndarray:
        return unit_rows(W)
