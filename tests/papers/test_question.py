"""What all questions share: which data sets they take, how they are cancelled, and what they keep."""

import sys
import threading
from pathlib import Path

import pandas as pd
import pytest

from mlfs.datasets import load_dataset, make_synthetic
from mlfs.errors import DatasetError, ParameterError, StudyError
from mlfs.papers import PAPERS, QUESTIONS
from mlfs.papers.question import Question, RunContext
from mlfs.papers.stored_runs import RUNS, StoredRun, check_tables_folder, run_now, store_tables
from mlfs.studies import Store
from tests.papers.in_process import InProcess


def question(measure=None):
    def count(ds, context):
        return {"sizes": pd.DataFrame({"dataset": [ds.name], "rows": [len(ds.Y)], "share": [context.repeats / 3]})}

    return Question(
        id="toy",
        papers=("lee_kim_2016",),
        title="How many?",
        asks="",
        how="",
        datasets=("yeast", "emotions", "bibtex"),
        folder=Path("nowhere"),
        tables={"sizes": ("dataset", "rows", "share")},
        measure=measure or count,
        word=lambda tables, paper: [f"{len(tables['sizes'])} for {paper}."],
    )


def test_tables_come_in_the_order_of_the_question(monkeypatch):
    monkeypatch.delenv("MLFS_DATA", raising=False)
    assert question().run(["emotions", "yeast"], 2)["sizes"].to_dict("list") == {
        "dataset": ["yeast", "emotions"],
        "rows": [2417, 593],
        "share": [2 / 3, 2 / 3],
    }
    assert question().available() == ["yeast", "emotions"]


def test_mistakes_get_a_sentence():
    with pytest.raises(
        ParameterError, match=r"^The experiment toy is not made for 'emotion': did you mean 'emotions'\?"
    ):
        question().run(["emotion"])
    with pytest.raises(ParameterError, match=r"^repeats must be a whole number of at least 1, not 0\.$"):
        question().run(["yeast"], 0)
    with pytest.raises(ParameterError, match=r"^The experiment needs at least one data set: name one\.$"):
        question().run([])
    with pytest.raises(ParameterError, match=r"did you mean 'label_columns'\?$"):
        QUESTIONS.named("label_column")


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_question_can_be_stopped(name, tmp_path):
    stop = threading.Event()
    stop.set()
    with (
        Store(tmp_path / "cells.sqlite") as store,
        pytest.raises(StudyError, match=r"^The experiment was stopped early: run it again to continue\.$"),
    ):
        QUESTIONS[name].measure(load_dataset("emotions"), RunContext(store, engine=InProcess(), cancel=stop))


def test_what_was_computed_before_a_stop_is_not_computed_again(tmp_path):
    ds, stop, told = make_synthetic(n_instances=60), threading.Event(), []
    label_columns = QUESTIONS.named("label_columns")
    with Store(tmp_path / "cells.sqlite") as store:
        with pytest.raises(StudyError, match="stopped"):
            label_columns.measure(ds, RunContext(store, engine=InProcess(stop, after=7), cancel=stop))
        label_columns.measure(ds, RunContext(store, engine=InProcess(), progress=lambda *said: told.append(said)))
        names = {name for study in store.studies() for name in study.plan.datasets}
    assert told[0][:2] == (7, 20)
    assert names == {ds.name, f"{ds.name} with its labels as features"}


def test_papers_find_their_questions():
    assert all(paper in PAPERS for found in QUESTIONS.values() for paper in found.papers)
    assert [found.id for found in PAPERS["wang_2020_elc"].questions] == ["elc_loop", "elc_rivals"]


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_run_of_every_question_is_kept(name):
    asked, kept = QUESTIONS[name], QUESTIONS[name].stored()
    assert {dataset for run in kept.runs for dataset in run.names} == set(asked.datasets)
    for table in kept.tables.values():
        assert list(table["dataset"].unique()) == list(asked.datasets)
    for run in kept.runs:
        assert run.command.startswith(f"mlfs paper question {name} --datasets ")
        assert set(run.names) <= set(run.command.split())
        assert f"--repeats {run.repeats}" in run.command
        assert "scikit-learn" in run.versions
        assert run.seconds > 0
    for paper in asked.papers:
        assert asked.findings(kept.tables, paper)
        for finding in asked.findings(kept.tables, paper):  # a line that one reads; the figures are its evidence
            assert len(finding.claim) < 140
            assert not finding.claim.endswith(".")
            assert finding.evidence.endswith(".")


def kept_by(folder, *datasets, seconds=1.0):
    tables = question().run(datasets, 1)
    return store_tables(question(), tables, run_now("toy", datasets, 1, "mlfs paper question toy", seconds), folder)


def test_a_second_run_replaces_its_data_sets_only(tmp_path):
    kept_by(tmp_path, "emotions", "yeast", seconds=1)
    kept_by(tmp_path, "yeast", seconds=2)
    kept = question().stored(tmp_path)
    assert kept.tables["sizes"]["dataset"].tolist() == ["yeast", "emotions"]
    assert kept.tables["sizes"]["share"].tolist() == [0.333333, 0.333333]
    assert [(run.datasets, run.seconds) for run in kept.runs] == [("emotions", 1.0), ("yeast", 2.0)]
    kept_by(tmp_path, "emotions", "yeast", seconds=3)
    assert [run.seconds for run in question().stored(tmp_path).runs] == [3.0]


def test_a_run_of_fewer_repeats_does_not_replace_a_better_one(tmp_path):
    ran, better = question().run(["yeast"], 1), run_now("toy", ["yeast", "emotions"], 3, "", 1.0)
    store_tables(question(), question().run(["yeast", "emotions"], 3), better, tmp_path)
    said = r"has toy on yeast with 3 repeats, more than the 1 of this run: give another folder, or as many repeats\.$"
    with pytest.raises(DatasetError, match=said):
        check_tables_folder(question(), tmp_path, ["yeast", "bibtex"], 1)
    with pytest.raises(DatasetError, match=said):
        store_tables(question(), ran, run_now("toy", ["yeast"], 1, "", 1.0), tmp_path)
    assert question().stored(tmp_path).tables["sizes"]["share"].tolist() == [1.0, 1.0]
    check_tables_folder(question(), tmp_path, ["bibtex"], 1)
    check_tables_folder(question(), tmp_path, ["yeast"], 3)


def test_a_data_set_that_is_not_the_catalogue_s_is_told(tmp_path, monkeypatch):
    (tmp_path / "bibtex.csv").write_text("x,y\n1,0\n2,1\n3,0\n")
    (tmp_path / "bibtex.xml").write_text('<labels><label name="y"/></labels>')
    monkeypatch.setenv("MLFS_DATA", str(tmp_path))
    told = []
    question().run(["bibtex", "yeast"], notice=told.append)
    assert told == [
        "bibtex has 3 × 1 × 1 instances, features and labels here, the catalogue 7395 × 1836 × 159: is it another set?"
    ]


def test_the_functions_of_a_question_are_those_of_its_module():
    asked, module = QUESTIONS["elc_rivals"], sys.modules["mlfs.papers.elc_rivals.question"]
    assert (asked.measure, asked.word, asked.explains) == (module.measure, module.word, module.explains)
    assert asked.folder == Path(module.__file__).parent / "measured" / "question"
    assert QUESTIONS["label_columns"].explains is None


def test_words_stay_words_when_they_are_read_again(tmp_path):
    def words(ds, context):
        return {"sizes": pd.DataFrame({"dataset": [ds.name] * 2, "rows": ["none", ""], "share": [0.5, None]})}

    told = run_now("toy", ["yeast"], 1, "", 1)
    store_tables(question(words), question(words).run(["yeast"]), told, tmp_path)
    found = question().stored(tmp_path).tables["sizes"]
    assert found["rows"].tolist() == ["none", ""]
    assert found["share"].isna().tolist() == [False, True]


def test_nothing_kept_is_an_empty_table(tmp_path):
    kept = question().stored(tmp_path)
    assert kept.runs == ()
    assert kept.tables["sizes"].empty
    assert question().findings(kept.tables) == []


def test_damage_gets_a_sentence(tmp_path):
    said = r"^The kept run in .*%s is damaged: install mlfs again, or run the experiment again\.$"
    (tmp_path / "toy-sizes.csv").write_text("dataset,colour\nyeast,blue\n")
    with pytest.raises(DatasetError, match=said % "toy-sizes.csv"):
        question().stored(tmp_path)
    (tmp_path / "toy-sizes.csv").unlink()
    (tmp_path / RUNS).write_text("question\ntoy\n")
    with pytest.raises(DatasetError, match=said % RUNS):
        question().stored(tmp_path)


def test_a_folder_that_cannot_be_written_gets_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    said = r"cannot be written: give a folder that may be written to and has room\.$"
    with pytest.raises(DatasetError, match=said):
        kept_by(tmp_path / "file" / "folder", "yeast")
    with pytest.raises(DatasetError, match=said):
        check_tables_folder(question(), tmp_path / "file" / "folder", ["yeast"], 1)


def test_a_run_tells_its_data_sets():
    assert StoredRun("toy", "yeast emotions", 1, "2026-01-01", "", "", 1.0).names == ("yeast", "emotions")
