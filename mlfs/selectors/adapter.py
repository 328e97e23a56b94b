"""Selectors of scikit-learn beside our own: in comparisons, explorers and pipelines they rank as the others do."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from mlfs.encoding import one_hot
from mlfs.errors import ParameterError
from mlfs.parameters import Parameter, integer
from mlfs.selectors.base import Selector
from mlfs.selectors.constraints import ConstrainedSelector
from mlfs.selectors.evidence import Evidence, best_of_owner
from mlfs.selectors.ranking import rank

INSTEAD = "take one that does, such as SelectFromModel(RandomForestClassifier()), or a method of mlfs"


def adapted(choice: Any) -> Any:
    """A selector of scikit-learn as one of ours; anything else as it is.

    >>> from sklearn.feature_selection import SelectKBest
    >>> adapted(SelectKBest(k=3))
    ScikitLearnSelector(selector=SelectKBest(k=3))
    >>> adapted("els")
    'els'
    """
    return ScikitLearnSelector(selector=choice) if _is_selector(choice) else choice


def _is_selector(candidate: Any) -> bool:
    made = isinstance(candidate, BaseEstimator) and not isinstance(candidate, Selector | ConstrainedSelector)
    return made and all(hasattr(candidate, method) for method in ("fit", "get_support"))


@dataclass(frozen=True)
class EstimatorParameter(Parameter):
    """A parameter that holds a selector of scikit-learn."""

    @property
    def annotation(self) -> Any:
        return Any

    def describe_range(self, sizes: Mapping[str, int] | None = None) -> str:
        return "a selector of scikit-learn, such as SelectKBest(chi2)"

    def _allows(self, value: Any, sizes: Mapping[str, int] | None) -> bool:
        return _is_selector(value)


def _selector(meaning: str) -> Any:
    return EstimatorParameter("estimator", None, meaning)


class _NamedByItsSelector:
    # Inherited, so that the class below is not taken for a method of the registry.
    selector: Any

    @property
    def id(self) -> str:
        return type(self.selector).__name__

    @property
    def name(self) -> str:
        return type(self.selector).__name__


class ScikitLearnSelector(_NamedByItsSelector, Selector):  # type: ignore[override]
    """A selector of scikit-learn that ranks: by its scores, its ranking, the importances of its model, or its choice.

    It is fitted to all labels at once; one that takes a single target only is refused in a sentence. A categorical
    feature is as good as its best category. `n_features_to_select` is not handed over: the selector decides itself how
    many features it selects.

    Attributes
    ----------
    fitted_ : the selector, fitted

    Examples
    --------
    >>> from sklearn.feature_selection import SelectKBest, chi2
    >>> X, Y = [[5, 1, 2], [3, 1, 0], [4, 1, 0], [4, 1, 3]], [[1, 0], [0, 0], [0, 1], [1, 1]]
    >>> ScikitLearnSelector(selector=SelectKBest(chi2, k=1)).fit(X, Y).ranking_
    array([2, 0, 1])
    """

    selects_sets = True

    selector: Any = _selector("the selector, which stays as it is: a copy is fitted")
    random_state: int = integer(0, 0, 2**32 - 1, "seed of what draws lots in it and has none of its own")

    @property
    def settings(self) -> dict[str, Any]:
        """What is set in the selector beside its defaults, as plain numbers and words."""
        signature = inspect.signature(type(self.selector).__init__).parameters
        values = self.selector.get_params(deep=False)
        changed = {n: v for n, v in values.items() if n not in signature or v is not signature[n].default}
        return {name: _plain(value) for name, value in sorted(changed.items())}

    def _evidence(self, X: Any, Y: np.ndarray) -> Evidence:
        return Evidence(X, Y)

    def _rank(self, evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
        columns, owner = one_hot(evidence.X, self.categorical_features)
        self.fitted_ = self._fit_selector(columns, evidence.Y)
        support = self.fitted_.get_support()
        scores = self._column_scores(support)
        # A column without a score comes last; NaN would hide the other categories of its feature.
        scores = best_of_owner(np.where(np.isnan(scores), -np.inf, scores), owner)
        scores[scores == -np.inf] = np.nan
        ranking = rank(scores)
        chosen = best_of_owner(support.astype(np.float64), owner)[ranking] > 0
        self.n_selected_ = int(chosen.sum())
        # What it selected comes first, also where a score does not say so.
        return scores, np.concatenate([ranking[chosen], ranking[~chosen]])

    def _fit_selector(self, X: Any, Y: np.ndarray) -> Any:
        copy = clone(self.selector)
        seeds = {name: self.random_state for name, value in copy.get_params().items() if _is_missing_seed(name, value)}
        copy.set_params(**seeds)
        try:
            return copy.fit(X, Y if Y.shape[1] > 1 else Y.ravel())
        except Exception as problem:
            reason = " ".join(str(problem).split()).rstrip(".") or type(problem).__name__
            if Y.shape[1] == 1:
                raise ParameterError(f"{self.id} cannot be fitted to these data: {reason}.") from problem
            raise ParameterError(
                f"{self.id} does not take a table of {Y.shape[1]} labels ({reason}): {INSTEAD}."
            ) from problem

    def _column_scores(self, support: np.ndarray) -> np.ndarray:
        """(columns,) higher is better; NaN where a column does not compete."""
        fitted = self.fitted_
        if getattr(fitted, "scores_", None) is not None:
            return np.asarray(fitted.scores_, dtype=np.float64)
        if hasattr(fitted, "ranking_"):
            tied = int((fitted.ranking_ == 1).sum())
            if tied > 1:
                self.notes_.append(
                    f"{self.id} ranks {tied} features first, which stand in the order of columns: with "
                    "n_features_to_select=1 it would tell them apart."
                )
            return -np.asarray(fitted.ranking_, dtype=np.float64)
        importances = _importances(getattr(fitted, "estimator_", None), len(support))
        if importances is not None:
            return importances
        self.notes_.append(
            f"{self.id} says which features it selects, not in which order: they stand in the order of columns."
        )
        return np.where(support, 0.0, np.nan)


def _importances(model: Any, columns: int) -> np.ndarray | None:
    """(columns,) what a fitted model says of its features; of coefficients the sum of their sizes."""
    for name in ("feature_importances_", "coef_"):
        if hasattr(model, name):
            return np.abs(np.asarray(getattr(model, name), dtype=np.float64).reshape(-1, columns)).sum(axis=0)
    return None


def _is_missing_seed(name: str, value: Any) -> bool:
    return value is None and name.rpartition("__")[2] == "random_state"


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    # Functions by their names; an address in memory is of no use to a reader.
    return getattr(value, "__name__", None) or re.sub(r" at 0x[0-9a-f]+", "", repr(value))
