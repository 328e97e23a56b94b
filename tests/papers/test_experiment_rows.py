"""From cells to the rows of a table or figure, by hand."""

from __future__ import annotations

import pandas as pd
import pytest

from mlfs.papers import get_experiment
from mlfs.papers.experiment_rows import acr, best_settings, friedman_rows, over_splits, over_splits_and_sizes
from mlfs.statistics import friedman
from tests.papers.cells import by_setting, cells, result


def read(paper, name, rows):
    return get_experiment(paper, name).reader(cells(rows))


def test_means_over_splits_and_over_sizes():
    rows = pd.DataFrame(
        [result("els", "hamming_loss", size, value, repeat) for size, repeat, value in
         [(1, 0, 0.1), (1, 1, 0.3), (5, 0, 0.2), (5, 1, 0.6)]]
    )  # fmt: skip
    found = over_splits(rows).set_index("size")
    assert found["value"].to_dict() == {1: pytest.approx(0.2), 5: pytest.approx(0.4)}
    assert found["std"].to_dict() == {1: pytest.approx(0.02**0.5), 5: pytest.approx(0.08**0.5)}
    [both] = over_splits_and_sizes(rows).to_dict("records")
    assert (both["value"], both["n"]) == (pytest.approx(0.3), 2)  # two splits, four values
    assert both["std"] == pytest.approx((0.14 / 3) ** 0.5)


def test_acr_sums_both_losses_over_thirty_sizes_whatever_their_order():
    rows = [
        result("pmu", metric, size, value) for metric, value in (("hamming_loss", 0.1), ("ranking_loss", 0.2))
        for size in reversed(range(1, 51))
    ]  # fmt: skip
    rows += [result("pmu", "hamming_loss", 51, 99.0), result("pmu", "ranking_loss", 51, 99.0)]
    assert acr(pd.DataFrame(rows)).to_dict() == {"pmu": pytest.approx(9.0)}


def test_of_equal_settings_the_first_is_taken():
    rows = pd.DataFrame([result(f"grro:alpha={alpha}", "acr", 1, 0.0) for alpha in (1, 10, 100)])
    scores = pd.Series({"grro:alpha=1": 2.0, "grro:alpha=10": 1.0, "grro:alpha=100": 1.0})
    assert best_settings(rows, scores).to_dict() == {"grro": "grro:alpha=10"}


def test_lee_kim_reads_fifty_features_and_all():
    rows = [
        result("all_features", "hamming_loss", 103, 0.5),
        result("els:n_labels=3", "hamming_loss", 45, 0.9),
        result("els:n_labels=3", "hamming_loss", 50, 0.3),
        result("els:n_labels=3", "ranking_loss", 50, 0.7),
    ]
    found = read("lee_kim_2016", "table5", rows)
    assert by_setting(found) == {"all_features": 0.5, "els": 0.3}
    assert by_setting(found, "chosen") == {"all_features": "", "els": "n_labels=3"}
    assert by_setting(read("lee_kim_2016", "table6", rows)) == {"els": 0.7}
    assert list(read("lee_kim_2016", "figure4", rows)["size"]) == [45, 50]


def test_lee_kim_takes_the_y_of_least_hamming_loss_at_fifty():
    losses = {1: (0.4, 0.2), 7: (0.2, 0.2), 14: (0.1, 0.5)}  # at two splits; 7 has the least mean
    rows = [
        result(f"els:n_labels={y}", "hamming_loss", 50, value, repeat)
        for y, values in losses.items()
        for repeat, value in enumerate(values)
    ]
    rows.append(result("els:n_labels=14", "hamming_loss", 10, 0.0))
    [row] = read("lee_kim_2016", "table2", rows).to_dict("records")
    assert (row["value"], row["n"]) == (7.0, 2)
    assert row["chosen"] == "Hamming loss 0.2000; at the worst |Y| = 1 it is 0.3000"


def test_wang_takes_the_weight_of_highest_average_precision_for_every_metric():
    rows = []
    for weight, precision, loss in ((0.001, 0.6, 0.1), (1, 0.8, 0.3)):
        for size in (7, 14):
            rows.append(result(f"mifs:gamma={weight}", "average_precision", size, precision))
            rows.append(result(f"mifs:gamma={weight}", "hamming_loss", size, loss))
    [row] = read("wang_2020_elc", "table2c", rows).to_dict("records")
    assert (row["setting"], row["value"], row["chosen"]) == ("mifs", pytest.approx(0.3), "gamma=1")


def test_zhou_calls_mapd_by_its_name_where_the_paper_does():
    rows = [result(f"mapd:alpha={alpha}", "hamming_loss", 3, alpha) for alpha in (0.6, 0.7)]
    rows.append(result("scls", "hamming_loss", 3, 0.5))
    assert by_setting(read("zhou_2023_mapd", "II", rows)) == {"mapd:alpha=0.6": 0.6, "mapd:alpha=0.7": 0.7}
    assert by_setting(read("zhou_2023_mapd", "IV", rows)) == {"mapd": 0.6, "scls": 0.5}
    assert by_setting(read("zhou_2023_mapd", "figure2", rows)) == {"mapd": 3.0, "scls": 3.0}


def zhang_rows():
    """ACR is least for alpha = 1 and alpha = 10 in GRRO, and at alpha = 10 for k = 5 in GRRO-LS."""
    losses = {
        "grro:alpha=0.1,beta=1,variant=authors": 0.3,
        "grro:alpha=1,beta=1,variant=authors": 0.2,
        "grro:alpha=10,beta=1,variant=authors": 0.2,
        "grro_ls:alpha=1,beta=1,k=5,variant=authors": 0.4,
        "grro_ls:alpha=1,beta=1,k=10,variant=authors": 0.1,
        "grro_ls:alpha=10,beta=1,k=5,variant=authors": 0.5,
        "grro_ls:alpha=10,beta=1,k=10,variant=authors": 0.6,
        "pmu": 0.7,
        "d2f": 0.4,
    }
    return [
        result(setting, metric, size, 1 - loss if metric == "macro_f1" else loss)
        for setting, loss in losses.items()
        for metric in ("hamming_loss", "ranking_loss", "macro_f1")
        for size in (1, 2)
    ]


def test_zhang_takes_the_parameters_of_least_acr():
    found = read("zhang_2020_grro", "table2", zhang_rows())
    assert by_setting(found) == {"grro": 0.8, "grro_ls": 0.5, "pmu": pytest.approx(0.3), "mdmr": pytest.approx(0.6)}
    # Of equal alphas the last, and for GRRO-LS the same; the row called MDMR was computed by D2F.
    chosen = {"grro": "alpha=10,beta=1", "grro_ls": "alpha=10,beta=1,k=5", "pmu": "", "mdmr": ""}
    assert by_setting(found, "chosen") == chosen
    [row] = read("zhang_2020_grro", "table5", zhang_rows()).to_dict("records")
    assert (row["value"], row["chosen"]) == (5.0, "alpha=10,beta=1,k=5")
    curves = read("zhang_2020_grro", "figure2", zhang_rows())
    assert len(curves) == 4 * 3 * 2


def test_zhang_draws_k_at_the_alpha_and_beta_of_grro():
    found = read("zhang_2020_grro", "figure3", zhang_rows())
    assert by_setting(found) == {
        "grro:alpha=0.1,beta=1": pytest.approx(1.2),  # two losses at two sizes
        "grro:alpha=1,beta=1": pytest.approx(0.8),
        "grro:alpha=10,beta=1": pytest.approx(0.8),
        "grro_ls:k=5": pytest.approx(2.0),
        "grro_ls:k=10": pytest.approx(2.4),
    }


def test_friedman_of_the_data_sets_that_have_all_methods():
    values = {"a": (0.1, 0.2, 0.3), "b": (0.2, 0.1, 0.3), "c": (0.1, 0.2, 0.2)}  # a tie, not corrected for
    rows = pd.DataFrame(
        [{"dataset": name, "setting": method, "metric": "hamming_loss", "value": value}
         for name, own in values.items() for method, value in zip("xyz", own, strict=True)]
        + [{"dataset": "d", "setting": "x", "metric": "hamming_loss", "value": 9.0}]
    )  # fmt: skip
    found = friedman_rows(rows)
    expected = friedman(pd.DataFrame(values, index=list("xyz")).T, tie_correction=False)
    assert dict(zip(found["metric"], found["value"], strict=True)) == {
        "friedman_F": expected.F,
        "critical_value": expected.critical_value(),
    }
    assert found["n"].tolist() == [3, 3]
    assert found["chosen"].tolist() == ["a, b, c"] * 2
    assert friedman_rows(rows[rows["dataset"] == "a"]).empty


@pytest.mark.parametrize("name", ["table5", "figure3"])
def test_a_run_without_its_own_method_gives_nothing(name):
    """Stopped before it came to it, or every cell of it failed."""
    rows = [result("pmu", metric, 1, 0.1) for metric in ("hamming_loss", "ranking_loss")]
    assert read("zhang_2020_grro", name, rows).empty


def test_two_methods_are_too_few_for_a_test():
    rows = [{"dataset": name, "setting": method, "metric": "hamming_loss", "value": 0.1}
            for name in ("a", "b") for method in ("els", "mfs")]  # fmt: skip
    assert friedman_rows(pd.DataFrame(rows)).empty
