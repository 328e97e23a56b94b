"""Exploring: the numbers of `compare`, and nothing computed twice."""

import gc
import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import mlfs.evaluation.explorer as module
from mlfs.datasets import make_synthetic
from mlfs.errors import ParameterError
from mlfs.evaluation import Explorer, averaged, compare, explore, explore_all, get_protocol, split_evaluator
from mlfs.memo import Budget
from mlfs.metrics import redundancy, residual_label_correlation
from mlfs.selectors import ELS

DATA = make_synthetic(n_instances=120, n_relevant=4, n_redundant=2, n_irrelevant=6, n_labels=4)
PROTOCOL = get_protocol("quick", repeats=3, sizes=(1, 3, 6))


@pytest.mark.parametrize("choice", ["els", ("grro", {"alpha": 10.0}), "random", "jmi_br"])
@pytest.mark.parametrize("split", ["random", "folds"])
def test_the_numbers_of_compare(choice, split):
    protocol = get_protocol(PROTOCOL, split=split)
    table = compare([DATA], [choice], protocol, seed=5)
    for repeat, found in enumerate(explore_all(DATA, choice, protocol, seed=5)):
        expected = table[table["repeat"] == repeat].pivot_table(index="size", columns="metric", values="value")
        np.testing.assert_array_equal(found.curve.set_index("size")[expected.columns], expected)


def test_the_level_of_all_features_and_the_noise_on_training_rows():
    found = explore(DATA, "els", PROTOCOL, seed=2)
    level = compare([DATA], ["all_features"], PROTOCOL, seed=2)
    level = level[level["repeat"] == 0].set_index("metric")["value"]
    assert found.baseline == {metric: level[metric] for metric in PROTOCOL.metrics}
    train, _ = next(iter(PROTOCOL.splits(DATA, 2)))
    first = found.selector.ranking_[:3]
    row = found.noise.set_index("size").loc[3]
    assert row["redundancy"] == pytest.approx(redundancy(DATA.X[train], DATA.Y[train], first))
    assert row["residual_label_correlation"] == pytest.approx(
        residual_label_correlation(DATA.X[train], DATA.Y[train], first)
    )
    assert found.noise.set_index("size").loc[1].isna().all()


def test_a_slider_computes_only_what_it_changes(monkeypatch):
    judged, prepared = [], []
    curve, prepare = split_evaluator.loss_curve, ELS.prepare
    monkeypatch.setattr(split_evaluator, "loss_curve", lambda *a, **k: judged.append(1) or curve(*a, **k))
    monkeypatch.setattr(ELS, "prepare", lambda self, X, Y: prepared.append(1) or prepare(self, X, Y))
    explorer = Explorer(DATA)
    for n_labels in (1, 2, 3, 1, 2):
        explorer.explore(("els", {"n_labels": n_labels}), PROTOCOL)
    assert len(prepared) == 1
    rankings = {explorer.fit(("els", {"n_labels": n}), PROTOCOL)[0].ranking_[:6].tobytes() for n in (1, 2, 3)}
    assert len(judged) <= len(rankings) + 1  # and the level of all features


def test_other_splits_do_not_push_out_what_a_slider_moves(monkeypatch):
    prepared, prepare = [], ELS.prepare
    monkeypatch.setattr(ELS, "prepare", lambda self, X, Y: prepared.append(1) or prepare(self, X, Y))
    monkeypatch.setattr(module, "SPLITS", 1)
    explorer, many = Explorer(DATA), get_protocol(PROTOCOL, repeats=5)
    for repeat in range(5):
        explorer.explore("els", many, repeat=repeat)
    before = len(prepared)
    explorer.explore(("els", {"n_labels": 1}), many)
    assert len(prepared) == before


def test_what_a_method_adds_to_its_evidence_counts(monkeypatch):
    monkeypatch.setattr(module, "_budget", budget := Budget(1 << 30))
    explorer = Explorer(DATA)
    explorer.explore("els", PROTOCOL)
    before, rows = budget.total, len(explorer.split(PROTOCOL).train)
    explorer.explore("mdfs", PROTOCOL)  # whose graph has a number for each pair of rows
    assert budget.total - before > 8 * rows * rows


def test_the_arrays_of_a_kept_selector_are_counted_once(monkeypatch):
    counted, count = [], module.array_bytes
    monkeypatch.setattr(module, "array_bytes", lambda *values: counted.append(values) or count(*values))
    explorer = Explorer(DATA)
    for _ in range(3):
        explorer.explore("csfs", PROTOCOL)
        explorer.explored("csfs", PROTOCOL)
    assert len(counted) == 1


@pytest.mark.parametrize("choice", ["els", "mapd", "all_features"])
def test_natural_sizes_and_no_selection_as_compare_has_them(choice):
    for protocol in (get_protocol(PROTOCOL, sizes=()), PROTOCOL):
        table = compare([DATA], [choice], protocol)
        for repeat, found in enumerate(explore_all(DATA, choice, protocol)):
            expected = table[(table["repeat"] == repeat) & (table["metric"] == "hamming_loss")]
            assert found.curve["size"].tolist() == expected["size"].tolist()
            assert found.curve["hamming_loss"].tolist() == expected["value"].tolist()


def test_rows_of_few_splits_say_so():
    found = explore_all(DATA, "els", PROTOCOL)
    assert "splits" not in averaged(found)
    short = replace(found[0], curve=found[0].curve[:1], noise=found[0].noise[:1])
    assert averaged([short, *found[1:]])["splits"].tolist() == [3, 2, 2]


def test_mean_and_deviation_over_splits():
    found = explore_all(DATA, "els", PROTOCOL)
    table = averaged(found)
    values = [one.curve["hamming_loss"].to_numpy() for one in found]
    np.testing.assert_allclose(table["hamming_loss"], np.mean(values, axis=0))
    np.testing.assert_allclose(table["hamming_loss_std"], np.std(values, axis=0, ddof=1))
    assert table["size"].tolist() == [1, 3, 6]
    assert averaged(found[:1])["hamming_loss_std"].isna().all()


def test_a_split_that_is_not_there():
    with pytest.raises(ParameterError, match="repeat must be below the protocol's 3 splits, not 3"):
        explore(DATA, "els", PROTOCOL, repeat=3)


def test_nobody_changes_what_is_kept():
    explorer = Explorer(DATA)
    before = explorer.explore("els", PROTOCOL).curve.copy()
    seen = explorer.explore("els", PROTOCOL).curve
    seen["hamming_loss"] = -1.0
    pd.testing.assert_frame_equal(explorer.explore("els", PROTOCOL).curve, before)


def test_what_is_kept_takes_no_more_for_being_asked_for_often():
    """pandas notes each copy of a table with the table: a server kept hundreds of notes for each exploration."""
    explorer = Explorer(DATA)

    def ask(times):
        for _ in range(times):
            averaged([explorer.explore("els", PROTOCOL)])
        gc.collect()
        return sys.getallocatedblocks()

    ask(20)
    taken = [ask(20) for _ in range(10)]
    assert max(taken) - min(taken) < 200


def test_what_is_kept_is_told_without_computing(monkeypatch):
    explorer = Explorer(DATA)
    assert explorer.explored("els", PROTOCOL) == []
    found = [explorer.explore("els", PROTOCOL, repeat=repeat) for repeat in (0, 1)]
    explorer.explore("els", PROTOCOL, repeat=2, seed=9)
    monkeypatch.setattr(split_evaluator.SplitEvaluator, "measure", lambda *_: pytest.fail("computed again"))
    known = explorer.explored("els", PROTOCOL)
    assert [one.curve.equals(other.curve) for one, other in zip(known, found, strict=True)] == [True, True]
    known[0].curve.iloc[:] = 0  # a table of one's own
    assert explorer.explored("els", PROTOCOL)[0].curve.equals(found[0].curve)
    assert explorer.explored(("els", {"n_labels": 1}), PROTOCOL) == []
