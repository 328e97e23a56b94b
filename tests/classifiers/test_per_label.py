"""One classifier of scikit-learn per label: its predictions, constants, sparse data, and what it says."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from mlfs.classifiers import BRCART, BRSVM


def problem(seed=0, n=80, d=5, q=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.5)
    return X, (X @ rng.normal(size=(d, q)) + rng.normal(size=(n, q)) > 0.3).astype(int)


@pytest.mark.parametrize("d", [5, 120])
def test_each_label_has_scikit_learns_support_vector_machine(d):
    X, Y = problem(1, d=d)
    model = BRSVM(C=0.5).fit(X[:60], Y[:60])
    for label in range(Y.shape[1]):
        peer = LinearSVC(C=0.5, random_state=0).fit(X[:60], Y[:60, label])
        np.testing.assert_array_equal(model.decision_function(X[60:])[:, label], peer.decision_function(X[60:]))
        np.testing.assert_array_equal(model.predict(X[60:])[:, label], peer.predict(X[60:]))


def test_each_label_has_scikit_learns_tree():
    X, Y = problem(2)
    X = X.round()  # rows with equal features and different labels: leaves that are not pure
    for settings in ({}, {"max_depth": 2}, {"min_samples_leaf": 2}):
        model = BRCART(**settings).fit(X[:60], Y[:60])
        for label in range(Y.shape[1]):
            peer = DecisionTreeClassifier(random_state=0, **settings).fit(X[:60], Y[:60, label])
            np.testing.assert_array_equal(model.predict_proba(X)[:, label], peer.predict_proba(X)[:, 1])
            np.testing.assert_array_equal(model.predict(X)[:, label], peer.predict(X))


def test_even_odds_are_a_no_as_in_scikit_learn():
    X, Y = np.zeros((4, 1)), np.array([[0, 1], [1, 1], [0, 1], [1, 0]])
    model = BRCART().fit(X, Y)
    assert model.predict_proba(X)[0].tolist() == [0.5, 0.75]
    assert model.predict(X)[0].tolist() == [0, 1]


def test_threads_change_nothing():
    X, Y = problem(3)
    one, three = (BRCART(n_jobs=n_jobs).fit(X, Y).predict_proba(X[::-1] + 0.1) for n_jobs in (1, 3))
    assert np.array_equal(one, three)


@pytest.mark.parametrize("model", [BRSVM(), BRCART()])
def test_constant_labels_predict_their_constant(model):
    X, Y = problem(4)
    Y[:, 0], Y[:, 2] = 0, 1
    predicted = model.fit(X, Y).predict(X)
    assert not predicted[:, 0].any()
    assert predicted[:, 2].all()
    assert model.estimators_[0] is model.estimators_[2] is None
    assert not model.fit(X, np.zeros_like(Y)).predict(X).any()


def test_what_a_constant_label_scores():
    X, Y = problem(4)
    Y[:, 0], Y[:, 2] = 0, 1
    assert (BRSVM().fit(X, Y).decision_function(X)[:, [0, 2]] == [-1, 1]).all()
    assert (BRCART().fit(X, Y).predict_proba(X)[:, [0, 2]] == [0, 1]).all()


@pytest.mark.parametrize("model", [BRSVM(), BRCART()])
def test_sparse_data_stay_sparse_and_change_nothing(model, monkeypatch):
    X, Y = problem(5)
    plain = model.fit(X, Y).predict(X)
    thin = sparse.csr_matrix(X)
    monkeypatch.setattr(sparse.csr_matrix, "toarray", lambda self: pytest.fail("made dense"))
    assert np.array_equal(model.fit(thin, Y).predict(thin), plain)


def test_what_did_not_converge_is_said():
    X, Y = problem(6)
    assert BRSVM().fit(X, Y).notes_ == []
    note = BRSVM(max_iter=1).fit(X * 1e3, Y).notes_[0]
    assert note.startswith("4 of 4 labels did not converge in 1 steps: scale the features")


@pytest.mark.parametrize("ask", [BRSVM().decision_function, BRSVM().predict, BRCART().predict_proba, BRCART().predict])
def test_nothing_is_predicted_before_it_is_fitted(ask):
    with pytest.raises(NotFittedError):
        ask([[1.0]])
