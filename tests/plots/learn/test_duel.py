"""Stars where the rival wins, and room for them."""

import numpy as np

from mlfs.plots.learn.duel import duel
from tests.plots.checks import check


def test_stars_mark_the_wins():
    mine, theirs = np.array([0.1, 0.3]), np.array([0.2, 0.1])
    figure = check(
        duel(mine, theirs, ("me", "you"), ["one", "two"], theirs > mine), "you is strictly better in 1 of them"
    )
    rival, own = figure.data
    assert list(rival.text) == ["★", ""]
    assert (list(rival.x), list(own.x)) == (list(theirs), list(mine))
    assert figure.layout.xaxis.range[1] > 0.3
