"""Exploring: the numbers of `compare`, and nothing computed twice."""

import numpy as np
import pandas as pd
import pytest

import mlfs.evaluation.workbench as module
from mlfs.datasets import make_synthetic
from mlfs.errors import ParameterError
from mlfs.evaluation import Workbench, averaged, compare, explore, explore_all, get_protocol
from mlfs.metrics import redundancy, residual_label_correlation

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
    curves = []
    monkeypatch.setattr(module, "loss_curve", lambda *a, **k: curves.append(1) or _loss_curve(*a, **k))
    bench = Workbench(DATA)
    selector = module.configure("els", PROTOCOL, DATA, 0, 0)
    prepared = []
    monkeypatch.setattr(type(selector), "prepare", lambda self, X, Y: prepared.append(1) or _prepare(self, X, Y))
    for n_labels in (1, 2, 3, 1, 2):
        bench.explore(("els", {"n_labels": n_labels}), PROTOCOL)
    assert len(prepared) == 1
    rankings = {bench.fit(("els", {"n_labels": n}), PROTOCOL)[0].ranking_[:6].tobytes() for n in (1, 2, 3)}
    assert len(curves) == len(rankings) + 1  # and the level of all features


_loss_curve = module.loss_curve
_prepare = type(module.configure("els", PROTOCOL, DATA, 0, 0)).prepare


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
    bench = Workbench(DATA)
    before = bench.explore("els", PROTOCOL).curve.copy()
    bench.explore("els", PROTOCOL).curve.iloc[:] = -1
    pd.testing.assert_frame_equal(bench.explore("els", PROTOCOL).curve, before)
