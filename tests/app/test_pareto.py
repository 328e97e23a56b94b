"""The Pareto page: fronts of features under two or three labels, α, and fronts of runs, its own or those of a study."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

import pytest

from mlfs import load_dataset
from mlfs.evaluation import Explorer, compare_features
from mlfs.studies import Plan, Store, run
from tests.app.addresses import address
from tests.app.figures import figures
from tests.app.job_queue import Here, until


@pytest.fixture(scope="module")
def explorer():
    return Explorer(load_dataset("emotions"))


def said(app) -> str:
    return "\n".join(part.value for part in [*app.markdown, *app.caption])


def settled(app):
    """The page when nothing is under way any more."""
    return until(app, lambda app: not app.get("progress") and len(app.dataframe) > 0)


def test_it_opens_with_the_front_of_the_first_two_labels(open_page, explorer):
    app = settled(open_page("pareto"))
    assert not app.exception
    assert not app.error
    found = compare_features(explorer, explorer.ds.label_names[:2], ("mapd", {"alpha": 0.7}))
    assert len(found.selected) == 3, "one selected feature would be nothing to look at"
    assert app.dataframe[0].value.equals(found.table().set_axis(list(app.dataframe[0].value), axis=1))
    assert found.sentence(0.7) in said(app)
    assert app.slider(key="mapd.alpha").help.startswith("α: "), "not Α, the capital"
    assert len(figures(app)) == 6
    assert address(app) == {}
    pmfs, _ = explorer.fit("pmfs")
    assert (
        f"1 of 72 features of emotions is on the first front: {explorer.ds.feature_names[pmfs.first_front_[0]]}."
        in (said(app))
    )


def test_a_feature_is_looked_at_with_its_strongest_rival(open_page, explorer):
    app = settled(open_page("pareto", methods="mapd", looked_at="20"))
    assert not app.exception
    found = compare_features(explorer, explorer.ds.label_names[:2], ("mapd", {"alpha": 0.7}))
    told = found.about_feature(19, 0.7, explorer.ds.label_names)
    assert told.startswith(explorer.ds.feature_names[19])
    assert told in said(app).replace("\\", "")
    rival, _ = found.dominance.strongest_rival(19)
    both = f"{explorer.ds.feature_names[19]} and of {explorer.ds.feature_names[rival]}"
    assert [chart for chart in figures(app) if both in chart.alt]
    assert address(app) == {"methods": "mapd", "looked_at": "20"}


def test_the_runs_have_an_answer_and_a_way_to_explore(open_page):
    app = settled(open_page("pareto", methods="mapd,els"))
    assert re.search(r"\*\*(MAPD|ELS) with \d+ features has the lowest Hamming loss, 0\.\d{4}\. ", said(app))
    assert "to open it in Explore" in said(app)
    app.session_state["front-run"] = ("ELS", 20)
    [link] = [link for link in app.run().get("page_link") if "ELS" in link.proto.label]
    assert link.proto.label == "Open ELS with 20 features in Explore"
    assert dict(parse_qsl(link.proto.query_string)) == {
        "data": "emotions",
        "method": "els",
        "keep": "number",
        "number": "20",
    }


def test_the_fronts_of_pmfs_follow_their_parameters(open_page, explorer):
    app = settled(open_page("pareto", methods="mapd", **{"pmfs.scaling": "standard"}))
    pmfs, _ = explorer.fit(("pmfs", {"scaling": "standard"}))
    first = ", ".join(explorer.ds.feature_names[i] for i in pmfs.first_front_)
    assert f"2 of 72 features of emotions are on the first front: {first}." in said(app)
    (drawn,) = [chart for chart in figures(app) if "front 1" in str(chart.data)]
    assert "front 1 (2)" in [trace["name"] for trace in drawn.data]


def test_alpha_moves_the_selection_and_the_link(open_page, explorer):
    app = settled(open_page("pareto", labels="quiet-still,sad-lonely,happy-pleased", methods="mapd"))
    app.slider(key="mapd.alpha").set_value(0.9).run()
    found = compare_features(explorer, ["quiet-still", "sad-lonely", "happy-pleased"], ("mapd", {"alpha": 0.9}))
    assert settled(app).dataframe[0].value.equals(found.table().set_axis(list(app.dataframe[0].value), axis=1))
    assert f"MAPD keeps {len(found.selected)} at α = 0.9" in said(app)
    assert address(app) == {
        "labels": "quiet-still,sad-lonely,happy-pleased",
        "mapd.alpha": "0.9",
        "methods": "mapd",
    }


def test_other_data_have_other_labels_and_that_is_no_mistake(open_page):
    app = settled(open_page("pareto", labels="quiet-still,sad-lonely", methods="mapd"))
    app.selectbox(key="data").set_value("scene").run()
    assert not app.info
    assert settled(app).multiselect(key="labels").value == list(load_dataset("scene").label_names[:2])


def test_too_few_and_too_many_labels(open_page):
    app = open_page("pareto", labels="quiet-still", methods="mapd")
    assert [note.value for note in app.info] == ["Choose two or three labels in the sidebar."]
    app = open_page("pareto", labels="nobody,quiet-still", methods="mapd")
    assert "Labels has no 'nobody'" in app.info[0].value
    names = ",".join(load_dataset("emotions").label_names)
    app = open_page("pareto", labels=names, methods="mapd")
    assert "Labels takes at most 3 names, not 6." in app.info[0].value


def test_runs_of_a_finished_study(open_page, monkeypatch, tmp_path):
    monkeypatch.setenv("MLFS_STORE", str(tmp_path / "studies.sqlite"))
    app = open_page("pareto", source="study", study="1")
    assert "There is no study 1 here: it was deleted, or belongs to somebody else." in [n.value for n in app.info]
    app = open_page("pareto", source="study")
    assert "There is no finished study here: run one on the Compare or the Sensitivity page." in [
        note.value for note in app.info
    ]
    plan = Plan("three", ("emotions",), ("els", "mim_br", "random"), settings={"sizes": (5, 10), "split": "given"})
    with Store(tmp_path / "studies.sqlite") as store:
        run(plan, store, engine=Here())
        rows = store.results(1)
    app = settled(open_page("pareto", source="study", study="1"))
    assert not app.error
    assert "three on emotions, means over repeats." in said(app)
    runs = [chart for chart in figures(app) if "Hamming loss" in str(chart.layout)][-1]
    for value in rows.loc[rows["metric"] == "hamming_loss", "value"]:
        assert f"{value:.4f}" in str(runs.data)
    app.selectbox(key="metric").set_value("macro_f1").run()
    assert "This study measured Hamming loss, Ranking loss: choose one as the metric." in [n.value for n in app.info]


def test_a_finished_study_is_tested_on_significance(open_page, monkeypatch, tmp_path):
    monkeypatch.setenv("MLFS_STORE", str(tmp_path / "studies.sqlite"))
    plan = Plan(
        "two sets", ("emotions", "synthetic"), ("els", "mim_br", "random"), settings={"sizes": (5, 10), "repeats": 2}
    )
    with Store(tmp_path / "studies.sqlite") as store:
        run(plan, store, engine=Here())
    app = open_page("significance", source="study", study="1", metric="ranking_loss", at="5")
    assert not app.error
    assert app.dataframe[0].value.shape == (2, 3)
    assert "two sets, means over repeats. Lower is better." in said(app)


def test_presenting_shows_only_the_front(open_page):
    app = open_page("pareto", present="1", methods="mapd")
    assert len(figures(app)) == 1
    assert not app.dataframe
