"""The rules for the number of features, on curves worked by hand."""

import math

import numpy as np
import pandas as pd
import pytest

from mlfs.answer.size import SizeRule, choose_size, parse_rule
from mlfs.errors import ParameterError


def curve(means, std=0.0, metric="hamming_loss", sizes=None, **more):
    sizes = sizes or range(1, len(means) + 1)
    return pd.DataFrame({"size": list(sizes), metric: means, f"{metric}_std": std, **more})


# Nine splits: a deviation of 0.09 is a standard error of 0.03. The best is 0.20 at five features: up to 0.23 will do.
LOSSES = curve([0.40, 0.26, 0.23, 0.21, 0.20, 0.22], 0.09)


@pytest.mark.parametrize(
    ("rule", "size"),
    [
        ("best", 5),
        ("one_standard_error", 3),
        ("tolerance=0", 5),
        ("tolerance=0.04", 5),
        ("tolerance=0.05", 4),  # 0.20 · 1.05 = 0.21, the mean of four features, whatever rounding makes of it
        ("tolerance=0.3", 2),
        ("tolerance=1", 1),
        ("number=6", 6),
    ],
)
def test_losses(rule, size):
    assert choose_size(LOSSES, "hamming_loss", 9, parse_rule(rule)).size == size


def test_all_that_is_said_of_a_choice():
    choice = choose_size(LOSSES, "hamming_loss", 9)
    assert (choice.size, choice.best_size, choice.splits, choice.metric) == (3, 5, 9, "hamming_loss")
    assert (choice.mean, choice.best_mean) == (0.23, 0.20)
    assert choice.standard_error == choice.best_standard_error == pytest.approx(0.03)
    assert choice.limit == pytest.approx(0.23)


def test_the_error_that_counts_is_that_of_the_best_size():
    uneven = curve([0.40, 0.26, 0.23, 0.21, 0.20, 0.22], [0.9, 0.9, 0.9, 0.03, 0.03, 0.9])
    assert choose_size(uneven, "hamming_loss", 9).size == 4


def test_more_splits_are_a_smaller_error():
    assert [choose_size(LOSSES, "hamming_loss", splits).size for splits in (1, 2, 9, 100)] == [2, 2, 3, 5]


def test_where_higher_is_better():
    scores = curve([0.60, 0.74, 0.77, 0.79, 0.80, 0.78], 0.09, "macro_f1")
    assert choose_size(scores, "macro_f1", 9).size == 3
    assert choose_size(scores, "macro_f1", 9).limit == pytest.approx(0.77)
    assert choose_size(scores, "macro_f1", 9, SizeRule("best")).size == 5
    # 0.80 · 0.9875 = 0.79
    assert choose_size(scores, "macro_f1", 9, SizeRule("tolerance", tolerance=0.0125)).size == 4
    assert choose_size(scores, "macro_f1", 9, SizeRule("tolerance", tolerance=0.012)).size == 5


def test_of_equal_means_the_fewest_features_are_the_best():
    choice = choose_size(curve([0.3, 0.2, 0.2 - 1e-16, 0.2]), "hamming_loss", 5, SizeRule("best"))
    assert choice.size == choice.best_size == 2


def test_one_split_has_no_error():
    choice = choose_size(curve([0.4, 0.21, 0.2], math.nan), "hamming_loss", 1)
    assert (choice.size, choice.best_size, choice.limit) == (3, 3, 0.2)
    assert math.isnan(choice.standard_error)


def test_the_order_of_the_rows_does_not_count():
    turned = LOSSES.iloc[::-1]
    assert choose_size(turned, "hamming_loss", 9) == choose_size(LOSSES, "hamming_loss", 9)


def test_a_size_that_some_splits_lack_is_left_out():
    partly = curve([0.4, 0.1, 0.3], 0.0, splits=[3, 1, 3])
    assert choose_size(partly, "hamming_loss", 3, SizeRule("best")).size == 3
    # Unless all sizes are like that, as those that set methods choose.
    partly = curve([0.4, 0.1, 0.3], 0.0, splits=[1, 1, 1])
    assert choose_size(partly, "hamming_loss", 3, SizeRule("best")).size == 2


def test_a_size_without_a_value_is_left_out():
    assert choose_size(curve([np.nan, 0.2, 0.3]), "hamming_loss", 3).best_size == 2
    with pytest.raises(ParameterError, match="No size has a value of hamming_loss"):
        choose_size(curve([np.nan]), "hamming_loss", 3)


def test_a_number_that_was_not_measured():
    with pytest.raises(ParameterError, match=r"^7 features were not measured: choose from 1, 2, 3, 4, 5, 6\.$"):
        choose_size(LOSSES, "hamming_loss", 9, SizeRule("number", number=7))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("bset", "There is no rule 'bset': did you mean 'best'?"),
        ("number", "The rule number needs the number of features, such as number=10."),
        ("number=0", "number must be a whole number from 1"),
        ("tolerance=much", "tolerance must be a number from 0 to 1, not 'much'."),
        ("best=3", "Only the rules tolerance and number take a value, not 'best'."),
    ],
)
def test_a_rule_that_is_none(text, sentence):
    with pytest.raises(ParameterError) as problem:
        parse_rule(text)
    assert str(problem.value).startswith(sentence)


@pytest.mark.parametrize("text", ["best", "one_standard_error", "tolerance=0.05", "number=12"])
def test_rules_as_words(text):
    assert parse_rule(text).text == text
