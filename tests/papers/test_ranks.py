"""The papers' rank tests, from their printed numbers: what agrees with the papers, and how far off the rest is."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from mlfs.errors import ParameterError
from mlfs.papers import PAPERS, as_grid, published_ranks
from mlfs.papers.ranks import figure_ranks, rank_agreement, rank_tests
from tests.papers.cells import measured
from tests.papers.test_figures import rows


@pytest.mark.parametrize(("table", "F", "printed"), [(5, 5.735, 5.506), (6, 4.378, 4.868)])
def test_lee_kim(table, F, printed):
    found = published_ranks("lee_kim_2016", table)
    assert (found.test, found.control, found.friedman.k, found.friedman.n) == ("bonferroni_dunn", "els", 7, 8)
    # The paper ranked before it rounded to three decimals, which tie; both lie far beyond the critical value.
    assert round(found.friedman.F, 3) == F
    assert found.printed_F == printed
    assert found.friedman.critical_value() == pytest.approx(found.printed_critical_value, abs=5e-4)
    # With q = 2.638, as printed, the difference is 2.8494; with more digits of q it is 2.8496.
    assert found.critical_difference == pytest.approx(found.printed_critical_difference, abs=1e-3)
    # "Significantly better than the baseline", and similar to all others.
    assert found.differing == (("els", "all_features"),)
    assert any(f"{F:.3f}" in slip for slip in PAPERS["lee_kim_2016"].known_errors)


def test_zhang_micro_f1_agrees_in_every_digit():
    found = published_ranks("zhang_2020_grro", 2, "micro_f1")
    assert round(found.friedman.F, 4) == found.printed_F == 77.3768
    assert found.average_ranks.round(4).to_dict() == {
        "grro": 2.05,
        "grro_ls": 1.55,
        "pmu": 6.7,
        "mdmr": 5.2,
        "fimf": 5.75,
        "scls": 3.6,
        "mico": 3.15,
    }
    assert found.critical_difference == pytest.approx(found.printed_critical_difference, abs=1e-3)
    assert found.printed_critical_difference == 2.0146
    assert found.friedman.critical_value() == pytest.approx(found.printed_critical_value, abs=0.01)
    # What the text says: better than PMU, FIMF and MDMR both; GRRO-LS also than SCLS.
    beaten = {better: {b for a, b in found.differing if a == better} for better in ("grro", "grro_ls")}
    assert beaten == {"grro": {"pmu", "fimf", "mdmr"}, "grro_ls": {"pmu", "fimf", "mdmr", "scls"}}


def test_zhang_macro_f1_is_near():
    found = published_ranks("zhang_2020_grro", 2, "macro_f1")
    assert round(found.friedman.F, 3) == 35.564
    assert found.printed_F == 33.388
    assert {b for a, b in found.differing if a == "grro_ls"} == {"pmu", "fimf", "mdmr", "mico"}


@pytest.mark.parametrize(
    ("paper", "table", "sentence"),
    [
        ("lee_kim_2016", 3, "lee_kim_2016 makes no rank test of its table 3: choose table 5 or 6."),
        ("zhou_2023_mapd", "IV", "zhou_2023_mapd makes no rank test of its table IV: none of its tables has one."),
    ],
)
def test_no_test_is_told_in_a_sentence(paper, table, sentence):
    with pytest.raises(ParameterError) as caught:
        published_ranks(paper, table)
    assert str(caught.value) == sentence


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
    assert rank_tests("lee_kim_2016", 2, rows).reason == "The table does not rank three methods or more."


def test_the_rank_test_of_both():
    grid = as_grid("lee_kim_2016", 5)
    whole = rank_tests("lee_kim_2016", 5, measured(grid, "hamming_loss"))
    paper = published_ranks("lee_kim_2016", 5)
    for found in (whole.published, whole.measured):
        assert found.average_ranks.to_dict() == paper.average_ranks.to_dict()
        assert (found.test, found.control, found.printed_F) == ("bonferroni_dunn", "els", 5.506)
        assert found.critical_difference == pytest.approx(2.849, abs=1e-3)
        assert found.differing == paper.differing
    some = rank_tests("lee_kim_2016", 5, measured(grid.loc[["enron", "llog", "yeast"]], "hamming_loss"))
    assert some.datasets == ("enron", "llog", "yeast")
    assert (some.published.friedman.n, some.published.printed_F) == (3, None)


def test_too_few_data_sets_for_a_diagram_are_told():
    rows = measured(as_grid("lee_kim_2016", 5).loc[["yeast"]], "hamming_loss")
    found = rank_tests("lee_kim_2016", 5, rows)
    assert (found.published, found.measured) == (None, None)
    assert found.reason == "A diagram needs 3 data sets with all methods; there are 1."


def test_too_few_methods_for_a_rank_test_get_a_sentence():
    two = {"grro": 0.1, "pmu": 0.2}
    table = pd.concat([rows("coverage", two, dataset=name) for name in ("bibtex", "birds", "emotions")])
    found = figure_ranks("zhang_2020_grro", table, "coverage")
    assert found.measured is None
    assert "methods" in found.reason


@pytest.mark.parametrize(("metric", "published"), [("micro_f1", True), ("coverage", False)])
def test_ranks_of_a_figure_have_a_published_side_where_a_table_prints_it(metric, published):
    methods = PAPERS["zhang_2020_grro"].methods
    names = ("bibtex", "birds", "emotions")
    table = pd.concat([rows(metric, {m: i / 10 for i, m in enumerate(methods)}, dataset=name) for name in names])
    found = figure_ranks("zhang_2020_grro", table, metric)
    assert (found.published is not None) == published
    best = methods[-1] if metric == "micro_f1" else methods[0]  # coverage is better where it is lower
    assert found.measured.average_ranks[best] == 1
    assert found.measured.test == "nemenyi"
    few = figure_ranks("zhang_2020_grro", table[table["dataset"] != "birds"], metric)
    assert few.measured is None
    assert few.reason == "A diagram needs 3 data sets with all methods; there are 2."
