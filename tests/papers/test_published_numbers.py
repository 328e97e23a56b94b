"""The files of published numbers: complete, in the names of mlfs, and equal to what the papers print elsewhere.

The checks use what the papers say besides their tables: averages, ranks and counts of wins. They were typed from the
papers for these tests and are in no file that mlfs reads.
"""

from __future__ import annotations

import csv

import pandas as pd
import pytest

from mlfs.datasets import CATALOGUE
from mlfs.errors import DatasetError
from mlfs.papers import PAPERS, as_grid, best_cells, published
from mlfs.papers.published_numbers import FILE, published_numbers
from mlfs.selectors import SELECTORS
from mlfs.selectors.specification import parse_method

# (paper, table) → data sets, columns and metrics of the printed table.
SHAPES = {
    ("lee_kim_2016", "2"): (8, 1, 1),
    ("lee_kim_2016", "3"): (8, 6, 1),
    ("lee_kim_2016", "4"): (8, 2, 1),
    ("lee_kim_2016", "5"): (8, 7, 1),
    ("lee_kim_2016", "6"): (8, 7, 1),
    **{("wang_2020_elc", f"2{letter}"): (14, 4, 1) for letter in "abcde"},
    **{("zhou_2023_mapd", number): (9, 4, 1) for number in ("II", "III", "IV", "V")},
    ("zhang_2020_grro", "2"): (20, 7, 2),
    ("zhang_2020_grro", "4"): (20, 6, 1),
    ("zhang_2020_grro", "5"): (20, 1, 1),
}
GRIDS = [(paper, table.number) for paper in PAPERS for table in PAPERS[paper].tables if not table.is_of_statistics]


def lines() -> list[dict[str, str]]:
    found = []
    for paper in PAPERS.values():
        if (paper.folder / FILE).exists():
            with open(paper.folder / FILE, encoding="utf-8", newline="") as file:
                found += [{"paper": paper.id, **line} for line in csv.DictReader(file)]
    return found


def test_every_line_of_the_files_belongs_to_a_table():
    known = {(paper, table.result) for paper in PAPERS for table in PAPERS[paper].tables}
    assert {(line["paper"], line["result"]) for line in lines() if line["result"] != "text"} == known
    assert sum(len(published(*where)) for where in known) == len([x for x in lines() if x["result"] != "text"])


def test_every_table_of_results_is_declared():
    assert list(SHAPES) == GRIDS
    statistics = [(paper, table.number) for paper in PAPERS for table in PAPERS[paper].tables if table.is_of_statistics]
    assert statistics == [("lee_kim_2016", "7"), ("zhang_2020_grro", "3")]


@pytest.mark.parametrize(("paper", "table"), GRIDS)
def test_shape(paper, table):
    datasets, columns, metrics = SHAPES[paper, table]
    rows = published(paper, table)
    assert len(rows) == datasets * columns * metrics
    assert not rows.duplicated(["dataset", "setting", "metric"]).any()
    for metric in rows["metric"].unique():
        assert as_grid(paper, table, metric).shape == (datasets, columns)


def test_every_method_is_there_or_its_absence_explained():
    for paper in PAPERS.values():
        for table in paper.tables:
            for name in table.methods:
                if name in paper.not_methods:
                    assert name not in SELECTORS
                else:
                    assert parse_method(name)[0] in SELECTORS  # also checks the parameters
        assert set(paper.not_methods) <= {name for table in paper.tables for name in table.methods}


def test_every_data_set_is_catalogued_or_its_absence_explained():
    for paper in PAPERS.values():
        for name in {name for table in paper.tables for name in table.datasets}:
            assert (name in CATALOGUE) != (name in paper.unknown_datasets), name
            assert name in paper.unknown_datasets or paper.id in CATALOGUE[name].papers, name


def test_values_and_what_is_missing():
    rows = pd.concat([published_numbers(paper.folder, paper.id) for paper in PAPERS.values()], ignore_index=True)
    assert (rows["value"] >= 0).all()
    # Three cells of scene are without a standard deviation in our copy of the paper.
    some = rows.groupby(["paper", "table"])["std"].agg(["count", "size"])
    partly = some[(some["count"] > 0) & (some["count"] < some["size"])]
    assert partly.to_dict("index") == {("zhou_2023_mapd", "III"): {"count": 33, "size": 36}}
    assert rows["bound"].value_counts().to_dict() == {"": len(rows) - 18, ">": 15, "≥": 3}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "empty"),
        ("result,dataset\ntable1,x\n", "columns"),
        ("result,dataset,method,metric,value,std\ntable1,b,c,d,?,\n", "value"),
    ],
    ids=["empty", "columns", "value"],
)
def test_a_damaged_file_is_told_in_a_sentence(tmp_path, content, why):
    path = tmp_path / FILE
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        published_numbers(tmp_path, "mine")
    assert str(caught.value) == f"The published tables in {path} are missing or damaged: install mlfs again."


def test_what_one_caller_changes_no_other_sees():
    mine = published("lee_kim_2016", 5)
    mine["value"] = 0.0
    assert published("lee_kim_2016", 5)["value"].max() == 0.216


# What the papers say of their own tables.


def test_lee_kim_says_how_much_faster_els_is():
    seconds = as_grid("lee_kim_2016", 3)
    ratio = seconds.drop(columns="els").min(axis=1) / seconds["els"]
    assert ratio[["bibtex", "delicious", "enron"]].round(1).tolist() == [5.0, 9.5, 11.0]
    assert best_cells("lee_kim_2016", 3)["els"].all()


# Table 2 of wang_2020_elc prints averages over its first and last seven data sets; MIFS, CMFS, LLSF, ELC.
FIRST_SEVEN = {
    "2a": (0.6506, 0.6697, 0.6695, 0.7190),
    "2b": (0.6568, 0.6812, 0.6839, 0.7254),
    "2c": (0.1019, 0.0974, 0.0984, 0.0915),
    "2d": (0.1624, 0.1476, 0.1496, 0.1334),
    "2e": (0.4059, 0.3811, 0.3812, 0.3120),
}
LAST_SEVEN_OF_A = (0.5963, 0.6439, 0.6438, 0.6486)


@pytest.mark.parametrize("table", FIRST_SEVEN)
def test_wang_prints_averages(table):
    grid = as_grid("wang_2020_elc", table)
    assert grid.iloc[:7].mean().tolist() == pytest.approx(FIRST_SEVEN[table], abs=5.1e-5)
    assert best_cells("wang_2020_elc", table)["elc"].all()


def test_wang_prints_averages_that_do_not_follow():
    """The slip that PAPERS tells: the last seven averages hold for table a only."""
    assert as_grid("wang_2020_elc", "2a").iloc[7:].mean().tolist() == pytest.approx(LAST_SEVEN_OF_A, abs=5.1e-5)
    assert as_grid("wang_2020_elc", "2e").iloc[7:].mean()["elc"] == pytest.approx(0.4363, abs=5e-5)
    assert any("0.4771" in slip and "0.4363" in slip for slip in PAPERS["wang_2020_elc"].known_errors)


# Last row of each table of zhou_2023_mapd.
MEANS = {
    "II": (0.0102, 0.0109, 0.0131, 0.0167),
    "III": (0.7359, 0.7250, 0.6769, 0.6151),
    "IV": (0.0170, 0.0158, 0.0120, 0.0102),
    "V": (0.6020, 0.6288, 0.6779, 0.7359),
}


@pytest.mark.parametrize("table", MEANS)
def test_zhou_prints_means(table):
    # Of values that are rounded themselves.
    assert as_grid("zhou_2023_mapd", table).mean().tolist() == pytest.approx(MEANS[table], abs=1e-4)


def test_zhou_counts_the_best():
    assert best_cells("zhou_2023_mapd", "II").sum().tolist() == [7, 5, 3, 0]
    assert best_cells("zhou_2023_mapd", "III").sum().tolist() == [6, 3, 1, 0]
    for table in ("IV", "V"):
        best = best_cells("zhou_2023_mapd", table)
        assert best.sum().to_dict() == {"parfs": 1, "scls": 1, "ami": 1, "mapd": 6}
        assert best.loc["yeast", "parfs"]
        assert best.loc["genbase", "scls"]
        assert best.loc["birds", "ami"]


def test_zhou_compares_mapd_with_alpha_06():
    for sweep, comparison in (("II", "IV"), ("III", "V")):
        left = as_grid("zhou_2023_mapd", sweep)["mapd:alpha=0.6"]
        right = as_grid("zhou_2023_mapd", comparison)["mapd"]
        assert left.equals(right.rename(left.name))


# Ranks that table 2 of zhang_2020_grro prints beside its values, for GRRO, GRRO-LS, PMU, MDMR, FIMF, SCLS, MICO.
RANKS = {
    "macro_f1": """
        2175643 1264753 3155523 3174265 2165643 1273564 2376145 5332716 1265743 2176534
        2176543 3257614 1375624 2375641 2175634 2176534 3175624 1276534 3175642 3165724""",
    "micro_f1": """
        2175643 1365742 2176543 2176543 2165743 1274563 2174635 4352716 1265743 2176543
        2176543 3467512 2175634 3275641 2175634 1276543 2175643 2176534 3175642 2176543""",
}


@pytest.mark.parametrize(("metric", "slips"), [("macro_f1", {"entertainment", "social"}), ("micro_f1", set())])
def test_zhang_prints_ranks(metric, slips):
    grid = as_grid("zhang_2020_grro", 2, metric)
    assert list(grid.columns) == ["grro", "grro_ls", "pmu", "mdmr", "fimf", "scls", "mico"]
    printed = dict(zip(grid.index, RANKS[metric].split(), strict=True))
    ranks = grid.rank(axis=1, ascending=False, method="min").astype(int).astype(str).agg("".join, axis=1)
    assert {name for name in grid.index if ranks[name] != printed[name]} == slips


def test_zhang_counts_wins():
    def wins(metric):
        grid = as_grid("zhang_2020_grro", 2, metric)
        others = grid.drop(columns=["grro", "grro_ls"]).max(axis=1)
        return (grid["grro"] > others).sum(), (grid["grro_ls"] > others).sum(), (grid["grro_ls"] > grid["grro"]).sum()

    assert wins("micro_f1") == (16, 16, 15)
    # The text says 11, 14 and 13: a slip that PAPERS tells.
    assert wins("macro_f1") == (10, 15, 13)


def test_zhang_prints_average_ranks_of_times():
    """2.05, 2.65, 3.55, 1.75, 5.00, 6.00: those beyond 1000 s in the order MICO, FIMF, MDMR, PMU."""
    seconds = as_grid("zhang_2020_grro", 4)
    assert seconds.isna().sum().to_dict() == {"fimf": 2, "scls": 0, "mico": 1, "grro": 0, "mdmr": 6, "pmu": 6}
    beyond = pd.Series({"fimf": 2e6, "mico": 1e6, "mdmr": 3e6, "pmu": 4e6, "scls": 0, "grro": 0})
    average = seconds.fillna(beyond).rank(axis=1).mean()
    assert average.round(2).to_dict() == {
        "fimf": 2.05,
        "scls": 2.65,
        "mico": 3.55,
        "grro": 1.75,
        "mdmr": 5.0,
        "pmu": 6.0,
    }


def test_zhang_groups_the_best_k():
    rows = published("zhang_2020_grro", "5")
    assert rows.groupby("value")["dataset"].size().to_dict() == {5: 12, 10: 3, 15: 2, 20: 3}
    assert set(rows.loc[rows["bound"] == "≥", "dataset"]) == {"corel16k002", "genbase", "yeast"}
    twenty = set(published("zhang_2020_grro", "2")["dataset"])
    assert set(rows["dataset"]) ^ twenty == {"education", "arts"}
