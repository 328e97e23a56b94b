"""Rank correlations of the benchmark with the papers' printed tables, over the methods that both have."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, spearmanr

from mlfs.benchmark.kept import Benchmark
from mlfs.benchmark.leaderboard import leaderboard
from mlfs.errors import MlfsError
from mlfs.metrics import METRICS
from mlfs.papers import PAPERS, as_grid
from mlfs.results import ALL_FEATURES

#: Fewer methods than that have no order to speak of.
FEWEST = 3


def rank_correlations(benchmark: Benchmark, classifier: str = "mlknn") -> pd.DataFrame:
    """One row per published table and metric: paper, table, metric, methods, datasets, spearman and kendall.

    Average ranks of the shared methods as published, over all data sets of the table, and as measured, over all data
    sets of the benchmark: other data, other splits and another classifier, so that only the order of the methods is
    compared.
    """
    rows = []
    for paper in PAPERS.values():
        for table in paper.tables:
            for metric in table.metrics:
                if metric not in METRICS or metric not in benchmark.results or table.is_of_statistics:
                    continue
                correlations = _compared(benchmark, paper.id, table.number, metric, classifier)
                if correlations is not None:
                    rows.append({"paper": paper.id, "table": table.number, "metric": metric, **correlations})
    columns = ["paper", "table", "metric", "methods", "datasets", "spearman", "kendall"]
    return pd.DataFrame(rows, columns=columns)


def _compared(benchmark: Benchmark, paper: str, table: str, metric: str, classifier: str) -> dict[str, object] | None:
    try:
        printed = as_grid(paper, table, metric).astype(float)
        board = leaderboard(benchmark, metric=metric, classifier=classifier)
    except (MlfsError, ValueError, TypeError):
        return None
    shared = [str(method) for method in printed.columns if method in board.ranks and method != ALL_FEATURES]
    printed = printed[shared].dropna()
    if len(shared) < FEWEST or not len(printed):
        return None
    lower = METRICS[metric].lower_is_better
    published = printed.rank(axis=1, ascending=lower).mean()
    measured = board.filled[shared].rank(axis=1, ascending=lower).mean()
    return {
        "methods": ", ".join(shared),
        "datasets": len(printed),
        "spearman": _correlation(spearmanr, published, measured),
        "kendall": _correlation(kendalltau, published, measured),
    }


def _correlation(of: object, first: pd.Series, second: pd.Series) -> float:
    if first.nunique() < 2 or second.nunique() < 2:
        return float("nan")
    return float(np.asarray(of(first.to_numpy(), second.to_numpy()).statistic))  # type: ignore[operator]
