"""Is one method really better? Rank tests over data sets, and paired tests over the repeats on one data set.

All tests read a table of data sets × methods (only `paired_t_tests` one of repeats × methods), keep its names, call a
result significant where p ≤ alpha, and raise a `StatisticsError` of one sentence where a table cannot be tested.
Demšar, Statistical Comparisons of Classifiers over Multiple Data Sets, JMLR 7 (2006), is the common source.
"""

from mlfs.statistics.cliques import cliques, cliques_from_pairs
from mlfs.statistics.friedman import FriedmanResult, friedman
from mlfs.statistics.paired_tests import paired_t_tests
from mlfs.statistics.post_hoc import (
    BonferroniDunnResult,
    NemenyiResult,
    bonferroni_dunn,
    critical_difference,
    nemenyi,
)
from mlfs.statistics.verdict import TESTS, Verdict, conclusion, judge
from mlfs.statistics.wilcoxon_holm import WilcoxonHolmResult, wilcoxon_holm

__all__ = [
    "TESTS",
    "BonferroniDunnResult",
    "FriedmanResult",
    "NemenyiResult",
    "Verdict",
    "WilcoxonHolmResult",
    "bonferroni_dunn",
    "cliques",
    "cliques_from_pairs",
    "conclusion",
    "critical_difference",
    "friedman",
    "judge",
    "nemenyi",
    "paired_t_tests",
    "wilcoxon_holm",
]
