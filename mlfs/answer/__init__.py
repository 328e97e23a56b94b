"""Which features to keep: how many, which, by which method, and is it real.

`answer` does all of it; its parts can be had one by one, each a plain result that `mlfs.answer.figures` draws and
`mlfs.answer.export` writes: lists, a smaller data set, a program, a report.
"""

from mlfs.answer.features import FeatureSelection, SelectedFeature, final_selection
from mlfs.answer.recommendation import Recommendation, answer, conclude
from mlfs.answer.shortlist import (
    SHORTLIST,
    AnswerSettings,
    MethodResult,
    ShortlistResult,
    answer_protocol,
    answer_settings,
    run_methods,
)
from mlfs.answer.size import RULES, SizeChoice, SizeRule, choose_size, parse_rule
from mlfs.answer.validation import (
    NestedEstimate,
    PermutationTest,
    RandomComparison,
    nested_estimate,
    permutation_test,
    random_features,
)

__all__ = [
    "RULES",
    "SHORTLIST",
    "AnswerSettings",
    "FeatureSelection",
    "MethodResult",
    "NestedEstimate",
    "PermutationTest",
    "RandomComparison",
    "Recommendation",
    "SelectedFeature",
    "ShortlistResult",
    "SizeChoice",
    "SizeRule",
    "answer",
    "answer_protocol",
    "answer_settings",
    "choose_size",
    "conclude",
    "final_selection",
    "nested_estimate",
    "parse_rule",
    "permutation_test",
    "random_features",
    "run_methods",
]
