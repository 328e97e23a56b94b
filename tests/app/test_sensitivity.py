"""The Sensitivity page: sweeps of every kind with the library's numbers, past studies beside new ones."""

from __future__ import annotations

import re

import pytest

from mlfs.datasets import make_synthetic
from mlfs.errors import StudyError
from mlfs.evaluation import Explorer, average_classification_result, get_protocol, sizes_up_to
from mlfs.studies import MethodGrid, Plan, Store, search
from mlfs.studies.sweep import sweepable
from pages.parts import searching, studies
from tests.app.addresses import address
from tests.app.figures import figures
from tests.app.job_queue import finished, labels, press, said, until
from tests.app.owned_uploads import give_upload

SIZES = sizes_up_to(10)


@pytest.fixture
def opened(open_page, engine):
    def page(**query: str):
        app = open_page("sensitivity", **{"data": "synthetic", "repeats": "1", **query})
        assert not app.exception
        return app

    return page


def numbers(app):
    """The table of the sweep, which stands above that of the studies."""
    return app.dataframe[0].value


def curve(method, *, repeat=0, repeats=1, sizes=SIZES, **parameters):
    protocol = get_protocol("quick", sizes=sizes, repeats=repeats)
    return Explorer(make_synthetic()).explore((method, parameters), protocol, repeat=repeat).curve.set_index("size")


def test_it_opens_with_labels_counted_exactly_and_an_estimate(opened, engine):
    app = opened(repeats="10")  # the default: one split would draw noise
    assert "repeats" not in address(app)
    assert app.multiselect(key="vary").value == ["n_labels"]
    assert "70 runs · about 3 s" in said(app)
    assert labels(app) == ["Run", "Search"]
    [outline] = figures(app)
    assert outline.alt.startswith(
        "An outline: no results yet. There will be a curve of Hamming loss for each of 10 features"
    )
    assert outline.layout["xaxis"]["title"]["text"].startswith("|Y|: labels whose")
    assert not engine.computed


def test_two_parameters_have_the_outline_of_a_heat_map(opened, engine):
    [outline] = figures(opened(method="grro", vary="alpha,beta", repeats="10"))
    assert "There will be a heat map of Hamming loss over" in outline.alt
    assert outline.data[0]["type"] == "heatmap"
    assert not engine.computed


def test_what_one_setting_has_is_no_figure_and_no_answer_yet(opened, engine):
    """An estimate has timed one run, or another study has had it."""
    until(press(opened(vary="n_labels", **{"els.n_labels.steps": "2"}), "Run"), finished)
    few = opened(repeats="10", **{"els.n_labels.steps": "2"})
    assert "20 runs, 2 already done" in said(few)
    assert "is lowest at" not in said(few)
    assert "An outline" not in figures(few)[0].alt
    [outline] = figures(opened(repeats="10", **{"els.n_labels.steps": "4", "els.n_labels.from": "1"}))
    assert outline.alt.startswith("An outline")


def test_lines_over_the_labels_counted_exactly(opened, engine):
    app = until(press(opened(most="10", n="5,10", repeats="2", **{"els.n_labels.steps": "3"}), "Run"), finished)
    assert not app.error
    table = numbers(app).set_index(["|Y|", "Features"])
    assert list(table.index) == [(y, n) for n in (5, 10) for y in (0, 3, 6)]
    mean = sum(curve("els", n_labels=3, repeat=r, repeats=2).loc[5, "hamming_loss"] for r in range(2)) / 2
    assert table.loc[(3, 5), "Hamming loss"] == pytest.approx(mean)
    assert table["Splits"].tolist() == [2] * 6
    count = len(engine.computed)
    assert count == 6
    # The same link, and another look at the same cells.
    assert finished(opened(**{key: value for key, value in address(app).items() if key != "data"}))
    app.selectbox(key="value").set_value("ranking_loss").run()
    assert finished(app)
    assert "Ranking loss" in numbers(app)
    assert len(engine.computed) == count


def axis_title(app, side="xaxis"):
    drawn = next(chart for chart in figures(app) if chart.layout[side].get("title"))
    return drawn.layout[side]["title"]["text"].replace("<br>", " ")


def test_an_axis_says_what_its_parameter_is(opened, engine):
    def ended(**query):
        return until(press(opened(most="10", **query), "Run"), finished)

    one = ended(n="5,10", **{"els.n_labels.steps": "3"})
    assert axis_title(one) == "|Y|: labels whose mutual information is computed exactly"
    fimf = ended(method="fimf", n="5,10", **{"fimf.n_labels.steps": "2"})
    assert axis_title(fimf) == "|Q|: labels of highest entropy whose pairs are examined"
    assert "|Q|" in numbers(fimf)
    assert "|Y|" not in said(fimf)
    two = ended(method="grro", **{"grro.alpha.steps": "2", "grro.beta.steps": "2"})
    assert axis_title(two) == "α: weight of the redundancy among features"
    assert axis_title(two, "yaxis") == "β: weight of the distance between labels"


def test_two_parameters_and_acr(opened, engine):
    app = opened(method="grro", value="ACR", most="10", **{"grro.alpha.steps": "2", "grro.beta.steps": "3"})
    assert app.multiselect(key="vary").value == ["alpha", "beta"]
    until(press(app, "Run"), finished)
    table = numbers(app).set_index(["α", "β"])
    assert list(table.index) == [(a, b) for a in (0.001, 1000) for b in (0.001, 1, 1000)]
    expected = average_classification_result(curve("grro", alpha=1000.0, beta=1.0).reset_index())
    assert table.loc[(1000, 1), "ACR"] == pytest.approx(expected)
    keys = [figure.key for figure in figures(app)]
    assert sum("heatmap" in key or "surface" in key for key in keys) == 2


def test_a_third_parameter_is_held(opened, engine):
    grids = {"grro_ls.alpha.steps": "2", "grro_ls.beta.steps": "2", "grro_ls.k.steps": "2", "grro_ls.k.to": "4"}
    app = until(press(opened(method="grro_ls", vary="alpha,beta,k", at="5", most="5", **grids), "Run"), finished)
    assert len(engine.computed) == 8
    app.selectbox(key="k.at").set_value("4").run()
    table = numbers(app).set_index(["α", "β"])
    assert len(table) == 4
    expected = curve("grro_ls", sizes=sizes_up_to(5), alpha=0.001, beta=1000.0, k=4).loc[5, "hamming_loss"]
    assert table.loc[(0.001, 1000), "Hamming loss"] == pytest.approx(expected)


def test_mapd_with_its_own_sizes_and_counts(opened, engine):
    app = until(press(opened(method="mapd", **{"mapd.alpha.steps": "3"}), "Run"), finished)
    assert app.toggle(key="natural").value is True
    assert "How many features are selected" in said(app)
    table = numbers(app).set_index("α")
    assert list(table.index) == [0.55, 0.75, 0.95]
    assert set(table["Features"]) == {"own"}
    natural = get_protocol("quick", sizes=())
    fitted = Explorer(make_synthetic()).fit(("mapd", {"alpha": 0.75}), natural)[0]
    selected = studies.job_queue().store.results(1).query("parameters == '{\"alpha\": 0.75}'")["n_selected"]
    assert set(selected) == {fitted.n_selected_}


def test_going_to_another_method_brings_its_own_sweep(opened):
    app = opened()
    for method, varied in (("elc", ["k"]), ("grro_ls", ["k"]), ("mapd", ["alpha"]), ("els", ["n_labels"])):
        app.selectbox(key="method").set_value(method).run()
        assert not app.exception
        assert not app.error
        assert app.multiselect(key="vary").value == varied
        assert not app.info


@pytest.mark.parametrize("method", ["cmfs", "elc", "fimf", "relieff_ml"])
def test_any_declared_parameter_of_any_method(opened, method):
    app = opened(method=method)
    for name in sweepable(method):
        app.multiselect(key="vary").set_value([name]).run()
        assert not app.exception
        assert not app.error
        assert re.search(r"^\d+ runs · about 3 s$", said(app), flags=re.M), name


def test_wrong_ranges_get_a_sentence(opened):
    wrong = opened(**{"els.n_labels.to": "99"})
    assert "from 0 to 6" in wrong.info[0].value
    crossed = opened(**{"els.n_labels.from": "4", "els.n_labels.to": "2"})
    assert crossed.error[0].value.startswith("n_labels: a sweep needs two steps or more")


def test_cancel_keeps_what_is_done_and_resume_goes_on(opened, engine):
    engine.limit = 2
    app = until(press(opened(), "Run"), lambda app: len(app.dataframe) > 1)
    until(press(app, "Cancel"), lambda app: "Resume" in labels(app))
    assert "Cancelled. 7 runs, 2 already done" in said(app)
    engine.gate.set()
    until(press(app, "Resume"), finished)
    assert len(engine.computed) == 7


def test_two_studies_side_by_side_and_where_they_lead(opened, engine):
    orders = {"els.n_labels.steps": "2", "most": "5", "n": "5"}
    until(press(opened(**orders), "Run"), finished)
    app = until(press(opened(**orders, **{"els.label_order": "min_entropy"}), "Run"), finished)
    app.selectbox(key="beside").set_value("1").run()
    assert not app.exception
    assert not app.error
    assert address(app)["beside"] == "1"
    assert "**ELS: \\|Y\\| on synthetic**" in said(app)
    links = [element.proto.query_string for element in app.get("page_link")]
    assert links.count("source=study&study=2") == 1
    assert "Test the differences: needs a second data set." in said(app)
    opened_again = opened(study="1", beside="2")
    assert finished(opened_again)
    assert len(numbers(opened_again)) == 2


def test_a_comparison_is_not_offered_here(opened, engine):
    number = studies.job_queue().submit(
        Plan("both", ["synthetic"], ["els", MethodGrid("mfs")], settings={"sizes": [5]})
    )
    app = opened(study=str(number))
    assert any("There is no study 1 here" in info.value for info in app.info)


def test_a_search_within_a_budget_marks_its_trials(opened, engine):
    app = opened(method="grro", trials="5", most="5", **{"grro.alpha.steps": "2", "grro.beta.steps": "2"})
    until(press(app, "Run"), finished)
    until(press(app, "Search"), lambda app: "Best of 5 trials" in said(app))
    assert not app.error
    plan = studies.job_queue().store.study(1).plan
    with Store(":memory:") as store:
        expected = search(plan, store, 5, datasets={"synthetic": make_synthetic()})
    assert f"with a Hamming loss of {expected.value:.4f} on the validation rows" in said(app)
    drawn = figures(app)
    marked = [[trace["name"] for trace in figure.data if "trial" in trace.get("name", "")] for figure in drawn]
    assert marked == [["trials", f"best trial: {expected.value:.4f}"]] * 2
    # Its rows are no data set that anybody could open.
    assert [study.plan.name for study in studies.past(sweeps=False).values()] == []
    app.selectbox(key="value").set_value("ACR").run()
    assert "Search" not in labels(app)


def test_trials_on_an_upload_are_not_kept_in_the_store(opened, engine):
    explorer = Explorer(make_synthetic(seed=6))
    name = f"upload-{explorer.ds.fingerprint[:16]}"
    app = opened()
    give_upload(app, name, explorer)
    app.query_params.update({"data": name, "trials": "5", "most": "5"})
    app.run()
    until(press(app, "Search"), lambda app: "Best of 5 trials" in said(app))
    assert not studies.job_queue().store.studies(app.session_state["viewer"])


def test_a_search_that_cannot_run_is_a_sentence_and_the_sweep_stays(opened, engine, monkeypatch):
    def absent(*_, **__):
        raise StudyError("Optuna is not installed here.")

    monkeypatch.setattr(searching, "search", absent)
    app = until(press(opened(), "Search"), lambda app: len(app.error) > 0)
    assert [error.value for error in app.error] == ["Optuna is not installed here."]
    assert "7 runs · about 3 s" in said(app)
