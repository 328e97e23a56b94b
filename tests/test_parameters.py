"""Declarations: ranges in words, and checks."""

from collections.abc import Sequence

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.parameters import Parameter, choice, columns, integer, jobs, number

SIZES = {"features": 10, "labels": 4, "instances": 50}


def named(parameter, name="p"):
    parameter.__set_name__(object, name)
    return parameter


@pytest.mark.parametrize(
    ("parameter", "good", "bad", "words"),
    [
        (
            integer(1, 1, "labels", ""),
            [1, 4, np.int64(2)],
            [0, 5, 1.5, True, "1", None],
            "p must be a whole number from 1 to 4 (the number of labels), not ",
        ),
        (
            integer(None, 0, None, "", none="all"),
            [None, 0, 10**9],
            [-1, 2.0],
            "p must be a whole number from 0, or None (all), not ",
        ),
        (
            number(1.0, 1e-3, 1e3, ""),
            [1e-3, 1e3, 5],
            [0, 1001, float("nan"), float("inf"), "a"],
            "p must be a number from 0.001 to 1000.0, not ",
        ),
        (
            number(0.9, 0.5, 1, "", open_ends=True),
            [0.51, 0.999],
            [0.5, 1, 1.0],
            "p must be a number between 0.5 and 1, not ",
        ),
        (choice("a", ("a", "b"), ""), ["a", "b"], ["c", 1, None], "p must be one of 'a', 'b', not "),
    ],
)
def test_ranges(parameter, good, bad, words):
    parameter = named(parameter)
    for value in good:
        parameter.check(value, SIZES)
    for value in bad:
        with pytest.raises(ParameterError) as error:
            parameter.check(value, SIZES)
        assert str(error.value).startswith(words + repr(value))


def test_range_before_the_data_are_known():
    assert named(integer(1, 1, "labels", "")).describe_range() == "a whole number from 1 to the number of labels"


@pytest.mark.parametrize(
    ("parameter", "annotation"),
    [
        (integer(1, 1, None, ""), int),
        (integer(None, 1, None, "", none="all"), int | None),
        (number(1.0, 0, 1, ""), float),
        (choice("a", ("a", "b"), ""), str),
        (Parameter("choice", False, "", choices=(False, True)), bool),
        (columns(""), Sequence[int]),
        (jobs(""), int | None),
    ],
)
def test_annotations(parameter, annotation):
    assert parameter.annotation == annotation
