"""Areas as large as shares."""

import pytest

from mlfs.learn import PRESETS, Table
from mlfs.plots import mosaic
from tests.plots.checks import check, named


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
