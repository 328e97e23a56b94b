"""Which method: those of a shortlist, one after another, within a time that the person sets.

Every state on the way can be used: the best method of those that are done is known at any moment. As long as the time
is not used up the result is the same in every run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from types import MappingProxyType
from typing import Any, cast

import numpy as np
import pandas as pd

from mlfs.answer.size import SizeChoice, SizeRule, size_of
from mlfs.checks import checked
from mlfs.errors import MlfsError, ParameterError, did_you_mean
from mlfs.evaluation import Exploration, Explorer, Protocol, averaged, get_protocol
from mlfs.evaluation.protocols import Choice
from mlfs.metrics import METRICS, lower_is_better
from mlfs.selectors import Constraints, make_selector
from mlfs.selectors.specification import method_text, parse_method
from mlfs.stopping import CancelToken, GivenUp, checkpoint, current_stop, stoppable

#: Quick methods of two kinds that both avoid redundant features: a global system, and a forward search.
SHORTLIST = ("grro", "scls")
#: Every number of features where few decide most, and then steps of a fifth or so.
SIZES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 24, 28, 33, 40, 50)


def answer_protocol(**changes: Any) -> Protocol:
    """How the answer is measured unless something else is said: five folds, up to 50 features, ML-kNN on z-scores."""
    return get_protocol("quick", **{"split": "folds", "sizes": SIZES, "scaling": "z_score", **changes})


@dataclass(frozen=True)
class AnswerSettings:
    """What is asked.

    Attributes
    ----------
    methods : pairs of id and parameters
    protocol : how rankings are judged
    metric : by which size and method are chosen
    rule : for the number of features
    constraints : what every method has to respect
    seed : of splits, and of all that is drawn by lot
    """

    methods: tuple[tuple[str, Mapping[str, Any]], ...] = tuple((method, MappingProxyType({})) for method in SHORTLIST)
    protocol: Protocol = field(default_factory=answer_protocol)
    metric: str = "hamming_loss"
    rule: SizeRule = field(default_factory=SizeRule)
    constraints: Constraints = field(default_factory=Constraints)
    seed: int = 0

    @property
    def measured(self) -> Protocol:
        """The protocol, with the metric and the number of features that the rule asks for among what it measures."""
        protocol = self.protocol
        if self.metric not in protocol.metrics:
            protocol = get_protocol(protocol, metrics=(*protocol.metrics, self.metric))
        if self.rule.name == "number" and self.rule.number not in protocol.sizes and not protocol.every_size:
            protocol = get_protocol(protocol, sizes=(*protocol.sizes, self.rule.number))
        return protocol

    def choice(self, place: int) -> Choice:
        """One of the methods, as explorers take it."""
        method, parameters = self.methods[place]
        if not self.constraints:
            return method, parameters
        return self.constraints.around(make_selector(method, **parameters))

    def text(self, place: int) -> str:
        """One of the methods as a word, ``grro:alpha=10``."""
        return method_text(*self.methods[place])


@checked
def answer_settings(methods: Sequence[str | tuple[str, Mapping[str, Any]]] = SHORTLIST, **more: Any) -> AnswerSettings:
    """Settings with methods as ids, words such as ``grro:alpha=10`` or pairs; checked.

    >>> answer_settings(["els", "grro:alpha=10"]).methods[1]
    ('grro', {'alpha': 10.0})
    """
    pairs = tuple(parse_method(each) if isinstance(each, str) else (each[0], dict(each[1])) for each in methods)
    if not pairs:
        raise ParameterError("The answer needs at least one method.")
    for method, parameters in pairs:
        make_selector(method, **parameters)
    settings = AnswerSettings(methods=pairs, **more)
    if settings.metric not in METRICS:
        raise ParameterError(f"There is no metric {settings.metric!r}: {did_you_mean(settings.metric, METRICS)}")
    if not settings.protocol.sizes and not settings.protocol.every_size:
        raise ParameterError("The number of features is chosen among sizes: give some, such as 1,2,5,10.")
    return settings


@dataclass(frozen=True, eq=False)
class MethodResult:
    """A method of the shortlist, as far as it was run.

    Attributes
    ----------
    method, parameters : id, and what was set
    explorations : of the splits that are done
    splits : how many there are
    choice : the number of features by the rule
    """

    method: str
    parameters: Mapping[str, Any]
    explorations: tuple[Exploration, ...]
    splits: int
    choice: SizeChoice

    @property
    def complete(self) -> bool:
        return len(self.explorations) == self.splits

    @property
    def text(self) -> str:
        return method_text(self.method, self.parameters)

    @property
    def curve(self) -> pd.DataFrame:
        """Mean and standard deviation over the splits, one row per size."""
        return averaged(self.explorations)

    @property
    def seconds(self) -> float:
        """Of the selection on one split, the mean."""
        return float(np.mean([split.seconds for split in self.explorations]))


@dataclass(frozen=True, eq=False)
class ShortlistResult:
    """The methods that were run, as far as they were.

    Attributes
    ----------
    results : in the order of the shortlist
    failures : method → why it gave nothing
    asked : how many methods there are
    ended : "" while methods are left, "done", "budget" or "cancelled"
    """

    results: tuple[MethodResult, ...]
    failures: Mapping[str, str]
    asked: int
    ended: str = ""

    def table(self) -> pd.DataFrame:
        """One row per method."""
        rows = [
            {
                "method": result.text,
                "splits": len(result.explorations),
                "features": result.choice.size,
                "mean": result.choice.mean,
                "best size": result.choice.best_size,
                "best mean": result.choice.best_mean,
            }
            for result in self.results
        ]
        return pd.DataFrame(rows)

    @property
    def best(self) -> MethodResult:
        """The method with the best mean at its chosen size; of equals that with fewer features, then the first.

        Methods that were run on all splits go before those that were not.
        """
        if not self.results:
            reasons = "; ".join(f"{method}: {reason}" for method, reason in self.failures.items())
            raise ParameterError(f"No method gave a result. {reasons}" if reasons else "No method has been run yet.")
        sign = 1.0 if lower_is_better(self.results[0].choice.metric) else -1.0
        return min(
            self.results,
            key=lambda result: (-len(result.explorations), sign * result.choice.mean, result.choice.size),
        )


class _AnyStop:
    """Set once one of several tokens is, or the time is over; `Event`-like, as `stoppable` asks for."""

    def __init__(self, tokens: Sequence[CancelToken | None], over: Callable[[], bool]) -> None:
        self.tokens, self.over = [token for token in tokens if token is not None], over

    def is_set(self) -> bool:
        return self.cancelled() or self.over()

    def cancelled(self) -> bool:
        return any(token.is_set() for token in self.tokens)


@checked
def run_methods(
    explorer: Explorer,
    settings: AnswerSettings,
    *,
    budget: float | None = None,
    cancel: CancelToken | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[ShortlistResult]:
    """Run the methods of a shortlist, split after split; a state after each of them, the last with how it ended.

    Parameters
    ----------
    budget : seconds; the first split of the first method is waited for even where it takes longer
    cancel : ends the work at its next checkpoint once it is set; what is done stays
    """
    protocol, outer, start = settings.measured, current_stop(), clock()
    results: list[MethodResult] = []
    failures: dict[str, str] = {}

    def over() -> bool:
        return budget is not None and bool(results) and clock() - start >= budget

    stop = _AnyStop([outer, cancel], over)

    def state(ended: str = "") -> ShortlistResult:
        return ShortlistResult(tuple(results), dict(failures), len(settings.methods), ended)

    for place, (method, parameters) in enumerate(settings.methods):
        explorations: list[Exploration] = []
        for repeat in range(protocol.n_splits):
            try:
                with stoppable(cast(Event, stop)):
                    checkpoint()
                    explored = explorer.explore(settings.choice(place), protocol, seed=settings.seed, repeat=repeat)
                explorations.append(explored)
                choice = size_of(explorations, settings.metric, settings.rule)
            except GivenUp:
                if outer is not None and outer.is_set():
                    raise
                yield state("cancelled" if stop.cancelled() else "budget")
                return
            except (MlfsError, ValueError) as problem:
                failures[settings.text(place)] = " ".join(str(problem).split())
                results[:] = [result for result in results if result.text != settings.text(place)]
                break
            results[:] = [result for result in results if result.text != settings.text(place)]
            results.append(MethodResult(method, parameters, tuple(explorations), protocol.n_splits, choice))
            last = place + 1 == len(settings.methods) and repeat + 1 == protocol.n_splits
            yield state("done" if last else "")
    if failures and settings.text(len(settings.methods) - 1) in failures:
        yield state("done")
