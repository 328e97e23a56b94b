"""Which rows train and which test. Every split is a pair of row-index arrays, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pandas as pd

from mlfs.errors import ParameterError

Split = tuple[np.ndarray, np.ndarray]


def given_split(ds: Any) -> Split:
    """The split that came with the data set."""
    if ds.split is None:
        raise ParameterError(f"{ds.name} has no train/test split of its own: choose a random split or folds instead.")
    return ds.split


def random_splits(
    Y: np.ndarray, test_share: float = 0.2, repeats: int = 1, seed: int = 0, stratified: bool = False
) -> Iterator[Split]:
    """`repeats` independent random splits; stratified keeps each label's share (iterative stratification)."""
    n = len(Y)
    if not 0 < test_share < 1 or not 1 <= round(test_share * n) < n:
        raise ParameterError(f"test_share must leave rows on both sides of {n}, not {test_share!r}.")
    for repeat in range(_whole("repeats", repeats, 1)):
        if stratified:
            from iterstrat.ml_stratifiers import MultilabelStratifiedShuffleSplit

            splitter = MultilabelStratifiedShuffleSplit(1, test_size=test_share, random_state=_seed(seed, repeat))
            train, test = next(splitter.split(Y, _at_least_two(Y)))
        else:
            order = np.random.default_rng([seed, repeat]).permutation(n)
            cut = n - round(test_share * n)
            train, test = order[:cut], order[cut:]
        yield np.sort(train), np.sort(test)


def k_folds(
    Y: np.ndarray, folds: int = 5, repeats: int = 1, seed: int = 0, stratified: bool = False
) -> Iterator[Split]:
    """`repeats` times k folds, each fold once the test part."""
    n = len(Y)
    if not 2 <= _whole("folds", folds, 2) <= n:
        raise ParameterError(f"folds must be from 2 to {n} (the rows), not {folds}.")
    for repeat in range(_whole("repeats", repeats, 1)):
        if stratified:
            from iterstrat.ml_stratifiers import MultilabelStratifiedKFold

            splitter = MultilabelStratifiedKFold(folds, shuffle=True, random_state=_seed(seed, repeat))
            tests = [test for _, test in splitter.split(Y, _at_least_two(Y))]
        else:
            tests = np.array_split(np.random.default_rng([seed, repeat]).permutation(n), folds)
        for test in tests:
            inside = np.zeros(n, dtype=bool)
            inside[test] = True
            yield np.flatnonzero(~inside), np.flatnonzero(inside)


def split_table(splits: Iterable[Split], n: int, base: int = 1) -> pd.DataFrame:
    """The rows of splits for other programs: one line per row of the data, with its number, counted from `base`.

    In the column of a split, 1 is a row that trains and 0 one that tests.

    >>> split_table([(np.array([0, 2]), np.array([1])), (np.array([1]), np.array([0]))], n=3)
       row_from_1  split_1_train  split_2_train
    0           1              1            0.0
    1           2              0            1.0
    2           3              1            NaN
    """
    if base not in (0, 1):
        raise ParameterError(f"base must be 0 or 1, not {base!r}.")
    columns: dict[str, Any] = {f"row_from_{base}": np.arange(n) + base}
    for number, (train, test) in enumerate(splits, start=1):
        part = np.full(n, np.nan)
        part[train], part[test] = 1, 0
        columns[f"split_{number}_train"] = part.astype(int) if np.isfinite(part).all() else part
    return pd.DataFrame(columns)


def _at_least_two(Y: np.ndarray) -> np.ndarray:
    """The stratifier takes one column for a class, not for a label; its complement beside it changes nothing."""
    return np.hstack([Y, 1 - Y]) if Y.shape[1] == 1 else Y


def _seed(seed: int, repeat: int) -> int:
    """One seed per repeat for libraries that take a single number."""
    return int(np.random.default_rng([seed, repeat]).integers(2**31))


def _whole(name: str, value: Any, least: int) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}, not {value!r}.")
    return int(value)
