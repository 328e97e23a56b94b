"""Which features: those that a method selects on all rows, and what is known of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.answer.shortlist import AnswerSettings, MethodResult
from mlfs.checks import checked
from mlfs.datasets import Dataset
from mlfs.evaluation.protocols import configured_selector
from mlfs.information import discretize, mutual_information, symmetrical_uncertainty
from mlfs.metrics import stability
from mlfs.selectors import Selector, make_selector
from mlfs.stopping import checkpoint


@dataclass(frozen=True)
class Neighbour:
    """The feature that shares most with another one, and their symmetrical uncertainty, from 0 to 1."""

    index: int
    name: str
    uncertainty: float


@dataclass(frozen=True)
class SelectedFeature:
    """A feature of the selection.

    Attributes
    ----------
    rank : from 1
    frequency : share of the splits on which it was among the selected, NaN where there are none
    information : with each label, in bits
    nearest_selected, nearest_left_out : what shares most with it; None where there is no other feature of the kind
    """

    rank: int
    index: int
    name: str
    score: float
    frequency: float
    information: tuple[float, ...]
    nearest_selected: Neighbour | None
    nearest_left_out: Neighbour | None


@dataclass(frozen=True, eq=False)
class FeatureSelection:
    """The features that a method selects on all rows.

    Attributes
    ----------
    features : best first
    label_names : what `SelectedFeature.information` refers to
    stability : of the selections on the splits (Nogueira et al. 2018); NaN for one split
    selector : fitted on all rows
    n_features : of how many
    """

    features: tuple[SelectedFeature, ...]
    label_names: tuple[str, ...]
    stability: float
    selector: Selector
    n_features: int

    @property
    def indices(self) -> list[int]:
        return [feature.index for feature in self.features]

    @property
    def names(self) -> list[str]:
        return [feature.name for feature in self.features]

    @property
    def information(self) -> np.ndarray:
        """(features, labels) in bits."""
        table = np.array([feature.information for feature in self.features])
        return table.reshape(len(self.features), len(self.label_names))

    def table(self) -> pd.DataFrame:
        """One row per feature, best first."""
        return pd.DataFrame(
            {
                "rank": [feature.rank for feature in self.features],
                "feature": self.names,
                "index": self.indices,
                "score": [feature.score for feature in self.features],
                "selected on": [feature.frequency for feature in self.features],
                **_columns("nearest selected", [feature.nearest_selected for feature in self.features]),
                **_columns("nearest left out", [feature.nearest_left_out for feature in self.features]),
                "information": self.information.sum(axis=1),
            }
        )


def _columns(title: str, neighbours: Sequence[Neighbour | None]) -> dict[str, list[object]]:
    return {
        title: ["" if other is None else other.name for other in neighbours],
        f"SU with {title}": [np.nan if other is None else other.uncertainty for other in neighbours],
    }


@checked
def final_selection(ds: Dataset, settings: AnswerSettings, result: MethodResult) -> FeatureSelection:
    """The method on all rows, cut at the number of features that was chosen, and what is known of each feature.

    Information is that of the features as the method sees them, discretised by its own parameters or, where it has
    none, into five bins of equal width.
    """
    place = list(settings.methods).index((result.method, result.parameters))
    protocol, size = settings.measured, result.choice.size
    selector = configured_selector(settings.choice(place), protocol, ds, settings.seed)
    selector.fit(ds.X, ds.Y)
    chosen = _first(selector, size)
    on_splits = [_first(split.selector, size) for split in result.explorations]
    d = ds.X.shape[1]
    checkpoint()
    features = describe_features(ds, chosen, selector.scores_, on_splits, **_binning(settings, result))
    return FeatureSelection(features, tuple(ds.label_names), stability(on_splits, d), selector, d)


def describe_features(
    ds: Dataset,
    chosen: Sequence[int] | np.ndarray,
    scores: np.ndarray,
    on_splits: Sequence[Sequence[int]],
    *,
    n_bins: int = 5,
    discretization: str = "equal_width",
) -> tuple[SelectedFeature, ...]:
    """What is known of chosen features, given best first.

    Parameters
    ----------
    scores : (d,) of the method
    on_splits : the features selected on each split
    """
    chosen = np.asarray(chosen, dtype=np.intp)
    states = discretize(ds.X, n_bins, discretization, ds.categorical)
    information = mutual_information(states[:, chosen], ds.Y)
    uncertainty = symmetrical_uncertainty(states[:, chosen], states)
    uncertainty[np.arange(len(chosen)), chosen] = -1.0  # no feature is its own neighbour
    selected = np.zeros(ds.X.shape[1], dtype=bool)
    selected[chosen] = True

    def nearest(row: np.ndarray, among: np.ndarray, feature: int) -> Neighbour | None:
        among = among[among != feature]
        if not len(among):
            return None
        index = int(among[np.argmax(row[among])])
        return Neighbour(index, ds.feature_names[index], float(row[index]))

    inside, outside = np.flatnonzero(selected), np.flatnonzero(~selected)
    return tuple(
        SelectedFeature(
            rank=rank,
            index=int(j),
            name=ds.feature_names[j],
            score=float(scores[j]),
            frequency=float(np.mean([j in subset for subset in on_splits])) if len(on_splits) else float("nan"),
            information=tuple(map(float, information[rank - 1])),
            nearest_selected=nearest(uncertainty[rank - 1], inside, int(j)),
            nearest_left_out=nearest(uncertainty[rank - 1], outside, int(j)),
        )
        for rank, j in enumerate(chosen.tolist(), start=1)
    )


def _first(selector: Selector, size: int) -> list[int]:
    """The features that a fitted selector has for a size."""
    ranking: list[int] = selector.ranking_.tolist()
    return ranking[: selector.prefix_length(min(size, len(ranking)))]


def _binning(settings: AnswerSettings, result: MethodResult) -> dict[str, Any]:
    """How the method cuts features into bins, where it does."""
    known = make_selector(result.method, **result.parameters).get_params()
    given = {**known, **settings.protocol.selector_parameters, **result.parameters}
    return {name: given[name] for name in ("n_bins", "discretization") if name in known}
