"""The surface over two parameters."""

import numpy as np
import pytest

from mlfs.plots import grid_surface
from tests.plots.checks import check, is_empty


def test_surface_and_its_best_point():
    values = np.array([[3.0, 2, 6], [1, 4, np.nan]])
    figure = check(grid_surface(values, [0.1, 1], [1, 10, 100.0], "hamming_loss"), "Hamming loss", "at α = 1, β = 1")
    surface, best = figure.data
    np.testing.assert_array_equal(surface.z, values.T)
    assert (list(best.x), list(best.y)) == ([1], [0])
    assert figure.layout.scene.zaxis.title.text == "Hamming loss"
    assert figure.layout.dragmode == "turntable"


@pytest.mark.parametrize("shape", [(0, 0), (1, 3), (3, 1)])
def test_too_few_values(shape):
    assert is_empty(grid_surface(np.ones(shape), np.arange(shape[0]), np.arange(shape[1])))


def test_no_values():
    assert is_empty(grid_surface(np.full((2, 2), np.nan), [1, 2], [1, 2]))
