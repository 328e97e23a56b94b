"""From rankings to results: splits, scaling, loss curves, the papers' protocols, comparisons."""

from mlfs.evaluation.compare import compare
from mlfs.evaluation.curves import average_classification_result, evaluate, loss_curve
from mlfs.evaluation.protocols import PROTOCOLS, SETTINGS, Protocol, get_protocol, sizes_up_to
from mlfs.evaluation.scaling import scale
from mlfs.evaluation.splits import given_split, k_folds, random_splits
from mlfs.evaluation.workbench import Exploration, Workbench, averaged, explore, explore_all

__all__ = [
    "PROTOCOLS",
    "SETTINGS",
    "Exploration",
    "Protocol",
    "Workbench",
    "average_classification_result",
    "averaged",
    "compare",
    "evaluate",
    "explore",
    "explore_all",
    "get_protocol",
    "given_split",
    "k_folds",
    "loss_curve",
    "random_splits",
    "scale",
    "sizes_up_to",
]
