"""How far the benchmark agrees with printed tables: by hand, on shared data sets, by the paper's own classifier."""

import numpy as np
import pandas as pd
import pytest

from mlfs.benchmark import read_benchmark
from mlfs.benchmark.rank_correlations import _compared, correlations_table, judge_of, rank_correlations
from mlfs.evaluation.protocols import PROTOCOLS
from mlfs.papers import PAPERS, as_grid
from tests.benchmark.made import made_benchmark

MEASURED = pd.DataFrame(
    {"a": [0.1, 0.1, 0.3, 0.3], "b": [0.2, 0.2, 0.2, 0.2], "c": [0.3, 0.3, 0.1, 0.1], "d": 0.9},
    index=["one", "two", "three", "four"],
)


def test_correlations_by_hand():
    # Printed: a before b before c. Measured on one and two the same, on three and four the opposite.
    printed = pd.DataFrame({"a": [1.0] * 3, "all_features": 0.0, "b": 2.0, "c": 3.0}, index=["one", "two", "elsewhere"])
    found = _compared(printed, MEASURED, lower=True)
    assert (found["methods"], found["datasets"], found["shared"]) == ("a, b, c", 3, 2)
    assert np.isnan([found["spearman"], found["spearman_shared"]]).all()  # all tie; two shared sets are too few
    three = printed.set_axis(["one", "two", "three"])
    found = _compared(three, MEASURED, lower=True)
    # Average ranks here are 5/3, 2 and 7/3: the printed order.
    assert (found["spearman_shared"], found["kendall_shared"]) == pytest.approx((1, 1))
    # Where more is better both orders turn round, and agree as before.
    assert _compared(three, MEASURED, lower=False)["spearman_shared"] == pytest.approx(1)
    assert _compared(-three, MEASURED, lower=True)["spearman_shared"] == pytest.approx(-1)


def test_two_methods_have_no_order_to_speak_of():
    assert _compared(pd.DataFrame({"a": [1.0], "b": [2.0]}, index=["one"]), MEASURED, lower=True) is None


def test_a_paper_is_judged_by_its_own_classifier():
    assert {name: judge_of(name) for name in PROTOCOLS if name in PAPERS} == {
        "lee_kim_2016": "brlr",
        "wang_2020_elc": "mlknn",
        "sechidis_2014": "mlknn",
        "zhou_2023_mapd": "mlknn",
        "zhang_2020_grro": "mlknn",
    }


def test_every_table_of_methods_is_compared():
    rows = rank_correlations(read_benchmark())
    assert set(rows["paper"]) == set(PAPERS) - {"sechidis_2014"}
    assert set(rows.loc[rows["metric"] == "selection_seconds", "table"]) == {"3", "4"}
    for row in rows.itertuples():
        printed = as_grid(row.paper, row.table, row.metric)
        assert set(row.methods.split(", ")) <= set(printed.columns)
        assert row.shared <= row.datasets == len(printed)
    shown = correlations_table(rows)
    assert shown["Spearman"].tolist() == rows["spearman"].tolist()
    assert shown["Methods"].tolist() == [len(methods.split(", ")) for methods in rows["methods"]]


def test_a_benchmark_that_shares_nothing_has_no_rows():
    made = made_benchmark()
    assert rank_correlations(made).empty
    assert correlations_table(rank_correlations(made)).empty
