"""Published and measured numbers side by side: differences, ranks of the methods, and how far the ranks agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mlfs.errors import MlfsError
from mlfs.metrics import quantity
from mlfs.papers.grids import chosen_metric
from mlfs.papers.paper import PublishedTable
from mlfs.papers.ranks import PublishedRanks, published_ranks
from mlfs.papers.registry import get_paper, get_table, published
from mlfs.statistics import critical_difference, friedman

COLUMNS = ["dataset", "setting", "published", "published_std", "bound", "measured", "std", "n", "difference"]
#: Times of two machines are compared as multiples of the time of one column in the same row.
REFERENCE = {"selection_seconds": None, "brlr_seconds": "n=50"}
FEWEST = 3


def is_of_times(table: PublishedTable) -> bool:
    """Whether `beside` gives ratios instead of the numbers themselves."""
    return table.metric in REFERENCE


def reference(table: PublishedTable) -> str | None:
    """The column by whose times all others are divided: the paper's own method, or as declared.

    >>> reference(get_table("zhang_2020_grro", 4)), reference(get_table("lee_kim_2016", 4))
    ('grro', 'n=50')
    """
    return (REFERENCE[table.metric] or get_paper(table.paper).methods[0]) if is_of_times(table) else None


def beside(paper: str, table: str | int, measured_rows: pd.DataFrame, metric: str | None = None) -> pd.DataFrame:
    """What a table prints and what was measured, one row for each data set and method of the table.

    Parameters
    ----------
    measured_rows : of this table, as `run_experiment` or `kept` gives them
    metric : needed where the table has several

    Returns
    -------
    DataFrame with the columns COLUMNS. ``difference`` is measured − published. Of a table of times both are ratios to
    the time of `reference` on the same data set. Of a table of statistics ``dataset`` is empty and ``setting`` the
    metric that was tested. ``bound`` is ">" or "≥" where the paper prints only that a number is beyond; a measured
    number that is beyond too has no difference.

    >>> rows = pd.DataFrame([{"dataset": "yeast", "setting": "els", "metric": "hamming_loss", "value": 0.21, "n": 1}])
    >>> found = beside("lee_kim_2016", 5, rows).set_index(["dataset", "setting"]).loc[("yeast", "els")]
    >>> print(round(found["difference"], 3))
    0.001
    """
    declared = get_table(paper, table)
    rows = published(paper, declared.table)
    if declared.is_of_statistics:
        return _statistics(rows, measured_rows, metric or "friedman_F")
    name = chosen_metric(declared, metric)
    left = rows[rows["metric"] == name][["dataset", "setting", "value", "std", "bound"]]
    left = left.rename(columns={"value": "published", "std": "published_std"})
    own = measured_rows[measured_rows["metric"] == name]
    if column := reference(declared):
        left = _as_ratios(left, ("published", "published_std"), column)
        own = _as_ratios(own.reindex(columns=["dataset", "setting", "value", "std", "n"]), ("value", "std"), column)
    return _joined(left, own)


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
    own = [grid.rank(axis=1, ascending=lower is not False) for grid in grids]
    ranks = pd.DataFrame({"published": own[0].mean(), "measured": own[1].mean()}).rename_axis("setting")
    alone = [
        {"dataset": name, **_correlations(own[0].loc[name], own[1].loc[name]), "methods": own[0].shape[1]}
        for name in own[0].index
    ]
    overall = _correlations(ranks["published"], ranks["measured"])
    names = tuple(map(str, own[0].index))
    return RankAgreement(ranks, overall["spearman"], overall["kendall"], pd.DataFrame(alone), names)


@dataclass(frozen=True, eq=False)
class RanksBeside:
    """The rank test of the published and of the measured numbers, on the same data sets, for two diagrams.

    Where there are none, ``reason`` says why.
    """

    published: PublishedRanks | None
    measured: PublishedRanks | None
    datasets: tuple[str, ...]
    reason: str = ""


def beside_ranks(
    paper: str, table: str | int, measured_rows: pd.DataFrame, metric: str | None = None, *, alpha: float = 0.05
) -> RanksBeside:
    """Test both as the paper tests its table, or by Nemenyi where it makes no test."""
    declared = get_table(paper, table)
    grids = _two_grids(declared, measured_rows, metric)
    if grids is None or grids[0].shape[1] < FEWEST:
        return RanksBeside(None, None, (), "The table does not rank three methods or more.")
    return _tested(declared, chosen_metric(declared, metric), grids[1], grids[0], alpha)


def measured_ranks(like: PublishedTable, measured_rows: pd.DataFrame, metric: str, alpha: float = 0.05) -> RanksBeside:
    """Of a metric that the paper does not print: what was measured, tested as the paper tests the table `like`."""
    grid = measured_rows[measured_rows["metric"] == metric].pivot_table("value", "dataset", "setting", sort=False)
    return _tested(like, metric, grid.dropna(), None, alpha)


def _tested(
    like: PublishedTable, metric: str, ours: pd.DataFrame, theirs: pd.DataFrame | None, alpha: float
) -> RanksBeside:
    names = tuple(map(str, ours.index))
    if len(names) < FEWEST:
        why = f"A diagram needs {FEWEST} data sets with all methods; there are {len(names)}."
        return RanksBeside(None, None, names, why)
    try:
        both = [None if grid is None else _ranks(like, grid, metric, alpha) for grid in (theirs, ours)]
    except MlfsError as problem:  # a run that was stopped early has too few methods
        return RanksBeside(None, None, names, str(problem))
    return RanksBeside(both[0], both[1], names)


def _ranks(like: PublishedTable, grid: pd.DataFrame, metric: str, alpha: float) -> PublishedRanks:
    test = like.rank_test or "nemenyi"
    result = friedman(grid, quantity(metric).lower_is_better is not False)
    whole = like.rank_test is not None and metric in like.metrics and len(grid) == len(like.datasets)
    printed = published_ranks(like.paper, like.table, metric) if whole else None
    return PublishedRanks(
        metric=metric,
        test=test,
        control=like.control,
        alpha=alpha,
        friedman=result,
        critical_difference=critical_difference(result.k, result.n, alpha, test),
        printed_F=printed.printed_F if printed else None,
        printed_critical_value=printed.printed_critical_value if printed else None,
        printed_critical_difference=printed.printed_critical_difference if printed else None,
    )


def _two_grids(
    declared: PublishedTable, measured_rows: pd.DataFrame, metric: str | None
) -> tuple[pd.DataFrame, pd.DataFrame] | None:
    """Data sets × methods as published and as measured, of the data sets that both have in full."""
    if declared.is_of_statistics or len(declared.methods) < 2:
        return None
    if quantity(chosen_metric(declared, metric)).lower_is_better is None:
        return None
    both = beside(declared.paper, declared.table, measured_rows, metric)
    grids = [
        both.pivot_table(what, "dataset", "setting", sort=False, dropna=False) for what in ("published", "measured")
    ]
    # A value beyond a bound ranks as the bound: nothing that is printed lies beyond it.
    whole = [name for name in grids[0].index if all(grid.loc[name].notna().all() for grid in grids)]
    return (grids[0].loc[whole], grids[1].loc[whole]) if whole else None


def _joined(left: pd.DataFrame, own: pd.DataFrame) -> pd.DataFrame:
    right = own.reindex(columns=["dataset", "setting", "value", "std", "n"]).rename(columns={"value": "measured"})
    both = left.merge(right, how="left", on=["dataset", "setting"])
    beyond = (both["bound"] != "") & (both["measured"] >= both["published"])
    both["difference"] = (both["measured"] - both["published"]).mask(beyond)
    by_dataset = np.argsort(pd.factorize(both["dataset"])[0], kind="stable")
    return both.iloc[by_dataset].reset_index(drop=True)[COLUMNS]


def _statistics(rows: pd.DataFrame, measured_rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    left = rows[rows["metric"] == metric].rename(columns={"value": "published", "std": "published_std"})
    if metric == "critical_value":  # printed once for all metrics
        tested = rows.loc[rows["tested"] != "", "tested"]
        left = left.drop(columns="tested").merge(tested, how="cross")
    left = left.assign(setting=left["tested"], dataset="")
    return _joined(left, measured_rows[measured_rows["metric"] == metric])


def _as_ratios(rows: pd.DataFrame, columns: tuple[str, str], by: str) -> pd.DataFrame:
    """Times as multiples of that of one setting on the same data set; none where this is printed as nought."""
    times = rows[rows["setting"] == by].drop_duplicates("dataset").set_index("dataset")[columns[0]]
    divisor = rows["dataset"].map(times.where(times > 0)).astype(float)
    return rows.assign(**{name: rows[name].astype(float) / divisor for name in columns})


def _correlations(first: pd.Series, second: pd.Series) -> dict[str, float]:
    # Late: scipy.stats is slow to import.
    from scipy.stats import kendalltau, spearmanr

    if first.nunique() < 2 or second.nunique() < 2:
        return {"spearman": np.nan, "kendall": np.nan}
    return {
        "spearman": float(spearmanr(first, second).statistic),
        "kendall": float(kendalltau(first, second).statistic),
    }
