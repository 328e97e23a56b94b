"""scikit-multilearn's transformations behind one door."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from mlfs.classifiers import ProblemTransformation
from mlfs.errors import ParameterError


def problem():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 5))
    Y = (X @ rng.normal(size=(5, 6)) > 0.3).astype(int)
    Y[:, 4] = 0
    Y[:, 1] = 1
    return X, Y


@pytest.mark.parametrize("kind", ["br", "cc", "lp", "rakel"])
def test_each_kind_learns(kind):
    X, Y = problem()
    model = clone(ProblemTransformation(kind, DecisionTreeClassifier(max_depth=6, random_state=0))).fit(X, Y)
    assert (model.predict(X) == Y).mean() > 0.85
    P = model.predict_proba(X)
    assert P.shape == Y.shape
    assert ((P >= 0) & (P <= 1 + 1e-12)).all()
    assert (P[:, 1] == 1).all()
    assert not P[:, 4].any()
    again = ProblemTransformation(kind, DecisionTreeClassifier(max_depth=6, random_state=0)).fit(X, Y)
    assert np.array_equal(again.predict_proba(X), P)


def test_binary_relevance_is_one_classifier_per_label():
    X, Y = problem()
    P = ProblemTransformation("br").fit(X, Y).predict_proba(X)
    peer = LogisticRegression(max_iter=1000).fit(X, Y[:, 0]).predict_proba(X)[:, 1]
    np.testing.assert_allclose(P[:, 0], peer, atol=1e-9)


def test_messages():
    with pytest.raises(ParameterError, match="There is no transformation 'rakell': did you mean 'rakel'"):
        ProblemTransformation("rakell").fit(*problem())
