"""Names of strangers in every figure: shown letter by letter, whichever function draws them."""

from __future__ import annotations

import inspect
import json

import pytest

from fuzz import calls

MARKUP = "<img src=x onerror=alert(1)>%{x}"
#: Arguments that hold what files call their features, labels, data sets and methods.
NAMES = {
    "feature_names", "label_names", "names", "name", "methods", "average_ranks", "lines", "seconds", "title", "titles",
    "x_title", "y_title", "reason",
}  # fmt: skip
GIVEN = {"title": "t", "name": "t", "names": ("a", "b"), "x_title": "t"}
#: The names that each function draws.
DRAWN = {
    title: named
    for title, (package, _, function) in calls.titled().items()
    if package == "mlfs.plots" and inspect.signature(function).return_annotation == "go.Figure"
    if (named := NAMES & set(inspect.signature(function).parameters))
}


def marked(value):
    if isinstance(value, str):
        return f"{MARKUP}{value}"
    if isinstance(value, dict):
        return {marked(key): each for key, each in value.items()}
    return type(value)(map(marked, value)) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("title", DRAWN)
def test_no_figure_obeys_a_name(title):
    call = calls.calls()[title]
    given = {name: value for name in DRAWN[title] if (value := call.arguments.get(name, GIVEN.get(name))) is not None}
    content = call(**{name: marked(value) for name, value in given.items()}).to_plotly_json()
    layout = {key: value for key, value in content["layout"].items() if key not in ("meta", "template")}
    text = json.dumps([content["data"], layout], default=str)
    assert "&lt;img" in text  # the names are there
    assert "<img" not in text
    assert "alert(1)>%{x}" not in text


def test_most_functions_are_tried():
    assert len(DRAWN) > 25
