"""The figures of the question show the tables they are given, and say so in words."""

import numpy as np
import pandas as pd

from mlfs.papers.discretisation_and_scaling.figures import order_agreement, rank_bumps
from tests.plots.checks import check, is_empty, named

BINS = [("equal width", "2"), ("equal width", "5"), ("equal frequency", "2")]


def test_ranks_are_lines_broken_between_groups_with_the_best_on_top():
    ranks = pd.DataFrame([[1.0, 2.0, 2.0], [2.0, 1.0, 1.0]], index=["els", "scls"])
    figure = check(
        rank_bumps(ranks, BINS, reference=1),
        "2 methods under 3 choices",
        "With equal width 5, from the best: SCLS 1.0, ELS 2.0",
        "moves most, from 1.0 to 2.0",
    )
    line = named(figure, "ELS")
    np.testing.assert_array_equal(line.y, [1, 2, np.nan, 2])
    assert list(line.x) == [0, 1, 2, 3]
    assert figure.layout.yaxis.autorange == "reversed"
    assert list(figure.layout.xaxis.tickvals) == [0, 1, 3]
    assert [note.text for note in figure.layout.annotations] == ["equal width", "equal frequency"]
    [shade] = figure.layout.shapes
    assert (shade.x0 + shade.x1) / 2 == 1


def test_agreement_has_a_line_for_each_data_set_and_the_level_of_chance():
    table = pd.DataFrame([[1.0, 0.5, -0.2]], index=["yeast"])
    figure = check(
        order_agreement(table, BINS, level=0.25, reference=0), "yeast 0.43", "two single random splits it is 0.25"
    )
    assert list(named(figure, "between two single random splits").y) == [0.25, 0.25]
    low, high = figure.layout.yaxis.range
    assert low < -0.2
    assert high > 1
    assert len(check(order_agreement(table, BINS, level=float("nan"))).data) == 1


def test_before_there_are_numbers_the_figures_say_so():
    assert is_empty(rank_bumps(pd.DataFrame(), []))
    assert is_empty(order_agreement(pd.DataFrame(), []))
