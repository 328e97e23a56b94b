"""Verdicts on tables, figures and papers follow from stored rows and from nothing else."""

import pytest

from mlfs.papers import PAPERS, get_table
from mlfs.papers.agreement import Agreement
from mlfs.papers.reproduction import NO_NUMBERS, NO_RUN, Reproduction, paper_verdict, reproductions
from tests.papers.test_findings import curve, stored


def verdict(folder, paper, result):
    [found] = [each for each in reproductions(paper, folder) if each.result == result]
    return found.verdict, found.why


def rows_of(paper, table, change):
    """Rows that say what the table prints, each number changed."""
    printed = get_table(paper, table).rows
    keys = zip(printed["dataset"], printed["setting"], printed["metric"], printed["value"], strict=True)
    return [
        {"dataset": dataset, "setting": setting, "metric": metric, "value": change(value)}
        for dataset, setting, metric, value in keys
    ]


def test_a_table_that_comes_again_agrees(tmp_path):
    stored(tmp_path, "wang_2020_elc", "table2c", rows_of("wang_2020_elc", "table2c", lambda value: 1.05 * value))
    assert verdict(tmp_path, "wang_2020_elc", "table2c") == (
        Agreement.AGREES,
        "56 of 56 numbers within 10%; ranks correlate 1.00.",
    )
    assert verdict(tmp_path, "wang_2020_elc", "table2a") == (Agreement.OPEN, NO_RUN)


def test_the_same_order_with_other_numbers_agrees_in_part(tmp_path):
    stored(tmp_path, "wang_2020_elc", "table2c", rows_of("wang_2020_elc", "table2c", lambda value: 2 * value))
    assert verdict(tmp_path, "wang_2020_elc", "table2c") == (
        Agreement.IN_PART,
        "0 of 56 numbers within 10%; ranks correlate 1.00.",
    )


def test_neither_numbers_nor_order_does_not_agree(tmp_path):
    stored(tmp_path, "wang_2020_elc", "table2c", rows_of("wang_2020_elc", "table2c", lambda value: 5 - value))
    found, why = verdict(tmp_path, "wang_2020_elc", "table2c")
    assert found is Agreement.DIFFERS
    assert why.endswith("ranks correlate −1.00.")


def test_a_time_by_which_others_are_divided_does_not_count(tmp_path):
    stored(tmp_path, "lee_kim_2016", "table4", rows_of("lee_kim_2016", "table4", lambda value: 3 * value))
    # Eight data sets, of which each has the time with 50 features and that with all.
    assert verdict(tmp_path, "lee_kim_2016", "table4")[1].startswith("8 of 8 numbers within a factor of 2")


def test_tests_are_judged_by_their_decision(tmp_path):
    def significant(F):
        rows = [{"dataset": "", "setting": name, "metric": "friedman_F", "value": F[name]} for name in F]
        limits = [{"dataset": "", "setting": name, "metric": "critical_value", "value": 2.4} for name in F]
        stored(tmp_path, "lee_kim_2016", "table7", rows + limits)
        return verdict(tmp_path, "lee_kim_2016", "table7")

    assert significant({"hamming_loss": 3.0, "ranking_loss": 2.5})[0] is Agreement.AGREES
    found, why = significant({"hamming_loss": 3.0, "ranking_loss": 2.3})
    assert found is Agreement.IN_PART
    assert why.startswith("1 of 2 tests reach the same decision")


def test_a_figure_is_judged_by_what_the_paper_says_of_it(tmp_path):
    def figure3(**seconds):
        rows = [
            {"dataset": "enron", "metric": "seconds", "setting": name, "size": 900, "value": value}
            for name, value in seconds.items()
        ]
        stored(tmp_path, "wang_2020_elc", "figure3", rows)
        return verdict(tmp_path, "wang_2020_elc", "figure3")

    claim = "“ELC and CMFS are about as fast, and MIFS is the slowest”"
    assert figure3(elc=2.8, cmfs=4.0, llsf=7.5, mifs=10.0) == (Agreement.AGREES, f"{claim} holds here.")
    assert figure3(elc=2.8, cmfs=6.0, llsf=12.0, mifs=10.0) == (Agreement.DIFFERS, f"{claim} does not hold here.")


def test_several_things_said_of_a_figure_are_counted(tmp_path):
    def figure3(hamming, ranking):
        """By how much CMI-BR is ahead of CMI-LP at two sizes."""
        rows = []
        for metric, leads in (("hamming_loss", hamming), ("ranking_loss", ranking)):
            values = {"cmi_br": {1: 0.3, 2: 0.2}, "cmi_lp": {1: 0.3 + leads[0], 2: 0.2 + leads[1]}}
            rows += curve("yeast", metric, values)
        stored(tmp_path, "sechidis_2014", "figure3", rows)
        return verdict(tmp_path, "sechidis_2014", "figure3")

    said = "Of 3 things the paper says about it,"
    assert figure3((0.02, 0.01), (0.04, 0.03)) == (Agreement.AGREES, f"{said} 3 agree.")
    assert figure3((0.01, 0.02), (0.03, 0.04)) == (Agreement.IN_PART, f"{said} 2 agree and 1 does not agree.")
    assert figure3((-0.02, -0.01), (-0.04, -0.03)) == (Agreement.DIFFERS, f"{said} 3 do not agree.")


def test_a_figure_of_which_nothing_was_checked(tmp_path):
    stored(tmp_path, "lee_kim_2016", "figure4", curve("yeast", "hamming_loss", {"els": {1: 0.2}}))
    assert verdict(tmp_path, "lee_kim_2016", "figure4") == (Agreement.OPEN, NO_NUMBERS)


def test_a_paper_counts_its_results():
    agrees, part, differs, none = Agreement
    results = [Reproduction("p", f"table{i}", each, "") for i, each in enumerate([agrees, agrees, part, differs, none])]
    words = "2 agree, 1 agrees in part and 1 does not agree; 1 was not compared"
    assert paper_verdict(results) == (Agreement.IN_PART, words)
    assert paper_verdict(results[-1:]) == (Agreement.OPEN, "nothing was compared")


@pytest.mark.parametrize("paper", PAPERS)
def test_every_result_that_ships_has_its_line(paper):
    known = reproductions(paper)
    assert [each.result for each in known] == list(PAPERS[paper].results)
    for each in known:
        assert each.why.endswith(".")
        assert len(each.why) < 130
        assert "nan" not in each.why
