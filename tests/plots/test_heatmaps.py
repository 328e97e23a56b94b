"""What the cells hold; matrices with their names, one below the other, without overlap."""

from __future__ import annotations

import numpy as np
import pytest

from mlfs.plots import co_occurrence_heatmap, overlap_heatmap, z_heatmap
from mlfs.plots.figure import text_width
from mlfs.plots.heatmaps import PANEL_HEAD, PANEL_ROW, PANEL_WRITTEN, MatrixPanel, matrix_numbers, matrix_panels
from tests.plots.checks import check, is_empty


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


def test_overlap_names_the_closest_pair_and_writes_the_numbers():
    overlap = np.array([[1, 0.2, 0.9], [0.2, 1, np.nan], [0.9, np.nan, 1]])
    figure = check(overlap_heatmap(overlap, ["els", "grro", "mine"]), "ELS and mine 0.90, ELS and GRRO 0.20.")
    assert (figure.data[0].zmin, figure.data[0].zmax) == (0, 1)
    assert [list(row) for row in figure.data[0].text] == [
        ["1.00", "0.20", "0.90"],
        ["0.20", "1.00", ""],
        ["0.90", "", "1.00"],
    ]
    assert figure.data[0].texttemplate == "%{text}"


def test_names_below_the_overlap_are_turned_only_where_they_do_not_fit():
    def angle(methods):
        return overlap_heatmap(np.eye(len(methods)), methods).layout.xaxis.tickangle

    assert (angle(["els", "grro", "random"]), angle([f"method {i}" for i in range(8)])) == (0, -45)


def test_overlap_of_many_methods_has_no_numbers():
    assert overlap_heatmap(np.eye(20), [f"m{i}" for i in range(20)]).data[0].text is None


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
    assert len(figure.layout.meta["narrow"]["xaxis"]["ticktext"]) <= 6


@pytest.mark.parametrize(("counts", "names"), [(np.zeros((0, 0)), []), ([[3]], ["a"]), (np.zeros((2, 2)), ["a", "b"])])
def test_co_occurrence_needs_two_labels_that_occur(counts, names):
    assert is_empty(co_occurrence_heatmap(np.asarray(counts), names))


FIRST = MatrixPanel("first", np.array([[0.0, 0.25], [0.5, 0.126]]), ["a", "b"], ["x<y", "z"])
SIGNED = MatrixPanel("signed", np.array([[0.0, -2.0, 1.0]]), ["row"], ["p", "q", "r"])


def test_panels_and_their_numbers():
    figure = check(
        matrix_panels([FIRST, SIGNED]), "first, 2 × 2 from 0.0000 to 0.5000, largest for b and x<y", "row and q"
    )
    cells, numbers, signed, more = figure.data
    assert list(numbers.text) == ["0.00", "0.25", "0.50", "0.13"]
    assert list(more.text) == ["0.00", "−2.00", "1.00"]
    assert (cells.zmin, cells.zmax, signed.zmin, signed.zmax) == (0, 0.5, -2, 2)
    assert cells.customdata[0][0] == "a, x&lt;y"
    low, high = figure.layout.yaxis.domain, figure.layout.yaxis2.domain
    assert high[1] < low[0]
    assert (low[1], high[0]) == pytest.approx((1, 0))


def test_names_below_a_panel_end_above_the_heading_of_the_next():
    name = "MEAN_OF_ALL_MEASURES"
    long = MatrixPanel("long", np.eye(2), ["a", "b"], [name, "z"])
    figure = matrix_panels([long, SIGNED])
    (low, high), (_, next_high) = figure.layout.yaxis.domain, figure.layout.yaxis2.domain
    rows = (high - low) / len(long.rows)
    reach = text_width(name) * np.sin(np.radians(-figure.layout.xaxis.tickangle))
    assert (low - next_high) / rows * PANEL_ROW - PANEL_HEAD > reach


def test_wide_matrices_have_colours_only():
    q = PANEL_WRITTEN + 1
    panel = MatrixPanel("wide", np.eye(q), [str(i) for i in range(q)], [str(i) for i in range(q)], most=2.0)
    [cells] = check(matrix_panels([panel])).data
    assert cells.zmax == 2.0


def test_a_rounded_zero_has_no_sign():
    assert matrix_numbers(np.array([[-0.004, -0.126], [0.0, 0.004]]))["text"] == ["0.00", "−0.13", "0.00", "0.00"]
