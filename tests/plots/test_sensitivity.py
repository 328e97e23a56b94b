"""Lines over one parameter, and trials of a search over the figures of a sweep."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from mlfs.errors import ParameterError
from mlfs.plots import alt_text, grid_heatmap, grid_surface, sensitivity_lines, with_trials
from tests.plots.checks import check, is_empty, named


def sweep(sizes=(10, 30, 50), values=(1, 2, 4), repeats=2) -> pd.DataFrame:
    rows = [(k, n, abs(k - 2) / 10 + 1 / n + 0.01 * r) for k in values for n in sizes for r in range(repeats)]
    return pd.DataFrame(rows, columns=["k", "size", "value"])


def test_one_line_per_size_and_the_best_ringed():
    figure = check(
        sensitivity_lines(sweep(), "k", "hamming_loss", x_title="neighbours"),
        "Hamming loss against neighbours from 1 to 4",
        "with 10 features 0.1050 at 2",
    )
    np.testing.assert_allclose(named(figure, "10 features").y, [0.205, 0.105, 0.305])
    ring = figure.data[-1]
    assert (ring.x[0], ring.y[0]) == (2, pytest.approx(0.025))
    assert ring.name == "best: 0.0250 at neighbours = 2, 50 features"
    assert list(figure.layout.xaxis.ticktext) == ["1", "2", "4"]


def test_higher_is_better_for_scores():
    assert sensitivity_lines(sweep(), "k", "macro_f1").data[-1].x[0] == 4
    assert sensitivity_lines(sweep(), "k", "wins", lower=False).data[-1].x[0] == 4


def test_which_sizes():
    def lines(table, **more):
        return [trace.name for trace in sensitivity_lines(table, "k", "hamming_loss", **more).data[:-1]]

    assert lines(sweep((1, 10, 20, 30, 50))) == ["10 features", "30 features", "50 features"]
    assert lines(sweep((5, 15))) == ["5 features", "15 features"]
    assert lines(sweep((5, 15)), sizes=[15, 99]) == ["15 features"]


def test_log_axis_leaves_out_what_has_no_place_on_it():
    figure = check(sensitivity_lines(sweep(values=(0, 0.001, 1, 1000)), "k", "hamming_loss", log_x=True))
    assert figure.layout.xaxis.type == "log"
    assert list(figure.data[0].x) == [0.001, 1, 1000]
    assert figure.layout.xaxis.ticktext[0] == "10<sup>−3</sup>"


def test_table_of_a_comparison():
    rows = sweep((10,), (1, 3)).assign(method="els", dataset="flags", metric="hamming_loss")
    rows["parameters"] = [json.dumps({"n_labels": int(k)}) for k in rows["k"]]
    rows = pd.concat([rows, rows.assign(metric="ranking_loss", value=9.0)])
    figure = sensitivity_lines(rows.drop(columns="k"), "n_labels", "hamming_loss")
    np.testing.assert_allclose(figure.data[0].x, [1, 3])
    np.testing.assert_allclose(figure.data[0].y, [0.205, 0.205])
    with pytest.raises(ParameterError, match=r"several data sets \(flags, yeast, …\): draw one figure for each"):
        sensitivity_lines(pd.concat([rows, rows.assign(dataset="yeast")]), "n_labels", "hamming_loss")


def test_nothing_yet_and_wrong_table():
    assert is_empty(sensitivity_lines(sweep(repeats=0), "k", "hamming_loss"))
    assert is_empty(sensitivity_lines(sweep().assign(value=np.nan), "k", "hamming_loss"))
    assert is_empty(sensitivity_lines(sweep(), "k", "hamming_loss", sizes=[7]))
    with pytest.raises(ParameterError, match="lacks the column 'alpha'; it needs alpha, size, value"):
        sensitivity_lines(sweep(), "alpha", "hamming_loss")


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
