"""What is taken in from outside, and the sentence where it cannot be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

from mlfs.classifiers import BRLR, CLASSIFIERS, Classifier, MLkNN, make_classifier
from mlfs.classifiers import register as register_classifier
from mlfs.errors import ExtensionError, MlfsError, ParameterError
from mlfs.evaluation import SETTINGS
from mlfs.extensions import VARIABLE, load
from mlfs.metrics import METRICS, Metric, hamming_loss, register
from mlfs.selectors import SELECTORS
from mlfs.selectors.baselines import Baseline
from mlfs.studies import Plan

ROOT = Path(__file__).resolve().parents[1]
SAID = {"name": "Mine", "summary": "Says nothing.", "formula": "0", "paper": "–", "cost": "nothing"}


@pytest.fixture(autouse=True)
def as_before(forgotten_modules):
    with mock.patch.dict(SELECTORS), mock.patch.dict(METRICS), mock.patch.dict(CLASSIFIERS):
        yield


def method(**attributes):
    """A class of a method, as a cell of a notebook would define it, anew at every call."""

    class Mine(Baseline):
        """Scores nothing."""

        locals().update({**SAID, "id": "mine", **attributes})

        def _score(self, evidence):
            return np.zeros(self.n_features_in_)

    return Mine


def metric(**changes):
    return Metric(
        **{
            "name": "mine",
            "title": "Mine",
            "function": lambda Y, P: 0.0,
            "needs": "labels",
            "lower_is_better": True,
            "meaning": "Nothing.",
            **changes,
        }
    )


def classifier(**changes):
    return Classifier(**{"name": "mine", "title": "Mine", "make": lambda: MLkNN(k=3), "meaning": "Nothing.", **changes})


def test_a_definition_may_be_carried_out_again():
    first = method()
    assert SELECTORS["mine"] is first
    second = method()
    assert SELECTORS["mine"] is second
    register(metric())
    register(metric(title="Again"))
    assert METRICS["mine"].title == "Again"
    register_classifier(classifier())
    register_classifier(classifier(title="Again"))
    assert CLASSIFIERS["mine"].title == "Again"


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ({"id": "els"}, "the id 'els' is taken by mlfs.selectors.els.ELS; choose another."),
        ({"id": "My method"}, "the id 'My method' must be small letters, digits and underscores."),
        ({"family": "graphs"}, "there is no family 'graphs': did you mean 'graph'?"),
        ({"summary": "", "cost": ""}, "say summary, cost of the method 'mine' as class attributes."),
    ],
)
def test_methods_that_are_refused(attributes, sentence):
    with pytest.raises(ExtensionError) as refused:
        method(**attributes)
    assert str(refused.value) == f"method.<locals>.Mine: {sentence}"
    assert "mine" not in SELECTORS


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "hamming_loss"}, "There is a metric 'hamming_loss' already: choose another name."),
        ({"name": "a,b"}, "The name 'a,b' of a metric must be small letters, digits and underscores."),
        ({"needs": "label"}, "The metric 'mine' needs 'label': did you mean 'labels'?"),
    ],
)
def test_metrics_that_are_refused(changes, sentence):
    with pytest.raises(ExtensionError) as refused:
        register(metric(**changes))
    assert str(refused.value) == sentence
    assert METRICS["hamming_loss"].function is hamming_loss


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "brlr"}, "There is a classifier 'brlr' already: choose another name."),
        ({"name": "cc"}, "There is a classifier 'cc' already: choose another name."),
        ({"name": "My kNN"}, "The name 'My kNN' of a classifier must be small letters, digits and underscores."),
    ],
)
def test_classifiers_that_are_refused(changes, sentence):
    with pytest.raises(ExtensionError) as refused:
        register_classifier(classifier(**changes))
    assert str(refused.value) == sentence
    assert CLASSIFIERS["brlr"].make is BRLR


def test_a_classifier_of_ones_own_is_a_setting_of_protocols_and_plans():
    with pytest.raises(ParameterError, match="did you mean 'mlknn'"):
        SETTINGS["classifier"].check("mlkn")
    register_classifier(classifier())
    SETTINGS["classifier"].check("mine")
    assert make_classifier("mine").k == 3
    plan = Plan("p", ["emotions"], ["random"], "given", settings={"classifier": "mine"})
    usual = Plan("p", ["emotions"], ["random"], "given")
    assert plan.cells()[0].key != usual.cells()[0].key


def test_modules_of_the_environment(tmp_path, monkeypatch):
    (tmp_path / "first_of_mine.py").write_text("FOUND = True\n", encoding="utf-8")
    (tmp_path / "second_of_mine.py").write_text("import numpy\n1 / 0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(VARIABLE, " first_of_mine, ")
    load()
    assert sys.modules["first_of_mine"].FOUND
    for name, why in (
        ("second_of_mine", "ZeroDivisionError: division by zero"),
        ("third_of_mine", "ModuleNotFoundError: No module named 'third_of_mine'"),
    ):
        monkeypatch.setenv(VARIABLE, f"first_of_mine,{name}")
        with pytest.raises(MlfsError) as refused:
            load()
        assert str(refused.value) == (
            f"MLFS_EXTENSIONS names {name!r}, which cannot be imported ({why}): "
            "correct it, or put its folder on PYTHONPATH."
        )


@pytest.mark.parametrize("first", ["mlfs.metrics", "mlfs.selectors", "mlfs.classifiers", "mine_all"])
def test_whatever_is_imported_first(tmp_path, prepared_python, first):
    """A module with a method, a metric and a classifier is imported in the middle of any registry."""
    (tmp_path / "mine_all.py").write_text(
        "from mlfs import classifiers\n"
        "from mlfs.metrics import METRICS, Metric, hamming_loss, register\n"
        "from mlfs.selectors import SELECTORS, Random\n"
        "class Other(Random):\n    id = 'other'\n"
        "register(Metric('other', 'Other', lambda Y, P: 0.0, 'labels', True, 'Nothing.'))\n"
        "classifiers.register(classifiers.Classifier('other', 'Other', classifiers.MLkNN, 'Nothing.'))\n",
        encoding="utf-8",
    )
    program = (
        f"import {first}\nfrom mlfs.classifiers import CLASSIFIERS\nfrom mlfs.metrics import METRICS\n"
        "from mlfs.selectors import SELECTORS\n"
        "print(*('other' in registry for registry in (METRICS, SELECTORS, CLASSIFIERS)))"
    )
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}{os.pathsep}{tmp_path}", VARIABLE: "mine_all"}
    words = prepared_python.words("-c", program)
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"] * 3, done.stderr


def test_a_study_computes_another_version_anew():
    def keys():
        plan = Plan("p", ["emotions"], ["mine"], "given", settings={"metrics": ["mine"]})
        return [cell.key for cell in plan.cells()]

    register(metric())
    method()
    plain = keys()
    method(version="2")
    second = keys()
    register(metric(version="2"))
    assert len({*plain, *second, *keys()}) == 3
    method()
    register(metric())
    assert keys() == plain
