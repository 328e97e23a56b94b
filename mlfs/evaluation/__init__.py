"""From rankings to results: splits, scaling, loss curves, the papers' protocols, comparisons."""

from mlfs.evaluation.cell_result import CellResult
from mlfs.evaluation.compare import compare
from mlfs.evaluation.curves import average_classification_result, evaluate, loss_curve
from mlfs.evaluation.explorer import Exploration, Explorer, averaged, averaged_baseline, explore, explore_all
from mlfs.evaluation.external_ranking import ExternalRanking
from mlfs.evaluation.fronts import FeatureFront, compare_features, runs_of, runs_of_study
from mlfs.evaluation.noise import noise_at_tenths, noise_table
from mlfs.evaluation.protocols import PROTOCOLS, SETTINGS, Protocol, get_protocol, sizes_up_to
from mlfs.evaluation.ranking_files import as_ranking, read_ranking
from mlfs.evaluation.split_evaluator import scale
from mlfs.evaluation.splits import given_split, k_folds, random_splits, split_table

__all__ = [
    "PROTOCOLS",
    "SETTINGS",
    "CellResult",
    "Exploration",
    "Explorer",
    "ExternalRanking",
    "FeatureFront",
    "Protocol",
    "as_ranking",
    "average_classification_result",
    "averaged",
    "averaged_baseline",
    "compare",
    "compare_features",
    "evaluate",
    "explore",
    "explore_all",
    "get_protocol",
    "given_split",
    "k_folds",
    "loss_curve",
    "noise_at_tenths",
    "noise_table",
    "random_splits",
    "read_ranking",
    "runs_of",
    "runs_of_study",
    "scale",
    "sizes_up_to",
    "split_table",
]
