"""ML-kNN: k nearest neighbours vote, weighed by Bayes' rule, for each label (Zhang & Zhou 2007)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.classifiers.base import MultiLabelClassifier
from mlfs.classifiers.nearest import nearest
from mlfs.classifiers.registry import Classifier, register
from mlfs.compiled import compiled
from mlfs.encoding import dense
from mlfs.errors import ParameterError

DEFAULT_K = 10


class MLkNN(MultiLabelClassifier):
    """Multi-label k-nearest neighbours.

    A training row is not its own neighbour; ties in distance go to the lowest row; a label is predicted where its
    probability is at least 0.5.

    Parameters
    ----------
    k : int, default=10
        Neighbours that vote; fewer than there are training rows.
    s : float, default=1.0
        Smoothing: how often every number of votes is taken to have been seen beforehand.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Attributes
    ----------
    votes_ : Votes
        Priors of the labels, and how likely each number of votes is with and without the label.
    n_labels_ : int
    classes_ : (q, 2) array
        The classes of each label, 0 and 1.
    n_features_in_ : int

    References
    ----------
    Zhang & Zhou, ML-KNN: a lazy learning approach to multi-label learning, Pattern Recognition 2007.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [1.0], [1.1], [1.2]])
    >>> Y = np.array([[0, 1], [0, 1], [0, 1], [1, 1], [1, 1], [1, 1]])
    >>> MLkNN(k=2).fit(X, Y).predict([[0.05], [1.05]]).tolist()
    [[0, 1], [1, 1]]
    """

    def __init__(self, k: int = DEFAULT_K, s: float = 1.0, n_jobs: int | None = None) -> None:
        self.k = k
        self.s = s
        self.n_jobs = n_jobs

    def fit(self, X: Any, Y: Any) -> MLkNN:
        """Learn from X (n, d), dense or sparse, and the labels Y (n, q) of 0 and 1."""
        X, self._labels = self._fit_data(X, Y, min_rows=2)
        self._train = dense(X)
        check_neighbours(self.k, self.s, len(self._train))
        within = nearest(self._train, self._train, [X.shape[1]], self.k, itself=True, n_jobs=self.n_jobs)[0]
        self.votes_ = Votes.learn(neighbour_labels(within, self._labels), self._labels, self.k, self.s)
        self.n_labels_ = self._labels.shape[1]
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(n, q) probability of each label."""
        X = dense(self._data(X))
        neighbours = nearest(self._train, X, [X.shape[1]], self.k, n_jobs=self.n_jobs)[0]
        return self.votes_.probabilities(neighbour_labels(neighbours, self._labels))

    def predict(self, X: Any) -> np.ndarray:
        """(n, q) 0/1 labels."""
        return self._as_fitted(self.predict_proba(X) >= 0.5)

    def predict_growing(
        self, X_train: Any, Y_train: np.ndarray, X_test: Any, sizes: Sequence[int], n_jobs: int | None = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Labels and probabilities (n, q) of the test rows by the first s columns, for each of the ascending sizes s.

        The distances of the smaller sets serve the larger ones; the classifier itself stays as it is.
        """
        X_train, X_test = dense(X_train), dense(X_test)
        check_neighbours(self.k, self.s, len(X_train))
        within = nearest(X_train, X_train, sizes, self.k, itself=True, n_jobs=n_jobs)
        across = nearest(X_train, X_test, sizes, self.k, n_jobs=n_jobs)
        lists = sparse.csr_matrix(Y_train)
        for of_train, of_test in zip(within, across, strict=True):
            votes = Votes.learn(neighbour_labels(of_train, lists), Y_train, self.k, self.s)
            scores = votes.probabilities(neighbour_labels(of_test, lists))
            yield scores >= 0.5, scores


register(Classifier("mlknn", "ML-kNN", MLkNN, "The nearest rows vote, weighed by Bayes' rule, for each label."))


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
        if k == DEFAULT_K:  # nobody need have asked for it
            raise ParameterError(
                f"ML-kNN asks {k} neighbours of a row, so it needs {k + 1} training rows and has {n}: choose another "
                "classifier, or bring more rows."
            )
        raise ParameterError(
            f"k must be a whole number from 1 to {n - 1} (one less than the training rows), not {k!r}."
        )
