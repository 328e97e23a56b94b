"""What the papers print in their tables: metrics of `mlfs.metrics`, and times, counts and statistics besides."""

from __future__ import annotations

from dataclasses import dataclass

from mlfs.errors import ParameterError, did_you_mean
from mlfs.metrics import METRICS


@dataclass(frozen=True)
class Quantity:
    """One printed quantity; ``lower_is_better`` is None where no value is better than another."""

    name: str
    title: str
    unit: str
    lower_is_better: bool | None


_OTHERS = {
    quantity.name: quantity
    for quantity in (
        Quantity("selection_seconds", "Time of the selection", "s", True),
        Quantity("brlr_seconds", "Time of the classifier BRLR", "s", True),
        Quantity("promising_labels", "Labels treated exactly, |Y|", "labels", None),
        Quantity("optimal_k", "Features kept per label, k", "features", None),
        Quantity("friedman_F", "Friedman's statistic F_F", "", None),
        Quantity("critical_value", "Critical value of F_F", "", None),
        Quantity("critical_difference", "Critical difference of average ranks", "ranks", None),
    )
}


def quantity(name: str) -> Quantity:
    """
    >>> quantity("macro_f1")
    Quantity(name='macro_f1', title='Macro-F1', unit='', lower_is_better=False)
    >>> quantity("selection_seconds").unit
    's'
    """
    if name in METRICS:
        return Quantity(name, METRICS[name].title, "", METRICS[name].lower_is_better)
    if name not in _OTHERS:
        raise ParameterError(f"There is no quantity {name!r}: {did_you_mean(name, [*METRICS, *_OTHERS])}")
    return _OTHERS[name]
