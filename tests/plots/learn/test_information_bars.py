"""Bars that overlap by the mutual information."""

import pytest

from mlfs.learn import PRESETS, Table
from mlfs.plots import information_bars
from tests.plots.checks import check, named


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
