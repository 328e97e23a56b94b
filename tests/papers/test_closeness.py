"""Each printed number counts once, as what it is; an experiment explains only what its numbers give."""

import pandas as pd
import pytest

from mlfs.papers import PAPERS, Paper
from mlfs.papers.closeness import (
    EXPLAINED_COLUMNS,
    Closeness,
    ClosenessCounts,
    Explanation,
    closeness,
    closeness_counts,
    explanations,
    not_equal,
    total_counts,
)
from mlfs.papers.findings import MeasuredNumbers
from mlfs.papers.question import Question
from mlfs.papers.stored_runs import run_now, store_tables
from tests.papers.test_findings import stored

PAPER, TABLE = "zhang_2020_grro", "table2"


def kept(folder, *values):
    """(data set, setting, macro-F1) as a kept run of Table 2."""
    rows = [
        {"dataset": name, "setting": setting, "metric": "macro_f1", "value": value} for name, setting, value in values
    ]
    stored(folder, PAPER, TABLE, rows)


def classes(folder, paper=PAPER):
    found = closeness(paper, MeasuredNumbers(paper, folder))
    found = found[found["closeness"] != Closeness.NOT_RUN]
    return dict(zip(zip(found["dataset"], found["setting"], strict=True), found["closeness"], strict=True))


def test_each_number_is_the_first_that_holds(tmp_path):
    """Printed: emotions pmu 0.4908, scls 0.5094 ± 0.07 or so; corel5k fimf 0.2968 ± 0.0008, mico 0.2979 ± 0.0013."""
    kept(
        tmp_path,
        ("emotions", "pmu", 0.4908 + 0.00004),
        ("emotions", "scls", 0.5094 + 0.0003),
        ("corel5k", "fimf", 0.2968 + 0.0009),
        ("corel5k", "mico", 0.2979 + 0.06),
    )
    assert classes(tmp_path) == {
        ("emotions", "pmu"): Closeness.EQUAL,
        ("emotions", "scls"): Closeness.DEVIATION,
        ("corel5k", "fimf"): Closeness.NEAR,
        ("corel5k", "mico"): Closeness.APART,
    }
    counted = closeness_counts(PAPER, closeness(PAPER, MeasuredNumbers(PAPER, tmp_path)))
    assert counted.compared == 4
    assert counted.accounted == 0.5
    # Table 2 prints 280 numbers and Table 5 twenty; times and statistics do not count.
    assert counted.counts[Closeness.NOT_RUN] == 296


def test_where_no_deviation_is_printed_the_splits_have_a_spread(tmp_path, monkeypatch):
    """Printed, as means of ten splits: els 0.209, br_cc 0.211, br_or 0.211; two standard errors are 0.00894."""
    rows = [
        {"dataset": "yeast", "setting": setting, "metric": "hamming_loss", "value": value, "std": std}
        for setting, value, std in (
            ("els", 0.209 + 0.0093, 0.01),
            ("br_cc", 0.211 + 0.0096, 0.01),
            ("br_or", 0.211 + 0.0006, None),
        )
    ]
    stored(tmp_path, "lee_kim_2016", "table5", rows, n=10)
    monkeypatch.setattr(Paper, "questions", ())
    assert classes(tmp_path, "lee_kim_2016") == {
        ("yeast", "els"): Closeness.SPREAD,
        ("yeast", "br_cc"): Closeness.NEAR,
        ("yeast", "br_or"): Closeness.NEAR,
    }


def test_a_printed_deviation_of_zero_is_below_half_of_its_last_digit(tmp_path):
    """Table 2a prints 0.9868 ± 0.00 for ELC on genbase, 0.8931 ± 0.00 on business."""
    rows = [
        {"dataset": name, "setting": "elc", "metric": "average_precision", "value": value}
        for name, value in (("genbase", 0.9868 + 0.0049), ("business_full", 0.8931 + 0.0051))
    ]
    stored(tmp_path, "wang_2020_elc", "table2a", rows)
    assert classes(tmp_path, "wang_2020_elc") == {
        ("genbase", "elc"): Closeness.DEVIATION,
        ("business_full", "elc"): Closeness.NEAR,
    }


@pytest.mark.parametrize("paper", PAPERS)
def test_what_was_tried_is_said_of_every_number_that_is_not_accounted_for(paper):
    numbers = not_equal(closeness(paper))
    left = numbers[numbers["closeness"].isin([Closeness.NEAR, Closeness.APART])]
    if paper == PAPER:  # it is reproduced to the last digit, so that a deviation is no excuse
        left = numbers[numbers["closeness"] != Closeness.EXPLAINED]
    assert (left["tried"] != "").all(), left[left["tried"] == ""]


def explained_by(monkeypatch, folder, low, high):
    """Let a question whose run is kept in a folder give one number of Table 2."""
    row = {"result": TABLE, "metric": "macro_f1", "dataset": "corel5k", "setting": "mico", "low": low, "high": high}
    asked = Question(
        id="toy",
        papers=(PAPER,),
        title="Why?",
        asks="",
        how="",
        datasets=("corel5k",),
        folder=folder / "question",
        tables={"numbers": ("dataset",)},
        measure=lambda ds, context: {},
        word=lambda tables, paper: [],
        explains=lambda tables, paper: pd.DataFrame([row])[EXPLAINED_COLUMNS],
    )
    told = run_now("toy", ["corel5k"], 1, "mlfs paper question toy", 1.0)
    store_tables(asked, {"numbers": pd.DataFrame({"dataset": ["corel5k"]})}, told, asked.folder)
    monkeypatch.setattr(Paper, "questions", property(lambda paper: [asked]))


@pytest.mark.parametrize(
    ("low", "high", "explained"),
    [
        (0.2979, 0.2979, True),
        (0.2979 + 0.0013, 0.2979 + 0.0013, True),  # the printed deviation
        (0.2979 + 0.0059, 0.2979 + 0.0059, True),  # a tenth of the difference
        (0.2979 + 0.0061, 0.2979 + 0.0061, False),
        (0.2, 0.4, True),
        (0.31, 0.4, False),
    ],
)
def test_an_experiment_explains_what_it_gives(tmp_path, monkeypatch, low, high, explained):
    kept(tmp_path, ("corel5k", "mico", 0.2979 + 0.06), ("corel5k", "scls", 0.5))
    explained_by(monkeypatch, tmp_path, low, high)
    expected = Closeness.EXPLAINED if explained else Closeness.APART
    assert classes(tmp_path) == {("corel5k", "mico"): expected, ("corel5k", "scls"): Closeness.APART}
    expected = [Explanation("toy", "Why?", 1, ("mlfs paper question toy",))] if explained else []
    assert explanations(PAPER, closeness(PAPER, MeasuredNumbers(PAPER, tmp_path))) == expected


def test_an_experiment_that_was_never_run_explains_nothing(tmp_path, monkeypatch):
    kept(tmp_path, ("corel5k", "mico", 0.2979 + 0.06))
    explained_by(monkeypatch, tmp_path, 0.2979, 0.2979)
    (tmp_path / "question" / "toy-numbers.csv").unlink()
    assert classes(tmp_path) == {("corel5k", "mico"): Closeness.APART}


def test_what_comes_out_needs_no_explanation(tmp_path, monkeypatch):
    kept(tmp_path, ("corel5k", "mico", 0.2979))
    explained_by(monkeypatch, tmp_path, 0.2979, 0.2979)
    assert classes(tmp_path) == {("corel5k", "mico"): Closeness.EQUAL}
    assert explanations(PAPER, closeness(PAPER, MeasuredNumbers(PAPER, tmp_path))) == []


def test_beyond_a_printed_bound_is_as_printed(tmp_path):
    """Table 5 prints k ≥ 20 for yeast and 5 for emotions."""
    rows = [
        {"dataset": name, "setting": "grro_ls", "metric": "optimal_k", "value": k}
        for name, k in (("yeast", 40), ("emotions", 10))
    ]
    stored(tmp_path, PAPER, "table5", rows)
    assert classes(tmp_path) == {("yeast", "grro_ls"): Closeness.EQUAL, ("emotions", "grro_ls"): Closeness.APART}


def test_words():
    none = dict.fromkeys(Closeness, 0)
    some = ClosenessCounts("p", none | {Closeness.EQUAL: 3, Closeness.APART: 1, Closeness.NOT_RUN: 2})
    assert some.sentence == (
        "Of 4 numbers that were run, 3 are equal to the printed digits and 1 unexplained; 2 more were not run."
    )
    assert ClosenessCounts("p", none).sentence == "It prints no numbers to compare."
    assert ClosenessCounts("p", none | {Closeness.NOT_RUN: 2}).sentence == "No number was run."


def test_several_papers_together():
    none = dict.fromkeys(Closeness, 0)
    first = ClosenessCounts("p", none | {Closeness.EQUAL: 3, Closeness.APART: 1})
    second = ClosenessCounts("q", none | {Closeness.EXPLAINED: 4, Closeness.NOT_RUN: 2})
    total = total_counts([first, second])
    assert (total.compared, total.accounted) == (8, 7 / 8)
    assert total.counts[Closeness.NOT_RUN] == 2


def test_nine_tenths_of_all_numbers_are_accounted_for():
    assert total_counts([closeness_counts(paper) for paper in PAPERS]).accounted >= 0.9


@pytest.mark.parametrize("paper", PAPERS)
def test_what_ships_is_counted_once_each(paper):
    numbers, counted = closeness(paper), closeness_counts(paper)
    assert sum(counted.counts.values()) == len(numbers)
    assert not numbers.duplicated(["result", "metric", "dataset", "setting"]).any()
    printed = sum(
        int(table.rows["value"].notna().sum())
        for table in PAPERS[paper].tables
        if not table.is_of_statistics and "seconds" not in table.metric
    )
    assert len(numbers) == printed


@pytest.mark.parametrize("paper", ["wang_2020_elc", "zhou_2023_mapd", "zhang_2020_grro"])
def test_nine_tenths_of_the_numbers_are_accounted_for(paper):
    assert closeness_counts(paper).accounted >= 0.9
