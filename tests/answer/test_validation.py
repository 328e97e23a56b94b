"""Chance beside the result: equal to plain computations, uniform where there is nothing to find."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mlfs.answer import nested_estimate, permutation_test, random_features, run_methods
from mlfs.answer.validation import p_value, rows_of
from mlfs.classifiers import MLkNN
from mlfs.evaluation import Explorer, averaged, explore_all, get_protocol, k_folds, loss_curve
from mlfs.evaluation.split_evaluator import scale
from mlfs.selectors import Constraints
from tests.answer.data import pure_noise, settings, small


def chosen_by_hand(ds, asked, protocol):
    """(mean, size, method) of the best method at the size that the rule of one standard error takes."""
    found = []
    for method, _ in asked.methods:
        curve = averaged(explore_all(ds, method, protocol, seed=asked.seed))
        best = curve["hamming_loss"].idxmin()
        limit = curve["hamming_loss"][best] + curve["hamming_loss_std"][best] / np.sqrt(protocol.n_splits)
        row = curve[curve["hamming_loss"] <= limit + 1e-12].iloc[0]
        found.append((row["hamming_loss"], row["size"], method))
    return min(found)


def test_p_values_by_hand():
    assert p_value(0.2, (0.1, 0.2, 0.3, 0.4), "hamming_loss") == 3 / 5
    assert p_value(0.2, (0.1, 0.2, 0.3, 0.4), "macro_f1") == 4 / 5
    assert p_value(0.2, (), "macro_f1") == 1.0


def test_permuted_labels_are_the_whole_choice_on_permuted_rows():
    ds, asked = small(), settings()
    states = list(permutation_test(ds, asked, 2))
    assert [len(state.values) for state in states] == [1, 2]
    assert states[-1].observed == pytest.approx(chosen_by_hand(ds, asked, asked.measured)[0], rel=1e-12)
    for number, value in enumerate(states[-1].values):
        order = np.random.default_rng([0, number, 1]).permutation(90)
        permuted = replace(ds, Y=ds.Y[order])
        assert value == pytest.approx(chosen_by_hand(permuted, asked, asked.measured)[0], rel=1e-12)
    assert states[-1].p_value == p_value(states[-1].observed, states[-1].values, "hamming_loss")


def test_random_features_are_as_many_on_the_same_rows():
    ds, asked = small(), settings(["els"], protocol=get_protocol(settings().protocol, scaling="z_score"))
    explorer = Explorer(ds)
    *_, state = run_methods(explorer, asked)
    *_, draws = random_features(explorer, asked, state.best, 3)
    assert (draws.size, draws.observed, len(draws.values)) == (state.best.choice.size, state.best.choice.mean, 3)
    losses = []
    for repeat, (train, test) in enumerate(k_folds(ds.Y, 3)):
        lots = int(np.random.default_rng([0, 2, repeat]).integers(2**31))
        order = np.argsort(-np.random.default_rng(lots).permutation(10))
        X_train, X_test = scale(ds.X[train], ds.X[test], "z_score")
        curve = loss_curve(X_train, ds.Y[train], X_test, ds.Y[test], order, [draws.size], MLkNN(k=5))
        losses.append(curve["hamming_loss"].item())
    assert draws.values[2] == pytest.approx(np.mean(losses), rel=1e-12)


def test_random_features_respect_the_constraints():
    """With all but one feature forbidden there is nothing to draw: every draw is the selection."""
    asked = settings(["els"], constraints=Constraints(never_use=tuple(range(1, 10))))
    explorer = Explorer(small())
    *_, state = run_methods(explorer, asked)
    *_, draws = random_features(explorer, asked, state.best, 3)
    assert draws.values == pytest.approx([draws.observed] * 3, rel=1e-12)
    assert draws.p_value == 1.0


def test_the_nested_choice_sees_training_rows_only():
    ds, asked = small(), settings()
    states = list(nested_estimate(Explorer(ds), asked, optimistic=0.125))
    assert [len(state.values) for state in states] == [1, 2, 3]
    inner = get_protocol(asked.measured, folds=3)
    for repeat, (train, test) in enumerate(k_folds(ds.Y, 3)):
        _, size, method = chosen_by_hand(rows_of(ds, train), asked, inner)
        assert states[-1].chosen[repeat] == (method, size)
        ranking = explore_all(ds, method, asked.measured)[repeat].selector.ranking_
        curve = loss_curve(ds.X[train], ds.Y[train], ds.X[test], ds.Y[test], ranking, [int(size)], MLkNN(k=5))
        assert states[-1].values[repeat] == pytest.approx(curve["hamming_loss"].item(), rel=1e-12)
    assert states[-1].mean == pytest.approx(np.mean(states[-1].values))
    assert states[-1].standard_error == pytest.approx(stats.sem(states[-1].values))
    assert states[-1].optimistic == 0.125


def test_p_values_of_pure_noise_are_uniform():
    """Kolmogorov–Smirnov over 100 sets. A p-value is one of 1/5 … 5/5; a lot within its step makes it continuous."""
    permutations, values = 4, []
    protocol = get_protocol(
        "quick", split="folds", folds=2, sizes=(1, 3), classifier=MLkNN(k=3), metrics=("average_precision",)
    )
    for seed in range(100):
        asked = settings(["mim_br"], protocol=protocol, metric="average_precision", seed=seed)
        *_, test = permutation_test(pure_noise(seed), asked, permutations)
        values.append(test.p_value - np.random.default_rng(seed).random() / (permutations + 1))
    assert stats.kstest(values, "uniform").pvalue > 0.01


def test_p_values_of_real_signal_are_small():
    *_, test = permutation_test(small(), settings(["scls"]), 19)
    assert test.p_value == 1 / 20
