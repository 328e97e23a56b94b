"""Rankings from elsewhere: a method's own ranking gives the method's own numbers, and what cannot be is told."""

from __future__ import annotations

import numpy as np
import pytest

from mlfs.datasets import make_synthetic
from mlfs.errors import RankingError
from mlfs.evaluation import (
    Explorer,
    ExternalRanking,
    as_ranking,
    compare,
    explore,
    explore_all,
    get_protocol,
    loss_curve,
    noise_table,
    split_table,
)
from mlfs.results import settings_of
from mlfs.tables import summary

DS = make_synthetic(n_instances=80, n_relevant=4, n_redundant=2, n_irrelevant=6, n_labels=4)
D = DS.X.shape[1]
PROTOCOL = get_protocol("quick", repeats=3, sizes=(1, 3, 6))
KEYS = ["repeat", "size", "metric", "value"]


def own_rankings(method, protocol=PROTOCOL):
    """The rankings of a method on the training rows of each split."""
    explorer = Explorer(DS)
    return [explorer.fit(method, protocol, repeat=repeat)[0].ranking_ for repeat in range(protocol.n_splits)]


def numbers(table, method):
    return table[table["method"] == method][KEYS].to_numpy().tolist()


@pytest.mark.parametrize("method", ["els", "grro", "jmi_br", "mapd"])
@pytest.mark.parametrize("classifier", ["mlknn", "brlr"])
def test_a_methods_rankings_per_split_give_its_table_bit_by_bit(method, classifier):
    protocol = get_protocol(PROTOCOL, classifier=classifier, scaling="z_score")
    table = compare([DS], [method], protocol, rankings={"mine": own_rankings(method, protocol)})
    assert numbers(table, "mine") == numbers(table, method)
    assert len(numbers(table, "mine")) == 3 * 3 * 2


def test_folds_count_as_splits():
    protocol = get_protocol("quick", split="folds", folds=3, repeats=2, sizes=(2,))
    table = compare([DS], ["mim_br"], protocol, rankings={"mine": own_rankings("mim_br", protocol)})
    assert numbers(table, "mine") == numbers(table, "mim_br")
    assert table["repeat"].max() == 5


def test_one_ranking_is_judged_on_every_split_as_loss_curve_does():
    order = np.random.default_rng(1).permutation(D)
    table = compare([DS], rankings={"mine": order}, protocol=PROTOCOL)
    for repeat, (train, test) in enumerate(PROTOCOL.splits(DS)):
        curve = loss_curve(DS.X[train], DS.Y[train], DS.X[test], DS.Y[test], order, [1, 3, 6])
        rows = table[(table["repeat"] == repeat) & (table["metric"] == "ranking_loss")]
        assert rows["value"].tolist() == curve["ranking_loss"].tolist()
    assert table["seconds"].isna().all()


def test_worker_processes_give_the_same():
    rankings = {"mine": own_rankings("els")}
    one, two = (compare([DS], ["els"], PROTOCOL, rankings=rankings, n_jobs=n).drop(columns="seconds") for n in (1, 2))
    assert one.equals(two)


def test_explorers_and_noise_take_it():
    ranking = as_ranking("mine", own_rankings("els"), DS)
    ours, theirs = explore_all(DS, ranking, PROTOCOL), explore_all(DS, "els", PROTOCOL)
    for mine, els in zip(ours, theirs, strict=True):
        assert mine.curve.equals(els.curve)
        assert mine.noise.equals(els.noise)
    table = noise_table(DS, ["els", ranking], PROTOCOL)
    parts = [part.drop(columns="setting").to_numpy() for _, part in table.groupby("setting", sort=False)]
    assert np.array_equal(*parts, equal_nan=True)
    assert table["setting"].unique().tolist() == ["els", "mine"]


def test_an_explorer_tells_changed_content_from_what_it_keeps():
    explorer, protocol = Explorer(DS), get_protocol("quick", sizes=(1, 3))
    first = explorer.explore(as_ranking("mine", range(D), DS), protocol)
    changed = explorer.explore(as_ranking("mine", range(D)[::-1], DS), protocol)
    assert first.selector.ranking_.tolist() == changed.selector.ranking_[::-1].tolist()


def test_one_ranking_for_all_rows_is_marked_wherever_settings_are_named():
    table = compare([DS], ["els"], PROTOCOL, rankings={"whole": range(D), "split": own_rankings("els")})
    assert set(settings_of(table)) == {"els", "whole (saw test rows)", "split"}
    notes = summary(table, "hamming_loss").notes
    assert [note for note in notes if "test rows included" in note] == [
        "whole: one ranking for all rows, selected with the test rows included, so its results look better than they "
        "are."
    ]


def test_several_data_sets_have_rankings_of_their_own():
    other = make_synthetic(n_instances=60, n_relevant=3, n_redundant=0, n_irrelevant=2, n_labels=3, seed=9)
    other = type(other)(other.X, other.Y, other.feature_names, other.label_names, "other")
    of_each = {DS.name: range(D), "other": range(5)}
    table = compare([DS, other], ["els"], get_protocol("quick", sizes=(2,)), rankings={"mine": of_each})
    assert table[table["method"] == "mine"]["dataset"].unique().tolist() == [DS.name, "other"]
    table = compare([DS, other], ["els"], get_protocol("quick", sizes=(2,)), rankings={"mine": {"other": range(5)}})
    assert table[table["method"] == "mine"]["dataset"].unique().tolist() == ["other"]
    with pytest.raises(RankingError, match="Say which data set mine ranks the features of"):
        compare([DS, other], ["els"], rankings={"mine": range(5)})
    with pytest.raises(RankingError, match="mine is of 'othr', which is not compared: did you mean 'other'"):
        compare([DS, other], ["els"], rankings={"mine": {"othr": range(5)}})


def test_sizes_beyond_an_incomplete_ranking_are_left_out():
    table = compare([DS], rankings={"mine": [4, 2, 0]}, protocol=PROTOCOL)
    assert sorted(table["size"].unique()) == [1, 3]
    ranking = as_ranking("mine", [4, 2, 0], DS)
    assert "It ranks the first 3 of 12 features" in ranking.notes[-1]
    few = compare([DS], rankings={"mine": [4]}, protocol=get_protocol("quick", sizes=(2, 3)))
    assert few["error"].tolist() == ["The ranking has 1 features, fewer than any size asked for."]


def test_too_few_rankings_for_the_splits():
    with pytest.raises(RankingError, match="mine has 2 rankings of training rows for 3 splits: give one for each"):
        compare([DS], rankings={"mine": [range(D), range(D)]}, protocol=PROTOCOL)
    with pytest.raises(RankingError, match="mine has 1 ranking of training rows for 3 splits"):
        explore(DS, as_ranking("mine", range(D), DS, rows="train"), PROTOCOL)


@pytest.mark.parametrize("name", ["", "els", "a:b", "a=b", "a,b", "a@b", "_a", "x" * 41, "mine (saw test rows)", 3])
def test_names_that_cannot_be(name):
    with pytest.raises(RankingError, match="another"):
        ExternalRanking(name, "ds", 3, ((0,),))


@pytest.mark.parametrize(
    ("orders", "rows", "sentence"),
    [
        ((), "all", "m holds no ranking"),
        (((),), "all", "m, ranking 1 is empty"),
        (((0, 3),), "all", "the feature 3 is none of the 3"),
        (((0, 1), (1, 1)), "train", "m, ranking 2: the feature 1 appears twice"),
        (((0,), (1,)), "all", "m holds 2 rankings: several are of the training rows"),
        (((0,),), "test", "rows must be all or train, not 'test'"),
    ],
)
def test_orders_that_cannot_be(orders, rows, sentence):
    with pytest.raises(RankingError, match=sentence):
        ExternalRanking("m", "ds", 3, orders, rows)


def test_the_rows_of_the_splits_are_those_of_the_protocol():
    table = split_table(PROTOCOL.splits(DS, seed=4), len(DS.Y), base=1)
    assert table.columns.tolist() == ["row_from_1", "split_1_train", "split_2_train", "split_3_train"]
    for number, (train, test) in enumerate(PROTOCOL.splits(DS, seed=4), start=1):
        column = table.set_index("row_from_1")[f"split_{number}_train"]
        assert (column[column == 1].index - 1).tolist() == train.tolist()
        assert (column[column == 0].index - 1).tolist() == test.tolist()
    assert split_table(PROTOCOL.splits(DS), len(DS.Y), base=0)["row_from_0"].iloc[0] == 0
