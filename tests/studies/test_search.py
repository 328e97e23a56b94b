"""The search: blind to test rows, its trials kept as cells, the best of them told."""

import sys
import threading

import numpy as np
import pytest

from mlfs.datasets import Dataset
from mlfs.errors import StudyError
from mlfs.evaluation import get_protocol
from mlfs.studies import MethodGrid, Plan, Store, search
from mlfs.studies.search import training_rows
from tests.studies.support import DATASETS, SMALL

PLAN = Plan(
    "best",
    ["small"],
    [MethodGrid("grro_ls", {"variant": "paper"}, {"alpha": [0.01, 100], "k": [1, 6]})],
    settings={"sizes": [2, 4]},
)


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "studies.db") as made:
        yield made


def test_the_best_trial_is_told_and_all_are_kept(store):
    seen = []
    found = search(PLAN, store, 12, datasets=DATASETS, progress=lambda *word: seen.append(word))
    assert list(found.trials.columns) == ["alpha", "k", "value"]
    assert len(found.trials) == 12
    assert found.trials["alpha"].between(0.01, 100).all()
    assert found.trials["k"].between(1, 6).all()
    assert found.value == found.trials["value"].min()
    assert found.parameters["variant"] == "paper"
    assert seen[-1] == (12, 12, "grro_ls on small, training rows, split 1")
    results = store.results(found.study)
    mine = results[
        (results["metric"] == "hamming_loss") & (results["parameters"].str.contains(f"{found.parameters['k']},"))
    ]
    assert np.isclose(mine.groupby("parameters")["value"].mean(), found.value).any()
    assert store.study(found.study).state == "done"


def test_the_same_seed_the_same_search_and_nothing_twice(store):
    one = search(PLAN, store, 8, datasets=DATASETS)
    two = search(PLAN, store, 8, datasets=DATASETS)
    assert one.trials.equals(two.trials)
    assert one.study == two.study


def test_higher_is_better_where_it_is(store):
    plan = Plan("best", ["small"], PLAN.methods, settings={"sizes": [2], "metrics": ["macro_f1"]})
    found = search(plan, store, 6, metric="macro_f1", datasets=DATASETS)
    assert found.value == found.trials["value"].max()


def test_test_rows_are_never_seen(store, tmp_path):
    """With poison in the test rows the search goes the same way."""
    train, test = next(iter(get_protocol("quick").splits(SMALL, 0)))
    inner = training_rows(SMALL, (train, test), 0)
    assert inner.X.shape[0] == len(train)
    assert np.array_equal(inner.X, SMALL.X[train])
    fit, validate = inner.split
    assert not set(fit) & set(validate)
    assert len(fit) + len(validate) == len(train)
    poisoned = SMALL.X.copy()
    poisoned[test] = 1e6
    other = Dataset(poisoned, SMALL.Y, SMALL.feature_names, SMALL.label_names, "poisoned")
    one = search(PLAN, store, 5, datasets=DATASETS)
    with Store(tmp_path / "other.db") as elsewhere:
        assert search(PLAN, elsewhere, 5, datasets={"small": other}).trials.equals(one.trials)


def test_time_and_cancel_end_it(store):
    assert len(search(PLAN, store, 50, seconds=0.0, datasets=DATASETS).trials) == 1
    stop = threading.Event()
    found = search(PLAN, store, 50, datasets=DATASETS, cancel=stop, progress=lambda done, *_: done == 3 and stop.set())
    assert len(found.trials) == 3


def test_messages(store, monkeypatch):
    with pytest.raises(StudyError, match="needs a plan of one data set and one method with a grid"):
        search(Plan("p", ["small"], ["els"]), store, datasets=DATASETS)
    with pytest.raises(StudyError, match="The plan does not measure 'hamming'"):
        search(PLAN, store, metric="hamming", datasets=DATASETS)
    with pytest.raises(StudyError, match="budget must be a whole number of trials from 1, not 0"):
        search(PLAN, store, 0, datasets=DATASETS)
    bad = Plan("p", ["small"], [MethodGrid("els", grid={"n_labels": [50, 90]})])
    with pytest.raises(StudyError, match="No trial of els gave a result: n_labels must be a whole number from 0 to 4"):
        search(bad, store, 3, datasets=DATASETS)
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(StudyError, match="Optuna is not installed here: run pip install"):
        search(PLAN, store, datasets=DATASETS)
