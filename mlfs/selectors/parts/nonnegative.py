"""What the methods with non-negative factors share: features from 0 to 1, and entries that are only ever multiplied.

An entry is multiplied by what the gradient subtracts over what it adds. That is a gradient step with the lengths K⁻¹, K
diagonal, and it lowers a quadratic form A wherever 2K − A is positive semidefinite: Lee & Seung's lemma where A has no
negative entries, and D + S for the Laplacian D − S of a graph.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from mlfs.parameters import integer, number
from mlfs.selectors.parts.descent import RestartedSelector, row_norms
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.latent import nonnegative_start, square


class NonNegativeSelector(RestartedSelector):
    """Methods of non-negative factors on features that are scaled to [0, 1], because factors of the others are not."""

    scaling = "unit"
    max_iter: int = integer(2000, 1, None, "maximum number of iterations")

    def _downhill(self, slope: np.ndarray) -> np.ndarray:
        """The size of the gradient as far as non-negative numbers can follow it."""
        return row_norms(np.maximum(-slope, 0.0))


class NonNegativeLatentSelector(NonNegativeSelector):
    """Methods with latent labels V ≥ 0 from which both the labels and the features are rebuilt.

    Attributes
    ----------
    latent_ : (n, n_latent) float array
        V.
    basis_ : (n_latent, q) float array
        What rebuilds the labels.
    """

    n_latent: int | None = integer(None, 1, "labels", "latent labels", none="half the labels")
    tol: float = number(1e-5, 0.0, 1.0, "the iteration stops when it lowers the objective by this share or less")

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """Some copies of V and of the coefficients, for X itself is never rebuilt."""
        size = -(-sizes["labels"] // 2) if self.n_latent is None else self.n_latent
        return super().required_bytes(sizes) + 64 * size * (sizes["instances"] + sizes["features"])

    def _start(self, evidence: Design, rng: np.random.Generator | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """V and what rebuilds features and labels from it, all from V, so that equal features and labels stay equal."""
        size = -(-evidence.sizes["labels"] // 2) if self.n_latent is None else self.n_latent
        V, B = nonnegative_start(evidence, size)
        if rng is not None:
            V = V.mean() * 2.0 * rng.random(V.shape)
            B = scaled_to(V.T @ evidence.labels, evidence.labels, V)
        return V, scaled_to(correlations(evidence, V).T, evidence, V).T, B


def correlations(evidence: Design, V: np.ndarray) -> np.ndarray:
    """XᵀV; no entry of it is negative, but rounding may say so where X is sparse with something to subtract."""
    return np.maximum(evidence.transposed_times(V), 0.0)


def scaled_to(B: np.ndarray, target: np.ndarray | Design, V: np.ndarray) -> np.ndarray:
    """The multiple of B for which VB is nearest to the target, or to the features."""
    along = np.vdot(correlations(target, V).T if isinstance(target, Design) else V.T @ target, B)
    size = float(np.vdot(V.T @ V, B @ B.T))
    return B * (float(along) / size if size > 0 else 0.0)


def total_square(evidence: Design) -> float:
    """‖X‖²."""
    return square(evidence.lengths)
