"""ML-kNN: k nearest neighbours vote, weighed by Bayes' rule, for each label (Zhang & Zhou 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from mlfs.classifiers.compiled import compiled
from mlfs.classifiers.nearest import nearest
from mlfs.encoding import checked_labels, dense
from mlfs.errors import ParameterError

DEFAULT_K = 10


class MLkNN(ClassifierMixin, BaseEstimator):
    """Multi-label k-nearest neighbours.

    A training row is not its own neighbour; ties in distance go to the lowest row; a label is predicted where its
    probability is at least 0.5.

    Parameters
    ----------
    k : neighbours
    s : smoothing of the counts
    """

    def __init__(self, k: int = DEFAULT_K, s: float = 1.0, n_jobs: int | None = None) -> None:
        self.k = k
        self.s = s
        self.n_jobs = n_jobs

    def fit(self, X: Any, Y: Any) -> MLkNN:
        X = validate_data(self, X, accept_sparse="csr", dtype=np.float64)
        self._train, self._labels = dense(X), checked_labels(Y, X.shape[0])
        check_neighbours(self.k, self.s, len(self._train))
        within = nearest(self._train, self._train, [X.shape[1]], self.k, itself=True, n_jobs=self.n_jobs)[0]
        self.votes_ = Votes.learn(neighbour_labels(within, self._labels), self._labels, self.k, self.s)
        self.n_labels_ = self._labels.shape[1]
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(n, q) probability of each label."""
        check_is_fitted(self)
        X = dense(validate_data(self, X, reset=False, accept_sparse="csr", dtype=np.float64))
        found = nearest(self._train, X, [X.shape[1]], self.k, n_jobs=self.n_jobs)[0]
        return self.votes_.probabilities(neighbour_labels(found, self._labels))

    def predict(self, X: Any) -> np.ndarray:
        """(n, q) 0/1 labels."""
        return (self.predict_proba(X) >= 0.5).astype(np.int8)


@dataclass(frozen=True)
class Votes:
    """What ML-kNN learns: priors, and how likely each number of votes is with and without the label."""

    prior: np.ndarray
    with_label: np.ndarray
    without: np.ndarray

    @classmethod
    def learn(cls, counts: np.ndarray, Y: np.ndarray, k: int, s: float) -> Votes:
        """From the votes (n, q) that each training row gets from its neighbours."""
        n, q = Y.shape
        cell = (Y.astype(np.intp) * (k + 1) + counts) * q + np.arange(q)
        table = np.bincount(cell.ravel(), minlength=2 * (k + 1) * q).reshape(2, k + 1, q)
        total = s * (k + 1) + table.sum(axis=1, keepdims=True)
        # Without smoothing a class that never occurs has no likelihood.
        likelihood = np.divide(s + table, total, out=np.zeros(table.shape), where=total > 0)
        return cls((s + Y.sum(axis=0)) / (2 * s + n), likelihood[1], likelihood[0])

    def probabilities(self, counts: np.ndarray) -> np.ndarray:
        """(n, q) P(label | votes) by Bayes' rule."""
        label = np.arange(counts.shape[1])
        yes = (self.prior * self.with_label)[counts, label]
        no = ((1 - self.prior) * self.without)[counts, label]
        # Without smoothing a number of votes may never have been seen: then only the prior speaks.
        unseen = yes + no == 0
        return np.where(unseen, self.prior, yes / np.where(unseen, 1.0, yes + no))


def neighbour_labels(neighbours: np.ndarray, Y: np.ndarray | sparse.csr_matrix) -> np.ndarray:
    """(n, q) how many of each row's neighbours have each label; Y as CSR saves making it so each time."""
    lists = sparse.csr_matrix(Y)
    votes = np.zeros((len(neighbours), lists.shape[1]), dtype=np.intp)
    _count(neighbours, lists.indptr, lists.indices, votes)
    return votes


@compiled
def _count(neighbours, start, labels, votes):
    for i in range(len(neighbours)):
        for row in neighbours[i]:
            for place in range(start[row], start[row + 1]):
                votes[i, labels[place]] += 1


def check_neighbours(k: int, s: float, n: int) -> None:
    if not s >= 0:
        raise ParameterError(f"s must be a number of at least 0, not {s!r}.")
    if not isinstance(k, (int, np.integer)) or isinstance(k, bool) or not 1 <= k < n:
        few = ": with so few rows choose another classifier" if n <= DEFAULT_K else ""
        raise ParameterError(
            f"k must be a whole number from 1 to {n - 1} (one less than the training rows), not {k!r}{few}."
        )
