"""The sentence above a comparison: who is best, by how much, and whether that may be chance."""

import pandas as pd
import pytest

from mlfs.tables import summary
from mlfs.tables.answer import best_method
from tests.tables.test_method_summary import results

FIVE = [0.20, 0.22, 0.24, 0.26, 0.28]  # mean 0.24, deviation √(0.004 / 4) = 0.0316


def shifted(by):
    return [value + by for value in FIVE]


def sentence(values, metric="hamming_loss", size=None):
    return best_method(summary(results(values, metric), metric, size))


def test_the_best_of_one_data_set_and_what_all_features_give():
    values = {"els": shifted(0.1), "grro": FIVE, "all_features": shifted(0.05)}
    assert sentence(values) == (
        "With the most features measured, GRRO has the lowest Hamming loss on flags, 0.2400 ± 0.0316; "
        "all features give 0.2900."
    )


@pytest.mark.parametrize(
    ("size", "start"),
    [
        (10, "With 10 features"),
        ("mean", "On average over the numbers of features"),
        ("best", "At the best number of features of each repeat"),
    ],
)
def test_it_says_at_which_size(size, start):
    assert sentence({"els": shifted(0.1), "grro": FIVE}, size=size).startswith(f"{start}, GRRO has the lowest")


def test_what_is_not_significantly_worse_is_named():
    near = [value + shift for value, shift in zip(FIVE, [0.02, -0.01, 0.02, -0.01, 0.0], strict=True)]
    values = {"els": near, "grro": FIVE, "random": shifted(0.1)}
    assert sentence(values).endswith("0.2400 ± 0.0316. ELS is not significantly worse.")


def test_no_method_may_beat_all_features():
    said = sentence({"els": shifted(0.1), "grro": shifted(0.02), "all_features": FIVE})
    assert said.endswith(" no method beats all features on flags, 0.2400; GRRO is nearest, 0.2600 ± 0.0316.")


@pytest.mark.parametrize(("repeats", "words"), [(1, "1 repeat"), (3, "3 repeats")])
def test_few_repeats_are_owned_up_to(repeats, words):
    assert sentence({"els": FIVE[:repeats], "mfs": shifted(0.1)[:repeats]}).endswith(
        f"With {words} that may be chance."
    )


def test_a_score_is_best_where_it_is_highest():
    said = sentence({"els": FIVE, "grro": shifted(0.1)}, "macro_f1")
    assert "GRRO has the highest macro-F1 on flags, 0.3400" in said


def test_several_data_sets_are_counted():
    rows = [results({"els": FIVE, "mfs": shifted(0.1)}, dataset=name) for name in ("flags", "yeast")]
    rows.append(results({"els": shifted(0.1), "mfs": FIVE}, dataset="birds"))
    said = best_method(summary(pd.concat(rows), "hamming_loss"))
    assert said.endswith(" ELS has the lowest Hamming loss on 2 of 3 data sets (flags, yeast); MFS on birds.")


def test_where_each_data_set_has_a_best_method_of_its_own_none_leads():
    rows = [
        results({"els": FIVE, "mfs": shifted(0.1)}, dataset="flags"),
        results({"els": shifted(0.1), "mfs": FIVE}, dataset="birds"),
    ]
    said = best_method(summary(pd.concat(rows), "hamming_loss"))
    assert said.endswith(
        " a different method has the lowest Hamming loss on each data set: ELS on flags, MFS on birds."
    )


def test_where_all_features_do_better_than_any_method_it_is_said():
    rows = [results({"els": FIVE, "all_features": shifted(0.1)}, dataset=name) for name in ("flags", "yeast")]
    rows.append(results({"els": shifted(0.1), "all_features": FIVE}, dataset="birds"))
    said = best_method(summary(pd.concat(rows), "hamming_loss"))
    assert said.endswith(" ELS has the lowest Hamming loss on all 3 data sets. On birds all features do better still.")


def test_nothing_known_is_no_sentence():
    assert sentence({"els": ["Too large."], "mfs": ["Too large."]}) == ""
