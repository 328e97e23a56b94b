"""Measured rows become the pictures of the papers."""

import pandas as pd
import pytest

from mlfs.papers.experiments import experiments, get_experiment
from mlfs.papers.pictures import figure_ranks, is_by_dataset, is_of_ranks, pictures
from mlfs.papers.registry import PAPERS
from mlfs.plots import alt_text
from tests.plots.checks import check


def rows(metric, values, size=float("nan"), dataset="yeast"):
    about = {"dataset": dataset, "metric": metric, "size": size, "std": 0.01, "n": 3, "chosen": ""}
    return pd.DataFrame([{**about, "setting": setting, "value": value} for setting, value in values.items()])


def test_every_figure_has_a_way_to_be_drawn():
    for paper in PAPERS:
        for experiment in experiments(paper).values():
            if not experiment.is_of_table:
                assert is_of_ranks(experiment) or experiment.kind in ("curves", "noise", "sweep", "sizes", "times")
                assert is_by_dataset(experiment) or experiment.kind in ("losses", "sizes")


def test_acr_is_a_surface_over_both_parameters_and_a_line_over_k():
    values = {f"grro:alpha={a},beta={b}": 10 * a + b for a in (0.1, 1.0) for b in (0.01, 100.0)}
    table = rows("acr", {**values, "grro_ls:k=5": 2.0, "grro_ls:k=10": 1.5}, dataset="medical")
    found = pictures(get_experiment("zhang_2020_grro", "figure3"), table)
    assert list(found) == ["surface", "k", "heatmap"]
    for figure in found.values():
        check(figure)
    # z has a row for each β, and within it a column for each α.
    assert found["surface"].data[0].z.tolist() == [[1.01, 10.01], [101.0, 110.0]]
    assert list(found["k"].data[0].x) == [5.0, 10.0]
    assert list(found["k"].data[0].y) == [2.0, 1.5]


def test_a_sweep_of_labels_is_lines_by_size_and_two_orders_are_panels():
    one = pd.concat([rows("hamming_loss", {f"els:n_labels={y}": y / 100 for y in (1, 5)}, size) for size in (10, 50)])
    found = pictures(get_experiment("lee_kim_2016", "figure2"), one)["sweep"]
    assert [trace.name for trace in found.data[:2]] == ["n = 10", "n = 50"]
    assert list(found.data[0].y) == [0.01, 0.05]
    two = {f"els:label_order={order},n_labels=2": 0.1 for order in ("max_entropy", "min_entropy")}
    orders = pictures(get_experiment("lee_kim_2016", "figure7"), rows("hamming_loss", two, 10))["orders"]
    assert "highest entropy first 0.1000, lowest entropy first 0.1000" in alt_text(orders)


def test_times_are_on_a_log_axis_in_seconds():
    found = pictures(get_experiment("wang_2020_elc", "figure3"), rows("seconds", {"elc": 2.0, "mifs": 0.1}, 100))
    assert found["times"].layout.yaxis.type == "log"
    assert found["times"].layout.yaxis.title.text == "Seconds to select"


def test_counts_go_by_alpha_or_by_method():
    by_alpha = rows("n_selected", {"mapd:alpha=0.6": 2.0, "mapd:alpha=0.9": 40.0})
    assert list(pictures(get_experiment("zhou_2023_mapd", "figure1"), by_alpha)["counts"].data[0].x) == [0.6, 0.9]
    by_method = rows("n_selected", {"mapd": 2.0, "parfs": 40.0})
    drawn = pictures(get_experiment("zhou_2023_mapd", "figure2"), by_method)["counts"].data
    assert [trace.name for trace in drawn] == ["MAPD", "ParFS"]


def test_bands_are_those_of_the_paper():
    """Of three splits: the interval of a mean is 4.3027 (Student, two degrees of freedom) · std / √3."""
    table = pd.concat([rows("hamming_loss", {"jmi_br": 0.2}, size) for size in (1, 2)])
    drawn = {
        name: pictures(get_experiment(*name), table)["curves"]
        for name in (("sechidis_2014", "figure4"), ("lee_kim_2016", "figure4"))
    }
    half = [max(max(trace.y) for trace in figure.data) - 0.2 for figure in drawn.values()]
    assert half == pytest.approx([4.3027 * 0.01 / 3**0.5, 0.01], rel=1e-4)
    assert "95 % confidence interval" in alt_text(drawn["sechidis_2014", "figure4"])


def test_too_few_methods_for_a_rank_test_get_a_sentence():
    two = {"grro": 0.1, "pmu": 0.2}
    table = pd.concat([rows("coverage", two, dataset=name) for name in ("bibtex", "birds", "emotions")])
    found = figure_ranks(get_experiment("zhang_2020_grro", "figure1"), table, "coverage")
    assert found.measured is None
    assert "methods" in found.reason


@pytest.mark.parametrize(("metric", "published"), [("micro_f1", True), ("coverage", False)])
def test_ranks_of_a_figure_have_a_published_side_where_a_table_prints_it(metric, published):
    methods = PAPERS["zhang_2020_grro"].methods
    names = ("bibtex", "birds", "emotions")
    table = pd.concat([rows(metric, {m: i / 10 for i, m in enumerate(methods)}, dataset=name) for name in names])
    found = figure_ranks(get_experiment("zhang_2020_grro", "figure1"), table, metric)
    assert (found.published is not None) == published
    best = methods[-1] if metric == "micro_f1" else methods[0]  # coverage is better where it is lower
    assert found.measured.average_ranks[best] == 1
    assert found.measured.test == "nemenyi"
    few = figure_ranks(get_experiment("zhang_2020_grro", "figure1"), table[table["dataset"] != "birds"], metric)
    assert few.measured is None
    assert few.reason == "A diagram needs 3 data sets with all methods; there are 2."
