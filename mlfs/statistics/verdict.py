"""One question, one answer: Friedman's test and the post-hoc test that was asked for, and what may be concluded."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pandas as pd

from mlfs.checks import checked, described
from mlfs.errors import ParameterError, did_you_mean
from mlfs.statistics.checks import TableLike, checked_alpha, checked_table
from mlfs.statistics.cliques import Cliques
from mlfs.statistics.friedman import FriedmanResult, friedman
from mlfs.statistics.post_hoc import bonferroni_dunn, nemenyi
from mlfs.statistics.wilcoxon_holm import wilcoxon_holm
from mlfs.wording import joined

#: The tests that say which methods differ, and what people call them.
TESTS = {"nemenyi": "Nemenyi", "bonferroni_dunn": "Bonferroni–Dunn", "wilcoxon_holm": "Wilcoxon–Holm"}
PAIR_COLUMNS = ["method", "against", "p_value", "differs"]


@dataclass(frozen=True, eq=False)
class Verdict:
    """What was found out about the methods of one table.

    Attributes
    ----------
    test, alpha, control : as they were asked for
    friedman : FriedmanResult or None
        None where there are only two methods, which it cannot rank.
    average_ranks : Series by method
        The best first.
    means : Series by method
        Over the data sets, in the same order.
    critical_difference : float or None
        None for Wilcoxon–Holm, which has none.
    pairs : DataFrame
        With the columns method (the better ranked, or the control), against, p_value (adjusted for the number of
        comparisons) and differs; the smallest p first.
    groups : tuple of tuples of methods
        Those that a bar of the diagram joins; none with a control.
    notes : tuple of str
        What the reader should know, each a sentence.
    """

    test: str
    alpha: float
    control: Hashable | None
    friedman: FriedmanResult | None
    average_ranks: pd.Series
    means: pd.Series
    critical_difference: float | None
    pairs: pd.DataFrame
    groups: Cliques
    notes: tuple[str, ...]

    @property
    def differ_at_all(self) -> bool:
        """Whether Friedman's test lets the post-hoc test speak; Wilcoxon–Holm needs no leave."""
        return self.test == "wilcoxon_holm" or (self.friedman is not None and self.friedman.p_value <= self.alpha)


def judge(
    table: TableLike,
    test: str = "nemenyi",
    *,
    control: Hashable | None = None,
    lower_is_better: bool = True,
    alpha: float = 0.05,
    tie_correction: bool = True,
) -> Verdict:
    """Test a table of data sets × methods.

    Parameters
    ----------
    table : DataFrame, mapping or array
        Data sets × methods.
    test : {"nemenyi", "bonferroni_dunn", "wilcoxon_holm"}
        All pairs; all against `control`; all pairs by themselves.
    control : name of a method, optional
        For Bonferroni–Dunn, and only for it.
    lower_is_better : bool
    alpha : float
    tie_correction : bool
        Of Friedman's test, as `friedman` takes it.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> table = pd.DataFrame({"els": [1, 1, 1, 1, 1, 2], "fimf": [2, 2, 3, 2, 2, 1], "mfs": [3, 3, 2, 3, 3, 3]})
    >>> verdict = judge(table)
    >>> verdict.groups, verdict.pairs[verdict.pairs["differs"]].to_dict("records")[0]["against"]
    ((('els', 'fimf'), ('fimf', 'mfs')), 'mfs')
    """
    if not isinstance(test, str) or test not in TESTS:
        raise ParameterError(f"Unknown test {described(test)}: {did_you_mean(str(test), TESTS)}")
    if (test == "bonferroni_dunn") != (control is not None):
        raise ParameterError("Bonferroni–Dunn, and it alone, compares with one method: name it as the control.")
    frame, alpha = checked_table(table), checked_alpha(alpha)
    two = test == "wilcoxon_holm" and frame.shape[1] == 2
    ranked = None if two else friedman(frame, lower_is_better, tie_correction=tie_correction)
    cd: float | None = None
    groups: Cliques = ()
    if test == "wilcoxon_holm" or ranked is None:
        alone = wilcoxon_holm(frame, lower_is_better, alpha)
        ranks, notes, groups = alone.average_ranks, alone.notes, alone.cliques
        pairs = _pairs(ranks, alone.adjusted_p_values, alone.significant)
    elif test == "nemenyi":
        all_pairs = nemenyi(ranked, alpha)
        ranks, notes, groups = ranked.average_ranks, ranked.notes, all_pairs.cliques
        pairs, cd = _pairs(ranks, all_pairs.p_values, all_pairs.significant), all_pairs.critical_difference
    else:
        against = bonferroni_dunn(ranked, control, alpha)
        ranks, notes, cd = ranked.average_ranks, ranked.notes, against.critical_difference
        pairs = [(control, name, against.p_values[name], against.significant[name]) for name in against.p_values.index]
    differences = pd.DataFrame(pairs, columns=PAIR_COLUMNS).astype({"p_value": float, "differs": bool})
    differences = differences.sort_values("p_value", kind="stable", ignore_index=True)
    order = ranks.sort_values(kind="stable")
    return Verdict(test, alpha, control, ranked, order, frame[order.index].mean(), cd, differences, groups, notes)


@checked
def conclusion(verdict: Verdict, name: Callable[[Any], str] = str) -> str:
    """What may be concluded, in a sentence or two.

    Parameters
    ----------
    verdict : Verdict
    name : callable
        Says what people call a method.

    Returns
    -------
    str

    Examples
    --------
    >>> table = pd.DataFrame({"els": [1, 1, 1, 1, 1, 2], "fimf": [2, 2, 3, 2, 2, 1], "mfs": [3, 3, 2, 3, 3, 3]})
    >>> conclusion(judge(table))
    'At α = 0.05 els ranks better than mfs; no other difference is significant.'
    """
    at = f"At α = {verdict.alpha:g}"
    if not verdict.differ_at_all:
        assert verdict.friedman is not None
        return (
            f"{at} no difference is significant: Friedman's test finds none between the methods "
            f"(p = {verdict.friedman.p_value:.3g}), so that {TESTS[verdict.test]}'s verdicts on pairs do not count."
        )
    shown = verdict.pairs[verdict.pairs["differs"]]
    if shown.empty:
        friedman_says = "" if verdict.test == "wilcoxon_holm" else "the methods differ (Friedman), but "
        whom = f"{name(verdict.control)} and any other method" if verdict.control is not None else "any pair of methods"
        return f"{at} {friedman_says}no difference between {whom} is significant ({TESTS[verdict.test]})."
    if verdict.control is not None:
        return f"{at} {_of_control(verdict, shown, name)}"
    sentences = [_difference(verdict.test, better, worse, name) for better, worse in _alike(verdict, shown)]
    rest = "" if len(shown) == len(verdict.pairs) else "; no other difference is significant"
    return f"{at} {'; '.join(sentences)}{rest}."


def _of_control(verdict: Verdict, shown: pd.DataFrame, name: Callable[[Any], str]) -> str:
    """What is shown of the control: whom it is better than, worse than, and nothing."""
    ranks = verdict.average_ranks
    others = [other for other in ranks.index if other != verdict.control]
    differs = set(shown["against"])
    better = [name(o) for o in others if o in differs and ranks[o] > ranks[verdict.control]]
    worse = [name(o) for o in others if o in differs and ranks[o] < ranks[verdict.control]]
    alike = [name(o) for o in others if o not in differs]
    differences = [f"better than {joined(better)}"] * bool(better) + [f"worse than {joined(worse)}"] * bool(worse)
    rest = f"; its difference from {joined(alike)} is not significant" if alike else ""
    return f"{name(verdict.control)} ranks {joined(differences)}{rest}."


def _alike(verdict: Verdict, shown: pd.DataFrame) -> list[tuple[list[Any], list[Any]]]:
    """Methods that differ from the same worse ones, told together; the best first."""
    order = list(verdict.average_ranks.index)
    groups: dict[tuple[Any, ...], list[Any]] = {}
    for better in order:
        worse = {other for method, other in zip(shown["method"], shown["against"], strict=True) if method == better}
        if worse:
            groups.setdefault(tuple(other for other in order if other in worse), []).append(better)
    return [(better, list(worse)) for worse, better in groups.items()]


def _difference(test: str, better: list[Any], worse: list[Any], name: Callable[[Any], str]) -> str:
    # Wilcoxon's test of a pair says nothing of ranks.
    singular, plural, than = (
        ("differs", "differ", "from") if test == "wilcoxon_holm" else ("ranks", "rank", "better than")
    )
    return f"{joined(map(name, better))} {plural if len(better) > 1 else singular} {than} {joined(map(name, worse))}"


def _pairs(ranks: pd.Series, p_values: pd.DataFrame, significant: pd.DataFrame) -> list[tuple[Any, Any, Any, Any]]:
    order = ranks.sort_values(kind="stable").index
    return [(a, b, p_values.loc[a, b], significant.loc[a, b]) for a, b in combinations(order, 2)]
