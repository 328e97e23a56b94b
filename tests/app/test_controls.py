"""What controls say of a parameter is for people: no code, and no letter of a formula made a capital."""

from __future__ import annotations

import re
from collections import defaultdict
from types import SimpleNamespace

import pytest

from mlfs.selectors import SELECTORS
from mlfs.wording import value_title
from pages.parts import controls
from pages.parts.controls import parameter_help

# Words and numbers of programs, and letters that are capitals only because they begin a sentence.
CODE = re.compile(r"\b(True|False|None)\b|\d+e[+-]?\d|\w_\w|[ΑΒΓΚΛΜ]")


@pytest.mark.parametrize("method", SELECTORS)
def test_help_is_a_sentence_without_code(method):
    for parameter in SELECTORS[method].parameters.values():
        said = parameter_help(parameter, defaultdict(lambda: 12))
        assert said.endswith("."), (parameter.name, said)
        assert not CODE.search(said), (parameter.name, said)


@pytest.mark.parametrize("method", SELECTORS)
def test_choices_are_words_written_alike(method):
    """A word of a program, like knn, is one that no reader of a menu knows."""
    for parameter in SELECTORS[method].parameters.values():
        if parameter.kind == "choice" and parameter.choices != (False, True):
            titles = [value_title(choice) for choice in parameter.choices]
            assert len(set(titles)) == len(titles)
            assert all(re.match(r"[A-Z0-9]", title) and "_" not in title for title in titles), titles
            assert not {"Knn", "Plugin", "Standard", "Max entropy"} & set(titles)


@pytest.mark.parametrize(("before", "index"), [(2, 1), (3, 0), ("Att93", 0)])
def test_the_feature_of_another_data_set_gives_way(monkeypatch, before, index):
    """Its number; or its name, which a browser sends that does not know yet that the data have changed."""
    state = {"feature": before}
    here = SimpleNamespace(
        arrived=None,
        control=lambda key, default, parse, **_: state.get(key, default),
        show=lambda widget, label, key, value, **_: value,
    )
    monkeypatch.setattr(controls.st, "session_state", state)
    monkeypatch.setattr(controls.link, "current", lambda: here)
    assert controls.choose_feature(["a", "b"], "feature") == index


def test_the_same_number_of_another_data_set_gives_way_too(monkeypatch):
    """Streamlit would send the browser nothing, which would go on showing the old name."""
    state = {"feature": 2, "feature-before": ["x", "y"]}
    here = SimpleNamespace(
        arrived=None,
        control=lambda key, default, parse, **_: state.get(key, default),
        show=lambda widget, label, key, value, **_: value,
    )
    monkeypatch.setattr(controls.st, "session_state", state)
    monkeypatch.setattr(controls.link, "current", lambda: here)
    assert controls.choose_feature(["a", "b"], "feature") == 0
    assert "feature" not in state
