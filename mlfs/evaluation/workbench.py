"""One data set, one method, one split: what a person explores, with everything kept that the next move can use.

A slider changes little: the rows of a split, the scaled features, the evidence of a method and the curve of a ranking
stay as they were unless what they depend on changed. `explore` gives the same numbers without keeping anything.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.datasets import Dataset
from mlfs.errors import ParameterError
from mlfs.evaluation.configure import Choice, configure
from mlfs.evaluation.curves import loss_curve
from mlfs.evaluation.protocols import Protocol, get_protocol
from mlfs.evaluation.scaling import scale
from mlfs.evaluation.splits import Split
from mlfs.memo import Memo
from mlfs.metrics.subsets import redundancy_curve, residual_label_correlation_curve
from mlfs.selectors import Selector

# How many of each are kept for one data set. Evidence is the large one: on the bundled sets a few megabytes.
EVIDENCE, SPLITS, CURVES = 6, 12, 400


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


def explore(
    ds: Dataset, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0
) -> Exploration:
    """Select on the training rows of a split, and judge the first features on its test rows.

    Parameters
    ----------
    selector : an id, a selector, or a pair of id and parameters
    repeat : which of the protocol's splits, from 0
    """
    return Workbench(ds).explore(selector, protocol, seed=seed, repeat=repeat)


def explore_all(
    ds: Dataset, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0
) -> list[Exploration]:
    """`explore` on each of the protocol's splits."""
    bench, protocol = Workbench(ds), get_protocol(protocol)
    return [bench.explore(selector, protocol, seed=seed, repeat=repeat) for repeat in range(protocol.n_splits)]


def averaged(found: Sequence[Exploration]) -> pd.DataFrame:
    """Mean and standard deviation over splits, one row per size: metrics, R(F) and C(F).

    The columns of the deviations end in ``_std``; they are NaN for one split.
    """
    table = pd.concat([one.curve.merge(one.noise, on="size") for one in found])
    groups = table.groupby("size", sort=True)
    mean, std = groups.mean(), groups.std()
    columns = {name: part for column in mean for name, part in ((column, mean[column]), (f"{column}_std", std[column]))}
    return pd.DataFrame(columns).reset_index()


def averaged_baseline(found: Sequence[Exploration]) -> dict[str, float]:
    """Metric → value with all features, the mean over splits."""
    return {metric: float(np.mean([one.baseline[metric] for one in found])) for metric in found[0].baseline}


class Workbench:
    """A data set and what has been found out about it. Safe to share between threads."""

    def __init__(self, ds: Dataset) -> None:
        self.ds = ds
        self._splits, self._scaled, self._evidence = Memo(SPLITS), Memo(SPLITS), Memo(EVIDENCE)
        self._fitted, self._curves, self._noise = Memo(CURVES), Memo(CURVES), Memo(CURVES)

    def explore(
        self, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0
    ) -> Exploration:
        """As the function `explore`."""
        protocol = get_protocol(protocol)
        d = self.ds.X.shape[1]
        sizes = protocol.sizes_for(d)
        fitted, seconds = self.fit(selector, protocol, seed=seed, repeat=repeat)
        sizes = [size for size in sizes if size <= len(fitted.ranking_)] or [max(1, fitted.n_selected_)]
        found = self._curve(fitted.ranking_, sizes, protocol, seed, repeat).copy()
        everything = self._curve(np.arange(d), [d], protocol, seed, repeat)
        baseline = {metric: float(everything[metric].iloc[0]) for metric in protocol.metrics}
        noise = self.noise(fitted.ranking_, sizes, protocol, seed=seed, repeat=repeat)
        return Exploration(fitted, found, noise, baseline, seconds)

    def fit(
        self, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0
    ) -> tuple[Selector, float]:
        """The selector fitted on the training rows of a split, and the seconds that took the first time."""
        protocol = get_protocol(protocol)
        fresh = configure(selector, protocol, self.ds, seed, repeat)
        rows = self._key(protocol, seed, repeat)
        settings = json.dumps(fresh.get_params(), sort_keys=True, default=str)

        def fit() -> tuple[Selector, float]:
            evidence, prepared = self._prepare(fresh, rows, protocol, seed, repeat)
            start = time.perf_counter()
            return fresh.fit_prepared(evidence), prepared + time.perf_counter() - start

        result: tuple[Selector, float] = self._fitted.once((rows, fresh.id, settings), fit)
        return result

    def evidence(self, selector: Choice, protocol: str | Protocol = "quick", *, seed: int = 0, repeat: int = 0) -> Any:
        """What the selector prepares from the training rows of a split."""
        protocol = get_protocol(protocol)
        fresh = configure(selector, protocol, self.ds, seed, repeat)
        return self._prepare(fresh, self._key(protocol, seed, repeat), protocol, seed, repeat)[0]

    def noise(
        self,
        ranking: np.ndarray,
        sizes: list[int],
        protocol: str | Protocol = "quick",
        *,
        seed: int = 0,
        repeat: int = 0,
    ) -> pd.DataFrame:
        """R(F) and C(F) of the first features of a ranking, on the training rows of a split."""
        protocol = get_protocol(protocol)
        ranking = np.asarray(ranking[: max(sizes)])

        def measure() -> tuple[np.ndarray, np.ndarray]:
            train, _ = self.rows(protocol, seed=seed, repeat=repeat)
            X, Y = self.ds.X[train], self.ds.Y[train]
            return redundancy_curve(X, Y, ranking), residual_label_correlation_curve(X, Y, ranking)

        R, C = self._noise.once((self._key(protocol, seed, repeat), ranking.tobytes()), measure)
        at = np.asarray(sizes) - 1
        # One feature makes no pair: R(F) is 0 by convention, which a curve would show as a dive.
        R = np.where(at > 0, R[at], np.nan)
        return pd.DataFrame({"size": sizes, "redundancy": R, "residual_label_correlation": C[at]})

    def rows(self, protocol: Protocol, *, seed: int = 0, repeat: int = 0) -> Split:
        """Training and test rows of one of the protocol's splits."""

        def part() -> Split:
            for number, split in enumerate(protocol.splits(self.ds, seed)):
                if number == repeat:
                    return split
            raise ParameterError(f"repeat must be below the protocol's {protocol.n_splits} splits, not {repeat}.")

        split: Split = self._splits.once(self._key(protocol, seed, repeat), part)
        return split

    def _key(self, protocol: Protocol, seed: int, repeat: int) -> tuple[Any, ...]:
        return protocol.split, protocol.test_share, protocol.folds, protocol.stratified, seed, repeat

    def _prepare(
        self, selector: Selector, rows: tuple[Any, ...], protocol: Protocol, seed: int, repeat: int
    ) -> tuple[Any, float]:
        def prepare() -> tuple[Any, float]:
            train, _ = self.rows(protocol, seed=seed, repeat=repeat)
            start = time.perf_counter()
            evidence = selector.prepare(self.ds.X[train], self.ds.Y[train])
            return evidence, time.perf_counter() - start

        result: tuple[Any, float] = self._evidence.once((rows, selector.preparation), prepare)
        return result

    def _curve(self, ranking: np.ndarray, sizes: list[int], protocol: Protocol, seed: int, repeat: int) -> pd.DataFrame:
        rows, ranking = self._key(protocol, seed, repeat), np.asarray(ranking[: max(sizes)])

        def parts() -> tuple[Any, Any, np.ndarray]:
            train, test = self.rows(protocol, seed=seed, repeat=repeat)
            columns, owner = self.ds.one_hot()
            return *scale(columns[train], columns[test], protocol.scaling), owner

        def measure() -> pd.DataFrame:
            train, test = self.rows(protocol, seed=seed, repeat=repeat)
            X_train, X_test, owner = self._scaled.once((rows, protocol.scaling), parts)
            Y_train, Y_test = self.ds.Y[train], self.ds.Y[test]
            return loss_curve(
                X_train, Y_train, X_test, Y_test, ranking, sizes, protocol.classifier, protocol.metrics, owner=owner
            )

        key = (rows, protocol.scaling, str(protocol.classifier), protocol.metrics, tuple(sizes), ranking.tobytes())
        found: pd.DataFrame = self._curves.once(key, measure)
        return found
