"""The kept tables, written and read again; and those that ship with mlfs."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mlfs.benchmark import leaderboard, read_benchmark
from mlfs.benchmark.study import benchmark_plan, own_methods, own_metrics
from mlfs.datasets import load_dataset
from mlfs.errors import StudyError
from mlfs.evaluation import compare
from mlfs.metrics import METRICS
from mlfs.selectors import SELECTORS


def test_written_and_read_it_is_the_same(made, tmp_path):
    made.write(tmp_path)
    again = read_benchmark(tmp_path)
    pd.testing.assert_frame_equal(again.results, made.results)
    assert [row.tolist() for row in again.rankings["ranking"]] == [row.tolist() for row in made.rankings["ranking"]]
    assert again.about == made.about
    assert "on a test: 16 runs, of which 16 were done, 0 failed and 0 exceeded a limit," in again.provenance()
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
