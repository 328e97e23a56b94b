"""Is it real: the loss beside that of random features, of permuted labels, and of choices made inside the folds.

Each function gives a state after every step, so that whoever stops has what is there. Lower is better for losses and
higher for scores; "as good" means at least as good in the metric's own direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from mlfs.answer.shortlist import AnswerSettings, MethodResult
from mlfs.answer.size import ROUNDING, SizeChoice, choose_from_splits
from mlfs.checks import checked
from mlfs.datasets import Dataset
from mlfs.evaluation import Explorer, Protocol, get_protocol
from mlfs.evaluation.protocols import configured_selector
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.metrics import lower_is_better
from mlfs.selectors import make_selector
from mlfs.stopping import checkpoint

INNER_FOLDS = 3


@dataclass(frozen=True)
class RandomComparison:
    """The chosen number of features beside as many drawn at random.

    Attributes
    ----------
    observed : mean over the splits of the selection
    values : mean over the splits of each draw
    draws : how many were asked for
    """

    metric: str
    size: int
    observed: float
    values: tuple[float, ...]
    draws: int

    @property
    def p_value(self) -> float:
        """(1 + draws that are as good) / (1 + draws)."""
        return p_value(self.observed, self.values, self.metric)


@dataclass(frozen=True)
class PermutationTest:
    """The whole selection, beside the same on labels whose rows were permuted.

    Attributes
    ----------
    observed : mean over the splits at the size, and of the method, that were chosen
    values : the same for each permutation, with its own choices
    permutations : how many were asked for
    """

    metric: str
    observed: float
    values: tuple[float, ...]
    permutations: int

    @property
    def p_value(self) -> float:
        """(1 + permutations that are as good) / (1 + permutations)."""
        return p_value(self.observed, self.values, self.metric)


@dataclass(frozen=True)
class NestedEstimate:
    """What to expect on new rows: method and size chosen inside each training part, judged on its test rows.

    Attributes
    ----------
    optimistic : the mean at the chosen size, of the rows by which it was chosen
    values : of each split that is done, on rows that took no part in any choice
    chosen : method and number of features on each of them
    splits : how many there are
    """

    metric: str
    optimistic: float
    values: tuple[float, ...]
    chosen: tuple[tuple[str, int], ...]
    splits: int

    @property
    def mean(self) -> float:
        return float(np.mean(self.values)) if self.values else float("nan")

    @property
    def standard_error(self) -> float:
        """Of the mean; NaN for one split."""
        n = len(self.values)
        return float(np.std(self.values, ddof=1) / np.sqrt(n)) if n > 1 else float("nan")


def p_value(observed: float, values: tuple[float, ...], metric: str) -> float:
    """(1 + how many of the values are as good as the observed one) / (1 + how many there are).

    >>> p_value(0.2, (0.3, 0.2, 0.4), "hamming_loss"), p_value(0.2, (0.3, 0.2, 0.4), "macro_f1")
    (0.5, 1.0)
    """
    sign = 1.0 if lower_is_better(metric) else -1.0
    as_good = int((sign * np.asarray(values) <= sign * observed + ROUNDING).sum())
    return (1 + as_good) / (1 + len(values))


@checked
def random_features(
    explorer: Explorer, settings: AnswerSettings, result: MethodResult, draws: int
) -> Iterator[RandomComparison]:
    """Draw as many features as were chosen, again and again, on the same splits and under the same constraints."""
    ds, size, metric = explorer.ds, result.choice.size, settings.metric
    protocol = get_protocol(settings.protocol, sizes=(size,), every_size=False, metrics=(metric,))
    state = RandomComparison(metric, size, result.choice.mean, (), draws)
    for draw in range(draws):
        losses = []
        for repeat in range(len(result.explorations)):
            checkpoint()
            lots = make_selector("random", random_state=_lots(settings.seed, draw, repeat))
            evaluator = explorer.split(protocol, seed=settings.seed, repeat=repeat)
            selector = configured_selector(settings.constraints.around(lots), protocol, ds, settings.seed, repeat)
            losses.append(float(evaluator.measure(selector, protocol).values[0, 0]))
        state = replace(state, values=(*state.values, float(np.mean(losses))))
        yield state


@checked
def permutation_test(ds: Dataset, settings: AnswerSettings, permutations: int) -> Iterator[PermutationTest]:
    """Repeat everything on labels whose rows were permuted together: selection, number of features, method.

    Where features tell nothing about the labels, the true order of the rows is one like any other, so that a p-value of
    p or less comes up with chance p at most.
    """
    state = PermutationTest(settings.metric, choose_on(ds, settings, settings.measured)[1].mean, (), permutations)
    for number in range(permutations):
        order = np.random.default_rng([settings.seed, number, 1]).permutation(len(ds.Y))
        permuted = replace(ds, Y=ds.Y[order])
        value = choose_on(permuted, settings, settings.measured)[1].mean
        state = replace(state, values=(*state.values, value))
        yield state


@checked
def nested_estimate(explorer: Explorer, settings: AnswerSettings, optimistic: float) -> Iterator[NestedEstimate]:
    """Choose method and size on the training rows of each split alone, in folds of their own; judge on its test rows.

    Parameters
    ----------
    optimistic : the mean that is said beside it
    """
    protocol, metric = settings.measured, settings.metric
    inner = get_protocol(protocol, split="folds", folds=INNER_FOLDS, repeats=1, metrics=(metric,))
    state = NestedEstimate(metric, optimistic, (), (), protocol.n_splits)
    for repeat in range(protocol.n_splits):
        train = explorer.split(protocol, seed=settings.seed, repeat=repeat).train
        place, choice = choose_on(rows_of(explorer.ds, train), settings, inner)
        explored = explorer.explore(settings.choice(place), protocol, seed=settings.seed, repeat=repeat)
        curve = explored.curve.set_index("size")[metric]
        value = float(curve[max(size for size in curve.index if size <= choice.size)])
        state = replace(
            state,
            values=(*state.values, value),
            chosen=(*state.chosen, (settings.text(place), choice.size)),
        )
        yield state


def choose_on(ds: Dataset, settings: AnswerSettings, protocol: Protocol) -> tuple[int, SizeChoice]:
    """Which of the methods, and how many features, by a protocol on a data set: the choice that the answer makes.

    It keeps nothing, so that it can be made a thousand times.
    """
    splits = [SplitEvaluator(ds, rows) for rows in protocol.splits(ds, settings.seed)]
    sign = 1.0 if lower_is_better(settings.metric) else -1.0
    column = protocol.metrics.index(settings.metric)
    choices = []
    for place in range(len(settings.methods)):
        curves = []
        for repeat, evaluator in enumerate(splits):
            checkpoint()
            selector = configured_selector(settings.choice(place), protocol, ds, settings.seed, repeat)
            cell = evaluator.measure(selector, protocol)
            curves.append((cell.sizes, cell.values[:, column]))
        choices.append(choose_from_splits(curves, settings.metric, settings.rule))
    best = min(range(len(choices)), key=lambda place: (sign * choices[place].mean, choices[place].size))
    return best, choices[best]


def rows_of(ds: Dataset, rows: np.ndarray) -> Dataset:
    """Some rows of a data set, as one of its own."""
    return replace(ds, X=ds.X[rows], Y=ds.Y[rows], split=None)


def _lots(seed: int, draw: int, repeat: int) -> int:
    return int(np.random.default_rng([seed, draw, repeat]).integers(2**31))
