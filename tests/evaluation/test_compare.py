"""Comparisons: complete, the same on any number of workers, robust, and blind to test rows."""

import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectFromModel, SelectKBest, chi2

from mlfs.datasets import Dataset, make_synthetic
from mlfs.errors import ParameterError
from mlfs.evaluation import compare, get_protocol, loss_curve
from mlfs.evaluation.protocols import configured_selector
from mlfs.selectors import SELECTORS, ScoreSelector, make_selector
from mlfs.selectors.evidence import Evidence
from tests.waiting import without_waiting

SMALL = make_synthetic(n_instances=80, n_relevant=4, n_redundant=2, n_irrelevant=6, n_labels=4)
QUICK = get_protocol("quick", repeats=2, sizes=(1, 3, 0.5))


def test_a_tidy_table():
    table = compare([SMALL], ["els", ("els", {"n_labels": 4}), "jmi_br", "all_features"], QUICK)
    assert list(table.columns) == [
        "dataset",
        "method",
        "parameters",
        "repeat",
        "size",
        "metric",
        "value",
        "seconds",
        "error",
    ]
    # Two repeats, two metrics; sizes 1, 3, 6 for a ranking and 12 for no selection.
    assert len(table) == 2 * 2 * (3 * 3 + 1)
    assert set(table["parameters"]) == {"{}", '{"n_labels": 4}'}
    assert (table["error"] == "").all()
    assert table["value"].between(0, 1).all()
    assert table.loc[table["method"] == "all_features", "size"].unique().tolist() == [12]


def test_one_cell_by_hand():
    table = compare([SMALL], ["mim_br"], QUICK, seed=5)
    train, test = list(QUICK.splits(SMALL, seed=5))[1]
    ranking = make_selector("mim_br").fit(SMALL.X[train], SMALL.Y[train]).ranking_
    curve = loss_curve(SMALL.X[train], SMALL.Y[train], SMALL.X[test], SMALL.Y[test], ranking, [1, 3, 6])
    found = table[(table["repeat"] == 1) & (table["metric"] == "hamming_loss")]
    np.testing.assert_allclose(found["value"], curve["hamming_loss"])


def test_one_worker_or_two():
    one = compare([SMALL], ["els", "pmu", "random"], QUICK, seed=3)
    two = compare([SMALL], ["els", "pmu", "random"], QUICK, seed=3, n_jobs=2)
    assert one.drop(columns="seconds").equals(two.drop(columns="seconds"))
    assert not one["value"].equals(compare([SMALL], ["els", "pmu", "random"], QUICK, seed=4)["value"])


def test_a_failing_cell_is_reported_and_the_rest_goes_on():
    table = compare([SMALL], [("els", {"n_labels": 99}), "mim_br"], QUICK)
    failed = table[table["error"] != ""]
    assert failed["method"].tolist() == ["els", "els"]
    assert "n_labels must be a whole number from 0 to 4" in failed["error"].iloc[0]
    assert len(table[table["method"] == "mim_br"]) == 12


def test_selectors_of_scikit_learn_take_part():
    best, forest = SelectKBest(chi2, k=4), SelectFromModel(RandomForestClassifier(5))
    codes = replace(SMALL, X=np.abs(SMALL.X))
    table = compare([codes], ["els", best, forest], QUICK, seed=5)
    assert (table["error"] == "").all()
    assert table.groupby("method", sort=False).size().to_dict() == dict.fromkeys(
        ("els", "SelectKBest", "SelectFromModel"), 2 * 2 * 3
    )
    assert set(table.loc[table["method"] == "SelectKBest", "parameters"]) == {'{"k": 4, "score_func": "chi2"}'}
    train, test = list(QUICK.splits(codes, seed=5))[1]
    ranking = np.argsort(-chi2(codes.X[train], codes.Y[train])[0])
    curve = loss_curve(codes.X[train], codes.Y[train], codes.X[test], codes.Y[test], ranking, [1, 3, 6])
    found = table[(table["repeat"] == 1) & (table["metric"] == "hamming_loss") & (table["method"] == "SelectKBest")]
    np.testing.assert_allclose(found["value"], curve["hamming_loss"])
    # The forest has no seed of its own: the comparison's decides, on any number of workers.
    two = compare([codes], ["els", best, forest], QUICK, seed=5, n_jobs=2)
    assert table.drop(columns="seconds").equals(two.drop(columns="seconds"))
    # How many features it selects itself.
    natural = compare([codes], best, get_protocol("quick", sizes=()))
    assert natural["size"].unique().tolist() == [4]
    assert not hasattr(best, "scores_")


def test_a_selector_for_one_target_is_told_and_what_is_no_selector_refused():
    table = compare([SMALL], [SelectKBest(k=3), "els"], QUICK)
    assert table["error"].str.startswith("SelectKBest does not take a table of 4 labels").sum() == 2
    assert len(table[table["method"] == "els"]) == 12
    for wrong in (PCA(), SelectKBest, 7, ("els", {}, 1)):
        with pytest.raises(ParameterError, match="A method must be an id such as 'els', a pair of"):
            compare([SMALL], [wrong], QUICK)


def test_a_data_set_that_cannot_be_used_is_reported_too():
    table = compare([SMALL, "nonesuch"], ["els", "mim_br"], get_protocol("given", sizes=(3,)))
    assert table["dataset"].tolist() == ["synthetic", "synthetic", "nonesuch", "nonesuch"]
    assert "no train/test split of its own" in table["error"][0]
    assert "nonesuch" in table["error"][2]


class Dies(BaseEstimator):
    """A classifier that takes its process with it."""

    def fit(self, X, Y):
        os._exit(9)


class Sleeps(BaseEstimator):
    """A classifier that never ends; the file tells that it has begun."""

    def __init__(self, begun):
        self.begun = begun

    def fit(self, X, Y):
        Path(self.begun).touch()
        time.sleep(600)


def test_a_worker_that_dies_is_reported():
    table = compare([SMALL], ["els"], get_protocol(QUICK, classifier=Dies()), n_jobs=2)
    assert (table["error"].str.contains("worker process ended")).all()
    assert len(table) == 2


def test_cancelling_does_not_wait_for_the_cell_under_way(tmp_path):
    begun = tmp_path / "begun"
    protocol = get_protocol(QUICK, classifier=Sleeps(str(begun)))
    cancel = SimpleNamespace(is_set=begun.exists)
    table = without_waiting(lambda: compare([SMALL], ["els"], protocol, n_jobs=2, cancel=cancel))
    assert table.empty


def test_chance_is_drawn_anew_in_each_repeat_unless_its_seed_is_given():
    drawn = {
        configured_selector("random", QUICK, SMALL, seed, repeat).random_state for seed in (0, 1) for repeat in (0, 1)
    }
    assert len(drawn) == 4
    for chance in (make_selector("random", random_state=7), ("random", {"random_state": 7})):
        assert configured_selector(chance, QUICK, SMALL, 0, 1).random_state == 7


def test_progress_and_cancel():
    seen, stop = [], threading.Event()

    def progress(done, total, sentence):
        seen.append((done, total, sentence))
        if done == 2:
            stop.set()

    table = compare([SMALL], ["els", "mim_br"], QUICK, progress=progress, cancel=stop)
    assert [s[:2] for s in seen] == [(1, 4), (2, 4)]
    assert seen[0][2] == "els on synthetic, split 1"
    assert set(table["repeat"]) == {0}


def test_test_rows_decide_nothing():
    """Poisoned test rows change what is measured, never what is selected: a method that peeked would notice."""
    seen = []

    class Spy(ScoreSelector):
        """Notes what it is shown."""

        id = "spy"
        name = summary = formula = paper = cost = "spy"

        def _evidence(self, X, Y):
            seen.append((np.array(X), np.array(Y)))
            return Evidence(X, Y)

        def _score(self, evidence):
            return np.arange(self.n_features_in_, dtype=float)

    try:
        given = (np.arange(0, 60), np.arange(60, 80))
        poisoned = SMALL.X.copy()
        poisoned[60:] = 1e6
        for X in (SMALL.X, poisoned):
            ds = Dataset(X, SMALL.Y, SMALL.feature_names, SMALL.label_names, "given", split=given)
            protocol = get_protocol("given", sizes=(3,), scaling="z_score")
            assert (compare([ds], ["spy"], protocol)["error"] == "").all()
    finally:
        del SELECTORS["spy"]
    (a, ya), (b, yb) = seen
    assert a.shape == (60, 12)
    assert np.array_equal(a, b)
    assert np.array_equal(ya, yb)


def test_categories_are_one_hot_for_the_classifier():
    X = np.column_stack([SMALL.X[:, :3], np.random.default_rng(0).integers(0, 4, 80)])
    ds = Dataset(X, SMALL.Y, list("abcd"), SMALL.label_names, "mixed", categories={3: ("p", "q", "r", "s")})
    table = compare([ds], ["els", "br_cc"], get_protocol("quick", sizes=(4,)))
    assert (table["error"] == "").all()


def test_messages():
    with pytest.raises(ParameterError, match="no method 'esl'"):
        compare([SMALL], ["esl"])
    with pytest.raises(ParameterError, match="no protocol 'quik'"):
        compare([SMALL], ["els"], "quik")
