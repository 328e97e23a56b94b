"""The rules by which a result counts as reproduced, on numbers made for them."""

import numpy as np
import pandas as pd
import pytest

from mlfs.papers import get_table
from mlfs.papers.agreement import RULE, Agreement, by_order, by_share, combined, overall, reproduced

AGREES, IN_PART, DIFFERS, OPEN = Agreement


def pair(published, measured, rounding=0.0, beyond=False):
    difference = np.nan if beyond else measured - published
    return {"published": published, "measured": measured, "difference": difference, "rounding": rounding}


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        (pair(0.200, 0.219), True),
        (pair(0.200, 0.181), True),
        (pair(0.200, 0.221), False),
        (pair(0.001, 0.0014, rounding=0.0005), True),
        (pair(0.001, 0.0016, rounding=0.0005), False),
        (pair(1000.0, 4000.0, beyond=True), True),
    ],
)
def test_a_number_is_reproduced_within_a_tenth_or_its_rounding(numbers, expected):
    assert list(reproduced(pd.DataFrame([numbers]), get_table("lee_kim_2016", 5))) == [expected]


@pytest.mark.parametrize(("measured", "expected"), [(3.9, True), (4.1, False), (1.01, True), (0.99, False)])
def test_a_time_is_reproduced_within_a_factor_of_two(measured, expected):
    assert list(reproduced(pd.DataFrame([pair(2.0, measured)]), get_table("lee_kim_2016", 3))) == [expected]


def test_shares_and_correlations_have_three_grades():
    assert [by_share(share) for share in (0.0, 0.24, 0.25, 0.74, 0.75, 1.0)] == [DIFFERS] * 2 + [IN_PART] * 2 + [
        AGREES
    ] * 2
    assert by_share([True, True, True, False]) is AGREES
    assert by_share([]) is OPEN
    assert [by_order(value) for value in (-1.0, 0.29, 0.3, 0.69, 0.7)] == [DIFFERS] * 2 + [IN_PART] * 2 + [AGREES]
    assert by_order(float("nan")) is OPEN


def test_several_verdicts_on_one_thing():
    assert combined([AGREES, AGREES]) is AGREES
    assert combined([DIFFERS, DIFFERS, OPEN]) is DIFFERS
    assert combined([AGREES, IN_PART]) is IN_PART
    assert combined([AGREES, DIFFERS]) is IN_PART
    assert combined([]) is OPEN


def test_verdicts_on_many_things():
    assert overall([AGREES, AGREES, IN_PART]) is AGREES  # five sixths
    assert overall([AGREES, DIFFERS]) is IN_PART
    assert overall([DIFFERS, DIFFERS, IN_PART, OPEN]) is DIFFERS  # one sixth
    assert overall([OPEN]) is OPEN


def test_the_rule_is_told_with_its_limits():
    for limit in ("10%", "factor of 2", "75%", "0.7,", "25%", "0.3,"):
        assert limit in RULE
