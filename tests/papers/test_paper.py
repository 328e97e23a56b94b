"""What is said of the papers: complete, in the words of mlfs, and with sentences where something is not there."""

from __future__ import annotations

import dataclasses

import pytest

from mlfs.datasets import CATALOGUE, load_dataset
from mlfs.errors import ParameterError
from mlfs.evaluation import PROTOCOLS
from mlfs.metrics import METRICS, quantity
from mlfs.papers import PAPERS, QUESTIONS, TOURS, get_experiment, get_paper, get_table, published
from mlfs.papers.paper import DESCRIPTION, read_paper
from mlfs.selectors import SELECTORS
from mlfs.selectors.specification import method_text, parse_method

# The figures that each paper prints of its experiments.
FIGURES = {
    "lee_kim_2016": "2345678",
    "wang_2020_elc": "123",
    "sechidis_2014": "345",
    "zhou_2023_mapd": "12",
    "zhang_2020_grro": "123",
}
PAGES = {"compare", "noise", "pareto", "sensitivity", "significance"}
OTHER_MEASURES = {"redundancy", "residual_label_correlation", "seconds", "n_selected", "acr"}


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_what_is_said_of_a_paper(paper):
    assert paper.protocol in PROTOCOLS
    assert set(paper.methods) <= set(SELECTORS)
    assert str(paper.year) in paper.id
    for sentence in (
        paper.proposes,
        *paper.known_errors,
        *(trial.text for trial in paper.tried),
        *(table.caption for table in paper.tables),
    ):
        assert sentence[-1] == "."
    with pytest.raises(dataclasses.FrozenInstanceError):
        paper.year = 1900


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_figures_are_named(paper):
    assert [figure.result for figure in paper.figures] == [f"figure{number}" for number in FIGURES[paper.id]]
    for figure in paper.figures:
        assert figure.page in PAGES
        assert set(figure.datasets) <= set(CATALOGUE)
        assert set(figure.metrics) <= set(METRICS) | OTHER_MEASURES
        assert figure.methods
        chosen = [parse_method(method)[0] for method in figure.methods]
        for parameter in figure.swept:
            assert any(parameter in SELECTORS[method].parameters for method in chosen)


def test_what_a_table_says_of_itself():
    table = get_table("zhang_2020_grro", 2)
    assert table.metrics == ("macro_f1", "micro_f1")
    assert table.rows["std"].notna().all()
    assert table.datasets[:2] == ("bibtex", "birds")
    assert table.methods == ("grro", "grro_ls", "pmu", "mdmr", "fimf", "scls", "mico")
    times = get_table("lee_kim_2016", 3)
    assert times.rows["std"].isna().all()
    assert (quantity(times.metric).unit, quantity(times.metric).lower_is_better) == ("s", True)
    assert quantity(get_table("lee_kim_2016", 2).metric).lower_is_better is None
    statistics = get_table("lee_kim_2016", 7)
    assert statistics.is_of_statistics
    assert statistics.datasets == statistics.methods == ()
    # The Yahoo sets of Wang et al. are not those of the same name that others use.
    assert get_table("wang_2020_elc", "2a").datasets[-1] == "society_full"


def test_names():
    assert get_paper("lee_kim_2016").short == "Lee & Kim 2016"
    assert get_paper("zhang_2020_grro").short == "Zhang et al. 2020"
    assert get_paper("zhou_2023_mapd").citation == (
        "Jian Zhou & Yinnong Guo, A Multi-label Filter Feature Selection Method Based on Approximate Pareto Dominance, "
        "IJACSA 14, 2023"
    )


@pytest.mark.parametrize("written", ["IV", "iv", "table iv", "Table IV", "tableiv", "Tab. IV"])
def test_a_table_is_found_however_its_number_is_written(written):
    assert get_table("zhou_2023_mapd", written).name == "Table IV"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: get_paper("lee_kim"), "There is no paper 'lee_kim': did you mean 'lee_kim_2016'?"),
        (lambda: published("lee_kim_2016", 9), "lee_kim_2016 has no table '9': choose from 2, 3, 4, 5, 6, 7."),
        (
            lambda: published("sechidis_2014", 1),
            "sechidis_2014 prints its results as figures only: see PAPERS['sechidis_2014'].figures.",
        ),
        (lambda: quantity("maro_f1"), "There is no quantity 'maro_f1': did you mean 'macro_f1'?"),
    ],
)
def test_what_is_not_there_is_told_in_a_sentence(call, sentence):
    with pytest.raises(ParameterError) as caught:
        call()
    assert str(caught.value) == sentence


# The folders


def test_the_folders_are_found_in_their_order():
    assert list(PAPERS) == ["lee_kim_2016", "wang_2020_elc", "sechidis_2014", "zhou_2023_mapd", "zhang_2020_grro"]
    assert list(TOURS) == list(PAPERS)
    assert list(QUESTIONS) == [
        "label_columns",
        "mapd_classifier",
        "brlr_steps",
        "odds_ratio_forms",
        "brlr_all_features",
        "labels_among_features",
        "best_label_count",
        "elc_loop",
        "elc_rivals",
        "discretisation_and_scaling",
        "labelset_criteria",
        "mico_forms",
        "unstated_choices",
    ]
    for paper in PAPERS.values():
        assert (paper.folder.name, paper.package) == (paper.id, f"mlfs.papers.{paper.id}")
        assert paper.has("experiments")
        assert not paper.has("nothing")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("title = ", "Invalid value"),
        ('titel = "A title"', "unexpected keyword argument 'titel'"),
        ('title = "A title"', "missing 6 required"),
        ("[results.table1]", "missing 2 required"),
    ],
)
def test_a_description_that_cannot_be_read_is_told(tmp_path, content, problem):
    (tmp_path / DESCRIPTION).write_text(content, encoding="utf-8")
    with pytest.raises(ParameterError) as caught:
        read_paper("mine", tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / DESCRIPTION} does not describe a paper (")
    assert problem in str(caught.value)


# Its experiments

RESULTS = {
    "lee_kim_2016": [*(f"table{n}" for n in range(2, 8)), *(f"figure{n}" for n in range(2, 9))],
    "wang_2020_elc": [*(f"table2{letter}" for letter in "abcde"), "figure1", "figure2", "figure3"],
    "sechidis_2014": ["figure3", "figure4", "figure5"],
    "zhou_2023_mapd": ["tableII", "tableIII", "tableIV", "tableV", "figure1", "figure2"],
    "zhang_2020_grro": [*(f"table{n}" for n in range(2, 6)), "figure1", "figure2", "figure3"],
}
ALL = [(paper, result) for paper, results in RESULTS.items() for result in results]


def test_every_result_is_there():
    assert {paper: list(PAPERS[paper].experiments) for paper in PAPERS} == RESULTS


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
        methods = {found.computed_by.get(method, method) for method in methods}
        if found.next_plans is not None:  # once alpha and beta are known
            methods -= {"grro_ls"}
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
    assert len(plan.methods[0]) == 49
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
def test_a_result_that_is_not_there_is_told_in_a_sentence(paper, result, sentence):
    with pytest.raises(ParameterError) as caught:
        get_experiment(paper, result)
    assert str(caught.value) == sentence
