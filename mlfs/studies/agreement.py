"""Rankings of a study → how far methods agree with each other, and each with itself on other rows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mlfs.metrics import jaccard, stability
from mlfs.results import settings_of
from mlfs.selectors.baselines import AllFeatures

# It selects everything, so that there is nothing to agree on.
EVERYTHING = AllFeatures.id


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
    return pd.DataFrame(
        [
            {
                "method": setting,
                "stability": stability(list(own["subset"]), n_features),
                "features": float(np.mean([len(subset) for subset in own["subset"]])),
                "splits": len(own),
            }
            for setting, own in rows.groupby("setting", sort=False)
        ],
        columns=["method", "stability", "features", "splits"],
    )


def _subsets(rankings: pd.DataFrame, size: int | None) -> pd.DataFrame:
    rows = rankings.assign(setting=settings_of(rankings))
    rows = rows[rows["method"] != EVERYTHING]
    subsets = [
        ranking[: selected if size is None else size]
        for ranking, selected in zip(rows["ranking"], rows["n_selected"], strict=True)
    ]
    return rows.assign(subset=pd.Series(subsets, index=rows.index, dtype=object))
