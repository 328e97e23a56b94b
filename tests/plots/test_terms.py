"""The parts of GRRO's scores."""

import numpy as np
import pytest

from mlfs.plots import grro_terms
from mlfs.selectors.grro import GRRO
from tests.plots.checks import check, is_empty, named

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


def test_nothing_to_show():
    assert is_empty(grro_terms({term: np.zeros(0) for term in TERMS}, [], []))
