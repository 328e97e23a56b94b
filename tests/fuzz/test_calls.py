"""Public functions with odd arguments: a sentence of mlfs' own, whatever is given."""

import inspect
import warnings

import numpy as np
import pytest

import mlfs
from fuzz import calls
from mlfs.errors import ParameterError
from mlfs.evaluation import compare, loss_curve, random_splits

X, Y = calls.X, calls.Y


@pytest.mark.parametrize("name", calls.titled())
def test_good_arguments_are_taken(name):
    calls.calls()[name]()


@pytest.mark.parametrize("name", calls.titled())
def test_odd_arguments_are_told_in_a_sentence(name):
    assert [problem for case in calls.cases_of(name) if (problem := calls.try_case(*case))] == []


def test_every_public_function_takes_part():
    """A new one is found by itself; where this fails, give `fuzz.arguments` what it needs."""
    assert calls.lacking() == {}
    tried = {id(call.function) for call in calls.calls().values()}
    left_out = {f"{package.removeprefix('mlfs.')}.{name}" for package, name, f in calls.public() if id(f) not in tried}
    assert left_out == set(calls.LEFT_OUT)
    assert {id(f) for name in mlfs.__all__ if inspect.isfunction(f := getattr(mlfs, name))} <= tried


def test_a_bare_error_is_found(monkeypatch):
    def careless(number):
        return len(number)

    found = {**calls.calls(), "careless": calls.Call(careless, {"number": [1]}, ("number",))}
    monkeypatch.setattr(calls, "calls", lambda: found)
    assert calls.try_case("careless", "number", "None").startswith("careless(number=None): TypeError")
    assert calls.try_case("careless", "number", "a list of lists") is None
    assert ("careless", "number", "zero") in calls.cases_of("careless")


def test_what_goes_together_is_checked_in_one_place():
    """Sides that the annotations name alike are equally long, and indices are within theirs."""
    from mlfs.plots import score_bars, z_heatmap

    for call, said in (
        (
            lambda: z_heatmap(np.eye(2), ["a"], ["u", "v"]),
            "Z of shape (2, 2) and feature_names of length 1 do not match",
        ),
        (lambda: z_heatmap(np.eye(2), ["a", "b"], ["u", "v"], features=[2]), "features must hold feature indices from"),
        (lambda: score_bars(["x"], [0], ["a"]), "scores must be a vector of numbers, not ['x']."),
    ):
        with pytest.raises(ParameterError) as caught:
            call()
        assert said in str(caught.value)
    assert z_heatmap([[1.0, 0.0], [0.0, 1.0]], ["a", "b"], ["u", "v"], features=(1,)).data  # lists do as arrays do


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"X_train": np.full((40, 6), np.nan)}, "X_train must be a table of finite numbers: NaN or infinity found."),
        ({"X_test": np.zeros((20, 2))}, "X_test must have 6 columns, as the table that it goes with, not 2."),
        ({"Y_test": np.zeros((20, 2))}, "Y_train has 3 labels and Y_test 2: give both the same."),
        ({"ranking": None}, "loss_curve: ranking must be a list of whole numbers or an array of numbers, not None."),
        ({"ranking": [[0, 1]]}, "ranking must be a list of different feature indices, not [[0, 1]]."),
        ({"ranking": [0, 9]}, "ranking must hold feature indices from 0 to 5, not 9."),
        ({"sizes": None}, "loss_curve: sizes must be a list of whole numbers, not None."),
        ({"sizes": 1}, "loss_curve: sizes must be a list of whole numbers, not 1."),
    ],
)
def test_loss_curve_says_what_it_wants(changed, said):
    with pytest.raises(ParameterError) as caught:
        loss_curve(**{**calls.calls()["evaluation.loss_curve"].arguments, **changed})
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: mlfs.stability([[0], [1]], 1.5), "stability: n_features must be a whole number, not 1.5."),
        (lambda: mlfs.stability([[0], [1]], None), "stability: n_features must be a whole number, not None."),
        (lambda: mlfs.stability([[0], [1]], "a"), "stability: n_features must be a whole number, not 'a'."),
        (lambda: mlfs.redundancy(X, Y, None), "subset must be a list of different feature indices, not None."),
        (lambda: mlfs.discretize(None), "X must be a table of numbers, rows × columns, not of shape ()."),
        (lambda: mlfs.discretize([[np.inf]]), "X must be a table of finite numbers: NaN or infinity found."),
        (
            lambda: mlfs.discretize([[1j]]),
            "X must be a table of numbers, rows × columns, not texts, complex numbers or lists of different length.",
        ),
        (lambda: random_splits(Y, test_share="a"), "random_splits: test_share must be a number, not 'a'."),
        (lambda: compare(["emotions"], ["els"], None), "compare: protocol must be a text or a Protocol, not None."),
        (lambda: compare(["emotions"], ["els"], 3), "compare: protocol must be a text or a Protocol, not 3."),
    ],
)
def test_what_had_bare_errors(call, said):
    with pytest.raises(ParameterError) as caught:
        call()
    assert str(caught.value) == said


def test_what_is_not_defined_is_told():
    with pytest.warns(UserWarning, match="C\\(F\\) of a single feature is not defined"):
        assert np.isnan(mlfs.residual_label_correlation(X, Y, [0]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert mlfs.residual_label_correlation(X, Y, [0, 1]) >= 0
