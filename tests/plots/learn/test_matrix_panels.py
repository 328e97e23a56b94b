"""Matrices with their names, one below the other, without overlap."""

import numpy as np
import pytest

from mlfs.plots.learn.matrix_panels import WRITTEN, Panel, matrix_panels
from tests.plots.checks import check

FIRST = Panel("first", np.array([[0.0, 0.25], [0.5, 0.126]]), ["a", "b"], ["x<y", "z"])
SIGNED = Panel("signed", np.array([[0.0, -2.0, 1.0]]), ["row"], ["p", "q", "r"])


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


def test_wide_matrices_have_colours_only():
    q = WRITTEN + 1
    panel = Panel("wide", np.eye(q), [str(i) for i in range(q)], [str(i) for i in range(q)], most=2.0)
    [cells] = check(matrix_panels([panel])).data
    assert cells.zmax == 2.0
