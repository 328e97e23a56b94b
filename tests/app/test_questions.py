"""The part of Papers that answers questions: the kept run at once, its pictures, and a run made here."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from mlfs.papers import PAPERS, QUESTIONS
from tests.app.figures import figures
from tests.waiting import GUARD, until

PART = """
import streamlit as st
from mlfs.papers import PAPERS
from pages.parts import link, questions

here = link.start("Papers")
questions.show(PAPERS[here.control("paper", "zhou_2023_mapd", str)])
here.close()
"""


@pytest.fixture
def opened(monkeypatch, tmp_path):
    monkeypatch.delenv("MLFS_DATA", raising=False)
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path))
    monkeypatch.setenv("MLFS_STORE", str(tmp_path / "studies.sqlite"))

    def part(paper: str, **query: str) -> AppTest:
        app = AppTest.from_string(PART, default_timeout=GUARD)
        app.query_params.update({"paper": paper, **query})
        return app.run()

    return part


def said(app: AppTest) -> str:
    return "\n".join(part.value for part in (*app.subheader, *app.markdown, *app.caption, *app.code))


def drawn(app: AppTest) -> int:
    return len(figures(app))


@pytest.mark.parametrize(
    ("paper", "figures", "tables"),
    [("zhou_2023_mapd", 2, 2), ("wang_2020_elc", 2, 3), ("lee_kim_2016", 2, 6), ("zhang_2020_grro", 2, 4)],
)
def test_the_kept_run_is_there_at_once(opened, paper, figures, tables):
    """What its numbers say is; the numbers themselves are folded away where there is no picture of them."""
    app = opened(paper)
    assert not app.exception
    assert not app.error
    asked = PAPERS[paper].questions
    assert len(app.dataframe) < tables
    for question in asked:
        app.session_state[f"{question.id}-tables-box"] = True
    app.run()
    assert not app.exception
    assert (drawn(app), len(app.dataframe)) == (figures, tables)
    titles = {column for frame in app.dataframe for column in frame.value}
    assert not titles & {"dataset", "setting", "hamming_loss", "ranking_loss"}
    told = said(app)
    assert len(asked) == {"zhang_2020_grro": 3, "lee_kim_2016": 6}.get(paper, 2)
    for question in asked:
        assert question.title in told
        for run in question.stored().runs:
            assert run.command in told
            assert f"Run on {run.date}" in told
            assert run.versions in told


def test_what_the_numbers_say_are_claims_that_unfold(opened):
    page = "".join(part.body for part in opened("lee_kim_2016").get("html"))
    summaries = re.findall(r"<summary>(.*?)</summary>", page)
    assert any(said.endswith("In Hamming loss, plain ratios come nearest to what is printed.") for said in summaries)
    assert not any("|" in said.replace("|Y|", "") for said in summaries)


def test_the_link_chooses_what_is_shown(opened):
    app = opened("zhou_2023_mapd", q_alpha="0.9", q_scaling="none")
    table = app.dataframe[0].value
    kept = QUESTIONS["label_columns"].stored().tables["losses"]
    own = kept.query("dataset == 'yeast' and alpha == 0.9 and scaling == 'none' and way == 'honest'")
    row = table[(table["Data set"] == "yeast") & (table["Metric"] == "Hamming loss")]
    assert row["Features alone"].item() == pytest.approx(own["hamming_loss"].mean())


def test_each_paper_is_compared_with_its_own_choice(opened):
    assert "Shaded: what this paper chose, 2 equal-width bins." in said(opened("lee_kim_2016"))
    assert "Shaded: what this paper chose, 5 equal-width bins." in said(opened("sechidis_2014"))
    app = opened("zhang_2020_grro", q_part="scaling")
    assert "Shaded: what this paper chose, scaling to [0, 1]." in said(app)
    assert drawn(app) == 2


def test_a_run_made_here_is_shown_and_the_kept_one_stays(opened, monkeypatch):
    def measured(self, datasets, repeats, **how):
        how["progress"](1, 2, "half of it")
        how["notice"](f"{datasets[0]} is *another* set.")
        kept = QUESTIONS[self.id].stored().tables
        return {name: table[table["dataset"].isin(datasets)] for name, table in kept.items()}

    monkeypatch.setattr("mlfs.papers.question.Question.run", measured)
    app = opened("wang_2020_elc")
    assert app.multiselect(key="elc_loop-sets").options == ["emotions", "yeast", "scene"]
    app.multiselect(key="elc_loop-sets").set_value(["yeast"])
    app.button(key="elc_loop-run").click().run()
    app = finished(app, "elc_loop")
    assert "Run in this session on yeast (1 repeat)." in said(app)
    assert [warning.value for warning in app.warning] == [r"yeast is \*another\* set."]
    assert set(app.dataframe[0].value["Data set"]) == {"yeast"}
    app.get("button_group")[0].set_value("Stored run").run()
    assert set(app.dataframe[0].value["Data set"]) == set(QUESTIONS["elc_loop"].datasets)


def test_a_run_that_fails_says_why_and_can_be_started_again(opened, monkeypatch):
    def broken(self, datasets, repeats, **how):
        raise RuntimeError("no")

    monkeypatch.setattr("mlfs.papers.question.Question.run", broken)
    app = opened("wang_2020_elc")
    app.button(key="elc_loop-run").click().run()
    app = finished(app, "elc_loop")
    [error] = app.error
    assert error.value.startswith("The experiment failed because of a bug in mlfs")
    assert app.button(key="elc_loop-run").label == "Run"


def test_a_run_can_be_cancelled(opened, monkeypatch):
    def slow(self, datasets, repeats, *, cancel, **how):
        assert cancel.wait(GUARD)
        from mlfs.errors import StudyError

        raise StudyError("The experiment was stopped early: run it again to continue.")

    monkeypatch.setattr("mlfs.papers.question.Question.run", slow)
    app = opened("wang_2020_elc")
    app.button(key="elc_loop-run").click().run()
    app.button(key="elc_loop-cancel").click().run()
    app = finished(app, "elc_loop")
    assert not app.error
    assert "Stopped after 0 of 1 data set." in said(app)


def finished(app: AppTest, question: str) -> AppTest:
    """The part after its run has ended."""
    until(lambda: not app.session_state[f"question-{question}"].job.running)
    return app.run()
