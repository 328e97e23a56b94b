"""One classifier of scikit-learn per label: a linear support vector machine, or a decision tree.

A label that is constant in training predicts that constant; the others predict what scikit-learn's classifier does.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from mlfs.blocks import each
from mlfs.classifiers.base import MultiLabelClassifier
from mlfs.classifiers.registry import Classifier, register
from mlfs.stopping import checkpoint


class PerLabel(MultiLabelClassifier):
    """Binary relevance: a subclass says how one label is fitted, and how it is answered for.

    Attributes
    ----------
    rate_ : (q,) float array
        How often each label occurs in training.
    estimators_ : list of q classifiers
        None for a label that is constant in training.
    """

    rate_: np.ndarray
    estimators_: list[Any]

    def fit(self, X: Any, Y: Any) -> PerLabel:
        """Fit all labels Y (n, q) of 0 and 1 to X (n, d), dense or sparse."""
        X, Y = self._fit_data(X, Y)
        self.rate_ = Y.mean(axis=0)
        varied = np.flatnonzero((self.rate_ > 0) & (self.rate_ < 1))
        self.estimators_ = [None] * Y.shape[1]
        for label, estimator in zip(varied, self._fit_labels(X, Y[:, varied]), strict=True):
            self.estimators_[label] = estimator
        return self

    @abstractmethod
    def _fit_labels(self, X: Any, Y: np.ndarray) -> list[Any]:
        """A fitted classifier for each column of Y, none of which is constant."""

    def _ask(self, X: Any, answer: Callable[[Any, Any], np.ndarray], never: float, always: float) -> np.ndarray:
        """(n, q) the answer of each label's classifier, or what a label that never or always occurs has instead."""
        X = self._data(X)
        answers = np.tile(np.where(self.rate_ > 0, always, never), (X.shape[0], 1))
        for label, estimator in enumerate(self.estimators_):
            if estimator is not None:
                answers[:, label] = answer(estimator, X)
        return answers


class BRSVM(PerLabel):
    """Binary relevance with linear support vector machines: scikit-learn's `LinearSVC` for each label.

    Its scores are decision values, and a label is predicted where its value is above 0. A label that is constant in
    training has the value of the margin, −1 or 1.

    Parameters
    ----------
    C : float, default=1.0
        Inverse strength of the penalty, above 0.
    max_iter : int, default=1000
        Steps at most.
    random_state : int, default=0
        Seed of the order of rows, which counts where there are more features than rows.

    Attributes
    ----------
    rate_ : (q,) float array
        How often each label occurs in training.
    estimators_ : list of q classifiers
        None for a label that is constant in training.
    classes_ : (q, 2) array
        The classes of each label, 0 and 1.
    n_iter_ : int
        Steps of the label that took most.
    notes_ : list of str
        What the user should know about this fit, each a sentence.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> Y = np.array([[0, 0], [0, 0], [0, 0], [1, 0], [1, 0], [1, 0]])
    >>> BRSVM().fit(X, Y).predict([[0.5], [4.5]]).tolist()
    [[0, 0], [1, 0]]
    """

    n_iter_: int
    notes_: list[str]

    def __init__(self, C: float = 1.0, max_iter: int = 1000, random_state: int = 0) -> None:
        self.C = C
        self.max_iter = max_iter
        self.random_state = random_state

    def decision_function(self, X: Any) -> np.ndarray:
        """(n, q) decision value of each label."""
        return self._ask(X, lambda machine, rows: machine.decision_function(rows), never=-1.0, always=1.0)

    def predict(self, X: Any) -> np.ndarray:
        """(n, q) 0/1 labels."""
        return self._as_fitted(self.decision_function(X) > 0)

    def _fit_labels(self, X: Any, Y: np.ndarray) -> list[Any]:
        # Imported here, as below: both packages take longer than most of mlfs, and few runs need them.
        from sklearn.svm import LinearSVC

        machines = []
        # One after another: liblinear's generator is one for all threads.
        for label in Y.T:
            checkpoint()
            machine = LinearSVC(C=self.C, max_iter=self.max_iter, random_state=self.random_state)
            with warnings.catch_warnings():
                # Told once for all labels, in a note.
                warnings.simplefilter("ignore", ConvergenceWarning)
                machines.append(machine.fit(X, label))
        steps = [int(machine.n_iter_) for machine in machines]
        self.n_iter_ = max(steps, default=0)
        late = sum(taken >= self.max_iter for taken in steps)
        self.notes_ = []
        if late:
            self.notes_.append(
                f"{late} of {len(self.rate_)} labels did not converge in {self.max_iter} steps: scale the features, or "
                "allow more steps (max_iter)."
            )
        return machines


class BRCART(PerLabel):
    """Binary relevance with decision trees: scikit-learn's `DecisionTreeClassifier`, which is CART, for each label.

    A label's probability is its share of the training rows in the leaf, and it is predicted where that is above 0.5.

    Parameters
    ----------
    max_depth : int or None, default=None
        Questions at most from the root to a leaf; where None, leaves are split until they are pure.
    min_samples_leaf : int, default=1
        Training rows at least in a leaf.
    random_state : int, default=0
        Seed of the choice between equally good splits.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Attributes
    ----------
    rate_ : (q,) float array
        How often each label occurs in training.
    estimators_ : list of q classifiers
        None for a label that is constant in training.
    classes_ : (q, 2) array
        The classes of each label, 0 and 1.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> Y = np.array([[0, 0], [1, 0], [0, 0], [1, 0], [1, 0], [1, 0]])
    >>> BRCART(max_depth=1).fit(X, Y).predict_proba([[0.5], [4.5]]).round(2).tolist()
    [[0.33, 0.0], [1.0, 0.0]]
    """

    def __init__(
        self,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.random_state = random_state
        self.n_jobs = n_jobs

    def predict_proba(self, X: Any) -> np.ndarray:
        """(n, q) probability of each label."""
        return self._ask(X, lambda tree, rows: tree.predict_proba(rows)[:, 1], never=0.0, always=1.0)

    def predict(self, X: Any) -> np.ndarray:
        """(n, q) 0/1 labels."""
        return self._as_fitted(self.predict_proba(X) > 0.5)

    def _fit_labels(self, X: Any, Y: np.ndarray) -> list[Any]:
        from sklearn.tree import DecisionTreeClassifier

        by_column = X.tocsc() if sparse.issparse(X) else X

        def fit_label(label: np.ndarray) -> Any:
            tree = DecisionTreeClassifier(
                max_depth=self.max_depth, min_samples_leaf=self.min_samples_leaf, random_state=self.random_state
            )
            return tree.fit(by_column, label)

        return each(fit_label, list(Y.T), self.n_jobs)


register(Classifier("br_svm", "BR-SVM", BRSVM, "One linear support vector machine per label."))
register(Classifier("br_cart", "BR-CART", BRCART, "One decision tree per label."))
