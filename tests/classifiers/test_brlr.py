"""BRLR: the optimum is scikit-learn's, for all labels at once."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from mlfs.classifiers import BRLR
from mlfs.errors import ParameterError


def problem(seed, n=150, d=6, q=5, binary=False):
    rng = np.random.default_rng(seed)
    X = (rng.random((n, d)) < 0.1).astype(float) if binary else rng.normal(size=(n, d)) * 10.0 ** rng.integers(-2, 2, d)
    Y = (X / (X.std(axis=0) + 1e-9) @ rng.normal(size=(d, q)) + 2 * rng.normal(size=(n, q)) > 0.7).astype(int)
    return X, Y


@pytest.mark.parametrize("C", [1e-2, 1.0, 1e6])
@pytest.mark.parametrize("binary", [False, True])
def test_the_optimum_of_scikit_learn(C, binary):
    X, Y = problem(1, binary=binary)
    model = BRLR(C=C).fit(X, Y)
    for label in range(Y.shape[1]):
        peer = LogisticRegression(C=C, tol=1e-12, max_iter=20000, solver="newton-cholesky").fit(X, Y[:, label])
        np.testing.assert_allclose(model.predict_proba(X)[:, label], peer.predict_proba(X)[:, 1], atol=1e-4)
    assert np.array_equal(model.predict(X), (model.predict_proba(X) >= 0.5).astype(int))


@pytest.mark.parametrize("binary", [False, True])
def test_sparse_is_dense(binary):
    X, Y = problem(2, binary=binary)
    dense, thin = BRLR(C=10.0).fit(X, Y), BRLR(C=10.0).fit(sparse.csr_matrix(X), Y)
    np.testing.assert_allclose(dense.predict_proba(X), thin.predict_proba(sparse.csr_matrix(X)), atol=1e-6)


def test_gradient_vanishes_at_the_end():
    X, Y = problem(3)
    model = BRLR(C=2.0).fit(X, Y)
    gradient = X.T @ (model.predict_proba(X) - Y) + model.coefficients_[:-1] / 2.0
    assert np.abs(gradient).max() < 1e-3 * np.abs(X).sum(axis=0).max()


def test_constant_labels_predict_their_constant():
    X, Y = problem(4)
    Y[:, 0], Y[:, 3] = 0, 1
    P = BRLR().fit(X, Y).predict_proba(X)
    assert (P[:, 0] == 0).all()
    assert (P[:, 3] == 1).all()
    assert not (BRLR().fit(X, np.zeros_like(Y)).predict_proba(X)).any()


def test_separation_is_said_and_survived():
    X, Y = problem(5)
    Y[:, 2] = X[:, 0] > 0
    model = BRLR().fit(X, Y)
    assert model.separated_.tolist() == [False, False, True, False, False]
    assert "For 1 of 5 labels these features decide some rows for certain" in model.notes_[0]
    assert np.array_equal(model.predict(X)[:, 2], Y[:, 2])
    assert not BRLR(C=0.01).fit(X, Y).separated_.any()


def test_a_warm_start_reaches_the_same_optimum():
    X, Y = problem(6)
    small = BRLR(C=1.0).fit(X[:, :4], Y)
    warm = BRLR(C=1.0).fit(X, Y, start=small.coefficients_)
    np.testing.assert_allclose(warm.predict_proba(X), BRLR(C=1.0).fit(X, Y).predict_proba(X), atol=1e-5)


def test_growing_subsets_take_as_many_threads_as_are_given(monkeypatch):
    monkeypatch.setattr("mlfs.classifiers.brlr.LABELS_AT_ONCE", 1)
    monkeypatch.setattr("mlfs.blocks.ThreadPoolExecutor", lambda *_: pytest.fail("another thread"))
    X, Y = problem(7)
    assert len(list(BRLR().predict_growing(X, Y, X, [2, 4], n_jobs=1))) == 2


def test_duplicated_and_constant_features():
    X, Y = problem(7)
    plain = BRLR().fit(X, Y).predict_proba(X)
    X = np.hstack([X, X[:, :2], np.ones((len(X), 1)), np.zeros((len(X), 1))])
    np.testing.assert_allclose(BRLR().fit(X, Y).predict_proba(X), plain, atol=1e-4)


@pytest.mark.parametrize("C", [1.0, 1e6])
def test_many_features_reach_the_same_optimum_by_conjugate_gradients(monkeypatch, C):
    X, Y = problem(9)
    Y[:, 1] = 0
    together = BRLR(C=C).fit(X, Y).predict_proba(X)
    monkeypatch.setattr("mlfs.classifiers.brlr.WIDE", 3)
    for form in (np.asarray, sparse.csr_matrix):
        np.testing.assert_allclose(BRLR(C=C).fit(form(X), Y).predict_proba(form(X)), together, atol=1e-4)


@pytest.mark.parametrize("offset", [1e3, 1e5])
def test_an_offset_changes_nothing(offset):
    X, Y = problem(10)
    X /= X.std(axis=0)
    plain = BRLR().fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(BRLR().fit(X + offset, Y).predict_proba(X + offset), plain, atol=1e-4)


def test_messages():
    X, Y = problem(8)
    with pytest.raises(ParameterError, match="C must be a number above 0, not -1"):
        BRLR(C=-1).fit(X, Y)
    assert any("did not converge in 1 steps" in note for note in BRLR(max_iter=1).fit(X, Y).notes_)
