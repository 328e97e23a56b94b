"""The answer that a summary gives, in a sentence: which method is best."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np
import pandas as pd

from mlfs.metrics import lower_is_better, metric_title
from mlfs.results import ALL_FEATURES, setting_title
from mlfs.statistics.paired_tests import LEAST_REPEATS
from mlfs.tables.method_summary import MethodSummary
from mlfs.tables.sheet import word
from mlfs.wording import count, in_sentence, joined, listing

#: How a sentence begins, by the size of a summary; a number of features is said.
SIZES = {
    None: "With the most features measured",
    "mean": "On average over the numbers of features",
    "best": "At the best number of features of each repeat",
}


def best_method(summary: MethodSummary, name: Callable[[str], str] = setting_title) -> str:
    """Which method is best, on the one data set of a summary, or on how many of several; "" where nothing is known.

    Parameters
    ----------
    summary : MethodSummary
    name : callable
        Says what people call a method.

    Returns
    -------
    str
        All features, where they are among the methods, are what the others are compared with.

    Examples
    --------
    >>> from mlfs.tables import summary
    >>> rows = [("flags", method, repeat, 10, "hamming_loss", value + 0.01 * repeat) for repeat in range(2)
    ...         for method, value in (("els", 0.2), ("mfs", 0.3), ("all_features", 0.25))]
    >>> columns = ["dataset", "method", "repeat", "size", "metric", "value"]
    >>> print(best_method(summary(pd.DataFrame(rows, columns=columns), "hamming_loss", 10)).replace(". ", ".\\n"))
    With 10 features, ELS has the lowest Hamming loss on flags, 0.2050 ± 0.0071; all features give 0.2550.
    With 2 repeats that may be chance.
    """
    values = summary.mean.drop(columns=ALL_FEATURES, errors="ignore").dropna(axis="index", how="all")
    if values.empty:
        return ""
    lower = lower_is_better(summary.metric)
    best = values.idxmin(axis="columns") if lower else values.idxmax(axis="columns")
    what = f"the {'lowest' if lower else 'highest'} {in_sentence(metric_title(summary.metric))}"
    at = SIZES.get(summary.size, f"With {summary.size} features")  # type: ignore[arg-type]
    if len(values) == 1:
        return f"{at}, {_on_one(summary, str(values.index[0]), best.iloc[0], what, lower, name)}"
    datasets = {method: list(best.index[best == method]) for method in best.value_counts(sort=True).index}
    behind = [
        str(dataset) for dataset, reached in values.T.items() if _all_are_better(summary, dataset, reached, lower)
    ]
    further = f". On {listing(behind, 4)} all features do better still" if behind else ""
    first, *others = (f"{name(method)} on {listing(where, 4)}" for method, where in datasets.items())
    leader, most = next(iter(datasets.items()))
    if len(datasets) == 1:
        return f"{at}, {name(leader)} has {what} on all {len(values)} data sets{further}."
    if len(datasets) == len(values):
        each = listing([first, *others], 4)
        return f"{at}, a different method has {what} on each data set: {each}{further}."
    share = f"{len(most)} of {len(values)} data sets ({listing(most, 4)})"
    rest = "".join(f"; {other}" for other in others)
    return f"{at}, {name(leader)} has {what} on {share}{rest}{further}."


def _all_are_better(summary: MethodSummary, dataset: Hashable, reached: pd.Series, lower: bool) -> bool:
    """Whether all features beat every method on a data set; not where nobody has measured them."""
    everything = summary.mean.loc[dataset].get(ALL_FEATURES, np.nan)
    return bool(everything < reached.min() if lower else everything > reached.max())


def _on_one(summary: MethodSummary, dataset: str, best: str, what: str, lower: bool, name: Callable[[str], str]) -> str:
    mean, deviation = summary.mean.loc[dataset], summary.std.loc[dataset]
    reached = word(mean[best]) + ("" if pd.isna(deviation[best]) else f" ± {word(deviation[best])}")
    everything = mean.get(ALL_FEATURES)
    if everything is not None and not pd.isna(everything):
        if _all_are_better(summary, dataset, mean[[best]], lower):
            text = f"no method beats all features on {dataset}, {word(everything)}; {name(best)} is nearest, {reached}."
        else:
            text = f"{name(best)} has {what} on {dataset}, {reached}; all features give {word(everything)}."
    else:
        text = f"{name(best)} has {what} on {dataset}, {reached}."
    repeats = int(summary.repeats.loc[dataset, best])
    if summary.mean.shape[1] > 1 and repeats < LEAST_REPEATS:
        return f"{text} With {count(repeats, 'repeat')} that may be chance."
    near = summary.not_worse.loc[dataset] & ~summary.best.loc[dataset]
    others = [name(method) for method in near.index[near] if method != ALL_FEATURES]
    if others:
        text += f" {joined(others)} {'is' if len(others) == 1 else 'are'} not significantly worse."
    return text
