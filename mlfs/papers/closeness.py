"""How close each printed number comes out here: six classes, counted for each paper.

A number that does not come out is explained where an experiment of a question (`Question.explains`) gives it; what the
experiment gave is kept, and anybody can run it again by its command.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd

from mlfs.evaluation.protocols import PROTOCOLS
from mlfs.papers.findings import MeasuredNumbers
from mlfs.papers.paper import Paper, PublishedTable, get_paper
from mlfs.papers.published_vs_measured import is_of_times
from mlfs.papers.published_vs_measured_tables import rounding
from mlfs.papers.question import Question
from mlfs.wording import count, joined

#: A number counts as near within this, whatever the quantity.
NEAR_BY = 0.05
# Of two numbers that differ by floating point alone.
_EXACT = 1e-9
#: An experiment explains a number where it leaves at most this share of the difference.
LEFT_OVER = 0.1
WHERE = ["result", "metric", "dataset", "setting"]
COLUMNS = [
    *WHERE,
    "published",
    "published_std",
    "rounding",
    "measured",
    "difference",
    "closeness",
    "explained_by",
    "tried",
]
#: Two means of random splits differ by chance by at most so many standard errors of their difference.
STANDARD_ERRORS = 2.0
#: Of what a question explains; `low` and `high` are equal where its experiment gives one number.
EXPLAINED_COLUMNS = [*WHERE, "low", "high"]


class Closeness(StrEnum):
    """How close a measured number is to the printed one; the first that applies."""

    EQUAL = "equal to the printed digits"
    DEVIATION = "within the printed deviation"
    SPREAD = "within the spread of the splits"
    EXPLAINED = "explained by an experiment"
    NEAR = f"within {NEAR_BY:g}"
    APART = "unexplained"
    NOT_RUN = "not run"


#: What several papers together are called.
TOTAL = "all papers"
#: Those that count as reproduced or understood.
ACCOUNTED = (Closeness.EQUAL, Closeness.DEVIATION, Closeness.SPREAD, Closeness.EXPLAINED)
COMPARED = tuple(each for each in Closeness if each is not Closeness.NOT_RUN)

CLOSENESS_RULE = (
    "Every number of the paper's tables counts, but not times, which are another machine's, nor statistics over other "
    "data sets. It counts once, as the first of these that holds: equal after rounding to the printed digits; no "
    "farther away than the deviation that the paper prints beside it, one of 0.00 being below 0.005; where it prints "
    f"none and both are means over random splits, no farther than {STANDARD_ERRORS:g} standard errors of their "
    "difference, by the deviation of our splits; explained, where an experiment with one stated change gives the "
    f"printed number in one of these ways, leaves at most {LEFT_OVER:.0%} of the difference, or has it between the "
    f"least and the largest of its runs; within {NEAR_BY:g}; unexplained. What needs data that are not at hand is not "
    "run."
)


def closeness(paper: str, measured: MeasuredNumbers | None = None) -> pd.DataFrame:
    """The numbers of a paper's tables, each with how close it comes out, and what was tried where it does not come out
    and no experiment explains it; the columns are `COLUMNS`.

    Parameters
    ----------
    measured : the stored runs; those that ship where None

    >>> found = closeness("zhang_2020_grro").set_index(["dataset", "setting", "metric"])
    >>> print(found.loc[("emotions", "pmu", "macro_f1"), "closeness"])
    equal to the printed digits
    """
    declared, ours = get_paper(paper), measured or MeasuredNumbers(paper)
    parts = [_of_table(table, ours) for table in declared.tables if _counts(table)]
    if not parts:
        return pd.DataFrame(columns=COLUMNS)
    numbers = reduce(_with_question, _explaining(declared), pd.concat(parts, ignore_index=True).assign(explained_by=""))
    numbers = numbers.assign(closeness=_classes(numbers))
    return numbers.assign(tried=[_tried(declared, row) for row in numbers.itertuples()])[COLUMNS]


def not_equal(numbers: pd.DataFrame) -> pd.DataFrame:
    """Those of `closeness` that were measured and are not equal to the printed digits."""
    return numbers[~numbers["closeness"].isin([Closeness.EQUAL, Closeness.NOT_RUN])]


def _tried(paper: Paper, row: Any) -> str:
    """What was tried for a number that is measured, and neither equal nor explained."""
    if row.closeness in (Closeness.EQUAL, Closeness.EXPLAINED, Closeness.NOT_RUN):
        return ""
    return " ".join(trial.text for trial in paper.tried if trial.is_about(row.dataset, row.setting, row.metric))


def _counts(table: PublishedTable) -> bool:
    return not is_of_times(table) and not table.is_of_statistics


def _of_table(table: PublishedTable, measured: MeasuredNumbers) -> pd.DataFrame:
    """What a table prints, and beside it what was measured, if anything."""
    where = WHERE[1:]
    printed = table.rows[[*where, "value", "std", "text"]]
    printed = printed.rename(columns={"value": "published", "std": "published_std"})
    printed = printed[printed["published"].notna()]
    both = [measured.pairs(table.result, metric) for metric in table.metrics]
    ours = pd.concat(both)[[*where, "rounding", "measured", "difference", "std", "n"]]
    numbers = printed.merge(ours, how="left", on=where).assign(result=table.result)
    spread = difference_of_means(table.paper, numbers["std"], numbers["n"]).where(numbers["published_std"].isna())
    return numbers.assign(tolerance=tolerance(numbers["text"]), spread=numbers["rounding"] + spread)


def tolerance(texts: pd.Series) -> pd.Series:
    """How far a number may be from each printed one and still be it: half of its last digit, or its deviation.

    A deviation is rounded too: a printed one of 0.00 is below 0.005.

    >>> tolerance(pd.Series(["0.209", "0.9312 ± 0.02", "0.9312 ± 0.00"])).tolist()
    [0.0005, 0.02, 0.005]
    """
    deviations = [text.partition("±")[2].strip() for text in texts]
    allowed = [
        max(rounding(text), rounding(printed), float(printed or 0))
        for text, printed in zip(texts, deviations, strict=True)
    ]
    return pd.Series(allowed, index=texts.index, dtype=float)


def deviations(differences: pd.Series, texts: pd.Series) -> pd.Series:
    """How many times their `tolerance` numbers are from the printed ones: up to 1 they lie within it.

    >>> deviations(pd.Series([0.0, 0.01, -0.01]), pd.Series(["18", "0.9312 ± 0.02", "0.9312 ± 0.00"])).round(6).tolist()
    [0.0, 0.5, 2.0]
    """
    # Of a table without rows the columns hold objects.
    apart = (differences.astype(float).abs() - _EXACT).clip(lower=0.0)
    return (apart / tolerance(texts)).mask(apart == 0, 0.0)


def equal_digits(differences: pd.Series, texts: pd.Series) -> pd.Series:
    """Whether numbers are the printed ones after rounding to their digits.

    >>> equal_digits(pd.Series([0.00005, 0.00006]), pd.Series(["0.9312", "0.9312 ± 0.02"])).tolist()
    [True, False]
    """
    return differences.abs() <= texts.map(rounding) + _EXACT


def difference_of_means(paper: str, std: pd.Series, n: pd.Series) -> pd.Series:
    """How far our mean over n random splits may be by chance from that of the paper's own splits.

    Parameters
    ----------
    std : of our splits; that of the paper's is taken to be the same

    >>> difference_of_means("lee_kim_2016", pd.Series([0.01]), pd.Series([10])).round(4).tolist()
    [0.0089]
    """
    splits = PROTOCOLS[get_paper(paper).protocol].n_splits
    # Of a table that has no rows the columns hold objects.
    return STANDARD_ERRORS * std.astype(float) * np.sqrt(1 / splits + 1 / n.astype(float))


def _explaining(paper: Paper) -> Iterable[tuple[Question, pd.DataFrame]]:
    """The paper's questions that explain numbers, each with those that its stored experiment gives."""
    for question in paper.questions:
        if question.explains is not None:
            tables = question.stored().tables
            if any(len(table) for table in tables.values()):
                yield question, question.explains(tables, paper.id)[EXPLAINED_COLUMNS]


def _with_question(numbers: pd.DataFrame, explaining: tuple[Question, pd.DataFrame]) -> pd.DataFrame:
    """Mark what the experiment of one question explains and no question before it."""
    question, given = explaining
    both = numbers[WHERE].merge(given.drop_duplicates(WHERE), how="left", on=WHERE)
    published = numbers["published"].to_numpy()
    beyond = np.maximum(both["low"].to_numpy() - published, published - both["high"].to_numpy())
    left = LEFT_OVER * numbers["difference"].abs()
    allowed = pd.concat([numbers["tolerance"], left], axis=1).max(axis=1)
    explained = (beyond <= allowed + _EXACT) & (numbers["explained_by"] == "")
    return numbers.assign(explained_by=numbers["explained_by"].mask(explained, question.id))


def _classes(numbers: pd.DataFrame) -> np.ndarray:
    apart = numbers["difference"].abs()
    # What lies beyond a bound that the paper prints has no difference, and is as printed.
    equal = equal_digits(apart, numbers["text"]) | (apart.isna() & numbers["measured"].notna())
    tests = {
        Closeness.NOT_RUN: numbers["measured"].isna(),
        Closeness.EQUAL: equal,
        Closeness.DEVIATION: deviations(apart, numbers["text"]) <= 1,
        Closeness.SPREAD: apart <= numbers["spread"],
        Closeness.EXPLAINED: numbers["explained_by"] != "",
        Closeness.NEAR: apart <= NEAR_BY,
    }
    return np.select(list(tests.values()), [each.value for each in tests], Closeness.APART.value)


@dataclass(frozen=True)
class ClosenessCounts:
    """How many numbers of a paper are how close."""

    paper: str
    counts: Mapping[Closeness, int]

    @property
    def compared(self) -> int:
        """Those that were run."""
        return sum(self.counts[each] for each in COMPARED)

    @property
    def accounted(self) -> float:
        """The share of those that were run which are equal, within a deviation, or explained."""
        return sum(self.counts[each] for each in ACCOUNTED) / self.compared if self.compared else float("nan")

    @property
    def sentence(self) -> str:
        """In words, with what was not run."""
        if not self.compared:
            return "It prints no numbers to compare." if not self.counts[Closeness.NOT_RUN] else "No number was run."
        first, *others = [f"{self.counts[each]} {each}" for each in COMPARED if self.counts[each]]
        parts = joined([first.replace(" ", " is " if first.startswith("1 ") else " are ", 1), *others])
        left = self.counts[Closeness.NOT_RUN]
        not_run = f"; {left} more {'was' if left == 1 else 'were'} not run" if left else ""
        return f"Of {count(self.compared, 'number')} that were run, {parts}{not_run}."


def closeness_counts(paper: str, numbers: pd.DataFrame | None = None) -> ClosenessCounts:
    """How many numbers of a paper's tables are how close; `numbers` as `closeness` gives them, where they are known."""
    numbers = closeness(paper) if numbers is None else numbers
    counted = numbers["closeness"].value_counts()
    return ClosenessCounts(paper, {each: int(counted.get(each.value, 0)) for each in Closeness})


def total_counts(counted: Sequence[ClosenessCounts]) -> ClosenessCounts:
    """The numbers of several papers together.

    >>> total_counts([]).sentence
    'It prints no numbers to compare.'
    """
    return ClosenessCounts(TOTAL, {kind: sum(each.counts[kind] for each in counted) for kind in Closeness})


@dataclass(frozen=True)
class Explanation:
    """An experiment that explains numbers of a paper.

    Attributes
    ----------
    question, title : its id and what it asks
    numbers : how many it explains
    commands : by which its kept run was made, and is made again
    """

    question: str
    title: str
    numbers: int
    commands: tuple[str, ...]


def explanations(paper: str, numbers: pd.DataFrame | None = None) -> list[Explanation]:
    """The experiments that explain numbers of a paper, in the order of its questions; `numbers` as `closeness` gives
    them, where they are known."""
    numbers = closeness(paper) if numbers is None else numbers
    by = numbers.loc[numbers["closeness"] == Closeness.EXPLAINED, "explained_by"].value_counts()
    return [
        Explanation(asked.id, asked.title, int(by[asked.id]), tuple(line.command for line in asked.stored().runs))
        for asked in get_paper(paper).questions
        if asked.id in by
    ]
