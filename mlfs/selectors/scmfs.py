"""SCMFS: latent labels that follow from few features and rebuild both features and labels."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

import numpy as np

from mlfs.parameters import choice, weight
from mlfs.selectors.parts.descent import Iterate, row_norms
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.latent import fit_in_ball, multiply, rebuilding_error, square, unit_rows
from mlfs.selectors.parts.nonnegative import NonNegativeLatentSelector, correlations, total_square


class SCMFS(NonNegativeLatentSelector):
    r"""Feature selection with shared common modes (Hu, Li, Gao & Zhang 2020, as released).

    min over W, V, Q, B ≥ 0 of ‖XW−V‖² + α‖X−VQ‖² + β‖Y−VB‖² + γ‖W‖₂,₁ for features scaled to [0, 1]. In turn are
    multiplied, entry by entry:

    - W by XᵀV / (XᵀXW + ½γ·w_j/‖w_j‖), Q by VᵀX / (VᵀVQ), B by VᵀY / (VᵀVB),
    - V by (XW + αXQᵀ + βYBᵀ) / (V + αVQQᵀ + βVBBᵀ).

    None of them raises the objective. As printed it has no minimum, though: halving V and W and doubling Q and B lowers
    the first and the last term and leaves the others, so that W goes to 0. Here no row of Q may be longer than 1, and
    Q is updated by least squares, row by row, within that; ``variant="printed"`` goes without.

    Attributes
    ----------
    feature_basis_ : (n_latent, columns) float array
        Q.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(SCMFS(n_latent=4).fit(X, Y).ranking_[0])
    3
    """

    id = "scmfs"
    name = "SCMFS"
    long_name = "shared common mode"
    family = "latent factors"
    summary = (
        "Looks for a few non-negative latent labels that rebuild the features and the labels, and that are sums of few "
        "features. Features with large coefficients in those sums come first; one that is low where a label is present "
        "has no part in them, for nothing is subtracted."
    )
    formula = r"\min_{W,V,Q,B\ge0}\|XW-V\|_F^2+\alpha\|X-VQ\|_F^2+\beta\|Y-VB\|_F^2+\gamma\|W\|_{2,1}"
    paper = "Hu, Li, Gao, Zhang & Hu, Multi-label feature selection with shared common mode, Pattern Recognition 2020"
    cost = (
        "n·d² for XᵀX where d ≤ n, then d·min(2n, d)·n_latent, (n + d)·n_latent² and the non-zero entries of X times "
        "n_latent per iteration"
    )

    variants = MappingProxyType(
        {
            "paper": "the listed objective with one condition more, that no row of Q is longer than 1: so there is a "
            "minimum, and a ranking that does not depend on the number of iterations",
            "printed": "the listed objective alone, which has no minimum: halving V and W while doubling Q and B "
            "lowers it every time, so W shrinks towards 0, and the ranking depends on where the iteration stops",
        }
    )

    alpha: float = weight(0.1, "weight of rebuilding the features")
    beta: float = weight(0.1, "weight of rebuilding the labels")
    gamma: float = weight(0.1, "weight of the row norms of W")
    variant: str = choice("paper", tuple(variants), "with a bound on Q, or as printed")

    def _descend(self, evidence: Design, rng: np.random.Generator | None = None) -> Iterator[Iterate]:
        total, label_total = total_square(evidence), square(evidence.labels)
        bounded = self.variant == "paper"
        if not bounded and rng is None:
            self.notes_.append(
                "As printed the objective has no minimum: it falls while V and W shrink towards 0 and Q and B grow, so "
                "the ranking depends on where the iteration stops."
            )
        V, Q, B = self._start(evidence, rng)
        if bounded:
            length = row_norms(Q.T)
            length[length == 0] = 1.0
            V, Q, B = V * length, Q / length, B / length[:, None]
        across, toward, inner = correlations(evidence, V), evidence.labels_transposed_times(V), V.T @ V
        fitted = evidence.times(across)
        W = across * (float(np.vdot(fitted, V)) / (square(fitted) or 1.0))
        fitted = np.maximum(evidence.times(W), 0.0)
        while True:
            objective = (
                square(fitted - V)
                + self.alpha * rebuilding_error(total, across, Q, inner)
                + self.beta * rebuilding_error(label_total, toward, B.T, inner)
                + self.gamma * float(row_norms(W).sum())
            )
            yield Iterate(W, objective, factors={"latent_": V, "basis_": B, "feature_basis_": Q.T})
            pull = np.maximum(evidence.transposed_times(fitted), 0.0) + 0.5 * self.gamma * unit_rows(W)
            W = multiply(W, across, pull)
            Q = fit_in_ball(Q.T, across.T, inner, 0.0).T if bounded else multiply(Q, across, Q @ inner)
            B = multiply(B, toward.T, inner @ B)
            both = np.maximum(evidence.times(np.hstack([W, Q])), 0.0)
            fitted, rebuilt = both[:, : V.shape[1]], both[:, V.shape[1] :]
            push = fitted + self.alpha * rebuilt + self.beta * evidence.labels_times(B.T)
            V = multiply(V, push, V + V @ (self.alpha * (Q.T @ Q) + self.beta * (B @ B.T)))
            across, toward, inner = correlations(evidence, V), evidence.labels_transposed_times(V), V.T @ V

    def _steepness(self, evidence: Design) -> np.ndarray:
        return self._downhill(evidence.normal(self.coefficients_) - correlations(evidence, self.latent_))
