"""How good a prediction, a subset or a method is. `METRICS` lists losses and scores with what the app says of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
from mlfs.metrics.stability import jaccard, stability
from mlfs.metrics.subsets import redundancy, residual_label_correlation


@dataclass(frozen=True)
class Metric:
    """A metric, what it needs, which way is better, and one sentence for the user."""

    name: str
    title: str
    function: Callable[..., float]
    needs: str
    lower_is_better: bool
    meaning: str
    options: tuple[str, ...] = ()


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

__all__ = [
    "METRICS",
    "Metric",
    "average_precision",
    "coverage",
    "hamming_loss",
    "jaccard",
    "macro_auc",
    "macro_f1",
    "micro_f1",
    "one_error",
    "ranking_loss",
    "redundancy",
    "residual_label_correlation",
    "stability",
    "subset_accuracy",
]
