"""LLSF: sparse linear regression of all labels at once, labels that occur together sharing features."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np

from mlfs.parameters import choice, integer, number, weight
from mlfs.selectors.parts.descent import DescentSelector, Iterate, accelerated, shrink_entries
from mlfs.selectors.parts.design import SCALINGS, Design
from mlfs.similarity import label_cosine


class LLSF(DescentSelector):
    r"""Learning label-specific features (Huang, Li, Huang & Wu, ICDM 2015).

    min_W ½‖XW−Y‖² + (α/2)·tr(R WᵀW) + β‖W‖₁, R = 1 − cosine of the labels, by accelerated proximal gradient steps
    from (XᵀX+γI)⁻¹XᵀY. Their length is 1/√(2(‖XᵀX‖² + ‖αR‖²)) in the released program, norms being spectral. That of
    a feature here is 1/(λ‖x_i‖² + ‖αR‖), λ the largest eigenvalue of XᵀX with all features at length 1: rare features,
    whose steps would be too short, then arrive with the others.

    R has trace 0, so it always has a negative eigenvalue where labels differ: where α times it outweighs the smallest
    eigenvalue of XᵀX the problem is not convex and has no minimum. `notes_` says so.

    Attributes
    ----------
    history_ : dict of arrays
        Beside "objective" and "change" the "violation" of the optimality conditions: the subgradient nearest to 0, as
        a share of XᵀY with every feature scaled to length 1.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(LLSF().fit(X, Y).ranking_[0])
    3
    """

    id = "llsf"
    name = "LLSF"
    long_name = "label-specific features"
    version = "2"
    summary = (
        "Regresses all labels on the features by least squares, with a penalty on every coefficient and one on the "
        "products of the coefficients of labels that seldom occur together. Features with large coefficients come "
        "first, so the units they are measured in matter unless they are scaled."
    )
    formula = (
        r"\min_W\tfrac12\|XW-Y\|_F^2+\tfrac\alpha2\operatorname{tr}(R\,W^\top W)+\beta\|W\|_1,"
        r"\quad R=1-\cos(Y)"
    )
    paper = "Huang, Li, Huang & Wu, Learning label specific features for multi-label classification, ICDM 2015"
    cost = "n·d·min(n, d) once, min(n, d)³ for the start, then d·q·min(2n, d) per iteration"
    variants = MappingProxyType(
        {
            "paper": "each feature has a step length of its own; an accelerated step that would raise the objective is "
            "replaced by a plain one; stops when the optimality conditions hold",
            "authors": "the released program: one length for all steps, and the objective may rise on the way; stops "
            "when ‖XW−Y‖² + α·tr(R WᵀW) + β·(entries that are not 0) changes by less than tol (the program makes 100 "
            "iterations at most)",
        }
    )

    alpha: float = weight(2.0**-3, "weight of the label correlations")
    beta: float = weight(2.0**-3, "weight of the sparsity of W")
    gamma: float = weight(0.1, "ridge of the starting point")
    variant: str = choice("paper", tuple(variants), "a descent, or what the released program computes")
    scaling: str = choice("none", SCALINGS, "features as given, or scaled first", prepares=True)
    max_iter: int = integer(2000, 1, None, "maximum number of iterations")
    tol: float = number(
        1e-4, 0.0, 1.0, "stop when W is optimal but for this share of XᵀY; authors: when their loss changes by less"
    )

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """The Gram matrix on the smaller side, and its factor."""
        return 16 * min(sizes["instances"], sizes["features"]) ** 2

    def _descend(self, evidence: Design) -> Iterator[Iterate]:
        R = evidence.once("llsf_dissimilarity", lambda: 1.0 - label_cosine(evidence.Y))
        eigenvalues = evidence.once("llsf_eigenvalues", lambda: np.linalg.eigvalsh(R))
        unbounded = self._lacks_minimum(evidence, eigenvalues[0])
        weight = self.alpha * R
        constant = 0.5 * float(np.vdot(evidence.labels, evidence.labels))
        for W, value, slope in accelerated(
            start=evidence.ridge(self.gamma),
            product=lambda W: evidence.normal(W) + W @ weight,
            target=evidence.correlations,
            lipschitz=self._curvature(evidence, self.alpha * float(np.abs(eigenvalues).max())),
            penalty=lambda W: self.beta * float(np.abs(W).sum()),
            shrink=lambda W, length: shrink_entries(W, length * self.beta),
            monotone=self.variant == "paper",
        ):
            objective = value + constant
            violation = self._violation(evidence, W, slope)
            watched = violation
            if self.variant == "authors":
                watched = 2.0 * objective + self.beta * float(np.count_nonzero(W) - 2.0 * np.abs(W).sum())
            step = Iterate(W, objective, watched, {"violation": violation})
            yield step
            if unbounded and objective < 0:
                self._tell(
                    f"llsf stopped because its objective fell below 0, from where it would fall for ever: lower alpha "
                    f"from {self.alpha:g}."
                )
                while True:
                    yield step

    def _lacks_minimum(self, evidence: Design, lowest: float) -> bool:
        curvature = evidence.smallest + self.alpha * lowest
        # What may be rounding of the eigenvalues of XᵀX is no reason to say anything.
        if curvature >= -1e-12 * evidence.largest:
            return False
        self.notes_.append(
            f"With alpha={self.alpha:g} the problem is not convex here (lowest curvature {curvature:.2g}) and its "
            "objective has no lower bound: the ranking is that of a local minimum, or of where the iteration stopped. "
            "A smaller alpha helps."
        )
        return True

    def _curvature(self, evidence: Design, of_labels: float) -> float | np.ndarray:
        """What bounds the curvature of the objective without its last term, for all features or each."""
        if self.variant == "authors":
            return float(np.sqrt(2.0 * (evidence.largest**2 + of_labels**2)))
        # Lanczos comes to the largest eigenvalue from below.
        return (evidence.largest_of_units * (1 + 1e-9) * evidence.lengths**2 + of_labels)[:, None]

    def _violation(self, evidence: Design, W: np.ndarray, slope: np.ndarray) -> float:
        """How far W is from optimal: the subgradient nearest to 0 as a share of XᵀY, whatever the features' units."""
        slope = np.where(W != 0, slope + self.beta * np.sign(W), shrink_entries(slope, self.beta))
        unit = evidence.units[:, None]
        scale = evidence.once("llsf_scale", lambda: float(np.linalg.norm(evidence.correlations * unit)))
        return float(np.linalg.norm(slope * unit)) / (scale or 1.0)

    def _settled(self, before: Iterate, after: Iterate, change: float) -> bool:
        if self.variant == "authors":
            return abs(before.loss - after.loss) <= self.tol
        return after.loss <= self.tol or change == 0

    def _remedy(self) -> str:
        return super()._remedy() + (
            '; features in one unit help too: scaling="standard"' if self.scaling == "none" else ""
        )
