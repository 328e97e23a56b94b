"""Which values a sweep tries, for every parameter that every method declares; its results by hand and by a loop."""

import numpy as np
import pandas as pd
import pytest

from mlfs import SELECTORS
from mlfs.errors import ParameterError, StudyError
from mlfs.evaluation import average_classification_result, compare, get_protocol
from mlfs.studies import MethodGrid, Plan, Store, run
from mlfs.studies.sweep import (
    ACR,
    as_curve,
    best_of_sweep,
    held_at,
    landscape,
    numbers,
    selected_table,
    sweep_table,
    sweepable,
    swept_method,
    usual_range,
    usually_swept,
    values_between,
)
from tests.studies.support import DATASETS, SMALL, Here

SIZES = {"instances": 593, "features": 72, "labels": 6}


def usual(method, name, steps):
    parameter = sweepable(method)[name]
    return values_between(parameter, *usual_range(parameter, SIZES), steps)


def test_the_sweeps_of_the_papers():
    assert usual("els", "n_labels", 10) == (0, 1, 2, 3, 4, 5, 6)
    assert usual("grro", "alpha", 7) == (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
    assert usual("grro_ls", "k", 10) == tuple(range(1, 11))
    assert usual("mapd", "alpha", 9) == (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
    assert usual("elc", "k", 3) == (1, 37, 72)
    assert usual("mim_br", "n_bins", 10) == (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)


@pytest.mark.parametrize("method", SELECTORS)
def test_every_usual_sweep_is_a_plan(method):
    assert set(usually_swept(method)) <= set(sweepable(method))
    for name, parameter in sweepable(method).items():
        values = usual(method, name, 7)
        assert len(values) > 1
        assert list(values) == sorted(set(values))
        assert MethodGrid(method, grid={name: values}).grid[name] == values
        for value in values:
            parameter.check(value, SIZES)


def test_ends_that_cross_or_leave_the_range_are_a_sentence():
    alpha = sweepable("grro")["alpha"]
    with pytest.raises(ParameterError, match=r"^alpha: a sweep needs two steps or more, and a first value below the"):
        values_between(alpha, 10, 1, 5)
    with pytest.raises(ParameterError, match=r"^alpha must be a number from 0.001 to 1000"):
        values_between(alpha, 1, 1e4, 5)


GRID = MethodGrid("grro", grid={"alpha": [0.1, 10], "beta": [1, 0.01]})
SETTINGS = {"repeats": 2, "sizes": [1, 3]}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    plan = Plan("sweep", ["small"], [GRID], settings=SETTINGS, seeds=[3, 4])
    with Store(tmp_path_factory.mktemp("sweep") / "s.sqlite") as store:
        run(plan, store, engine=Here(), datasets=DATASETS)
        yield store.results(plan)


def rows_of(seed, alpha, beta):
    protocol = get_protocol("quick", repeats=2, sizes=(1, 3))
    return compare([SMALL], [("grro", {"alpha": alpha, "beta": beta})], protocol, seed=seed)


def test_a_row_is_the_mean_over_splits_and_seeds(results):
    table = sweep_table(results, ["alpha", "beta"], "hamming_loss", 3).set_index(["alpha", "beta"])
    assert list(table.index) == [(0.1, 0.01), (0.1, 1), (10, 0.01), (10, 1)]
    for alpha, beta in table.index:
        rows = pd.concat([rows_of(seed, alpha, beta) for seed in (3, 4)])
        values = rows[(rows["size"] == 3) & (rows["metric"] == "hamming_loss")]["value"]
        assert table.loc[(alpha, beta)].tolist() == pytest.approx([values.mean(), values.std(ddof=1), 4])


def test_acr_is_the_sum_over_the_curve(results):
    table = sweep_table(results, ["alpha", "beta"], ACR, None).set_index(["alpha", "beta"])
    rows = pd.concat([rows_of(seed, 10.0, 1.0).assign(seed=seed) for seed in (3, 4)])
    curves = rows.pivot_table(index=["seed", "repeat", "size"], columns="metric", values="value")
    acr = [average_classification_result(curve) for _, curve in curves.groupby(level=["seed", "repeat"])]
    assert table.loc[(10, 1)].tolist() == pytest.approx([np.mean(acr), np.std(acr, ddof=1), 4])


def test_a_landscape_has_the_plans_axes_and_gaps_where_nothing_is(results):
    full = sweep_table(results, ["alpha", "beta"], "ranking_loss", "mean")
    scape = landscape(full[full["beta"] == 1], ("alpha", "beta"), GRID)
    assert (scape.first, scape.second) == ((0.1, 10.0), (1.0, 0.01))
    assert np.isnan(scape.values[:, 1]).all()
    expected = full.set_index(["alpha", "beta"])["mean"]
    assert scape.values[:, 0].tolist() == [expected[0.1, 1], expected[10, 1]]


def test_numbers_tell_the_size_and_a_slice_holds_a_parameter(results):
    table = numbers(held_at(results, {"beta": 1.0}), ["alpha"], "hamming_loss", [1, "mean", None])
    assert table["features"].tolist() == [1, 1, "mean", "mean", "own", "own"]
    assert table["alpha"].tolist() == [0.1, 10] * 3
    last = sweep_table(results, ["alpha", "beta"], "hamming_loss", 3).query("beta == 1")["mean"]
    assert table["mean"].tolist()[4:] == last.tolist()


def hand(parameters, repeat, value, n_selected, error=""):
    cell = {"dataset": "d", "method": "mapd", "parameters": parameters, "repeat": repeat, "seed": 0, "size": n_selected}
    return {**cell, "metric": "hamming_loss", "value": value, "n_selected": n_selected, "error": error}


def test_own_sizes_and_failures_by_hand():
    rows = pd.DataFrame(
        [
            hand('{"alpha": 0.6}', 0, 0.2, 3),
            hand('{"alpha": 0.6}', 1, 0.4, 5),
            hand('{"alpha": 0.9}', 0, 0.1, 9),
            hand('{"alpha": 0.9}', 1, np.nan, np.nan, "It failed."),
        ]
    )
    table = sweep_table(rows, ["alpha"], "hamming_loss", None)
    assert table["mean"].tolist() == pytest.approx([0.3, 0.1])
    assert table["repeats"].tolist() == [2, 1]
    assert selected_table(rows, ["alpha"])["mean"].tolist() == [4, 9]
    curve = as_curve(table, "alpha", "mapd", "hamming_loss")
    assert curve["size"].tolist() == [0.6, 0.9]
    assert sweep_table(rows, ["alpha"], ACR, None).empty


def test_what_is_no_sweep_says_where_to_go():
    with pytest.raises(StudyError, match=r"^The study 'two' is not a sweep of one method: open it on Compare\.$"):
        swept_method(Plan("two", ["small"], ["els", GRID]))


def swept(means, deviation, names=("k",)):
    values = {name: [1.0 + place for place in range(len(means))] for name in names}
    return pd.DataFrame({**values, "mean": means, "std": deviation, "repeats": 5})


@pytest.mark.parametrize(
    ("table", "names", "metric", "size", "expected"),
    [
        (
            swept([0.3, 0.2, 0.25], 0.05),  # 0.1 apart, splits 0.05
            ["k"],
            "hamming_loss",
            30,
            "Hamming loss with 30 features is lowest at k = 2: 0.2000 ± 0.0500. At k = 1 it is highest: 0.3000. The "
            "gap is wider than the variation between splits.",
        ),
        (
            swept([0.3, 0.4], 0.2),
            ["k"],
            "macro_f1",
            "mean",
            "Macro-F1, averaged over the numbers of features, is highest at k = 2: 0.4000 ± 0.2000. At k = 1 it is "
            "lowest: 0.3000. The gap lies within the variation between splits (± 0.2000), so k hardly matters here.",
        ),
        (
            swept([2.0, 3.0], np.nan, ("alpha", "beta")).assign(repeats=1),
            ["alpha", "beta"],
            ACR,
            None,
            "ACR is lowest at alpha = 1 and beta = 1: 2.0000. At alpha = 2 and beta = 2 it is highest: 3.0000; with "
            "1 split, that may be chance.",
        ),
        (swept([0.3], 0.1), ["k"], "hamming_loss", None, "Hamming loss is lowest at k = 1: 0.3000 ± 0.1000."),
        (swept([], 0.1), ["k"], "hamming_loss", None, ""),
    ],
)
def test_the_answer_of_a_sweep(table, names, metric, size, expected):
    assert best_of_sweep(table, names, metric, size) == expected
