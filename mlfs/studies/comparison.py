"""What is read off the results of a comparison: levels, times, failures, and how far methods agree."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mlfs.metrics import jaccard, stability
from mlfs.results import settings_of
from mlfs.selectors.baselines import AllFeatures

# It selects everything: a level and no curve, and nothing to agree on.
EVERYTHING = AllFeatures.id


def selections(results: pd.DataFrame) -> pd.DataFrame:
    """The results without the run with all features, which is a level and no curve."""
    return results[results["method"] != EVERYTHING]


def levels(results: pd.DataFrame) -> dict[str, float]:
    """Metric → mean value with all features, where they were among the methods."""
    rows = results[(results["method"] == EVERYTHING) & (results["error"] == "")]
    return {str(metric): float(value) for metric, value in rows.groupby("metric", sort=False)["value"].mean().items()}


def mean_seconds(results: pd.DataFrame) -> pd.Series:
    """Mean seconds of a selection by method and setting; NaN where it never succeeded."""
    rows = selections(results)
    cells = rows.assign(setting=settings_of(rows)).drop_duplicates(["dataset", "setting", "repeat", "seed"])
    return cells.groupby("setting", sort=False)["seconds"].mean()


def failures(results: pd.DataFrame) -> pd.DataFrame:
    """What failed, each reason once: dataset, setting, cells and error."""
    rows = results.assign(setting=settings_of(results))
    failed = rows[rows["error"] != ""]
    groups = failed.groupby(["dataset", "setting", "error"], sort=False)
    return groups.size().rename("cells").reset_index()[["dataset", "setting", "cells", "error"]]


def overlap(rankings: pd.DataFrame, n_features: int, size: int | None = None) -> pd.DataFrame:
    """Mean Jaccard index of the subsets that any two methods select on the same split, methods × methods.

    Parameters
    ----------
    rankings : of one data set, as `Store.rankings` gives them
    n_features : of the data set
    size : the first so many features; the number each method selects where None
    """
    rows = _subsets(rankings, size)
    settings = list(rows["setting"].unique())
    total, count = np.zeros((len(settings),) * 2), np.zeros((len(settings),) * 2)
    for _, split in rows.groupby(["seed", "repeat"], sort=False):
        places = [settings.index(setting) for setting in split["setting"]]
        total[np.ix_(places, places)] += jaccard(list(split["subset"]), n_features)
        count[np.ix_(places, places)] += 1
    means = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    return pd.DataFrame(means, index=settings, columns=settings)


def stability_table(rankings: pd.DataFrame, n_features: int, size: int | None = None) -> pd.DataFrame:
    """One row per method: the stability of its subsets over the splits, the mean size of a subset, and the splits."""
    rows = _subsets(rankings, size)
    table = pd.DataFrame(
        [
            {
                "method": setting,
                "stability": stability(list(splits["subset"]), n_features),
                "features": float(np.mean([len(subset) for subset in splits["subset"]])),
                "splits": len(splits),
            }
            for setting, splits in rows.groupby("setting", sort=False)
        ],
        columns=["method", "stability", "features", "splits"],
    )
    whole = (table["features"] % 1 == 0).all()
    return table.astype({"features": int}) if whole else table


def _subsets(rankings: pd.DataFrame, size: int | None) -> pd.DataFrame:
    rows = rankings.assign(setting=settings_of(rankings))
    rows = rows[rows["method"] != EVERYTHING]
    subsets = [
        ranking[: selected if size is None else size]
        for ranking, selected in zip(rows["ranking"], rows["n_selected"], strict=True)
    ]
    return rows.assign(subset=pd.Series(subsets, index=rows.index, dtype=object))
