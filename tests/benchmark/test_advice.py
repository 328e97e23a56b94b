"""Advice: the nearest sets, whether they are near, and a check by leaving sets out."""

import pytest

from mlfs.benchmark import advise, leaderboard
from tests.benchmark.made import LOSSES, made_benchmark

MORE = {**LOSSES, "five": LOSSES["one"], "six": LOSSES["two"]}


@pytest.fixture
def benchmark():
    found = made_benchmark({name: {m: v or 0.9 for m, v in of.items()} for name, of in LOSSES.items()})
    return found


def described(benchmark, like, **changes):
    row = benchmark.datasets.set_index("dataset").loc[like].to_dict()
    return {**row, "dataset": "mine", **changes}


def test_a_set_like_another_is_nearest_to_it(benchmark):
    advice = advise(benchmark, described(benchmark, "two"), leaderboard(benchmark))
    assert advice.nearest.index[0] == "two"
    assert advice.nearest.iloc[0] == pytest.approx(0)
    assert advice.comparable
    assert "The benchmark sets most like yours are two" in advice.sentence()


def test_a_set_like_none_is_told_so(benchmark):
    odd = described(benchmark, "two", instances=10**9, features=10**7, labels=10**6)
    advice = advise(benchmark, odd, leaderboard(benchmark))
    assert not advice.comparable
    assert advice.sentence().startswith("No benchmark set is much like yours")
    assert advice.shortlist[0] == "els"  # the leader of all


def test_the_ranks_near_by_hand(benchmark):
    advice = advise(benchmark, described(benchmark, "one"), leaderboard(benchmark))
    near = list(advice.nearest.index)
    board = leaderboard(benchmark)
    assert advice.table.loc["els", "near"] == pytest.approx(sum(board.ranks.loc[name, "els"] for name in near) / 3)
    assert advice.chance == 2.5


def test_a_benchmark_set_is_not_advised_by_itself(benchmark):
    # With itself left out three sets remain, too few to ask the nearest three of them.
    itself = {**described(benchmark, "two"), "dataset": "two"}
    assert advise(benchmark, itself, leaderboard(benchmark)) is None
