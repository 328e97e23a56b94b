"""The front of whole runs, and run times on a log axis."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlfs.errors import ParameterError
from mlfs.plots import about_runs, run_front, style_of, time_bars
from mlfs.plots.figure import CLEAR
from mlfs.plots.run_costs import non_dominated
from tests.plots.checks import check, is_empty, named

RUNS = pd.DataFrame(
    {
        "method": ["els", "els", "grro", "grro"],
        "size": [10, 20, 10, 30],
        "seconds": [0.01, 0.02, 1.0, 2.0],
        "hamming_loss": [0.25, 0.22, 0.25, 0.20],
        "macro_f1": [0.5, 0.6, 0.9, np.nan],
    }
)


def test_front_stands_out():
    figure = check(run_front(RUNS), "GRRO 0.2000 with 30 features in 2 s, ELS 0.2200")
    assert list(named(figure, "ELS").marker.color) == [style_of("els").colour] * 2
    assert list(named(figure, "GRRO").marker.color) == [CLEAR, style_of("grro").colour]
    assert named(figure, "GRRO").marker.line.color == style_of("grro").colour


def test_a_run_of_unknown_time_is_judged_by_the_two_others():
    """It beats no run whose time is known, for it might have taken longer."""
    theirs = pd.DataFrame(
        {"method": "theirs", "size": [5, 30], "seconds": np.nan, "hamming_loss": [0.1, 0.3], "macro_f1": 0.0}
    )
    figure = check(run_front(pd.concat([RUNS, theirs], ignore_index=True)), "theirs 0.1000 with 5 features in unknown")
    beaten, on_front = named(figure, "theirs").marker.color  # the front is drawn last, and a legend is as the first
    assert on_front != beaten == CLEAR
    assert CLEAR not in named(figure, "ELS").marker.color
    assert "unknown time" in named(figure, "theirs").text[-1]
    across = named(check(run_front(pd.concat([RUNS, theirs], ignore_index=True), x="seconds")), "theirs").x
    assert not any(np.isfinite(np.array(across, dtype=float)))


def test_scores_count_upwards_and_missing_values_are_left_out():
    check(run_front(RUNS, "macro_f1"), "GRRO 0.9000 with 10 features in 1 s, ELS 0.6000")


def test_time_may_lie_across():
    figure = check(run_front(RUNS, x="seconds"))
    assert figure.layout.xaxis.type == "log"
    assert list(figure.layout.xaxis.ticktext) == ["10 ms", "100 ms", "1 s"]
    assert "more features" in figure.layout.legend.title.text


def test_larger_marker_is_the_longer_time():
    sizes = np.concatenate([trace.marker.size for trace in run_front(RUNS).data])
    assert all(np.diff(sizes) > 0)


def test_times_within_a_power_of_ten_have_units_too():
    figure = check(run_front(RUNS.assign(seconds=np.linspace(0.012, 0.06, len(RUNS))), x="seconds"))
    assert list(figure.layout.xaxis.ticktext) == ["20 ms", "50 ms"]


def test_one_run():
    check(run_front(RUNS[:1]), "1 runs")


def test_no_runs_to_show():
    assert is_empty(run_front(RUNS[:0]))
    assert is_empty(run_front(RUNS[3:], "macro_f1"))


def test_mistakes_get_a_sentence():
    with pytest.raises(ParameterError, match="lacks the column 'seconds'"):
        run_front(RUNS.drop(columns="seconds"))
    with pytest.raises(ParameterError, match="must be 'size' or 'seconds'"):
        run_front(RUNS, x="time")


@settings(max_examples=40)
@given(st.lists(st.tuples(*[st.integers(0, 3)] * 3), min_size=1, max_size=12))
def test_non_dominated_is_the_definition(rows):
    costs = np.array(rows, dtype=float)
    expected = [not any(all(a <= b for a, b in zip(o, r, strict=True)) and o != r for o in rows) for r in rows]
    assert list(non_dominated(costs)) == expected


def test_missing_costs_are_never_on_the_front_and_beat_nobody():
    assert list(non_dominated(np.array([[0, np.nan], [1, 1]]))) == [False, True]


def test_fastest_first_with_units_and_colours():
    figure = check(time_bars({"grro": 2.5, "els": 0.012}), "ELS 12 ms, GRRO 2.5 s")
    bars = figure.data[0]
    assert list(bars.text) == ["12 ms", "2.5 s"]
    assert list(bars.marker.color) == [style_of("els").colour, style_of("grro").colour]
    assert figure.layout.xaxis.type == "log"
    assert list(figure.layout.xaxis.ticktext) == ["1 ms", "10 ms", "100 ms", "1 s"]


def test_order_may_stay():
    assert list(time_bars({"grro": 2.5, "els": 0.012}, sort=False).data[0].text) == ["2.5 s", "12 ms"]


def test_missing_and_zero_times():
    figure = check(time_bars(pd.Series({"els": np.nan, "mfs": 0.0, "grro": 1.0})))
    assert list(figure.data[0].text) == ["0 s", "1 s", "–"]
    assert figure.data[0].x[0] > 0
    assert np.isnan(figure.data[0].x[2])


def test_one_time():
    low, high = check(time_bars({"els": 1.0})).layout.xaxis.range
    assert low < 0 <= high


def test_no_times_to_show():
    assert is_empty(time_bars({}))
    assert is_empty(time_bars({"els": np.nan}))


def test_of_equal_runs_the_one_on_the_front_is_called_the_best():
    runs = pd.DataFrame({"method": ["els", "mapd"], "size": [5, 2], "seconds": 0.1, "hamming_loss": 0.3})
    assert about_runs(runs, "hamming_loss") == (
        "MAPD with 2 features has the lowest Hamming loss, 0.3000. 1 of 2 runs is on the front."
    )


def test_without_a_value_no_run_is_called_the_best():
    runs = pd.DataFrame({"method": ["els"], "size": [1], "seconds": [0.1], "hamming_loss": [np.nan]})
    assert about_runs(runs, "hamming_loss") == "No run has been evaluated yet."
