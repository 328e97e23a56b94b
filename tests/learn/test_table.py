"""Entropies of a 2 × 2 table, worked by hand."""

from math import log2

import pytest

from mlfs.errors import ParameterError
from mlfs.learn import PRESETS, Table


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
