"""How good a prediction, a subset or a method is.

`METRICS` lists the losses and scores, and `QUANTITIES` what else results hold, each with its title and which way is
better: `metric_title`, `lower_is_better` and `direction` read both.
"""

from mlfs import extensions
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
from mlfs.metrics.registry import (
    METRICS,
    QUANTITIES,
    Metric,
    Quantity,
    direction,
    lower_is_better,
    metric_title,
    quantity,
    register,
)
from mlfs.metrics.subsets import jaccard, redundancy, residual_label_correlation, stability

__all__ = [
    "METRICS",
    "QUANTITIES",
    "Metric",
    "Quantity",
    "average_precision",
    "balanced_accuracy",
    "coverage",
    "coverage_share",
    "direction",
    "example_accuracy",
    "example_f1",
    "example_precision",
    "example_recall",
    "hamming_loss",
    "jaccard",
    "lower_is_better",
    "macro_auc",
    "macro_average_precision",
    "macro_f1",
    "metric_title",
    "micro_auc",
    "micro_average_precision",
    "micro_f1",
    "one_error",
    "quantity",
    "ranking_loss",
    "redundancy",
    "register",
    "residual_label_correlation",
    "stability",
    "subset_accuracy",
    "zero_one_loss",
]

extensions.load()
