"""What scikit-learn computes, added up over the labels, against scikit-learn itself."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import chi2, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from mlfs.selectors import make_selector
from mlfs.selectors import scikit_learn as module
from mlfs.selectors.scikit_learn import L1

METHODS = ("forest", "l1_logistic", "f_br", "chi2_br")


def data(seed=0, n=60, d=7, q=4):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(0, 2, (n, q))


def test_f():
    X, Y = data()
    expected = sum(f_classif(X, label)[0] for label in Y.T)
    np.testing.assert_allclose(make_selector("f_br").fit(X, Y).scores_, expected, rtol=1e-9)


def test_f_of_a_feature_that_is_the_label_is_infinite():
    X, Y = data()
    X[:, 3] = 0.1 + 0.2 * Y[:, 1]
    selector = make_selector("f_br").fit(X, Y)
    assert selector.scores_[3] == np.inf
    assert selector.ranking_[0] == 3


def test_chi2():
    X, Y = data()
    expected = sum(chi2(MinMaxScaler().fit_transform(X), label)[0] for label in Y.T)
    np.testing.assert_allclose(make_selector("chi2_br").fit(X, Y).scores_, expected, rtol=1e-9)


def test_chi2_of_sparse_columns_below_0_and_above(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 2)
    X, Y = data()
    X[X < 0.5] = 0
    X[:, [1, 2, 5]] *= -1
    expected = sum(chi2(MinMaxScaler().fit_transform(X), label)[0] for label in Y.T)
    selector = make_selector("chi2_br")
    evidence = selector.prepare(sparse.csr_matrix(X), Y)
    np.testing.assert_allclose(selector.fit_prepared(evidence).scores_, expected, rtol=1e-9)
    parts = {tuple(places.tolist()): part for places, part in selector._columns(evidence)}
    assert {places: sparse.issparse(part) for places, part in parts.items()} == {
        (0, 3, 4, 6): True,
        (1, 2): False,
        (5,): False,
    }


@pytest.mark.parametrize("shape", ["dense", "sparse"])
def test_l1_logistic(shape):
    """Against a solver that leaves the intercept free, on features that are centred too."""
    X, Y = data(n=200)
    X[:, 2] += 100
    X[np.abs(X) < 0.3] = 0
    model = LogisticRegression(**L1, solver="saga", C=0.2, tol=1e-9, max_iter=100_000)
    expected = np.mean([np.abs(model.fit(StandardScaler().fit_transform(X), label).coef_[0]) for label in Y.T], axis=0)
    given = X if shape == "dense" else sparse.csr_matrix(X)
    selector = make_selector("l1_logistic", C=0.2).fit(given, Y)
    np.testing.assert_allclose(selector.scores_, expected, atol=0.01)
    assert ((selector.scores_ == 0) == (expected < 1e-9)).all()


def test_l1_logistic_at_its_limit_says_so():
    X, Y = data()
    with pytest.warns(ConvergenceWarning, match="l1_logistic stopped at the limit of 1 iterations"):
        selector = make_selector("l1_logistic", max_iter=1).fit(X, Y)
    assert selector.notes_ == ["l1_logistic stopped at the limit of 1 iterations: raise max_iter, or lower C."]
    assert selector.n_iter_ == 1


@pytest.mark.parametrize("q", [1, 4])
def test_forest(q):
    X, Y = data(q=q)
    forest = ExtraTreesClassifier(15, random_state=3).fit(X, Y[:, 0] if q == 1 else Y)
    selector = make_selector("forest", n_trees=15, random_state=3).fit(X, Y)
    np.testing.assert_allclose(selector.scores_, forest.feature_importances_, rtol=1e-12)
    other = make_selector("forest", n_trees=15, random_state=4).fit(X, Y)
    assert not np.allclose(other.scores_, selector.scores_)


def test_units_are_nothing_to_a_forest():
    """In single precision the first would be constant, the second infinite."""
    X, Y = data()
    units = X * [1e-9, 1e60, 1, 1, 1, 1, 1] + [0, 0, 1e9, 0, 0, 0, 0]
    one, other = (make_selector("forest", n_trees=10).fit(x, Y) for x in (X, units))
    np.testing.assert_allclose(one.scores_, other.scores_, rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_labels_without_both_classes_add_nothing(method):
    X, Y = data()
    more = np.hstack([Y, np.zeros((60, 1), int), np.ones((60, 1), int)])
    plain, other = make_selector(method).fit(X, Y), make_selector(method).fit(X, more)
    # A mean over labels counts them.
    share = 6 / 4 if method == "l1_logistic" else 1
    np.testing.assert_allclose(share * other.scores_, plain.scores_, rtol=1e-9)


@pytest.mark.parametrize("method", ["l1_logistic", "f_br", "chi2_br"])
def test_the_order_of_the_labels_changes_nothing(method):
    X, Y = data()
    one, other = (make_selector(method).fit(X, Y[:, order]) for order in ([0, 1, 2, 3], [3, 0, 2, 1]))
    np.testing.assert_allclose(one.scores_, other.scores_, rtol=1e-9)
