"""Published and measured as people read them: the words, the signs, the colours, and what is missing."""

import numpy as np
import pandas as pd

from mlfs.papers import get_experiment, get_table
from mlfs.papers.published_vs_measured_tables import (
    colours,
    difference_grid,
    fewer_splits,
    not_measured,
    pairs,
    pairs_sheet,
    styled_differences,
    styled_pairs,
)
from mlfs.tables import to_latex

TABLE = get_table("lee_kim_2016", 5)


def rows(*cells, metric="hamming_loss"):
    columns = ["dataset", "setting", "value", "std", "n", "chosen"]
    return pd.DataFrame(cells, columns=columns).assign(metric=metric)


MEASURED = rows(
    ("yeast", "els", 0.2098, 0.0021, 10, "n_labels=3"),
    ("yeast", "mfs", 0.1, np.nan, 10, ""),
    ("genbase", "els", 0.0016, 0.0001, 3, "n_labels=24"),
)


def test_words_of_a_table_of_losses():
    found = pairs("lee_kim_2016", 5, MEASURED)
    sheet = pairs_sheet(found, TABLE)
    assert sheet.header == ["Data set", "Method", "Published", "Measured", "Difference", "Splits", "Chosen"]
    assert sheet.rows == [
        ["genbase", "ELS", "0.001", "0.0016 ± 0.0001", "+0.0006", "3", "|Y|=24"],
        ["yeast", "ELS", "0.209", "0.2098 ± 0.0021", "+0.0008", "10", "|Y|=3"],
        ["yeast", "MFS", "0.211", "0.1000", "−0.1110", "10", ""],
    ]
    assert "0.2098" in to_latex(sheet)
    html = styled_pairs(found, TABLE).to_html()
    assert "0.2098 ± 0.0021" in html
    assert "−0.1110" in html


def test_equal_numbers_keep_their_own_words():
    twice = rows(("yeast", "els", 0.2, 0.001, 10, ""), ("yeast", "mfs", 0.2, 0.002, 10, ""))
    html = styled_pairs(pairs("lee_kim_2016", 5, twice), TABLE).to_html()
    assert "0.2000 ± 0.0010" in html
    assert "0.2000 ± 0.0020" in html


def test_differences_are_a_grid_with_signs_and_colours():
    found = pairs("lee_kim_2016", 5, MEASURED)
    grid = difference_grid(found)
    assert list(grid.columns) == ["ELS", "MFS"]
    assert np.isclose(grid.loc["yeast", "MFS"], -0.111)
    assert np.isnan(grid.loc["genbase", "MFS"])
    html = styled_differences(found, TABLE).to_html()
    assert "−0.1110" in html
    assert "rgba(213, 94, 0, 0.6)" in html  # more than half of the published value, below it


def test_colour_is_the_share_of_the_published_value_and_none_within_its_rounding():
    def one(difference, base, rounding):
        return colours(*(pd.Series([value]) for value in (difference, base, rounding)))[0]

    assert one(0.0004, 0.001, 0.0005) == ""
    assert one(float("nan"), 0.2, 0.0) == ""
    assert one(0.0006, 0.001, 0.0005) == "background-color: rgba(0, 114, 178, 0.6)"
    assert one(-0.02, 0.2, 0.0005) == "background-color: rgba(213, 94, 0, 0.12)"
    assert one(0.5, 0.0, 0.0) == "background-color: rgba(0, 114, 178, 0.6)"


def test_times_are_ratios_with_the_seconds_beside_them():
    times = rows(
        ("zebra", "grro", 1.0, 0.0, 3, ""),
        ("bibtex", "grro", 2.0, np.nan, 3, ""),
        ("bibtex", "fimf", 5.0, np.nan, 3, ""),
        metric="selection_seconds",
    )
    table = get_table("zhang_2020_grro", 4)
    sheet = pairs_sheet(pairs("zhang_2020_grro", 4, times), table)
    assert sheet.header[2:7] == ["Published s", "Measured s", "Published ratio", "Measured ratio", "Difference"]
    [fimf] = [row for row in sheet.rows if row[1] == "FIMF"]
    assert fimf[2:6] == ["> 1000", "5", "> 4.98", "2.5"]  # 1000 / 200.61, and 5 / 2


def test_what_was_left_out_is_named():
    experiment = get_experiment("lee_kim_2016", 5)
    assert not_measured(experiment, MEASURED) == ["bibtex", "corel5k", "delicious", "enron", "llog", "slashdot"]
    assert fewer_splits(experiment, MEASURED) == "Fewer splits than the paper's 10: 3 on genbase."
    some = pd.concat([MEASURED, rows(("yeast", "all_features", 0.2, 0.0, 1, ""))])
    assert fewer_splits(experiment, some) == "Fewer splits than the paper's 10: 3 on genbase; 1 on yeast (All)."
    assert fewer_splits(experiment, MEASURED[MEASURED["n"] == 10]) == ""
    assert fewer_splits(get_experiment("lee_kim_2016", 3), MEASURED) == ""  # times are not splits


def test_a_statistic_is_about_the_data_sets_that_it_names():
    cells = [("", "hamming_loss", 3.0, np.nan, 2, "yeast, enron")]
    found = pairs("lee_kim_2016", 7, rows(*cells, metric="friedman_F"))
    assert pairs_sheet(found, get_table("lee_kim_2016", 7)).rows == [
        ["Friedman's statistic F_F", "Hamming loss", "5.506", "3.000", "−2.506", "2"]
    ]
    left = not_measured(get_experiment("lee_kim_2016", 7), rows(*cells, metric="friedman_F"))
    assert left == ["bibtex", "corel5k", "delicious", "genbase", "llog", "slashdot"]
