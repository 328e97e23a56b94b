"""What ELS sees: each pair once, in the colour of its label; what is too small for a log axis is counted."""

from __future__ import annotations

import numpy as np
import pytest

from mlfs.plots import bounds, label_entropies
from mlfs.plots.entropies import bound_pairs
from mlfs.selectors import make_selector
from tests.plots.checks import check, is_empty, named

CHAIN = np.array([[3.0, 2.0], [2.0, 1.5], [0.5, 1.0]])


def test_entropies_sorted_with_the_chosen_marked():
    figure = check(label_entropies(np.array([0.2, 0.9, 0.5]), ["a", "b", "c"], [1]), "b 0.9000, c 0.5000", "1 are in Y")
    inside, outside = named(figure, "in Y (exact)"), named(figure, "outside Y (bound)")
    assert (list(inside.x), list(inside.y)) == ([0.9], [0])
    assert (list(outside.x), list(outside.y)) == ([0.5, 0.2], [1, 2])
    assert list(figure.layout.yaxis.ticktext) == ["b", "c", "a"]


def test_many_labels_stand_upright_without_names():
    figure = check(label_entropies(np.linspace(0, 1, 60), [f"l{i}" for i in range(60)], range(50, 60)))
    assert figure.data[0].orientation == "v"
    assert figure.layout.xaxis.showticklabels is False


def test_no_labels():
    assert is_empty(label_entropies(np.zeros(0), []))


def test_chain_falls_from_the_bound_to_the_score():
    figure = check(bounds(CHAIN, [1, 0], ["f", "g"], n_labels=1), "g from 2.0000 down to 1.0000", "|Y| = 1 is marked")
    assert list(named(figure, "g").y) == [2.0, 1.5, 1.0]
    assert list(figure.data[-1].x) == [1, 1]
    assert list(figure.layout.xaxis.ticktext) == ["0<br>C̃", "1", "2<br>C"]


def test_relative_chain_is_against_the_mean_of_all_features():
    figure = check(bounds(CHAIN, [0], ["f", "g"], relative=True))
    np.testing.assert_allclose(named(figure, "f").y, [0.5, 0.25, -0.25])


def test_chain_of_the_selector_itself():
    rng = np.random.default_rng(0)
    X, Y = rng.random((60, 5)), rng.integers(0, 2, (60, 4))
    selector = make_selector("els", n_labels=2)
    evidence = selector.prepare(X, Y)
    selector.fit_prepared(evidence)
    figure = check(bounds(selector.bounds(evidence), selector.ranking_[:3], [f"f{i}" for i in range(5)], n_labels=2))
    assert all(np.all(np.diff(trace.y) <= 1e-9) for trace in figure.data[:3])


@pytest.mark.parametrize(("chain", "features"), [(CHAIN, []), (np.zeros((1, 2)), [0]), (np.full((3, 2), np.nan), [0])])
def test_nothing_to_show(chain, features):
    assert is_empty(bounds(chain, features, ["f", "g"]))


def test_constant_chain_has_a_range():
    low, high = bounds(np.ones((3, 1)), [0], ["f"]).layout.yaxis.range
    assert low < 1 < high


BOUND = np.array([[0.5, 1.0], [0.4, 0.4]])
INFORMATION = np.array([[0.1, 0.2], [0.0, 0.4]])


def test_pairs_by_their_label():
    figure = check(bound_pairs(BOUND, INFORMATION, np.array([True, False])), "4 pairs", "1 label in Y", "1 pairs below")
    line, outside, inside = figure.data
    assert (list(outside.x), list(outside.y)) == ([1.0, 0.4], [0.2, 0.4])
    assert (list(inside.x), list(inside.y)) == ([0.5], [0.1])
    assert list(line.x) == list(line.y) == [0.4, 1.0]


def test_a_set_in_which_nothing_tells_anything():
    assert len(check(bound_pairs(BOUND, np.zeros((2, 2)), np.array([True, False]))).data) == 1
