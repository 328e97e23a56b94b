"""Figures as the browser gets them: all of Plotly's values, made once for everybody who asks for the same."""

import base64
import json

import numpy as np
import plotly.graph_objects as go
import pytest

from mlfs.memo import Budget, Memo
from mlfs.plots import nothing_yet
from pages.parts import chart, exports


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
    monkeypatch.setattr(chart, "_component", lambda **how: sent.append(json.loads(how.pop("data")) | how))
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


def test_the_place_of_a_figure_to_come_is_named_for_it_and_offers_no_file(mounted, monkeypatch):
    monkeypatch.setattr(exports, "_save_figure", lambda *_: pytest.fail("there is nothing to save"))
    exports.placeholder("the diagram needs a table", 200, "diagram")
    assert mounted[0]["config"]["toImageButtonOptions"]["filename"] == "diagram"


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


def test_kept_figures_stay_within_their_bytes(mounted, monkeypatch):
    def sized(characters):
        return lambda: go.Figure(layout={"meta": {"alt": "a" * characters}})

    def kept():
        return [key for key in range(40) if chart._kept.get(key) is not None]

    empty = len(chart.serialised(sized(0)()))
    budget = Budget(20 * empty)
    monkeypatch.setattr(chart, "_kept", Memo(chart.KEPT, size=len, budget=budget))
    for key in range(30):
        chart.draw(sized(0), "file", "key", of=key)
    assert (kept(), budget.total) == (list(range(10, 30)), 20 * empty)
    # One that is larger takes the place of several; the alt text stands in the figure and beside it.
    chart.draw(sized(empty), "file", "key", of=30)
    assert (kept(), budget.total) == (list(range(13, 31)), 20 * empty)


def test_what_is_kept_for_all_sessions_has_a_bound_in_bytes():
    assert chart._kept.size(chart.Serialised(b"1234", "alt", "program")) == 7
    assert chart._kept.budget.limit == chart.MEMORY <= 8 << 20


@pytest.fixture
def clicked(mounted, monkeypatch):
    """Draws a figure that listens, and gives what it hears when the browser says something."""
    heard = []
    chart.draw(go.Figure, "file", "key", on_click=heard.append)
    [how] = mounted
    assert how["clicks"] is True

    def say(value):
        monkeypatch.setattr(chart.st, "session_state", {"key": {"click": value}})
        how["on_click_change"]()
        return heard

    return say


def test_a_page_hears_of_a_click(clicked):
    told = {"x": 3, "y": 0.25, "row": None, "column": None, "trace": "ELS", "names": {"method": "ELS"}}
    assert clicked(told) == [chart.Click(3.0, 0.25, None, None, "ELS", {"method": "ELS"})]


@pytest.mark.parametrize(
    "nonsense", [None, 7, "x", [], {"x": "1", "row": -1, "column": 1.5, "names": [1]}, {"y": 1e999}]
)
def test_whatever_a_browser_says_of_a_click_is_checked(clicked, nonsense):
    assert clicked(nonsense) in ([], [chart.Click()])


def test_who_does_not_ask_is_not_told(mounted):
    chart.draw(go.Figure, "file", "key", moves=chart.Moves("a", "b", "x < y"))
    assert "clicks" not in mounted[0]
    assert "on_click_change" not in mounted[0]
    assert mounted[0]["moves"] == {"within": "a", "setting": "b", "method": "x &lt; y"}
