"""Kept benchmarks as one: methods and parts that were run later beside the others, which stay to the last bit."""

from dataclasses import replace

import pandas as pd
import pytest

from mlfs.benchmark import leaderboard, make_benchmark, read_benchmark, run_benchmark
from mlfs.benchmark.joining import with_methods, with_parts
from mlfs.benchmark.leaderboard import judging_classifiers
from mlfs.errors import StudyError
from mlfs.studies import Store
from tests.benchmark.made import METHODS
from tests.studies.support import Remembering


def test_a_method_that_joins_on_one_set_stays_as_it_is_on_others(store, made):
    kept = read_benchmark()
    more = make_benchmark(store, datasets=["emotions"], methods=["els"])
    both = with_methods(kept, more)
    for name in ("results", "runs", "rankings", "trials"):
        before, after = (plain(getattr(each, name)) for each in (kept, both))
        of_els = [table[(table["method"] == "els") & (table["dataset"] != "emotions")] for table in (before, after)]
        pd.testing.assert_frame_equal(*(table.reset_index(drop=True) for table in of_els), check_exact=True)
    before, after = (
        runs[runs["setting"] == "default"].set_index("classifier")["splits"].to_dict()
        for each in (kept, both)
        for runs in [each.runs[(each.runs["method"] == "els") & (each.runs["dataset"] == "emotions")]]
    )
    assert after == {**before, "mlknn": 2, "brlr": 2}
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
