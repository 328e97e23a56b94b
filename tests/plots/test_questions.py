"""The figures of the questions show the tables they are given, and say so in words."""

import numpy as np
import pandas as pd

from mlfs.plots import order_agreement, rank_bumps, set_overlaps, ways_beside_published
from tests.plots.checks import check, is_empty, named

WAYS = {"honest": "the features alone", "leaky": "with labels"}
BINS = [("equal width", "2"), ("equal width", "5"), ("equal frequency", "2")]


def losses(**columns):
    return pd.DataFrame({"dataset": ["emotions", "a<b"], "published": [0.006, 0.05], "honest": [0.2, 0.05], **columns})


def test_a_data_set_is_a_row_with_a_mark_for_each_way():
    figure = ways_beside_published(losses(leaky=[0.01, np.nan]), "hamming_loss", WAYS)
    check(figure, "Hamming loss of 2 data sets", "emotions: printed in the paper 0.0060", "with labels –")
    assert [trace.name for trace in figure.data] == ["printed in the paper", *WAYS.values()]
    assert list(named(figure, "the features alone").x) == [0.2, 0.05]
    assert list(figure.layout.yaxis.ticktext) == ["emotions", "a&lt;b"]
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.xaxis.title.text == "Hamming loss (lower is better)"


def test_only_losses_above_zero_are_on_a_log_axis():
    assert ways_beside_published(losses(leaky=[0.0, 0.1]), "hamming_loss", WAYS).layout.xaxis.type is None
    assert ways_beside_published(losses(leaky=[0.9, 0.1]), "subset_accuracy", WAYS).layout.xaxis.type is None


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


def test_overlaps_are_two_panels_of_curves():
    rows = [
        ("elc", size, metric, value)
        for size, value in ((1, 0.2), (2, 0.4))
        for metric in ("overlap_exact", "overlap_start")
    ]
    figure = check(set_overlaps(pd.DataFrame(rows, columns=["method", "size", "metric", "value"])), "exact solution")
    assert [list(trace.y) for trace in figure.data] == [[0.2, 0.4], [0.2, 0.4]]


def test_before_there_are_numbers_the_figures_say_so():
    assert is_empty(ways_beside_published(losses(leaky=[0, 0]).iloc[:0], "hamming_loss", WAYS))
    assert is_empty(rank_bumps(pd.DataFrame(), []))
    assert is_empty(order_agreement(pd.DataFrame(), []))
