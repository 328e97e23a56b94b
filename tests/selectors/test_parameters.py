"""Declarations: ranges in words, checks, and constructors made from them."""

import inspect

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.parameters import choice, integer, number
from mlfs.selectors import SELECTORS, ScoreSelector, make_selector
from mlfs.selectors.evidence import Evidence

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


def test_constructors_are_made_from_declarations():
    assert str(inspect.signature(SELECTORS["fimf"])) == (
        "(*, n_labels=10, n_candidates=None, n_bins=5, discretization='equal_width', "
        "n_features_to_select=None, categorical_features=(), n_jobs=None)"
    )
    with pytest.raises(TypeError, match="n_label"):
        SELECTORS["fimf"](n_label=3)
    assert make_selector("fimf").get_params()["n_labels"] == 10


def test_a_method_of_ones_own():
    class Widest(ScoreSelector):
        """Range of the feature to a power."""

        power: float = number(1.0, 0, 10, "how much width counts")

        def _evidence(self, X, Y):
            return Evidence(X, Y)

        def _score(self, evidence):
            return np.ptp(evidence.X, axis=0) ** self.power

    X, Y = np.array([[0.0, 5, 1], [1, 9, 1]]), np.array([[0], [1]])
    assert Widest(power=2).fit(X, Y).scores_.tolist() == [1, 16, 0]
    assert Widest not in SELECTORS.values()
    with pytest.raises(ParameterError, match="power must be a number from 0 to 10, not 11"):
        Widest(power=11).fit(X, Y)
