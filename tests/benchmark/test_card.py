"""The card of a method: sensitivity by hand, sentences, BibTeX."""

import pandas as pd
import pytest

from mlfs.benchmark import bibtex, card, leaderboard, overlaps, stabilities
from mlfs.benchmark.card import sensitivity, sensitivity_sentence, time_and_memory
from mlfs.errors import ParameterError
from mlfs.selectors import SELECTORS
from tests.benchmark.made import made_benchmark

TRIALS = pd.DataFrame(
    [
        {"dataset": "one", "repeat": 0, "parameters": "{}", "ranking_loss": 0.2},
        {"dataset": "one", "repeat": 0, "parameters": '{"alpha": 0.1}', "ranking_loss": 0.1},
        {"dataset": "one", "repeat": 0, "parameters": '{"beta": 1.0}', "ranking_loss": 0.22},
        {"dataset": "two", "repeat": 0, "parameters": "{}", "ranking_loss": 0.4},
        {"dataset": "two", "repeat": 0, "parameters": '{"alpha": 0.1}', "ranking_loss": 0.4},
    ]
).assign(method="grro")


def made_card(method, **more):
    benchmark = made_benchmark(**more)
    board = leaderboard(benchmark)
    return card(benchmark, method, board, overlaps(benchmark), stabilities(benchmark)), board


def test_sensitivity_by_hand():
    found = sensitivity(made_benchmark(trials=TRIALS), "grro")
    assert found["parameter"].tolist() == ["alpha", "beta"]
    assert found["change"].tolist() == pytest.approx([-0.25, 0.1])
    assert found.loc[0, ["low", "high", "trials"]].tolist() == pytest.approx([-0.5, 0.0, 2])
    assert sensitivity_sentence(found, "grro") == (
        "The parameter that matters most is α: changed alone, it moves ranking loss by up to 25% on average. "
        "The best change tried, α=0.1, lowers it by 25%."
    )


def test_what_changes_nothing_does_not_matter_most():
    found = sensitivity(made_benchmark(trials=TRIALS), "grro").assign(change=0.002)
    assert sensitivity_sentence(found, "grro") == (
        "Its parameters hardly matter: changed alone, none moves ranking loss by 1% on average. "
        "No change that was tried does better than the defaults on average."
    )


def test_what_was_not_measured_is_said():
    found, _ = made_card("grro")
    assert sensitivity_sentence(found.sensitivity, "grro") == "The sensitivity of its parameters was not measured."
    assert found.cost() == "How its time grows was not measured, or it takes too little time to tell."


def test_where_it_stands_wins_and_loses():
    found, board = made_card("els")
    assert found.place == 1
    assert found.standing(board) == (
        "ELS is number 1 of 4: on average 1.2 of 4 over 4 data sets (95% interval 1.0 to 1.8)."
    )
    assert found.wins_and_losses() == (
        "Among the best quarter of 4 on one (1), three (1) and four (1); nowhere among the last quarter."
    )
    slow, _ = made_card("mfs")
    assert slow.exceeded == ["four", "three"]
    assert "it exceeded the limit on four and three" in time_and_memory(slow)


def test_an_unknown_method_gets_a_sentence():
    with pytest.raises(ParameterError, match="There is no method 'gro'"):
        made_card("gro")


@pytest.mark.parametrize("method", SELECTORS)
def test_every_paper_becomes_an_entry(method):
    entry = bibtex(method)
    if SELECTORS[method].paper == "–":
        assert entry == ""
        return
    assert entry.startswith("@misc{")
    assert "author = {" in entry
    assert "year = {" in entry
    assert "title = {" in entry or "note = {" in entry
    assert entry.count("{") == entry.count("}")


def test_authors_title_and_venue_are_told_apart():
    assert bibtex("rfs") == (
        "@misc{nie2010rfs,\n"
        "  author = {Nie and Huang and Cai and Ding},\n"
        "  title = {{Efficient and robust feature selection via joint ℓ2,1-norms minimization}},\n"
        "  howpublished = {NIPS},\n"
        "  year = {2010}\n"
        "}"
    )
