"""Each pair once, in the colour of its label; what is too small for a log axis is counted."""

import numpy as np

from mlfs.plots.learn.bound_pairs import bound_pairs
from tests.plots.checks import check

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
