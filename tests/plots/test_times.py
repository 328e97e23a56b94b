"""Run times on a log axis."""

import numpy as np
import pandas as pd

from mlfs.plots import style_of, time_bars
from tests.plots.checks import check, is_empty


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


def test_nothing_to_show():
    assert is_empty(time_bars({}))
    assert is_empty(time_bars({"els": np.nan}))
