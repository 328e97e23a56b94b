"""MIFS: regression on a few latent labels that are learnt at the same time, smooth over neighbouring rows."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from mlfs.parameters import choice
from mlfs.selectors.parts.descent import conjugate_gradients, regress
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.latent import LatentProblem, LatentSelector, fit_in_ball, singular_vectors, square

# Steps inside one update. Each update lowers the objective however early it ends; more steps make fewer sweeps.
REGRESSION_STEPS = 50
BASIS_SWEEPS = 5


class MIFS(LatentSelector):
    r"""Multi-label informed feature selection (Jian, Li, Shu & Liu, IJCAI 2016).

    min over W, V, B of ‖XW−V‖² + α‖Y−VB‖² + β·tr(VᵀLV) + γ‖W‖₂,₁, V (n, n_latent) the latent labels, B (n_latent, q)
    what they say about the labels, L the Laplacian of a graph of 5 nearest neighbours with heat-kernel weights. It
    starts at the singular vectors of Y and updates W, V and B in turn:

    - W by accelerated proximal gradient steps that fall back to plain ones,
    - V by conjugate gradients on (I + βL)V + αVBBᵀ = XW + αYBᵀ,
    - B by least squares, row by row.

    None of them can raise the objective. As printed it has no minimum, though: halving V and W and doubling B lowers
    every term but the second, which stays, so that W goes to 0. Here no row of B may be longer than 1, which it is at
    the start; ``variant="printed"`` goes without that.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(MIFS(n_latent=4).fit(X, Y).ranking_[0])
    3
    """

    id = "mifs"
    name = "MIFS"
    long_name = "multi-label informed"
    summary = (
        "Replaces the labels by a few latent ones that rebuild them, vary little between neighbouring rows and follow "
        "linearly from few features. Features with large coefficients for the latent labels come first."
    )
    formula = (
        r"\min_{W,V,B}\|XW-V\|_F^2+\alpha\|Y-VB\|_F^2+\beta\operatorname{tr}(V^\top LV)+\gamma\|W\|_{2,1},"
        r"\quad\|b_j\|\le1"
    )
    paper = "Jian, Li, Shu & Liu, Multi-label informed feature selection, IJCAI 2016"
    cost = (
        "n²·d for the neighbours, n·d² for XᵀX where d ≤ n, "
        "then some 50·d·min(2n, d)·c per iteration (c latent dimensions)"
    )
    variants = MappingProxyType(
        {
            "paper": "the paper's objective with the rows of B no longer than 1, so that there is a minimum",
            "printed": "without that: V and W shrink towards 0 while B grows, and the ranking depends on max_iter",
        }
    )

    variant: str = choice("paper", tuple(variants), "with a bound on B, or as printed")

    def _problem(self, evidence: Design) -> LatentProblem:
        if self.variant == "printed":
            self.notes_.append(
                "As printed the objective has no minimum: it falls while V and W shrink towards 0 and B grows, so the "
                "ranking depends on where the iteration stops."
            )
        problem = MIFSProblem(evidence, self.alpha, self.beta, self.gamma)
        problem.bounded, problem.tol = self.variant == "paper", 0.1 * self.tol
        return problem


class MIFSProblem(LatentProblem):
    """The three updates.

    Attributes
    ----------
    bounded : whether the rows of B may be no longer than 1
    tol : the update of W ends early when a step gains no more than this share of ‖V‖²
    """

    bounded = True
    tol = 0.0

    def start(self, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """W = 0, and the best V and B for the second term alone: the singular vectors of Y, signs fixed."""
        left, value, B = singular_vectors(self.evidence, size)
        largest = np.take_along_axis(B, np.abs(B).argmax(axis=1)[:, None], axis=1).ravel()
        sign = np.where(largest < 0, -1.0, 1.0)
        return np.zeros((self.evidence.shape[1], size)), left * value * sign, B * sign[:, None]

    def update_W(self, W: np.ndarray, V: np.ndarray) -> np.ndarray:
        enough = self.tol * 0.5 * square(V)
        return regress(self.evidence, W, self.evidence.transposed_times(V), self.gamma, enough, REGRESSION_STEPS)

    def update_V(self, fitted: np.ndarray, V: np.ndarray, B: np.ndarray) -> np.ndarray:
        """In the eigenvectors of BBᵀ the columns of V separate: ((1+αθ_j)I + βL)v_j = (XW + αYBᵀ)_j."""
        theta, E = np.linalg.eigh(B @ B.T)
        right = (fitted + self.alpha * self.evidence.labels_times(B.T)) @ E
        diagonal = 1.0 + self.alpha * np.maximum(theta, 0.0) + self.beta * self.degree[:, None]
        off_diagonal = self.beta * self.S
        return conjugate_gradients(diagonal, off_diagonal, right, V @ E) @ E.T

    def update_B(self, V: np.ndarray, B: np.ndarray) -> np.ndarray:
        if not self.bounded:
            free = np.linalg.lstsq(V, self.Y, rcond=None)[0]
            # What lstsq takes for singular it leaves out, and that part may have been fitted before.
            return free if square(self.Y - V @ free) <= square(self.Y - V @ B) else B
        inner, target = self.inner(V), self.across(V).T
        for _ in range(BASIS_SWEEPS):
            B = fit_in_ball(B, target, inner)
        return B
