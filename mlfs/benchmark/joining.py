"""Two kept benchmarks as one: parts or methods that were run later beside those from before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mlfs.benchmark.compact import appended
from mlfs.benchmark.kept import Benchmark, parts_of
from mlfs.benchmark.study import CLASSIFIERS, DATASETS
from mlfs.classifiers import CLASSIFIERS as ALL_CLASSIFIERS
from mlfs.errors import StudyError
from mlfs.wording import count


def with_methods(benchmark: Benchmark, more: Benchmark) -> Benchmark:
    """The benchmark with the rows of another, in place of its own of the same method on the same data set."""
    # A run that exceeded a limit has no results and no ranking, and those from before must go all the same.
    ranked = more.runs[more.runs["classifier"] == CLASSIFIERS[0]]
    renewed = {
        "results": (more.runs, ["dataset", "classifier", "setting", "method"]),
        "runs": (more.runs, ["dataset", "classifier", "setting", "method"]),
        "rankings": (ranked, ["dataset", "setting", "method"]),
        "trials": (more.trials, ["dataset", "method"]),
        "scaling": (more.scaling, ["method"]),
        "datasets": (more.datasets, ["dataset"]),
    }
    tables = {}
    for name, (new, columns) in renewed.items():
        first, second = getattr(benchmark, name), getattr(more, name)
        taken = set(map(tuple, new[columns].astype(str).to_numpy()))
        stays = [tuple(row) not in taken for row in first[columns].astype(str).to_numpy()]
        tables[name] = appended(first[np.array(stays, dtype=bool)], second)
    place = {dataset: i for i, dataset in enumerate(DATASETS)}
    sets = tables["datasets"].astype({"dataset": str})
    order = np.argsort([place.get(name, len(place)) for name in sets["dataset"]], kind="stable")
    tables["datasets"] = sets.iloc[order].reset_index(drop=True)
    return Benchmark(**tables, about=benchmark.about)


def with_parts(benchmark: Benchmark, more: Benchmark) -> Benchmark:
    """The benchmark with the parts of another, in place of its own where both have them.

    A part is a data set, judged by one classifier, with the defaults or tuned. It is replaced by one that has all its
    methods and splits; where some methods have been run alone, only these are, and only with the splits of the others.
    Limits must be the same. Times on made data are those of `more` for the methods that it has timed.
    """
    if benchmark.limits != more.limits:
        raise StudyError(
            f"The folder was run under other limits, {benchmark.limits.text}: use these, or another folder."
        )
    unfinished = _check_splits(benchmark.runs, more.runs)
    [batch] = more.about["batches"]
    if len(unfinished):
        batch = {**batch, "methods": more.methods}
    renewed = parts_of(more.runs[~_keys(more.runs).isin(unfinished)])
    before = [_without(each, renewed) for each in benchmark.about["batches"]]
    about = {**more.about, "batches": [*(each for each in before if each["parts"]), batch]}
    return replace(with_methods(benchmark, more), about=about)


def _without(batch: Mapping[str, Any], renewed: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """A batch without the parts that another has renewed."""
    left = {
        dataset: [part for part in parts if part not in renewed.get(dataset, ())]
        for dataset, parts in batch["parts"].items()
    }
    return {**batch, "parts": {dataset: parts for dataset, parts in left.items() if parts}}


def _keys(runs: pd.DataFrame) -> pd.Index:
    """The part of each row: data set, classifier and setting."""
    return pd.MultiIndex.from_frame(runs[["dataset", "classifier", "setting"]].astype(str))


def _check_splits(before: pd.DataFrame, after: pd.DataFrame) -> pd.Index:
    """Refuse parts that would lose splits, or have other splits for some methods; returns those with some methods."""
    kept, new = (runs["splits"].groupby(_keys(runs)).agg(["size", "max"]) for runs in (before, after))
    both = kept.join(new.add_suffix(" now"), how="inner")
    fewer = both["size now"] < both["size"]
    # What exceeded a limit has no splits to compare.
    wrong = both[(both["max now"] > 0) & ((both["max now"] < both["max"]) | (fewer & (both["max now"] != both["max"])))]
    if len(wrong):
        (dataset, classifier, _), part = wrong.index[0], wrong.iloc[0]
        raise StudyError(
            f"The folder has {count(part['max'], 'split')} of {dataset} judged by {ALL_CLASSIFIERS[classifier].title}, "
            f"the store {part['max now']}: run as many of every method, or leave {dataset} out with --datasets."
        )
    return both.index[fewer]
