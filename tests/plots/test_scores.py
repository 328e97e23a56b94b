"""Which features are drawn, in which order, and the parts of GRRO's scores."""

from __future__ import annotations

import numpy as np
import pytest

from mlfs.plots import grro_terms, score_bars, style_of
from mlfs.selectors.grro import GRRO
from tests.plots.checks import check, is_empty, named

NAMES = ["f0", "f<1>", "f2", "f3"]


def test_best_first_with_names_and_scores():
    figure = check(
        score_bars(np.array([1, 4, 2, 3.0]), [1, 3, 2, 0], NAMES, top=3, method="elc"), "ELC", "f<1> 4, f3 3"
    )
    bars = figure.data[0]
    assert list(bars.x) == [4, 3, 2]
    assert list(figure.layout.yaxis.ticktext) == ["f&lt;1>", "f3", "f2"]
    assert list(figure.layout.yaxis.range) == [2.5, -0.5]  # the first on top
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


@pytest.mark.parametrize("scores", [[5.3, 5.1, 5.2, 5.0], [-5.0, -5.2, -5.1, -5.3]])
def test_scores_that_hardly_differ_are_dots_on_an_axis_of_their_own(scores):
    figure = check(score_bars(np.array(scores), [0, 2, 1, 3], NAMES))
    assert (figure.data[0].type, figure.data[0].mode) == ("scatter", "markers+text")
    assert list(figure.data[0].x) == [scores[i] for i in (0, 2, 1, 3)]
    low, high = figure.layout.xaxis.range
    assert min(scores) - 0.05 < low < min(scores)
    assert max(scores) < high < max(scores) + 0.05
    assert figure.layout.xaxis.title.text == f"Score, from {low:.3g} on".replace("-", "−")


@pytest.mark.parametrize("scores", [[4, 3, 2, 1.0], [1, 0.2, -0.1, -1], [2, 2, 2, 2.0], [0, 0, 0, 0.0]])
def test_scores_that_differ_or_are_equal_are_bars_from_zero(scores):
    figure = score_bars(np.array(scores, dtype=float), [0, 1, 2, 3], NAMES)
    assert figure.data[0].type == "bar"
    assert figure.layout.xaxis.range is None


def test_no_scores_to_show():
    assert is_empty(score_bars(np.zeros(0), [], []))


TERMS = {
    "relevance": np.array([1.0, 0.5, 0.8]),
    "features": np.array([0.25, 0.1, -0.1]),
    "labels": np.array([0.25, 0.0, 0.1]),
}


def test_bars_to_both_sides_and_the_score():
    figure = check(
        grro_terms(TERMS, [2, 0, 1], ["a", "b<", "c"], top=2),
        "2 features: c 0.8000 +0.1000 −0.1000 = 0.8000, a 1.0000 −0.2500 −0.2500 = 0.5000",
    )
    assert figure.layout.barmode == "relative"
    assert list(named(figure, "relevance").x) == [0.8, 1.0]
    assert list(named(figure, "− feature redundancy (α)").x) == [0.1, -0.25]
    assert list(named(figure, "− label redundancy (β)").x) == [-0.1, -0.25]
    np.testing.assert_allclose(named(figure, "score").x, [0.8, 0.5])
    assert list(figure.layout.yaxis.ticktext) == ["c", "a"]


def test_scores_are_those_of_the_selector():
    rng = np.random.default_rng(0)
    X, Y = rng.random((60, 8)), rng.integers(0, 2, (60, 3))
    selector = GRRO(alpha=3.0, beta=0.5)
    evidence = selector.prepare(X, Y)
    selector.fit_prepared(evidence)
    figure = check(grro_terms(selector.feature_terms(evidence), selector.ranking_, [f"f{i}" for i in range(8)]))
    assert named(figure, "score").x == pytest.approx(selector.scores_[selector.ranking_])


def test_no_terms_to_show():
    assert is_empty(grro_terms({term: np.zeros(0) for term in TERMS}, [], []))
