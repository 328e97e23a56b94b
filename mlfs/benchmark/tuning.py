"""Which settings of a method are tried beside its defaults, and which is best on rows taken from the training part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from mlfs.metrics import METRICS
from mlfs.parameters import Parameter
from mlfs.selectors import SELECTORS

#: By which a setting is chosen: the mean over the sizes, on a quarter of the training rows.
CRITERION = "ranking_loss"
#: How far a method goes, how lots fall, what only saves time and which reading of a paper is meant: not to be tuned.
NOT_TUNED = (
    "max_iter",
    "tol",
    "n_init",
    "random_state",
    "variant",
    "n_features_to_select",
    "n_samples",
    "n_trees",
    "n_candidates",
    "rank",
    "estimator",
)
#: Of these, few values are usual.
USUAL = {"n_bins": (2, 3, 10), "discretization": ("equal_width", "equal_frequency")}


def settings_tried(method: str, sizes: Mapping[str, int]) -> list[dict[str, Any]]:
    """The defaults, and each tuning parameter changed alone: a decade up and down, twice and half, every other choice.

    Parameters
    ----------
    sizes : how many instances, features and labels the training rows have

    >>> settings_tried("grro", {"instances": 100, "features": 20, "labels": 6})[:3]
    [{}, {'alpha': 0.1}, {'alpha': 10.0}]
    """
    changed = [
        {parameter.name: value}
        for parameter in SELECTORS[method].parameters.values()
        if parameter.name not in NOT_TUNED
        for value in _values(parameter, sizes)
    ]
    return [{}, *changed]


def best_setting(trials: pd.DataFrame) -> str:
    """The parameters with the best mean of the criterion over sizes; of equals, the first. One method, one split.

    Parameters
    ----------
    trials : a tidy table of results
    """
    of_criterion = trials[trials["metric"] == CRITERION]
    means = of_criterion.groupby("parameters", sort=False)["value"].mean()
    return str(means.idxmin() if METRICS[CRITERION].lower_is_better else means.idxmax())


def _values(parameter: Parameter, sizes: Mapping[str, int]) -> Sequence[Any]:
    default = parameter.default
    if parameter.name in USUAL:
        return [value for value in USUAL[parameter.name] if value != default]
    if parameter.kind == "choice":
        return [value for value in parameter.choices if value != default]
    if parameter.kind not in ("number", "integer"):
        return []
    low, high = (float(sizes[end] if isinstance(end, str) else end or 0) for end in (parameter.low, parameter.high))
    high = high or float("inf")
    if parameter.kind == "number":
        if parameter.scale == "log":
            near = [float(f"{default * factor:.6g}") for factor in (0.1, 10.0)]
        else:
            near = [low + (high - low) * share for share in (0.25, 0.75)]
    else:
        middle = default if default is not None else max(2, round(min(high, 60) / 3))
        near = [max(1, middle // 2), middle * 2] if default is not None else [max(1, middle // 2), middle]
    inside = [value for value in near if low <= value <= high]
    return [value for value in dict.fromkeys(inside) if value != default]
