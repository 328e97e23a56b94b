"""A grid of two parameters as a heat map and as a surface."""

from __future__ import annotations

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.plots import grid_heatmap, grid_outline, grid_surface
from tests.plots.checks import check, is_empty

POWERS = [0.001, 1.0, 1000.0]


def test_grid_marks_the_lowest_loss():
    values = np.array([[3.0, 2], [1, 4], [np.nan, 5]])
    figure = check(grid_heatmap(values, POWERS, [1, 10.0]), "best 1.0000 at α = 1, β = 1", "1 of 6 cells are missing")
    np.testing.assert_array_equal(figure.data[0].z, values.T)
    assert (list(figure.data[1].x), list(figure.data[1].y)) == ([1], [0])
    assert list(figure.layout.xaxis.ticktext) == ["10<sup>−3</sup>", "1", "10<sup>3</sup>"]
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("α", "β")
    assert figure.layout.annotations[0].text == "best: 1.0000 at α = 1, β = 1"


def test_on_a_telephone_values_do_not_touch_and_the_surface_is_not_cut():
    powers = [10.0**power for power in range(-3, 4)]
    flat, surface = (kind(np.ones((7, 7)), powers, powers) for kind in (grid_heatmap, grid_surface))
    assert list(flat.layout.meta["narrow"]["xaxis"]["ticktext"]) == [
        flat.layout.xaxis.ticktext[i] for i in (0, 2, 4, 6)
    ]
    eyes = surface.layout.scene.camera.eye, surface.layout.meta["narrow"]["scene"]["camera"]["eye"]
    assert eyes[1]["x"] > 1.2 * eyes[0].x


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


def test_surface_and_its_best_point():
    values = np.array([[3.0, 2, 6], [1, 4, np.nan]])
    figure = check(grid_surface(values, [0.1, 1], [1, 10, 100.0], "hamming_loss"), "Hamming loss", "at α = 1, β = 1")
    surface, best = figure.data
    np.testing.assert_array_equal(surface.z, values.T)
    assert (list(best.x), list(best.y)) == ([1], [0])
    assert figure.layout.annotations[0].text.startswith("Hamming loss, best: ")
    assert figure.layout.dragmode == "turntable"


@pytest.mark.parametrize("shape", [(0, 0), (1, 3), (3, 1)])
def test_too_few_values(shape):
    assert is_empty(grid_surface(np.ones(shape), np.arange(shape[0]), np.arange(shape[1])))


def test_no_values():
    assert is_empty(grid_surface(np.full((2, 2), np.nan), [1, 2], [1, 2]))


def test_an_outline_has_the_axes_to_come_and_no_numbers():
    sentence = "There will be a heat map of Hamming loss over 3 values of λ and 2 of k."
    figure = check(grid_outline(POWERS, [5, 10], "hamming_loss", names=("λ", "k")), "no results yet", sentence)
    full = grid_heatmap(np.ones((3, 2)), POWERS, [5, 10], "hamming_loss", names=("λ", "k"))
    assert (figure.layout.xaxis, figure.layout.yaxis) == (full.layout.xaxis, full.layout.yaxis)
    assert figure.layout.height == full.layout.height
    [cells] = figure.data
    assert np.shape(cells.z) == (2, 3)
    assert (cells.showscale, cells.hoverinfo) == (False, "skip")
    assert figure.layout.annotations[0].text == "An outline: no results yet"
