"""The papers' rank tests once more, from the numbers they print; what they found stands beside it."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from mlfs.errors import ParameterError
from mlfs.metrics import quantity
from mlfs.papers.grids import as_grid, chosen_metric
from mlfs.papers.registry import critical_difference_of, get_table, tables
from mlfs.statistics import FriedmanResult, bonferroni_dunn, critical_difference, friedman, nemenyi


@dataclass(frozen=True, eq=False)
class PublishedRanks:
    """A rank test of a published table.

    ``friedman`` and ``critical_difference`` are computed from the printed values, which are rounded; ``printed_F``,
    ``printed_critical_value`` and ``printed_critical_difference`` are the paper's own, None where it prints none.
    """

    metric: str
    test: str
    control: str | None
    alpha: float
    friedman: FriedmanResult
    critical_difference: float
    printed_F: float | None
    printed_critical_value: float | None
    printed_critical_difference: float | None

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


def published_ranks(paper: str, table: str | int, metric: str | None = None, *, alpha: float = 0.05) -> PublishedRanks:
    """Test a published table as its paper does.

    >>> found = published_ranks("lee_kim_2016", 5)
    >>> found.differing, round(found.friedman.F, 3), found.printed_F
    ((('els', 'all_features'),), 5.735, 5.506)
    """
    declared = get_table(paper, table)
    if declared.rank_test is None:
        tested = [other.table for other in tables(paper) if other.rank_test is not None]
        where = f"choose table {' or '.join(tested)}" if tested else "none of its tables has one"
        raise ParameterError(f"{paper} makes no rank test of its table {declared.table}: {where}.")
    metric = chosen_metric(declared, metric)
    result = friedman(as_grid(paper, declared.table, metric), quantity(metric).lower_is_better is not False)
    printed = _printed(paper, metric)
    return PublishedRanks(
        metric=metric,
        test=declared.rank_test,
        control=declared.control,
        alpha=alpha,
        friedman=result,
        critical_difference=critical_difference(result.k, result.n, alpha, declared.rank_test),
        printed_F=printed.get("friedman_F"),
        printed_critical_value=printed.get("critical_value"),
        printed_critical_difference=critical_difference_of(paper),
    )


def _printed(paper: str, metric: str) -> dict[str, float]:
    """The statistics the paper prints of this metric."""
    for table in tables(paper):
        if table.is_of_statistics:
            return {str(name): float(value) for name, value in as_grid(paper, table.table).loc[metric].items()}
    return {}
