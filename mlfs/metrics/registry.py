"""`METRICS` lists losses and scores with what pages and commands say of them; `register` adds one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from mlfs.errors import ExtensionError, did_you_mean
from mlfs.extensions import same_definition
from mlfs.metrics.losses import (
    average_precision,
    coverage,
    hamming_loss,
    macro_auc,
    macro_f1,
    micro_f1,
    one_error,
    ranking_loss,
    subset_accuracy,
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
    )
}


def register(metric: Metric) -> None:
    """Add a metric to `METRICS`, where curves, tables, pages and commands find it."""
    # Links and commands put commas between metrics.
    if not re.fullmatch(r"[a-z][a-z0-9_]*", metric.name):
        raise ExtensionError(f"The name {metric.name!r} of a metric must be small letters, digits and underscores.")
    if metric.needs not in NEEDS:
        raise ExtensionError(f"The metric {metric.name!r} needs {metric.needs!r}: {did_you_mean(metric.needs, NEEDS)}")
    if metric.name in METRICS and not same_definition(METRICS[metric.name].function, metric.function):
        raise ExtensionError(f"There is a metric {metric.name!r} already: choose another name.")
    METRICS[metric.name] = metric
