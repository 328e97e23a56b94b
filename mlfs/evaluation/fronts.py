"""Two kinds of Pareto fronts: of features, by what they tell about labels, and of runs, by loss, size and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.checks import checked, table_columns
from mlfs.errors import ParameterError, did_you_mean
from mlfs.evaluation.explorer import Exploration, Explorer
from mlfs.evaluation.protocols import Protocol, get_protocol
from mlfs.results import settings_of
from mlfs.selectors import Selector
from mlfs.selectors.pareto import Dominance, dominance, front, selected_against_alpha
from mlfs.wording import count, joined


@dataclass(frozen=True)
class FeatureFront:
    """How the features compare on the training rows of one split.

    Attributes
    ----------
    labels : the names of the labels that the front is about
    feature_names : of all d features
    uncertainty : (d, q) symmetrical uncertainty with every label
    columns : those of `labels` in it
    on_front : (d,) bool: no feature tells more of each of `labels`
    dominance : how the features compare label by label
    selector : MAPD or ParFS, fitted: what it selects by all labels
    alphas, counts : how many features MAPD selects, as `mlfs.selectors.pareto.selected_against_alpha` gives them
    """

    labels: tuple[str, ...]
    feature_names: tuple[str, ...]
    uncertainty: np.ndarray
    columns: tuple[int, ...]
    on_front: np.ndarray
    dominance: Dominance
    selector: Selector
    alphas: np.ndarray
    counts: np.ndarray

    @property
    def selected(self) -> np.ndarray:
        """The features that the selector keeps, best first."""
        return self.selector.ranking_[: self.selector.n_selected_]

    @property
    def selected_on_front(self) -> int:
        """How many features are both selected and on the front."""
        return int(self.on_front[self.selected].sum())

    def sentence(self, alpha: float) -> str:
        """What the front says, and what MAPD makes of it at this α."""
        d, kept = len(self.feature_names), len(self.selected)
        where, on_front = joined(self.labels), self.on_front.sum()
        both = "" if not kept else f", {self.selected_on_front or 'none'} of them on this front"
        return (
            f"{on_front} of {count(d, 'feature')} {'is' if on_front == 1 else 'are'} on the front of {where}: no other "
            f"feature tells more about {'both' if len(self.labels) == 2 else 'each of them'}. Judged by all "
            f"{self.uncertainty.shape[1]} labels, MAPD keeps {kept or 'none'} at α = {alpha:g}{both}."
        )

    def about_feature(self, feature: int, alpha: float, label_names: Sequence[str]) -> str:
        """Which label a feature tells most about, which other beats it in most labels, and what MAPD makes of that."""
        rival, better = self.dominance.strongest_rival(feature)
        values = self.uncertainty[feature]
        best, beaten = int(values.argmax()), self.selector.dominators_[feature] > 0
        verdict = f"{'more' if beaten else 'no more'} than the share α = {alpha:g}: MAPD " + (
            "leaves the feature out" if beaten else "keeps the feature"
        )
        return (
            f"{self.feature_names[feature]} tells most about {label_names[best]} (SU {values[best]:.3f}). Its "
            f"strongest rival, {self.feature_names[rival]}, tells more about {better.sum()} of "
            f"{count(len(better), 'label')}, {verdict}."
        )

    def table(self) -> pd.DataFrame:
        """The features that are on the front or selected: SU with each of the labels and on average; selected first."""
        kept = np.isin(np.arange(len(self.feature_names)), self.selected)
        rest = [int(i) for i in self.selector.ranking_ if self.on_front[i] and not kept[i]]
        rows = [*map(int, self.selected), *rest]
        uncertainties = {
            f"SU with {label}": self.uncertainty[rows, c] for label, c in zip(self.labels, self.columns, strict=True)
        }
        return pd.DataFrame(
            {
                "feature": [self.feature_names[i] for i in rows],
                **uncertainties,
                "mean SU": self.uncertainty[rows].mean(axis=1),
                "dominated by": self.selector.dominators_[rows],
                "on the front": self.on_front[rows],
                "selected": kept[rows],
            }
        )

    def steps(self) -> pd.DataFrame:
        """How many features MAPD selects from each α up to the next."""
        return pd.DataFrame({"from α": self.alphas[:-1], "features": self.counts[:-1]})


@checked
def compare_features(
    explorer: Explorer,
    labels: Sequence[str],
    selector: tuple[str, dict[str, Any]] | str = "mapd",
    protocol: str | Protocol = "quick",
    *,
    seed: int = 0,
    repeat: int = 0,
) -> FeatureFront:
    """The Pareto front of the features under some labels, and what MAPD (or ParFS) selects by all of them.

    Parameters
    ----------
    labels : names, one or more
    selector : "mapd" or "parfs", with parameters if need be
    """
    method = selector if isinstance(selector, str) else selector[0]
    if method not in ("mapd", "parfs"):
        raise ParameterError(f"Features are compared by mapd or parfs, not by {method!r}.")
    columns = [_column(explorer.ds.label_names, label) for label in labels]
    # The method's own size: a set is not cut.
    protocol = get_protocol(protocol, sizes=(), every_size=False)
    fitted, _ = explorer.fit(selector, protocol, seed=seed, repeat=repeat)
    evidence = explorer.evidence(selector, protocol, seed=seed, repeat=repeat)
    alphas, counts = selected_against_alpha(evidence)
    return FeatureFront(
        labels=tuple(labels),
        feature_names=tuple(explorer.ds.feature_names),
        uncertainty=evidence.tables.symmetrical_uncertainty,
        columns=tuple(columns),
        on_front=front(evidence, columns),
        dominance=dominance(evidence),
        selector=fitted,
        alphas=alphas,
        counts=counts,
    )


@checked
def runs_of(explored: Sequence[tuple[str, str, Exploration]]) -> pd.DataFrame:
    """Explored methods, given with their id and parameters (as JSON), as one row per run: a run is a method at a size.

    Columns method, size, seconds (of the whole selection, whatever the size) and one for each metric.
    """
    parts = [
        run.curve.assign(method=method, parameters=parameters, seconds=run.seconds)
        for method, parameters, run in explored
    ]
    if not parts:
        return pd.DataFrame(columns=["method", "size", "seconds"])
    return _named(pd.concat(parts, ignore_index=True))


@checked
def runs_of_study(rows: pd.DataFrame, dataset: str, metric: str) -> pd.DataFrame:
    """The runs of a study on one data set, as `runs_of` gives them: means over the repeats."""
    table_columns(rows, ("dataset", "method", "parameters", "size", "metric", "value", "seconds"), "results")
    measured = rows[(rows["dataset"] == dataset) & (rows["metric"] == metric)]
    keys = ["method", "parameters", "size"]
    means = measured.groupby(keys, sort=False)[["value", "seconds"]].mean().reset_index()
    return _named(means.rename(columns={"value": metric}))


def _named(runs: pd.DataFrame) -> pd.DataFrame:
    names = settings_of(runs)
    metrics = [name for name in runs.columns if name not in ("method", "parameters", "size", "seconds")]
    return runs.assign(method=names)[["method", "size", "seconds", *metrics]].astype({"size": int})


def _column(label_names: Sequence[str], label: str) -> int:
    if label not in label_names:
        raise ParameterError(f"There is no label {label!r}: {did_you_mean(label, label_names)}")
    return list(label_names).index(label)
