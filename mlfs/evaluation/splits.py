"""Which rows train and which test. Every split is a pair of row-index arrays, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from mlfs.checks import checked, described, indices, whole
from mlfs.datasets import Dataset
from mlfs.errors import ParameterError

# More than any file may have.
MOST_ROWS = 1_000_000_000
Split = tuple[np.ndarray, np.ndarray]


@checked
def given_split(ds: Dataset) -> Split:
    """The split that came with the data set."""
    if ds.split is None:
        raise ParameterError(f"{ds.name} has no train/test split of its own: choose a random split or folds instead.")
    return ds.split


@checked
def random_splits(
    Y: Any, test_share: float = 0.2, repeats: int = 1, seed: int = 0, stratified: bool = False
) -> Iterator[Split]:
    """`repeats` independent random splits; stratified keeps each label's share (iterative stratification)."""
    n = _rows(Y)
    whole("seed", seed, 0)
    if not 0 < test_share < 1 or not 1 <= round(test_share * n) < n:
        raise ParameterError(f"test_share must leave rows on both sides of {n}, not {test_share!r}.")
    for repeat in range(whole("repeats", repeats, 1)):
        if stratified:
            from iterstrat.ml_stratifiers import MultilabelStratifiedShuffleSplit

            splitter = MultilabelStratifiedShuffleSplit(1, test_size=test_share, random_state=_seed(seed, repeat))
            train, test = next(splitter.split(Y, _at_least_two(Y)))
        else:
            order = np.random.default_rng([seed, repeat]).permutation(n)
            cut = n - round(test_share * n)
            train, test = order[:cut], order[cut:]
        yield np.sort(train), np.sort(test)


@checked
def k_folds(Y: Any, folds: int = 5, repeats: int = 1, seed: int = 0, stratified: bool = False) -> Iterator[Split]:
    """`repeats` times k folds, each fold once the test part."""
    n = _rows(Y)
    whole("seed", seed, 0)
    if not 2 <= whole("folds", folds, 2) <= n:
        raise ParameterError(f"folds must be from 2 to {n} (the rows), not {folds}.")
    for repeat in range(whole("repeats", repeats, 1)):
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


@checked
def split_table(splits: Iterable[Split], n: int, base: int = 1) -> pd.DataFrame:
    """The rows of splits for other programs: one line per row of the data, with its number, counted from `base`.

    In the column of a split, 1 is a row that trains and 0 one that tests.

    >>> split_table([(np.array([0, 2]), np.array([1])), (np.array([1]), np.array([0]))], n=3)
       row_from_1  split_1_train  split_2_train
    0           1              1            0.0
    1           2              0            1.0
    2           3              1            NaN
    """
    whole("base", base, 0, 1)
    whole("n", n, 1, MOST_ROWS)
    columns: dict[str, Any] = {f"row_from_{base}": np.arange(n) + base}
    for number, split in enumerate(splits, start=1):
        try:
            train, test = (indices(rows, n, "Each split", what="rows", empty=True) for rows in split)
        except (TypeError, ValueError) as problem:
            if isinstance(problem, ParameterError):
                raise
            raise ParameterError("splits must be pairs of rows, those of training and of test.") from None
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


def _rows(Y: Any) -> int:
    """How many there are; labels are a table, and any other of as many rows will do where nothing is stratified."""
    try:
        n = Y.shape[0] if sparse.issparse(Y) else 0 if isinstance(Y, str | bytes | Mapping) else len(Y)
    except TypeError:
        n = 0
    if n < 2:
        raise ParameterError(f"Y must be a table of labels with at least two rows, not {described(Y)}.")
    return n
