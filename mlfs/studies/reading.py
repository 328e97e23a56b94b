"""What pages read off the results of a comparison: levels, times, failures."""

from __future__ import annotations

import pandas as pd

from mlfs.results import settings_of
from mlfs.selectors.baselines import AllFeatures

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
