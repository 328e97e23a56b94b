"""What results and tables hold beside the metrics, and what every quantity is called wherever it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from mlfs.errors import ParameterError, did_you_mean
from mlfs.metrics.registry import METRICS


@dataclass(frozen=True)
class Quantity:
    """A quantity, its title and unit; ``lower_is_better`` is None where no value is better than another."""

    name: str
    title: str
    unit: str
    lower_is_better: bool | None


#: What is not computed from a prediction, so that `METRICS` does not list it.
QUANTITIES: dict[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity("redundancy", "Redundancy R(F)", "", True),
        Quantity("residual_label_correlation", "Residual label correlation C(F)", "", True),
        Quantity("n_selected", "Features selected", "features", None),
        Quantity("seconds", "Time of the selection", "s", True),
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
    """A metric or another quantity by its name.

    >>> quantity("macro_f1")
    Quantity(name='macro_f1', title='Macro-F1', unit='', lower_is_better=False)
    >>> quantity("selection_seconds").unit
    's'
    """
    if name in METRICS:
        return Quantity(name, METRICS[name].title, "", METRICS[name].lower_is_better)
    if name not in QUANTITIES:
        raise ParameterError(f"There is no quantity {name!r}: {did_you_mean(name, [*METRICS, *QUANTITIES])}")
    return QUANTITIES[name]


def metric_title(name: str) -> str:
    """The title of a metric or another quantity; a name nobody knows stays as it is.

    >>> metric_title("hamming_loss"), metric_title("redundancy"), metric_title("ACR")
    ('Hamming loss', 'Redundancy R(F)', 'ACR')
    """
    return quantity(name).title if _is_known(name) else name


def lower_is_better(name: str) -> bool:
    """Which way a metric is better; a name nobody knows, or without a better and a worse, counts as a loss.

    >>> lower_is_better("hamming_loss"), lower_is_better("macro_f1"), lower_is_better("ACR")
    (True, False, True)
    """
    return not _is_known(name) or quantity(name).lower_is_better is not False


def direction(name: str) -> str:
    """`"lower is better"` or `"higher is better"`; nothing where neither is known.

    >>> direction("macro_f1"), direction("redundancy"), direction("ACR")
    ('higher is better', 'lower is better', '')
    """
    if not _is_known(name) or quantity(name).lower_is_better is None:
        return ""
    return "lower is better" if lower_is_better(name) else "higher is better"


def _is_known(name: str) -> bool:
    return name in METRICS or name in QUANTITIES
