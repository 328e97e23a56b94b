"""Published and measured side by side, by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mlfs.papers import PAPERS, as_grid, get_table
from mlfs.papers.published_vs_measured import is_of_times, reference, side_by_side
from mlfs.papers.stored_runs import stored_rows
from tests.papers.cells import measured


def test_differences_of_what_was_measured():
    rows = measured(as_grid("lee_kim_2016", 5).loc[["yeast"]] + 0.5, "hamming_loss", std=0.25)
    rows = pd.concat([rows, rows.assign(metric="ranking_loss", value=9.0)])
    found = side_by_side("lee_kim_2016", "table 5", rows)
    assert len(found) == 8 * 7
    yeast = found[found["dataset"] == "yeast"]
    assert yeast["difference"].to_numpy() == pytest.approx(np.full(7, 0.5))
    assert (yeast["std"].tolist(), yeast["n"].tolist()) == ([0.25] * 7, [10] * 7)
    assert found.loc[found["dataset"] != "yeast", "measured"].isna().all()


def test_times_are_multiples_of_the_papers_own_method():
    table = get_table("zhang_2020_grro", 4)
    assert (is_of_times(table), reference(table)) == (True, "grro")
    assert reference(get_table("lee_kim_2016", 3)) == "els"
    assert reference(get_table("lee_kim_2016", 5)) is None
    grid = pd.DataFrame({"grro": [0.5], "fimf": [2.0]}, index=["bibtex"])
    found = side_by_side("zhang_2020_grro", 4, measured(grid, "selection_seconds", std=1.0)).set_index(
        ["dataset", "setting"]
    )
    row = found.loc[("bibtex", "fimf")]
    assert (row["measured"], row["std"], row["bound"]) == (4.0, 2.0, ">")
    assert row["published"] == pytest.approx(1000 / 200.61)
    assert row["difference"] == pytest.approx(4 - 1000 / 200.61)
    assert found.loc[("bibtex", "grro"), "published"] == 1.0


def test_what_is_beyond_a_printed_bound_has_no_difference():
    rows = pd.DataFrame({"dataset": [], "setting": "grro_ls", "metric": "optimal_k", "value": 0.0})
    bounded = side_by_side("zhang_2020_grro", 5, rows).query("bound == '≥'").iloc[0]
    assert bounded["published"] == 20
    for k, expected in ((15.0, -5.0), (20.0, np.nan), (50.0, np.nan)):
        own = pd.DataFrame({"dataset": [bounded["dataset"], "medical"], "setting": "grro_ls", "metric": "optimal_k"})
        found = side_by_side("zhang_2020_grro", 5, own.assign(value=k)).set_index("dataset")["difference"]
        assert found[bounded["dataset"]] == pytest.approx(expected, nan_ok=True)
        assert found["medical"] == k - 5


def test_a_time_printed_as_nought_divides_nothing():
    grid = pd.DataFrame({"els": [0.5], "mfs": [1.0]}, index=["yeast"])
    found = side_by_side("lee_kim_2016", 3, measured(grid, "selection_seconds"))
    yeast = found[found["dataset"] == "yeast"]
    assert yeast["published"].isna().all()  # ELS is printed as 0.0
    assert yeast.set_index("setting")["measured"].dropna().to_dict() == {"els": 1.0, "mfs": 2.0}


def test_statistics_stand_beside_by_the_metric_tested():
    rows = pd.DataFrame(
        {"dataset": "", "setting": "hamming_loss", "metric": ["friedman_F", "critical_value"], "value": [4.5, 3.0]}
    )
    found = side_by_side("lee_kim_2016", 7, rows.assign(n=3)).set_index("setting")
    assert found.loc["hamming_loss", ["published", "measured", "n"]].tolist() == [5.506, 4.5, 3]
    assert found.loc["hamming_loss", "difference"] == pytest.approx(-1.006)
    assert np.isnan(found.loc["ranking_loss", "measured"])
    critical = side_by_side("lee_kim_2016", 7, rows, "critical_value").set_index("setting")
    assert critical.loc["hamming_loss", ["published", "measured"]].tolist() == [2.324, 3.0]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_kept_table_stands_beside_its_published(paper):
    for experiment in PAPERS[paper].experiments.values():
        rows = stored_rows(paper, experiment.result)
        if experiment.is_of_table and len(rows):
            for metric in rows["metric"].unique():
                found = side_by_side(paper, experiment.result, rows, metric)
                assert found["measured"].notna().sum() == (rows["metric"] == metric).sum(), experiment.result
