"""Cells of one data set → rows: means and deviations over splits, sizes or both, and the setting a search chooses.

Rows of all data sets → rows of Friedman's test.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from mlfs.evaluation.curves import average_classification_result
from mlfs.metrics import quantity
from mlfs.selectors.baselines import AllFeatures
from mlfs.statistics import friedman
from mlfs.studies.sweep import LOSSES

ROW = ["setting", "metric", "size", "value", "std", "n", "chosen"]
_SPLIT = ["seed", "repeat"]
#: What Friedman's test needs.
FEWEST_DATASETS, FEWEST_METHODS = 2, 3


def over_splits(results: pd.DataFrame) -> pd.DataFrame:
    """Mean, standard deviation and number of splits by setting, metric and size.

    >>> cells = pd.DataFrame({"setting": "els", "metric": "hamming_loss", "size": 5, "seed": 0, "repeat": [0, 1],
    ...                       "value": [0.1, 0.3]})
    >>> over_splits(cells)[["size", "value", "n"]].to_dict("records")
    [{'size': 5, 'value': 0.2, 'n': 2}]
    """
    groups = results.groupby(["setting", "metric", "size"], sort=False)["value"]
    return _rows(groups, groups.count())


def over_splits_and_sizes(results: pd.DataFrame) -> pd.DataFrame:
    """Mean and standard deviation of all splits and sizes together, by setting and metric; `n` counts splits."""
    groups = results.groupby(["setting", "metric"], sort=False)
    splits = groups[_SPLIT].apply(lambda cells: len(cells.drop_duplicates()))
    return _rows(groups["value"], splits)


def at_own_size(results: pd.DataFrame) -> pd.DataFrame:
    """As `over_splits`, where each cell has one size, which may be another in each split: it is not a row's own."""
    groups = results.groupby(["setting", "metric"], sort=False)["value"]
    return _rows(groups, groups.count())


def number_of_features(results: pd.DataFrame) -> pd.DataFrame:
    """How many features the classifier got, over splits, where the methods or the protocol decide it."""
    cells = results.drop_duplicates(["setting", *_SPLIT])
    return at_own_size(cells.assign(metric="n_selected", value=cells["size"].astype(float)))


def with_size(results: pd.DataFrame, sizes: Sequence[int]) -> pd.DataFrame:
    """The cells with these numbers of features; all features count for each."""
    return results[results["size"].isin(sizes) | (results["method"] == AllFeatures.id)]


def of_metrics(results: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    return results[results["metric"].isin(metrics)]


def acr(results: pd.DataFrame) -> pd.Series:
    """Setting → ACR of its curve (Zhang et al. 2020, eq. 11), the mean over splits."""
    run = ["setting", *_SPLIT]
    curves = of_metrics(results, LOSSES).pivot_table("value", [*run, "size"], "metric", sort=False).reset_index()
    groups = curves.sort_values("size", kind="stable").groupby(run, sort=False)
    sums = pd.Series({where: average_classification_result(curve) for where, curve in groups})
    return sums.groupby(level=0, sort=False).mean()


def best_settings(results: pd.DataFrame, scores: pd.Series, *, last: bool = False) -> pd.Series:
    """Method → its setting with the least score; of equal ones the first, or the last.

    Parameters
    ----------
    scores : by setting; what differs by rounding alone is equal
    """
    methods = results.drop_duplicates("setting").set_index("setting")["method"]
    known = scores[scores.index.isin(methods.index)].dropna().round(9)
    known = known[::-1] if last else known
    best = known.groupby(methods.reindex(known.index).to_numpy(), sort=False).idxmin()
    return best.reindex(dict.fromkeys(methods)).dropna()


def chosen_only(results: pd.DataFrame, best: pd.Series) -> tuple[pd.DataFrame, dict[str, str]]:
    """The cells of the best settings under the methods' own names, and method → what was chosen, as text."""
    rows = results[results["setting"].isin(best)]
    return rows.assign(setting=rows["method"]), {str(method): text.partition(":")[2] for method, text in best.items()}


def _rows(groups: pd.core.groupby.SeriesGroupBy, n: pd.Series) -> pd.DataFrame:
    rows = pd.DataFrame({"value": groups.mean(), "std": groups.std(), "n": n}).reset_index()
    return rows.assign(chosen="", size=rows.get("size", np.nan))[ROW]


def friedman_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """F_F of each metric over the data sets, and its critical value at 5%.

    As in the papers F_F is not corrected for ties. Only data sets on which every method has a value count; `n` is their
    number and `chosen` names them. Fewer than two of them, or than three methods, give nothing.
    """
    tested = []
    for metric, values in rows.groupby("metric", sort=False):
        grid = values.pivot_table("value", "dataset", "setting", sort=False).dropna()
        if len(grid) < FEWEST_DATASETS or grid.shape[1] < FEWEST_METHODS:
            continue
        result = friedman(grid, quantity(str(metric)).lower_is_better is not False, tie_correction=False)
        where = {"n": len(grid), "chosen": ", ".join(map(str, grid.index))}
        tested.append({"setting": metric, "metric": "friedman_F", "value": result.F, **where})
        tested.append({"setting": metric, "metric": "critical_value", "value": result.critical_value(), **where})
    return pd.DataFrame(tested, columns=["setting", "metric", "value", "n", "chosen"]).assign(dataset="")
