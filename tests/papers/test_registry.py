"""What is said of the papers: complete, in the words of mlfs, and with sentences where something is not there."""

from __future__ import annotations

import dataclasses

import pytest

from mlfs.datasets import CATALOGUE
from mlfs.errors import ParameterError
from mlfs.evaluation import PROTOCOLS
from mlfs.metrics import METRICS, quantity
from mlfs.papers import PAPERS, get_paper, get_table, published, tables
from mlfs.selectors import SELECTORS
from mlfs.selectors.specification import parse_method

# As the issue of the papers names them.
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
    for sentence in (paper.proposes, *paper.slips, *(table.caption for table in paper.tables)):
        assert sentence[-1] == "."
    with pytest.raises(dataclasses.FrozenInstanceError):
        paper.year = 1900


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_figures_are_named(paper):
    assert [figure.figure for figure in paper.figures] == list(FIGURES[paper.id])
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
    assert (table.metrics, table.unit, table.lower_is_better, table.has_std) == (
        ("macro_f1", "micro_f1"),
        "",
        False,
        True,
    )
    assert table.datasets[:2] == ("bibtex", "birds")
    assert table.methods == ("grro", "grro_ls", "pmu", "mdmr", "fimf", "scls", "mico")
    times = get_table("lee_kim_2016", 3)
    assert (times.unit, times.lower_is_better, times.has_std) == ("s", True, False)
    assert get_table("lee_kim_2016", 2).lower_is_better is None
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
    assert get_table("zhou_2023_mapd", written).table == "IV"


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: tables("lee_kim"), "There is no paper 'lee_kim': did you mean 'lee_kim_2016'?"),
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
