"""Ridge: scikit-learn's outputs, and the same for growing sets of features by one factorisation."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import Ridge

from mlfs.classifiers import RidgeOutputs
from mlfs.errors import ParameterError


def problem(seed, n=100, d=8, q=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.4) * 10.0 ** rng.integers(-1, 2, d)
    Y = (X / (X.std(axis=0) + 1e-9) @ rng.normal(size=(d, q)) + rng.normal(size=(n, q)) > 0.7).astype(int)
    return X[:70], Y[:70], X[70:], Y[70:]


@pytest.mark.parametrize("alpha", [1e-3, 1.0, 100.0])
@pytest.mark.parametrize("d", [8, 90])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_scikit_learn_agrees(alpha, d, form):
    X, Y, X_test, _ = problem(1, d=d)
    peer = Ridge(alpha=alpha).fit(X, Y)
    model = RidgeOutputs(alpha).fit(form(X), Y)
    np.testing.assert_allclose(model.coefficients_, peer.coef_.T, atol=1e-8)
    np.testing.assert_allclose(model.intercept_, peer.intercept_, atol=1e-8)
    np.testing.assert_allclose(model.decision_function(form(X_test)) + 0.5, peer.predict(X_test), atol=1e-8)
    assert np.array_equal(model.predict(form(X_test)), peer.predict(X_test) > 0.5)


def test_by_hand():
    """x = −1, 1 and y = 0, 1: w = Σxy/(Σx² + α) = 1/(2 + 2), b = ½; half is not above ½."""
    model = RidgeOutputs(alpha=2.0).fit([[-1.0], [1.0]], [[0], [1]])
    assert model.coefficients_.item() == pytest.approx(0.25)
    assert model.intercept_.item() == pytest.approx(0.5)
    assert model.decision_function([[2.0]]).item() == pytest.approx(0.5)
    assert model.predict([[1.0], [-1.0], [0.0]]).ravel().tolist() == [1, 0, 0]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_growing_is_a_fresh_fit_for_each_size(form):
    X, Y, X_test, _ = problem(2, d=90)
    Y[:, 2] = 1
    X[:, 3] = X[:, 1]
    X[:, 5] = 4.0
    X, X_test = form(X), form(X_test)
    # Both sides of the 70 rows.
    model, sizes = RidgeOutputs(), [1, 4, 6, 30, 70, 71, 90]
    for size, (labels, scores) in zip(sizes, model.predict_growing(X, Y, X_test, sizes), strict=True):
        fresh = RidgeOutputs().fit(X[:, :size], Y)
        np.testing.assert_allclose(scores, fresh.decision_function(X_test[:, :size]), atol=1e-9)
        assert np.array_equal(labels, fresh.predict(X_test[:, :size]))
    assert not hasattr(model, "coefficients_")
    assert list(model.predict_growing(X, Y, X_test, [])) == []


def test_constant_labels_predict_their_constant():
    X, Y, X_test, _ = problem(3)
    Y[:, 0], Y[:, 3] = 0, 1
    scores = RidgeOutputs().fit(X, Y).decision_function(1e3 * X_test)
    assert (scores[:, 0] == -0.5).all()
    assert (scores[:, 3] == 0.5).all()


def test_duplicated_features_of_a_large_unit():
    X, Y, X_test, _ = problem(4)
    twice, twice_test = (np.hstack([table, table]) * 1e9 for table in (X, X_test))
    # Nothing of the penalty is left at this scale: plain least squares, and the weight shared by the two copies.
    expected = Ridge(alpha=1e-12).fit(X, Y).predict(X_test)
    np.testing.assert_allclose(RidgeOutputs().fit(twice, Y).decision_function(twice_test) + 0.5, expected, atol=1e-5)


@pytest.mark.parametrize("wrong", [0, -1, np.inf, "x"])
def test_messages(wrong):
    X, Y, X_test, _ = problem(5)
    with pytest.raises(ParameterError, match=f"alpha must be a number above 0, not {wrong!r}"):
        RidgeOutputs(wrong).fit(X, Y)
    with pytest.raises(ParameterError, match="alpha"):
        next(RidgeOutputs(wrong).predict_growing(X, Y, X_test, [1]))
