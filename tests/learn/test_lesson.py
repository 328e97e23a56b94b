"""Every lesson has all its words, and toys whose variables follow one another."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.learn import LESSONS
from mlfs.learn.information import entropy_line
from mlfs.learn.lesson import Draws, check_share
from mlfs.selectors import GRRO, MAPD


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_a_lesson_is_complete_and_short(lesson):
    assert all(getattr(lesson, field.name).strip() for field in fields(lesson))
    assert lesson.question.count("?") >= 1
    assert len(lesson.explanation) < 400
    assert lesson.formula.count("{") == lesson.formula.count("}")


def test_methods_keep_their_formula():
    assert LESSONS["dominance"].formula == MAPD.formula
    assert LESSONS["system"].formula == GRRO.formula


def follower(share):
    draws = Draws(np.random.default_rng(0), 100)
    source = draws.coin()
    return source, draws.follow(source, share, otherwise=1 - source)


def test_as_many_instances_follow_as_wished():
    for share in (0, 0.25, 1):
        source, found = follower(share)
        assert (source == found).sum() == 100 * share


def test_a_larger_share_keeps_what_followed_before():
    source, some = follower(0.4)
    _, more = follower(0.6)
    assert (more == source)[some == source].all()


def test_a_coin_is_fair():
    assert Draws(np.random.default_rng(3), 100).coin().sum() == 50


def test_an_empty_cell_adds_no_term():
    assert entropy_line("H(l)", [1.0, 0.0], 0.0) == r"H(l)=-1\log_2 1=0.0000"


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_a_share_lies_between_0_and_1(wrong):
    with pytest.raises(ParameterError, match=r"^copied must be a number from 0 to 1, not "):
        check_share("copied", wrong)
