"""How many features: the size that a rule chooses on a curve of losses, or scores, averaged over splits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mlfs.checks import checked, table_columns, whole
from mlfs.errors import ParameterError, did_you_mean
from mlfs.evaluation import Exploration, averaged_baseline
from mlfs.metrics import lower_is_better, metric_title
from mlfs.parameters import Parameter, parse_value, value_text
from mlfs.wording import count

RULES = {
    "best": "the size with the best mean",
    "one_standard_error": "the smallest size whose mean is within one standard error of the best",
    "tolerance": "the smallest size whose mean is within a share of the best",
    "number": "a number of features that you give",
}
#: What follows the name of a rule, as in ``tolerance=0.05``.
OPTIONS = {
    "tolerance": Parameter("number", 0.01, "share of the best mean that may be lost", 0, 1, name="tolerance"),
    "number": Parameter("integer", None, "number of features", 1, name="number"),
}
# Means that differ by rounding only are equal.
ROUNDING = 1e-12


@dataclass(frozen=True)
class SizeRule:
    """How the number of features is chosen.

    Attributes
    ----------
    name : one of `RULES`
    tolerance : for the rule "tolerance", the share of the best mean that may be lost
    number : for the rule "number"
    """

    name: str = "one_standard_error"
    tolerance: float = 0.01
    number: int | None = None

    def __post_init__(self) -> None:
        if self.name not in RULES:
            raise ParameterError(f"There is no rule {self.name!r}: {did_you_mean(str(self.name), RULES)}")
        OPTIONS["tolerance"].check(self.tolerance)
        if self.number is not None:
            OPTIONS["number"].check(self.number)
        elif self.name == "number":
            raise ParameterError("The rule number needs the number of features, such as number=10.")

    @property
    def text(self) -> str:
        """As `parse_rule` reads it.

        >>> SizeRule("tolerance", tolerance=0.05).text
        'tolerance=0.05'
        """
        return f"{self.name}={value_text(getattr(self, self.name))}" if self.name in OPTIONS else self.name


@checked
def parse_rule(text: str) -> SizeRule:
    """A rule from its word in commands and links.

    >>> parse_rule("tolerance=0.05"), parse_rule("best").name
    (SizeRule(name='tolerance', tolerance=0.05, number=None), 'best')
    """
    name, sign, value = (piece.strip() for piece in text.partition("="))
    if not sign:
        return SizeRule(name)
    if name not in OPTIONS:
        raise ParameterError(f"Only the rules {' and '.join(OPTIONS)} take a value, not {name!r}.")
    return SizeRule(name, **{name: parse_value(None, OPTIONS[name], value)})


@dataclass(frozen=True)
class SizeChoice:
    """The number of features that a rule chose on a curve.

    Attributes
    ----------
    size, mean, standard_error : of the chosen size; the error is NaN for one split
    best_size, best_mean, best_standard_error : of the smallest size with the best mean
    limit : the worst mean that the rule accepts; NaN for a number that was given
    metric, splits : what the curve measures, and how many splits it is the mean of
    """

    rule: SizeRule
    metric: str
    splits: int
    size: int
    mean: float
    standard_error: float
    best_size: int
    best_mean: float
    best_standard_error: float
    limit: float


@checked
def choose_size(curve: pd.DataFrame, metric: str, splits: int, rule: SizeRule | None = None) -> SizeChoice:
    """The number of features by a rule.

    The standard error of a mean is the standard deviation over the splits divided by √splits. For one split it is not
    known, and the rule of one standard error then takes the best size. Sizes that only some of the splits have are left
    out, for their means are of other rows.

    Parameters
    ----------
    curve : as `mlfs.evaluation.averaged` gives it: ``size``, the metric and its deviation, ending in ``_std``
    splits : how many splits it is the mean of

    Examples
    --------
    >>> curve = pd.DataFrame({"size": [1, 2, 3, 4], "hamming_loss": [0.4, 0.25, 0.22, 0.2], "hamming_loss_std": 0.12})
    >>> choose_size(curve, "hamming_loss", splits=4).size  # 0.25 is within 0.2 + 0.12 / 2
    2
    >>> choose_size(curve, "hamming_loss", 4, SizeRule("best")).size
    4
    """
    table_columns(curve, ("size", metric, f"{metric}_std"), "the curve")
    whole("splits", splits, 1)
    if "splits" in curve and (curve["splits"] == splits).any():
        curve = curve[curve["splits"] == splits]
    curve = curve.sort_values("size")
    sizes, means, spread = (curve[name].to_numpy(dtype=float) for name in ("size", metric, f"{metric}_std"))
    return _choose(sizes, means, spread, metric, splits, rule or SizeRule())


def choose_from_splits(
    curves: Sequence[tuple[Sequence[int] | np.ndarray, np.ndarray]], metric: str, rule: SizeRule | None = None
) -> SizeChoice:
    """`choose_size` on the mean of the curves of single splits, each with its sizes and values.

    >>> choose_from_splits([([1, 2], np.array([0.4, 0.2])), ([1, 2], np.array([0.3, 0.3]))], "hamming_loss").mean
    0.25
    """
    common = sorted(set.intersection(*(set(map(int, sizes)) for sizes, _ in curves)))
    values = np.array([np.asarray(v, dtype=float)[np.searchsorted(sizes, common)] for sizes, v in curves])
    values = values.reshape(len(curves), len(common))
    spread = values.std(axis=0, ddof=1) if len(curves) > 1 else np.full(len(common), np.nan)
    return _choose(np.array(common), values.mean(axis=0), spread, metric, len(curves), rule or SizeRule())


def size_of(splits: Sequence[Exploration], metric: str, rule: SizeRule | None = None) -> SizeChoice:
    """`choose_size` on the mean of the curves that were explored."""
    return choose_from_splits(
        [(split.curve["size"].to_numpy(), split.curve[metric].to_numpy()) for split in splits], metric, rule
    )


def size_words(choice: SizeChoice, splits: Sequence[Exploration]) -> list[str]:
    """The number of features that was chosen on these splits: a sentence, and what must be known beside it."""
    n_features = splits[0].selector.n_features_in_
    level = averaged_baseline(splits)[choice.metric]
    return [size_sentence(choice, n_features, level), *edge_note(choice, max(splits[0].curve["size"]), n_features)]


def size_sentence(choice: SizeChoice, n_features: int, baseline: float) -> str:
    """The number of features in words.

    Parameters
    ----------
    n_features : of the data set
    baseline : the value with all of them

    >>> curve = pd.DataFrame({"size": [1, 2, 3], "hamming_loss": [0.4, 0.25, 0.24], "hamming_loss_std": 0.04})
    >>> size_sentence(choose_size(curve, "hamming_loss", splits=4), 72, 0.257)
    'Keep 2 features: Hamming loss 0.2500; the best, 0.2400, needs 3; all 72 give 0.2570.'
    >>> size_sentence(choose_size(curve[:1], "hamming_loss", splits=4), 1, 0.4)
    'Keep the only feature: Hamming loss 0.4000.'
    """
    metric = metric_title(choice.metric)
    if n_features == 1:
        return f"Keep the only feature: {metric} {choice.mean:.4f}."
    best = f"; the best, {choice.best_mean:.4f}, needs {choice.best_size}"
    if choice.size == choice.best_size:
        best = ", the best"
    if choice.size == n_features:
        return f"Keep all {n_features} features: {metric} {choice.mean:.4f}{best}."
    return (
        f"Keep {count(choice.size, 'feature')}: {metric} {choice.mean:.4f}{best}; all {n_features} give {baseline:.4f}."
    )


def edge_note(choice: SizeChoice, most: int, n_features: int) -> list[str]:
    """A sentence where the best mean is that of the most features that were measured, and there are more."""
    if choice.best_size == most < n_features:
        return [f"The best mean is at {count(most, 'feature')}, the most that were measured: more may be better still."]
    return []


def _choose(
    sizes: np.ndarray, means: np.ndarray, spread: np.ndarray, metric: str, splits: int, rule: SizeRule
) -> SizeChoice:
    known = np.isfinite(means)
    if not known.any():
        raise ParameterError(f"No size has a value of {metric} on every split: choose another metric, or fewer splits.")
    sizes, means, errors = sizes[known].astype(int), means[known], spread[known] / math.sqrt(splits)
    sign = 1.0 if lower_is_better(metric) else -1.0
    losses = sign * means
    # argmax of what equals the smallest: the first, hence the fewest features.
    best = int(np.argmax(losses <= losses.min() + ROUNDING))
    slack = {
        "best": 0.0,
        "one_standard_error": np.nan_to_num(errors[best]),
        "tolerance": rule.tolerance * abs(losses[best]),
    }.get(rule.name, np.nan)
    if rule.name == "number":
        chosen = _place_of(rule.number, sizes)
    else:
        chosen = int(np.argmax(losses <= losses[best] + slack + ROUNDING))
    return SizeChoice(
        rule=rule,
        metric=metric,
        splits=splits,
        size=int(sizes[chosen]),
        mean=float(means[chosen]),
        standard_error=float(errors[chosen]),
        best_size=int(sizes[best]),
        best_mean=float(means[best]),
        best_standard_error=float(errors[best]),
        limit=float(sign * (losses[best] + slack)),
    )


def _place_of(number: int | None, sizes: np.ndarray) -> int:
    places = np.flatnonzero(sizes == number)
    if not len(places):
        known = ", ".join(map(str, sizes[:12])) + (", …" if len(sizes) > 12 else "")
        raise ParameterError(f"{number} features were not measured: choose from {known}.")
    return int(places[0])
