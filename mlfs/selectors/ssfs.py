"""SSFS: features and labels rebuilt from the same few non-negative latent labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mlfs.parameters import weight
from mlfs.selectors.parts.descent import Iterate, row_norms
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.latent import heat_kernel_graph, multiply, rebuilding_error, square, unit_rows
from mlfs.selectors.parts.nonnegative import NonNegativeLatentSelector, correlations, total_square

# Labels with a smaller share in what is rebuilt have next to no say.
UNHEARD = 0.01


class SSFS(NonNegativeLatentSelector):
    r"""Feature selection with a latent structure that features and labels share (Gao, Li & Hu 2021, as released).

    min over V, Q, M ≥ 0 of ‖X−VQᵀ‖² + α‖Y−VM‖² + β·tr(VᵀLV) + γ‖Q‖₂,₁ for features scaled to [0, 1], L the Laplacian of
    a graph of 5 nearest neighbours with heat-kernel weights S and row sums D. In turn are multiplied, entry by entry:

    - V by (XQ + αYMᵀ + βSV) / (VQᵀQ + αVMMᵀ + βDV),
    - Q by XᵀV / (QVᵀV + ½γ·q_j/‖q_j‖),
    - M by VᵀY / (VᵀVM).

    None of them raises the objective. A feature's score is the length of its row of Q, `coefficients_`.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([0.1 * rng.random((200, 3)), Y[:, [2]]])
    >>> X[0, :3], X[1, :3] = 0, 1  # three features that hardly vary
    >>> int(SSFS(n_latent=4).fit(X, Y).ranking_[0])
    3
    """

    id = "ssfs"
    name = "SSFS"
    long_name = "shared latent feature & label structure"
    family = "latent factors"
    summary = (
        "Rebuilds both the features and the labels from a few non-negative latent labels that vary little between "
        "neighbouring rows. Features that the latent labels rebuild with large coefficients come first: one that is "
        "high in most rows counts much even where no label depends on it, one that is low where a label is present "
        "counts little."
    )
    formula = (
        r"\min_{V,Q,M\ge0}\|X-VQ^\top\|_F^2+\alpha\|Y-VM\|_F^2+\beta\operatorname{tr}(V^\top LV)+\gamma\|Q\|_{2,1}"
    )
    paper = "Gao, Li & Hu, Multilabel feature selection with constrained latent structure shared term, IEEE TNNLS 2021"
    cost = (
        "n²·d for the neighbours, "
        "then (n + d)·c² and the non-zero entries of X times c per iteration (c latent dimensions)"
    )

    alpha: float = weight(0.01, "weight of rebuilding the labels; at the default, the program's, they hardly count")
    beta: float = weight(0.7, "weight of smoothness over neighbouring rows")
    gamma: float = weight(0.9, "weight of the row norms of Q")

    def _descend(self, evidence: Design, rng: np.random.Generator | None = None) -> Iterator[Iterate]:
        S = evidence.once("graph", lambda: heat_kernel_graph(evidence.columns))
        degree = np.asarray(S.sum(axis=1)).ravel()[:, None]
        total, label_total = total_square(evidence), square(evidence.labels)
        share = self.alpha * label_total / ((total + self.alpha * label_total) or 1.0)
        if rng is None and label_total and share < UNHEARD:
            self.notes_.append(
                f"With alpha={self.alpha:g} the labels are {share:.1%} of what is to be rebuilt, so the ranking is "
                "nearly that of the features alone: a larger alpha listens to the labels."
            )
        V, Q, M = self._start(evidence, rng)
        across, toward, inner, spread = correlations(evidence, V), evidence.labels_transposed_times(V), V.T @ V, S @ V
        while True:
            objective = (
                rebuilding_error(total, across, Q, inner)
                + self.alpha * rebuilding_error(label_total, toward, M.T, inner)
                + self.beta * float(np.vdot(V, degree * V - spread))
                + self.gamma * float(row_norms(Q).sum())
            )
            yield Iterate(Q, objective, factors={"latent_": V, "basis_": M})
            push = np.maximum(evidence.times(Q), 0.0) + self.alpha * evidence.labels_times(M.T) + self.beta * spread
            pull = V @ (Q.T @ Q + self.alpha * (M @ M.T)) + self.beta * degree * V
            V = multiply(V, push, pull)
            across, toward, inner, spread = (
                correlations(evidence, V),
                evidence.labels_transposed_times(V),
                V.T @ V,
                S @ V,
            )
            Q = multiply(Q, across, Q @ inner + 0.5 * self.gamma * unit_rows(Q))
            M = multiply(M, toward.T, inner @ M)

    def _steepness(self, evidence: Design) -> np.ndarray:
        V = self.latent_
        return self._downhill(self.coefficients_ @ (V.T @ V) - correlations(evidence, V))
