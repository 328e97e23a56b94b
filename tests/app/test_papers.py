"""The Papers page: every table and figure of every paper, published and measured, run again here, and no dead ends."""

from __future__ import annotations

import re
import shlex
from datetime import date
from functools import cache, partial
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from mlfs.cli.entry import main
from mlfs.errors import DatasetError
from mlfs.papers import PAPERS, get_experiment, stored_runs
from mlfs.papers.closeness import Closeness, closeness, closeness_counts, explanations, not_equal, total_counts
from mlfs.papers.experiment import COLUMNS, ExperimentResult
from mlfs.papers.findings import findings
from mlfs.papers.published import named_grid
from mlfs.papers.reproduction import HOLDS, paper_verdict, reproductions
from mlfs.wording import count
from pages.parts import papers_runs, papers_verdicts
from tests.app.addresses import address
from tests.app.figures import figures
from tests.app.job_queue import press, until


def judge_what_is_kept(judge, folder, paper: str):
    """The page judges all papers at each visit; one of which nothing is kept is judged once for all tests."""
    return judge(paper) if (folder / f"{paper}.csv").exists() else judge_nothing(judge, paper)


@cache
def judge_nothing(judge, paper: str):
    return judge(paper)


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Stored runs of the test's own, none at first; the questions, which take longest, have tests of their own."""
    monkeypatch.setattr("pages.parts.questions.show", lambda paper: None)
    monkeypatch.setattr(stored_runs, "measured_folder", lambda paper: tmp_path / "kept")
    for name in ("closeness", "findings", "reproductions"):
        judge = partial(judge_what_is_kept, getattr(papers_verdicts, name), tmp_path / "kept")
        monkeypatch.setattr(papers_verdicts, name, judge)
    st.cache_data.clear()
    st.cache_resource.clear()
    yield tmp_path / "kept"
    st.cache_data.clear()
    st.cache_resource.clear()


@pytest.fixture
def opened(open_page, folder):
    return partial(open_page, "papers")


def keep(folder, paper: str, result: str, rows: list[dict[str, object]], repeats: int | None = 2) -> None:
    """Keep rows as a run would."""
    experiment = get_experiment(paper, result)
    table = pd.DataFrame([{"paper": paper, "result": result, "n": 2, "chosen": "", **row} for row in rows])
    names = tuple(table["dataset"].unique())
    found = ExperimentResult(table.reindex(columns=COLUMNS), names, (), (), (), 12.0)
    stored_runs.store_rows(experiment, found, folder, repeats=repeats, asked=names, today=date(2026, 11, 16))


def losses(metric: str, values: dict[str, dict[str, float]], **more: object) -> list[dict[str, object]]:
    """Data set → method → value, as rows."""
    return [
        {"dataset": dataset, "setting": setting, "metric": metric, "value": value, "std": 0.01, **more}
        for dataset, own in values.items()
        for setting, value in own.items()
    ]


METHODS = ("all_features", "els", "br_cc", "br_or", "ela_chi", "fimf", "mfs")


def table5(*datasets: str) -> list[dict[str, object]]:
    return losses("hamming_loss", {name: {m: 0.2 + 0.01 * i for i, m in enumerate(METHODS)} for name in datasets})


def said(app: AppTest) -> str:
    parts = [*app.header, *app.subheader, *app.markdown, *app.caption, *app.info, *app.error, *app.warning]
    return "\n".join([*(part.value for part in parts), *(unescape(part.proto.body) for part in app.get("html"))])


def links(app: AppTest) -> list[tuple[str, str]]:
    found = [element.proto for element in app.get("page_link")]
    return [(link.page, link.query_string) for link in found]


def test_it_opens_with_the_main_table_of_the_first_paper(opened):
    app = opened()
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="paper").value == "lee_kim_2016"
    assert app.selectbox(key="result").value == "table5"
    shown = app.dataframe[0].value
    assert shown.loc["yeast", ["All", "ELS"]].tolist() == [0.216, 0.209]
    text = said(app)
    assert "There is no stored run of Table 5: run it below." in text
    assert "Hamming loss: lower is better, and the best of each row is in bold." in text
    assert "Friedman's F of the printed values is 5.735, and the paper prints 5.506" in text
    assert "as in the paper, F is not corrected for ties." in text
    assert "density of 0.001 for llog" in text
    assert ("learn", "tour=lee_kim_2016") in links(app)


def test_the_questions_of_a_paper_are_on_its_page(open_page):
    app = open_page("papers")
    assert not app.exception
    assert not app.error
    assert {question.title for question in PAPERS["lee_kim_2016"].questions} <= {head.value for head in app.subheader}


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_every_table_and_figure_of_every_paper(opened, paper):
    app = opened(paper=paper.id, present="1")
    tables = {table.result: table for table in paper.tables}
    for result, experiment in paper.experiments.items():
        app.selectbox(key="result").set_value(result).run()
        assert not app.exception
        assert not app.error
        assert {experiment.label, experiment.title} <= set(said(app).splitlines())
        if result not in tables:
            continue
        table = tables[result]
        for metric in table.metrics if len(table.metrics) > 1 and not table.is_of_statistics else (None,):
            if metric is not None:
                app.selectbox(key="metric").set_value(metric).run()
            expected = named_grid(paper.id, table.result, metric, bounds=True)
            pd.testing.assert_frame_equal(app.dataframe[0].value, expected, check_dtype=False)
            assert ("Average ranks of all published numbers" in said(app)) == (table.rank_test is not None)


def test_published_and_measured_stand_side_by_side(opened, folder):
    keep(folder, "lee_kim_2016", "table5", table5("yeast", "enron", "llog"))
    app = opened()
    assert not app.exception
    shown = app.dataframe[0].value
    row = shown[(shown["Data set"] == "yeast") & (shown["Method"] == "BR-CC")].iloc[0]
    assert row["Published"] == 0.211
    assert row["Measured"] == pytest.approx(0.22)
    assert row["Difference"] == pytest.approx(0.009)
    assert row["Splits"] == 2
    text = said(app)
    assert "The difference is measured − published" in text
    assert "Not measured: bibtex, corel5k, delicious, genbase, slashdot." in text
    assert "Fewer splits than the paper's 10: 2 on enron, llog, yeast." in text
    assert "Measured on 2026-11-16 with mlfs " in text
    assert "mlfs paper run lee_kim_2016 table5 --datasets yeast,enron,llog --repeats 2" in [c.value for c in app.code]
    assert "Average ranks over 3 data sets: Spearman **" in text
    # The order, and a diagram of each side on the common data sets.
    assert text.count("Bonferroni–Dunn's test at 5% with ELS as the control. F = ") == 2
    assert "Over the data sets on which all methods were run: enron, llog, yeast." in text

    app.get("button_group")[0].set_value("differences").run()
    grid = app.dataframe[0].value
    assert grid.loc["yeast", "BR-CC"] == pytest.approx(0.009)
    assert address(app) == {"layout": "differences"}
    # A table with one column has no grid of differences; no word about the link is due.
    app.selectbox(key="result").set_value("table2").run()
    assert not app.exception
    assert [note.value for note in app.info] == ["There is no stored run of Table 2: run it below."]


def test_two_data_sets_are_too_few_for_a_diagram(opened, folder):
    keep(folder, "lee_kim_2016", "table5", table5("yeast", "enron"))
    assert "A diagram needs 3 data sets with all methods; there are 2." in said(opened())


def test_times_are_ratios(opened, folder):
    seconds = {"els": 0.5, "br_cc": 1.0, "br_or": 1.5, "ela_chi": 1.0, "fimf": 1.0, "mfs": 0.25}
    keep(folder, "lee_kim_2016", "table3", losses("selection_seconds", {"enron": seconds, "yeast": seconds}))
    app = opened(result="table3")
    assert not app.exception
    shown = app.dataframe[0].value.set_index(["Data set", "Method"])
    assert shown.loc[("enron", "MFS"), "Measured ratio"] == pytest.approx(0.5)
    assert shown.loc[("enron", "MFS"), "Measured s"] == "0.25"
    assert shown.loc[("yeast", "MFS"), ["Published ratio", "Difference"]].isna().all()  # ELS is printed with 0.0 s
    assert "multiples of that of ELS on the same data set, except where the paper prints 0" in said(app)


def test_statistics_name_what_they_are_of(opened, folder):
    rows = [
        {"dataset": "", "setting": "hamming_loss", "metric": metric, "value": value, "n": 2, "chosen": "yeast, enron"}
        for metric, value in (("friedman_F", 6.0), ("critical_value", 4.3))
    ]
    keep(folder, "lee_kim_2016", "table7", rows)
    app = opened(result="table7")
    assert not app.exception
    shown = app.dataframe[0].value
    assert shown[["Of", "Published", "Measured", "Data sets"]].to_numpy().tolist() == [
        ["Hamming loss", 5.506, 6.0, 2],
        ["Hamming loss", 2.324, 4.3, 2],
    ]
    assert "Not measured: bibtex, corel5k, delicious, genbase, llog, slashdot." in said(app)


def curve(metric: str, *settings: str) -> list[dict[str, object]]:
    return [
        {"dataset": "yeast", "setting": setting, "metric": metric, "size": size, "value": 0.3 - size / 1000}
        for setting in settings
        for size in (10, 30, 50)
    ]


FIGURES = {
    ("lee_kim_2016", "figure4"): (curve("hamming_loss", "els", "mfs"), 1),
    ("lee_kim_2016", "figure2"): (curve("hamming_loss", "els:n_labels=1", "els:n_labels=14"), 1),
    ("lee_kim_2016", "figure8"): (
        curve("ranking_loss", "els:label_order=max_entropy,n_labels=1", "els:label_order=min_entropy,n_labels=1"),
        1,
    ),
    ("lee_kim_2016", "figure6"): (table5("yeast", "enron", "llog"), 2),
    ("wang_2020_elc", "figure1"): (
        [{**row, "dataset": "emotions"} for row in curve("redundancy", "elc", "mifs", "cmfs", "llsf")],
        1,
    ),
    ("wang_2020_elc", "figure3"): ([{**row, "dataset": "enron"} for row in curve("seconds", "elc", "mifs")], 1),
    ("sechidis_2014", "figure3"): (curve("hamming_loss", "cmi_br") + curve("ranking_loss", "cmi_br"), 1),
    ("zhou_2023_mapd", "figure1"): (
        losses("n_selected", {"yeast": {"mapd:alpha=0.6": 2.0, "mapd:alpha=0.9": 30.0}}),
        1,
    ),
    ("zhou_2023_mapd", "figure2"): (losses("n_selected", {"yeast": {"mapd": 2.0, "parfs": 50.0}}), 1),
    ("zhang_2020_grro", "figure3"): (
        losses(
            "acr",
            {
                "medical": {
                    **{f"grro:alpha={a},beta={b}": a + b for a in (0.1, 1.0) for b in (0.1, 1.0)},
                    **{f"grro_ls:k={k}": 1.0 / k for k in (5, 10)},
                }
            },
        ),
        3,
    ),
}


def test_figures_are_drawn_from_the_kept_rows(opened, folder):
    for where, (rows, _) in FIGURES.items():
        keep(folder, *where, rows)
    app = opened(present="1")
    for (paper, result), (_, drawn) in FIGURES.items():
        app.selectbox(key="paper").set_value(paper).run()
        app.selectbox(key="result").set_value(result).run()
        assert not app.exception
        assert not app.error
        assert not app.info
        assert len(figures(app)) == drawn, (paper, result)


def test_the_data_set_of_a_figure_is_in_the_address(opened, folder):
    rows = curve("hamming_loss", "els", "mfs")
    keep(folder, "lee_kim_2016", "figure4", rows + [{**row, "dataset": "enron"} for row in rows])
    app = opened(result="figure4")
    app.selectbox(key="set").set_value("yeast").run()
    assert address(app) == {"result": "figure4", "set": "yeast"}
    # The same figure on the page that moves.
    ours = "protocol=lee_kim_2016&sets=yeast&methods=els%2Cbr_cc%2Cbr_or%2Cela_chi%2Cfimf%2Cmfs"
    assert links(app).count(("compare", ours)) == 2


def test_a_diagram_without_published_numbers_says_so(opened, folder):
    values = {name: {m: 0.1 * i for i, m in enumerate(PAPERS["zhang_2020_grro"].methods)} for name in ("a", "b", "c")}
    keep(folder, "zhang_2020_grro", "figure1", losses("coverage", values))
    app = opened(paper="zhang_2020_grro", result="figure1", metric="coverage")
    assert not app.exception
    assert "The paper prints no numbers for this metric." in said(app)


def test_what_agrees_is_listed(opened, folder):
    assert "What holds, and what does not" not in said(opened())
    keep(folder, "lee_kim_2016", "table5", losses("hamming_loss", {"yeast": {"els": 0.21, "br_cc": 0.2}}))
    keep(folder, "lee_kim_2016", "table6", losses("ranking_loss", {"yeast": {"els": 0.2, "br_cc": 0.2}}))
    st.cache_data.clear()
    told = said(opened())
    assert "What holds, and what does not" in told
    values = findings("lee_kim_2016", folder)[0]
    assert f"{values.claim}: {HOLDS[values.verdict]}." in told
    assert values.evidence.replace("`", "") in re.sub("</?code>", "", told)  # backticks are code there


def verdict_links(app: AppTest) -> list[dict[str, str]]:
    """Where the grid of verdicts leads, and what of it is marked as chosen."""
    [grid] = [part.proto.body for part in app.get("html") if 'aria-label="Verdicts on all papers"' in part.proto.body]
    found = re.findall(r'<a [^>]*?href="(.*?)"([^>]*?aria-current)?', unescape(grid))
    return [dict(parse_qsl(urlsplit(url).query)) | ({"chosen": "yes"} if chosen else {}) for url, chosen in found]


def test_it_begins_with_a_verdict_on_every_paper_and_every_result(open_page, monkeypatch):
    monkeypatch.setattr("pages.parts.questions.show", lambda paper: None)
    app = open_page("papers", paper="zhou_2023_mapd", result="tableIV")
    assert not app.exception
    assert not app.error
    found = verdict_links(app)
    assert [each["paper"] for each in found if "result" not in each] == list(PAPERS)
    listed = {(each["paper"], each["result"]) for each in found if "result" in each}
    assert listed == {(paper.id, result) for paper in PAPERS.values() for result in paper.results}
    assert [each["result"] for each in found if "chosen" in each] == ["tableIV"]
    told = said(app)
    for each in reproductions("zhou_2023_mapd"):
        assert each.why in told
    verdict, why = paper_verdict(reproductions("zhou_2023_mapd"))
    assert f"**Run as described: {verdict}.** Of its tables and figures, {why}." in told
    assert "**✗ Does not agree.** 3 of 36 numbers within 10%; ranks correlate −0.80." in told


def test_how_close_its_numbers_are_is_told_with_what_explains_the_others(open_page, monkeypatch):
    monkeypatch.setattr("pages.parts.questions.show", lambda paper: None)
    app = open_page("papers", paper="zhang_2020_grro", result="table5")
    assert not app.exception
    told = said(app)
    counts = {paper: closeness_counts(paper) for paper in PAPERS}
    for counted in counts.values():
        assert (f"{counted.accounted:.0%} of {counted.compared} numbers" in told) == bool(counted.compared)
    counted = counts["zhang_2020_grro"]
    assert f"**Numbers accounted for: {counted.accounted:.0%}.** {counted.sentence}" in told
    [table] = [frame.value for frame in app.dataframe if "All papers" in frame.value]
    compared = [paper for paper in PAPERS.values() if counts[paper.id].compared]
    assert list(table) == [*(paper.short for paper in compared), "All papers"]
    equal = [counts[paper.id].counts[Closeness.EQUAL] for paper in compared]
    assert table.loc["Equal to the printed digits"].tolist() == list(map(str, [*equal, sum(equal)]))
    total = total_counts(list(counts.values()))
    assert table.loc["Numbers accounted for"].iloc[-1] == f"{total.accounted:.0%}"
    assert f"Of all papers together: {total.accounted:.0%} of {total.compared} numbers." in told
    apart = not_equal(closeness("zhang_2020_grro"))
    assert f"{len(apart)} numbers not equal to the printed digits, and what was tried" in [
        box.label for box in app.expander
    ]
    for each in explanations("zhang_2020_grro"):
        assert f"- {count(each.numbers, 'number')}: {each.title}" in told


def test_a_verdict_and_a_share_that_seem_to_differ_are_explained(open_page, monkeypatch):
    monkeypatch.setattr("pages.parts.questions.show", lambda paper: None)
    told = said(open_page("papers", paper="zhou_2023_mapd"))
    changed = closeness_counts("zhou_2023_mapd").counts[Closeness.EXPLAINED]
    assert changed > 100
    assert f"of 144 numbers, {changed} after a change" in told
    assert f"counts {changed} numbers that we get only after a change that the paper does not mention" in told
    assert "judge different runs" not in said(open_page("papers", paper="zhang_2020_grro"))  # both answers are good


def test_every_number_that_is_not_equal_stands_with_what_was_tried(monkeypatch):
    shown = []
    monkeypatch.setattr(papers_verdicts.exports, "table", lambda table, *_, **__: shown.append(table))
    numbers = closeness("zhang_2020_grro")
    papers_verdicts._show_not_equal(PAPERS["zhang_2020_grro"], not_equal(numbers))
    [table] = shown
    assert len(table) == (~numbers["closeness"].isin([Closeness.EQUAL, Closeness.NOT_RUN])).sum()
    assert set(table["Result"]) == {"Table 2", "Table 5"}
    row = table[(table["Data set"] == "birds") & (table["Method"] == "GRRO") & (table["Of"] == "Macro-F1")].iloc[0]
    assert row["Published"] == 0.1318
    assert "720 orders" in row["What was tried"]


def test_a_paper_of_figures_opens_with_the_first(opened):
    app = opened(paper="sechidis_2014")
    assert app.selectbox(key="result").value == "figure3"
    ours = "protocol=sechidis_2014&sets=yeast%2Cscene&methods=cmi_br%2Cjmi_br%2Cmim_br"
    app.selectbox(key="result").set_value("figure4").run()
    assert ("compare", ours) in links(app)


def test_going_to_another_paper_is_no_mistake(opened):
    app = opened()
    app.selectbox(key="paper").set_value("zhou_2023_mapd").run()
    assert app.selectbox(key="result").value == "tableII"
    assert app.query_params == {"paper": "zhou_2023_mapd"}


def test_the_link_opens_the_same_table_and_a_wrong_one_gets_a_note(opened):
    app = opened(paper="zhang_2020_grro", result="table2", metric="micro_f1")
    assert app.selectbox(key="metric").value == "micro_f1"
    assert "77.377, and the paper prints 77.3768" in said(app)
    wrong = opened(paper="zhang_2020_grro", result="table9")
    assert wrong.selectbox(key="result").value == "table2"
    assert wrong.info[0].value.startswith("Result cannot be 'table9': did you mean 'table")


def test_python_and_command_print_the_published_numbers(opened, capsys):
    app = opened(paper="zhang_2020_grro", metric="micro_f1")
    python, command = [block.value for block in app.code][-2:]
    exec(compile(python, "page", "exec"), {})
    out = capsys.readouterr().out
    assert "0.6014 ± 0.0616" in out
    assert "77.3768" in out
    assert command == "mlfs paper show zhang_2020_grro 2 --metric micro_f1"
    assert main(shlex.split(command)[1:]) == 0
    assert "0.6014 ± 0.0616" in capsys.readouterr().out


def test_the_recipe_of_measured_numbers_is_their_run(opened, folder):
    keep(folder, "lee_kim_2016", "table5", table5("yeast"))
    assert opened().code[-1].value == "mlfs paper run lee_kim_2016 table5 --datasets yeast --repeats 2"
    published = opened(layout="published")
    assert published.code[-1].value == "mlfs paper show lee_kim_2016 5"


def test_runs_with_other_repeats_have_none_to_name():
    def shown(*repeats):
        return papers_runs.ShownRows(None, pd.DataFrame(), pd.DataFrame({"datasets": "yeast", "repeats": repeats}))

    assert shown("3", "3").repeats == 3
    assert shown("3", "10 or 1, by data set").repeats is None
    assert shown("3", "10").repeats is None


# Running it here


def run_here(app: AppTest, *names: str) -> AppTest:
    app.multiselect(key="run-sets-zhou_2023_mapd-tableIV").set_value(list(names)).run()
    return app.button(key="run-start").click().run()


def test_a_run_here_takes_the_place_of_the_kept_one_and_can_be_taken_away(opened, folder, engine):
    kept = losses("hamming_loss", {"birds": dict.fromkeys(("mapd", "parfs", "scls", "ami"), 0.5)})
    keep(folder, "zhou_2023_mapd", "tableIV", kept)
    app = opened(paper="zhou_2023_mapd", result="tableIV")
    assert app.multiselect(key="run-sets-zhou_2023_mapd-tableIV").value == ["scene", "emotions", "yeast"]
    assert "Not on this server: genbase, " not in said(app)
    assert (
        "Not on this server: birds, genbase, medical, enron, bibtex, corel5k. Download birds, genbase, enron on"
        in said(app)
    )
    app = until(run_here(app, "emotions"), lambda app: "Run in this session" in said(app))
    assert "Run in this session on emotions (1 repeat): its numbers are shown in place of the stored ones." in said(app)
    shown = app.dataframe[0].value
    assert set(shown["Data set"]) == {"emotions"}
    assert shown["Measured"].between(0.1, 0.4).all()
    assert app.code[-1].value == "mlfs paper run zhou_2023_mapd tableIV --datasets emotions --repeats 1"
    assert {cell.dataset for cell in engine.computed} == {"emotions"}
    # Another result, and back: the run is still there.
    app.selectbox(key="result").set_value("tableII").run()
    assert "Run in this session" not in said(app)
    app.selectbox(key="result").set_value("tableIV").run()
    assert "Run in this session" in said(app)
    press(app, "Discard my run")
    assert "Run in this session" not in said(app)
    assert set(app.dataframe[0].value["Data set"]) == {"birds"}


def test_a_run_can_be_cancelled(opened, engine):
    engine.limit = 1
    app = run_here(opened(paper="zhou_2023_mapd", result="tableIV"), "emotions")
    until(app, lambda app: bool(engine.computed))
    press(app, "Cancel")
    until(app, lambda app: any(button.key == "run-start" for button in app.button))
    assert len(engine.computed) <= 2
    text = said(app)
    assert "Stopped." in text or "It was stopped early." in text


def test_a_run_that_fails_has_its_sentence(opened, engine, monkeypatch):
    def fails(*_, **__):
        raise DatasetError("The file is gone: put it back.")

    monkeypatch.setattr(papers_runs, "run_experiment", fails)
    app = run_here(opened(paper="zhou_2023_mapd", result="tableIV"), "emotions")
    until(app, lambda app: bool(app.error))
    assert [error.value for error in app.error] == ["The file is gone: put it back."]
    assert not app.exception


def test_what_a_run_noticed_of_its_data_stands_above_its_numbers(opened, engine, monkeypatch):
    note = "emotions has 5 × 4 × 3 instances, features and labels here, the catalogue 593 × 72 × 6: is it another set?"

    def runs(experiment, names, *_, **__):
        rows = pd.DataFrame(losses("hamming_loss", {"emotions": {"mapd": 0.2}}, n=5, chosen=""))
        rows = rows.assign(paper=experiment.paper, result=experiment.result)
        return ExperimentResult(rows.reindex(columns=COLUMNS), tuple(names), (), (note, *experiment.notes), (), 1.0)

    monkeypatch.setattr(papers_runs, "run_experiment", runs)
    app = run_here(opened(paper="zhou_2023_mapd", result="tableIV"), "emotions")
    until(app, lambda app: bool(app.warning))
    assert [warning.value for warning in app.warning] == [note]
    assert not app.exception


# Its data sets

SMALL = """@relation 'enron: -C 1'
@attribute spam {0,1}
@attribute length numeric
@data
0,1.5
1,2.5
0,3.5
"""


def data_sets(app: AppTest) -> pd.DataFrame:
    return app.dataframe[-1].value


def test_data_sets_stand_beside_ours_when_asked_for(opened, monkeypatch, tmp_path):
    (tmp_path / "enron.arff").write_text(SMALL, encoding="utf-8")
    (tmp_path / "llog.arff").write_text("@relation broken", encoding="utf-8")
    monkeypatch.setenv("MLFS_DATA", str(tmp_path))
    app = opened()
    assert data_sets(app).loc["enron", ["Rows", "Here"]].tolist() == ["1702", "not measured"]
    app.toggle(key="measure").set_value(True).run()
    assert data_sets(app).loc["enron", "Here"] == "3 rows, 1 feature, 1 label, 0.333 density"
    assert not app.exception
    # A set that cannot be read gets its sentence, and the page goes on.
    assert any("llog" in note.value for note in app.info)
    assert app.query_params == {"measure": "1"}
    elsewhere = opened(paper="wang_2020_elc", measure="1")
    assert data_sets(elsewhere).loc["emotions", ["Rows", "Here"]].tolist() == ["539", "593 rows"]


def test_presenting_shows_the_result_only(opened):
    app = opened(present="1")
    assert len(app.dataframe) == 1
    assert [head.value for head in app.subheader] == [
        "Table 5 · Hamming loss, 50 features",
        "Average ranks of all published numbers",
    ]
