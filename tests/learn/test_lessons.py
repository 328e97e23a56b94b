"""Every topic has all its words."""

from dataclasses import fields

import pytest

from mlfs.learn import LESSONS
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
