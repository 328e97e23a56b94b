"""The leaderboard: ranks worked by hand, what exceeds a limit, who is not ranked, and what an interval must be."""

import numpy as np
import pandas as pd
import pytest

from mlfs.benchmark import LeaderboardSettings, leaderboard
from mlfs.benchmark.leaderboard import intervals, size_in
from mlfs.errors import ParameterError
from tests.benchmark.made import LOSSES, made_benchmark


def test_ranks_by_hand():
    board = leaderboard(made_benchmark())
    # els 1, 2, 1, 1; grro 2, 1, 2 and on "four" shares the places 3 and 4; mfs 3, 3, 4, 3.5; random 4, 4, 3, 2.
    assert board.table["average_rank"].to_dict() == {"els": 1.25, "grro": 2.125, "mfs": 3.375, "random": 3.25}
    assert list(board.table.index) == ["els", "grro", "random", "mfs"]
    assert board.table["wins"].to_dict() == {"els": 3, "grro": 1, "random": 0, "mfs": 0}
    assert board.table["exceeded"].to_dict() == {"els": 0, "grro": 1, "random": 0, "mfs": 2}
    assert board.datasets == ["one", "two", "three", "four"]


def test_a_score_ranks_as_its_loss():
    loss, score = (leaderboard(made_benchmark(), metric=metric) for metric in ("ranking_loss", "macro_f1"))
    pd.testing.assert_frame_equal(loss.ranks[sorted(loss.ranks)], score.ranks[sorted(score.ranks)])


def test_a_selection_over_its_limit_counts_with_the_limit():
    seconds = leaderboard(made_benchmark()).table["seconds"]
    assert seconds["els"] == pytest.approx(0.01)
    assert seconds["mfs"] == pytest.approx((0.001**2 * 20**2) ** 0.25)


def test_nothing_is_better_and_quicker_than_what_is_on_the_front():
    table = leaderboard(made_benchmark()).table
    assert sorted(table.index[table["on_front"]]) == ["els", "random"]  # mfs is slower and worse than random


def test_a_method_that_was_not_run_everywhere_is_not_ranked():
    losses = {**LOSSES, "one": {**LOSSES["one"], "mine": 0.05}}
    board = leaderboard(made_benchmark(losses))
    assert "mine" not in board.table.index
    assert board.not_ranked == {"mine": 1}
    there = leaderboard(made_benchmark(losses), datasets=["one"])
    assert there.table["average_rank"].idxmin() == "mine"


def test_a_set_on_which_hardly_any_method_was_run_does_not_count():
    board = leaderboard(made_benchmark({**LOSSES, "four": {"els": 0.1, "random": 0.4}}))
    assert board.datasets == ["one", "two", "three"]
    assert sorted(board.table.index) == ["els", "grro", "mfs", "random"]
    assert board.not_counted == {"four": 2}
    assert board.notes() == ["four does not count yet: 2 of 4 methods have been run on it."]


def test_of_sets_and_methods_the_one_that_lacks_most_is_left_out_first():
    # "mine" lacks three of four sets; then nothing lacks "four" but mfs and grro, half of what is left.
    losses = {**LOSSES, "one": {**LOSSES["one"], "mine": 0.05}, "four": {"els": 0.1, "random": 0.4}}
    board = leaderboard(made_benchmark(losses))
    assert (board.not_ranked, board.not_counted) == ({"mine": 1}, {"four": 2})
    assert board.datasets == ["one", "two", "three"]


def test_all_features_is_a_level_not_a_rival():
    losses = {name: {**of, "all_features": 0.01} for name, of in LOSSES.items()}
    board = leaderboard(made_benchmark(losses))
    assert "all_features" not in board.table.index
    assert board.all_features.to_dict() == dict.fromkeys(LOSSES, 0.01)


def test_sets_are_chosen_by_what_they_are_like():
    assert leaderboard(made_benchmark(), sets="sparse").datasets == ["three", "four"]
    assert leaderboard(made_benchmark(), sets="few_labels").datasets == ["one", "two"]
    with pytest.raises(ParameterError, match="The benchmark has no data set with"):
        leaderboard(made_benchmark(), sets="sparse", datasets=["one"])


def test_a_size_that_is_all_of_a_set_leaves_the_set_out():
    benchmark = made_benchmark()
    benchmark.datasets.loc[benchmark.datasets["dataset"] == "one", "features"] = 10
    assert leaderboard(benchmark, size="10").datasets == ["two", "three", "four"]


@pytest.mark.parametrize(
    ("size", "features", "expected"),
    [("mean", 6, [1, 2, 3, 5]), ("10", 100, [10]), ("20%", 72, [14]), ("10%", 3, [1])],
)
def test_which_sizes_count(size, features, expected):
    assert size_in(LeaderboardSettings(size=size), features) == expected


def test_an_interval_holds_the_mean_and_closes_where_all_sets_agree():
    ranks = pd.DataFrame({"a": [1.0, 1, 1, 1], "b": [2.0, 3, 2, 3], "c": [3.0, 2, 3, 2]})
    found = intervals(ranks)
    assert found.loc["a"].tolist() == [1.0, 1.0]
    assert (found["low"] <= ranks.mean()).all()
    assert (found["high"] >= ranks.mean()).all()
    # The mean of four draws from {2, 3}: 2.5 % of them are below the second smallest of five values.
    assert found.loc["b"].tolist() == [2.0, 3.0]
    many = pd.DataFrame({"a": np.tile([1.0, 2.0], 200)})
    assert intervals(many).loc["a"].tolist() == pytest.approx([1.5 - 1.96 * 0.5 / 20, 1.5 + 1.96 * 0.5 / 20], abs=4e-3)


def test_the_sentence_names_the_best_and_how_sure_that_is():
    said = leaderboard(made_benchmark()).sentence()
    assert said.startswith("ELS ranks best: on average 1.2 of 4 over 4 data sets (95% interval 1.0 to 1.8)")
    assert said.endswith("A random order has rank 3.2.")


def test_one_data_set_has_no_interval():
    board = leaderboard(made_benchmark(), datasets=["two"])
    assert board.sentence().startswith("GRRO ranks best: 1 of 4 on two. ELS is the next best that takes less time")
    assert board.standing("els") == "2 of 4 on two"
    assert board.notes() == ["1 data set say little about others."]


@pytest.mark.parametrize("wrong", [{"metric": "hammingloss"}, {"size": "11"}, {"sets": "odd"}, {"setting": "best"}])
def test_what_cannot_be_asked_gets_a_sentence(wrong):
    with pytest.raises(ParameterError, match="There is no "):
        LeaderboardSettings(**wrong)


def test_a_set_that_a_classifier_did_not_judge_does_not_count():
    made = made_benchmark()
    both = {name: getattr(made, name) for name in ("runs", "results")}
    more = {
        name: pd.concat([table, table[table["dataset"] != "four"].assign(classifier="br_svm")], ignore_index=True)
        for name, table in both.items()
    }
    assert leaderboard(made_benchmark(**more), classifier="br_svm").datasets == ["one", "two", "three"]
