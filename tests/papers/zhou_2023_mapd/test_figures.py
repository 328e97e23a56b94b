"""The figures of Zhou & Guo 2023 show the tables they are given, and say so in words."""

import numpy as np
import pandas as pd

from mlfs.papers.zhou_2023_mapd.figures import counts_against_alpha, counts_by_method, ways_and_published
from tests.plots.checks import check, is_empty, named

WAYS = {"honest": "the features alone", "leaky": "with labels"}


def test_counts_against_alpha_are_lines_on_a_log_axis():
    table = pd.DataFrame({"dataset": ["a<b", "a<b", "yeast"], "alpha": [0.6, 0.9, 0.6], "value": [2.0, 200.0, 5.0]})
    figure = check(counts_against_alpha(table), "α from 0.6 to 0.9", "a<b 2.0 to 200.0", "yeast 5.0 to 5.0")
    assert figure.layout.yaxis.type == "log"
    assert list(named(figure, "a&lt;b").y) == [2.0, 200.0]
    assert is_empty(counts_against_alpha(table.assign(value=0.0)))


def test_counts_by_method_are_marks_on_a_log_axis():
    table = pd.DataFrame({"dataset": ["emotions", "emotions", "yeast"], "method": ["mapd", "parfs", "mapd"]})
    figure = check(counts_by_method(table.assign(value=[1.0, 1.0, 30.0])), "emotions: MAPD 1.0, ParFS 1.0")
    assert figure.layout.xaxis.type == "log"
    assert list(figure.layout.yaxis.ticktext) == ["emotions", "yeast"]
    mapd, parfs = named(figure, "MAPD"), named(figure, "ParFS")
    assert list(mapd.x) == [1.0, 30.0]
    assert mapd.y[0] != parfs.y[0]  # equal counts do not hide each other
    assert mapd.y[1] - mapd.y[0] == 1
    assert is_empty(counts_by_method(table.assign(value=np.nan)))


def losses(**columns):
    return pd.DataFrame({"dataset": ["emotions", "a<b"], "published": [0.006, 0.05], "honest": [0.2, 0.05], **columns})


def test_a_data_set_is_a_row_with_a_mark_for_each_way():
    figure = ways_and_published(losses(leaky=[0.01, np.nan]), "hamming_loss", WAYS)
    check(figure, "Hamming loss of 2 data sets", "emotions: printed in the paper 0.0060", "with labels –")
    assert [trace.name for trace in figure.data] == ["printed in the paper", *WAYS.values()]
    assert list(named(figure, "the features alone").x) == [0.2, 0.05]
    assert list(figure.layout.yaxis.ticktext) == ["emotions", "a&lt;b"]
    assert figure.layout.xaxis.type == "log"
    assert figure.layout.xaxis.title.text == "Hamming loss (lower is better)"


def test_only_losses_above_zero_are_on_a_log_axis():
    assert ways_and_published(losses(leaky=[0.0, 0.1]), "hamming_loss", WAYS).layout.xaxis.type is None
    assert ways_and_published(losses(leaky=[0.9, 0.1]), "subset_accuracy", WAYS).layout.xaxis.type is None


def test_before_there_are_numbers_the_figure_says_so():
    assert is_empty(ways_and_published(losses(leaky=[0, 0]).iloc[:0], "hamming_loss", WAYS))
