"""Gaussian naive Bayes for all labels at once.

A label's log-odds are a sum over features of quadratics of their values: three tables of coefficients, and two products
of tables answer for all rows and labels. More features add to the sum.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from mlfs.classifiers.base import MultiLabelClassifier
from mlfs.classifiers.registry import Classifier, register
from mlfs.errors import ParameterError
from mlfs.stopping import checkpoint

# The log-odds of a label that is constant in training: beyond those of any other.
CERTAIN = 1e300
# A variance this small beside the mean of squares is none.
ROUNDING = 1e-13


class BRNB(MultiLabelClassifier):
    """Binary relevance with Gaussian naive Bayes: what scikit-learn's `GaussianNB` gives for each label.

    Its scores are log-odds, because probabilities of naive Bayes soon round to 0 and 1, where labels could no longer be
    told apart. A label is predicted where its log-odds are above 0; one that is constant in training predicts that
    constant.

    Parameters
    ----------
    var_smoothing : float, default=1e-9
        This share of the largest variance of a feature is added to all variances; above 0.

    Attributes
    ----------
    odds_ : GaussianOdds
        The log-odds of each label as a function of the features.
    classes_ : (q, 2) array
        The classes of each label, 0 and 1.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> Y = np.array([[0, 1], [0, 1], [0, 1], [1, 1], [1, 1], [1, 1]])
    >>> BRNB().fit(X, Y).predict([[0.5], [4.5]]).tolist()
    [[0, 1], [1, 1]]
    """

    sizes_matter = True

    odds_: GaussianOdds

    def __init__(self, var_smoothing: float = 1e-9) -> None:
        self.var_smoothing = var_smoothing

    def fit(self, X: Any, Y: Any) -> BRNB:
        """Fit all labels Y (n, q) of 0 and 1 to X (n, d), dense or sparse."""
        X, Y = self._fit_data(X, Y)
        moments = Moments.of(X, Y)
        self.odds_ = moments.odds(slice(0, X.shape[1]), self._smoothing(moments.variance))
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """(n, q) log-odds of each label."""
        X = self._data(X)
        return self.odds_.prior + self.odds_.evidence(X)

    def predict_proba(self, X: Any) -> np.ndarray:
        """(n, q) probability of each label."""
        return expit(self.decision_function(X))

    def predict(self, X: Any) -> np.ndarray:
        """(n, q) 0/1 labels."""
        return self._as_fitted(self.decision_function(X) > 0)

    def predict_growing(
        self, X_train: Any, Y_train: np.ndarray, X_test: Any, sizes: Sequence[int], n_jobs: int | None = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Labels and log-odds (n, q) of the test rows by the first s columns, for each of the ascending sizes s.

        New features add to the log-odds of those before them, unless one of them has the largest variance so far: then
        the smoothing changes, and all are added anew. The classifier itself stays as it is.
        """
        if len(sizes) == 0:
            return
        columns = X_test.tocsc() if sparse.issparse(X_test) else X_test
        moments = Moments.of(X_train[:, : sizes[-1]], Y_train)
        done, smoothing, total = 0, 0.0, moments.prior
        for size in sizes:
            checkpoint()
            if (needed := self._smoothing(moments.variance[:size])) != smoothing:
                done, smoothing, total = 0, needed, moments.prior
            new = slice(done, size)
            total = total + moments.odds(new, smoothing).evidence(columns[:, new])
            done = size
            yield total > 0, total

    def _smoothing(self, variance: np.ndarray) -> float:
        if not isinstance(self.var_smoothing, Real) or not self.var_smoothing > 0:
            raise ParameterError(f"var_smoothing must be a number above 0, not {self.var_smoothing!r}.")
        # Features that do not vary tell nothing, whatever is added.
        return float(self.var_smoothing * variance.max()) or 1.0


register(Classifier("br_nb", "BR-NB", BRNB, "One Gaussian naive Bayes classifier per label."))


@dataclass(frozen=True)
class GaussianOdds:
    """Log-odds of each label: Σ_f constant_f + linear_f·x + square_f·x² with x = value − shift, and the prior.

    Attributes
    ----------
    prior : (q,)
    shift : (d,) 0 for sparse data
    constant, linear, square : (d, q)
    """

    prior: np.ndarray
    shift: np.ndarray
    constant: np.ndarray
    linear: np.ndarray
    square: np.ndarray

    def evidence(self, X: Any) -> np.ndarray:
        """(n, q) what the features add to the prior."""
        if sparse.issparse(X) and not self.shift.any():
            squares = X.multiply(X)
        else:
            X = (X.toarray() if sparse.issparse(X) else X) - self.shift
            squares = X**2
        return np.asarray(X @ self.linear) + np.asarray(squares @ self.square) + self.constant.sum(axis=0)


@dataclass(frozen=True)
class Moments:
    """What naive Bayes learns from training rows: means and variances of each feature with and without each label.

    Attributes
    ----------
    prior : (q,) log-odds of the label before anything is seen
    varied : (q,) which labels are not constant
    shift : (d,) subtracted from dense features, so that an offset costs no digits; 0 for sparse ones
    variance : (d,) of each feature
    mean, spread : (2, d, q) means and variances without and with each label
    """

    prior: np.ndarray
    varied: np.ndarray
    shift: np.ndarray
    variance: np.ndarray
    mean: np.ndarray
    spread: np.ndarray

    @classmethod
    def of(cls, X: Any, Y: np.ndarray) -> Moments:
        n, d = X.shape
        if sparse.issparse(X):
            shift, squares = np.zeros(d), X.multiply(X)
        else:
            shift = X.mean(axis=0)
            X = X - shift
            squares = X**2
        variance = np.asarray(squares.mean(axis=0)).ravel() - np.asarray(X.mean(axis=0)).ravel() ** 2
        # Of a feature that does not vary, the rounding of its mean may be left.
        variance[variance <= (1e-14 * shift) ** 2] = 0.0
        positives = Y.sum(axis=0, dtype=np.float64)
        counts = np.stack([n - positives, positives])
        varied = (positives > 0) & (positives < n)
        members = np.stack([1.0 - Y, Y])
        divisor = np.maximum(counts, 1.0)[:, None]
        mean = np.stack([np.asarray(X.T @ member) for member in members]) / divisor
        square = np.stack([np.asarray(squares.T @ member) for member in members]) / divisor
        prior = np.where(positives > 0, CERTAIN, -CERTAIN)
        prior[varied] = np.log(positives[varied] / counts[0, varied])
        spread = square - mean**2
        spread[spread < ROUNDING * square] = 0.0
        return cls(prior, varied, shift, variance, mean, spread)

    def odds(self, features: slice, smoothing: float) -> GaussianOdds:
        """The log-odds by some of the features."""
        (without, mean), spread = self.mean[:, features], self.spread[:, features] + smoothing
        inverse_without, inverse = 1.0 / spread * self.varied
        constant = np.log(spread[0] / spread[1]) * self.varied + without**2 * inverse_without - mean**2 * inverse
        return GaussianOdds(
            self.prior,
            self.shift[features],
            constant / 2,
            mean * inverse - without * inverse_without,
            (inverse_without - inverse) / 2,
        )
