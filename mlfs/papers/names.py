"""What the files of published numbers call data sets, methods and metrics, and what mlfs calls them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_YAHOO = ("arts", "business", "computers", "education", "health", "recreation", "reference", "science", "society")

#: Paper → data set in the file → data set in the catalogue, which keeps the two editions of Yahoo apart.
_DATASETS = {"wang_2020_elc": {name: f"{name}_full" for name in _YAHOO}}

_METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    f"mapd a={alpha}": ("mapd", {"alpha": alpha}) for alpha in (0.6, 0.7, 0.8, 0.9)
}

_METRICS = {
    "auc": "macro_auc",
    "friedman_FF": "friedman_F",
    "bonferroni_dunn_CD": "critical_difference",
    "nemenyi_CD": "critical_difference",
}


def dataset_name(paper: str, name: str) -> str:
    """
    >>> dataset_name("wang_2020_elc", "arts"), dataset_name("zhang_2020_grro", "arts")
    ('arts_full', 'arts')
    """
    return _DATASETS.get(paper, {}).get(name, name)


def method_and_parameters(name: str) -> tuple[str, Mapping[str, Any]]:
    """
    >>> method_and_parameters("mapd a=0.6"), method_and_parameters("els")
    (('mapd', {'alpha': 0.6}), ('els', {}))
    """
    return _METHODS.get(name, (name, {}))


def metric_name(name: str) -> tuple[str, str]:
    """The quantity, and for a statistic the metric that was tested.

    >>> metric_name("auc"), metric_name("friedman_FF coverage")
    (('macro_auc', ''), ('friedman_F', 'coverage'))
    """
    quantity, _, tested = name.partition(" ")
    return _METRICS.get(quantity, quantity), tested
