"""The Compare page: a study in the background, its numbers, its link, and who may see it."""

from __future__ import annotations

from dataclasses import replace

import pytest
import streamlit as st

from mlfs.datasets import make_synthetic
from mlfs.errors import StudyError
from mlfs.evaluation import Explorer, compare, get_protocol
from mlfs.metrics import stability
from mlfs.studies import Estimate, MethodGrid, Plan
from mlfs.tables import summary
from mlfs.tables.answer import best_method
from pages.parts import exports, studies
from pages.parts import methods as methods_part
from pages.parts.methods import words_of
from tests.app.addresses import address
from tests.app.figures import figures
from tests.app.job_queue import finished, labels, press, said, until
from tests.app.owned_uploads import give_upload

QUICK = {"sets": "synthetic", "methods": "els,random", "repeats": "2", "most": "10"}
PROTOCOL = get_protocol("quick", repeats=2, sizes=(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))


@pytest.fixture
def opened(open_page, engine):
    def page(**query: str):
        app = open_page("compare", **{**QUICK, **query})
        assert not app.exception
        return app

    return page


def upload() -> tuple[str, Explorer]:
    """A set as the Data page keeps it, with a name that is Markdown."""
    ds = replace(make_synthetic(seed=5), name="**mine**")
    return f"upload-{ds.fingerprint[:16]}", Explorer(ds)


def test_it_opens_with_a_question_and_computes_nothing_unasked(open_page, engine):
    app = open_page("compare")
    assert not app.exception
    assert not app.error
    assert app.multiselect(key="sets").value == ["emotions"]
    assert app.multiselect(key="methods").value == ["els", "grro", "random", "all_features"]
    assert labels(app) == ["Run"]
    assert "40 runs · about 3 s" in said(app)
    [outline] = figures(app)
    assert outline.alt == (
        "An outline: no results yet. There will be a curve of Hamming loss, Ranking loss for each of ELS, GRRO, Random."
    )
    assert not engine.computed
    assert not address(app)


def test_a_run_shows_the_numbers_of_the_library(opened, engine):
    app = until(press(opened(), "Run"), finished)
    assert not app.error
    assert len(engine.computed) == 4
    expected = compare(["synthetic"], ["els", "random"], PROTOCOL)
    table = app.table[0].value
    assert list(table.index) == ["ELS", "Random"]
    for metric, title in zip(PROTOCOL.metrics, ("Hamming loss ↓", "Ranking loss ↓"), strict=True):
        assert table[title].tolist() == summary(expected, metric).mean.loc["synthetic"].tolist()
    stable = app.dataframe[0].value.set_index("Method")
    explorer = Explorer(make_synthetic())
    subsets = [explorer.fit("els", PROTOCOL, repeat=repeat)[0].ranking_[:10] for repeat in range(2)]
    assert stable.loc["ELS", "Stability"] == pytest.approx(stability(subsets, 50))
    assert stable["Splits"].tolist() == [2, 2]
    assert "Bold: the best of a column; testing the others against it needs 5 repeats." in said(app)


def test_one_split_says_what_stability_needs_instead_of_a_table(opened, engine):
    app = until(press(opened(repeats="1"), "Run"), finished)
    assert not app.error
    assert not [table for table in app.dataframe if "Stability" in table.value]
    assert "It needs at least two splits. Choose more repeats to see it." in said(app)


def test_the_same_link_finds_the_results_without_computing(opened, engine):
    link = address(until(press(opened(), "Run"), finished))
    count = len(engine.computed)
    again = opened(**link)
    assert finished(again)
    assert labels(again) == []  # somebody else's
    assert len(again.table) == 1
    # Known from the other study: one method less, and the names of before.
    fewer = opened(methods="random")
    assert finished(fewer)
    more = opened(methods="els,random,mfs")
    assert "6 runs, 4 already done" in said(more)
    assert len(more.table) == 1, "what is known is shown before the rest is run"
    assert len(engine.computed) == count
    until(press(more, "Run"), finished)
    assert [cell.method for cell in engine.computed[count:]] == ["mfs", "mfs"]


def test_partial_results_cancel_and_resume(opened, engine, browser):
    engine.limit = 1
    browser("ann")
    app = until(press(opened(), "Run"), lambda app: len(app.table) > 0)
    assert "Cancel" in labels(app)
    assert not finished(app)
    # Another page or a reload finds the running study again.
    assert "Cancel" in labels(opened())
    app = until(press(app, "Cancel"), lambda app: "Resume" in labels(app))
    assert "Cancelled. 4 runs, 1 already done" in said(app)
    engine.gate.set()
    until(press(app, "Resume"), finished)
    assert len(engine.computed) == 4


def test_others_wait_in_the_queue(opened, engine):
    engine.limit = 0
    for methods in ("els", "random"):
        until(press(opened(methods=methods), "Run"), lambda app: "Cancel" in labels(app))
    third = until(press(opened(methods="mfs"), "Run"), lambda app: "Cancel" in labels(app))
    assert third.get("progress")[0].proto.text == "Waiting, number 1 in the queue: 2 studies run at a time."
    engine.gate.set()
    until(third, finished)


def test_after_a_restart_of_the_server_it_can_be_resumed(opened, engine):
    engine.limit = 1
    until(press(opened(), "Run"), lambda app: len(app.table) > 0)
    studies.job_queue().close()
    studies._job_queue_at.clear()
    engine.gate.set()
    app = until(opened(), lambda app: "Resume" in labels(app))
    assert "Interrupted by a restart of the server. 4 runs, 1 already done" in said(app)
    until(press(app, "Resume"), finished)
    assert len(engine.computed) == 4


def test_it_says_of_which_data_set_the_curves_are(opened, engine):
    two = {"sets": "synthetic,synthetic:seed=1", "methods": "els", "repeats": "1", "most": "1"}
    app = until(press(opened(**two), "Run"), finished)
    assert "On synthetic; choose another data set under View in the sidebar." in said(app)


def test_a_failing_method_leaves_the_others(opened, engine):
    app = until(press(opened(methods="els:n_labels=40,random"), "Run"), finished)
    [warning] = app.warning
    assert warning.value.startswith("ELS failed on synthetic. n_labels must be a whole number from 0 to 6")
    assert app.table[0].value["Hamming loss ↓"].notna().tolist() == [False, True]


def test_what_fails_all_methods_is_said_once(opened, engine):
    app = until(press(opened(methods="els:n_labels=40,els:n_labels=41"), "Run"), finished)
    assert len(app.warning) == 2  # two reasons
    app = until(press(opened(sets="synthetic:n_instances=10", methods="els,grro,random"), "Run"), finished)
    [warning] = app.warning
    assert warning.value.startswith(
        "ELS, GRRO and Random failed on synthetic:n_instances=10. ML-kNN asks 10 neighbours of a row"
    )
    assert warning.value.endswith("choose another classifier, or bring more rows.")
    [figure] = figures(app)
    assert figure.alt == "Nothing to show yet: none of the runs succeeded."
    assert "Click a method" not in said(app)


def test_methods_with_parameters_stand_in_the_link(opened):
    app = opened(methods="els,grro:alpha=10,grro")
    assert app.multiselect(key="methods").value == ["els", "grro:alpha=10", "grro"]
    assert not app.select_slider  # the parameters of a method are in a box of its own, closed at first
    app.session_state["methods:grro:0:fold"] = app.session_state["methods:grro:1:fold"] = True
    app.run()
    app.select_slider(key="methods:grro:1:beta").set_value(1.0).run()
    assert address(app)["methods"] == "els,grro:alpha=10,grro:beta=1"
    app.select_slider(key="methods:grro:0:alpha").set_value(1.0).run()
    assert address(app)["methods"] == "els,grro,grro:beta=1"
    assert not app.exception


def test_a_parameter_that_was_moved_just_before_stays(monkeypatch):
    """The browser tells the tags that it had before it heard of that move."""
    state = {"methods": ["els", "grro"], "beta": 1.0}
    monkeypatch.setattr(methods_part.st, "session_state", state)
    methods_part._changed("methods", "grro:alpha=10", 0, "beta", "beta")
    assert state["methods"] == ["els", "grro:alpha=10,beta=1"]
    state["methods"] = ["els"]  # taken out meanwhile
    methods_part._changed("methods", "grro:alpha=10,beta=1", 0, "beta", "beta")
    assert state["methods"] == ["els"]


def test_words_of_a_link():
    assert words_of("els,grro:alpha=10,beta=2;mapd") == ["els", "grro:alpha=10,beta=2", "mapd"]
    assert words_of("grro:alpha=1,els,els") == ["grro", "els"]


def test_wrong_words_in_the_link_get_a_note(opened):
    app = opened(methods="elz", band="wide", study="77")
    notes = [info.value for info in app.info]
    assert "There is no method 'elz': did you mean 'els'? The default is shown instead." in notes
    assert any("There is no study 77 here" in note for note in notes)
    assert app.selectbox(key="band").value == "std"


def test_what_takes_a_moment_runs_by_itself_and_is_not_listed(opened, engine, monkeypatch):
    monkeypatch.setattr(studies, "estimate", lambda plan, store, **_: Estimate(len(plan), 0, 2.9, ""))
    app = until(opened(), finished)
    assert len(engine.computed) == 4
    assert not studies.job_queue().store.studies()
    links = {element.proto.label: element.proto.query_string for element in app.get("page_link")}
    assert links["Loss against features and time"] == "source=study&study=1"
    assert finished(opened(study="1")), "it is found by its number"


def test_one_that_was_cancelled_does_not_begin_by_itself(opened, engine, monkeypatch):
    monkeypatch.setattr(studies, "estimate", lambda plan, store, **_: Estimate(len(plan), 0, 2.9, ""))
    engine.limit = 1
    app = until(opened(), lambda app: "Cancel" in labels(app))
    app = until(press(app, "Cancel"), lambda app: "Resume" in labels(app))
    assert "Resume" in labels(app.run())


def test_the_answer_stands_above_the_picture(opened, engine):
    app = until(press(opened(repeats="5", methods="mim_br,random,all_features"), "Run"), finished)
    expected = compare(["synthetic"], ["mim_br", "random", "all_features"], replace(PROTOCOL, repeats=5))
    answer = best_method(summary(expected, "hamming_loss"))
    assert f"**{answer}**" in [element.value for element in app.markdown]


def test_files_are_named_by_page_data_and_metric_and_hold_whole_numbers_of_features(opened, engine, monkeypatch):
    files = {}
    monkeypatch.setattr(exports, "download", lambda label, make, name, *_: files.update({name: make}))
    until(press(opened(methods="mim_br,mfs,random,els,all_features,scls,fimf"), "Run"), finished)
    tables = [f"{name}.{end}" for name in ("hamming_loss", "ranking_loss") for end in ("csv", "tex")]
    assert {f"compare-synthetic-{name}" for name in tables} < set(files)
    latex = files["synthetic-stability.tex"]()
    assert " & 10 & 2 " in latex
    assert "10.0000" not in latex


def test_no_data_set_is_a_sentence(opened):
    app = opened()
    app.multiselect(key="sets").set_value([]).run()
    assert "Choose at least one data set in the sidebar." in said(app)
    assert "emotions" not in said(app)
    assert not app.error


def test_no_method_is_a_sentence(opened):
    app = opened()
    app.multiselect(key="methods").set_value([]).run()
    assert "Choose at least one method in the sidebar." in said(app)
    assert not app.error


def test_a_papers_protocol_brings_its_settings(opened):
    app = opened(protocol="wang_2020_elc", repeats="1")
    assert "Five folds; 10% to 90% of the features" in said(app)
    assert "10 runs" in said(app)
    app.selectbox(key="protocol").set_value("sechidis_2014").run()
    assert app.slider(key="repeats").value == 30
    assert "60 runs" in said(app)


def test_several_data_sets_are_shown_one_at_a_time(opened, engine):
    app = until(press(opened(sets="synthetic,emotions", methods="random,mfs", shown="emotions"), "Run"), finished)
    assert app.selectbox(key="shown").value == "emotions"
    assert app.table[0].value.index.tolist() == ["synthetic", "emotions"]
    assert "Selection time** on emotions" in said(app)
    links = {element.proto.label: element.proto for element in app.get("page_link")}
    assert links["Test the differences"].query_string == "source=study&study=1"
    assert not links["Test the differences"].disabled


def test_a_set_chosen_on_another_page_comes_along(open_page, engine):
    assert open_page("compare", data="yeast").multiselect(key="sets").value == ["yeast"]
    made = open_page("compare", sets="emotions,synthetic:n_labels=3,seed=4", shown="synthetic:n_labels=3,seed=4")
    assert not made.error
    assert made.multiselect(key="sets").value == ["emotions", "synthetic:n_labels=3,seed=4"]


def test_a_link_to_an_upload_says_that_the_file_is_needed(open_page, engine):
    app = open_page("compare", sets="emotions,upload-0123456789abcdef")
    assert "upload the same file on the Data page" in app.error[0].value
    assert address(app)["sets"] == "emotions,upload-0123456789abcdef"


def test_an_upload_is_the_business_of_its_session_alone(opened, engine):
    name, explorer = upload()
    engine.limit = 0
    mine = opened(sets="synthetic")
    give_upload(mine, name, explorer)
    mine.query_params["sets"] = name
    mine.run()
    assert address(mine)["sets"] == name
    until(press(mine, "Run"), lambda app: "Cancel" in labels(app))
    [study] = studies.job_queue().store.studies(mine.session_state["viewer"])
    other = opened(study=str(study.id))
    assert any("belongs to somebody else" in info.value for info in other.info)
    assert not other.dataframe
    assert name not in said(other)
    assert not studies.job_queue().jobs(other.session_state["viewer"])
    engine.gate.set()
    until(mine, finished)
    assert r"on \*\*mine\*\*: 4 runs, all done." in said(mine)
    assert "path/to/your-file" in mine.code[0].value
    assert not studies.job_queue().store.studies()


def test_past_studies_are_listed_opened_and_deleted_by_those_who_asked(opened, engine, browser):
    browser("ann")
    until(press(opened(), "Run"), finished)
    listed = opened(methods="mfs")
    row = listed.dataframe[-1].value.iloc[0]
    assert row[["Name", "Runs", "State"]].tolist() == ["1: ELS, Random on synthetic", "4 of 4", "done"]
    browser("bob")
    theirs = opened(study="1")
    assert finished(theirs)
    assert "Delete study 1" not in labels(theirs)
    browser("ann")
    opened_again = opened(study="1")
    assert finished(opened_again)
    assert len(opened_again.table) == 1
    press(opened_again, "Delete study 1")  # in a box that Delete opens
    assert not studies.job_queue().store.studies()
    assert opened_again.multiselect(key="methods")
    assert "Study 1 was deleted." in said(opened_again)
    press(opened_again, "Undo")
    assert [study.id for study in studies.job_queue().store.studies()] == [1]
    assert "was deleted" not in said(opened_again)


def test_who_asked_for_a_study_is_known_after_a_restart(opened, engine, browser):
    browser("ann")
    until(press(opened(), "Run"), finished)
    studies.job_queue().close()
    studies._job_queue_at.clear()
    browser("bob")
    theirs = opened()
    assert "Delete study 1" not in labels(theirs)
    assert "started in another browser" in said(theirs)
    browser("ann")
    assert "Delete study 1" in labels(opened())


def test_a_study_of_an_upload_survives_a_reload(opened, engine, browser):
    browser("ann")
    name, explorer = upload()
    mine = opened(sets="synthetic")
    give_upload(mine, name, explorer)
    mine.query_params["sets"] = name
    until(press(mine.run(), "Run"), finished)
    [study] = studies.job_queue().store.studies(mine.session_state["viewer"])
    again = opened(study=str(study.id))
    assert finished(again)
    assert not any("belongs" in info.value for info in again.info)
    assert len(again.table) == 1
    browser("bob")
    assert any("belongs to somebody else" in info.value for info in opened(study=str(study.id)).info)


def test_a_study_of_the_command_line_opens_by_its_number(opened, engine):
    varied = MethodGrid("els", grid={"n_labels": [1, 6]})
    number = studies.job_queue().submit(Plan("by hand", ["synthetic"], ["mfs", varied], settings={"sizes": [5]}))
    app = until(opened(study=str(number)), finished)
    assert "by hand: 3 runs, all done." in said(app)
    assert labels(app) == ["Delete study 1"]  # nobody here asked for it, so that anybody may
    assert list(app.table[0].value.index) == ["MFS", "ELS (|Y|=1)", "ELS (|Y|=6)"]
    assert "--methods mfs els:n_labels=1 els:n_labels=6" in app.code[1].value


def test_a_store_that_cannot_be_written_is_a_sentence(open_page, monkeypatch, tmp_path):
    monkeypatch.setenv(studies.VARIABLE, str(tmp_path))  # a folder
    app = open_page("compare")
    assert not app.exception
    assert "cannot be opened for writing" in app.error[0].value


def test_an_estimate_comes_from_a_cell_that_stays(open_page, engine, monkeypatch):
    from mlfs.studies import estimate

    monkeypatch.setattr(studies, "estimate", estimate)
    monkeypatch.setattr(studies, "AT_ONCE_SECONDS", 0.0)
    app = until(open_page("compare", **QUICK), lambda app: "4 runs, 2 already done · about" in said(app))
    assert len(app.table) == 1, "the first split is the quick answer"
    assert not engine.computed
    st.cache_resource.clear()


def test_all_seeds_of_a_study_are_in_the_table_and_in_the_recipe(opened, engine):
    plan = Plan("seeds", ["synthetic"], ["mim_br", "random"], settings={"sizes": [5], "repeats": 2}, seeds=(0, 1, 2))
    number = studies.job_queue().submit(plan)
    app = until(opened(study=str(number)), finished)
    rows = studies.job_queue().store.results(number)
    means = rows[rows["metric"] == "hamming_loss"].groupby("method", sort=False)["value"].mean()
    assert app.table[0].value["Hamming loss ↓"].tolist() == pytest.approx(means.tolist())
    assert "for seed in [0, 1, 2]" in app.code[0].value
    assert "--seeds 0,1,2" in app.code[1].value


def test_a_size_that_no_run_has_yet_costs_the_table_alone(opened, engine):
    engine.limit = 1
    app = until(press(opened(methods="all_features,els", at="10"), "Run"), lambda app: "Stability" in said(app))
    assert [info.value for info in app.info] == ["No run has 10 features: choose from 50."]
    assert not app.error
    assert "Selection time" in said(app)


def test_a_link_for_millions_of_cells_is_refused_before_they_are_made(opened, engine, monkeypatch):
    grid = {"alpha": list(range(1, 51)), "beta": list(range(1, 51)), "k": list(range(1, 51))}
    plan = Plan("all", ["synthetic"], [MethodGrid("grro_ls", grid=grid), "els"], settings={"repeats": 30})
    monkeypatch.setattr(Plan, "cells", None)
    with pytest.raises(StudyError) as error:
        studies.study_view(plan)
    assert str(error.value) == (
        "This study has 3,750,030 runs, and the app takes 20,000 at most: choose fewer steps, repeats, methods or "
        "data sets, or run it with mlfs study run."
    )


def test_an_upload_with_the_name_of_a_bundled_set_stays_apart(open_page, opened, engine):
    ds = replace(make_synthetic(seed=5, n_labels=3), name="synthetic")
    name = f"upload-{ds.fingerprint[:16]}"
    app = opened()
    give_upload(app, name, Explorer(ds), -3)
    app.query_params["sets"] = f"synthetic,{name}"
    app.run()
    until(press(app, "Run"), finished)
    both = ["synthetic (synthetic)", f"synthetic ({name})"]
    assert app.table[0].value.index.tolist() == both
    assert "load_dataset('path/to/your-file', labels=-3)" in app.code[0].value
    assert "mlfs data convert path/to/your-file your-file.arff --labels -3" in app.code[1].value
    [study] = studies.job_queue().store.studies(app.session_state["viewer"])
    app.switch_page("pareto.py").run()
    app.query_params.update({"source": "study", "study": str(study.id)})
    app.run()
    assert app.selectbox(key="set").options == both


def test_an_estimate_leaves_nothing_of_an_upload_in_the_store(open_page, engine, monkeypatch):
    from mlfs.studies import estimate

    monkeypatch.setattr(studies, "estimate", estimate)
    monkeypatch.setattr(studies, "AT_ONCE_SECONDS", 0.0)
    name, explorer = upload()
    app = open_page("compare", **{**QUICK, "methods": "mim_br"})
    give_upload(app, name, explorer)
    app.query_params["sets"] = name
    app = until(app.run(), lambda app: "2 runs · about" in said(app))
    assert studies.job_queue().store.past_seconds(explorer.ds.fingerprint, "mim_br") is None
