"""The iterations of a method."""

import numpy as np

from mlfs.plots import convergence, style_of
from tests.plots.checks import check, is_empty


def test_panels_in_a_fixed_order_with_headings():
    history = {"set_changes": [0, 2, 0], "gap": [3.0, 2, 1], "objective": [9.0, 5, 4], "change": [0.0, 1, 0.5]}
    figure = check(convergence(history, method="elc"), "2 iterations", "Objective from 9 to 4", "from 1 to 0.5")
    headings = [note.text for note in figure.layout.annotations]
    assert headings[0] == "<b>Objective</b>"
    assert headings[-1] == "<b>gap</b>"
    assert [trace.type for trace in figure.data] == ["scatter", "scatter", "bar", "scatter"]
    assert np.isnan(figure.data[1].y[0])
    assert figure.data[0].line.color == style_of("elc").colour
    assert figure.layout.xaxis4.title.text == "Iteration"


def test_wide_spans_get_a_log_axis_without_the_zeros():
    figure = check(convergence({"objective": [1e6, 1e3, 1, 0]}))
    assert figure.layout.yaxis.type == "log"
    assert np.isnan(figure.data[0].y[3])
    assert "log axis" in figure.layout.annotations[0].text


def test_negative_values_stay_on_a_linear_axis():
    assert convergence({"objective": [1e6, 1, -5]}).layout.yaxis.type != "log"


def test_a_set_that_never_changed_says_so():
    figure = check(convergence({"objective": [2.0, 1], "set_changes": [0, 0]}))
    assert "the set never changed" in [note.text for note in figure.layout.annotations]


def test_history_is_left_alone():
    history = {"change": np.array([0.0, 1.0])}
    convergence(history)
    assert history["change"][0] == 0


def test_overflow_is_a_gap():
    assert np.isnan(check(convergence({"objective": [1.0, np.inf, 2.0]})).data[0].y[1])


def test_one_iteration_and_none():
    check(convergence({"objective": [1.0], "change": [0.0], "set_changes": [0]}))
    assert is_empty(convergence({}))
    assert is_empty(convergence({"objective": [np.nan]}))
