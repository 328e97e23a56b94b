"""Which methods select the same features, and how much a method's own selection changes with the rows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mlfs.benchmark.kept import Benchmark
from mlfs.benchmark.study import DEFAULT
from mlfs.checks import checked
from mlfs.errors import ParameterError
from mlfs.metrics.subsets import jaccard, stability
from mlfs.results import ALL_FEATURES

#: Features of a set that are compared, and how many more a data set must have, so that chance alone overlaps little.
COMPARED, TIMES = 20, 3


@checked
def overlaps(benchmark: Benchmark, size: int = COMPARED) -> pd.DataFrame:
    """Methods × methods: Jaccard overlap of their first features on the same rows, mean over data sets, each alike.

    Data sets with fewer than three times so many features are left out. NaN where two methods share no data set.
    """
    features = benchmark.datasets.set_index("dataset")["features"]
    methods = [method for method in benchmark.methods if method != ALL_FEATURES]
    place = {method: i for i, method in enumerate(methods)}
    total, sets = np.zeros((len(methods), len(methods))), np.zeros((len(methods), len(methods)))
    for dataset, rankings in _wide_enough(benchmark, size):
        sums, splits = np.zeros_like(total), np.zeros_like(total)
        for _, split in rankings.groupby("repeat", sort=False):
            at = np.array([place[method] for method in split["method"]])
            sums[np.ix_(at, at)] += jaccard([row[:size] for row in split["ranking"]], int(features[dataset]))
            splits[np.ix_(at, at)] += 1
        there = splits > 0
        total[there] += sums[there] / splits[there]
        sets += there
    mean = np.divide(total, sets, out=np.full_like(total, np.nan), where=sets > 0)
    return pd.DataFrame(mean, index=methods, columns=methods)


@checked
def stabilities(benchmark: Benchmark, size: int = COMPARED) -> pd.DataFrame:
    """Data sets × methods: stability (Nogueira et al. 2018) of the first features over the splits, of two or more."""
    features = benchmark.datasets.set_index("dataset")["features"]
    rows = {}
    for dataset, rankings in _wide_enough(benchmark, size):
        rows[dataset] = {
            method: stability([row[:size] for row in splits["ranking"]], int(features[dataset]))
            for method, splits in rankings.groupby("method", sort=False)
            if len(splits) > 1
        }
    return pd.DataFrame.from_dict(rows, orient="index")


def relatives(overlap: pd.DataFrame, method: str, most: int = 5) -> pd.Series:
    """The methods whose selections overlap most with this one's."""
    others = overlap[method].drop(method).dropna()
    return others.sort_values(ascending=False, kind="stable").head(most)


@checked
def placed_on_map(overlap: pd.DataFrame) -> pd.DataFrame:
    """Two coordinates for each method, so that distances are near 1 − overlap: classical multidimensional scaling.

    The attribute ``attrs["share"]`` is the part of the (positive) variance of the distances that the plane shows.

    >>> overlap = pd.DataFrame([[1, 1, 0], [1, 1, 0], [0, 0, 1]], list("abc"), list("abc"), dtype=float)
    >>> abs(float(placed_on_map(overlap).loc["c", "x"] - placed_on_map(overlap).loc["a", "x"]))
    1.0
    """
    if list(overlap.index) != list(overlap.columns):
        raise ParameterError("The table of overlaps must have a row and a column for each method, in one order.")
    known = overlap.dropna(how="all").index
    if known.empty:
        return pd.DataFrame(columns=["x", "y"])
    distance = 1 - overlap.loc[known, known].fillna(0.0).to_numpy()
    np.fill_diagonal(distance, 0.0)
    n = len(distance)
    centre = np.eye(n) - 1 / max(n, 1)
    eigenvalues, vectors = np.linalg.eigh(-0.5 * centre @ distance**2 @ centre)
    order = np.argsort(eigenvalues)[::-1][:2]
    points = vectors[:, order] * np.sqrt(np.maximum(eigenvalues[order], 0))
    # A picture may be mirrored; this one always the same way.
    far = np.abs(points).argmax(axis=0)
    points = points * np.where(points[far, np.arange(points.shape[1])] < 0, -1, 1)
    placed = pd.DataFrame(points, index=known, columns=["x", "y"][: points.shape[1]]).round(12)
    placed.attrs["share"] = float(eigenvalues[order].sum() / np.maximum(eigenvalues, 0).sum()) if n > 1 else 1.0
    return placed


def _wide_enough(benchmark: Benchmark, size: int) -> list[tuple[str, pd.DataFrame]]:
    sets = benchmark.datasets
    wide = set(sets.loc[sets["features"] >= TIMES * size, "dataset"].astype(str))
    rankings = benchmark.rankings
    rankings = rankings[(rankings["setting"] == DEFAULT) & (rankings["method"] != ALL_FEATURES)]
    return [
        (str(dataset), rows.astype({"method": str}))
        for dataset, rows in rankings.groupby("dataset", sort=False, observed=True)
        if str(dataset) in wide
    ]
