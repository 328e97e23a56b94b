"""The answer as a whole: method, number, features, and how far to trust them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Any, TypeVar, cast

from mlfs.answer.features import FeatureSelection, final_selection
from mlfs.answer.shortlist import AnswerSettings, MethodResult, ShortlistResult, run_methods
from mlfs.answer.size import edge_note
from mlfs.answer.validation import (
    NestedEstimate,
    PermutationTest,
    RandomComparison,
    nested_estimate,
    permutation_test,
    random_features,
)
from mlfs.checks import checked
from mlfs.datasets import Dataset
from mlfs.evaluation import Explorer, averaged_baseline
from mlfs.stopping import CancelToken, GivenUp, checkpoint, current_stop, stoppable
from mlfs.wording import count

DRAWS = 10
State = TypeVar("State")
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, eq=False)
class Recommendation:
    """Which features to keep.

    Attributes
    ----------
    ds, settings : what was asked
    shortlist : the methods that were run
    selection : the features, of the best of them
    baseline : metric → value with all features, the mean over the splits
    random, permutation, nested : how real it is, as far as it was asked for and computed
    stopped : whether something that was asked for is missing
    """

    ds: Dataset
    settings: AnswerSettings
    shortlist: ShortlistResult
    selection: FeatureSelection
    baseline: dict[str, float] = field(default_factory=dict)
    random: RandomComparison | None = None
    permutation: PermutationTest | None = None
    nested: NestedEstimate | None = None
    stopped: bool = False

    @property
    def best(self) -> MethodResult:
        return self.shortlist.best

    @property
    def notes(self) -> list[str]:
        """What the person should know, each a sentence."""
        choice, notes = self.best.choice, list(self.selection.selector.notes_)
        most = max(self.best.explorations[0].curve["size"])
        notes += edge_note(choice, most, self.ds.X.shape[1])
        if choice.splits < 2 and choice.rule.name == "one_standard_error":
            notes.append("With one split there is no standard error: the size with the best value was taken.")
        if choice.splits < self.best.splits:
            notes.append(f"{self.best.text} was measured on {choice.splits} of the {self.best.splits} splits.")
        left = self.shortlist.asked - sum(result.complete for result in self.shortlist.results)
        left -= len(self.shortlist.failures)
        if left:
            why = "time ran out" if self.shortlist.ended == "budget" else "it was stopped"
            notes.append(f"{count(left, 'method')} of {self.shortlist.asked} were not run on all splits: {why}.")
        if self.random is not None and self.random.values and self.random.p_value > 0.5:
            notes.append(
                f"The same number of random features does as well or better in {self.random.p_value:.0%} of the draws: "
                "on these data this selection is no better than chance. Try a method that avoids redundant features."
            )
        notes += [f"{method}: {reason}" for method, reason in self.shortlist.failures.items()]
        return notes


@checked
def conclude(explorer: Explorer, settings: AnswerSettings, shortlist: ShortlistResult) -> Recommendation:
    """The recommendation that the methods run so far lead to: the best of them, fitted on all rows."""
    best = shortlist.best
    selection = final_selection(explorer.ds, settings, best)
    return Recommendation(explorer.ds, settings, shortlist, selection, averaged_baseline(best.explorations))


@checked
def answer(
    ds: Dataset | Explorer,
    settings: AnswerSettings | None = None,
    *,
    budget: float | None = None,
    draws: int = DRAWS,
    permutations: int = 0,
    nested: bool = False,
    progress: Progress | None = None,
    partial: Callable[[Recommendation], None] | None = None,
    cancel: CancelToken | None = None,
) -> Recommendation:
    """Which features to keep, how many, by which method, and whether it is real.

    Parameters
    ----------
    ds : a data set, or an explorer of it, whose earlier results are then used
    settings : as `answer_settings` makes them
    budget : seconds for the methods of the shortlist
    draws : random sets of features to compare with
    permutations : of the labels, each with the whole selection again
    nested : choose method and size inside each training part too, for an honest estimate
    progress : called with steps done, steps in all, and what was done last
    partial : called with the recommendation as it grows
    cancel : once it is set, what is there is returned

    Examples
    --------
    >>> from mlfs.answer import answer, answer_settings
    >>> from mlfs.datasets import make_synthetic
    >>> found = answer(make_synthetic(n_instances=200, seed=1), answer_settings(["els"]), draws=5)
    >>> found.best.text, len(found.selection.names) == found.best.choice.size
    ('els', True)
    """
    explorer = ds if isinstance(ds, Explorer) else Explorer(ds)
    settings = settings or AnswerSettings()
    splits = settings.measured.n_splits
    steps = _Steps(len(settings.methods) * splits + draws + permutations + nested * splits, progress)
    shortlist = ShortlistResult((), {}, len(settings.methods))
    for shortlist in run_methods(explorer, settings, budget=budget, cancel=cancel):
        if shortlist.results:
            latest = shortlist.results[-1]
            steps.note(f"{latest.text}, split {len(latest.explorations)}")
    recommendation = conclude(explorer, settings, shortlist)
    stop = _Cancelled(cancel)
    for name, states, text in _checks(explorer, settings, recommendation, draws, permutations, nested):
        for state in stop.until_cancelled(states):
            recommendation = replace(recommendation, **{name: state})
            steps.note(text)
            if partial is not None:
                partial(recommendation)
    return replace(recommendation, stopped=shortlist.ended != "done" or stop.happened)


def _checks(
    explorer: Explorer,
    settings: AnswerSettings,
    recommendation: Recommendation,
    draws: int,
    permutations: int,
    nested: bool,
) -> Iterator[tuple[str, Iterator[Any], str]]:
    """What is asked for: the attribute that holds it, its states, and what a line of progress calls a step."""
    if draws:
        yield "random", random_features(explorer, settings, recommendation.best, draws), "random features"
    if nested:
        yield "nested", nested_estimate(explorer, settings, recommendation.best.choice.mean), "nested choice"
    if permutations:
        yield "permutation", permutation_test(explorer.ds, settings, permutations), "permuted labels"


class _Steps:
    """Counts steps for a line of progress."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.done, self.total, self.progress = 0, total, progress

    def note(self, text: str) -> None:
        self.done += 1
        if self.progress is not None:
            self.progress(min(self.done, self.total), self.total, text)


class _Cancelled:
    """Takes states until a token is set; what a job around it gives up is given up."""

    def __init__(self, cancel: CancelToken | None) -> None:
        self.cancel, self.happened = cancel, False

    def until_cancelled(self, states: Iterator[State]) -> Iterator[State]:
        outer = current_stop()
        while True:
            try:
                checkpoint()
                with stoppable(cast(Event, self.cancel) if self.cancel is not None else outer):
                    checkpoint()
                    state = next(states)
            except StopIteration:
                return
            except GivenUp:
                if outer is not None and outer.is_set():
                    raise
                self.happened = True
                return
            yield state
