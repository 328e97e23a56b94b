"""Who is best, by how much, and how sure that is: average ranks over data sets, from the kept numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from mlfs.benchmark.kept import DONE, EXCEEDED, Benchmark
from mlfs.benchmark.study import CLASSIFIERS, DEFAULT, FEW, SETTINGS, SHARES
from mlfs.checks import checked
from mlfs.classifiers import CLASSIFIERS as ALL_CLASSIFIERS
from mlfs.errors import ParameterError, StatisticsError, did_you_mean
from mlfs.metrics import METRICS, lower_is_better, metric_title
from mlfs.plots.run_costs import non_dominated
from mlfs.results import ALL_FEATURES, setting_title
from mlfs.statistics import Verdict, judge
from mlfs.statistics.friedman import mean_ranks
from mlfs.wording import count, duration, listing

MEAN = "mean"
#: What a leaderboard can be asked about sizes: the mean over 1 to 50 features, so many, or such a share of all.
SIZES = (MEAN, *map(str, FEW), *(f"{share:.0%}" for share in SHARES))
#: By what a data set can be chosen: the words, and whether a row of `Benchmark.datasets` is such a set.
PROPERTIES: Mapping[str, tuple[str, Callable[[pd.DataFrame], pd.Series]]] = {
    "all": ("all data sets", lambda sets: sets["instances"] > 0),
    "long": ("at least ten rows per feature", lambda sets: sets["instances"] >= 10 * sets["features"]),
    "wide": ("fewer than three rows per feature", lambda sets: sets["instances"] < 3 * sets["features"]),
    "sparse": ("mostly zeros", lambda sets: sets["filled"] < 0.25),
    "dense": ("hardly any zeros", lambda sets: sets["filled"] >= 0.25),
    "many_labels": ("20 labels or more", lambda sets: sets["labels"] >= 20),
    "few_labels": ("fewer than 20 labels", lambda sets: sets["labels"] < 20),
}
BOOTSTRAPS, LEVEL = 2000, 0.95
#: Fewer data sets than that say nothing about others.
FEWEST_SETS = 3


@dataclass(frozen=True)
class LeaderboardSettings:
    """What the leaderboard is asked.

    Attributes
    ----------
    metric, classifier : by which the features are judged
    size : one of `SIZES`
    setting : "default" or "tuned"
    sets : one of `PROPERTIES`
    """

    metric: str = "ranking_loss"
    classifier: str = CLASSIFIERS[0]
    size: str = MEAN
    setting: str = DEFAULT
    sets: str = "all"

    def __post_init__(self) -> None:
        for value, known, what in (
            (self.metric, METRICS, "metric"),
            (self.classifier, CLASSIFIERS, "classifier of the benchmark"),
            (self.size, SIZES, "size of the benchmark"),
            (self.setting, SETTINGS, "setting"),
            (self.sets, PROPERTIES, "kind of data set"),
        ):
            if value not in known:
                raise ParameterError(f"There is no {what} {value!r}: {did_you_mean(str(value), known)}")

    @property
    def text(self) -> str:
        """What is ranked, in words."""
        judge = ALL_CLASSIFIERS[self.classifier].title
        return f"{metric_title(self.metric)} of {judge}, {size_title(self.size)}"


def size_title(size: str) -> str:
    """One of `SIZES` in words.

    >>> size_title("mean"), size_title("1"), size_title("10%")
    ('mean over 1 to 50 features', '1 feature', '10% of the features')
    """
    if size == MEAN:
        return "mean over 1 to 50 features"
    return f"{size[:-1]}% of the features" if size.endswith("%") else count(int(size), "feature")


@dataclass(frozen=True, eq=False)
class Leaderboard:
    """The ranks that were asked for.

    Attributes
    ----------
    settings : what was asked
    values : data sets × methods; NaN where the selection exceeded a limit
    ranks : the same, 1 is best; methods that exceeded a limit share the last places
    seconds : the same of the selections; one that exceeded its limit counts with the limit
    table : one row per method, best first: average_rank, low and high (of its 95% interval over data sets), wins,
        exceeded, seconds (geometric mean), peak_mib and on_front
    not_ranked : method → on how many of the data sets it has been run
    not_counted : data set → how many methods have been run on it, too few of them for it to count
    all_features : data set → the value without a selection
    """

    settings: LeaderboardSettings
    values: pd.DataFrame
    ranks: pd.DataFrame
    seconds: pd.DataFrame
    table: pd.DataFrame
    not_ranked: Mapping[str, int]
    not_counted: Mapping[str, int]
    all_features: pd.Series

    @property
    def datasets(self) -> list[str]:
        return list(self.values.index)

    @property
    def lower(self) -> bool:
        return lower_is_better(self.settings.metric)

    @cached_property
    def filled(self) -> pd.DataFrame:
        """The values, with one worse than any other where there is none: for tests that need a number everywhere."""
        worst = self.values.max(axis=1) + 1 if self.lower else self.values.min(axis=1) - 1
        return self.values.apply(lambda column: column.fillna(worst))

    def verdict(self, most: int) -> Verdict | None:
        """Nemenyi's test of the best so many methods, ranked among themselves; None where it cannot be made."""
        best = self.filled[list(self.table.index[:most])]
        try:
            return judge(best, lower_is_better=self.lower)
        except StatisticsError:
            return None

    @cached_property
    def alike(self) -> list[str]:
        """Methods whose interval reaches the best one's average rank."""
        return list(self.table.index[self.table["low"] <= self.table["average_rank"].iloc[0]])

    def notes(self) -> list[str]:
        """What the reader should know, each a sentence."""
        said = []
        if len(self.values) < FEWEST_SETS:
            said.append(f"{count(len(self.values), 'data set')} say little about others.")
        if self.not_ranked:
            names = [f"{setting_title(method)} ({there})" for method, there in self.not_ranked.items()]
            said.append(
                f"Not ranked, because not yet run on all of these {count(len(self.values), 'data set')}: "
                f"{listing(names, 12)}."
            )
        for dataset, methods in self.not_counted.items():
            said.append(f"{dataset} does not count yet: {methods} of {len(self.table)} methods have been run on it.")
        return said

    def standing(self, method: str) -> str:
        """The rank of a method in words, with its interval where there is more than one data set to draw from."""
        row = self.table.loc[method]
        if len(self.values) == 1:
            return f"{row['average_rank']:g} of {len(self.table)} on {self.datasets[0]}"
        return (
            f"on average {row['average_rank']:.1f} of {len(self.table)} over {len(self.values)} data sets "
            f"(95% interval {row['low']:.1f} to {row['high']:.1f})"
        )

    def sentence(self) -> str:
        """The answer in words."""
        table = self.table
        best, chance = table.index[0], table["average_rank"].get("random")
        alike = [setting_title(method) for method in self.alike if method != best] if len(self.values) > 1 else []
        said = f"{setting_title(best)} ranks best: {self.standing(best)}"
        if alike:
            said += f"; the intervals of {listing(alike, 4)} reach that rank too"
        quick = table[table["on_front"]].iloc[1:]
        if len(quick):
            method = quick.index[0]
            said += (
                f". {setting_title(method)} is the next best that takes less time, "
                f"{duration(quick['seconds'].iloc[0])} instead of {duration(table['seconds'].iloc[0])}"
            )
        if chance is not None:
            said += f". A random order has rank {chance:.1f}"
        return f"{said}."


@checked
def leaderboard(
    benchmark: Benchmark,
    settings: LeaderboardSettings | None = None,
    *,
    datasets: Sequence[str] | None = None,
    **asked: Any,
) -> Leaderboard:
    """Rank the methods of a benchmark.

    Every method that is ranked has been run on every data set that counts: while one lacks something, the data set or
    method that lacks most is left out.

    Parameters
    ----------
    settings : or some of them, as keywords
    datasets : only these, where they fit
    """
    settings = settings or LeaderboardSettings(**asked)
    runs = _runs(benchmark, settings)
    sets = [name for name in chosen_sets(benchmark, settings) if datasets is None or name in datasets]
    values = _values(benchmark, settings, runs, sets)
    runs = runs[runs["dataset"].isin(values.index) & runs["state"].isin([DONE, EXCEEDED])]
    there = pd.crosstab(runs["dataset"], runs["method"]).reindex(values.index, fill_value=0) > 0
    there = there.drop(columns=[ALL_FEATURES], errors="ignore")
    complete = _complete(there)
    if complete.empty:
        raise ParameterError(
            f"The benchmark has no data set with {settings.text}, {PROPERTIES[settings.sets][0]}: ask for another."
        )
    values = values.reindex(index=complete.index)
    everything = values.get(ALL_FEATURES, pd.Series(np.nan, index=values.index))
    values = values.reindex(columns=complete.columns)
    lower = lower_is_better(settings.metric)
    ranks = values.rank(axis=1, ascending=lower, na_option="bottom")
    runs = runs[runs["dataset"].isin(ranks.index) & runs["method"].isin(ranks.columns)]
    seconds = runs.pivot_table(index="dataset", columns="method", values="seconds", dropna=False, observed=False)
    seconds = seconds.reindex(index=ranks.index, columns=ranks.columns).fillna(benchmark.limits.selection_seconds)
    table = _table(ranks, values, seconds, runs.groupby("method")["peak_mib"].max())
    return Leaderboard(
        settings,
        values,
        ranks[table.index],
        seconds,
        table,
        not_ranked=_count(there.loc[complete.index].drop(columns=complete.columns)),
        not_counted=_count(there.drop(index=complete.index).T),
        all_features=everything,
    )


def measured_metrics(benchmark: Benchmark) -> list[str]:
    """The metrics that can be asked for."""
    return [name for name in METRICS if name in benchmark.results]


def judging_classifiers(benchmark: Benchmark) -> list[str]:
    """The classifiers that can be asked for."""
    there = set(benchmark.runs["classifier"])
    return [name for name in CLASSIFIERS if name in there]


def board_table(board: Leaderboard) -> pd.DataFrame:
    """The leaderboard as people read it: one row per method, best first."""
    table = board.table
    return pd.DataFrame(
        {
            "Place": range(1, len(table) + 1),
            "Method": [setting_title(method) for method in table.index],
            "Average rank": table["average_rank"].to_numpy(),
            "95% from": table["low"].to_numpy(),
            "to": table["high"].to_numpy(),
            "Best on": table["wins"].to_numpy(dtype=int),
            "Over a limit on": table["exceeded"].to_numpy(dtype=int),
            "Time": [duration(seconds) for seconds in table["seconds"]],
            "Peak MiB": table["peak_mib"].round().astype("Int64").to_numpy(),
            "On the front": ["yes" if on else "" for on in table["on_front"]],
        }
    )


def chosen_sets(benchmark: Benchmark, settings: LeaderboardSettings) -> list[str]:
    """The data sets of a kind that have the size that is asked for."""
    sets = benchmark.datasets
    sets = sets[PROPERTIES[settings.sets][1](sets)]
    if settings.size.isdecimal():
        # With as many features as there are, every method selects the same.
        sets = sets[sets["features"] > int(settings.size)]
    return [str(name) for name in sets["dataset"]]


def size_in(settings: LeaderboardSettings, features: int) -> list[int]:
    """The numbers of features that count on a data set with so many."""
    if settings.size == MEAN:
        return [size for size in FEW if size < features]
    if settings.size.endswith("%"):
        return [max(1, round(float(settings.size[:-1]) / 100 * features))]
    return [int(settings.size)]


def intervals(ranks: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """The 95% interval of each average rank: data sets drawn anew, with replacement, two thousand times."""
    rng = np.random.default_rng(seed)
    n = len(ranks)
    weights = rng.multinomial(n, np.full(n, 1 / n), size=BOOTSTRAPS) / n
    drawn = weights @ ranks.to_numpy(dtype=float)
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=0)
    return pd.DataFrame({"low": low, "high": high}, index=ranks.columns)


def _runs(benchmark: Benchmark, settings: LeaderboardSettings) -> pd.DataFrame:
    """The state of each method on each data set."""
    runs = benchmark.runs
    chosen = runs[(runs["classifier"] == settings.classifier) & (runs["setting"] == settings.setting)]
    return chosen.astype({"dataset": str, "method": str, "state": str, "setting": str})


def _values(
    benchmark: Benchmark, settings: LeaderboardSettings, runs: pd.DataFrame, sets: Sequence[str]
) -> pd.DataFrame:
    """Data sets × methods."""
    if settings.metric not in benchmark.results:
        raise ParameterError(f"The benchmark has not measured {settings.metric!r}: ask for another metric.")
    results = benchmark.results
    rows = results[(results["classifier"] == settings.classifier) & results["dataset"].isin(sets)]
    features = benchmark.datasets.set_index("dataset")["features"]
    keys = set(zip(runs["dataset"], runs["method"], runs["setting"], strict=True))
    frames = []
    for dataset in sets:
        here = rows[rows["dataset"] == dataset]
        wanted = here["size"].isin(size_in(settings, int(features[dataset]))) | (here["method"] == ALL_FEATURES)
        here = here.loc[wanted, ["method", "setting", settings.metric]].astype({"method": str, "setting": str})
        fits = [
            (dataset, method, setting) in keys for method, setting in zip(here["method"], here["setting"], strict=True)
        ]
        # Of a set without rows, the list is empty, which would choose columns.
        frames.append(here[np.array(fits, dtype=bool)].groupby("method")[settings.metric].mean().rename(dataset))
    return pd.DataFrame(frames)


def _complete(there: pd.DataFrame) -> pd.DataFrame:
    """What is left where the data set (row) or method (column) that lacks most goes, until none lacks any.

    >>> there = pd.DataFrame({"a": [True, True, False], "b": True, "c": [True, True, False]}, ["one", "two", "three"])
    >>> _complete(there).index.tolist()
    ['one', 'two']
    """
    while there.size and not there.to_numpy().all():
        rows, columns = (~there).sum(axis=1), (~there).sum(axis=0)
        there = there.drop(index=rows.idxmax()) if rows.max() > columns.max() else there.drop(columns=columns.idxmax())
    return there


def _count(there: pd.DataFrame) -> dict[str, int]:
    """Column → in how many rows it is there; without those that are in none."""
    return {str(name): int(times) for name, times in there.sum().items() if times}


def _table(ranks: pd.DataFrame, values: pd.DataFrame, seconds: pd.DataFrame, peak: pd.Series) -> pd.DataFrame:
    table = pd.DataFrame(
        {
            "average_rank": mean_ranks(ranks),
            **intervals(ranks),
            "wins": (ranks == 1).sum(),
            "exceeded": values.isna().sum(),
            "seconds": np.exp(np.log(seconds.clip(lower=1e-5)).mean()),
            "peak_mib": peak.reindex(ranks.columns),
        }
    )
    table["on_front"] = non_dominated(table[["average_rank", "seconds"]].to_numpy(dtype=float))
    return table.sort_values(["average_rank", "seconds"], kind="stable")
