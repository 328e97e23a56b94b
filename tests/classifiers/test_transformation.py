"""scikit-multilearn's transformations behind one door."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain
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


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array])
@pytest.mark.parametrize("kind", ["br", "cc", "lp", "rakel"])
def test_sparse_is_dense(kind, form):
    X, Y = problem()
    X *= X > 0
    plain = ProblemTransformation(kind).fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(ProblemTransformation(kind).fit(form(X), Y).predict_proba(form(X)), plain, atol=1e-3)


def test_a_chain_is_scikit_learns_in_the_order_of_the_labels():
    X, Y = problem()
    varied = Y[:, [0, 2, 3, 5]]
    peer = ClassifierChain(LogisticRegression(max_iter=1000), order=[0, 1, 2, 3]).fit(X[:80], varied[:80])
    model = ProblemTransformation("cc").fit(X[:80], Y[:80])
    np.testing.assert_allclose(model.predict_proba(X[80:])[:, [0, 2, 3, 5]], peer.predict_proba(X[80:]), atol=1e-9)
    assert np.array_equal(model.predict(X[80:])[:, [0, 2, 3, 5]], peer.predict(X[80:]))
    assert model.predict(X[80:])[0, [1, 4]].tolist() == [1, 0]


def test_messages():
    with pytest.raises(ParameterError, match="There is no transformation 'rakell': did you mean 'rakel'"):
        ProblemTransformation("rakell").fit(*problem())
