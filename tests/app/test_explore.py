"""Explore: every method of the registry, the link, what each method sees, slow work and its way out."""

import json
import threading
from itertools import groupby

import pytest

from mlfs import SELECTORS, load_dataset
from mlfs.evaluation import Explorer, averaged, explore_all, get_protocol
from mlfs.selectors.base import FAMILIES
from mlfs.stopping import GivenUp
from pages.parts.methods import method_ids
from pages.parts.view import WITHOUT_SIDEBAR
from tests.app.addresses import address
from tests.app.figures import figures
from tests.waiting import GUARD

TINY = "synthetic:n_instances=60,n_relevant=3,n_redundant=2,n_irrelevant=3,n_labels=3"


def test_the_list_of_methods_is_the_registry_family_by_family():
    assert sorted(method_ids()) == sorted(set(SELECTORS) - {"all_features"})
    families = [SELECTORS[method].family for method in method_ids()]
    assert [family for family, _ in groupby(families)] == list(FAMILIES)


def test_a_picker_says_what_a_method_is_from_when_and_of_which_family(open_page):
    options = open_page("explore", data=TINY, repeats="1", most="5").selectbox(key="method").options
    assert "GRRO · global relevance & redundancy · 2020 · information" in options
    assert "Random · features in random order · baselines" in options  # of no paper
    assert len(set(options)) == len(options)


@pytest.mark.parametrize("method", method_ids())
def test_every_method(open_page, method):
    app = open_page("explore", data=TINY, method=method, repeats="1", most="5")
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="method").value == method
    assert len(figures(app)) >= 3
    assert any("1 split into training and test rows. The selection took" in caption.value for caption in app.caption)
    widgets = {
        widget.key
        for kind in ("selectbox", "slider", "select_slider", "number_input", "toggle")
        for widget in getattr(app, kind)
    }
    declared = set(SELECTORS[method].parameters) - {"n_features_to_select", "categorical_features", "n_jobs"}
    assert {f"{method}.{name}" for name in declared} <= widgets


def test_a_closed_box_sends_nothing_and_what_it_holds_counts(open_page):
    app = open_page("explore", data=TINY, method="random", repeats="1", most="5", **{"random.random_state": "7"})
    first = app.dataframe[0].value
    app.session_state["random-solver"] = False
    app.run()
    assert "random.random_state" not in {field.key for field in app.number_input}
    assert address(app)["random.random_state"] == "7"
    assert app.dataframe[0].value.equals(first)
    app.session_state["random-solver"] = True
    app.run()
    assert app.number_input(key="random.random_state").value == 7
    other = open_page("explore", data=TINY, method="random", repeats="1", most="5", **{"random.random_state": "8"})
    assert not other.dataframe[0].value.equals(first)


def test_the_numbers_of_the_library(open_page):
    app = open_page("explore", method="els", repeats="1", **{"els.n_labels": "3"})
    shown = app.dataframe[0].value
    expected = averaged(explore_all(load_dataset("emotions"), ("els", {"n_labels": 3}), get_protocol("quick")))
    assert shown["hamming_loss"].tolist() == expected["hamming_loss"].tolist()
    assert shown["redundancy"].tolist()[1:] == expected["redundancy"].tolist()[1:]


def test_a_moved_slider_is_in_the_link(open_page):
    app = open_page("explore", method="grro", repeats="1")
    app.select_slider(key="grro.alpha").set_value(10.0).run()
    assert app.query_params["grro.alpha"] == "10"
    app.select_slider(key="grro.alpha").set_value(1.0).run()
    assert "grro.alpha" not in app.query_params


def test_a_value_between_two_stops_of_a_slider(open_page):
    app = open_page("explore", method="grro", repeats="1", **{"grro.alpha": "0.7"})
    assert not app.info
    assert app.select_slider(key="grro.alpha").value == 0.7


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ({"method": "esl"}, "Method cannot be 'esl': did you mean 'els'? The default is shown instead."),
        ({"method": "els", "els.n_labels": "7"}, "n_labels must be a whole number from 0 to 6 (the number of labels)"),
        ({"method": "els", "els.n_labels": "two"}, "n_labels must be a whole number"),
        ({"seed": "-1"}, "seed must be a whole number from 0 to 2147483647, not -1."),
        ({"stratified": "maybe"}, "stratified"),
        ({"present": "maybe"}, "present cannot be 'maybe'. The default is shown instead."),
        ({"data": "emotion"}, "There is no data set 'emotion': did you mean 'emotions'?"),
        ({"metrics": "hamming_loss,haming"}, "Metrics cannot be 'haming': did you mean 'hamming_loss'?"),
        ({"seed": "9" * 400}, "seed must be a whole number from 0 to 2147483647, not 9999"),
        (
            {"metrics": "hamming_loss,ranking_loss,coverage,one_error,macro_f1"},
            "The link names 5 metrics, but this page takes 4 at most.",
        ),
        ({"metrics": "![x](http://evil.example/a.png)"}, "'\\!\\[x\\](http\u2060://evil.example/a.png)'"),
        ({"colour": "red"}, "The link sets 'colour', which this page does not have; it was ignored."),
    ],
)
def test_wrong_values_give_way_with_a_note(open_page, query, note):
    app = open_page("explore", repeats="1", **query)
    assert not app.exception
    assert not app.error
    assert any(note in info.value for info in app.info), [info.value for info in app.info]
    assert len(figures(app)) >= 3


def test_a_range_that_shrinks_with_the_data(open_page):
    app = open_page("explore", data="yeast", method="els", repeats="1", **{"els.n_labels": "10"})
    app.selectbox(key="data").set_value("emotions").run()
    assert not app.exception
    assert app.select_slider(key="els.n_labels").value is None
    assert any("n_labels must be a whole number from 0 to 6" in info.value for info in app.info)


def test_a_link_to_an_upload_says_that_the_file_is_needed(open_page):
    app = open_page("explore", data="upload-0123456789abcdef")
    assert not app.exception
    assert "upload the same file on the Data page" in app.error[0].value
    assert app.query_params["data"] == "upload-0123456789abcdef"


def test_slow_work_has_a_way_out(open_page, monkeypatch):
    gate, ended = threading.Event(), []
    explore = Explorer.explore

    def slow(self, *args, **kwargs):
        gate.wait(GUARD)
        try:
            result = explore(self, *args, **kwargs)
        except GivenUp:
            ended.append("given up")
            raise
        ended.append("finished")
        return result

    monkeypatch.setattr(Explorer, "explore", slow)
    # A test sees the end of a run; a browser sees the page while it waits.
    monkeypatch.setattr("pages.parts.view.wait_for_more", lambda: None)
    app = open_page("explore", seed="77", repeats="1")
    assert [info.value for info in app.info] == ["Selecting and evaluating …"]
    app.button[0].click().run()
    gate.set()
    assert not app.exception
    assert [info.value for info in app.info] == ["Stopped. Change a setting to start again."]
    work = app.session_state["explore-work"].job
    work.wait(1, GUARD)
    assert not work.running
    assert work.done == 0
    assert ended == ["given up"]


def test_menus_begin_with_capitals(open_page):
    app = open_page("explore", method="ppt_mi", repeats="1")
    menus = {box.label: box.options for box in app.selectbox if box.label not in ("Data", "Method")}
    assert menus["Estimator"] == ["Counted frequencies", "Nearest neighbours"]
    assert menus["Split"] == ["Random", "Given with the data", "Cross-validation"]
    assert [option for options in menus.values() for option in options if option[0].islower()] == []


def test_small_measures_keep_two_digits(open_page):
    app = open_page("explore", data="yeast", method="grro", repeats="1")
    columns = json.loads(app.dataframe[0].proto.columns)
    assert columns["redundancy"]["type_config"]["format"] == "%.5f"
    assert columns["hamming_loss"]["type_config"]["format"] == "%.4f"


def test_the_page_comes_back_for_the_other_splits(open_page):
    app = open_page("explore", seed="79", repeats="4")
    assert any("emotions: 4 splits into" in caption.value for caption in app.caption)
    assert app.dataframe[0].value["hamming_loss_std"].notna().all()
    columns = json.loads(app.dataframe[0].proto.columns)
    assert columns["hamming_loss_std"]["label"] == "±"  # beside its mean, so that the table needs no sideways scrolling
    assert columns["hamming_loss_std"]["help"] == "Hamming loss: the standard deviation over the splits."


def test_a_fault_in_a_part_that_is_drawn_again_gets_a_sentence(open_page, monkeypatch):
    gate, explore = threading.Event(), Explorer.explore

    def failing(self, *args, repeat=0, **kwargs):
        if repeat:
            gate.wait(GUARD)
        return explore(self, *args, repeat=repeat, **kwargs)

    monkeypatch.setattr(Explorer, "explore", failing)
    monkeypatch.setattr("pages.parts.exports.figure", lambda *args: 1 / 0)
    app = open_page("explore", seed="78", repeats="3")
    gate.set()
    assert not app.exception
    assert "This page failed because of a bug in mlfs" in app.error[0].value


def test_presentation_leaves_the_picture_and_its_controls(open_page):
    app = open_page("explore", present="1", repeats="1")
    assert len(figures(app)) == 1
    assert not app.dataframe
    for moved in (app.main.selectbox(key="method"), app.main.select_slider(key="els.n_labels")):
        assert moved.value is None or moved.value == "els"
    assert app.sidebar.selectbox(key="data")
    hidden = [part.proto.body for part in app.get("html") if WITHOUT_SIDEBAR in part.proto.body]
    assert len(hidden) == 1
    app.button(key="show-controls").click().run()
    assert not [part.proto.body for part in app.get("html") if WITHOUT_SIDEBAR in part.proto.body]
    app.button(key="end-presentation").click().run()
    assert app.sidebar.selectbox(key="method")
