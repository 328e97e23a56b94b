"""Ridge regression of the labels: linear outputs for all of them by one factorisation.

With M the features' matrix of products plus the penalty, M = L Lᵀ, and Q the products of features and labels, the
outputs of test rows X are (X L⁻ᵀ)(L⁻¹ Q). L of the first s features is a corner of L of them all, so that the outputs
of every s are sums over the first s columns of one table and rows of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import cholesky, solve_triangular
from sklearn.base import clone

from mlfs.classifiers.base import MultiLabelClassifier
from mlfs.classifiers.registry import Classifier, register
from mlfs.encoding import dense
from mlfs.errors import ParameterError
from mlfs.stopping import checkpoint

# Added to a diagonal of ones: the least that keeps duplicated features solvable in double precision.
LEAST = 1e-13


class RidgeOutputs(MultiLabelClassifier):
    """Ridge regression of the labels' 0 and 1, with a label predicted where its linear output is above ½.

    Minimises, for each label, Σ_i (y_i − b − w·x_i)² + α‖w‖², the intercept free: scikit-learn's objective. Its scores
    are the outputs less ½. A label that is constant in training predicts that constant.

    Parameters
    ----------
    alpha : float, default=1.0
        Strength α of the penalty, above 0.

    Attributes
    ----------
    coefficients_ : (d, q) float array
        The weight of each feature for each label.
    intercept_ : (q,) float array
    classes_ : (q, 2) array
        The classes of each label, 0 and 1.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> Y = np.array([[0, 1], [0, 1], [0, 1], [1, 1], [1, 1], [1, 1]])
    >>> RidgeOutputs().fit(X, Y).predict([[0.5], [4.5]]).tolist()
    [[0, 1], [1, 1]]
    """

    sizes_matter = True

    coefficients_: np.ndarray
    intercept_: np.ndarray

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def fit(self, X: Any, Y: Any) -> RidgeOutputs:
        """Fit all labels Y (n, q) of 0 and 1 to X (n, d), dense or sparse."""
        X, Y = self._fit_data(X, Y)
        self._check()
        centred = Centred.of(X)
        mean = Y.mean(axis=0)
        targets = Y - mean
        if X.shape[1] <= X.shape[0]:
            factor, scale = _factor(centred.products(), self.alpha)
            inner = solve_triangular(factor, centred.transposed(targets) / scale, lower=True)
            self.coefficients_ = solve_triangular(factor, inner, lower=True, trans="T") / scale
        else:
            # As many equations as rows: w = Xᵀ(X Xᵀ + α)⁻¹ y.
            factor, scale = _factor(centred.row_products(), self.alpha)
            inner = solve_triangular(factor, targets / scale, lower=True)
            self.coefficients_ = centred.transposed(solve_triangular(factor, inner, lower=True, trans="T") / scale)
        self.intercept_ = mean - centred.mean @ self.coefficients_
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """(n, q) linear output of each label, less ½."""
        X = self._data(X)
        return np.asarray(X @ self.coefficients_) + self.intercept_ - 0.5

    def predict(self, X: Any) -> np.ndarray:
        """(n, q) 0/1 labels."""
        return self._as_fitted(self.decision_function(X) > 0)

    def predict_growing(
        self, X_train: Any, Y_train: np.ndarray, X_test: Any, sizes: Sequence[int], n_jobs: int | None = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Labels and linear outputs less ½ (n, q) of the test rows by the first s columns, for each ascending size s.

        One factorisation serves all sizes up to the number of training rows; larger ones are fitted one by one. The
        classifier itself stays as it is.
        """
        self._check()
        most = max((size for size in sizes if size <= X_train.shape[0]), default=0)
        if most:
            centred = Centred.of(X_train[:, :most])
            mean = Y_train.mean(axis=0)
            factor, scale = _factor(centred.products(), self.alpha)
            inner = solve_triangular(factor, centred.transposed(Y_train - mean) / scale, lower=True)
            rows = dense(X_test[:, :most]) - centred.mean
            parts = solve_triangular(factor, rows.T / scale, lower=True).T
            outputs, done = np.tile(mean - 0.5, (X_test.shape[0], 1)), 0
        for size in sizes:
            checkpoint()
            if size <= most:
                outputs = outputs + parts[:, done:size] @ inner[done:size]
                done = size
            else:
                outputs = clone(self).fit(X_train[:, :size], Y_train).decision_function(X_test[:, :size])
            yield outputs > 0, outputs

    def _check(self) -> None:
        if not isinstance(self.alpha, Real) or not 0 < self.alpha < float("inf"):
            raise ParameterError(f"alpha must be a number above 0, not {self.alpha!r}.")


register(Classifier("ridge", "Ridge", RidgeOutputs, "Ridge regression of the labels; above ½ is a yes."))


@dataclass(frozen=True)
class Centred:
    """Features less their means, without making a dense table of sparse ones.

    Attributes
    ----------
    X : (n, d) dense and centred, or sparse and as it was
    mean : (d,)
    """

    X: Any
    mean: np.ndarray

    @classmethod
    def of(cls, X: Any) -> Centred:
        mean = np.asarray(X.mean(axis=0)).ravel()
        return cls(X if sparse.issparse(X) else X - mean, mean)

    def transposed(self, table: np.ndarray) -> np.ndarray:
        """(d, q) Xᵀ times a table."""
        if not sparse.issparse(self.X):
            return self.X.T @ table
        return np.asarray(self.X.T @ table) - np.outer(self.mean, table.sum(axis=0))

    def products(self) -> np.ndarray:
        """(d, d) XᵀX."""
        if not sparse.issparse(self.X):
            return self.X.T @ self.X
        return dense(self.X.T @ self.X) - self.X.shape[0] * np.outer(self.mean, self.mean)

    def row_products(self) -> np.ndarray:
        """(n, n) XXᵀ."""
        if not sparse.issparse(self.X):
            return self.X @ self.X.T
        along = np.asarray(self.X @ self.mean)
        return dense(self.X @ self.X.T) - along[:, None] - along + self.mean @ self.mean


def _factor(products: np.ndarray, alpha: float) -> tuple[np.ndarray, np.ndarray]:
    """L and s with products + α = diag(s) L Lᵀ diag(s): with a diagonal of ones, a feature's unit costs no digits."""
    diagonal = np.arange(len(products))
    products[diagonal, diagonal] += alpha
    scale = np.sqrt(np.maximum(products[diagonal, diagonal], alpha))[:, None]
    products /= scale
    products /= scale.T
    products[diagonal, diagonal] = 1.0 + LEAST
    return cholesky(products, lower=True, overwrite_a=True, check_finite=False), scale
