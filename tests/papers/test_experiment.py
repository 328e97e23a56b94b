"""An experiment runs on what is at hand, computes nothing twice, and gives the numbers of a plain comparison."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import numpy as np
import pytest

from mlfs.datasets import load_dataset
from mlfs.errors import ParameterError
from mlfs.evaluation import compare, get_protocol
from mlfs.papers import experiment as experiment_module
from mlfs.papers import get_experiment
from mlfs.papers.experiment import COLUMNS, Experiment, run_experiment
from mlfs.papers.experiment_rows import over_splits
from mlfs.studies import Estimate, Plan, Store
from tests.studies.support import Remembering


class Nobody:
    """An engine that must not be needed."""

    def compute(self, cells, datasets, cancel):
        raise AssertionError(f"{len(cells)} cells were to be computed again")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("store") / "cells.sqlite") as store:
        yield store


@pytest.fixture(scope="module")
def table(store):
    """Table IV on emotions; progress beside."""
    told = []
    experiment = get_experiment("zhou_2023_mapd", "IV")
    found = run_experiment(
        experiment, ["emotions"], 1, store=store, engine=Remembering(), progress=lambda *what: told.append(what)
    )
    return found, told


@pytest.fixture(autouse=True)
def no_data(monkeypatch, tmp_path):
    monkeypatch.delenv("MLFS_DATA", raising=False)
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path))


def test_rows_are_those_of_a_comparison(table):
    found, _ = table
    assert list(found.rows.columns) == COLUMNS
    protocol = get_protocol("zhou_2023_mapd", repeats=1)
    plain = compare(["emotions"], ["mapd", "parfs", "scls", "ami"], protocol, metrics=["hamming_loss"])
    expected = plain.groupby("method")["value"].agg(["mean", "std", "count"])
    rows = found.rows.set_index("setting")
    assert rows["value"].to_dict() == pytest.approx(expected["mean"].to_dict(), abs=1e-12)
    assert rows["std"].to_dict() == pytest.approx(expected["std"].to_dict(), abs=1e-12)
    assert rows["n"].to_dict() == expected["count"].to_dict()
    assert rows["size"].isna().all()


def test_progress_ends_with_the_whole(table):
    _, told = table
    shares = [done / total for done, total, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_another_table_of_the_same_cells_computes_nothing(store, table):
    for result, metric in (("V", "subset_accuracy"), ("figure2", "n_selected"), ("II", "hamming_loss")):
        experiment = get_experiment("zhou_2023_mapd", result)
        found = run_experiment(experiment, ["emotions"], 1, store=store, engine=Nobody())
        assert set(found.rows["metric"]) == {metric}
        assert found.rows.equals(
            experiment.finished(
                [experiment.read(store, experiment.plans(["emotions"], 1), "emotions", load_dataset("emotions"))]
            )
        )


def test_what_is_not_at_hand_is_told(store, table):
    found = run_experiment(
        get_experiment("zhou_2023_mapd", "IV"), ["emotions", "enron"], 1, store=store, engine=Nobody()
    )
    assert (found.datasets, found.missing, found.problems) == (("emotions",), ("enron",), ())
    assert set(found.rows["dataset"]) == {"emotions"}
    with pytest.raises(ParameterError) as caught:
        run_experiment(get_experiment("zhou_2023_mapd", "IV"), ["emotion"], store=store)
    assert str(caught.value) == "Table IV of zhou_2023_mapd has no data set 'emotion': did you mean 'emotions'?"


def test_a_data_set_that_cannot_be_run_does_not_stop_the_others(store, table, monkeypatch):
    real = experiment_module.load_dataset

    def load(name):
        if name == "scene":
            raise ParameterError("It is too wide.")
        return real(name)

    monkeypatch.setattr(experiment_module, "load_dataset", load)
    experiment = get_experiment("zhou_2023_mapd", "IV")
    found = run_experiment(experiment, ["scene", "emotions"], 1, store=store, engine=Nobody())
    assert found.problems == ("scene: It is too wide.",)
    assert set(found.rows["dataset"]) == {"emotions"}


def test_another_set_of_the_same_name_is_told(store, table, monkeypatch):
    """Scene where yeast is asked for: a sentence with the sizes, and it runs all the same."""
    real = experiment_module.load_dataset
    monkeypatch.setattr(experiment_module, "load_dataset", lambda name: real("scene" if name == "yeast" else name))
    experiment = get_experiment("zhou_2023_mapd", "IV")
    found = run_experiment(experiment, ["yeast", "emotions"], 1, store=store, engine=Quick())
    assert found.notes == (
        "yeast has 2407 × 294 × 6 instances, features and labels here, the catalogue 2417 × 103 × 14: "
        "is it another set?",
        *experiment.notes,
    )
    assert any("on yeast: No time." in problem for problem in found.problems)


def test_a_split_that_is_not_the_paper_s_is_told(store, monkeypatch):
    emotions = load_dataset("emotions")
    train, test = emotions.split
    made = {"yeast": load_dataset("yeast"), "emotions": replace(emotions, split=(train[1:], test))}
    monkeypatch.setattr(experiment_module, "load_dataset", made.__getitem__)
    experiment = get_experiment("zhang_2020_grro", "table2")
    found = run_experiment(experiment, ["yeast", "emotions"], store=store, engine=Quick())
    noticed = "emotions has 390 training and 202 test rows here, and the paper prints 391 and 202."
    assert found.notes == (noticed, *experiment.notes)


def test_a_set_without_a_split_is_drawn_and_told(store, monkeypatch):
    """A stand-in for slashdot, 90 rows: in the shares of Table 1, 2546 and 1236 of 3782."""
    emotions = load_dataset("emotions")
    rows = np.arange(0, 540, 6)
    made = replace(emotions, X=emotions.X[rows], Y=emotions.Y[rows], name="slashdot", split=None)
    monkeypatch.setattr(experiment_module, "list_datasets", lambda: ["slashdot"])
    monkeypatch.setattr(experiment_module, "load_dataset", lambda name: made)
    experiment = get_experiment("zhang_2020_grro", "table2").only(["scls"])
    found = run_experiment(experiment, ["slashdot"], store=store, engine=Remembering())
    assert found.problems == ()
    assert found.rows["metric"].tolist() == ["macro_f1", "micro_f1"]
    assert found.notes[:3] == (
        "slashdot has 90 × 72 × 6 instances, features and labels here, the catalogue 3782 × 1079 × 22: "
        "is it another set?",
        "slashdot came without a split: 61 of its rows were drawn at random to train and 29 to test, so its numbers "
        "are another draw than the paper had.",
        "slashdot has 61 training and 29 test rows here, and the paper prints 2546 and 1236.",
    )
    assert any("drawn at random" in note for note in experiment.notes)
    again = run_experiment(experiment, ["slashdot"], store=store, engine=Nobody())
    assert again.rows.equals(found.rows)


@pytest.mark.parametrize("metric", ["macro_f1", "micro_f1"])
def test_labels_without_positives_are_counted_beside_macro_f1(store, monkeypatch, metric):
    emotions = load_dataset("emotions")
    rows, has_first = np.arange(593), emotions.Y[:, 0] == 1
    split = (rows[has_first], rows[~has_first])
    monkeypatch.setattr(experiment_module, "load_dataset", lambda name: replace(emotions, split=split))

    def plans(name, repeats):
        settings = {"split": "given", "sizes": (2,), "metrics": (metric,)}
        return [Plan(f"one method, {metric}", (name,), ("random",), "quick", settings)]

    def read(cells):
        return over_splits(cells.results)

    experiment = Experiment("wang_2020_elc", "table2a", ("emotions",), "losses", 1, plans_of=plans, reader=read)
    found = run_experiment(experiment, store=store, engine=Remembering())
    assert found.problems == ()
    assert len(found.rows) == 1
    said = (
        "On emotions 1 of 6 labels has no positive among the test rows: Macro-F1 counts it as 1 where it is never "
        "predicted."
    )
    assert found.notes == ((said,) if metric == "macro_f1" else ())


def test_one_data_set_is_too_few_for_friedman(store):
    found = run_experiment(get_experiment("lee_kim_2016", 7), ["yeast"], 1, store=store, engine=Quick(), workers=1)
    assert found.rows.empty
    assert found.notes[-1] == "Friedman's test needs 2 data sets on which every method has a value."


class Quick:
    """An engine that gives up at once: every cell failed."""

    def compute(self, cells, datasets, cancel):
        for cell in cells:
            yield cell.failed("No time.", again=True)


def test_failed_cells_are_problems(store):
    found = run_experiment(get_experiment("lee_kim_2016", 5), ["yeast"], 1, store=store, engine=Quick())
    assert "els on yeast: No time." in found.problems
    assert "all_features on yeast: No time." in found.problems


def test_times_can_be_cancelled(store):
    cancel = Event()

    def tell(done, total, text):
        cancel.set()

    found = run_experiment(
        get_experiment("zhang_2020_grro", 4), ["emotions", "yeast"], store=store, progress=tell, cancel=cancel
    )
    assert found.cancelled
    assert found.rows.empty


def test_medical_is_parted_as_the_paper_prints_it():
    medical = replace(load_dataset("emotions"), name="medical", split=(np.arange(100), np.arange(100, 593)))
    for result in ("table2", "table4", "figure3"):
        train, test = get_experiment("zhang_2020_grro", result).arranged(medical).split
        assert (len(train), len(test)) == (493, 100)
    emotions = load_dataset("emotions")
    assert get_experiment("zhang_2020_grro", "table2").arranged(emotions) is emotions
    assert get_experiment("zhou_2023_mapd", "tableIV").arranged(medical) is medical


def test_some_methods_only(store, table):
    """Those of the table by the paper's names, with what they depend on and nothing else."""
    found = run_experiment(
        get_experiment("zhou_2023_mapd", "IV").only(["scls", "mapd"]), ["emotions"], 1, store=store, engine=Nobody()
    )
    expected = table[0].rows
    expected = expected[expected["setting"].isin(["mapd", "scls"])].reset_index(drop=True)
    assert found.rows.equals(expected)
    zhang = get_experiment("zhang_2020_grro", "table2")
    for asked, computed in (("mdmr", ["d2f"]), ("pmu", ["pmu"]), ("grro_ls", ["grro"])):
        [plan] = zhang.only([asked]).plans(["emotions"])
        assert [grid.method for grid in plan.methods] == computed


@pytest.mark.parametrize(
    ("paper", "result", "method", "said"),
    [
        ("zhang_2020_grro", "table2", "pmi", "Table 2 of zhang_2020_grro has no method 'pmi': did you mean 'pmu'?"),
        (
            "lee_kim_2016",
            "table7",
            "els",
            "Table 7 of lee_kim_2016 needs all of its methods at once: leave out which to run.",
        ),
        (
            "lee_kim_2016",
            "table3",
            "els",
            "Table 3 of lee_kim_2016 needs all of its methods at once: leave out which to run.",
        ),
    ],
)
def test_methods_that_cannot_be_run_alone(paper, result, method, said):
    with pytest.raises(ParameterError) as caught:
        get_experiment(paper, result).only([method])
    assert str(caught.value) == said


def test_what_is_left_to_compute_is_told_before_it_starts(store, table, monkeypatch):
    """Two data sets, of which one is known; what cannot be loaded is left out."""
    told, loaded = [], []
    real = experiment_module.load_dataset

    def load(name):
        if name == "scene":
            raise ParameterError("It is too wide.")
        loaded.append(name)
        return real(name)

    def timed(plan, store, *, datasets, cells, workers):
        return Estimate(len(cells), 35, 7.0, ", ".join(datasets))

    monkeypatch.setattr(experiment_module, "load_dataset", load)
    monkeypatch.setattr(experiment_module, "estimate", timed)
    experiment = get_experiment("zhou_2023_mapd", "IV")
    where = {"store": store, "expected": told.append}
    run_experiment(experiment, ["emotions"], 1, engine=Nobody(), **where)
    assert told == []
    loaded.clear()
    found = run_experiment(experiment, ["scene", "emotions", "yeast"], 1, engine=Quick(), **where)
    assert told == [Estimate(70, 35, 7.0, "emotions, yeast")]  # five folds, four alphas and three other methods
    assert sorted(loaded) == ["emotions", "yeast"]
    assert found.problems[0] == "scene: It is too wide."
