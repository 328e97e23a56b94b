"""ELC: features whose products with the labels reproduce how alike the labels are (Wang et al. 2020).

The paper, its printed formulas and its released program are three different iterations, so all three are here, and
beside them the optimum of the convex problem that they set out to solve.
"""

from __future__ import annotations

import warnings
from types import MappingProxyType
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from mlfs.parameters import choice, integer, number
from mlfs.selectors.base import ScoreSelector
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.elc_solvers import ELCProblem, ELCSolution, alternate, minimize
from mlfs.similarity import label_similarity, released_label_similarity
from mlfs.wording import plain_number

STEP_TOLERANCE = 1e-4
GAP_TOLERANCE = 1e-8


class ELC(ScoreSelector):
    r"""Embedding label correlations (Wang et al. 2020, eq. 1–15 and Algorithm 1).

    Â = YᵀX with X standardised, S the similarity of the labels (`label_similarity`), S = ΦΣΦᵀ and Γ* = nΦΣ^½.
    The paper's loop returns a set of k features. Here its members come first, and both they and the others are
    ordered by what each alone takes off objective (1), the criterion that chooses the initial set (line 3): so where
    the loop leaves that set alone, the first m of the ranking are what the loop returns for k = m.
    With ``variant="exact"`` there is no set and the order is that of the row norms of W; features without weight
    follow by how near their gradient comes to λ.

    `history_` tells the iterations: the objective ½‖Â·diag(p)W − Γ*‖²_F + λ‖W‖₂,₁ (in "exact" p = 1), the
    Frobenius norm of the change of W, and how many features are new among the first k (both 0 at the start).

    Attributes
    ----------
    initial_set_ : (k,) int array
        The k features that fit S best, each alone.
    final_set_ : (k,) int array
        The k features after the last iteration.
    coefficients_ : (columns, q) array
        W; a categorical feature has a row for each category.
    history_ : dict of arrays
        "objective", "change" and "set_changes": at the start, and after each iteration that stayed finite.
    n_iter_ : int
    gap_ : float
        Relative duality gap of "exact", NaN for the others.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(ELC(n_features_to_select=1).fit(X, Y).ranking_[0])
    3
    """

    id = "elc"
    family = "regression with sparsity"
    name = "ELC"
    long_name = "embedding label correlations"
    summary = (
        "Looks for features whose products with the labels reproduce the similarities between labels, by a sparse "
        "regression on the square root of the similarity matrix. The paper's loop starts from the features that fit "
        "best alone and changes that set late or never; variant exact solves the convex problem behind it."
    )
    formula = r"\min_{W}\tfrac12\bigl\|\hat A W-\Gamma^*\bigr\|_F^2+\lambda\|W\|_{2,1},\quad\hat A=Y^\top X"
    paper = "Wang et al., An Effective Multi-Label Feature Selection Model Towards Eliminating Noisy Features, 2020"
    cost = "n·d·q for Â (less where data are sparse), then d + k·q² per iteration; exact: d·q² for 10 to 50 iterations"
    variants = MappingProxyType(
        {
            "paper": "Algorithm 1 with S of Appendix B and the sign of V that the Lagrangian (5) demands",
            "printed": "the same with the sign that (7)–(9) print: the iteration diverges",
            "authors": "the released program: exp(−distance)/(2·mean distance) for S, one norm for a whole matrix, "
            "z-scores by n − 1",
            "exact": "the convex problem solved to optimality, features ranked by the norm of their row of W",
        }
    )

    # scikit-learn's way around the keyword `lambda`.
    lambda_: float = number(1e-3, 1e-6, 1e9, "weight λ of the row norms of W", scale="log")
    beta: float = number(1e8, 1e-3, 1e12, "penalty β that ties W to its sparse copy (exact does without)", scale="log")
    k: int | None = integer(
        None, 1, "features", "size of the set that the loop refines", none="the number of features to select"
    )
    variant: str = choice("paper", tuple(variants), "which reading of the paper is computed")
    max_iter: int = integer(1000, 1, None, "maximum number of iterations")
    tol: float | None = number(
        None,
        0,
        None,
        "stop where W changes by no more than this; exact: where the relative duality gap is no more than this",
        none=f"{STEP_TOLERANCE:g}, as in Appendix B; exact: {plain_number(GAP_TOLERANCE)}",
    )

    def _size(self, available: int) -> int:
        if self.n_features_to_select is None and self.k is not None:
            return self.k
        return super()._size(available)

    def _evidence(self, X: Any, Y: np.ndarray) -> Design:
        return Design(X, Y, scaling="standard", categorical=self.categorical_features)

    def _score(self, evidence: Design) -> np.ndarray:
        released = self.variant == "authors"
        problem: ELCProblem = evidence.once(("elc_problem", released), lambda: _problem(evidence, released))
        k = self.n_selected_ if self.k is None else self.k
        self.initial_set_ = problem.first_set(k)
        solution = self._solve(problem, k)
        self.final_set_, self.coefficients_ = solution.chosen, solution.weights
        self.history_, self.gap_ = solution.history, solution.gap
        self.n_iter_ = solution.n_iter
        self._tell(problem, solution)
        return solution.scores

    def _solve(self, problem: ELCProblem, k: int) -> ELCSolution:
        if self.variant == "exact":
            tol = GAP_TOLERANCE if self.tol is None else self.tol
            return minimize(problem, k, lambda_=self.lambda_, max_iter=self.max_iter, tol=tol)
        return alternate(
            problem,
            k,
            lambda_=self.lambda_,
            beta=self.beta,
            sign=-1 if self.variant == "paper" else 1,
            whole=self.variant == "authors",
            max_iter=self.max_iter,
            tol=STEP_TOLERANCE if self.tol is None else self.tol,
        )

    def _tell(self, problem: ELCProblem, solution: ELCSolution) -> None:
        """Say what the user should know about how this result came about."""
        steps, objective = solution.n_iter, solution.history["objective"]
        if problem.lowest_eigenvalue < -1e-10:
            lowest = f"−{-problem.lowest_eigenvalue:.2g}"
            self.notes_.append(
                f"The label similarity S is indefinite here (lowest eigenvalue {lowest}), so it has no "
                "real square root: its negative part is left out of Γ*."
            )
        if self.variant == "exact":
            with_weight = int(np.count_nonzero(solution.scores > 0))
            self.notes_.append(
                f"{with_weight} of {len(solution.scores)} features have a weight; the others follow by how near their "
                "gradient comes to λ."
            )
            if solution.ended == "limit":
                message = (
                    f"elc stopped at the limit of max_iter={self.max_iter} iterations with a relative duality gap of "
                    f"{solution.gap:.1e}: raise max_iter or tol."
                )
                self.notes_.append(message)
                warnings.warn(message, ConvergenceWarning, stacklevel=2)
            return
        new = len(np.setdiff1d(self.final_set_, self.initial_set_))
        if new:
            self.notes_.append(f"The loop replaced {new} of the {len(self.final_set_)} initial features.")
        elif len(self.final_set_) < len(solution.scores):
            self.notes_.append(
                f"The loop ({steps} iteration{'s' * (steps > 1)}) left the initial set as it was: the features that "
                "fit S best, each alone."
            )
        if solution.ended == "overflow":
            reason = "Raise beta." if self.variant == "paper" else "The sign printed in (7)–(9) makes it diverge."
            self.notes_.append(
                f"The iteration overflowed at step {steps}; the last set that was finite is shown. {reason}"
            )
        elif objective[-1] > 1.001 * objective[0]:
            self.notes_.append(f"The objective rose from {objective[0]:.4g} to {objective[-1]:.4g}.")
        if solution.ended == "limit":
            self.notes_.append(f"The loop ended at its limit of {self.max_iter} iterations, not by its tolerance.")

    def __sklearn_is_fitted__(self) -> bool:
        # Without this scikit-learn would take lambda_ for a fitted attribute.
        return hasattr(self, "ranking_")


def _problem(evidence: Design, released: bool) -> ELCProblem:
    """The evidence standardises by n; the released program by n − 1, which scales Â as a whole."""
    Y, n = evidence.Y, len(evidence.Y)
    if released:
        return ELCProblem(evidence.correlations * np.sqrt((n - 1) / n), released_label_similarity(Y), evidence.owner, n)
    return ELCProblem(evidence.correlations, label_similarity(Y), evidence.owner, n)
