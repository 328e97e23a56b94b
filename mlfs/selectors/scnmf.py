"""SCNMF: non-negative regression whose coefficients are alike for features that are alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from mlfs.parameters import choice, weight
from mlfs.selectors.parts.descent import Iterate, row_norms
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.latent import multiply, square, unit_rows
from mlfs.selectors.parts.nonnegative import NonNegativeSelector, correlations
from mlfs.similarity import label_cosine

START = 0.5
# The released program stops when its objective changes by less than this, whatever its size.
RELEASED_STOP = 1e-2
# A step this short changes nothing that counts.
SHORTEST = 2.0**-20


class SCNMF(NonNegativeSelector):
    r"""SCNMF (He et al. 2024, as released).

    min over W ≥ 0 of ‖XW−Y‖² + ‖W‖₂,₁ + λ₁‖K−WWᵀ‖² + λ₂·tr(R WᵀW) for features scaled to [0, 1]. K holds
    exp(−‖f−f'‖²/(2σ²)) for all pairs of features, σ the mean of their distances; R = 1 − cosine of the labels. W starts
    at ½ and is multiplied, entry by entry, by (XᵀY + 2λ₁KW) / (XᵀXW + ½w_j/‖w_j‖ + 2λ₁WWᵀW + λ₂WR).

    Because of the term in W⁴ a whole step may raise the objective: here the quotient's exponent is halved until it
    does not. The released program takes whole steps and stops when the objective changes by less than 0.01, while the
    order of the features still changes. A feature's score is the sum of its row.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(SCNMF().fit(X, Y).ranking_[0])
    3
    """

    id = "scnmf"
    name = "SCNMF"
    long_name = "similarity constraints & factorisation"
    family = "regression with sparsity"
    summary = (
        "Regresses the labels on the features with coefficients alike for features that are alike and different for "
        "labels that seldom occur together, and leaves whole features out. Coefficients cannot be negative: a feature "
        "that is high where labels are absent is overlooked."
    )
    formula = (
        r"\min_{W\ge0}\|XW-Y\|_F^2+\|W\|_{2,1}+\lambda_1\|K-WW^\top\|_F^2+\lambda_2\operatorname{tr}(R\,W^\top W),"
        r"\quad R=1-\cos(Y)"
    )
    paper = (
        "He, Lin, Lin & Wang, Multi-label feature selection via similarity constraints with non-negative matrix "
        "factorization, Knowledge-Based Systems 2024 (taken from the released program, not from the text)"
    )
    cost = "n·d² for the distances of the features, then d²·q per iteration; memory 24·d² bytes"
    variants = MappingProxyType(
        {
            "converged": "no step raises the objective; ends when it falls by no more than tol",
            "authors": "the released program: whole steps, ended as soon as the objective changes by less than 0.01",
        }
    )

    lambda1: float = weight(0.01, "λ₁: weight of the similarity of the features")
    lambda2: float = weight(1.0, "λ₂: weight of the distance between labels")
    variant: str = choice("converged", tuple(variants), "to the end, or as early as the released program stops")

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """XᵀX, K and what it is made from."""
        return 24 * sizes["features"] ** 2

    def _descend(self, evidence: Design, rng: np.random.Generator | None = None) -> Iterator[Iterate]:
        K = evidence.once("scnmf_kernel", lambda: feature_kernel(evidence))
        R = 1.0 - label_cosine(evidence.Y)
        total, kernel, push = square(evidence.labels), square(K), correlations(evidence, evidence.labels)

        def look(W: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
            image, near, inner = np.maximum(evidence.normal(W), 0.0), K @ W, W.T @ W
            objective = (
                float(np.vdot(W, image - 2.0 * push))
                + total
                + float(row_norms(W).sum())
                + self.lambda1 * (kernel - 2.0 * float(np.vdot(W, near)) + square(inner))
                + self.lambda2 * float(np.vdot(R, inner))
            )
            return image, near, inner, objective

        W = np.full(push.shape, START)
        if rng is not None:
            # From rows weighed at random, so that equal features, and equal labels, start alike.
            W = correlations(evidence, evidence.labels * rng.random((len(evidence.labels), 1)))
            W *= START / (W.mean() or 1.0)
        exponent = 1.0
        image, near, inner, objective = look(W)
        while True:
            yield Iterate(W, objective)
            twice = 2.0 * self.lambda1
            pull = image + 0.5 * unit_rows(W) + W @ (twice * inner + self.lambda2 * R)
            whole = multiply(W, push + twice * near, pull)
            new = whole if exponent == 1.0 else _part_of_the_way(W, whole, exponent)
            seen = look(new)
            while self.variant == "converged" and seen[3] > objective:
                exponent *= 0.5
                if exponent < SHORTEST:
                    # Only rounding is left.
                    new, seen, exponent = W, (image, near, inner, objective), SHORTEST
                    break
                new = _part_of_the_way(W, whole, exponent)
                seen = look(new)
            W, (image, near, inner, objective) = new, seen

    def _settled(self, before: Iterate, after: Iterate, change: float) -> bool:
        if self.variant == "authors":
            return abs(before.objective - after.objective) < RELEASED_STOP
        return super()._settled(before, after, change)

    def _weights(self) -> np.ndarray:
        return self.coefficients_.sum(axis=1)

    def _steepness(self, evidence: Design) -> np.ndarray:
        W, K = self.coefficients_, evidence.once("scnmf_kernel", lambda: feature_kernel(evidence))
        return self._downhill(evidence.normal(W) - evidence.correlations - 2.0 * self.lambda1 * (K @ W))


def feature_kernel(evidence: Design) -> np.ndarray:
    """(columns, columns) exp(−‖f−f'‖²/(2σ²)), σ the mean distance of two columns; 1 where all are the same."""
    gram = evidence.feature_gram
    length, d = np.diag(gram), len(gram)
    squared = np.add.outer(length, length)
    squared -= 2.0 * gram
    np.maximum(squared, 0.0, out=squared)
    np.fill_diagonal(squared, 0.0)
    width = float(np.sqrt(squared).sum()) / max(d * (d - 1), 1)
    if not width > 0:
        return np.ones_like(squared)
    squared /= -2.0 * width**2
    return np.exp(squared, out=squared)


def _part_of_the_way(W: np.ndarray, whole: np.ndarray, exponent: float) -> np.ndarray:
    """W·(whole/W)^exponent, entry by entry."""
    return W * np.divide(whole, W, out=np.zeros_like(W), where=W > 0) ** exponent
