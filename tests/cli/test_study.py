"""``mlfs study``: plans from flags and files, runs that go on, export, cancel; the means of sweeps and comparisons."""

from pathlib import Path

import pandas as pd
import pytest

from mlfs.cli import study
from mlfs.evaluation import compare, get_protocol
from mlfs.statistics import friedman
from mlfs.studies import MethodGrid, Plan, Store, run
from mlfs.studies.sweep import numbers
from mlfs.tables import summary, to_text
from tests.studies.support import Here

FLAGS = "--datasets emotions --methods grro els:n_labels=2 --vary grro:alpha=0.1,1 --sizes 3 --repeats 2 --seeds 0,1"


def test_flags_and_file_are_the_same_plan(terminal):
    told = terminal.json(f"study plan {FLAGS} --name sweep --write sweep.toml")
    expected = Plan(
        "sweep",
        ["emotions"],
        [MethodGrid("grro", grid={"alpha": [0.1, 1.0]}), "els:n_labels=2"],
        settings={"repeats": 2, "sizes": (3,), "every_size": False},
        seeds=(0, 1),
    )
    assert Plan.read("sweep.toml") == expected
    assert Plan.from_dict(told["plan"]) == expected
    assert (told["cells"], told["known"]) == (12, 0)
    assert told["seconds"] > 0
    assert "12, of which 0 are already done" in terminal.run("study plan sweep.toml")
    assert not Path("studies.sqlite").exists()  # planning leaves nothing behind


@pytest.fixture(autouse=True)
def engines(monkeypatch):
    """Runs studies in this process, and tells which engine each command asked for."""
    asked = []

    def run_here(plan, store, *, engine, workers, progress):
        asked.append((engine, workers))
        return run(plan, store, engine=Here(), progress=progress)

    monkeypatch.setattr(study, "run", run_here)
    return asked


@pytest.fixture
def stored(terminal, engines):
    """A store with one finished study."""
    terminal.run(f"study run {FLAGS} --name sweep --store kept.sqlite")
    engines.clear()
    return "kept.sqlite"


def test_engine_and_workers_are_passed_on(terminal, stored, engines):
    for flags in ("", "--workers 2", "--dask tcp://host:8786"):
        terminal.run(f"study run {FLAGS} --name sweep --store {stored} {flags}")
    assert engines == [("local", None), ("local", 2), ("dask:tcp://host:8786", None)]


def test_results_are_those_of_compare(terminal, stored):
    terminal.run(f"study export sweep out.csv --store {stored}")
    found = pd.read_csv("out.csv", dtype=str, keep_default_na=False)
    protocol = get_protocol("quick", sizes=(3,), repeats=2)
    selectors = [("grro", {"alpha": 0.1}), ("grro", {"alpha": 1.0}), ("els", {"n_labels": 2})]
    for seed in (0, 1):
        expected = compare(["emotions"], selectors, protocol, seed=seed)
        values = found.loc[found["seed"] == str(seed), "value"]
        assert [float(value) for value in values] == expected["value"].tolist()


def test_a_second_run_computes_nothing(terminal, stored):
    told = terminal.json(f"study run {FLAGS} --name sweep --store {stored}")
    assert (told["cells"], told["known"], told["computed"], told["failed"]) == (12, 12, 0, 0)
    assert "12, of which 12 are already done" in terminal.run(f"study plan {FLAGS} --store {stored}")


def test_status_and_parquet(terminal, stored):
    [row] = terminal.json(f"study status sweep --store {stored}")["studies"]
    assert (row["name"], row["state"], row["done"], row["cells"]) == ("sweep", "done", 12, 12)
    assert "12 of 12" in terminal.run(f"study status --store {stored}")
    terminal.run(f"study export {row['id']} out.parquet --store {stored}")
    assert len(pd.read_parquet("out.parquet")) == 24


def test_cancel_leaves_a_wish_in_the_store(terminal, stored):
    assert terminal.run(f"study cancel sweep --store {stored}") == "sweep is not running: it is done.\n"
    with Store("running.sqlite") as store:
        plan = Plan("long", ["emotions"], ["els"])
        number = store.note_cells(plan, plan.cells())
        store.begin(number)
        assert not store.beat(number)
        assert terminal.run("study cancel long --store running.sqlite") == "long was asked to stop.\n"
        assert store.beat(number)


def test_a_study_can_be_tested_for_significance(terminal, stored):
    sets = FLAGS.replace("emotions", "emotions synthetic synthetic:seed=1")
    terminal.run(f"study run {sets} --name three --store {stored}")
    with Store(stored) as store:
        rows = store.results(2)
    told = terminal.json(f"significance three --store {stored} --metric hamming_loss")
    assert told["datasets"] == ["emotions", "synthetic", "synthetic:seed=1"]
    losses = rows[rows["metric"] == "hamming_loss"].assign(setting=rows["method"] + rows["parameters"])
    means = losses.pivot_table("value", "dataset", "setting")  # over both repeats of both seeds
    ranks = friedman(means).average_ranks
    assert sorted(told["average_ranks"].values()) == sorted(ranks)


def test_failed_cells_are_told(terminal):
    out, err = terminal.both("study run --datasets emotions --methods els:n_labels=99 --sizes 3", code=1)
    assert "1 failed" in out
    assert err.startswith("els on emotions: n_labels must be a whole number from 0 to 6 (the number of labels)")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        ("run", 2, "A study needs a plan: give a file, or --datasets and --methods."),
        (
            "plan a.toml --repeats 2",
            2,
            "The plan file already says what to run: leave out --protocol and its flags, or the file.",
        ),
        ("plan a.toml", 1, "The plan a.toml cannot be read: no such file or directory."),
        (
            "plan --datasets emotions --methods els --vary els",
            2,
            "--vary must be a method, a parameter and its values, as grro:alpha=0.1,1, not 'els'.",
        ),
        (
            "plan --datasets emotions --methods els --vary grro:alpha=1",
            2,
            "--vary names 'grro', which is not among the methods: choose from els.",
        ),
        ("status", 1, "There is no store studies.sqlite: run a study first, or name another with --store."),
        ("export 1 out.xls", 2, "TARGET must end in .csv or .parquet, not in '.xls'."),
    ],
)
def test_sentences(terminal, command, code, sentence):
    assert terminal.complaint(f"study {command}", code) == sentence


def test_names_and_numbers_of_studies(terminal, stored):
    assert terminal.complaint(f"study status swep --store {stored}", code=1).endswith("did you mean 'sweep'?")
    assert terminal.complaint(f"study status 99 --store {stored}", code=1).startswith("There is no study 99 in ")


SWEEP = Plan(
    "sweep", ["synthetic"], [MethodGrid("els", grid={"n_labels": [0, 6]})], settings={"sizes": (1, 5), "repeats": 2}
)
BOTH = Plan("both", ["synthetic"], ["els", "mfs", "els:n_labels=40"], settings={"sizes": (1, 5)})


@pytest.fixture
def results():
    with Store("studies.sqlite") as store:
        for plan in (SWEEP, BOTH):
            run(plan, store, engine=Here())
        return {plan.name: store.results(plan) for plan in (SWEEP, BOTH)}


def test_a_sweep_has_a_row_for_each_value(terminal, results):
    document = terminal.json("study show sweep --metric ranking_loss --at 1,5")
    [table] = document["tables"]
    expected = numbers(results["sweep"], ["n_labels"], "ranking_loss", [1, 5])
    assert table["rows"] == expected.to_dict("records")
    assert to_text(expected) in terminal.run("study show sweep --metric ranking_loss --at 1,5")
    held = terminal.json("study show 1 --hold n_labels=6")["tables"][0]["rows"]
    assert [row["features"] for row in held] == ["own"]


def test_a_comparison_has_a_column_for_each_method_and_its_failures(terminal, results):
    out, err = terminal.both("study show both", 1)
    assert to_text(summary(results["both"], "hamming_loss")) == f"{out.rstrip()}\n"
    assert err.startswith("n_labels must be a whole number from 0 to 6")


def test_mistakes_of_show_are_sentences(terminal, results):
    assert terminal.complaint("study show sweep --hold k=5") == (
        "--hold must be a varied parameter and its value, not 'k=5': choose from n_labels."
    )
    assert terminal.complaint("study show sweep --at some").startswith(
        "--at must be a number of features, mean or best, not 'some'"
    )
    assert "No run has 7 features" in terminal.complaint("study show sweep --at 7")
