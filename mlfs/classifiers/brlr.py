"""BRLR: one logistic regression per label, all labels fitted together because they share their features.

Newton's method needs, for each label, the sum over rows of weight × feature × feature. The products of features are
the same for all labels, so the matrices of all labels are one product of two tables; where features are mostly zero
their products are more so, and that table is sparse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit
from sklearn.base import clone

from mlfs.blocks import each, ranges
from mlfs.classifiers.base import MultiLabelClassifier
from mlfs.classifiers.registry import Classifier, register
from mlfs.encoding import dense
from mlfs.errors import ParameterError
from mlfs.information import labelset
from mlfs.stopping import checkpoint, current_stop, stoppable

# Below this share of non-zeros the products of features are kept sparse.
SPARSE_BELOW = 0.15
# Labels that a thread fits together.
LABELS_AT_ONCE = 40
# Beyond this many features, or this much memory for their products, Newton's steps come from conjugate gradients.
WIDE = 200
PAIRS_BYTES = 1 << 28
CG_STEPS = 300
# A log-odds this large is certainty: where training rows have it, separation is what made it so.
CERTAIN = 15.0


class BRLR(MultiLabelClassifier):
    """Binary relevance with logistic regression.

    Minimises, for each label, Σ_i log(1 + exp(−±z_i)) + ‖w‖²/(2C), the intercept free: scikit-learn's objective.
    A label that is constant in training predicts that constant.

    Parameters
    ----------
    C : float, default=1e6
        Inverse strength of the penalty, above 0; the default is practically none, as in Lee & Kim 2016.
    max_iter : int, default=100
        Newton steps at most.
    tol : float, default=1e-9
        A label is done when no step could lower its mean loss by more than this.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Attributes
    ----------
    coefficients_ : (d + 1, q) float array
        The weight of each feature for each label, the intercept last.
    separated_ : (q,) bool array
        Whether some training rows are decided for certain, so that only the penalty bounds the weights.
    n_iter_ : int
        Newton steps of the label that took most.
    notes_ : list of str
        What the user should know about this fit, each a sentence.
    classes_ : (q, 2) array
        The classes of each label, 0 and 1.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> Y = np.array([[0, 0], [0, 0], [1, 0], [0, 0], [1, 0], [1, 0]])
    >>> BRLR().fit(X, Y).predict([[0.5], [4.5]]).tolist()
    [[0, 0], [1, 0]]
    """

    sizes_matter = True  # each size starts from the coefficients of the one before

    coefficients_: np.ndarray
    constant_: np.ndarray
    rate_: np.ndarray

    def __init__(self, C: float = 1e6, max_iter: int = 100, tol: float = 1e-9, n_jobs: int | None = None) -> None:
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def fit(self, X: Any, Y: Any, start: np.ndarray | None = None) -> BRLR:
        """Fit all labels Y (n, q) of 0 and 1 to X (n, d), dense or sparse.

        `start` may hold the coefficients of a model of the first few features, to start from.
        """
        X, Y = self._fit_data(X, Y)
        if not isinstance(self.C, Real) or not self.C > 0:
            raise ParameterError(f"C must be a number above 0, not {self.C!r}.")
        q = Y.shape[1]
        rate = Y.mean(axis=0)
        self.constant_ = (rate == 0) | (rate == 1)
        varied = np.flatnonzero(~self.constant_)
        weights = np.zeros((X.shape[1] + 1, q))
        if start is None:
            weights[-1, varied] = np.log(rate[varied] / (1 - rate[varied]))
        else:
            weights[: len(start) - 1], weights[-1] = start[:-1], start[-1]
        done = np.ones(q, dtype=bool)
        weights[:, varied], done[varied], self.n_iter_ = self._together(X, Y[:, varied], weights[:, varied])
        self.coefficients_, self.rate_ = weights, rate
        self.separated_ = (np.abs(self._scores(X)) > CERTAIN).any(axis=0)
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
        X = self._data(X)
        return np.where(self.constant_, self.rate_, expit(self._scores(X)))

    def predict(self, X: Any) -> np.ndarray:
        """(n, q) 0/1 labels."""
        return self._as_fitted(self.predict_proba(X) >= 0.5)

    def predict_growing(
        self, X_train: Any, Y_train: np.ndarray, X_test: Any, sizes: Sequence[int], n_jobs: int | None = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Labels and probabilities (n, q) of the test rows by the first s columns, for each of the ascending sizes s.

        Each size starts from the weights of the one before; the classifier itself stays as it is.
        """
        start, threads = None, self.n_jobs if n_jobs is None else n_jobs
        for size in sizes:
            fitted = clone(self).set_params(n_jobs=threads).fit(X_train[:, :size], Y_train, start=start)
            start = fitted.coefficients_
            scores = fitted.predict_proba(X_test[:, :size])
            yield scores >= 0.5, scores

    def _scores(self, X: Any) -> np.ndarray:
        """(n, q) log-odds."""
        return np.asarray(X @ self.coefficients_[:-1]) + self.coefficients_[-1]

    def _together(self, X: Any, Y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
        """Newton's method for all labels; returns their weights, which of them are done, and the steps of the slowest.

        In coordinates of mean 0 (where X is dense) and standard deviation 1: an offset or a scale of a feature must
        not cost digits. The penalty follows: w = v/s, so ‖w‖² is a sum of v²/s².
        """
        design, positives, shift, spread = PairDesign.of(X, Y)
        penalty = np.append(1.0 / (self.C * spread**2), 0.0)[:, None]
        start = weights.copy()
        start[-1] += shift @ weights[:-1]
        start[:-1] *= spread[:, None]

        stop = current_stop()

        def fit_labels(span: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, int]:
            labels = slice(*span)
            with stoppable(stop):
                return _newton(design, positives[:, labels], start[:, labels], penalty, self.max_iter, self.tol)

        parts = each(fit_labels, list(ranges(Y.shape[1], LABELS_AT_ONCE)), self.n_jobs)
        if not parts:
            return weights, np.ones(0, dtype=bool), 0
        fitted = np.hstack([w for w, _, _ in parts])
        fitted[:-1] /= spread[:, None]
        fitted[-1] -= shift @ fitted[:-1]
        return fitted, np.concatenate([done for _, done, _ in parts]), max(steps for _, _, steps in parts)


register(Classifier("brlr", "BRLR", BRLR, "One logistic regression per label."))


@dataclass(frozen=True)
class PairDesign:
    """The features with a column of ones, and the products of all their pairs; equal rows of 0 and 1 are one row.

    Attributes
    ----------
    X : (rows, width) array or CSR matrix, in standard coordinates
    count : (rows, 1) how many training rows each stands for
    pairs : (pairs, rows) products of columns first[p] and second[p]; None where that table would be too large
    """

    X: Any
    count: np.ndarray
    pairs: Any
    first: np.ndarray
    second: np.ndarray

    @classmethod
    def of(cls, X: Any, Y: np.ndarray) -> tuple[PairDesign, np.ndarray, np.ndarray, np.ndarray]:
        """The design, for each of its rows the positives of each label, and each column's shift and spread."""
        n, m = X.shape
        values = X.data if sparse.issparse(X) else X
        count, positives = np.ones((n, 1)), Y.astype(np.float64)
        if m <= WIDE and ((values == 0) | (values == 1)).all():
            # Few features of 0 and 1 have few combinations.
            _, where, same = np.unique(labelset(dense(X)), return_index=True, return_inverse=True)
            member = sparse.csr_matrix((np.ones(n), (same, np.arange(n))), shape=(len(where), n))
            X, count, positives = X[where], np.asarray(member.sum(axis=1)), np.asarray(member @ positives)
        n = X.shape[0]
        thin = (X.nnz if sparse.issparse(X) else np.count_nonzero(X)) < SPARSE_BELOW * n * m
        shift, spread = _moments(X, shifted=not thin)
        first, second = np.triu_indices(m + 1)
        if thin:
            X = sparse.hstack([sparse.csr_matrix(X) @ sparse.diags(1 / spread), np.ones((n, 1))], format="csr")
            entries = (np.diff(X.indptr).astype(np.float64) ** 2).sum() / 2
        else:
            X = (dense(X) - shift) / spread
            X = np.hstack([X, np.ones((n, 1))])
            entries = n * (m + 1) ** 2 / 2
        pairs = None
        if m <= WIDE and 8 * entries <= PAIRS_BYTES:
            pairs = _sparse_pairs(X, first, second) if thin else (X[:, first] * X[:, second]).T
        return cls(X, count, pairs, first, second), positives, shift, spread

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


def _moments(X: Any, shifted: bool) -> tuple[np.ndarray, np.ndarray]:
    """Mean (0 where not shifted) and spread about it of each column; spread 1 for columns that do not vary."""
    if not shifted:
        X = sparse.csr_matrix(X)
        square = np.asarray(X.multiply(X).mean(axis=0)).ravel()
        return np.zeros(X.shape[1]), np.where(square > 0, np.sqrt(square), 1.0)
    X = dense(X)
    spread = np.where(np.ptp(X, axis=0) > 0, X.std(axis=0), 1.0)
    return X.mean(axis=0), np.where(spread > 0, spread, 1.0)


def _sparse_pairs(X: sparse.csr_matrix, first: np.ndarray, second: np.ndarray) -> sparse.csr_matrix:
    """(pairs, rows) the products of all pairs of columns, only where both are not zero."""
    n, width = X.shape
    number = np.zeros((width, width), dtype=np.int32)
    number[first, second] = np.arange(len(first))
    sizes = np.diff(X.indptr)
    # Every row's stored entries, each with each: positions i ≤ j, for rows of equal size at one stroke.
    rows, pairs, values = [], [], []
    for size in np.unique(sizes):
        chosen = np.flatnonzero(sizes == size)
        place = X.indptr[chosen][:, None] + np.arange(size)
        i, j = np.triu_indices(size)
        rows.append(np.repeat(chosen, len(i)))
        pairs.append(number[X.indices[place[:, i]], X.indices[place[:, j]]].ravel())
        values.append((X.data[place[:, i]] * X.data[place[:, j]]).ravel())
    entries = np.concatenate(values), (np.concatenate(pairs), np.concatenate(rows))
    return sparse.csr_matrix(entries, shape=(len(first), n))


def _newton(
    design: PairDesign, positives: np.ndarray, weights: np.ndarray, penalty: np.ndarray, max_iter: int, tol: float
) -> tuple[np.ndarray, np.ndarray, int]:
    """Newton steps with halving, each label dropping out when done; returns weights, which are done, and the steps."""
    n, q = design.count.sum(), positives.shape[1]
    weights, active = weights.copy(), np.arange(q)
    W, y = weights.copy(), positives
    z = design.times(W)
    loss, p = _loss(design, z, y, W, penalty)
    steps = 0
    for _ in range(max_iter):
        checkpoint()
        steps += 1
        expected = design.count * p
        gradient = np.asarray(design.X.T @ (expected - y)) + penalty * W
        step = (_solve if design.pairs is not None else _solve_gradually)(design, expected * (1 - p), penalty, gradient)
        decrement = (gradient * step).sum(axis=0)
        moving = decrement > 2 * tol * n
        if not moving.all():
            active, W, y, z, p = active[moving], W[:, moving], y[:, moving], z[:, moving], p[:, moving]
            step, decrement, loss = step[:, moving], decrement[moving], loss[moving]
            if len(active) == 0:
                break
        W, z, loss, p = _halving(design, W, y, z, loss, step, decrement, penalty)
        weights[:, active] = W
    done = np.ones(q, dtype=bool)
    done[active] = False
    return weights, done, steps


def _solve(design: PairDesign, importance: np.ndarray, penalty: np.ndarray, gradient: np.ndarray) -> np.ndarray:
    """Newton's step of each label by its own matrix."""
    hessian = design.hessians(importance)
    diagonal = np.arange(design.width)
    # The smallest ridge that keeps a saturated or duplicated feature solvable in double precision.
    ridge = penalty[:, 0] + 1e-12 * np.maximum(np.einsum("lii->l", hessian), 1e-6)[:, None]
    hessian[:, diagonal, diagonal] += ridge
    return np.linalg.solve(hessian, gradient.T[:, :, None])[:, :, 0].T


def _solve_gradually(
    design: PairDesign, importance: np.ndarray, penalty: np.ndarray, gradient: np.ndarray
) -> np.ndarray:
    """Newton's step of all labels by conjugate gradients, which need products with the features only."""
    squares = design.X.multiply(design.X) if sparse.issparse(design.X) else design.X**2
    scale = np.asarray(squares.T @ importance) + penalty + 1e-12
    step, residual = np.zeros_like(gradient), gradient.copy()
    direction = residual / scale
    inner = (residual * direction).sum(axis=0)
    first = inner.copy()
    for _ in range(CG_STEPS):
        checkpoint()
        image = np.asarray(design.X.T @ (importance * design.times(direction))) + penalty * direction
        curvature = (direction * image).sum(axis=0)
        size = np.divide(inner, curvature, out=np.zeros_like(inner), where=curvature > 0)
        step += size * direction
        residual -= size * image
        conditioned = residual / scale
        before, inner = inner, (residual * conditioned).sum(axis=0)
        if (inner <= 1e-10 * first).all():
            break
        direction = conditioned + np.divide(inner, before, out=np.zeros_like(inner), where=before > 0) * direction
    return step


def _halving(
    design: PairDesign,
    W: np.ndarray,
    y: np.ndarray,
    z: np.ndarray,
    loss: np.ndarray,
    step: np.ndarray,
    decrement: np.ndarray,
    penalty: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Take each label's full step, or half of it, and so on, until its loss falls enough."""
    change = design.times(step)
    size = np.ones(len(loss))
    for _ in range(40):
        W_new, z_new = W - size * step, z - size * change
        after, p = _loss(design, z_new, y, W_new, penalty)
        short = after > loss - 1e-4 * size * decrement + 1e-12 * np.abs(loss)
        if not short.any():
            return W_new, z_new, after, p
        size[short] /= 2
    # Rounding leaves nothing to gain for the rest.
    size[short] = 0.0
    W_new, z_new = W - size * step, z - size * change
    return W_new, z_new, *_loss(design, z_new, y, W_new, penalty)


def _loss(
    design: PairDesign, z: np.ndarray, y: np.ndarray, W: np.ndarray, penalty: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(q,) log-likelihood loss and penalty, and (rows, q) probabilities, by one exponential that cannot overflow."""
    small = np.exp(-np.abs(z))
    rows = design.count * (np.maximum(z, 0.0) + np.log1p(small)) - y * z
    return rows.sum(axis=0) + (penalty * W**2).sum(axis=0) / 2, np.where(z >= 0, 1.0, small) / (1.0 + small)
