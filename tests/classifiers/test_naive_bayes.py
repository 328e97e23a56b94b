"""Gaussian naive Bayes: scikit-learn's numbers, for all labels and for growing sets of features."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.naive_bayes import GaussianNB

from mlfs.classifiers import BRNB
from mlfs.errors import ParameterError


def problem(seed, n=120, d=7, q=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-2, 3, d) + rng.normal(size=d) * 100
    Y = ((X - X.mean(axis=0)) / X.std(axis=0) @ rng.normal(size=(d, q)) + rng.normal(size=(n, q)) > 0.7).astype(int)
    return X[:80], Y[:80], X[80:], Y[80:]


def log_odds(X, y, X_test, **settings):
    return np.diff(GaussianNB(**settings).fit(X, y).predict_joint_log_proba(X_test), axis=1).ravel()


@pytest.mark.parametrize("settings", [{}, {"var_smoothing": 0.1}])
@pytest.mark.parametrize("seed", range(3))
def test_scikit_learn_agrees(seed, settings):
    X, Y, X_test, _ = problem(seed)
    model = BRNB(**settings).fit(X, Y)
    for label in range(Y.shape[1]):
        expected = log_odds(X, Y[:, label], X_test, **settings)
        np.testing.assert_allclose(model.decision_function(X_test)[:, label], expected, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(model.predict_proba(X_test), 1 / (1 + np.exp(-model.decision_function(X_test))))
    assert np.array_equal(model.predict(X_test), model.decision_function(X_test) > 0)


def test_by_hand():
    """With the label: mean 3, variance 1; without: mean 0, variance 4; two rows each. At 2, in units of ½:
    −ln 1 − 1²/1 + ln 4 + 2²/4 = ln 4."""
    X, Y = np.array([[2.0], [4.0], [-2.0], [2.0]]), np.array([[1], [1], [0], [0]])
    found = BRNB(var_smoothing=1e-15).fit(X, Y).decision_function([[2.0]])
    assert found.item() == pytest.approx(np.log(4) / 2, abs=1e-12)


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_growing_is_a_fresh_fit_for_each_size(order, form):
    X, Y, X_test, _ = problem(3)
    Y[:, 1] = 0
    # Rising variances change the smoothing at every size; falling ones never.
    columns = np.argsort(X.var(axis=0))[::order]
    X, X_test = form(X[:, columns]), form(X_test[:, columns])
    model, sizes = BRNB(var_smoothing=1e-3), [1, 2, 5, 7]
    for size, (labels, scores) in zip(sizes, model.predict_growing(X, Y, X_test, sizes), strict=True):
        fresh = BRNB(var_smoothing=1e-3).fit(X[:, :size], Y)
        np.testing.assert_allclose(scores, fresh.decision_function(X_test[:, :size]), rtol=1e-9, atol=1e-9)
        assert np.array_equal(labels, fresh.predict(X_test[:, :size]))
    assert not hasattr(model, "odds_")
    assert list(model.predict_growing(X, Y, X_test, [])) == []


def test_sparse_data_stay_sparse_and_change_nothing(monkeypatch):
    rng = np.random.default_rng(5)
    X = (rng.random((100, 6)) < 0.2).astype(float)
    Y = (X @ rng.normal(size=(6, 3)) + rng.normal(size=(100, 3)) > 0).astype(int)
    plain, thin = BRNB().fit(X, Y).decision_function(X), sparse.csr_matrix(X)
    for kind in (sparse.csr_matrix, sparse.csc_matrix):
        monkeypatch.setattr(kind, "toarray", lambda self: pytest.fail("made dense"))
    np.testing.assert_allclose(BRNB().fit(thin, Y).decision_function(thin), plain, rtol=1e-8, atol=1e-8)
    *_, (_, scores) = BRNB().predict_growing(thin, Y, thin, [2, 6])
    np.testing.assert_allclose(scores, plain, rtol=1e-8, atol=1e-8)


def test_constant_labels_predict_their_constant_before_all_others():
    X, Y, X_test, _ = problem(6)
    Y[:, 0], Y[:, 3] = 0, 1
    model = BRNB().fit(X, Y)
    P = model.predict_proba(X_test)
    assert not P[:, 0].any()
    assert (P[:, 3] == 1).all()
    scores = model.decision_function(1e6 * X_test)
    assert (scores.argmax(axis=1) == 3).all()
    assert (scores.argmin(axis=1) == 0).all()
    assert np.isfinite(scores).all()


def test_an_offset_changes_nothing():
    X, Y, X_test, _ = problem(7)
    plain = BRNB().fit(X, Y).decision_function(X_test)
    moved = BRNB().fit(X + 1e6, Y).decision_function(X_test + 1e6)
    np.testing.assert_allclose(moved, plain, rtol=1e-4, atol=1e-4)


def test_features_that_do_not_vary_leave_the_prior():
    Y, X = np.array([[1]] * 6 + [[0]]), np.full((7, 2), 0.1)
    assert X[:, 0].mean() != 0.1  # the mean of equal numbers is rounded
    model = BRNB().fit(X, Y)
    assert model.predict_proba([[0.1, 7.0]]).item() == pytest.approx(6 / 7)
    _, scores = next(model.predict_growing(X, Y, X[:1], [1]))
    assert scores.item() == pytest.approx(np.log(6))


def test_messages():
    X, Y, X_test, _ = problem(8)
    for wrong in (0, "much"):
        with pytest.raises(ParameterError, match=f"var_smoothing must be a number above 0, not {wrong!r}"):
            BRNB(wrong).fit(X, Y)
        with pytest.raises(ParameterError, match="var_smoothing"):
            next(BRNB(wrong).predict_growing(X, Y, X_test, [1]))
