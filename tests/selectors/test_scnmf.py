"""SCNMF against golden numbers of the released program's stop, its formula, and descent."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.selectors import SCNMF
from mlfs.selectors.parts.design import Design
from mlfs.selectors.scnmf import feature_kernel
from tests.selectors.descent_data import cosines, golden, linear_data, never_rises, row_norm_sum, toy, unit

LIMIT = "ignore::sklearn.exceptions.ConvergenceWarning"


def kernel(X):
    d = X.shape[1]
    distance = np.array([[np.sqrt(((a - b) ** 2).sum()) for b in X.T] for a in X.T])
    return np.exp(-(distance**2) / (2 * (distance.sum() / (d * (d - 1))) ** 2))


def objective(W, X, Y, lambda1, lambda2):
    X = unit(X)
    error, apart = X @ W - Y, kernel(X) - W @ W.T
    return (
        (error**2).sum() + row_norm_sum(W) + lambda1 * (apart**2).sum() + lambda2 * np.trace((1 - cosines(Y)) @ W.T @ W)
    )


def test_golden_numbers_of_the_released_stop():
    X, Y = toy()
    selector = SCNMF(lambda1=0.01, lambda2=1.0, variant="authors").fit(X, Y)
    scores, ranking = golden("scnmf_authors_0.01_1")
    np.testing.assert_allclose(selector.scores_, scores, atol=1e-12)
    assert selector.ranking_.tolist() == ranking
    assert selector.history_["objective"][-1] == pytest.approx(84.33044611443168)
    further = SCNMF(lambda1=0.01, lambda2=1.0).fit(X, Y)
    assert further.history_["objective"][-1] < 84.2
    assert further.ranking_.tolist() != ranking


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize(("n", "d"), [(30, 6), (8, 12)])
def test_kernel_pair_by_pair(n, d, form):
    X, Y = linear_data(0, n, d)
    np.testing.assert_allclose(feature_kernel(Design(form(X), Y, scaling="unit")), kernel(unit(X)), atol=1e-7)


@pytest.mark.parametrize("lambda1", [1e-3, 0.1, 10.0])
@pytest.mark.filterwarnings(LIMIT)
def test_objective_is_the_formula_and_never_rises(lambda1):
    X, Y = linear_data(1)
    selector = SCNMF(lambda1=lambda1, lambda2=0.5, max_iter=150).fit(X, Y)
    assert never_rises(selector.history_["objective"], rounding=0)
    value = objective(selector.coefficients_, X, Y, lambda1, 0.5)
    assert selector.history_["objective"][-1] == pytest.approx(value, rel=1e-9)
    np.testing.assert_allclose(selector.scores_, selector.coefficients_.sum(axis=1))


@pytest.mark.filterwarnings(LIMIT)
def test_order_of_labels_does_not_matter():
    X, Y = linear_data(3)
    plain, turned = (SCNMF(max_iter=30, n_init=2).fit(X, labels).scores_ for labels in (Y, Y[:, ::-1]))
    np.testing.assert_allclose(turned, plain, rtol=1e-7, atol=1e-10)
