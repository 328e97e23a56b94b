"""The answer on Explore: the number of features, in the sentence, on the curves and in the link; what can be taken."""

import pytest

from mlfs import load_dataset
from mlfs.answer import choose_size, parse_rule
from mlfs.answer.size import size_sentence
from mlfs.evaluation import averaged, averaged_baseline, explore_all, get_protocol
from tests.app.addresses import address
from tests.app.figures import figures

SPLITS = 3


def by_the_library(rule, **protocol):
    ds = load_dataset("emotions")
    splits = explore_all(ds, "grro", get_protocol("quick", repeats=SPLITS, **protocol))
    choice = choose_size(averaged(splits), "hamming_loss", SPLITS, parse_rule(rule))
    return choice, size_sentence(choice, ds.X.shape[1], averaged_baseline(splits)["hamming_loss"])


@pytest.mark.parametrize("rule", ["best", "one_standard_error", "tolerance=0.05", "number=20"])
def test_the_sentence_and_the_mark_are_those_of_the_library(open_page, rule):
    name, _, value = rule.partition("=")
    app = open_page("explore", method="grro", repeats=str(SPLITS), keep=name, **({name: value} if value else {}))
    assert not app.exception
    choice, sentence = by_the_library(rule)
    assert f"**{sentence}**" in [text.value for text in app.markdown]
    curves = figures(app)[0]
    assert f"Chosen: {choice.size} features, {choice.mean:.4f}; best: {choice.best_size}" in curves.alt
    assert [shape["x0"] for shape in curves.layout["shapes"]] == [choice.size, choice.size]


def test_a_number_between_the_steps_is_measured(open_page):
    app = open_page("explore", method="grro", repeats=str(SPLITS), keep="number", number="7")
    _, sentence = by_the_library("number=7", sizes=(1, *range(5, 55, 5), 7))
    assert sentence.startswith("Keep 7 features")
    assert f"**{sentence}**" in [text.value for text in app.markdown]


def test_the_rule_is_in_the_link(open_page):
    app = open_page("explore", method="grro", repeats="1")
    app.selectbox(key="keep").set_value("tolerance").run()
    app.slider(key="tolerance").set_value(0.2).run()
    assert address(app) | {"keep": "tolerance", "tolerance": "0.2"} == address(app)
    app.selectbox(key="keep").set_value("one_standard_error").run()
    assert {"keep", "tolerance"} & set(address(app)) == set()


def test_a_wrong_rule_gives_way_with_a_note(open_page):
    app = open_page("explore", method="grro", repeats="1", keep="most")
    assert any("Features to keep cannot be 'most'" in note.value for note in app.info)
