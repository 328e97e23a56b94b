"""Trials of a search over the figures of a sweep."""

import numpy as np
import pandas as pd
import pytest

from mlfs.plots import alt_text, grid_heatmap, grid_surface, sensitivity_lines
from mlfs.plots.trials import with_trials
from tests.plots.checks import check

ALPHAS, BETAS = [0.1, 1.0, 10.0], [1.0, 100.0]
VALUES = np.array([[0.3, 0.2], [0.25, 0.1], [0.4, 0.35]])
TRIALS = np.array([[1.0, 10.0], [10.0, 100.0], [0.1, 1.0]])


@pytest.mark.parametrize("draw", [grid_heatmap, grid_surface])
def test_trials_stand_between_the_values_of_the_grid(draw):
    before = draw(VALUES, ALPHAS, BETAS, "hamming_loss")
    traces = len(before.data)
    figure = with_trials(before, TRIALS, [0.2, 0.15, np.nan], [ALPHAS, BETAS], log=(True, True))
    check(figure)
    points, best = figure.data[-2:]
    assert list(points.x) == pytest.approx([1, 2])
    assert list(points.y) == pytest.approx([0.5, 1])
    assert (list(best.x), list(best.y)) == (pytest.approx([2]), pytest.approx([1]))
    if draw is grid_surface:
        assert list(points.z) == [0.2, 0.15]
    assert alt_text(figure).endswith("With 2 trials of a search, the best 0.1500.")
    assert len(before.data) == traces, "the figure given stays as it is"


def test_over_one_parameter_they_have_their_value_for_height():
    rows = pd.DataFrame({"k": [1, 2, 3], "size": 5, "value": [0.3, 0.2, 0.1]})
    figure = with_trials(
        sensitivity_lines(rows, "k", "macro_f1"), np.array([[1], [3]]), [0.5, 0.7], [[1, 2, 3]], lower=False
    )
    check(figure)
    assert list(figure.data[-2].x) == [1, 3]
    assert list(figure.data[-2].y) == [0.5, 0.7]
    assert figure.data[-1].name == "best trial: 0.7000"


def test_a_search_without_results_changes_nothing():
    figure = grid_heatmap(VALUES, ALPHAS, BETAS)
    assert with_trials(figure, TRIALS, [np.nan] * 3, [ALPHAS, BETAS]) is figure
