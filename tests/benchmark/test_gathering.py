"""From a store to tables: the numbers of `compare`, the same folds for all, limits, tuned settings."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mlfs.benchmark import leaderboard, make_benchmark, run_benchmark
from mlfs.benchmark.joining import with_parts
from mlfs.benchmark.kept import coverage
from mlfs.benchmark.study import LIMITS, benchmark_plan
from mlfs.datasets import load_dataset
from mlfs.errors import StudyError
from mlfs.evaluation import compare
from mlfs.evaluation.cell_result import failed
from mlfs.studies import Store
from mlfs.studies.limits import SELECTING, CellLimits
from tests.benchmark.made import METHODS
from tests.studies.support import Remembering


def test_the_numbers_are_those_of_compare(made):
    ds = load_dataset("emotions")
    protocol = benchmark_plan("emotions", ["els"], "brlr").resolved_protocol
    rows = compare([ds], ["els"], protocol)
    expected = rows[(rows["repeat"] < 2) & (rows["metric"] == "macro_f1")].groupby("size")["value"].agg(["mean", "std"])
    kept = made.results[(made.results["method"] == "els") & (made.results["classifier"] == "brlr")].set_index("size")
    np.testing.assert_allclose(kept["macro_f1"], expected["mean"], rtol=1e-4)
    np.testing.assert_allclose(kept["macro_f1_std"], expected["std"], rtol=1e-4)


def test_all_means_are_over_the_splits_that_every_method_has(made):
    assert set(made.runs["splits"]) == {2}
    assert set(made.rankings["repeat"]) == {0, 1}


def test_what_is_done_is_not_computed_again(store):
    how = {"classifiers": ["mlknn", "brlr"], "engine": Remembering()}
    again = run_benchmark(store, datasets=["emotions"], methods=METHODS, parts=["default"], splits=2, **how)
    assert again.computed == 0


class Strict(Remembering):
    """Under its limits no selection ends."""

    def __init__(self, limits=LIMITS):
        super().__init__()
        self.limits = limits

    def compute(self, cells, datasets, cancel):
        for cell in cells:
            found = failed(self.limits.too_long(SELECTING), again=True)
            yield replace(found, key=cell.key, fingerprint=cell.fingerprint, method=cell.method)


def test_one_limit_holds_for_all_that_is_kept(tmp_path):
    how = {"datasets": ["emotions"], "methods": ["jmi_br", "mfs"], "parts": ["default"], "classifiers": ["mlknn"]}
    asked = {"datasets": ["emotions"], "methods": how["methods"]}
    with Store(tmp_path / "cells.sqlite") as store:
        narrow = CellLimits(5, LIMITS.bytes)
        run_benchmark(store, splits=1, limits=narrow, engine=Strict(narrow), **{**how, "methods": ["jmi_br"]})
        run_benchmark(store, splits=1, engine=Remembering(), **{**how, "methods": ["mfs"]})
        # It might do under the usual limit, so that it counts as not run, and is run again.
        assert make_benchmark(store, **asked).runs["method"].tolist() == ["mfs"]
        assert make_benchmark(store, limits=narrow, **asked).runs["state"].tolist() == ["limit", "done"]
        assert run_benchmark(store, splits=1, engine=Remembering(), **how).computed == 1
        kept = make_benchmark(store, **asked)
        assert kept.runs["state"].tolist() == ["done", "done"]
        # And what took longer than the limit has exceeded it, whatever it was run under.
        none = make_benchmark(store, limits=CellLimits(1e-9, LIMITS.bytes), **asked)
        assert set(none.runs["state"]) == {"limit"}
        assert set(none.runs["reason"]) == {"The selection took more than 1e-09 s, the limit."}
        with pytest.raises(StudyError, match=r"^The folder was run under other limits, 20 s of processor time for the"):
            with_parts(kept, none)


def test_what_exceeds_a_limit_is_told_and_its_other_splits_are_not_tried(tmp_path):
    with Store(tmp_path / "cells.sqlite") as store:
        how = {"datasets": ["emotions"], "methods": ["jmi_br"], "parts": ["default"]}
        done = run_benchmark(store, splits=3, engine=Strict(), **how)
        assert (done.computed, done.skipped, done.failed) == (3, 6, 0)
        assert run_benchmark(store, splits=3, engine=Strict(), **how).computed == 0
        run_benchmark(store, datasets=["emotions"], methods=["mfs"], parts=["default"], splits=1, engine=Remembering())
        asked = {"datasets": ["emotions"], "methods": ["jmi_br", "mfs"]}
        kept = make_benchmark(store, **asked)
        assert dict(zip(kept.runs["method"], kept.runs["state"], strict=True)) == {"jmi_br": "limit", "mfs": "done"}
        assert kept.cells == {"done": 3, "failed": 0, "limit": 3, "skipped": 0}
        again = {"datasets": ["emotions"], "methods": ["mfs"], "parts": ["default"], "classifiers": ["mlknn"]}
        run_benchmark(store, splits=3, engine=Remembering(), **again)
        more = make_benchmark(store, **asked)
        assert more.cells == {"done": 5, "failed": 0, "limit": 3, "skipped": 2}
        assert leaderboard(kept).table["exceeded"].to_dict() == {"mfs": 0, "jmi_br": 1}
        assert coverage(kept)["Over a limit"].tolist() == [1]


def test_tuned_rows_are_the_best_inside_the_training_rows(tmp_path):
    with Store(tmp_path / "cells.sqlite") as store:
        how = {"datasets": ["emotions"], "methods": ["br_or", "mfs"], "engine": Remembering(), "splits": 1}
        run_benchmark(store, parts=["default", "tuned"], classifiers=["mlknn"], **how)
        kept = make_benchmark(store, datasets=["emotions"], methods=["br_or", "mfs"])
    means = kept.trials.set_index("parameters")["ranking_loss"]
    assert set(means.index) == {"{}", '{"discretization": "equal_frequency"}'}
    tuned = kept.rankings[kept.rankings["setting"] == "tuned"]
    found = {method: json.loads(str(p)) for method, p in zip(tuned["method"], tuned["parameters"], strict=True)}
    # A method with nothing to tune stands beside it with its defaults, on the same splits.
    assert found == {"br_or": json.loads(means.idxmin()), "mfs": {}}
    assert set(kept.runs.loc[kept.runs["setting"] == "tuned", "splits"]) == {1}
    assert sorted(leaderboard(kept, setting="tuned").table.index) == ["br_or", "mfs"]
