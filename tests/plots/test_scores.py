"""Which features are drawn, in which order."""

import numpy as np

from mlfs.plots import score_bars, style_of
from tests.plots.checks import check, is_empty

NAMES = ["f0", "f<1>", "f2", "f3"]


def test_best_first_with_names_and_scores():
    figure = check(
        score_bars(np.array([1, 4, 2, 3.0]), [1, 3, 2, 0], NAMES, top=3, method="elc"), "ELC", "f<1> 4, f3 3"
    )
    bars = figure.data[0]
    assert list(bars.x) == [4, 3, 2]
    assert list(figure.layout.yaxis.ticktext) == ["f&lt;1>", "f3", "f2"]
    assert figure.layout.yaxis.autorange == "reversed"
    assert bars.marker.color == style_of("elc").colour


def test_unit_on_the_axis():
    assert score_bars(np.ones(4), [0], NAMES, unit="bits").layout.xaxis.title.text == "Score (bits)"


def test_missing_score_keeps_its_row():
    figure = score_bars(np.array([1, np.nan, 2, 3]), [3, 1], NAMES)
    assert list(figure.layout.yaxis.ticktext) == ["f3", "f&lt;1>"]
    assert np.isnan(figure.data[0].x[1])


def test_a_score_without_bound_is_told_and_drawn():
    figure = check(score_bars(np.array([1, np.inf, 2, 3.0]), [1, 3, 2, 0], NAMES, top=2), "f<1> ∞, f3 3")
    assert list(figure.data[0].x) == [3, 3]
    assert list(figure.data[0].text) == ["∞", ""]


def test_nothing_to_show():
    assert is_empty(score_bars(np.zeros(0), [], []))
