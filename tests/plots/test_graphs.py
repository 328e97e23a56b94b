"""Which edges and which matches are drawn, and where."""

from __future__ import annotations

import numpy as np

from mlfs.plots import feature_graph, matching_heatmap
from tests.plots.checks import check, is_empty

POSITIONS = np.array([[0.0, 0.0], [1.0, 0.5], [-1.0, 2.0]])
PAGERANK = np.array([0.2, 0.5, 0.3])


def test_the_graph():
    edges = np.array([[1, 2], [0, 1]])
    figure = check(feature_graph(POSITIONS, PAGERANK, edges, ["f", "g", "<h>"], named=1), "g 0.50000, <h> 0.30000")
    lines, nodes = figure.data
    np.testing.assert_array_equal(lines.x, [1.0, -1.0, np.nan, 0.0, 1.0])
    assert list(nodes.text) == ["g", "", ""]
    assert list(nodes.marker.size) == sorted(nodes.marker.size, reverse=True)
    assert nodes.customdata[1][0] == "&lt;h>"


def test_features_that_are_all_alike_have_one_size():
    figure = check(feature_graph(POSITIONS, np.full(3, 1 / 3), np.zeros((0, 2), int), ["f", "g", "h"]))
    assert len(set(figure.data[1].marker.size)) == 1


def test_the_graph_before_there_is_one():
    assert is_empty(feature_graph(np.zeros((0, 2)), np.zeros(0), np.zeros((0, 2), int), []))


def test_the_rounds():
    correlation = np.array([[0.9, -0.1], [0.2, 0.7]])
    rounds = np.array([[2, 0], [1, -1]])
    figure = check(matching_heatmap(correlation, rounds, [2, 1], ["f", "g", "h"], ["a", "b"]), "h for a in round 1")
    cells, marks = figure.data
    np.testing.assert_array_equal(cells.z, correlation)
    # The second round gave g to a; f is not among the features shown.
    assert sorted(zip(marks.y, marks.x, marks.text, strict=True)) == [(0, 0, "1"), (1, 0, "2")]


def test_the_rounds_before_there_are_any():
    assert is_empty(matching_heatmap(np.zeros((0, 2)), np.zeros((0, 2), int), [], ["f"], ["a", "b"]))
