"""Measured rows become the pictures of the papers."""

import numpy as np
import pandas as pd
import pytest

from mlfs.papers import get_experiment
from mlfs.papers.figures import _apart, draw_figure, is_by_dataset, is_of_ranks, rank_slopes
from mlfs.papers.paper import PAPERS
from mlfs.plots import alt_text
from tests.plots.checks import check, is_empty, named


def rows(metric, values, size=float("nan"), dataset="yeast"):
    about = {"dataset": dataset, "metric": metric, "size": size, "std": 0.01, "n": 3, "chosen": ""}
    return pd.DataFrame([{**about, "setting": setting, "value": value} for setting, value in values.items()])


def test_every_figure_has_a_way_to_be_drawn():
    for paper in PAPERS:
        for experiment in PAPERS[paper].experiments.values():
            if not experiment.is_of_table:
                assert is_of_ranks(experiment) or experiment.kind in ("curves", "noise", "sweep", "sizes", "times")
                assert is_by_dataset(experiment) or experiment.kind in ("losses", "sizes")


def test_acr_is_a_surface_over_both_parameters_and_a_line_over_k():
    values = {f"grro:alpha={a},beta={b}": 10 * a + b for a in (0.1, 1.0) for b in (0.01, 100.0)}
    table = rows("acr", {**values, "grro_ls:k=5": 2.0, "grro_ls:k=10": 1.5}, dataset="medical")
    found = draw_figure(get_experiment("zhang_2020_grro", "figure3"), table)
    assert list(found) == ["surface", "k", "heatmap"]
    for figure in found.values():
        check(figure)
    # z has a row for each β, and within it a column for each α.
    assert found["surface"].data[0].z.tolist() == [[1.01, 10.01], [101.0, 110.0]]
    assert list(found["k"].data[0].x) == [5.0, 10.0]
    assert list(found["k"].data[0].y) == [2.0, 1.5]


def test_a_sweep_of_labels_is_lines_by_size_and_two_orders_are_panels():
    one = pd.concat([rows("hamming_loss", {f"els:n_labels={y}": y / 100 for y in (1, 5)}, size) for size in (10, 50)])
    found = draw_figure(get_experiment("lee_kim_2016", "figure2"), one)["sweep"]
    assert [trace.name for trace in found.data[:2]] == ["10 features", "50 features"]
    assert list(found.data[0].y) == [0.01, 0.05]
    two = {f"els:label_order={order},n_labels=2": 0.1 for order in ("max_entropy", "min_entropy")}
    orders = draw_figure(get_experiment("lee_kim_2016", "figure7"), rows("hamming_loss", two, 10))["orders"]
    assert "highest entropy first 0.1000, lowest entropy first 0.1000" in alt_text(orders)


def test_times_are_on_a_log_axis_in_seconds():
    found = draw_figure(get_experiment("wang_2020_elc", "figure3"), rows("seconds", {"elc": 2.0, "mifs": 0.1}, 100))
    assert found["times"].layout.yaxis.type == "log"
    assert found["times"].layout.yaxis.title.text == "Seconds to select"


def test_counts_go_by_alpha_or_by_method():
    by_alpha = rows("n_selected", {"mapd:alpha=0.6": 2.0, "mapd:alpha=0.9": 40.0})
    assert list(draw_figure(get_experiment("zhou_2023_mapd", "figure1"), by_alpha)["counts"].data[0].x) == [0.6, 0.9]
    by_method = rows("n_selected", {"mapd": 2.0, "parfs": 40.0})
    drawn = draw_figure(get_experiment("zhou_2023_mapd", "figure2"), by_method)["counts"].data
    assert [trace.name for trace in drawn] == ["MAPD", "ParFS"]


def test_bands_are_those_of_the_paper():
    """Of three splits: the interval of a mean is 4.3027 (Student, two degrees of freedom) · std / √3."""
    table = pd.concat([rows("hamming_loss", {"jmi_br": 0.2}, size) for size in (1, 2)])
    drawn = {
        name: draw_figure(get_experiment(*name), table)["curves"]
        for name in (("sechidis_2014", "figure4"), ("lee_kim_2016", "figure4"))
    }
    half = [max(max(trace.y) for trace in figure.data) - 0.2 for figure in drawn.values()]
    assert half == pytest.approx([4.3027 * 0.01 / 3**0.5, 0.01], rel=1e-4)
    assert "95% confidence interval" in alt_text(drawn["sechidis_2014", "figure4"])


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
