"""Figures as the browser gets them: all of Plotly's values, made once for everybody who asks for the same."""

import base64
import json

import numpy as np
import plotly.graph_objects as go
import pytest

from mlfs.memo import Memo
from mlfs.plots import nothing_yet
from pages.parts import chart


def content(figure):
    return json.loads(chart.serialised(figure).figure)


def unpacked(values):
    """Arrays travel as bytes, which Plotly reads in the browser."""
    return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"])


def test_numbers_arrive_as_they_are():
    values = np.array([0.1, np.nan, np.inf, -1e-300])
    figure = go.Figure([{"type": "scatter", "x": np.arange(4), "y": values, "customdata": np.array([["a"], ["b"]])}])
    [trace] = content(figure)["data"]
    np.testing.assert_array_equal(unpacked(trace["x"]), [0, 1, 2, 3])
    np.testing.assert_array_equal(unpacked(trace["y"]), values)
    assert trace["customdata"] == [["a"], ["b"]]


def test_the_template_goes_along():
    found = chart.serialised(nothing_yet("choose a method"))
    assert json.loads(found.figure)["layout"]["template"]["layout"]["font"]["family"].startswith("system-ui")
    assert found.alt == "Nothing to show yet: choose a method."


@pytest.fixture
def mounted(monkeypatch):
    sent = []
    monkeypatch.setattr(chart, "_component", lambda **how: sent.append(json.loads(how["data"])))
    monkeypatch.setattr(chart, "_kept", Memo(2))
    return sent


def counting():
    made = []

    def make():
        made.append(1)
        return go.Figure([{"type": "bar", "y": [len(made)]}], {"height": 100})

    return made, make


def test_who_asks_for_the_same_is_given_the_same(mounted):
    made, make = counting()
    for _ in range(3):
        chart.draw(make, "file", "key", of=("emotions", 1))
    assert len(made) == 1
    assert mounted[0] == mounted[2]
    assert mounted[0]["config"]["toImageButtonOptions"]["filename"] == "file"
    chart.draw(make, "file", "key", of=("emotions", 2))
    assert mounted[3]["figure"]["data"][0]["y"] == [2]


def test_what_nobody_names_is_made_each_time(mounted):
    made, make = counting()
    chart.draw(make, "file", "key")
    chart.draw(make, "file", "key")
    assert len(made) == 2


def test_large_figures_are_not_kept(mounted, monkeypatch):
    monkeypatch.setattr(chart, "LARGEST", 10)
    made, make = counting()
    chart.draw(make, "file", "key", of=1)
    chart.draw(make, "file", "key", of=1)
    assert len(made) == 2
