"""The answer on Explore: the number of features, in the sentence, on the curves and in the link; what can be taken."""

import re
import threading

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.answer import answer, answer_settings, choose_size, parse_rule, validation
from mlfs.answer.report import sentences
from mlfs.answer.size import size_sentence
from mlfs.datasets import Dataset
from mlfs.evaluation import Explorer, averaged, averaged_baseline, explore_all, get_protocol
from mlfs.selectors.constraints import named_constraints
from mlfs.stopping import checkpoint
from pages.parts.answer import DRAWS
from pages.parts.words import literal
from tests.app.addresses import address
from tests.app.figures import figures
from tests.app.owned_uploads import give_upload
from tests.waiting import GUARD

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


def opened(open_page, box="answer-box", **query):
    """Explore with one of the boxes of the answer open."""
    app = open_page("explore", **{"method": "grro", "repeats": str(SPLITS), **query})
    app.session_state[box] = True
    app.run()
    assert not app.exception
    return app


def finished(app, slot):
    """The page once a job of it has ended."""
    _, work = app.session_state[slot]
    assert work.job.wait(1, GUARD)
    return app.run()


def by_answer(**more):
    protocol = get_protocol("quick", repeats=SPLITS)
    return answer(load_dataset("emotions"), answer_settings(["grro"], protocol=protocol, **more), draws=0)


def shown_table(app, column="rank"):
    """The list of features, or another table that has this column, once it is there."""
    if column == "rank":
        finished(app, "answer-selection")
    [table] = [frame.value for frame in app.dataframe if column in frame.value]
    return table


def test_a_closed_box_computes_nothing(open_page):
    app = open_page("explore", method="grro", repeats="1")
    assert "answer-selection" not in app.session_state
    assert not [frame for frame in app.dataframe if "rank" in frame.value]


def test_the_features_are_those_of_the_library(open_page):
    app = opened(open_page)
    found = by_answer()
    pd.testing.assert_frame_equal(shown_table(app), found.selection.table(), check_dtype=False)
    assert any(text.value.startswith("Keep ") and "chosen by GRRO" in text.value for text in app.markdown)
    assert [figure.alt for figure in figures(app) if "Mutual information in bits" in figure.alt]


def test_all_that_can_be_taken_away(open_page):
    app = opened(open_page)
    labels = [button.proto.label for button in app.get("download_button")]
    for label in ("List (JSON)", "Smaller data (CSV)", "Smaller data (MATLAB)", "Smaller data (ARFF and XML)"):
        assert labels.count(label) == 1
    assert {"Python program", "Report"} <= set(labels)


def test_features_to_keep_and_to_leave_out_are_in_the_link(open_page):
    first, second = by_answer().selection.names[:2]
    app = opened(open_page, never=first)
    assert shown_table(app)["feature"].tolist()[0] == second
    other = load_dataset("emotions").feature_names[-1]
    app.multiselect(key="always").set_value([other]).run()
    assert address(app)["always"] == other
    assert address(app)["never"] == first
    constraints = named_constraints(load_dataset("emotions").feature_names, [other], [first])
    assert shown_table(app)["feature"].tolist() == by_answer(constraints=constraints).selection.names
    app.session_state["answer-box"] = False
    app.run()
    assert address(app)["always"] == other


def one_hot() -> Dataset:
    """Two columns for the halves of a category, which decide a label, beside numbers of which the first decides one."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 6))
    half = (X[:, 1] > 0).astype(float)
    names = ["size", "noise", "colour=red", "colour=blue", "x", "y"]
    X = np.column_stack([X[:, 0], X[:, 2], half, 1 - half, X[:, 4:]])
    Y = np.column_stack([X[:, 0] > 0, half]).astype(int)
    return Dataset(X, Y, names, ["a", "b"], "own")


def test_who_brings_a_table_sees_the_list_at_once(open_page):
    app = open_page("explore", method="scls", repeats="1", keep="number", number="2")
    assert not [box for box in app.multiselect if box.key == "always"]  # of a bundled set it is closed
    give_upload(app, "upload-0123456789abcdef", Explorer(one_hot()))
    app.query_params["data"] = "upload-0123456789abcdef"
    app.run()
    assert set(shown_table(app)["feature"]) == {"size", "colour=red"}
    app.session_state["answer-box"] = False
    app.run()
    assert not [box for box in app.multiselect if box.key == "always"]  # whoever closes it has it closed


def test_columns_of_a_category_are_proposed_and_go_together(open_page):
    app = open_page("explore", method="scls", repeats="1", keep="number", number="2")
    give_upload(app, "upload-0123456789abcdef", Explorer(one_hot()))
    app.query_params["data"] = "upload-0123456789abcdef"
    app.session_state["answer-box"] = True
    app.run()
    assert set(shown_table(app)["feature"]) == {"size", "colour=red"}
    groups = app.multiselect(key="together")
    assert groups.options == ["colour=* (2 columns)"]
    assert groups.proto.placeholder == "Proposed: colour=*"
    groups.set_value(["colour=*"]).run()
    assert address(app)["together"] == "colour=*"
    assert set(shown_table(app)["feature"]) in ({"size"}, {"colour=red", "colour=blue"})  # no room for both
    app.session_state["number"] = 3
    app.run()
    assert set(shown_table(app)["feature"]) == {"size", "colour=red", "colour=blue"}
    app.selectbox(key="data").set_value("emotions").run()
    assert "together" not in address(app)


def test_patterns_name_features_too(open_page):
    names = load_dataset("emotions").feature_names
    app = opened(open_page, never="Mean_*,BH_*")
    expected = named_constraints(names, never_use=["Mean_*", "BH_*"])
    assert shown_table(app)["feature"].tolist() == by_answer(constraints=expected).selection.names
    app = opened(open_page, never="Maen_*")
    assert literal("No feature is called 'Maen_*'") in app.error[0].value


def test_a_contradiction_gets_a_sentence(open_page):
    name = load_dataset("emotions").feature_names[0]
    app = opened(open_page, never=name, always=name)
    assert any(name in error.value for error in app.error)


def test_chance_is_told_with_its_numbers(open_page):
    app = opened(open_page)
    app.number_input(key="answer-permutations").set_value(4)
    app.button(key="answer-test").click().run()
    app = finished(app, "answer-chance")
    protocol = get_protocol("quick", repeats=SPLITS)
    found = answer(load_dataset("emotions"), answer_settings(["grro"], protocol=protocol), draws=DRAWS, permutations=4)
    told = [text.value for text in app.markdown]
    assert literal(sentences(found)[2]) in told
    assert literal(sentences(found)[3]) in told
    assert "(4 permutations)" in sentences(found)[3]


def test_what_was_done_before_a_stop_is_told(open_page, monkeypatch):
    gate = threading.Event()
    test = validation.permutation_test

    def slow(*arguments):
        for state in test(*arguments):
            yield state
            while not gate.wait(0.01):
                checkpoint()

    monkeypatch.setattr("mlfs.answer.recommendation.permutation_test", slow)
    app = opened(open_page, repeats="1")
    app.button(key="answer-test").click().run()
    _, work = app.session_state["answer-chance"]
    while not any(found.permutation for found in work.job.progress.parts):
        assert work.job.running
    app.run()
    assert any("1 permutation of 99, so far" in text.value for text in app.markdown)
    app.button(key="answer-chance-stop").click().run()
    app = finished(app, "answer-chance")
    assert any("1 permutation of 99, so far" in text.value for text in app.markdown)
    assert any("Stopped" in caption.value for caption in app.caption)


def test_the_best_method_is_a_way_to_explore_it(open_page):
    app = opened(open_page, "shortlist-box", method="random", repeats="2", seed="3")
    app.button(key="answer-find").click().run()
    app = finished(app, "answer-methods")
    table = shown_table(app, "best size")
    assert set(table["method"]) == {"Random", "GRRO", "SCLS"}
    [way] = [way for way in app.get("page_link") if "is the best of them" in way.proto.label]
    assert "seed=3" in way.proto.query_string
    assert re.search("method=(grro|scls)", way.proto.query_string)
