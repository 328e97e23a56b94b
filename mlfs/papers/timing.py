"""Seconds of selections and of the classifier, measured apart from studies: cells share work, and time must not.

One thing after another in this process, everything computed afresh. Only ratios can be compared with the papers'.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from mlfs.classifiers import make_classifier
from mlfs.datasets import Dataset
from mlfs.evaluation.protocols import Protocol, configured_selector, get_protocol
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.evaluation.splits import Split
from mlfs.papers.experiment import Progress
from mlfs.selectors.specification import parse_method
from mlfs.stopping import checkpoint

# What takes longer is not repeated.
LONG_SECONDS = 60.0
# Of a first run that is not timed: it loads libraries, which no method should be charged with.
WARM_ROWS = 100

TIMES = (
    "Each selection starts afresh, one after another on one core; a run of more than "
    f"{LONG_SECONDS:.0f} s is not repeated."
)
CLASSIFIER_TIMES = "Training and prediction of BRLR on one split, with the first 50 features and with all."


def selection_seconds(
    ds: Dataset,
    settings: Sequence[str],
    protocol: str | Protocol,
    repeats: int,
    progress: Progress,
    sizes: Sequence[int] | None = None,
    metric: str = "selection_seconds",
) -> pd.DataFrame:
    """Seconds that each setting takes to select on the training rows of the protocol's first splits.

    Parameters
    ----------
    sizes : numbers of features to select, each timed; where None as many as the protocol looks at
    """
    protocol = get_protocol(protocol)
    largest = max(protocol.sizes_for(ds.X.shape[1]), default=None)
    wanted: Sequence[int | None] = [largest] if sizes is None else sizes
    rows, total = [], len(settings) * len(wanted)
    for train, test in _splits(ds, protocol, 1):
        selector = configured_selector(parse_method(settings[0]), protocol, ds, n_jobs=1)
        selector.set_params(n_features_to_select=wanted[0])
        SplitEvaluator(ds, (train[:WARM_ROWS], test), 1).fit(selector)
    for place, (setting, size) in enumerate((setting, size) for setting in settings for size in wanted):
        progress(place, total, f"{setting} on {ds.name}")
        seconds = []
        for number, split in enumerate(_splits(ds, protocol, repeats)):
            checkpoint()
            selector = configured_selector(parse_method(setting), protocol, ds, 0, number, n_jobs=1)
            selector.set_params(n_features_to_select=size)
            seconds.append(SplitEvaluator(ds, split, 1).fit(selector)[0])
            if seconds[-1] > LONG_SECONDS:
                break
        rows.append(_row(setting, metric, np.nan if sizes is None else size, seconds))
    progress(total, total, f"times on {ds.name}")
    return pd.DataFrame(rows)


def classifier_seconds(
    ds: Dataset, protocol: str | Protocol, features: int, repeats: int, progress: Progress
) -> pd.DataFrame:
    """Seconds to train and predict with the first features, and with all (Lee & Kim 2016, Table 4).

    Which features they are does not matter there.
    """
    protocol = get_protocol(protocol)
    columns, owner = ds.one_hot()
    rows = []
    for train, test in _splits(ds, protocol, 1):
        X, warm = columns[:, np.flatnonzero(owner < features)], train[:WARM_ROWS]
        make_classifier(protocol.classifier).fit(X[warm], ds.Y[warm]).predict_proba(X[test])
    for place, (setting, count) in enumerate(((f"n={features}", features), ("all_features", ds.X.shape[1]))):
        progress(place, 2, f"{setting} on {ds.name}")
        X, seconds = columns[:, np.flatnonzero(owner < count)], []
        for train, test in _splits(ds, protocol, repeats):
            checkpoint()
            start = time.perf_counter()
            make_classifier(protocol.classifier).fit(X[train], ds.Y[train]).predict_proba(X[test])
            seconds.append(time.perf_counter() - start)
        rows.append(_row(setting, "brlr_seconds", np.nan, seconds))
    progress(2, 2, f"times on {ds.name}")
    return pd.DataFrame(rows)


def _splits(ds: Dataset, protocol: Protocol, repeats: int) -> Iterator[Split]:
    """The protocol's first splits; the given one again and again, for its times differ too."""
    known: list[Split] = []
    for split in protocol.splits(ds, 0):
        if len(known) < repeats:
            known.append(split)
            yield split
    for again in range(repeats - len(known)):
        yield known[again % len(known)]


def _row(setting: str, metric: str, size: float | int | None, seconds: Sequence[float]) -> dict[str, object]:
    return {
        "setting": setting,
        "metric": metric,
        "size": size,
        "value": float(np.mean(seconds)),
        "std": float(np.std(seconds, ddof=1)) if len(seconds) > 1 else np.nan,
        "n": len(seconds),
        "chosen": "",
    }
