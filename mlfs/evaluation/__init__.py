"""From rankings to results: splits, scaling, loss curves, the papers' protocols, comparisons."""

from mlfs.evaluation.compare import compare
from mlfs.evaluation.curves import average_classification_result, evaluate, loss_curve
from mlfs.evaluation.protocols import PROTOCOLS, Protocol, get_protocol
from mlfs.evaluation.scaling import scale
from mlfs.evaluation.splits import given_split, k_folds, random_splits

__all__ = [
    "PROTOCOLS",
    "Protocol",
    "average_classification_result",
    "compare",
    "evaluate",
    "get_protocol",
    "given_split",
    "k_folds",
    "loss_curve",
    "random_splits",
    "scale",
]
