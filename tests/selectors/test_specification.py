"""A method as one word: there and back, typed by the declarations, with a sentence for every slip."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlfs.errors import ParameterError
from mlfs.selectors import SELECTORS, make_selector
from mlfs.selectors.specification import method_text, parse_method


def test_values_take_the_declared_type():
    method, parameters = parse_method(
        " grro_ls: alpha=1 , k=7,rank=none,variant=authors,categorical_features=0+2,n_jobs=-1"
    )
    assert method == "grro_ls"
    assert parameters == {
        "alpha": 1.0,
        "k": 7,
        "rank": None,
        "variant": "authors",
        "categorical_features": (0, 2),
        "n_jobs": -1,
    }
    assert type(parameters["alpha"]) is float
    assert type(parameters["k"]) is int


@pytest.mark.parametrize("method", SELECTORS)
def test_every_method_there_and_back(method):
    assert parse_method(method) == (method, {})
    defaults = make_selector(method).get_params()
    assert parse_method(method_text(method, defaults)) == (method, defaults)


@given(st.floats(1e-3, 1e3), st.integers(1, 10**9))
def test_numbers_survive_exactly(alpha, k):
    assert parse_method(method_text("grro_ls", {"alpha": alpha, "k": k})) == ("grro_ls", {"alpha": alpha, "k": k})


def test_short_where_it_can_be():
    assert method_text("els") == "els"
    assert (
        method_text("grro", {"alpha": np.float64(10.0), "beta": 0.1, "rank": None})
        == "grro:alpha=10,beta=0.1,rank=none"
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("grrro", r"There is no method 'grrro': did you mean 'grro'\?"),
        ("grro:alhpa=1", r"grro has no parameter 'alhpa': did you mean 'alpha'\?"),
        ("grro:alpha", r"'alpha' in 'grro:alpha' is not a parameter: write name=value, separated by commas\."),
        ("grro:alpha=", "'alpha=' in 'grro:alpha=' is not a parameter"),
        ("grro:alpha=1,alpha=2", "alpha appears twice"),
        ("grro:alpha=big", r"grro: alpha must be a number from 0.001 to 1000.0, not 'big'\."),
        ("grro:alpha=2000", r"grro: alpha must be a number from 0.001 to 1000.0, not 2000.0\."),
        ("grro:alpha=nan", "grro: alpha must be a number"),
        ("grro:alpha=none", "grro: alpha must be a number .* not 'none'"),
        ("grro_ls:k=2.5", "grro_ls: k must be a whole number from 1, not '2.5'"),
        ("grro:variant=papr", r"did you mean 'paper'\?"),
        ("grro:rank=0", "grro: rank must be a whole number from 1 to the number of features, or None"),
        ("grro:categorical_features=1+x", "categorical_features must be a list of column indices"),
    ],
)
def test_messages(text, sentence):
    with pytest.raises(ParameterError, match=sentence):
        parse_method(text)


def test_text_is_only_made_of_what_can_be_read():
    with pytest.raises(ParameterError, match="grro has no parameter 'gamma'"):
        method_text("grro", {"gamma": 1})
    with pytest.raises(ParameterError, match="alpha must be"):
        method_text("grro", {"alpha": "x"})
