"""Times start afresh for each method, and nothing long is repeated."""

from __future__ import annotations

import numpy as np
import pytest

from mlfs.datasets import load_dataset
from mlfs.papers import timing
from mlfs.papers.timing import classifier_seconds, selection_seconds


class Fits(list):
    """And the methods of the fits before, on a few rows, which are not timed."""

    def __init__(self):
        super().__init__()
        self.warm = []


@pytest.fixture
def fits(monkeypatch):
    """What is timed: the evaluator, the method and the number of features; each takes 2 seconds more than the last."""
    seen = Fits()

    class Evaluator:
        def __init__(self, ds, split, n_jobs):
            self.split = split
            assert n_jobs == 1

        def fit(self, selector):
            if len(self.split[0]) <= timing.WARM_ROWS:
                seen.warm.append(selector.id)
                return 1e9, 1e9
            seen.append((self, selector.id, selector.n_features_to_select))
            return 2.0 * len(seen), 1.0

    monkeypatch.setattr(timing, "SplitEvaluator", Evaluator)
    return seen


def quiet(*_):
    return None


def test_each_selection_has_its_own_evaluator(fits):
    found = selection_seconds(load_dataset("emotions"), ("els:n_labels=3", "mfs"), "lee_kim_2016", 2, quiet)
    assert [(method, size) for _, method, size in fits] == [("els", 50)] * 2 + [("mfs", 50)] * 2
    assert len({id(evaluator) for evaluator, _, _ in fits}) == 4
    assert not np.array_equal(fits[0][0].split[0], fits[1][0].split[0])
    assert found["value"].tolist() == [3.0, 7.0]  # of 2 and 4, of 6 and 8
    assert found["n"].tolist() == [2, 2]
    assert found["setting"].tolist() == ["els:n_labels=3", "mfs"]


def test_a_given_split_is_timed_again_and_sizes_one_by_one(fits):
    found = selection_seconds(load_dataset("emotions"), ("grro",), "zhang_2020_grro", 3, quiet, [10, 20])
    assert [size for _, _, size in fits] == [10] * 3 + [20] * 3
    assert found["size"].tolist() == [10, 20]


def test_the_first_is_not_charged_with_what_loads_once(fits):
    found = selection_seconds(load_dataset("emotions"), ("els:n_labels=3", "mfs"), "lee_kim_2016", 1, quiet)
    assert fits.warm == ["els"]
    assert found["n"].tolist() == [1, 1]


def test_what_is_long_is_not_repeated(fits, monkeypatch):
    monkeypatch.setattr(timing, "LONG_SECONDS", 3.0)
    found = selection_seconds(load_dataset("emotions"), ("mfs",), "lee_kim_2016", 5, quiet)
    assert found["n"].tolist() == [2]


def test_the_classifier_is_timed_with_some_and_with_all_features():
    told = []
    ds = load_dataset("emotions")
    found = classifier_seconds(ds, "lee_kim_2016", 5, 1, lambda *what: told.append(what))
    assert found["setting"].tolist() == ["n=5", "all_features"]
    assert (found["value"] > 0).all()
    assert told[-1][:2] == (2, 2)
