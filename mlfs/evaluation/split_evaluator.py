"""One split of one data set, and every method measured on it: the one place where a cell of an experiment is computed.

`compare` takes a fresh evaluator for each cell; studies keep one for all cells of the split. Both get the same numbers,
because nothing that is kept depends on what was asked before.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from mlfs.checks import checked, table
from mlfs.classifiers import make_classifier
from mlfs.datasets import Dataset
from mlfs.errors import ParameterError, RankingError, did_you_mean
from mlfs.evaluation.cell_result import CellResult, failed
from mlfs.evaluation.curves import loss_curve
from mlfs.evaluation.protocols import SCALINGS, Choice, Protocol, configured_selector
from mlfs.evaluation.splits import Split
from mlfs.memo import Memo, array_bytes
from mlfs.metrics.subsets import redundancy_curve, residual_label_correlation_curve
from mlfs.selectors import AllFeatures, Selector
from mlfs.selectors.external import ExternalSelector

# Evidence may be large, so little is kept; the metrics of a subset are a few numbers, about so many bytes.
EVIDENCE, SCALED, SUBSETS, SUBSET_BYTES = 2, 2, 200_000, 500


class SplitEvaluator:
    """A split, with the evidence, the scaled features and the subsets seen so far."""

    def __init__(self, ds: Dataset, split: Split, n_jobs: int | None = None) -> None:
        self.ds, self.n_jobs = ds, n_jobs
        self.train, self.test = split
        self._evidence, self._scaled = Memo(EVIDENCE), Memo(SCALED)
        self._preparing = 0.0
        self._subsets: dict[bytes, dict[Any, Any]] = {}

    @property
    def nbytes(self) -> int:
        """The memory of what is kept here, roughly; the data set is not counted. It grows with every question."""
        return array_bytes(self._evidence.results, self._scaled.results) + SUBSET_BYTES * len(self._subsets)

    def compute(self, choice: Choice, protocol: Protocol, seed: int, repeat: int) -> CellResult:
        """The result of a method on this split; a problem becomes its reason, so that other cells go on."""
        try:
            return self.measure(configured_selector(choice, protocol, self.ds, seed, repeat, self.n_jobs), protocol)
        except Exception as problem:
            return failed(problem)

    def measure(self, selector: Selector, protocol: Protocol) -> CellResult:
        """Select on the training rows and judge the first features on the test rows, for the protocol's sizes.

        The selector, as `configured_selector` gives it, is fitted.
        """
        start, before = time.perf_counter(), self._preparing
        d = self.ds.X.shape[1]
        sizes = protocol.sizes_for(d)
        seconds, prepare_seconds = self.fit(selector)
        if not sizes:
            sizes = [self._natural_size(selector, protocol)]
            if sizes[0] > len(selector.ranking_):
                self.fit(selector.set_params(n_features_to_select=sizes[0]))
        sizes = [size for size in sizes if size <= len(selector.ranking_) and selector.prefix_length(size)]
        if selector.id == AllFeatures.id:
            sizes = [len(selector.ranking_)]
        if isinstance(selector, ExternalSelector):
            seconds = float("nan")  # nobody knows what the other program took
            if not sizes:
                raise RankingError(f"The ranking has {len(selector.ranking_)} features, fewer than any size asked for.")
        curve = self._curve(selector.ranking_, list(map(selector.prefix_length, sizes)), protocol)
        waited = self._preparing - before
        return CellResult(
            sizes=tuple(sizes),
            metrics=tuple(protocol.metrics),
            values=curve[list(protocol.metrics)].to_numpy(dtype=float),
            ranking=selector.ranking_[: max([*sizes, selector.n_selected_])].astype("int32"),
            n_selected=int(selector.n_selected_),
            seconds=seconds,
            prepare_seconds=prepare_seconds,
            wall_seconds=max(time.perf_counter() - start - waited, 0.0),
        )

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

    def fit(self, selector: Selector) -> tuple[float, float]:
        """Fit the selector: the seconds it takes, its preparation included, whoever prepared it, and those of that."""
        evidence, prepare_seconds = self._prepared(selector)
        start = time.perf_counter()
        selector.fit_prepared(evidence)
        return prepare_seconds + time.perf_counter() - start, prepare_seconds

    def evidence(self, selector: Selector) -> Any:
        """What the selector prepares from the training rows."""
        return self._prepared(selector)[0]

    def _prepared(self, selector: Selector) -> tuple[Any, float]:
        def prepare() -> tuple[Any, float]:
            start = time.perf_counter()
            evidence = selector.prepare(self.ds.X[self.train], self.ds.Y[self.train])
            seconds = time.perf_counter() - start
            self._preparing += seconds
            return evidence, seconds

        prepared: tuple[Any, float] = self._evidence.once(selector.preparation, prepare)
        return prepared

    def _natural_size(self, selector: Selector, protocol: Protocol) -> int:
        """The size a set method chose; for the others, the size the protocol's reference method chooses here."""
        if selector.selects_sets:
            return max(1, selector.n_selected_)
        reference = configured_selector(protocol.natural_size_of, protocol, self.ds, n_jobs=self.n_jobs)
        self.fit(reference)
        return max(1, reference.n_selected_)

    def _curve(self, ranking: np.ndarray, sizes: Sequence[int], protocol: Protocol) -> pd.DataFrame:
        """`loss_curve`, of those sizes only whose first features have not been seen before."""
        # What BRLR, for one, computes for a size starts from the size before.
        warm = getattr(make_classifier(protocol.classifier), "sizes_matter", False)
        settings = repr((protocol.scaling, protocol.classifier, tuple(protocol.metrics), list(sizes) if warm else ()))
        keys = _prefixes(ranking, sizes, settings)
        new = [size for size in sizes if keys[size] not in self._subsets]
        if new:
            X_train, X_test, owner = self._features(protocol.scaling)
            Y_train, Y_test = self.ds.Y[self.train], self.ds.Y[self.test]
            curve = loss_curve(
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
            self._subsets.update((keys[row["size"]], row) for row in curve.to_dict("records"))
        rows = [self._subsets[keys[size]] for size in sizes]
        return pd.DataFrame(rows, columns=["size", *protocol.metrics])

    def _features(self, scaling: str) -> tuple[Any, Any, np.ndarray]:
        def compute() -> tuple[Any, Any, np.ndarray]:
            columns, owner = self.ds.one_hot()
            return *scale(columns[self.train], columns[self.test], scaling), owner

        features: tuple[Any, Any, np.ndarray] = self._scaled.once(scaling, compute)
        return features


def _prefixes(ranking: np.ndarray, sizes: Sequence[int], settings: str) -> dict[int, bytes]:
    """For each size a key of the first so many features, in their order, and of how they are judged."""
    digest, done, keys = hashlib.blake2b(settings.encode(), digest_size=16), 0, {}
    for size in sorted(sizes):
        digest.update(np.asarray(ranking[done:size], dtype=np.int64).tobytes())
        keys[size], done = digest.digest(), size
    return keys


@checked
def scale(train: Any, test: Any, scaling: str) -> tuple[Any, Any]:
    """Scale both parts by what the training part shows; a column constant in training becomes 0 there.

    With ``"unit_parts"`` each part is scaled by what it shows itself, and none where all values lie in [0, 1].

    A sparse matrix is only divided, not shifted, so that it stays sparse: distances do not see the shift, and a
    regression's intercept takes it up.
    """
    if scaling not in SCALINGS:
        raise ParameterError(f"There is no scaling {scaling!r}: {did_you_mean(scaling, SCALINGS)}")
    train = table(train, "train")
    test = table(test, "test", columns=train.shape[1])
    if scaling == "none":
        return train, test
    train, test = (X.astype(np.float64) if sparse.issparse(X) else np.asarray(X, np.float64) for X in (train, test))
    if scaling == "unit_parts":
        if all(X.min() >= 0 and X.max() <= 1 for X in (train, test)):
            return train, test
        return _scaled(train, train, "unit")[0], _scaled(test, test, "unit")[0]
    return _scaled(train, test, scaling)


def _scaled(train: Any, test: Any, scaling: str) -> tuple[Any, Any]:
    if sparse.issparse(train):
        low, high = train.min(axis=0).toarray().ravel(), train.max(axis=0).toarray().ravel()
        mean = np.asarray(train.mean(axis=0)).ravel()
        spread = np.sqrt(np.maximum(np.asarray(train.multiply(train).mean(axis=0)).ravel() - mean**2, 0.0))
    else:
        low, high, mean, spread = train.min(axis=0), train.max(axis=0), train.mean(axis=0), train.std(axis=0)
    shift, width = (mean, spread) if scaling == "z_score" else (low, high - low)
    # Constant columns: no width; infinity would survive as 0·∞ = NaN, so they are multiplied by 0.
    factor = np.divide(1.0, width, out=np.zeros_like(width), where=(high > low) & (width > 0))
    if sparse.issparse(train):
        stretch = sparse.diags(factor)
        return (train @ stretch).tocsr(), (test @ stretch).tocsr()
    return (train - shift) * factor, (test - shift) * factor
