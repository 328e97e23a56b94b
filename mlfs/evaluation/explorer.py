"""One data set, one method, one split: what a person explores, with everything kept that the next move can use.

A slider changes little: the rows of a split, the scaled features, the evidence of a method and the curve of a ranking
stay as they were unless what they depend on changed. `explore` gives the same numbers without keeping anything.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.checks import checked
from mlfs.datasets import Dataset
from mlfs.errors import ParameterError
from mlfs.evaluation.protocols import Choice, Protocol, configured_selector, get_protocol
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.memo import Budget, Memo, array_bytes
from mlfs.selectors import Selector

MEMORY = 128 << 20  # bytes that all explorers of a process may take for what they keep, roughly
SPLITS, RESULTS = 30, 400  # and how many at most, of one
RESULT_BYTES = 20_000  # of a result, beside its arrays
_budget = Budget(MEMORY)


@dataclass(frozen=True)
class Exploration:
    """One method on one split of one data set.

    Attributes
    ----------
    selector : fitted on the training rows
    curve : one row per size: the metrics on the test rows
    noise : one row per size: R(F) and C(F) of the first features on the training rows
    baseline : metric → value with all features
    seconds : the selection took, preparation included
    """

    selector: Selector
    curve: pd.DataFrame
    noise: pd.DataFrame
    baseline: dict[str, float]
    seconds: float


@checked
def explore(
    ds: Dataset, selector: Any, protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0
) -> Exploration:
    """Select on the training rows of a split, and judge the first features on its test rows.

    Parameters
    ----------
    selector : an id, a selector, or a pair of id and parameters
    repeat : which of the protocol's splits, from 0
    """
    return Explorer(ds).explore(selector, protocol, seed=seed, repeat=repeat)


@checked
def explore_all(ds: Dataset, selector: Any, protocol: str | Protocol = "quick", *, seed: int = 0) -> list[Exploration]:
    """`explore` on each of the protocol's splits."""
    explorer, protocol = Explorer(ds), get_protocol(protocol)
    return [explorer.explore(selector, protocol, seed=seed, repeat=repeat) for repeat in range(protocol.n_splits)]


@checked
def averaged(explorations: Sequence[Exploration]) -> pd.DataFrame:
    """Mean and standard deviation over splits, one row per size: metrics, R(F) and C(F).

    The columns of the deviations end in ``_std``; they are NaN for one split. Where a method chose its own sizes, the
    column ``splits`` tells how many of the splits a row comes from.
    """
    _some(explorations)
    table = pd.concat([split.curve.merge(split.noise, on="size") for split in explorations])
    groups = table.groupby("size", sort=True)
    mean, std, count = groups.mean(), groups.std(), groups.size()
    columns = {name: part for column in mean for name, part in ((column, mean[column]), (f"{column}_std", std[column]))}
    if (count < len(explorations)).any():
        columns["splits"] = count
    return pd.DataFrame(columns).reset_index()


@checked
def averaged_baseline(explorations: Sequence[Exploration]) -> dict[str, float]:
    """Metric → value with all features, the mean over splits."""
    _some(explorations)
    baselines = [split.baseline for split in explorations]
    return {metric: float(np.mean([values[metric] for values in baselines])) for metric in baselines[0]}


def _some(explorations: Sequence[Exploration]) -> None:
    if not len(explorations):
        raise ParameterError("There is nothing to average: give the exploration of at least one split.")


class Explorer:
    """A data set and what has been found out about it. Safe to share between threads.

    All explorers together keep MEMORY bytes or so: what has not been asked for longest goes first, whosever it is.
    """

    def __init__(self, ds: Dataset) -> None:
        self.ds = ds
        self._splits = Memo(SPLITS, size=_split_bytes, budget=_budget, grows=True)
        self._first = Memo(1, size=_split_bytes, budget=_budget, grows=True)
        self._results = Memo(RESULTS, size=_result_bytes, budget=_budget)

    def explore(
        self, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0
    ) -> Exploration:
        """As the function `explore`."""
        protocol = get_protocol(protocol)
        fresh = configured_selector(selector, protocol, self.ds, seed, repeat)
        key = _exploration_key(fresh, protocol, seed, repeat)

        def compute() -> _Kept:
            evaluator = self.split(protocol, seed=seed, repeat=repeat)
            result = evaluator.measure(fresh, protocol)
            lengths = list(map(fresh.prefix_length, result.sizes))
            noise = evaluator.noise(fresh.ranking_, lengths).assign(size=list(result.sizes))
            self.split(protocol, seed=seed, repeat=repeat)  # used again: it holds more now, and that counts
            return _Kept(fresh, _arrays(result.curve), _arrays(noise), evaluator.level(protocol), result.seconds)

        return self._results.once(key, compute).exploration()

    def explored(self, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0) -> list[Exploration]:
        """The explorations that are kept, of the protocol's first split and those that follow without a gap."""
        protocol, known = get_protocol(protocol), []
        for repeat in range(protocol.n_splits):
            fresh = configured_selector(selector, protocol, self.ds, seed, repeat)
            kept = self._results.get(_exploration_key(fresh, protocol, seed, repeat))
            if kept is None:
                break
            known.append(kept.exploration())
        return known

    def fit(
        self, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0
    ) -> tuple[Selector, float]:
        """The selector fitted on the training rows of a split, and the seconds that took the first time."""
        protocol = get_protocol(protocol)
        fresh = configured_selector(selector, protocol, self.ds, seed, repeat)

        def fit() -> tuple[Selector, float]:
            return fresh, self.split(protocol, seed=seed, repeat=repeat).fit(fresh)[0]

        key = (fresh.id, _settings(fresh), _rows_key(protocol, seed, repeat))
        fitted: tuple[Selector, float] = self._results.once(key, fit)
        return fitted

    def evidence(self, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0) -> Any:
        """What the selector prepares from the training rows of a split."""
        protocol = get_protocol(protocol)
        fresh = configured_selector(selector, protocol, self.ds, seed, repeat)
        return self.split(protocol, seed=seed, repeat=repeat).evidence(fresh)

    def noise(
        self,
        ranking: np.ndarray,
        sizes: Sequence[int],
        protocol: str | Protocol = "quick",
        *,
        seed: int = 0,
        repeat: int = 0,
    ) -> pd.DataFrame:
        """R(F) and C(F) of the first features of a ranking, on the training rows of a split."""
        return self.split(get_protocol(protocol), seed=seed, repeat=repeat).noise(ranking, sizes)

    def split(self, protocol: Protocol, *, seed: int = 0, repeat: int = 0) -> SplitEvaluator:
        """One of the protocol's splits, with what is known about it."""

        def part() -> SplitEvaluator:
            for number, rows in enumerate(protocol.splits(self.ds, seed)):
                if number == repeat:
                    return SplitEvaluator(self.ds, rows)
            raise ParameterError(f"repeat must be below the protocol's {protocol.n_splits} splits, not {repeat}.")

        # The first split is what a slider moves: the others, which follow it, must not push it out.
        keep = self._first if repeat == 0 else self._splits
        evaluator: SplitEvaluator = keep.once(_rows_key(protocol, seed, repeat), part)
        return evaluator


def _exploration_key(selector: Selector, protocol: Protocol, seed: int, repeat: int) -> tuple[Any, ...]:
    return selector.id, _settings(selector), repr(protocol), seed, repeat


@dataclass(frozen=True)
class _Kept:
    """An exploration with its tables as arrays: a table that is kept would note each copy that was ever made of it."""

    selector: Selector
    curve: dict[str, np.ndarray]
    noise: dict[str, np.ndarray]
    baseline: dict[str, float]
    seconds: float

    def exploration(self) -> Exploration:
        """With tables of its own, which whoever asked may change."""
        curve, noise = _table(self.curve), _table(self.noise)
        return Exploration(self.selector, curve, noise, dict(self.baseline), self.seconds)


def _arrays(table: pd.DataFrame) -> dict[str, np.ndarray]:
    return {name: table[name].to_numpy(copy=True) for name in table}


def _table(arrays: dict[str, np.ndarray]) -> pd.DataFrame:
    rows = len(next(iter(arrays.values())))
    return pd.DataFrame(arrays, index=pd.RangeIndex(rows))  # an index that is given takes half of the time


def _rows_key(protocol: Protocol, seed: int, repeat: int) -> tuple[Any, ...]:
    """What decides which rows train and which test."""
    return protocol.split, protocol.test_share, protocol.folds, protocol.stratified, seed, repeat


def _settings(selector: Selector) -> str:
    return json.dumps(selector.get_params(), sort_keys=True, default=str)


def _split_bytes(evaluator: SplitEvaluator) -> int:
    return evaluator.nbytes


def _result_bytes(result: _Kept | tuple[Selector, float]) -> int:
    """The arrays, and what the objects around them take."""
    return array_bytes(result) + RESULT_BYTES
