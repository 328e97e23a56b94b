"""Which runs are averaged, which are marked, and what is said about the rest."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mlfs.errors import ParameterError
from mlfs.evaluation import compare
from mlfs.tables import summary
from mlfs.tables.sheet import caption

SEVEN = [0.31, 0.35, 0.28, 0.33, 0.30, 0.36, 0.29]


def results(values, metric="hamming_loss", dataset="flags", size=10) -> pd.DataFrame:
    """Rows as `compare` writes them, from method → values of its repeats (None: not run, text: failed)."""
    rows = []
    for method, measured in values.items():
        for repeat, value in enumerate(measured):
            row = {"dataset": dataset, "method": method, "parameters": "{}", "repeat": repeat, "seconds": 0.1}
            if isinstance(value, str):
                rows.append({**row, "size": np.nan, "metric": "", "value": np.nan, "error": value})
            elif value is not None:
                rows.append({**row, "size": size, "metric": metric, "value": value, "error": ""})
    return pd.DataFrame(rows)


def test_means_deviations_and_marks_by_hand():
    near = [value + shift for value, shift in zip(SEVEN, [0.02, -0.01] * 3 + [0.0], strict=True)]
    far = [value + 0.1 + 0.001 * i for i, value in enumerate(SEVEN)]
    losses = summary(results({"els": SEVEN, "mfs": near, "random": far}), "hamming_loss")
    for setting, measured in (("els", SEVEN), ("mfs", near), ("random", far)):
        assert losses.mean.loc["flags", setting] == pytest.approx(sum(measured) / 7)
        assert losses.std.loc["flags", setting] == pytest.approx(np.std(measured, ddof=1))
        assert losses.repeats.loc["flags", setting] == 7
        told_apart = setting != "els" and stats.ttest_rel(SEVEN, measured).pvalue <= 0.05
        assert losses.not_worse.loc["flags", setting] == (not told_apart)
    assert list(losses.best.loc["flags"]) == [True, False, False]
    assert list(losses.not_worse.loc["flags"]) == [True, True, False]
    assert losses.notes == ()


def test_direction_comes_from_the_metric():
    for values in ({"els": [0.1, 0.2], "mfs": [0.5, 0.7]}, {"els": [0.1], "mfs": [0.5]}):
        scores = summary(results(values, "macro_f1"), "macro_f1")
        assert list(scores.best.loc["flags"]) == [False, True]


def test_level_of_the_test():
    values = {"els": [0.10, 0.12, 0.11, 0.13, 0.12], "mfs": [0.13, 0.13, 0.15, 0.14, 0.11]}
    p_value = stats.ttest_rel(*values.values()).pvalue
    for alpha in (p_value * 0.9, p_value * 1.1):
        assert summary(results(values), "hamming_loss", alpha=alpha).not_worse.loc["flags", "mfs"] == (alpha < p_value)
    with pytest.raises(ParameterError, match="alpha=5 must be"):
        summary(results(values), "hamming_loss", alpha=5)


@pytest.mark.parametrize("repeats", [1, 3, 4])
def test_few_repeats_have_a_best_and_nothing_underlined(repeats):
    """Of 0.20, 0.24, 0.28, … and 0.29, 0.20, 0.33, … three or four pairs tell nothing."""
    near = [0.29, 0.20, 0.33, 0.31][:repeats]
    values = {"els": [0.20, 0.24, 0.28, 0.32][:repeats], "mfs": [0.20, 0.24, 0.28, 0.32][:repeats], "random": near}
    losses = summary(results(values), "hamming_loss")
    assert list(losses.best.loc["flags"]) == [True, True, False]
    assert losses.best.equals(losses.not_worse)
    assert caption(losses, str).endswith("best: the best of a row; testing the others against it needs 5 repeats.")
    values = {method: [*measured, *measured, *measured, *measured, *measured] for method, measured in values.items()}
    assert "a test of" not in caption(summary(results(values), "hamming_loss"), str)


def test_one_repeat_has_no_deviation():
    assert np.isnan(summary(results({"els": [0.1], "mfs": [0.2]}), "hamming_loss").std.to_numpy()).all()


def test_one_method_has_no_rival():
    losses = summary(results({"els": [0.1, 0.2]}), "hamming_loss")
    assert not losses.best.to_numpy().any()
    assert losses.notes == ()


@pytest.mark.parametrize(("size", "expected"), [(None, 0.45), (10, 0.25), ("mean", 0.35), ("best", 0.25), (20, 0.45)])
def test_sizes(size, expected):
    rows = pd.concat([results({"els": [0.4, 0.5]}, size=20), results({"els": [0.2, 0.3]}, size=10)])
    everything = results({"all_features": [0.3, 0.3]}, size=99)
    losses = summary(pd.concat([rows, everything]), "hamming_loss", size)
    assert losses.mean.loc["flags", "els"] == pytest.approx(expected)
    assert losses.mean.loc["flags", "all_features"] == pytest.approx(0.3)
    assert losses.notes == ()


def test_best_size_of_each_repeat_of_a_score_is_its_highest():
    rows = pd.concat([results({"els": [0.1, 0.9]}, "macro_f1", size=s) for s in (1,)])
    rows = pd.concat([rows, results({"els": [0.5, 0.2]}, "macro_f1", size=2)])
    assert summary(rows, "macro_f1", "best").mean.loc["flags", "els"] == pytest.approx(0.7)


def test_failed_method_keeps_its_reason():
    losses = summary(results({"els": [0.2, 0.3], "mfs": ["Too large.", "Too large."]}), "hamming_loss")
    assert np.isnan(losses.mean.loc["flags", "mfs"])
    assert losses.failures.loc["flags"].to_dict() == {"els": "", "mfs": "Too large."}
    assert losses.notes == ("MFS: no value on flags. Too large.",)


def test_method_that_failed_sometimes_is_shown_but_not_marked():
    losses = summary(
        results({"els": [0.2, 0.3, 0.4], "mfs": [0.1, "Too large.", 0.1], "d2f": [0.3, 0.4, 0.6]}), "hamming_loss"
    )
    assert losses.mean.loc["flags"].to_dict() == pytest.approx({"els": 0.3, "mfs": 0.1, "d2f": 1.3 / 3})
    assert losses.best.loc["flags"].to_dict() == {"els": True, "mfs": False, "d2f": False}
    assert not losses.not_worse.loc["flags", "mfs"]
    assert losses.notes == ("MFS: values of only 2 repeats, and no mark, on flags. Too large.",)


def test_repeats_still_to_come_are_left_out_for_all():
    losses = summary(results({"els": [0.2, 0.3, 0.9], "mfs": [0.4, 0.5, None]}), "hamming_loss")
    assert losses.mean.loc["flags"].to_dict() == pytest.approx({"els": 0.25, "mfs": 0.45})
    assert list(losses.repeats.loc["flags"]) == [2, 2]
    assert "only shared ones are compared" in losses.notes[0]


def test_methods_that_share_no_repeat_are_not_marked():
    losses = summary(results({"els": [0.2, None], "mfs": [None, 0.5]}), "hamming_loss")
    assert losses.mean.loc["flags"].to_dict() == pytest.approx({"els": 0.2, "mfs": 0.5})
    assert not losses.best.to_numpy().any()


def test_size_that_one_method_never_reached():
    rows = pd.concat([results({"els": [0.2, 0.3], "mfs": [0.1, 0.1]}), results({"els": [0.2, 0.3]}, size=50)])
    losses = summary(rows, "hamming_loss", 50)
    assert losses.failures.loc["flags", "mfs"] == "It has no run with 50 features."
    with pytest.raises(ParameterError, match=r"^No run has 7 features: choose from 10, 50\.$"):
        summary(rows, "hamming_loss", 7)
    with pytest.raises(ParameterError, match=r"^There is no size 'bset': did you mean 'best'\?$"):
        summary(rows, "hamming_loss", "bset")


def test_means_over_different_sizes_are_owned_up_to():
    rows = pd.concat([results({"els": [0.2, 0.3], "mfs": [0.1, 0.1]}), results({"els": [0.2, 0.3]}, size=50)])
    assert summary(rows, "hamming_loss", "mean").notes == (
        "The means are over different sizes for different methods on flags.",
    )


def test_undefined_metric_is_a_reason():
    losses = summary(results({"els": [0.2, np.nan], "mfs": [0.3, 0.4]}, "macro_auc"), "macro_auc")
    assert losses.failures.loc["flags", "els"] == "The metric is not defined on a split."
    assert losses.mean.loc["flags", "els"] == pytest.approx(0.2)


def test_data_sets_and_methods_keep_their_order_and_gaps_stay_gaps():
    rows = pd.concat([results({"mfs": [0.2, 0.3]}, dataset="yeast"), results({"els": [0.2, 0.3]}, dataset="birds")])
    losses = summary(rows, "hamming_loss")
    assert (list(losses.mean.index), list(losses.mean.columns)) == (["yeast", "birds"], ["mfs", "els"])
    assert losses.failures.loc["birds", "mfs"] == ""
    assert losses.repeats.loc["birds", "mfs"] == 0


def test_nothing_but_failures():
    losses = summary(results({"els": ["Boom."]}), "hamming_loss", 10)
    assert np.isnan(losses.mean.to_numpy()).all()
    assert losses.failures.loc["flags", "els"] == "Boom."


def test_wrong_metric_and_wrong_table():
    rows = results({"els": [0.2, 0.3]})
    with pytest.raises(
        ParameterError, match=r"^The results hold no metric 'haming_loss': did you mean 'hamming_loss'\?$"
    ):
        summary(rows, "haming_loss")
    with pytest.raises(
        ParameterError, match=r"^The table of results lacks the column 'size'; it needs dataset, method"
    ):
        summary(rows.drop(columns="size"), "hamming_loss")


def test_input_is_not_changed():
    rows = results({"els": [0.2, 0.3], "mfs": [0.1, "Boom."]})
    before = rows.copy()
    summary(rows, "hamming_loss", 10)
    pd.testing.assert_frame_equal(rows, before)


def test_a_real_comparison():
    rows = compare(["emotions", "nowhere"], ["els", ("grro", {"alpha": 10.0}), "grro", "all_features"], "quick")
    losses = summary(rows, "ranking_loss", "mean")
    on_emotions = rows[(rows["metric"] == "ranking_loss") & (rows["dataset"] == "emotions")]
    assert losses.mean.loc["emotions", "els"] == pytest.approx(
        on_emotions[on_emotions["method"] == "els"]["value"].mean()
    )
    assert list(losses.mean.columns) == ["els", "grro:alpha=10", "grro", "all_features"]
    assert "nowhere" in losses.failures.loc["nowhere", "els"]
    assert len(losses.tidy()) == 8


def test_repeats_of_other_seeds_are_other_repeats():
    first, second = [0.1, 0.2], [0.3, 0.6]
    rows = pd.concat(
        [
            results({"els": measured, "mfs": [0.4, 0.4]}).assign(seed=seed)
            for seed, measured in enumerate((first, second))
        ]
    )
    losses = summary(rows, "hamming_loss")
    assert losses.mean.loc["flags", "els"] == pytest.approx(0.3)
    assert losses.std.loc["flags", "els"] == pytest.approx(np.std(first + second, ddof=1))
    assert losses.repeats.loc["flags"].tolist() == [4, 4]
    assert summary(rows, "hamming_loss", "mean").repeats.loc["flags"].tolist() == [4, 4]
