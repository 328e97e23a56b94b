"""What steps of several tours measure, on the first of the splits that the paper's protocol draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from mlfs.evaluation import Explorer, Protocol
from mlfs.evaluation.protocols import Choice, configured_selector
from mlfs.metrics import metric_title
from mlfs.results import setting_title


def measured(explorer: Explorer, selector: Choice, protocol: Protocol) -> pd.DataFrame:
    """The loss curve of a method. Unlike `Explorer.explore` it never learns from all features, which takes longest."""
    return explorer.split(protocol).measure(configured_selector(selector, protocol, explorer.ds), protocol).curve


def means_in_words(found: Mapping[str, pd.DataFrame], metric: str) -> str:
    """The mean over the sizes that all curves have, lowest first.

    >>> curve = pd.DataFrame({"size": [1, 2], "hamming_loss": [0.3, 0.2]})
    >>> means_in_words({"els": curve, "mfs": curve.assign(hamming_loss=0.2)}, "hamming_loss")
    'Hamming loss, mean over 2 sizes: MFS 0.2000, ELS 0.2500'
    """
    shared = set.intersection(*(set(curve["size"]) for curve in found.values()))
    means = {method: float(curve.loc[curve["size"].isin(shared), metric].mean()) for method, curve in found.items()}
    told = ", ".join(f"{setting_title(method)} {means[method]:.4f}" for method in sorted(means, key=means.__getitem__))
    return f"{metric_title(metric)}, mean over {len(shared)} sizes: {told}"


def share(part: float, whole: float) -> float:
    """A part of the whole, 0 of nothing."""
    return part / whole if whole else 0.0


def where_largest(table: np.ndarray) -> tuple[int, int]:
    """Row and column of the largest entry; the first of equal ones.

    >>> where_largest(np.array([[1, 3], [3, 2]]))
    (0, 1)
    """
    row, column = np.unravel_index(int(np.nanargmax(table)), table.shape)
    return int(row), int(column)


def overlap(one: Iterable[int], other: Iterable[int]) -> int:
    """How many features two sets have in common."""
    return len(np.intersect1d(list(one), list(other)))
