"""The 2 × 2 table: entropies worked by hand, areas as large as shares, bars that overlap by the mutual information."""

from __future__ import annotations

from math import log2

import pytest

from mlfs.errors import ParameterError
from mlfs.learn import PRESETS, Table, information_bars, mosaic
from tests.plots.checks import check, named


def test_a_table_worked_by_hand():
    # p(f) = 1/2, p(l) = 1/4, cells 1/4, 1/4, 0, 1/2.
    table = Table(1, 1, 0, 2)
    label = 2 - 0.75 * log2(3)
    assert table.feature_entropy == pytest.approx(1)
    assert table.label_entropy == pytest.approx(label)
    assert table.joint_entropy == pytest.approx(1.5)
    assert table.information == pytest.approx(label - 0.5)
    assert table.label_rest == pytest.approx(0.5)  # half of the instances (f = 1) leave one question
    assert table.feature_rest == pytest.approx(1.5 - label)


@pytest.mark.parametrize(("name", "information"), [("independent", 0), ("identical", 1), ("opposite", 1)])
def test_presets_show_what_their_name_says(name, information):
    assert PRESETS[name].information == pytest.approx(information, abs=1e-12)


def test_the_rare_label_is_a_small_question():
    assert PRESETS["rare label"].label_entropy < 0.3 < PRESETS["related"].label_entropy


@pytest.mark.parametrize("table", PRESETS.values(), ids=PRESETS)
def test_parts_make_up_the_whole(table):
    assert table.feature_rest + table.information + table.label_rest == pytest.approx(table.joint_entropy)


def test_the_board_has_the_numbers():
    *_, information, rest = Table(1, 1, 0, 2).worked()
    assert information == "M(f;l)=H(f)+H(l)-H(f,l)=1.0000+0.8113-1.5000=0.3113"
    assert rest.endswith("1.0000-0.3113=0.6887")


def test_a_constant_column_has_nothing_to_tell():
    assert Table(3, 2, 0, 0).feature_entropy == Table(3, 2, 0, 0).information == 0


def test_what_is_no_table_gets_a_sentence():
    with pytest.raises(ParameterError, match=r"^The table is empty: raise at least one of its four counts\.$"):
        Table(0, 0, 0, 0)
    with pytest.raises(ParameterError, match=r"^label_only must be a whole number from 0, not -1\.$"):
        Table(1, 1, -1, 1)


def test_areas_are_the_shares_of_the_cells():
    figure = check(mosaic(Table(40, 10, 20, 30)), "40 with feature and label", "30 with neither")
    yes, no = named(figure, "l = 1"), named(figure, "l = 0")
    assert list(yes.y) == pytest.approx([0.8, 0.4])
    assert list(no.y) == pytest.approx([0.2, 0.6])
    assert list(yes.x) == pytest.approx([0.25, 0.75])
    assert list(figure.layout.xaxis.ticktext) == ["f = 1", "f = 0"]
    assert "20 of 100 (20.0%)" in yes.customdata[1]


def test_independence_is_a_straight_border():
    first, second = named(mosaic(PRESETS["independent"]), "l = 1").y
    assert first == pytest.approx(second)


def test_a_feature_that_never_occurs_has_no_column():
    figure = check(mosaic(Table(0, 0, 3, 1)))
    assert list(figure.layout.xaxis.ticktext) == ["f = 0"]
    assert list(named(figure, "l = 1").y) == [0.75]


def test_pieces_lie_end_to_end():
    table = Table(40, 10, 20, 30)
    figure = check(information_bars(table), "M(f;l) 0.1245", "H(f,l) 1.8464")
    label, information = named(figure, "H(l)"), named(figure, "M(f;l)")
    assert label.base[0] == information.base[0] == pytest.approx(table.feature_rest)
    assert label.base[0] + label.x[0] == pytest.approx(named(figure, "H(f,l)").x[0])
    assert information.base[0] + information.x[0] == pytest.approx(named(figure, "H(f)").x[0])


def test_identical_columns_leave_only_what_they_share():
    figure = check(information_bars(PRESETS["identical"]))
    assert named(figure, "M(f;l)").x[0] == pytest.approx(1)
    assert named(figure, "H(f|l)").x[0] == pytest.approx(0, abs=1e-12)
    assert named(figure, "H(f|l)").text[0] == ""
