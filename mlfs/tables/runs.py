"""From the tidy table of results to one value per repeat, and why there is none where there is none."""

from __future__ import annotations

import numpy as np
import pandas as pd

from mlfs.errors import ParameterError, did_you_mean

WHERE = ["dataset", "setting", "repeat"]
# The id of AllFeatures, whose class would bring scikit-learn along; its one size stands beside every other.
EVERYTHING = "all_features"


def repeats_apart(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with repeats numbered over all seeds: a repeat of another seed is another repeat."""
    if "seed" not in rows:
        return rows
    return rows.assign(repeat=rows.groupby(["seed", "repeat"], dropna=False).ngroup())


def one_per_repeat(measured: pd.DataFrame, size: int | str | None, lower: bool) -> pd.Series:
    """The value of each data set, setting and repeat, by `size` as `summary` takes it."""
    known = _of_size(measured, size).sort_values("size", kind="stable")
    runs = known[np.isfinite(known["value"].to_numpy(dtype=float))].groupby(WHERE, sort=False)["value"]
    if size is None:
        return runs.last()
    if size == "best":
        return runs.min() if lower else runs.max()
    return runs.mean()


def reasons(failed: pd.DataFrame, measured: pd.DataFrame, values: pd.Series, size: int | str | None) -> pd.Series:
    """By data set and setting the first reason why a repeat has no value."""
    lacking = measured[~_runs(measured).isin(values.index)]
    sized = _runs(lacking).isin(_runs(_of_size(measured, size)))
    told = np.where(sized, "The metric is not defined on a split.", f"It has no run with {size} features.")
    return pd.concat([failed, lacking.assign(error=told)]).groupby(WHERE[:2], sort=False)["error"].first()


def uneven(measured: pd.DataFrame) -> list[str]:
    """Data sets on which methods were run with different sizes: means over sizes are then no fair rivals."""
    usual = measured[measured["method"] != EVERYTHING]
    sizes = usual.groupby(WHERE[:2], sort=False)["size"].agg(frozenset)
    return [str(dataset) for dataset, own in sizes.groupby(level=0, sort=False) if len(set(own)) > 1]


def _runs(rows: pd.DataFrame) -> pd.MultiIndex:
    return pd.MultiIndex.from_frame(rows[WHERE])


def _of_size(measured: pd.DataFrame, size: int | str | None) -> pd.DataFrame:
    """The rows that count: those of one size, or all."""
    if size in (None, "mean", "best"):
        return measured
    if isinstance(size, str):
        raise ParameterError(f"There is no size {size!r}: {did_you_mean(size, ('mean', 'best'))}")
    here = measured["size"] == size
    if len(measured) and not here.any():
        sizes = sorted({int(value) for value in measured["size"]})
        shown = ", ".join(map(str, sizes[:12])) + (", …" if len(sizes) > 12 else "")
        raise ParameterError(f"No run has {size} features: choose from {shown}.")
    return measured[here | (measured["method"] == EVERYTHING)]
