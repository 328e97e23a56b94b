"""What the label figures show, apart from how they look."""

import numpy as np

from mlfs.datasets import Dataset, profile
from mlfs.plots import label_frequencies


def figure(*counts: int, n: int = 10):
    """The figure of a set of n instances whose label j is positive in counts[j] of them."""
    Y = np.arange(n)[:, None] < np.array(counts)
    names = [f"l{j}" for j in range(len(counts))]
    return label_frequencies(profile(Dataset(np.zeros((n, 1)), Y, ["f"], names, "made")))


def test_most_frequent_first_and_ties_keep_their_order():
    bars = figure(1, 4, 1, 3).data[0]
    assert list(bars.y) == ["l1", "l3", "l0", "l2"]
    assert list(bars.x) == [0.4, 0.3, 0.1, 0.1]
    assert list(bars.text) == ["40%", "30%", "10%", "10%"]
    assert list(bars.customdata) == [4, 3, 1, 1]


def test_same_scale_and_bar_thickness_for_every_set():
    few, many = figure(*[2] * 6), figure(*[2] * 14)
    assert few.layout.xaxis.range == many.layout.xaxis.range == (0, 1)
    assert few.layout.height / 6 == many.layout.height / 14


def test_a_label_that_never_occurs_keeps_its_row():
    bars = figure(0, 5).data[0]
    assert (bars.y[1], bars.x[1], bars.text[1]) == ("l0", 0, "0%")
