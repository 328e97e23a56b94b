"""Where a criterion changes its mind."""

import numpy as np

from mlfs.plots import copy_advantage
from tests.plots.checks import check, named

SHARES = np.array([0.0, 0.5, 1.0])
FOUND = {"mim_br": np.array([0.2, 0.2, 0.2]), "ami": np.array([0.1, -0.1, -0.3])}


def test_lines_and_the_mark():
    figure = check(copy_advantage(SHARES, FOUND, copied=0.5), "MIM-BR never", "AMI prefers f₃ from 50% on")
    np.testing.assert_array_equal(named(figure, "AMI").y, FOUND["ami"])
    mark = figure.data[-1]
    assert (list(mark.x), mark.showlegend) == ([0.5, 0.5], False)
    assert [note.text for note in figure.layout.annotations] == ["picks f₂", "picks f₃"]


def test_without_a_mark():
    assert len(check(copy_advantage(SHARES, FOUND)).data) == 2
