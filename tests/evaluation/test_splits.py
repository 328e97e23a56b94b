"""Rows are dealt out once, the same for the same seed, and stratified where asked."""

import numpy as np
import pytest

from mlfs import load_dataset
from mlfs.datasets import make_synthetic
from mlfs.errors import ParameterError
from mlfs.evaluation import given_split, k_folds, random_splits

Y = (np.random.default_rng(0).random((200, 6)) < [0.02, 0.05, 0.1, 0.3, 0.5, 0.7]).astype(int)


@pytest.mark.parametrize("stratified", [False, True])
def test_random_splits(stratified):
    splits = list(random_splits(Y, 0.25, 3, seed=7, stratified=stratified))
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(200))
        assert len(test) == pytest.approx(50, abs=3)
    assert not np.array_equal(splits[0][1], splits[1][1])
    for (_, a), (_, b) in zip(splits, random_splits(Y, 0.25, 3, seed=7, stratified=stratified), strict=True):
        assert np.array_equal(a, b)
    assert not np.array_equal(splits[0][1], next(random_splits(Y, 0.25, seed=8, stratified=stratified))[1])


@pytest.mark.parametrize("stratified", [False, True])
def test_folds(stratified):
    splits = list(k_folds(Y, 5, repeats=2, seed=1, stratified=stratified))
    assert len(splits) == 10
    for start in (0, 5):
        tests = [test for _, test in splits[start : start + 5]]
        assert sorted(np.concatenate(tests)) == list(range(200))
    for train, test in splits:
        assert not set(train) & set(test)
        assert len(train) + len(test) == 200
    assert not np.array_equal(splits[0][1], splits[5][1])
    again, other = (list(k_folds(Y, 5, repeats=2, seed=seed, stratified=stratified)) for seed in (1, 2))
    assert all(np.array_equal(a, b) for (_, a), (_, b) in zip(splits, again, strict=True))
    assert not any(np.array_equal(a, b) for (_, a), (_, b) in zip(splits, other, strict=True))


def test_stratified_folds_keep_the_shares():
    def unevenness(stratified):
        folds = k_folds(Y, 5, seed=2, stratified=stratified)
        return np.mean([np.abs(Y[test].mean(axis=0) - Y.mean(axis=0)).mean() for _, test in folds])

    assert unevenness(True) < unevenness(False) / 2


def test_the_given_split():
    train, test = given_split(load_dataset("scene"))
    assert (len(train), len(test)) == (1211, 1196)
    with pytest.raises(ParameterError, match="synthetic has no train/test split of its own"):
        given_split(make_synthetic())


def test_messages():
    with pytest.raises(ParameterError, match="both sides of 200, not 1"):
        next(random_splits(Y, 1.0))
    with pytest.raises(ParameterError, match=r"folds must be from 2 to 200 \(the rows\), not 201"):
        next(k_folds(Y, 201))
    with pytest.raises(ParameterError, match="repeats must be a whole number from 1, not 0"):
        next(random_splits(Y, repeats=0))
