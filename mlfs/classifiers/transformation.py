"""Problem transformations of scikit-multilearn around any scikit-learn classifier, as extra choices.

Labels that are constant in training are set aside and predicted as that constant: most base classifiers refuse them.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from mlfs.classifiers.base import MultiLabelClassifier
from mlfs.classifiers.registry import Classifier, register
from mlfs.encoding import dense
from mlfs.errors import ParameterError, did_you_mean

KINDS = ("br", "cc", "lp", "rakel")


class ProblemTransformation(MultiLabelClassifier):
    """Multi-label classification by ordinary classifiers.

    Parameters
    ----------
    kind : {"br", "cc", "lp", "rakel"}, default="br"
        Binary relevance, classifier chain, label powerset or random disjoint groups of labels.
    base : scikit-learn classifier or None, default=None
        What learns each transformed problem; logistic regression where None.
    labelset_size : int, default=3
        Labels in a group of RAkEL.
    random_state : int, default=0
        Seed of RAkEL's groups.

    Attributes
    ----------
    rate_ : (q,) float array
        How often each label occurs in training.
    varied_ : int array
        The labels that are not constant in training, which alone are learnt.
    model_ : the fitted transformation, or None where every label is constant
    classes_ : (q, 2) array
        The classes of each label, 0 and 1.
    n_features_in_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
    >>> Y = np.array([[0, 1], [0, 1], [0, 1], [1, 1], [1, 1], [1, 1]])
    >>> ProblemTransformation("lp").fit(X, Y).predict([[0.5], [4.5]]).tolist()
    [[0, 1], [1, 1]]
    """

    def __init__(self, kind: str = "br", base: Any = None, labelset_size: int = 3, random_state: int = 0) -> None:
        self.kind = kind
        self.base = base
        self.labelset_size = labelset_size
        self.random_state = random_state

    def fit(self, X: Any, Y: Any) -> ProblemTransformation:
        """Learn from X (n, d), dense or sparse, and the labels Y (n, q) of 0 and 1."""
        if self.kind not in KINDS:
            raise ParameterError(f"There is no transformation {self.kind!r}: {did_you_mean(str(self.kind), KINDS)}")
        X, Y = self._fit_data(X, Y)
        self.rate_ = Y.mean(axis=0)
        self.varied_ = np.flatnonzero((self.rate_ > 0) & (self.rate_ < 1))
        self.model_ = None
        if len(self.varied_):
            # scikit-multilearn draws its groups from the global generators.
            states = random.getstate(), np.random.get_state()  # noqa: NPY002
            random.seed(self.random_state)
            np.random.seed(self.random_state)  # noqa: NPY002
            try:
                self.model_ = self._make(len(self.varied_)).fit(X, Y[:, self.varied_])
            finally:
                random.setstate(states[0])
                np.random.set_state(states[1])  # noqa: NPY002
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """(n, q) probability of each label."""
        return self._ask(X, "predict_proba").astype(np.float64)

    def predict(self, X: Any) -> np.ndarray:
        """(n, q) 0/1 labels."""
        return self._as_fitted(self._ask(X, "predict"))

    def _ask(self, X: Any, method: str) -> np.ndarray:
        X = self._data(X)
        answer = np.tile(self.rate_, (X.shape[0], 1))
        if self.model_ is not None:
            answer[:, self.varied_] = dense(getattr(self.model_, method)(X))
        return answer

    def _make(self, n_labels: int) -> Any:
        # Imported here: the package takes a second and few runs need it.
        from skmultilearn.ensemble import RakelD
        from skmultilearn.problem_transform import BinaryRelevance, ClassifierChain, LabelPowerset

        base = LogisticRegression(max_iter=1000) if self.base is None else clone(self.base)
        if self.kind == "rakel" and n_labels > self.labelset_size:
            return RakelD(base_classifier=base, labelset_size=self.labelset_size)
        kinds = {"br": BinaryRelevance, "cc": ClassifierChain, "lp": LabelPowerset, "rakel": LabelPowerset}
        return kinds[self.kind](base)


for _name, _title, _meaning in (
    ("br", "BR", "Binary relevance: one classifier per label."),
    ("cc", "CC", "Classifier chain: each label's classifier also sees the labels before it."),
    ("lp", "LP", "Label powerset: one class per labelset."),
    ("rakel", "RAkEL", "Label powersets of small disjoint random groups of labels."),
):
    register(Classifier(_name, _title, partial(ProblemTransformation, _name), _meaning))
