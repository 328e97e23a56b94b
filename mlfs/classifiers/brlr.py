"""BRLR: one logistic regression per label, all labels fitted together because they share their features.

Newton's method needs, for each label, the sum over rows of weight × feature × feature. The products of features are
the same for all labels, so the matrices of all labels are one product of two tables; where features are mostly zero
their products are more so, and that table is sparse.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlfs.errors import ParameterError

# Below this share of non-zeros the products of features are kept sparse.
SPARSE_BELOW = 0.15
# A log-odds this large is certainty: where training rows have it, separation is what made it so.
CERTAIN = 15.0


class BRLR(ClassifierMixin, BaseEstimator):
    """Binary relevance with logistic regression.

    Minimises, for each label, Σ_i log(1 + exp(−±z_i)) + ‖w‖²/(2C), the intercept free: scikit-learn's objective.
    A label that is constant in training predicts that constant.

    Parameters
    ----------
    C : inverse strength of the penalty; the default is practically none, as in Lee & Kim 2016
    max_iter : Newton steps
    tol : a label is done when no step could lower its mean loss by more than this

    Attributes
    ----------
    coefficients_ : (features + 1, q) array, the intercept last
    separated_ : (q,) whether some training rows are decided for certain, so that only the penalty bounds the weights
    notes_ : list of str
    """

    def __init__(self, C: float = 1e6, max_iter: int = 100, tol: float = 1e-10) -> None:
        self.C = C
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X: Any, Y: Any, start: np.ndarray | None = None) -> BRLR:
        """Fit all labels; `start` may hold the coefficients of a model with fewer features, to start from."""
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        Y = np.asarray(Y)
        if not self.C > 0:
            raise ParameterError(f"C must be a number above 0, not {self.C!r}.")
        q = Y.shape[1]
        design = Design.of(X)
        weights = np.zeros((design.width, q))
        if start is not None:
            weights[: len(start) - 1], weights[-1] = start[:-1], start[-1]
        rate = Y.mean(axis=0)
        self.constant_ = (rate == 0) | (rate == 1)
        varied = np.flatnonzero(~self.constant_)
        weights[:, self.constant_] = 0.0
        fitted, done = _newton(
            design, Y[:, varied].astype(np.float64), weights[:, varied], self.C, self.max_iter, self.tol
        )
        weights[:, varied] = fitted
        self.coefficients_, self.rate_ = weights, rate
        self.separated_ = (np.abs(design.times(weights)) > CERTAIN).any(axis=0)
        self.notes_ = []
        if self.separated_.any():
            self.notes_.append(
                f"For {int(self.separated_.sum())} of {q} labels these features decide some rows for certain "
                "(separation): only a stronger penalty (a smaller C) keeps such weights from growing without end."
            )
        if not done.all():
            self.notes_.append(f"{int((~done).sum())} of {q} labels did not converge in {self.max_iter} steps.")
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(n, q) probability of each label."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float64)
        score = np.asarray(X @ self.coefficients_[:-1]) + self.coefficients_[-1]
        return np.where(self.constant_, self.rate_, expit(score))

    def predict(self, X: Any) -> np.ndarray:
        """(n, q) 0/1 labels."""
        return (self.predict_proba(X) >= 0.5).astype(np.int8)


@dataclass(frozen=True)
class Design:
    """The features with a column of ones, and the products of all their pairs."""

    X: Any
    pairs: Any
    first: np.ndarray
    second: np.ndarray

    @classmethod
    def of(cls, X: Any) -> Design:
        n, m = X.shape
        ones = np.ones((n, 1))
        thin = sparse.issparse(X) and X.nnz < SPARSE_BELOW * n * m
        if not thin and not sparse.issparse(X) and np.count_nonzero(X) < SPARSE_BELOW * n * m:
            X, thin = sparse.csr_matrix(X), True
        first, second = np.triu_indices(m + 1)
        if thin:
            X = sparse.hstack([X, ones], format="csc")
            pairs = sparse.hstack([X[:, [i]].multiply(X[:, i:]) for i in range(m + 1)], format="csr").T.tocsr()
            return cls(X.tocsr(), pairs, first, second)
        X = np.hstack([X.toarray() if sparse.issparse(X) else X, ones])
        return cls(X, (X[:, first] * X[:, second]).T, first, second)

    @property
    def width(self) -> int:
        return self.X.shape[1]

    def times(self, weights: np.ndarray) -> np.ndarray:
        return np.asarray(self.X @ weights)

    def hessians(self, importance: np.ndarray) -> np.ndarray:
        """(q, width, width) Σ_i importance_il · x_i x_iᵀ for each label l."""
        flat = np.asarray(self.pairs @ importance)
        full = np.empty((importance.shape[1], self.width, self.width))
        full[:, self.first, self.second] = full[:, self.second, self.first] = flat.T
        return full


def _newton(
    design: Design, Y: np.ndarray, weights: np.ndarray, C: float, max_iter: int, tol: float
) -> tuple[np.ndarray, np.ndarray]:
    """Newton steps with halving, each label dropping out when it is done; returns weights and which are done."""
    n, q = Y.shape
    penalty = np.full((design.width, 1), 1.0 / C)
    penalty[-1] = 0.0
    weights = weights.copy()
    active = np.arange(q)
    score = design.times(weights)
    for _ in range(max_iter):
        if len(active) == 0:
            break
        W, y, z = weights[:, active], Y[:, active], score[:, active]
        p = expit(z)
        gradient = np.asarray(design.X.T @ (p - y)) + penalty * W
        hessian = design.hessians(p * (1 - p))
        # The smallest ridge that keeps a saturated or duplicated feature solvable in double precision.
        ridge = penalty[:, 0] + 1e-12 * np.maximum(np.einsum("lii->l", hessian), 1e-6)[:, None]
        hessian[:, np.arange(design.width), np.arange(design.width)] += ridge
        step = np.linalg.solve(hessian, gradient.T[:, :, None])[:, :, 0].T
        decrement = (gradient * step).sum(axis=0)
        moving = decrement > 2 * tol * n
        if not moving.all():
            active = active[moving]
            W, y, z, step, decrement = W[:, moving], y[:, moving], z[:, moving], step[:, moving], decrement[moving]
        if len(active) == 0:
            break
        _halving(design, weights, score, active, W, y, z, step, decrement, penalty)
    done = np.ones(q, dtype=bool)
    done[active] = False
    return weights, done


def _halving(design, weights, score, active, W, y, z, step, decrement, penalty) -> None:
    """Take each label's full step, or half of it, and so on, until its loss falls enough; in place."""
    before = _loss(z, y, W, penalty)
    change = design.times(step)
    size = np.ones(len(active))
    for _ in range(40):
        W_new, z_new = W - size * step, z - size * change
        short = _loss(z_new, y, W_new, penalty) > before - 1e-4 * size * decrement + 1e-12 * np.abs(before)
        if not short.any():
            break
        size[short] /= 2
    else:
        size[short] = 0.0
        W_new, z_new = W - size * step, z - size * change
    weights[:, active], score[:, active] = W_new, z_new


def _loss(z: np.ndarray, y: np.ndarray, W: np.ndarray, penalty: np.ndarray) -> np.ndarray:
    """(q,) log-likelihood loss and penalty; log(1 + e^z) − y·z in a form that cannot overflow."""
    rows = np.maximum(z, 0.0) - y * z + np.log1p(np.exp(-np.abs(z)))
    return rows.sum(axis=0) + (penalty * W**2).sum(axis=0) / 2
