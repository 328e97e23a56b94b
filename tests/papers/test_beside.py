"""Published and measured side by side, by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mlfs.papers import PAPERS, as_grid, get_table, published_ranks
from mlfs.papers.beside import beside, beside_ranks, is_of_times, rank_agreement, reference
from mlfs.papers.experiments import experiments
from mlfs.papers.kept_runs import kept


def measured(grid, metric, std=np.nan, n=10):
    """A grid of data sets × methods as measured rows."""
    rows = grid.rename_axis("dataset").reset_index().melt("dataset", var_name="setting").dropna()
    return rows.assign(metric=metric, std=std, n=n, size=np.nan, chosen="")


def test_differences_of_what_was_measured():
    rows = measured(as_grid("lee_kim_2016", 5).loc[["yeast"]] + 0.5, "hamming_loss", std=0.25)
    rows = pd.concat([rows, rows.assign(metric="ranking_loss", value=9.0)])
    found = beside("lee_kim_2016", "table 5", rows)
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
    found = beside("zhang_2020_grro", 4, measured(grid, "selection_seconds", std=1.0)).set_index(["dataset", "setting"])
    row = found.loc[("bibtex", "fimf")]
    assert (row["measured"], row["std"], row["bound"]) == (4.0, 2.0, ">")
    assert row["published"] == pytest.approx(1000 / 200.61)
    assert row["difference"] == pytest.approx(4 - 1000 / 200.61)
    assert found.loc[("bibtex", "grro"), "published"] == 1.0


def test_what_is_beyond_a_printed_bound_has_no_difference():
    rows = pd.DataFrame({"dataset": [], "setting": "grro_ls", "metric": "optimal_k", "value": 0.0})
    bounded = beside("zhang_2020_grro", 5, rows).query("bound == '≥'").iloc[0]
    assert bounded["published"] == 20
    for k, expected in ((15.0, -5.0), (20.0, np.nan), (50.0, np.nan)):
        own = pd.DataFrame({"dataset": [bounded["dataset"], "medical"], "setting": "grro_ls", "metric": "optimal_k"})
        found = beside("zhang_2020_grro", 5, own.assign(value=k)).set_index("dataset")["difference"]
        assert found[bounded["dataset"]] == pytest.approx(expected, nan_ok=True)
        assert found["medical"] == k - 5


def test_a_time_printed_as_nought_divides_nothing():
    grid = pd.DataFrame({"els": [0.5], "mfs": [1.0]}, index=["yeast"])
    found = beside("lee_kim_2016", 3, measured(grid, "selection_seconds"))
    yeast = found[found["dataset"] == "yeast"]
    assert yeast["published"].isna().all()  # ELS is printed as 0.0
    assert yeast.set_index("setting")["measured"].dropna().to_dict() == {"els": 1.0, "mfs": 2.0}


def test_statistics_stand_beside_by_the_metric_tested():
    rows = pd.DataFrame(
        {"dataset": "", "setting": "hamming_loss", "metric": ["friedman_F", "critical_value"], "value": [4.5, 3.0]}
    )
    found = beside("lee_kim_2016", 7, rows.assign(n=3)).set_index("setting")
    assert found.loc["hamming_loss", ["published", "measured", "n"]].tolist() == [5.506, 4.5, 3]
    assert found.loc["hamming_loss", "difference"] == pytest.approx(-1.006)
    assert np.isnan(found.loc["ranking_loss", "measured"])
    critical = beside("lee_kim_2016", 7, rows, "critical_value").set_index("setting")
    assert critical.loc["hamming_loss", ["published", "measured"]].tolist() == [2.324, 3.0]


def test_ranks_agree_with_themselves_and_not_with_their_reverse():
    grid = as_grid("zhou_2023_mapd", "IV")
    same = rank_agreement("zhou_2023_mapd", "IV", measured(grid, "hamming_loss"))
    assert (same.spearman, same.kendall) == (pytest.approx(1), pytest.approx(1))
    assert same.datasets == tuple(grid.index)
    assert same.ranks["published"].to_dict() == grid.rank(axis=1).mean().to_dict()
    assert same.by_dataset["spearman"].to_numpy() == pytest.approx(np.ones(len(grid)))
    other = rank_agreement("zhou_2023_mapd", "IV", measured(-grid, "hamming_loss"))
    assert (other.spearman, other.kendall) == (pytest.approx(-1), pytest.approx(-1))


def test_only_data_sets_with_all_methods_count():
    rows = measured(as_grid("zhou_2023_mapd", "IV").loc[["scene", "yeast"]], "hamming_loss")
    rows = rows[~((rows["dataset"] == "yeast") & (rows["setting"] == "ami"))]
    found = rank_agreement("zhou_2023_mapd", "IV", rows)
    assert found.datasets == ("scene",)
    assert found.by_dataset["dataset"].tolist() == ["scene"]
    assert rank_agreement("zhou_2023_mapd", "IV", rows[rows["dataset"] == "yeast"]) is None


def test_where_nothing_is_better_there_are_no_ranks():
    rows = pd.DataFrame([{"dataset": "yeast", "setting": "els", "metric": "promising_labels", "value": 3.0, "n": 3}])
    assert rank_agreement("lee_kim_2016", 2, rows) is None
    assert beside_ranks("lee_kim_2016", 2, rows).reason == "The table does not rank three methods or more."


def test_the_rank_test_of_both():
    grid = as_grid("lee_kim_2016", 5)
    whole = beside_ranks("lee_kim_2016", 5, measured(grid, "hamming_loss"))
    paper = published_ranks("lee_kim_2016", 5)
    for found in (whole.published, whole.measured):
        assert found.average_ranks.to_dict() == paper.average_ranks.to_dict()
        assert (found.test, found.control, found.printed_F) == ("bonferroni_dunn", "els", 5.506)
        assert found.critical_difference == pytest.approx(2.849, abs=1e-3)
        assert found.differing == paper.differing
    some = beside_ranks("lee_kim_2016", 5, measured(grid.loc[["enron", "llog", "yeast"]], "hamming_loss"))
    assert some.datasets == ("enron", "llog", "yeast")
    assert (some.published.friedman.n, some.published.printed_F) == (3, None)


def test_too_few_data_sets_for_a_diagram_are_told():
    rows = measured(as_grid("lee_kim_2016", 5).loc[["yeast"]], "hamming_loss")
    found = beside_ranks("lee_kim_2016", 5, rows)
    assert (found.published, found.measured) == (None, None)
    assert found.reason == "A diagram needs 3 data sets with all methods; there are 1."


@pytest.mark.parametrize("paper", PAPERS)
def test_every_kept_table_stands_beside_its_published(paper):
    for experiment in experiments(paper).values():
        rows = kept(paper, experiment.result)
        if experiment.is_of_table and len(rows):
            for metric in rows["metric"].unique():
                found = beside(paper, experiment.number, rows, metric)
                assert found["measured"].notna().sum() == (rows["metric"] == metric).sum(), experiment.result
