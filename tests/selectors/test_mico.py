"""MICO: the programme, its solution, the order it gives."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from mlfs import load_dataset
from mlfs.errors import ParameterError, TooLargeError
from mlfs.information import discretize
from mlfs.selectors import make_selector
from mlfs.selectors.mico import MICO, convexity_shift
from tests.information.brute import H, M
from tests.selectors.data import awkward

WEIGHTS = 10.0 ** np.arange(-3, 4)

# Two independent bits and what can be made of them: all entropies are 1 (2 for the pair), all else 0 or 1.
A = np.array([0, 0, 1, 1] * 4)
B = np.array([0, 1, 0, 1] * 4)


def columns(*parts):
    return np.column_stack(parts)


def slow_programme(X, Y):
    G = np.array([[M(f, g) for g in X.T] for f in X.T])
    np.fill_diagonal(G, [H(f) for f in X.T])
    return G, np.array([sum(M(f, label) for label in Y.T) for f in X.T])


def test_worked_by_hand():
    """G = I and Rel = (1, 0): x = ½ + 1/(2w) for the relevant feature, all of it up to w = 1."""
    for weight, share in ((0.5, 1.0), (1.0, 1.0), (2.0, 0.75), (10.0, 0.55)):
        selector = MICO(redundancy_weight=weight).fit(columns(B, A), columns(A))
        np.testing.assert_allclose(selector.weights_, [1 - share, share], atol=1e-9)
        assert selector.ranking_.tolist() == [1, 0]
        objective = weight / 2 * (share**2 + (1 - share) ** 2) - share
        assert selector.history_["objective"][-1] == pytest.approx(objective)


@pytest.mark.parametrize("weight", [0.1, 1.0, 30.0])
@pytest.mark.parametrize("seed", range(3))
def test_no_other_solver_finds_better(seed, weight):
    X, Y = awkward(seed)
    G, relevance = slow_programme(X, Y)
    G += max(0.0, -np.linalg.eigvalsh(G)[0]) * np.eye(8)

    def objective(x):
        return weight / 2 * x @ G @ x - relevance @ x

    selector = MICO(redundancy_weight=weight).fit(X, Y)
    x = selector.weights_
    assert x.min() >= 0
    assert x.sum() == pytest.approx(1)
    assert selector.history_["objective"][-1] == pytest.approx(objective(x), abs=1e-9)
    peer = minimize(
        objective,
        np.full(8, 1 / 8),
        jac=lambda x: weight * G @ x - relevance,
        bounds=[(0, 1)] * 8,
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert objective(x) == pytest.approx(peer.fun, abs=1e-7 * max(1, weight))
    # The optimality conditions: one multiplier for all weighted features, none of the others below it.
    gradient = weight * G @ x - relevance
    np.testing.assert_allclose(gradient[x > 0], gradient.min(), atol=1e-7 * weight)


@pytest.mark.parametrize("dataset", ["emotions", "yeast"])
def test_objective_never_rises(dataset):
    data = load_dataset(dataset)
    selector = MICO()
    evidence = selector.prepare(data.X, data.Y)
    for fitted in selector.path(evidence, redundancy_weight=WEIGHTS).fitted:
        history = fitted.history_
        assert (np.diff(history["objective"]) <= 0).all()
        assert {len(values) for values in history.values()} == {fitted.n_iter_ + 1}
        assert history["change"][0] == 0
        assert history["gap"][-1] <= 1e-8 * max(1.0, fitted.redundancy_weight)
        assert fitted.notes_ == []


def test_weight_spreads():
    data = load_dataset("emotions")
    evidence = MICO().prepare(data.X, data.Y)
    support = [
        int((MICO(redundancy_weight=w).fit_prepared(evidence).weights_ > 0).sum()) for w in (1e-3, 0.1, 1.0, 10.0)
    ]
    assert support[0] == 1
    assert support == sorted(support)
    assert support[-1] > 50


def test_order_is_by_weight_then_by_gradient():
    data = load_dataset("emotions")
    evidence = MICO().prepare(data.X, data.Y)
    selector = MICO(redundancy_weight=1.0).fit_prepared(evidence)
    x, order = selector.weights_, selector.ranking_
    n_weighted = int((x > 0).sum())
    assert 1 < n_weighted < 72
    assert (np.diff(x[order[:n_weighted]]) <= 1e-9).all()
    assert x[order[n_weighted - 1]] > 0
    G, relevance = slow_programme(discretize(data.X, 5), data.Y)
    gradient = G @ x - relevance
    assert (np.diff(gradient[order[n_weighted:]]) >= -1e-9).all()
    assert np.array_equal(selector.scores_[x > 0], x[x > 0])
    rest = selector.scores_[x == 0]
    assert -1 == rest.min() <= rest.max() <= 0


def test_small_weight_is_plain_relevance():
    """With next to no redundancy all weight lies on the most relevant feature and the gradient is minus relevance."""
    X, Y = awkward(1)
    assert (
        MICO(redundancy_weight=1e-3).fit(X, Y).ranking_.tolist() == make_selector("mim_br").fit(X, Y).ranking_.tolist()
    )


def test_features_with_the_same_information_share():
    # A and its complement tell the same; B tells as much of the second label.
    selector = MICO(redundancy_weight=1.0).fit(columns(A, 1 - A, B, 2 * A + 5), columns(A, B))
    np.testing.assert_allclose(selector.weights_, [1 / 6, 1 / 6, 1 / 2, 1 / 6], atol=1e-12)


def test_says_when_the_programme_had_to_be_made_convex():
    # A pair of bits shares one bit with each of three that share none: least eigenvalue (3 − √13)/2.
    X = columns(2 * A + B, A, B, A ^ B)
    selector = MICO(redundancy_weight=1.0).fit(X, columns(A))
    assert selector.notes_ == [
        "The mutual information of the features is not positive semidefinite (least eigenvalue -0.3): 0.3 was added to "
        "its diagonal, so that the programme is convex."
    ]


def test_convexity_shift():
    assert convexity_shift(np.array([[2.0, 1.0], [1.0, 2.0]])) == 0
    assert convexity_shift(np.ones((3, 3))) == 0
    assert convexity_shift(np.zeros((2, 2))) == 0
    assert convexity_shift(np.array([[1.0, 2.0], [2.0, 1.0]])) == pytest.approx(1.0)


def test_says_when_it_stops_too_early():
    data = load_dataset("yeast")
    with pytest.warns(
        ConvergenceWarning, match=r"mico stopped at the limit of 2 steps.*above the minimum: raise max_iter"
    ):
        selector = MICO(max_iter=2).fit(data.X, data.Y)
    assert selector.n_iter_ == 2
    assert len(selector.notes_) == 1
    assert (selector.scores_[selector.weights_ == 0] <= 0).all()


def test_says_beforehand_what_it_would_take():
    X = sparse.random(4, 20_000, 0.001, format="csr", random_state=0)
    with pytest.raises(TooLargeError, match=r"mico would need 8\.9 GiB .* 20000 features .*for example with els"):
        MICO().fit(X, np.array([[0], [1], [0], [1]]))


def test_ranges():
    with pytest.raises(ParameterError, match=r"redundancy_weight must be a number from 0\.001 to 1000\.0, not -1"):
        MICO(redundancy_weight=-1).fit(*awkward(0))
