"""Three bars that make up the objective."""

import pytest

from mlfs.learn import System, prepare_system
from mlfs.plots import objective_terms
from tests.plots.checks import check


def test_bars_are_the_terms():
    model = System.solve(prepare_system(0.5, 0.5), 1.0, 0.1)
    figure = check(objective_terms(model), f"together {sum(model.terms.values()):.4f}")
    assert list(figure.data[0].x) == [model.terms[name] for name in ("fit", "redundancy", "labels")]


def test_a_negative_term_has_room():
    model = System.solve(prepare_system(1, 1), 1.0, 1.0)
    assert model.terms["labels"] < 0
    figure = check(objective_terms(model))
    assert figure.layout.xaxis.range[0] < model.terms["labels"]
    assert figure.layout.xaxis.range[1] > max(model.terms.values())
    assert figure.layout.xaxis.range[0] == pytest.approx(model.terms["labels"] - 0.2 * max(model.terms.values()))
