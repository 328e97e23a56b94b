"""What an evaluator keeps changes no number: a shared one and a fresh one agree to the last bit, for every method."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import mlfs.evaluation.split_evaluator as module
from mlfs.datasets import Dataset, make_synthetic
from mlfs.errors import ParameterError
from mlfs.evaluation import get_protocol, loss_curve
from mlfs.evaluation.protocols import configured_selector
from mlfs.evaluation.split_evaluator import SplitEvaluator, scale
from mlfs.selectors import SELECTORS
from mlfs.selectors.base import DEFAULT_SIZE

SMALL = make_synthetic(n_instances=80, n_relevant=4, n_redundant=2, n_irrelevant=6, n_labels=4)
SPLIT = (np.arange(60), np.arange(60, 80))
PROTOCOL = get_protocol("quick", sizes=(1, 3, 6))


def settings(method):
    """The default, and another value of the first number that can be tuned."""
    yield {}
    for name, parameter in SELECTORS[method].parameters.items():
        if parameter.kind in ("number", "integer") and parameter.default and not parameter.prepares:
            yield {name: parameter.default + 1 if parameter.kind == "integer" else parameter.default * 0.9}
            return


@pytest.mark.filterwarnings("ignore:.* stopped at the limit")
def test_a_shared_evaluator_gives_what_a_fresh_one_gives():
    shared = SplitEvaluator(SMALL, SPLIT, 1)
    alone = {}
    for method in SELECTORS:
        for own in settings(method):
            selector = configured_selector((method, own), PROTOCOL, SMALL, n_jobs=1)
            alone[method, str(own)] = selector, SplitEvaluator(SMALL, SPLIT, 1).measure(selector, PROTOCOL)
    for method in [*SELECTORS, *reversed(SELECTORS)]:  # once more, when everything is known
        for own in settings(method):
            one = configured_selector((method, own), PROTOCOL, SMALL, n_jobs=1)
            other, fresh = alone[method, str(own)]
            kept = shared.measure(one, PROTOCOL)
            assert kept.curve.equals(fresh.curve), (method, own)
            assert np.array_equal(one.scores_, other.scores_, equal_nan=True), (method, own)
            assert one.n_selected_ == other.n_selected_ == kept.n_selected == fresh.n_selected


def test_a_problem_becomes_the_reason_of_the_cell():
    evaluator = SplitEvaluator(SMALL, SPLIT, 1)
    result = evaluator.compute(("els", {"n_labels": 99}), PROTOCOL, 0, 0)
    assert "n_labels must be a whole number from 0 to 4" in result.error
    assert result.sizes == ()
    assert evaluator.compute("els", PROTOCOL, 0, 0).error == ""


@pytest.mark.parametrize("classifier", ["mlknn", "brlr", "lp", "br_svm", "br_cart", "br_nb", "ridge"])
def test_curves_are_those_of_loss_curve(classifier):
    evaluator = SplitEvaluator(SMALL, SPLIT, 1)
    train, test = SPLIT
    parts = (SMALL.X[train], SMALL.Y[train], SMALL.X[test], SMALL.Y[test])
    for ranking in ([0, 1, 2, 3, 4, 5], [0, 1, 2, 5, 4, 3], [0, 1, 2, 3, 4, 5]):
        for sizes in ((1, 3, 6), (2, 3), (6,)):
            protocol = get_protocol("quick", sizes=sizes, classifier=classifier)
            found = evaluator._curve(np.array(ranking), sizes, protocol)
            assert found.equals(loss_curve(*parts, ranking, sizes, classifier))


@pytest.mark.parametrize(("scaling", "peer"), [("z_score", StandardScaler()), ("unit", MinMaxScaler())])
def test_test_rows_are_scaled_by_what_the_training_rows_show(scaling, peer):
    train, test = SPLIT
    X = SMALL.X.copy()
    X[test] *= 100
    evaluator = SplitEvaluator(replace(SMALL, X=X), SPLIT, 1)
    X_train, X_test, _ = evaluator._features(scaling)
    np.testing.assert_allclose(X_train, peer.fit_transform(X[train]))
    np.testing.assert_allclose(X_test, peer.transform(X[test]))


def test_a_selector_prepares_from_the_training_rows_alone():
    shown = []
    spy = SimpleNamespace(preparation="spy", prepare=lambda *data: shown.extend(data))
    SplitEvaluator(SMALL, SPLIT, 1).evidence(spy)
    for given, whole in zip(shown, (SMALL.X, SMALL.Y), strict=True):
        assert np.array_equal(given, whole[SPLIT[0]])


def test_a_set_method_that_selects_nothing_is_judged_by_its_first_feature():
    """Three features, each strong in one label, middling in the next, blind to the third: each beats another."""
    Y = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)] * 10)
    blur = np.arange(80) // 8 == 0
    X = np.column_stack([2 * Y[:, i] + (Y[:, (i + 1) % 3] ^ blur) for i in range(3)]).astype(float)
    circle = Dataset(X, Y, list("abc"), list("xyz"), "circle")
    evaluator = SplitEvaluator(circle, (np.arange(80), np.arange(80)), 1)
    result = evaluator.compute("mapd", get_protocol("quick", sizes=()), 0, 0)
    assert (result.error, result.n_selected, result.sizes) == ("", 0, (1,))
    assert evaluator.compute("els", get_protocol("quick", sizes=()), 0, 0).sizes == (1,)


def test_the_natural_size_may_be_more_than_a_method_ranks_by_itself():
    wide = make_synthetic(n_instances=80, n_relevant=10, n_redundant=0, n_irrelevant=90, n_labels=12)
    evaluator = SplitEvaluator(wide, SPLIT, 1)
    protocol = get_protocol("quick", sizes=(), natural_size_of="parfs")
    size = evaluator.compute("parfs", protocol, 0, 0).n_selected
    assert size > DEFAULT_SIZE
    assert evaluator.compute("scls", protocol, 0, 0).sizes == (size,)


def test_equal_subsets_are_judged_once(monkeypatch):
    asked = []

    def counted(*arguments, **more):
        asked.append(list(arguments[5]))
        return loss_curve(*arguments, **more)

    monkeypatch.setattr(module, "loss_curve", counted)
    evaluator = SplitEvaluator(SMALL, SPLIT, 1)
    for ranking in ([0, 1, 2, 3, 4, 5], [0, 1, 2, 5, 4, 3], [0, 1, 2, 3, 4, 5], [1, 0, 2, 3, 4, 5]):
        evaluator._curve(np.array(ranking), [1, 3, 6], PROTOCOL)
    assert asked == [[1, 3, 6], [6], [1, 3, 6]]
    monkeypatch.setattr(module, "SUBSETS", 2)  # what is forgotten is judged again
    evaluator._curve(np.array([2, 0, 1, 3, 4, 5]), [1, 3, 6], PROTOCOL)
    evaluator._curve(np.array([0, 1, 2, 3, 4, 5]), [1, 3, 6], PROTOCOL)
    assert asked[3:] == [[1, 3, 6], [1, 3, 6]]


def test_a_size_is_judged_anew_where_its_classifier_started_from_other_sizes(monkeypatch):
    asked = []

    def counted(*arguments, **more):
        asked.append(list(arguments[5]))
        return loss_curve(*arguments, **more)

    monkeypatch.setattr(module, "loss_curve", counted)
    evaluator, protocol = SplitEvaluator(SMALL, SPLIT, 1), get_protocol("quick", classifier="brlr")
    for sizes in ([1, 3, 6], [3, 6], [3, 6], [1, 3]):
        evaluator._curve(np.arange(6), sizes, protocol)
    assert asked == [[1, 3, 6], [3, 6], [1, 3]]


def test_seconds_count_the_preparation_for_everybody_and_the_wall_for_nobody(monkeypatch):
    evaluator = SplitEvaluator(SMALL, SPLIT, 1)
    clock = iter(range(1, 100))
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: float(next(clock))))
    first, second = (evaluator.compute(("grro", {"alpha": alpha}), PROTOCOL, 0, 0) for alpha in (0.1, 1.0))
    # The clock is read at both ends of a cell, of its preparation and of its selection, and ticks at each reading.
    assert first.prepare_seconds == second.prepare_seconds == 1
    assert first.seconds == second.seconds == 2
    assert first.wall_seconds == 5 - first.prepare_seconds
    assert second.wall_seconds == 3


# Scaling learns from training rows only and keeps sparse data sparse.

RNG = np.random.default_rng(0)
TRAIN, TEST = RNG.normal(3, 2, (30, 4)), RNG.normal(3, 5, (10, 4))
TRAIN[:, 2] = 7.0


@pytest.mark.parametrize(("scaling", "peer"), [("z_score", StandardScaler()), ("unit", MinMaxScaler())])
def test_as_scikit_learn_does(scaling, peer):
    train, test = scale(TRAIN, TEST, scaling)
    varied = [0, 1, 3]
    np.testing.assert_allclose(train[:, varied], peer.fit_transform(TRAIN)[:, varied])
    np.testing.assert_allclose(test[:, varied], peer.transform(TEST)[:, varied])
    assert not train[:, 2].any()
    assert not test[:, 2].any()


def test_parts_scaled_by_themselves_or_left_alone():
    train, test = np.array([[0.0, 5], [2, 5], [1, 7]]), np.array([[3.0, 9], [4, 9]])
    scaled_train, scaled_test = scale(train, test, "unit_parts")
    assert scaled_train.tolist() == [[0, 0], [1, 0], [0.5, 1]]
    assert scaled_test.tolist() == [[0, 0], [1, 0]]  # a column constant in a part is 0 there
    inside = (train / 10, sparse.csr_matrix(test / 10).toarray())
    for part, as_it_was in zip(scale(*inside, "unit_parts"), inside, strict=True):
        assert np.array_equal(part, as_it_was)


@pytest.mark.parametrize("scaling", ["z_score", "unit"])
def test_sparse_distances_are_the_dense_ones(scaling):
    a, b = TRAIN * (RNG.random(TRAIN.shape) < 0.4), TEST * (RNG.random(TEST.shape) < 0.4)
    dense = scale(a, b, scaling)
    thin = scale(sparse.csr_matrix(a), sparse.csr_matrix(b), scaling)
    assert all(map(sparse.issparse, thin))
    assert thin[0].nnz <= np.count_nonzero(a)
    for x, y in zip(dense, thin, strict=True):
        np.testing.assert_allclose(x - x[0], y.toarray() - y.toarray()[0], atol=1e-12)


def test_scaling_by_none_and_by_an_unknown_name():
    assert scale(TRAIN, TEST, "none")[0] is TRAIN
    with pytest.raises(ParameterError, match="no scaling 'zscore': did you mean 'z_score'"):
        scale(TRAIN, TEST, "zscore")
