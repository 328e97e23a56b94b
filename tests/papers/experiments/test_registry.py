"""Every result of the papers that can be run again is listed, and results that share cells share their keys."""

from __future__ import annotations

import pytest

from mlfs.datasets import CATALOGUE, load_dataset
from mlfs.errors import ParameterError
from mlfs.papers import PAPERS, get_table
from mlfs.papers.experiments import experiments, get_experiment
from mlfs.selectors.specification import method_text

# Every table and figure of the papers that can be run again.
RESULTS = {
    "lee_kim_2016": [*(f"table{n}" for n in range(2, 8)), *(f"figure{n}" for n in range(2, 9))],
    "wang_2020_elc": [*(f"table2{letter}" for letter in "abcde"), "figure1", "figure2", "figure3"],
    "sechidis_2014": ["figure3", "figure4", "figure5"],
    "zhou_2023_mapd": ["tableII", "tableIII", "tableIV", "tableV", "figure1", "figure2"],
    "zhang_2020_grro": [*(f"table{n}" for n in range(2, 6)), "figure1", "figure2", "figure3"],
}
ALL = [(paper, result) for paper, results in RESULTS.items() for result in results]


def test_every_result_is_there():
    assert {paper: list(experiments(paper)) for paper in PAPERS} == RESULTS


@pytest.mark.parametrize(("paper", "result"), ALL)
def test_what_an_experiment_says_of_itself(paper, result):
    found = get_experiment(paper, result)
    assert (found.paper, found.result) == (paper, result)
    assert found.title.endswith(".")
    assert all(note.endswith(".") for note in found.notes)
    assert set(found.datasets) <= set(CATALOGUE)
    if found.is_of_table and not get_table(paper, found.number).is_of_statistics:
        assert set(found.datasets) == set(get_table(paper, found.number).datasets) - set(PAPERS[paper].unknown_datasets)


@pytest.mark.parametrize(("paper", "result"), ALL)
def test_plans_follow_the_protocol_of_the_paper(paper, result):
    found = get_experiment(paper, result)
    plans = found.plans(repeats=2)
    assert {plan.protocol for plan in plans} <= {PAPERS[paper].protocol}
    assert all(len(plan.datasets) == 1 for plan in plans)
    assert {plan.datasets[0] for plan in plans} == (set() if found.direct else set(found.datasets))
    if found.is_of_table and found.kind == "losses":
        # Under whatever parameters, each column of the table is computed.
        methods = {method.partition(":")[0] for method in get_table(paper, found.number).methods}
        assert methods <= {grid.method for plan in plans for grid in plan.methods}


def keys(paper, result, dataset):
    ds = load_dataset(dataset)
    return {
        cell.key for plan in get_experiment(paper, result).plans([dataset], 2) for cell in plan.cells({dataset: ds})
    }


@pytest.mark.parametrize(
    ("paper", "results", "dataset"),
    [
        ("lee_kim_2016", ("table5", "table6", "table7", "figure4", "figure5", "figure6"), "yeast"),
        ("lee_kim_2016", ("table2", "figure2", "figure3"), "yeast"),
        ("lee_kim_2016", ("figure7", "figure8"), "yeast"),
        ("wang_2020_elc", ("table2a", "table2e", "figure1", "figure2"), "emotions"),
        ("zhou_2023_mapd", ("tableII", "tableV", "figure1", "figure2"), "emotions"),
        ("zhang_2020_grro", ("table2", "table3", "table5", "figure1"), "emotions"),
    ],
)
def test_results_that_share_cells_share_all(paper, results, dataset):
    first, *others = ({*keys(paper, result, dataset)} for result in results if dataset in _sets(paper, result))
    assert first
    assert all(other == first for other in others)


def _sets(paper, result):
    return get_experiment(paper, result).datasets


def test_a_sweep_in_two_orders_contains_that_in_one():
    assert keys("lee_kim_2016", "figure2", "yeast") < keys("lee_kim_2016", "figure7", "yeast")
    assert keys("sechidis_2014", "figure3", "yeast") & keys("sechidis_2014", "figure4", "yeast")


def test_parameters_are_those_of_the_papers():
    [_, plan] = get_experiment("lee_kim_2016", 5).plans(["enron"])
    assert method_text(plan.methods[0].method, plan.methods[0].parameters) == "els:n_labels=5"  # Table 2
    assert plan.settings["repeats"] == 10
    [plan] = get_experiment("zhang_2020_grro", 2).plans(["medical"])
    assert [len(grid) for grid in plan.methods[:2]] == [49, 490]
    [plan] = get_experiment("zhang_2020_grro", 2).plans(["llog"])
    assert plan.settings["test_share"] == pytest.approx(482 / 1460)
    [plan] = get_experiment("zhou_2023_mapd", "II").plans(["bibtex"])
    assert plan.settings["repeats"] == 1
    [fast, slow] = get_experiment("sechidis_2014", "figure5").plans(["yeast"])
    assert (fast.settings["repeats"], slow.settings["repeats"]) == (30, 3)


@pytest.mark.parametrize("written", ["table5", "Table 5", "5", 5, " tab. 5 ", "TABLE5"])
def test_a_result_is_found_however_it_is_written(written):
    assert get_experiment("lee_kim_2016", written).result == "table5"
    assert get_experiment("lee_kim_2016", "Fig. 2").result == "figure2"
    assert get_experiment("lee_kim_2016", "figure2").name == "Figure 2"


@pytest.mark.parametrize(
    ("paper", "result", "sentence"),
    [
        ("lee_kim", "table5", "There is no paper 'lee_kim': did you mean 'lee_kim_2016'?"),
        ("lee_kim_2016", "figure9", "lee_kim_2016 has no result 'figure9': did you mean 'figure8'?"),
        ("sechidis_2014", "!", "sechidis_2014 has no result '!': choose from figure3, figure4, figure5."),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(paper, result, sentence):
    with pytest.raises(ParameterError) as caught:
        get_experiment(paper, result)
    assert str(caught.value) == sentence
