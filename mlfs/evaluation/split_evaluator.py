"""One split of one data set, and every method measured on it: the one place where a cell of an experiment is computed.

`compare` takes a fresh evaluator for each cell; studies keep one for all cells of the split. Both get the same numbers,
because nothing that is kept depends on what was asked before.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.classifiers import BRLR, make_classifier
from mlfs.datasets import Dataset
from mlfs.evaluation.configure import chosen_selector, prepared
from mlfs.evaluation.curves import loss_curve
from mlfs.evaluation.protocols import Protocol
from mlfs.evaluation.scaling import scale
from mlfs.evaluation.splits import Split
from mlfs.memo import Memo
from mlfs.metrics.subsets import redundancy_curve, residual_label_correlation_curve
from mlfs.selectors import AllFeatures, Selector

# Evidence may be large, so little is kept; the metrics of a subset are a few numbers.
EVIDENCE, SCALED, SUBSETS = 2, 2, 200_000


@dataclass(frozen=True)
class Measured:
    """One method on one split.

    Attributes
    ----------
    selector : fitted on the training rows
    curve : one row per size, with the column ``size`` and one column per metric
    seconds : of the selection, its preparation included, whoever prepared it
    prepare_seconds : of the preparation alone
    waited : of these, what this call spent on it: 0 where the evidence was there
    """

    selector: Selector
    curve: pd.DataFrame
    seconds: float
    prepare_seconds: float
    waited: float


class SplitEvaluator:
    """A split, with the evidence, the scaled features and the subsets seen so far."""

    def __init__(self, ds: Dataset, split: Split, n_jobs: int | None = None) -> None:
        self.ds, self.n_jobs = ds, n_jobs
        self.train, self.test = split
        self._evidence, self._scaled = Memo(EVIDENCE), Memo(SCALED)
        self._preparing = 0.0
        self._subsets: dict[bytes, dict[Any, Any]] = {}

    def measure(self, selector: Selector, protocol: Protocol) -> Measured:
        """Select on the training rows and judge the first features on the test rows, for the protocol's sizes."""
        d, before = self.ds.X.shape[1], self._preparing
        sizes = protocol.sizes_for(d)
        fitted, seconds, prepare_seconds = self.fit(selector, max(sizes, default=None))
        if not sizes:
            sizes = [self._natural_size(fitted, protocol)]
            if sizes[0] > len(fitted.ranking_):
                fitted, _, _ = self.fit(selector, sizes[0])
        sizes = [size for size in sizes if size <= len(fitted.ranking_)]
        if fitted.id == AllFeatures.id:
            sizes = [d]
        waited = self._preparing - before
        return Measured(fitted, self._curve(fitted.ranking_, sizes, protocol), seconds, prepare_seconds, waited)

    def level(self, protocol: Protocol) -> dict[str, float]:
        """Metric → value with all features."""
        d = self.ds.X.shape[1]
        everything = self._curve(np.arange(d), [d], protocol)
        return {name: float(everything[name].iloc[0]) for name in protocol.metrics}

    def noise(self, ranking: np.ndarray, sizes: Sequence[int]) -> pd.DataFrame:
        """R(F) and C(F) of the first features of a ranking, on the training rows: one row per size."""
        X, Y = self.ds.X[self.train], self.ds.Y[self.train]
        ranking, at = np.asarray(ranking[: max(sizes)]), np.asarray(sizes) - 1
        # One feature makes no pair: R(F) is 0 by convention, which a curve would show as a dive.
        R = np.where(at > 0, redundancy_curve(X, Y, ranking)[at], np.nan)
        C = residual_label_correlation_curve(X, Y, ranking)[at]
        return pd.DataFrame({"size": list(sizes), "redundancy": R, "residual_label_correlation": C})

    def fit(self, selector: Selector, size: int | None) -> tuple[Selector, float, float]:
        """The selector fitted for `size` features, the seconds that took, and those of its preparation."""
        fresh = prepared(selector, self.ds, size, self.n_jobs)
        evidence, before = self._prepared(fresh)
        start = time.perf_counter()
        fresh.fit_prepared(evidence)
        return fresh, before + time.perf_counter() - start, before

    def evidence(self, selector: Selector) -> Any:
        """What the selector prepares from the training rows."""
        return self._prepared(prepared(selector, self.ds, None, self.n_jobs))[0]

    def _prepared(self, selector: Selector) -> tuple[Any, float]:
        def prepare() -> tuple[Any, float]:
            start = time.perf_counter()
            evidence = selector.prepare(self.ds.X[self.train], self.ds.Y[self.train])
            seconds = time.perf_counter() - start
            self._preparing += seconds
            return evidence, seconds

        found: tuple[Any, float] = self._evidence.once(selector.preparation, prepare)
        return found

    def _natural_size(self, selector: Selector, protocol: Protocol) -> int:
        """The size a set method chose; for the others, the size the protocol's reference method chooses here."""
        if selector.selects_sets:
            return max(1, selector.n_selected_)
        reference, _ = chosen_selector(protocol.natural_size_of, protocol)
        return max(1, self.fit(reference, None)[0].n_selected_)

    def _curve(self, ranking: np.ndarray, sizes: Sequence[int], protocol: Protocol) -> pd.DataFrame:
        """`loss_curve`, of those sizes only whose first features have not been seen before."""
        # BRLR starts from the coefficients of the size before, so the sizes before are part of what it computes.
        warm = isinstance(make_classifier(protocol.classifier), BRLR)
        settings = repr((protocol.scaling, protocol.classifier, tuple(protocol.metrics), list(sizes) if warm else ()))
        keys = _prefixes(ranking, sizes, settings)
        new = [size for size in sizes if keys[size] not in self._subsets]
        if new:
            X_train, X_test, owner = self._features(protocol.scaling)
            Y_train, Y_test = self.ds.Y[self.train], self.ds.Y[self.test]
            found = loss_curve(
                X_train,
                Y_train,
                X_test,
                Y_test,
                ranking,
                sizes if warm else new,
                protocol.classifier,
                protocol.metrics,
                owner=owner,
                n_jobs=self.n_jobs,
            )
            if len(self._subsets) > SUBSETS:
                self._subsets = {keys[size]: self._subsets[keys[size]] for size in sizes if size not in new}
            self._subsets.update((keys[row["size"]], row) for row in found.to_dict("records"))
        rows = [self._subsets[keys[size]] for size in sizes]
        return pd.DataFrame(rows, columns=["size", *protocol.metrics])

    def _features(self, scaling: str) -> tuple[Any, Any, np.ndarray]:
        def compute() -> tuple[Any, Any, np.ndarray]:
            columns, owner = self.ds.one_hot()
            return *scale(columns[self.train], columns[self.test], scaling), owner

        found: tuple[Any, Any, np.ndarray] = self._scaled.once(scaling, compute)
        return found


def _prefixes(ranking: np.ndarray, sizes: Sequence[int], settings: str) -> dict[int, bytes]:
    """For each size a key of the first so many features, in their order, and of how they are judged."""
    digest, done, keys = hashlib.blake2b(settings.encode(), digest_size=16), 0, {}
    for size in sorted(sizes):
        digest.update(np.asarray(ranking[done:size], dtype=np.int64).tobytes())
        keys[size], done = digest.digest(), size
    return keys
