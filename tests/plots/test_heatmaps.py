"""What the cells hold."""

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.plots import co_occurrence_heatmap, grid_heatmap, overlap_heatmap, z_heatmap
from tests.plots.checks import check, is_empty

POWERS = [0.001, 1.0, 1000.0]


def test_z_is_symmetric_around_zero_and_shows_the_strongest_rows():
    Z = np.array([[0.1, 0], [0, -2.0], [0.5, 0.5]])
    figure = check(z_heatmap(Z, ["f", "g", "h"], ["a", "b"], top=2), "-2 of g for b")
    cells = figure.data[0]
    assert (cells.zmin, cells.zmax) == (-2, 2)
    assert list(figure.layout.yaxis.ticktext) == ["g", "h"]
    np.testing.assert_array_equal(cells.z, Z[[1, 2]])


def test_z_rows_may_be_chosen():
    figure = z_heatmap(np.eye(3), ["f", "g", "h"], ["a", "b", "c"], features=[2, 0])
    assert list(figure.layout.yaxis.ticktext) == ["h", "f"]


def test_z_of_zeros_and_of_nothing():
    check(z_heatmap(np.zeros((2, 2)), ["f", "g"], ["a", "b"]))
    assert is_empty(z_heatmap(np.full((2, 2), np.nan), ["f", "g"], ["a", "b"]))
    assert is_empty(z_heatmap(np.zeros((0, 2)), [], ["a", "b"]))


def test_grid_marks_the_lowest_loss():
    values = np.array([[3.0, 2], [1, 4], [np.nan, 5]])
    figure = check(grid_heatmap(values, POWERS, [1, 10.0]), "best 1.0000 at α = 1, β = 1", "1 of 6 cells are missing")
    np.testing.assert_array_equal(figure.data[0].z, values.T)
    assert (list(figure.data[1].x), list(figure.data[1].y)) == ([1], [0])
    assert list(figure.layout.xaxis.ticktext) == ["10<sup>−3</sup>", "1", "10<sup>3</sup>"]
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("α", "β")
    assert figure.layout.annotations[0].text == "best: 1.0000 at α = 1, β = 1"


def test_grid_marks_the_highest_score():
    values = np.array([[3.0, 2], [1, 4]])
    check(grid_heatmap(values, [1, 10.0], [1, 10.0], "macro_f1"), "Macro-F1", "best 4.0000 at α = 10, β = 10")
    check(grid_heatmap(values, [1, 10.0], [1, 10.0], "gain", lower=False), "best 4.0000")


def test_grid_of_other_parameters():
    figure = check(grid_heatmap(np.ones((1, 2)), [0], [5, 10], names=("λ", "k")), "λ = 0, k = 5")
    assert figure.layout.yaxis.title.text == "k"


def test_grid_without_values_or_of_the_wrong_shape():
    assert is_empty(grid_heatmap(np.full((3, 3), np.nan), POWERS, POWERS))
    assert is_empty(grid_heatmap(np.zeros((0, 0)), [], []))
    with pytest.raises(ParameterError, match=r"shape \(2, 3\), but 3 values of α and 2 of β need \(3, 2\)"):
        grid_heatmap(np.zeros((2, 3)), POWERS, [1.0, 2.0])


def test_overlap_names_the_closest_pair_and_writes_the_numbers():
    overlap = np.array([[1, 0.2, 0.9], [0.2, 1, np.nan], [0.9, np.nan, 1]])
    figure = check(overlap_heatmap(overlap, ["els", "grro", "mine"]), "ELS and mine 0.90, ELS and GRRO 0.20.")
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)
    assert "0.90" in figure.data[1].text
    assert len(figure.data[1].text) == 7


def test_overlap_of_many_methods_has_no_numbers():
    assert len(overlap_heatmap(np.eye(20), [f"m{i}" for i in range(20)]).data) == 1


def test_overlap_needs_two_methods():
    assert is_empty(overlap_heatmap(np.ones((1, 1)), ["els"]))
    assert is_empty(overlap_heatmap(np.zeros((0, 0)), []))


def test_co_occurrence_is_the_share_of_the_row_s_label():
    counts = np.array([[10, 5, 0], [5, 20, 0], [0, 0, 0]])
    figure = check(co_occurrence_heatmap(counts, ["a", "b", "never"]), "50% of a have b, 25% of b have a")
    cells = figure.data[0]
    np.testing.assert_array_equal(cells.z[:2], [[np.nan, 0.5, 0], [0.25, np.nan, 0]])
    assert np.isnan(cells.z[2]).all()
    assert cells.customdata[1][0] == "b → a: 5 of 20"
    assert counts[0, 0] == 10


def test_co_occurrence_of_many_labels_thins_the_names_only():
    q = 150
    figure = check(co_occurrence_heatmap(np.eye(q, dtype=int) + 1, [f"l{i}" for i in range(q)]))
    assert figure.data[0].z.shape == (q, q)
    assert len(figure.layout.xaxis.ticktext) <= 16
    assert len(figure.layout.xaxis.ticktext) == len(figure.layout.xaxis.tickvals)


@pytest.mark.parametrize(("counts", "names"), [(np.zeros((0, 0)), []), ([[3]], ["a"]), (np.zeros((2, 2)), ["a", "b"])])
def test_co_occurrence_needs_two_labels_that_occur(counts, names):
    assert is_empty(co_occurrence_heatmap(np.asarray(counts), names))
