"""The pictures that only the papers have show the tables they are given, and say so in words."""

import numpy as np
import pandas as pd

from mlfs.plots import counts_against_alpha, counts_by_method, rank_slopes, two_orders
from mlfs.plots.papers import _apart
from tests.plots.checks import check, is_empty, named


def test_slopes_join_the_two_ranks_of_a_method():
    ranks = pd.DataFrame({"published": [1.0, 2.0, 3.0], "measured": [3.0, 2.0, 1.0]}, index=["els", "mfs", "fimf"])
    figure = check(rank_slopes(ranks), "3 methods", "ELS 1.00 and 3.00, MFS 2.00 and 2.00")
    assert list(named(figure, "ELS").y) == [1.0, 3.0]
    left, right = (trace for trace in figure.data if trace.mode == "text")
    assert [text.replace("&nbsp;", "") for text in left.text] == ["ELS 1.00", "MFS 2.00", "FIMF 3.00"]
    assert list(right.y) == [3.0, 2.0, 1.0]
    low, high = figure.layout.yaxis.range
    assert low > high  # the best on top
    assert is_empty(rank_slopes(ranks.iloc[:1]))
    assert is_empty(rank_slopes(ranks.assign(measured=np.nan)))


def test_names_of_equal_ranks_stand_apart_in_their_order():
    places = _apart([2.0, 2.0, 2.0, 5.0, 2.3], 0.5)
    assert (np.diff(np.sort(places)) >= 0.5 - 1e-9).all()
    assert places[3] == 5.0
    assert np.argsort(places, kind="stable").tolist() == [0, 1, 2, 4, 3]
    assert np.isclose(places[[0, 1, 2, 4]].mean(), np.mean([2.0, 2.0, 2.0, 2.3]))


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


def test_two_orders_have_a_panel_for_each_size():
    rows = [
        {"order": order, "n_labels": y, "size": size, "value": 0.2 + shift + y / 1000, "std": 0.01}
        for order, shift in (("up", 0.0), ("down", 0.1))
        for size in (10, 50)
        for y in (1, 3)
    ]
    figure = check(
        two_orders(pd.DataFrame(rows), "hamming_loss", names={"up": "highest first", "down": "lowest first"}),
        "Hamming loss against |Y| from 1 to 3",
        "Hamming loss, 10 features: highest first 0.2020, lowest first 0.3020",
    )
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [trace.name for trace in lines].count("highest first") == 2
    assert list(lines[0].x) == [1, 3]
    assert figure.layout.xaxis.title.text == "|Y|"
