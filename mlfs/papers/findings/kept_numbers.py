"""The kept runs of a paper, as the sentences about it ask for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from mlfs.metrics import METRICS
from mlfs.papers.beside import RankAgreement, beside, rank_agreement
from mlfs.papers.kept_runs import kept
from mlfs.results import setting_title


class NothingKept(Exception):
    """A sentence needs numbers that no kept run has."""


@dataclass(frozen=True)
class KeptNumbers:
    """Reads the kept runs of one paper."""

    paper: str
    folder: Path | None = None
    # Several sentences are about one result: its file is read once.
    _read: dict[str, pd.DataFrame] = field(default_factory=dict, compare=False, repr=False)

    def rows(self, result: str, *datasets: str) -> pd.DataFrame:
        """The kept rows of a result, of these data sets where any are named; every one of them must be there."""
        if result not in self._read:
            self._read[result] = kept(self.paper, result, self.folder)
        found = self._read[result]
        if datasets:
            found = found[found["dataset"].isin(datasets)]
        if found.empty or set(datasets) - set(found["dataset"]):
            raise NothingKept(result)
        return found

    def both(self, result: str, metric: str | None = None) -> pd.DataFrame:
        """Published and measured numbers of a table, as `beside` gives them, where there are both."""
        found = beside(self.paper, result.removeprefix("table"), self.rows(result), metric)
        found = found[found["measured"].notna() & found["published"].notna()]
        if found.empty:
            raise NothingKept(result)
        return found

    def agreement(self, result: str, metric: str | None = None) -> RankAgreement:
        """How far the ranks of a table agree."""
        found = rank_agreement(self.paper, result.removeprefix("table"), self.rows(result), metric)
        if found is None:
            raise NothingKept(result)
        return found

    def times(self, result: str, own: str) -> pd.DataFrame:
        """Setting → published and measured times as multiples of the paper's own method, medians over the data sets."""
        both = self.both(result)
        return both[both["setting"] != own].groupby("setting", sort=False)[["published", "measured"]].median()

    def curves(self, result: str, dataset: str, metric: str) -> pd.DataFrame:
        """Sizes × settings of a figure, at the sizes that all settings have."""
        rows = self.rows(result, dataset)
        grid = rows[rows["metric"] == metric].pivot_table("value", "size", "setting", sort=False).dropna()
        if grid.empty:
            raise NothingKept(result)
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
    '75 %'
    """
    return f"{100 * better.mean():.0f} %"
