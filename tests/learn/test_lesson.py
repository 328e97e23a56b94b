"""Every lesson has all its words, and toys whose variables follow one another."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.learn import LESSONS
from mlfs.learn.information import entropy_line
from mlfs.learn.lesson import Draws, check_share


def test_lessons_in_the_order_of_a_lecture():
    assert list(LESSONS) == ["information", "bound", "redundancy", "dominance", "system"]


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_a_lesson_is_complete_and_short(lesson):
    assert all(getattr(lesson, field.name).strip() for field in fields(lesson))
    assert lesson.question.count("?") >= 1
    assert len(lesson.explanation) < 400
    assert lesson.formula.count("{") == lesson.formula.count("}")


def test_each_lesson_shows_the_formula_of_its_paper():
    """Written down here once more: a lesson takes the formula of its method, whatever that says."""
    assert r"M(f;l)&=H(f)+H(l)-H(f,l)" in LESSONS["information"].formula
    assert LESSONS["bound"].formula == r"0\le M(f;l)\le\min\bigl(H(f),H(l)\bigr)"  # Lee & Kim 2016, eq. (10)
    assert r"\text{JMI}&=\textstyle\sum_l M(f,f_1;l)" in LESSONS["redundancy"].formula
    # Zhou & Guo 2023, Definition 4; Zhang et al. 2020, eq. (8).
    assert r"\delta\bigl(SU_p(f_j)>SU_p(f_i)\bigr)>\alpha q" in LESSONS["dominance"].formula
    assert LESSONS["system"].formula.endswith(r"(I+\alpha G)Z+\beta ZR=C")


def follower(share):
    draws = Draws(np.random.default_rng(0), 100)
    source = draws.coin()
    return source, draws.follow(source, share, otherwise=1 - source)


def test_as_many_instances_follow_as_wished():
    for share in (0, 0.25, 1):
        source, followed = follower(share)
        assert (source == followed).sum() == 100 * share


def test_a_larger_share_keeps_what_followed_before():
    source, fewer = follower(0.4)
    _, more = follower(0.6)
    assert (more == source)[fewer == source].all()


def test_a_coin_is_fair():
    assert Draws(np.random.default_rng(3), 100).coin().sum() == 50


def test_an_empty_cell_adds_no_term():
    assert entropy_line("H(l)", [1.0, 0.0], 0.0) == r"H(l)=-1\log_2 1=0.0000"


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_a_share_lies_between_0_and_1(wrong):
    with pytest.raises(ParameterError, match=r"^copied must be a number from 0 to 1, not "):
        check_share("copied", wrong)
