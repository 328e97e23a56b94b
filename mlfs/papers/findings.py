"""What of each paper agrees with our own runs, what does not, and the likely reason, made of stored numbers.

A paper's `findings.py` has functions, each from its `MeasuredNumbers` to a `Finding`, and names them in `FINDINGS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import pandas as pd

from mlfs.metrics import METRICS
from mlfs.papers.agreement import Agreement, reproduced
from mlfs.papers.paper import declared_in, get_paper, get_table
from mlfs.papers.published_vs_measured import side_by_side
from mlfs.papers.published_vs_measured_tables import pairs
from mlfs.papers.ranks import RankAgreement, rank_agreement
from mlfs.papers.stored_runs import stored_rows
from mlfs.results import setting_title

T = TypeVar("T")


class NotMeasured(Exception):
    """A finding needs numbers that no stored run has."""


@dataclass(frozen=True)
class Finding:
    """One thing a paper says, or that is to be known about it, and what our numbers say of it.

    Attributes
    ----------
    claim : in a few words, without a full stop
    evidence : the numbers, in sentences
    verdict : whether the claim holds here, computed from the numbers; None of a remark, which claims nothing
    results : the tables and figures that it is about
    """

    claim: str
    evidence: str
    verdict: Agreement | None = None
    results: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.claim}. {self.evidence}"


@dataclass(frozen=True)
class MeasuredNumbers:
    """Reads the stored runs of one paper, and compares them with what it prints, each once."""

    paper: str
    folder: Path | None = None
    # Several findings, and the verdict, are about one result.
    _rows: dict[str, pd.DataFrame] = field(default_factory=dict, compare=False, repr=False)
    _known: dict[tuple[str, ...], object] = field(default_factory=dict, compare=False, repr=False)

    def _once(self, what: str, compute: Callable[..., T], result: str, *metric: str | None) -> T:
        key = (what, result, *map(str, metric))
        if key not in self._known:
            self._known[key] = compute(self.paper, result, self.stored(result), *metric)
        return self._known[key]  # type: ignore[return-value]

    def stored(self, result: str) -> pd.DataFrame:
        """The stored rows of a result; none where no run was stored."""
        if result not in self._rows:
            self._rows[result] = stored_rows(self.paper, result, self.folder)
        return self._rows[result]

    def side_by_side(self, result: str, metric: str | None = None) -> pd.DataFrame:
        return self._once("side by side", side_by_side, result, metric)

    def pairs(self, result: str, metric: str | None = None) -> pd.DataFrame:
        return self._once("pairs", pairs, result, metric)

    def rank_agreement(self, result: str, metric: str | None = None) -> RankAgreement | None:
        return self._once("ranks", rank_agreement, result, metric)

    def rows(self, result: str, *datasets: str) -> pd.DataFrame:
        """The stored rows of a result, of these data sets where any are named; every one of them must be there."""
        rows = self.stored(result)
        if datasets:
            rows = rows[rows["dataset"].isin(datasets)]
        if rows.empty or set(datasets) - set(rows["dataset"]):
            raise NotMeasured(result)
        return rows

    def both(self, result: str, metric: str | None = None) -> pd.DataFrame:
        """Published and measured numbers of a table, as `side_by_side` gives them, where there are both."""
        self.rows(result)
        both = self.side_by_side(result, metric)
        both = both[both["measured"].notna() & both["published"].notna()]
        if both.empty:
            raise NotMeasured(result)
        return both

    def reproduced(self, result: str, metric: str | None = None) -> pd.DataFrame:
        """The pairs of a table as `published_vs_measured_tables.pairs` gives them, with a column ``reproduced``."""
        self.rows(result)
        both = self.pairs(result, metric)
        both = both[both["published"].notna()]
        if both.empty:
            raise NotMeasured(result)
        return both.assign(reproduced=reproduced(both, get_table(self.paper, result)))

    def agreement(self, result: str, metric: str | None = None) -> RankAgreement:
        """How far the ranks of a table agree."""
        self.rows(result)
        agreement = self.rank_agreement(result, metric)
        if agreement is None:
            raise NotMeasured(result)
        return agreement

    def times(self, result: str, method: str) -> pd.DataFrame:
        """Setting → published and measured times as multiples of the paper's own method, medians over the data sets."""
        both = self.both(result)
        return both[both["setting"] != method].groupby("setting", sort=False)[["published", "measured"]].median()

    def curves(self, result: str, dataset: str, metric: str) -> pd.DataFrame:
        """Sizes × settings of a figure, at the sizes that all settings have."""
        rows = self.rows(result, dataset)
        grid = rows[rows["metric"] == metric].pivot_table("value", "size", "setting", sort=False).dropna()
        if grid.empty:
            raise NotMeasured(result)
        return grid.sort_index()


def listed(values: pd.Series, write: Callable[[float], str]) -> str:
    """Names with their numbers; methods and metrics by the name that people read.

    >>> listed(pd.Series({"yeast": 0.25, "els": 0.5}), "{:.2f}".format)
    'yeast 0.25, ELS 0.50'
    """
    return ", ".join(f"{_title(str(name))} {write(value)}" for name, value in values.items())


def _title(name: str) -> str:
    return METRICS[name].title if name in METRICS else setting_title(name)


def percent_of_sizes(better: pd.Series) -> str:
    """
    >>> percent_of_sizes(pd.Series([True, True, False, True]))
    '75%'
    """
    return f"{100 * better.mean():.0f}%"


def findings(paper: str, folder: Path | None = None) -> list[Finding]:
    """What was found of a paper; what needs numbers that were not stored is left out."""
    return findings_of(MeasuredNumbers(paper, folder))


def findings_of(numbers: MeasuredNumbers) -> list[Finding]:
    """What was found of a paper, by numbers that others use too."""
    claims = []
    for finding in declared_in(get_paper(numbers.paper).package, "findings", ()):
        try:
            claims.append(finding(numbers))
        except (NotMeasured, KeyError):  # of a table that is there, a method or data set may be missing
            continue
    return claims
