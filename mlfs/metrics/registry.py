"""Whatever is measured, and what pages, tables and commands say of it.

`METRICS` lists the losses and scores of predictions, `register` adds one; `QUANTITIES` lists what else results hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mlfs.checks import checked
from mlfs.errors import ExtensionError, ParameterError, did_you_mean
from mlfs.extensions import same_definition
from mlfs.metrics.example_based import example_accuracy, example_f1, example_precision, example_recall
from mlfs.metrics.label_based import balanced_accuracy, macro_average_precision, micro_auc, micro_average_precision
from mlfs.metrics.losses import (
    average_precision,
    coverage,
    coverage_share,
    hamming_loss,
    macro_auc,
    macro_f1,
    micro_f1,
    one_error,
    ranking_loss,
    subset_accuracy,
    zero_one_loss,
)

NEEDS = ("labels", "scores")


@dataclass(frozen=True)
class Metric:
    """A metric, what it needs, which way is better, and one sentence for the user.

    Attributes
    ----------
    name : its word in commands, links and tables
    function : of the true labels and of what it needs
    needs : "labels" or "scores" of the labels
    options : names of keywords of the function, its conventions; `loss_curve` hands them over
    version : metrics of other packages raise it when their numbers change: a study then computes them anew
    """

    name: str
    title: str
    function: Callable[..., float]
    needs: str
    lower_is_better: bool
    meaning: str
    options: tuple[str, ...] = ()
    version: str = ""


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("hamming_loss", "Hamming loss", hamming_loss, "labels", True, "Share of wrong label decisions."),
        Metric(
            "ranking_loss",
            "Ranking loss",
            ranking_loss,
            "scores",
            True,
            "Share of label pairs in which a label that does not apply is ranked as high as one that does.",
            ("empty",),
        ),
        Metric(
            "one_error",
            "One-error",
            one_error,
            "scores",
            True,
            "Share of rows whose best-ranked label does not apply.",
            ("empty",),
        ),
        Metric(
            "coverage",
            "Coverage",
            coverage,
            "scores",
            True,
            "How many steps down the ranking it takes, on average, to meet all labels that apply.",
        ),
        Metric(
            "average_precision",
            "Average precision",
            average_precision,
            "scores",
            False,
            "Of the labels ranked as high as one that applies, the share that applies too, averaged.",
            ("empty",),
        ),
        Metric("macro_f1", "Macro-F1", macro_f1, "labels", False, "F1 of each label, averaged.", ("zero_division",)),
        Metric(
            "micro_f1", "Micro-F1", micro_f1, "labels", False, "F1 of all label decisions together.", ("zero_division",)
        ),
        Metric(
            "subset_accuracy",
            "Subset accuracy",
            subset_accuracy,
            "labels",
            False,
            "Share of rows whose whole labelset is right.",
        ),
        Metric(
            "macro_auc",
            "Macro-AUC",
            macro_auc,
            "scores",
            False,
            "Chance that a row with the label is scored above one without it, averaged over labels.",
        ),
        Metric(
            "example_accuracy",
            "Example accuracy",
            example_accuracy,
            "labels",
            False,
            "Jaccard's index of each row's true and predicted labels, averaged.",
            ("zero_division",),
        ),
        Metric(
            "example_precision",
            "Example precision",
            example_precision,
            "labels",
            False,
            "Share of each row's predicted labels that apply, averaged.",
            ("zero_division",),
        ),
        Metric(
            "example_recall",
            "Example recall",
            example_recall,
            "labels",
            False,
            "Share of each row's labels that are predicted, averaged.",
            ("zero_division",),
        ),
        Metric(
            "example_f1",
            "Example F1",
            example_f1,
            "labels",
            False,
            "F1 of each row's labels, averaged.",
            ("zero_division",),
        ),
        Metric(
            "zero_one_loss",
            "Zero-one loss",
            zero_one_loss,
            "labels",
            True,
            "Share of rows whose labelset is not wholly right.",
        ),
        Metric(
            "coverage_share",
            "Coverage / q",
            coverage_share,
            "scores",
            True,
            "Coverage as a share of the number of labels.",
        ),
        Metric(
            "micro_auc",
            "Micro-AUC",
            micro_auc,
            "scores",
            False,
            "Chance that a label that applies is scored above one that does not, in whatever rows they are.",
        ),
        Metric(
            "macro_average_precision",
            "Macro average precision",
            macro_average_precision,
            "scores",
            False,
            "Of the rows ranked as high as one with the label, the share that has it too, averaged over labels.",
        ),
        Metric(
            "micro_average_precision",
            "Micro average precision",
            micro_average_precision,
            "scores",
            False,
            "Average precision of all label decisions in one ranking.",
        ),
        Metric(
            "balanced_accuracy",
            "Balanced accuracy",
            balanced_accuracy,
            "labels",
            False,
            "Share of right decisions, rows with and rows without the label counting alike, averaged over labels.",
        ),
    )
}


def register(metric: Metric) -> None:
    """Add a metric to `METRICS`, where curves, tables, pages and commands find it.

    Raises
    ------
    ExtensionError
        Where the name is not one or belongs to another metric, or what it needs is not known.
    """
    # Links and commands put commas between metrics.
    if not re.fullmatch(r"[a-z][a-z0-9_]*", metric.name):
        raise ExtensionError(f"The name {metric.name!r} of a metric must be small letters, digits and underscores.")
    if metric.needs not in NEEDS:
        raise ExtensionError(f"The metric {metric.name!r} needs {metric.needs!r}: {did_you_mean(metric.needs, NEEDS)}")
    if metric.name in METRICS and not same_definition(METRICS[metric.name].function, metric.function):
        raise ExtensionError(f"There is a metric {metric.name!r} already: choose another name.")
    METRICS[metric.name] = metric


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
        Quantity("seconds", "Selection time", "s", True),
        Quantity("selection_seconds", "Selection time", "s", True),
        Quantity("brlr_seconds", "Time of the classifier BRLR", "s", True),
        Quantity("promising_labels", "Labels treated exactly, |Y|", "labels", None),
        Quantity("optimal_k", "Features kept per label, k", "features", None),
        Quantity("friedman_F", "Friedman's statistic F_F", "", None),
        Quantity("critical_value", "Critical value of F_F", "", None),
        Quantity("critical_difference", "Critical difference of average ranks", "ranks", None),
    )
}


@checked
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


@checked
def metric_title(name: str) -> str:
    """The title of a metric or another quantity; a name nobody knows stays as it is.

    >>> metric_title("hamming_loss"), metric_title("redundancy"), metric_title("ACR")
    ('Hamming loss', 'Redundancy R(F)', 'ACR')
    """
    return quantity(name).title if _is_known(name) else name


@checked
def lower_is_better(name: str) -> bool:
    """Which way a metric is better; a name nobody knows, or without a better and a worse, counts as a loss.

    >>> lower_is_better("hamming_loss"), lower_is_better("macro_f1"), lower_is_better("ACR")
    (True, False, True)
    """
    return not _is_known(name) or quantity(name).lower_is_better is not False


@checked
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
