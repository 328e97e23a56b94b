"""What an evaluator keeps changes no number: a shared one and a fresh one agree to the last bit, for every method."""

import numpy as np
import pytest

import mlfs.evaluation.split_evaluator as module
from mlfs.datasets import make_synthetic
from mlfs.evaluation import get_protocol, loss_curve
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.selectors import SELECTORS, make_selector

SMALL = make_synthetic(n_instances=80, n_relevant=4, n_redundant=2, n_irrelevant=6, n_labels=4)
SPLIT = (np.arange(60), np.arange(60, 80))
PROTOCOL = get_protocol("quick", sizes=(1, 3, 6))


def settings(method):
    """The default, and another value of the first number that can be tuned."""
    yield {}
    for name, parameter in SELECTORS[method].parameters.items():
        if parameter.kind in ("number", "integer") and parameter.default and not parameter.prepares:
            yield {name: parameter.default + 1 if parameter.kind == "integer" else parameter.default * 1.2}
            return


@pytest.mark.filterwarnings("ignore:.* stopped at the limit")
def test_a_shared_bench_gives_what_a_fresh_one_gives():
    shared = SplitEvaluator(SMALL, SPLIT, 1)
    for method in [*SELECTORS, *reversed(SELECTORS)]:  # once more, when everything is known
        for own in settings(method):
            selector = make_selector(method, **own)
            found, fresh = (
                evaluator.measure(selector, PROTOCOL) for evaluator in (shared, SplitEvaluator(SMALL, SPLIT, 1))
            )
            assert found.curve.equals(fresh.curve), (method, own)
            assert np.array_equal(found.selector.scores_, fresh.selector.scores_, equal_nan=True), (method, own)
            assert found.selector.n_selected_ == fresh.selector.n_selected_


@pytest.mark.parametrize("classifier", ["mlknn", "brlr", "lp"])
def test_curves_are_those_of_loss_curve(classifier):
    evaluator = SplitEvaluator(SMALL, SPLIT, 1)
    train, test = SPLIT
    parts = (SMALL.X[train], SMALL.Y[train], SMALL.X[test], SMALL.Y[test])
    for ranking in ([0, 1, 2, 3, 4, 5], [0, 1, 2, 5, 4, 3], [0, 1, 2, 3, 4, 5]):
        for sizes in ((1, 3, 6), (2, 3), (6,)):
            protocol = get_protocol("quick", sizes=sizes, classifier=classifier)
            found = evaluator._curve(np.array(ranking), sizes, protocol)
            assert found.equals(loss_curve(*parts, ranking, sizes, classifier))


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


def test_seconds_count_the_preparation_for_everybody_and_the_wait_once():
    evaluator = SplitEvaluator(SMALL, SPLIT, 1)
    first, second = (evaluator.measure(make_selector("grro", alpha=alpha), PROTOCOL) for alpha in (0.1, 1.0))
    assert first.prepare_seconds == second.prepare_seconds > 0
    assert first.waited == first.prepare_seconds
    assert second.waited == 0
    assert second.seconds > second.prepare_seconds
