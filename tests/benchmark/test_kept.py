"""From a run to the kept tables and back: the numbers of `compare`, the same folds for all, resumed and extended."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mlfs.benchmark import leaderboard, make_benchmark, read_benchmark, run_benchmark
from mlfs.benchmark.compact import rounded
from mlfs.benchmark.joining import with_methods, with_parts
from mlfs.benchmark.kept import coverage
from mlfs.benchmark.leaderboard import judging_classifiers
from mlfs.benchmark.study import LIMITS, benchmark_plan, own_methods, own_metrics
from mlfs.datasets import load_dataset
from mlfs.errors import StudyError
from mlfs.evaluation import compare
from mlfs.evaluation.cell_result import failed
from mlfs.metrics import METRICS
from mlfs.selectors import SELECTORS
from mlfs.studies import Store
from mlfs.studies.limits import SELECTING, CellLimits
from tests.studies.support import Remembering

METHODS = ["mfs", "els", "random", "all_features"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Two splits of one set by a few methods, and a third that only one of them has."""
    with Store(tmp_path_factory.mktemp("benchmark") / "cells.sqlite") as made:
        how = {"datasets": ["emotions", "nowhere"], "classifiers": ["mlknn", "brlr"], "engine": Remembering()}
        done = run_benchmark(made, methods=METHODS, parts=["default"], splits=2, **how)
        assert (done.cells, done.computed, done.failed, done.limited) == (24, 16, 0, 0)  # a split is looked at twice
        assert list(done.missing) == ["nowhere"]
        run_benchmark(made, methods=["mfs"], parts=["default"], splits=3, **how)
        yield made


@pytest.fixture(scope="module")
def made(store):
    return make_benchmark(store, datasets=["emotions"], methods=METHODS, machine="a test")


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


def test_written_and_read_it_is_the_same(made, tmp_path):
    made.write(tmp_path)
    again = read_benchmark(tmp_path)
    pd.testing.assert_frame_equal(again.results, made.results)
    assert [row.tolist() for row in again.rankings["ranking"]] == [row.tolist() for row in made.rankings["ranking"]]
    assert again.about == made.about
    assert "on a test: 16 cells, of which 16 were done, 0 failed, 0 exceeded a limit" in again.provenance()
    assert leaderboard(again).table.equals(leaderboard(made).table)


@pytest.mark.parametrize("table", ["results", "runs", "rankings"])
def test_tables_of_two_writings_are_told_apart(made, tmp_path, table):
    """Files are replaced one by one: a kill in between leaves some of each."""
    made.write(tmp_path)
    content = (tmp_path / f"{table}.parquet").read_bytes()
    replace(made, **{table: getattr(made, table).iloc[:-1]}).write(tmp_path)
    assert len(getattr(read_benchmark(tmp_path), table)) == len(getattr(made, table)) - 1
    (tmp_path / f"{table}.parquet").write_bytes(content)
    with pytest.raises(StudyError, match="are not of one writing, as after a kill in the midst of it"):
        read_benchmark(tmp_path)


def test_a_folder_without_a_benchmark_gets_a_sentence(tmp_path):
    with pytest.raises(StudyError, match="No benchmark is kept in"):
        read_benchmark(tmp_path)


def test_a_new_version_makes_rows_stale(made, monkeypatch):
    assert made.stale == []
    vars(made).pop("stale")
    monkeypatch.setattr(SELECTORS["els"], "version", "9")
    assert made.stale == ["els"]
    assert made.notes()[0].startswith("Corrected since, so that their rows are stale: ELS")
    vars(made).pop("stale")


def test_a_method_that_joins_on_one_set_stays_as_it_is_on_others(store, made):
    kept = read_benchmark()
    more = make_benchmark(store, datasets=["emotions"], methods=["els"])
    both = with_methods(kept, more)
    for name in ("results", "runs", "rankings", "trials"):
        before, after = (plain(getattr(each, name)) for each in (kept, both))
        of_els = [table[(table["method"] == "els") & (table["dataset"] != "emotions")] for table in (before, after)]
        pd.testing.assert_frame_equal(*(table.reset_index(drop=True) for table in of_els), check_exact=True)
    here = both.runs[(both.runs["method"] == "els") & (both.runs["dataset"] == "emotions")]
    default = here[here["setting"] == "default"].set_index("classifier")["splits"]
    assert default.to_dict() == {"mlknn": 2, "brlr": 2, "br_svm": 1}
    assert len(both.runs) == len(kept.runs)


def test_what_exceeds_a_limit_now_has_no_results_from_before(made):
    slow = made.runs.assign(
        state=["limit" if name == "els" else state for name, state in made.runs[["method", "state"]].to_numpy()]
    )
    more = replace(made, runs=slow, **{name: few_rows(getattr(made, name)) for name in ("results", "rankings")})
    both = with_methods(made, more)
    assert not (both.results["method"] == "els").any()
    assert not (both.rankings["method"] == "els").any()
    assert leaderboard(both).table["exceeded"].to_dict() == {"mfs": 0, "random": 0, "els": 1}


def few_rows(table):
    return table[table["method"] != "els"]


def test_another_method_joins(store, made):
    alone = make_benchmark(store, datasets=["emotions"], methods=["mfs"], splits={"emotions": 2})
    others = make_benchmark(store, datasets=["emotions"], methods=METHODS[1:], splits={"emotions": 2})
    both = with_methods(others, alone)
    columns = ["average_rank", "low", "high", "wins"]
    expected = leaderboard(made).table[columns]
    pd.testing.assert_frame_equal(leaderboard(both).table.loc[expected.index, columns], expected)


def plain(table):
    """A table without categories: which words there are besides its own."""
    return table.astype({name: str for name in table.columns if isinstance(table[name].dtype, pd.CategoricalDtype)})


def test_another_part_joins_and_the_others_stay_to_the_last_bit(store, made):
    kept = read_benchmark()

    def few(table):
        """As if on emotions there were only these methods, with their defaults, judged by ML-kNN on two splits."""
        others = ~table["method"].isin(METHODS) | (table["setting"] == "tuned")
        if "classifier" in table:
            others |= table["classifier"] != "mlknn"
        return table[(table["dataset"] != "emotions") | ~others]

    before = replace(kept, **{name: few(getattr(kept, name)) for name in ("results", "runs", "rankings")})
    before = replace(before, runs=before.runs.assign(splits=before.runs["splits"].clip(upper=2)))
    both = with_parts(before, make_benchmark(store, datasets=["emotions"], methods=METHODS, commands=["this"]))
    assert list(both.datasets["dataset"]) == list(kept.datasets["dataset"])
    for name in ("results", "runs", "rankings", "trials"):
        old, after = (plain(getattr(each, name)) for each in (before, both))
        old, after = (table[table["dataset"] != "emotions"].reset_index(drop=True) for table in (old, after))
        pd.testing.assert_frame_equal(after, old, check_exact=True)
    for name in ("results", "runs"):
        here, new = (getattr(each, name) for each in (both, made))
        of_set = here[(here["dataset"] == "emotions") & (here["setting"] == "default")]
        assert of_set.groupby("classifier", observed=True).size().reindex(["mlknn", "brlr"]).tolist() == (
            new.groupby("classifier", observed=True).size().reindex(["mlknn", "brlr"]).tolist()
        )
    pd.testing.assert_frame_equal(plain(both.scaling), plain(kept.scaling), check_exact=True)
    alone = with_parts(made, make_benchmark(store, datasets=["emotions"], methods=METHODS))
    assert leaderboard(alone).table.equals(leaderboard(made).table)


def test_a_joined_part_is_counted_once_in_cells_and_seconds(store, made):
    first = make_benchmark(store, datasets=["emotions"], methods=METHODS, splits={"emotions": 1}, commands=["one"])
    assert first.cells == {"done": 8, "failed": 0, "limit": 0, "skipped": 0}
    both = with_parts(first, made)
    assert both.cells == made.cells == {"done": 16, "failed": 0, "limit": 0, "skipped": 0}
    assert both.processor_seconds == made.processor_seconds
    [batch] = both.about["batches"]
    assert batch["parts"] == {"emotions": ["mlknn", "brlr"]}
    # A classifier more is a part of its own, and leaves the others in their batch.
    tables = {name: getattr(made, name).assign(classifier="br_svm") for name in ("runs", "results")}
    about = {**made.about, "batches": [{**batch, "parts": {"emotions": ["br_svm"]}}]}
    three = with_parts(first, replace(made, **tables, about=about))
    assert [each["parts"]["emotions"] for each in three.about["batches"]] == [["mlknn", "brlr"], ["br_svm"]]
    assert three.cells["done"] == 8 + 16


def test_a_classifier_more_brings_no_rankings(made, tmp_path):
    with Store(tmp_path / "cells.sqlite") as store:
        how = {"datasets": ["emotions"], "methods": METHODS, "classifiers": ["br_svm"], "parts": ["default"]}
        run_benchmark(store, splits=1, engine=Remembering(), **how)
        by_svm = make_benchmark(store, datasets=["emotions"], methods=METHODS)
    both = with_parts(made, by_svm)
    assert both.rankings.equals(made.rankings)
    assert judging_classifiers(both) == ["mlknn", "brlr", "br_svm"]
    assert set(leaderboard(both, classifier="br_svm").table.index) == {"mfs", "els", "random"}
    assert leaderboard(both).table.equals(leaderboard(made).table)


@pytest.mark.parametrize(("splits", "methods"), [(1, METHODS), (1, METHODS[:2]), (3, ["mfs"])])
def test_a_part_with_other_splits_takes_no_ones_place(store, made, splits, methods):
    other = make_benchmark(store, datasets=["emotions"], methods=methods, splits={"emotions": splits})
    said = f"^The folder has 2 splits of emotions judged by BRLR, the store {splits}: run as many of every method"
    with pytest.raises(StudyError, match=said):
        with_parts(made, other)


def test_some_methods_join_alone(store, made):
    some = make_benchmark(store, datasets=["emotions"], methods=METHODS[:2], splits={"emotions": 2}, commands=["two"])
    both = with_parts(made, some)
    assert leaderboard(both).table.equals(leaderboard(made).table)
    first, second = both.about["batches"]
    assert first["parts"] == second["parts"] == {"emotions": ["mlknn", "brlr"]}
    assert second["methods"] == METHODS[:2]


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


def test_rounding_keeps_digits_not_decimals():
    assert rounded(np.array([123456.0, 0.000123456, 0.0, -1.0])).tolist() == [123460.0, 0.00012346, 0.0, -1.0]


# What ships with mlfs


def test_the_kept_benchmark_has_every_method_and_metric():
    kept = read_benchmark()
    assert set(kept.methods) == set(own_methods())
    assert set(own_metrics()) == {name for name in METRICS if name in kept.results}
    assert len(kept.datasets) >= 6
    assert set(kept.runs["state"]) <= {"done", "limit", "not judged", "failed"}


@pytest.mark.parametrize("classifier", ["mlknn", "brlr"])
def test_the_kept_numbers_come_out_again(classifier):
    kept = read_benchmark()
    ds, methods = load_dataset("emotions"), ["mfs", "els", "random"]
    runs = kept.runs
    of_set = runs[(runs["dataset"] == "emotions") & (runs["setting"] == "default") & (runs["classifier"] == classifier)]
    [splits] = set(of_set.loc[of_set["method"].isin(methods), "splits"])
    plan = benchmark_plan("emotions", methods, classifier, metrics=("ranking_loss",))
    rows = compare([ds], methods, plan.resolved_protocol)
    rows = rows[rows["repeat"] < splits]
    expected = rows.groupby(["method", "size"])["value"].mean()
    results = kept.results[(kept.results["dataset"] == "emotions") & (kept.results["classifier"] == classifier)]
    results = results[results["setting"] == "default"].astype({"method": str})
    found = results.set_index(["method", "size"])["ranking_loss"].reindex(expected.index)
    np.testing.assert_allclose(found, expected, rtol=2e-4)
