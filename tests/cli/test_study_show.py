"""``mlfs study show``: the means of sweeps and of comparisons."""

import pytest

from mlfs.studies import MethodGrid, Plan, Store, run
from mlfs.studies.sweep import numbers
from mlfs.tables import summary, to_text
from tests.studies.support import Here

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


def test_mistakes_are_sentences(terminal, results):
    assert terminal.complaint("study show sweep --hold k=5") == (
        "--hold must be a varied parameter and its value, not 'k=5': choose from n_labels."
    )
    assert terminal.complaint("study show sweep --at some").startswith(
        "--at must be a number of features, mean or best, not 'some'"
    )
    assert "No run has 7 features" in terminal.complaint("study show sweep --at 7")
