"""The order of the methods in a table: the papers' rank tests once more, and how far our own numbers agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mlfs.checks import checked
from mlfs.errors import MlfsError, ParameterError
from mlfs.metrics import quantity
from mlfs.papers.paper import PublishedTable, get_paper, get_table
from mlfs.papers.published import as_grid, chosen_metric
from mlfs.papers.published_numbers import published_numbers
from mlfs.papers.published_vs_measured import side_by_side
from mlfs.statistics import FriedmanResult, bonferroni_dunn, critical_difference, friedman, nemenyi

#: Methods, and data sets, that a diagram needs.
FEWEST = 3


@dataclass(frozen=True, eq=False)
class RankTest:
    """A rank test of the numbers of a table, published or measured.

    ``friedman`` and ``critical_difference`` are computed; ``printed_F``, ``printed_critical_value`` and
    ``printed_critical_difference`` are the paper's own, None where it prints none of these very data sets. Published
    values are rounded, so that they need not agree.
    """

    metric: str
    test: str
    control: str | None
    alpha: float
    friedman: FriedmanResult
    critical_difference: float
    printed_F: float | None = None
    printed_critical_value: float | None = None
    printed_critical_difference: float | None = None

    @property
    def average_ranks(self) -> pd.Series:
        return self.friedman.average_ranks

    @property
    def differing(self) -> tuple[tuple[str, str], ...]:
        """Pairs of methods that the test tells apart, the better one first; with a control, pairs with it only."""
        ranks = self.average_ranks.sort_values(kind="stable")
        if self.control is not None:
            significant = bonferroni_dunn(self.friedman, self.control, self.alpha).significant
            pairs = [(self.control, other) for other in ranks.index.drop(self.control) if significant[other]]
            return tuple((a, b) if ranks[a] <= ranks[b] else (b, a) for a, b in pairs)
        table = nemenyi(self.friedman, self.alpha).significant
        names = list(ranks.index)
        return tuple((a, b) for i, a in enumerate(names) for b in names[i + 1 :] if table.loc[a, b])


@checked
def published_ranks(paper: str, table: str | int, metric: str | None = None, *, alpha: float = 0.05) -> RankTest:
    """Test a published table as its paper does.

    >>> ranks = published_ranks("lee_kim_2016", 5)
    >>> ranks.differing, round(ranks.friedman.F, 3), ranks.printed_F
    ((('els', 'all_features'),), 5.735, 5.506)
    """
    declared = get_table(paper, table)
    if declared.rank_test is None:
        tested = [other.number for other in get_paper(paper).tables if other.rank_test is not None]
        where = f"choose table {' or '.join(tested)}" if tested else "none of its tables has one"
        raise ParameterError(f"{paper} makes no rank test of its table {declared.number}: {where}.")
    metric = chosen_metric(declared, metric)
    return _rank_test(declared, as_grid(paper, table, metric), metric, alpha)


def _rank_test(like: PublishedTable, grid: pd.DataFrame, metric: str, alpha: float) -> RankTest:
    """Data sets × methods tested as the paper tests a table, or by Nemenyi where it makes no test."""
    test = like.rank_test or "nemenyi"
    # As the papers compute it.
    result = friedman(grid, quantity(metric).lower_is_better is not False, tie_correction=False)
    critical = critical_difference(result.k, result.n, alpha, test)
    whole = like.rank_test is not None and metric in like.metrics and len(grid) == len(like.datasets)
    return RankTest(metric, test, like.control, alpha, result, critical, **_printed(like, metric) if whole else {})


def _printed(like: PublishedTable, metric: str) -> dict[str, float]:
    """The statistics that the paper prints of this metric, in a table and in its text."""
    rows = published_numbers(like.folder, like.paper)
    statistics = {"friedman_F": "F", "critical_value": "critical_value", "critical_difference": "critical_difference"}
    printed = rows[rows["metric"].isin(statistics) & rows["tested"].isin(["", metric])]
    return {f"printed_{statistics[row.metric]}": float(row.value) for row in printed.itertuples()}


@dataclass(frozen=True, eq=False)
class RankAgreement:
    """How far the measured order of the methods is the published one.

    Attributes
    ----------
    ranks : one row per method: average rank as published and as measured, over the same data sets
    spearman, kendall : correlations of these two columns; NaN where one of them has no order
    by_dataset : the same correlations on each data set alone, and the number of its methods
    datasets : those that count
    """

    ranks: pd.DataFrame
    spearman: float
    kendall: float
    by_dataset: pd.DataFrame
    datasets: tuple[str, ...]


def rank_agreement(
    paper: str, table: str | int, measured_rows: pd.DataFrame, metric: str | None = None
) -> RankAgreement | None:
    """Compare the ranks of the methods, over the data sets on which all methods have both numbers.

    None where the table has no better and worse, fewer than two methods, or no such data set.
    """
    declared = get_table(paper, table)
    grids = _two_grids(declared, measured_rows, metric)
    if grids is None:
        return None
    lower = quantity(chosen_metric(declared, metric)).lower_is_better
    printed, ours = (grid.rank(axis=1, ascending=lower is not False) for grid in grids)
    ranks = pd.DataFrame({"published": printed.mean(), "measured": ours.mean()}).rename_axis("setting")
    alone = [
        {"dataset": name, **_correlations(printed.loc[name], ours.loc[name]), "methods": printed.shape[1]}
        for name in printed.index
    ]
    overall = _correlations(ranks["published"], ranks["measured"])
    names = tuple(map(str, printed.index))
    return RankAgreement(ranks, overall["spearman"], overall["kendall"], pd.DataFrame(alone), names)


@dataclass(frozen=True, eq=False)
class RankTests:
    """The rank test of the published and of the measured numbers, on the same data sets, for two diagrams.

    Where there are none, ``reason`` says why.
    """

    published: RankTest | None
    measured: RankTest | None
    datasets: tuple[str, ...]
    reason: str = ""


def rank_tests(
    paper: str, table: str | int, measured_rows: pd.DataFrame, metric: str | None = None, *, alpha: float = 0.05
) -> RankTests:
    """Test published and measured numbers alike; of a metric that the table does not print, the measured ones only."""
    declared = get_table(paper, table)
    if metric is None or metric in declared.metrics:
        grids = _two_grids(declared, measured_rows, metric)
        if grids is None or grids[0].shape[1] < FEWEST:
            return RankTests(None, None, (), "The table does not rank three methods or more.")
        metric, (printed, ours) = chosen_metric(declared, metric), grids
    else:
        rows = measured_rows[measured_rows["metric"] == metric]
        printed, ours = None, rows.pivot_table("value", "dataset", "setting", sort=False).dropna()
    names = tuple(map(str, ours.index))
    if len(names) < FEWEST:
        why = f"A diagram needs {FEWEST} data sets with all methods; there are {len(names)}."
        return RankTests(None, None, names, why)
    try:
        theirs = None if printed is None else _rank_test(declared, printed, metric, alpha)
        return RankTests(theirs, _rank_test(declared, ours, metric, alpha), names)
    except MlfsError as problem:  # a run that was stopped early has too few methods
        return RankTests(None, None, names, str(problem))


def figure_ranks(paper: str, measured_rows: pd.DataFrame, metric: str, *, alpha: float = 0.05) -> RankTests:
    """The tests behind one diagram of a figure: of the table that prints the metric, or tested like such a table."""
    ranked = [table for table in get_paper(paper).tables if table.rank_test]
    like = next((table for table in ranked if metric in table.metrics), ranked[0])
    return rank_tests(paper, like.result, measured_rows, metric, alpha=alpha)


def _two_grids(
    declared: PublishedTable, measured_rows: pd.DataFrame, metric: str | None
) -> tuple[pd.DataFrame, pd.DataFrame] | None:
    """Data sets × methods as published and as measured, of the data sets that both have in full."""
    if declared.is_of_statistics or len(declared.methods) < 2:
        return None
    if quantity(chosen_metric(declared, metric)).lower_is_better is None:
        return None
    both = side_by_side(declared.paper, declared.result, measured_rows, metric)
    printed, ours = (
        both.pivot_table(what, "dataset", "setting", sort=False, dropna=False) for what in ("published", "measured")
    )
    # A value beyond a bound ranks as the bound: nothing that is printed lies beyond it.
    whole = [name for name in printed.index if printed.loc[name].notna().all() and ours.loc[name].notna().all()]
    return (printed.loc[whole], ours.loc[whole]) if whole else None


def _correlations(first: pd.Series, second: pd.Series) -> dict[str, float]:
    # Late: scipy.stats is slow to import.
    from scipy.stats import kendalltau, spearmanr

    if first.nunique() < 2 or second.nunique() < 2:
        return {"spearman": np.nan, "kendall": np.nan}
    return {
        "spearman": float(spearmanr(first, second).statistic),
        "kendall": float(kendalltau(first, second).statistic),
    }
