"""What is told of each selected feature, beside plain computations."""

import math

import numpy as np
import pytest

from mlfs.answer import final_selection, run_methods
from mlfs.answer.features import describe_features
from mlfs.datasets import Dataset
from mlfs.evaluation import Explorer
from mlfs.metrics import stability
from mlfs.selectors import make_selector
from tests.answer.data import settings, small


def test_features_by_hand():
    """Two labels; feature 0 is the first of them, 1 its copy, 2 the second label, 3 constant."""
    Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3)
    X = np.column_stack([Y[:, 0], Y[:, 0], Y[:, 1], np.zeros(12)])
    ds = Dataset(X, Y, list("abcd"), ["u", "v"], "toy")
    first, second = describe_features(ds, [0, 2], np.array([2.0, 0, 1, 0]), [[0, 2], [0, 3], [0, 1], [2, 0]])
    assert (first.rank, first.name, first.score, first.frequency) == (1, "a", 2.0, 1.0)
    assert (second.rank, second.name, second.index, second.frequency) == (2, "c", 2, 0.5)
    assert first.information == pytest.approx((1.0, 0.0))  # one bit of the first label, nothing of the second
    assert second.information == pytest.approx((0.0, 1.0))
    assert (first.nearest_selected.name, first.nearest_selected.uncertainty) == ("c", pytest.approx(0.0))
    assert (first.nearest_left_out.name, first.nearest_left_out.uncertainty) == ("b", pytest.approx(1.0))


def test_a_feature_alone_has_no_neighbour():
    ds = Dataset([[0], [1], [0], [1]], [[0], [1], [0], [1]], ["a"], ["u"], "toy")
    [only] = describe_features(ds, [0], np.zeros(1), [])
    assert only.nearest_selected is None
    assert only.nearest_left_out is None
    assert math.isnan(only.frequency)


def test_the_selection_is_that_of_all_rows_and_the_frequencies_those_of_the_splits():
    ds, asked = small(), settings(["scls"])
    *_, state = run_methods(Explorer(ds), asked)
    selection, size = final_selection(ds, asked, state.best), state.best.choice.size
    assert selection.indices == make_selector("scls", n_features_to_select=size).fit(ds.X, ds.Y).ranking_.tolist()
    subsets = []
    for train, _ in asked.measured.splits(ds):
        subsets.append(make_selector("scls", n_features_to_select=size).fit(ds.X[train], ds.Y[train]).ranking_.tolist())
    for feature in selection.features:
        assert feature.frequency == sum(feature.index in subset for subset in subsets) / 3
    assert selection.stability == stability(subsets, 10)
    assert selection.table()["feature"].tolist() == selection.names
