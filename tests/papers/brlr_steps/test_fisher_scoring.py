"""Fisher scoring as MATLAB's glmfit does it, against weighted least squares written down label by label."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.classifiers import BRLR
from mlfs.classifiers.brlr import WIDE
from mlfs.papers.brlr_steps.fisher_scoring import BOUND, EPSILON, fitted_weights, independent_columns, log_odds


def by_least_squares(X, y, steps):
    """Each step a least-squares fit of the working response, from probabilities of 1/4 and 3/4."""
    design = np.hstack([X, np.ones((len(X), 1))])
    mu = (y + 0.5) / 2
    eta = np.log(mu / (1 - mu))
    for _ in range(steps + 1):
        weight = mu * (1 - mu)
        response, root = eta + (y - mu) / weight, np.sqrt(weight)
        coefficients = np.linalg.lstsq(design * root[:, None], response * root, rcond=None)[0]
        eta = design @ coefficients
        mu = np.clip(1 / (1 + np.exp(-eta)), EPSILON, 1 - EPSILON)
    return coefficients


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (120, 4)).astype(float)
    return X, (X[:, :1] + rng.normal(size=(120, 3)) > 0.5).astype(int)


@pytest.mark.parametrize("steps", [0, 1, 3])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_each_step_is_one_of_weighted_least_squares(data, steps, kind):
    X, Y = data
    weights = fitted_weights(kind(X), Y, steps)
    for label in range(Y.shape[1]):
        np.testing.assert_allclose(weights[:, label], by_least_squares(X, Y[:, label], steps), atol=1e-8)


@pytest.mark.parametrize("share", [0.05, 0.5])
def test_many_columns_take_the_same_steps(share):
    rng = np.random.default_rng(2)
    X = (rng.random((600, WIDE + 1)) < share).astype(float)
    Y = (X[:, :2] + rng.normal(size=(600, 2)) > 0.5).astype(int)
    weights = fitted_weights(sparse.csr_matrix(X), Y, 2)
    for label in range(2):
        np.testing.assert_allclose(weights[:, label], by_least_squares(X, Y[:, label], 2), atol=1e-7)


def test_what_is_not_separated_is_the_maximum_of_likelihood(data):
    X, Y = data
    np.testing.assert_allclose(fitted_weights(X, Y), BRLR(C=1e12).fit(X, Y).coefficients_, atol=1e-4)


def test_what_is_separated_goes_on_until_probabilities_tie():
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    Y = X.astype(int)
    few, many = (log_odds(X, Y, X[[0, -1]], steps).ravel() for steps in (10, 100))
    assert few[1] - few[0] < 2 * BOUND < many[1] - many[0]
    assert np.sign(many).tolist() == [-1, 1]


def test_columns_that_others_make_up_are_dropped():
    rng = np.random.default_rng(1)
    X = rng.random((30, 3))
    X = np.hstack([X, X[:, :1] + X[:, 1:2], np.ones((30, 1))])
    assert len(independent_columns(X)) == 3
    assert 2 in independent_columns(X)
