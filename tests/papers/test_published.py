"""Grids: laid out as the papers print them, with the best cells marked."""

from __future__ import annotations

import math
import re

import pytest

from mlfs.errors import ParameterError
from mlfs.papers import as_grid, best_cells
from mlfs.papers.published import grid_sheet, named_grid, styled_grid
from mlfs.tables import to_latex


def test_order_and_values_are_those_of_the_paper():
    grid = as_grid("lee_kim_2016", "table 6")
    assert list(grid.index) == ["bibtex", "corel5k", "delicious", "enron", "genbase", "llog", "slashdot", "yeast"]
    assert list(grid.columns) == ["all_features", "els", "br_cc", "br_or", "ela_chi", "fimf", "mfs"]
    assert grid.loc["slashdot"].tolist() == [0.393, 0.138, 0.137, 0.245, 0.141, 0.139, 0.245]
    assert (grid.index.name, grid.columns.name) == ("dataset", "method")


def test_one_metric_of_two():
    assert as_grid("zhang_2020_grro", 2, "macro_f1").loc["emotions", "grro"] == 0.5635
    assert as_grid("zhang_2020_grro", 2, "micro_f1").loc["emotions", "grro"] == 0.6014


def test_deviations_and_digits():
    assert as_grid("zhou_2023_mapd", "IV", what="std").loc["birds"].tolist() == [0.00059, 0.0006, 0.00058, 0.0]
    text = as_grid("zhou_2023_mapd", "IV", what="text").loc["birds"]
    assert text.tolist() == ["0.0539 ± 0.00059", "0.0519 ± 0.00060", "0.0467 ± 0.00058", "0.0534 ± 0.00000"]
    # Where a paper prints none, the grid keeps its shape.
    assert as_grid("lee_kim_2016", 5, what="std").shape == (8, 7)
    assert as_grid("lee_kim_2016", 5, what="std").isna().all(axis=None)


def test_a_bound_is_not_a_value():
    assert math.isnan(as_grid("zhang_2020_grro", 4).loc["bibtex", "pmu"])
    assert as_grid("zhang_2020_grro", 4, what="text").loc["bibtex", "pmu"] == "> 1000"
    assert as_grid("zhang_2020_grro", 5, what="text").loc["yeast", "grro_ls"] == "≥ 20"


def test_statistics():
    grid = as_grid("zhang_2020_grro", 3)
    assert list(grid.columns) == ["friedman_F", "critical_value"]
    assert grid.loc["micro_f1"].tolist() == [77.3768, 2.17]
    assert len(grid) == 6


def test_best():
    times = best_cells("zhang_2020_grro", 4)
    assert times.sum(axis=1).eq(1).all()
    assert times.loc["bibtex", "scls"]  # 194.30 s; FIMF and others took more than 1000
    accuracy = best_cells("zhou_2023_mapd", "III").loc["bibtex"]
    assert list(accuracy.index[accuracy]) == ["mapd:alpha=0.6", "mapd:alpha=0.7"]  # both 0.6127
    for table in (2, 7):  # a setting, a statistic: nothing is better
        assert not best_cells("lee_kim_2016", table).any(axis=None)


def test_as_people_read_it():
    html = styled_grid("zhang_2020_grro", 4).to_html()
    cells = re.findall(r'id="T_\w+_row0_col\d"[^>]*>([^<]*)<', html)
    assert cells == ["> 1000", "194.30", "> 1000", "200.61", "> 1000", "> 1000"]
    bold = re.search(r"([^{}]*){\s*font-weight: bold", html)[1]
    assert len(re.findall(r"row\d+_col\d", bold)) == 20
    assert "row0_col1" in bold
    # Sorts with the bound, not as if nothing were known.
    assert named_grid("zhang_2020_grro", 4, bounds=True).loc["bibtex", "FIMF"] == 1000


def test_latex_has_the_best_in_bold():
    latex = to_latex(grid_sheet("zhou_2023_mapd", "IV"))
    assert r"Data set & ParFS & SCLS & AMI & MAPD \\" in latex
    assert r"yeast & \textbf{0.0066 $\pm$ 0.00013} & 0.0071 $\pm$ 0.00026 & " in latex
    assert latex.count(r"\textbf") == 9


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: as_grid("zhang_2020_grro", 2),
            "Table 2 of zhang_2020_grro has several metrics: give metric='macro_f1' or metric='micro_f1'.",
        ),
        (
            lambda: as_grid("lee_kim_2016", 5, "haming_loss"),
            "Table 5 of lee_kim_2016 has no metric 'haming_loss': did you mean 'hamming_loss'?",
        ),
        (lambda: as_grid("lee_kim_2016", 5, what="mean"), "what='mean' must be 'value', 'std' or 'text'."),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(call, sentence):
    with pytest.raises(ParameterError) as caught:
        call()
    assert str(caught.value) == sentence
