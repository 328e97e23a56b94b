"""CMFS: non-negative factors of the labels that follow from the features and respect label correlations."""

from __future__ import annotations

import numpy as np

from mlfs.parameters import integer
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.latent import (
    LatentProblem,
    LatentSelector,
    multiply,
    nonnegative_start,
    roughness,
    square,
    unit_rows,
)
from mlfs.similarity import label_cosine


class CMFS(LatentSelector):
    r"""Correlated multi-label feature selection (our reading of Braytee, Liu, Catchpoole & Kennedy, CIKM 2017).

    min over W, V, B ≥ 0 of ‖XW−V‖² + α‖Y−VB‖² + β·tr(VᵀL_XV) + β·tr(B L_Y Bᵀ) + γ‖W‖₂,₁ for features scaled to
    [0, 1]. L_X is the Laplacian of a graph of 5 nearest neighbours with heat-kernel weights S_X, L_Y that of the
    cosines S_Y of the labels. Each factor in turn is multiplied, entry by entry, by the negative part of the gradient
    over the positive:

    - W by XᵀV / (XᵀXW + ½γ·w_j/‖w_j‖),
    - V by (XW + αYBᵀ + βS_XV) / (V + αVBBᵀ + βD_XV),
    - B by (αVᵀY + βBS_Y) / (αVᵀVB + βBD_Y).

    That is a gradient step with the lengths K⁻¹, K diagonal, and it lowers a quadratic form A wherever 2K − A is
    positive semidefinite: Lee & Seung's lemma for the non-negative part of A, and D + S for the graph.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(CMFS(n_latent=4).fit(X, Y).ranking_[0])
    3
    """

    id = "cmfs"
    name = "CMFS"
    long_name = "correlation information"
    summary = (
        "Factors the labels into non-negative latent ones that vary little between neighbouring rows and treat labels "
        "that occur together alike, and that are sums of few features. Coefficients cannot be negative: a feature that "
        "is high where labels are absent is overlooked."
    )
    formula = (
        r"\min_{W,V,B\ge0}\|XW-V\|_F^2+\alpha\|Y-VB\|_F^2+\beta\operatorname{tr}(V^\top L_XV)"
        r"+\beta\operatorname{tr}(BL_YB^\top)+\gamma\|W\|_{2,1}"
    )
    paper = "Braytee, Liu, Catchpoole & Kennedy, Multi-label feature selection using correlation information, CIKM 2017"
    cost = "n²·d for the neighbours, n·d² for XᵀX where d ≤ n, then d·min(2n, d)·c per iteration (c latent dimensions)"

    # The factors are non-negative, so must the features be.
    scaling = "unit"
    max_iter: int = integer(2000, 1, None, "maximum number of iterations")

    def _problem(self, evidence: Design) -> LatentProblem:
        return CMFSProblem(evidence, self.alpha, self.beta, self.gamma)


class CMFSProblem(LatentProblem):
    """The three multiplicative updates; ``alike`` is the graph of the labels."""

    def __init__(self, evidence: Design, alpha: float, beta: float, gamma: float) -> None:
        super().__init__(evidence, alpha, beta, gamma)
        self.alike = label_cosine(evidence.Y)
        np.fill_diagonal(self.alike, 0.0)
        self.alike_degree = self.alike.sum(axis=0)

    def start(self, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The singular vectors of Y without their signs, and W in the direction of XᵀV."""
        V, B = nonnegative_start(self.evidence, size)
        W = self._from_features(V)
        fitted = self.evidence.times(W)
        norm = square(fitted)
        return W * (np.vdot(fitted, V) / norm if norm > 0 else 0.0), V, B

    def rough(self, V: np.ndarray, B: np.ndarray) -> float:
        return super().rough(V, B) + roughness(B.T, self.alike, self.alike_degree)

    def update_W(self, W: np.ndarray, V: np.ndarray) -> np.ndarray:
        pull = np.maximum(self.evidence.normal(W), 0.0) + 0.5 * self.gamma * unit_rows(W)
        return multiply(W, self._from_features(V), pull)

    def update_V(self, fitted: np.ndarray, V: np.ndarray, B: np.ndarray) -> np.ndarray:
        push = np.maximum(fitted, 0.0) + self.alpha * self.evidence.labels_times(B.T)
        push += self.beta * self.spread(V)
        pull = V @ (self.alpha * (B @ B.T)) + (1.0 + self.beta * self.degree)[:, None] * V
        return multiply(V, push, pull)

    def update_B(self, V: np.ndarray, B: np.ndarray) -> np.ndarray:
        push = self.alpha * self.across(V).T + self.beta * (B @ self.alike)
        pull = self.alpha * self.inner(V) @ B + self.beta * B * self.alike_degree
        return multiply(B, push, pull)

    def _from_features(self, V: np.ndarray) -> np.ndarray:
        """XᵀV; no entry of it is negative, but rounding may say so where X is sparse with something to subtract."""
        return np.maximum(self.evidence.transposed_times(V), 0.0)
