"""What the label figures show; cuts and states as the methods see them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from mlfs.datasets import Dataset, profile
from mlfs.errors import ParameterError
from mlfs.information import Discretizer, discretize
from mlfs.plots import discretization_preview, label_frequencies
from tests.plots.checks import check, is_empty


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


SKEWED = np.random.default_rng(0).exponential(size=200)


@pytest.mark.parametrize("method", ["equal_width", "equal_frequency"])
def test_cuts_and_counts_are_the_discretizers(method):
    figure = check(discretization_preview(SKEWED, n_bins=4, method=method, name="f<1>"), "200 values of f<1>", "4 bins")
    histogram, states, cuts = figure.data
    learned = Discretizer(4, method).fit(SKEWED[:, None]).cuts_[0]
    np.testing.assert_array_equal(cuts.x[::3], learned)
    np.testing.assert_array_equal(states.y, np.bincount(discretize(SKEWED[:, None], 4, method).ravel()))
    assert sum(histogram.y) == sum(states.y) == 200
    assert list(states.text) == [str(rows) for rows in states.y]
    assert figure.layout.xaxis.title.text == "f&lt;1>"


def test_bars_of_the_histogram_by_hand():
    values = np.r_[np.zeros(10), np.linspace(0, 4, 41)]
    figure = discretization_preview(values)
    middles, tops = figure.data[0].x, figure.data[0].y
    assert len(middles) == 40
    assert tops[0] == 11
    assert middles[0] == pytest.approx(0.05)


def test_few_values_and_categories_keep_their_own_states():
    figure = check(discretization_preview([3, 1, 1, 7, 3, 1]), "each value its own bin", "1 3, 3 2, 7 1")
    assert len(figure.data) == 2
    assert list(figure.data[1].y) == [3, 2, 1]
    codes = np.arange(9) % 8
    assert list(discretization_preview(codes, n_bins=3, categorical=True).data[1].y) == [2] + [1] * 7
    assert len(discretization_preview(codes, n_bins=3).data[1].y) == 3


def test_states_without_rows_keep_their_place():
    values = np.r_[np.linspace(0, 1, 20), 100]
    assert list(discretization_preview(values, n_bins=4).data[1].y) == [20, 0, 0, 1]


def test_sparse_constant_and_missing():
    column = sparse.csr_matrix(np.r_[np.zeros(30), SKEWED][:, None])
    assert sum(check(discretization_preview(column)).data[1].y) == 230
    assert list(check(discretization_preview(np.ones(5))).data[1].y) == [5]
    assert is_empty(discretization_preview(np.array([np.nan, np.inf])))
    assert is_empty(discretization_preview([]))


def test_unknown_method():
    with pytest.raises(ParameterError, match="There is no discretisation 'equal_widht': did you mean 'equal_width'"):
        discretization_preview(SKEWED, method="equal_widht")
