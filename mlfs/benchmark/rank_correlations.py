"""Rank correlations of the benchmark with the papers' printed tables, over the methods that both have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, spearmanr

from mlfs.benchmark.kept import Benchmark
from mlfs.benchmark.leaderboard import LeaderboardSettings, leaderboard
from mlfs.benchmark.study import CLASSIFIERS
from mlfs.classifiers import CLASSIFIERS as ALL_CLASSIFIERS
from mlfs.classifiers import make_classifier
from mlfs.errors import ParameterError
from mlfs.evaluation.protocols import get_protocol
from mlfs.metrics import METRICS, lower_is_better, quantity
from mlfs.papers import PAPERS, as_grid
from mlfs.results import ALL_FEATURES

#: Fewer methods, or data sets, than that have no order to speak of.
FEWEST = 3
#: What papers print of times, which is no metric.
SECONDS = "selection_seconds"
COLUMNS = [
    "paper",
    "table",
    "metric",
    "classifier",
    "methods",
    "datasets",
    "spearman",
    "kendall",
    "shared",
    "spearman_shared",
    "kendall_shared",
]


def rank_correlations(benchmark: Benchmark) -> pd.DataFrame:
    """One row per published table and metric, or times of selections.

    Average ranks of the shared methods as published and as measured, judged by the paper's own classifier where the
    benchmark has it: over all data sets of the table and all of the benchmark (``datasets``: how many the table has),
    and over those that are in both (``shared``: how many; NaN where that is fewer than three). Splits, sizes and
    preparation are the benchmark's, so that only the order of the methods is compared.
    """
    rows = []
    for paper in PAPERS.values():
        classifier = judge_of(paper.protocol)
        for table in paper.tables:
            for metric in table.metrics if not table.is_of_statistics else ():
                measured = _measured(benchmark, metric, classifier)
                if measured is None:
                    continue
                printed = as_grid(paper.id, table.number, metric, bounds=True)
                compared = _compared(printed, measured, lower_is_better(metric))
                if compared:
                    about = {"paper": paper.id, "table": table.number, "metric": metric, "classifier": classifier}
                    rows.append(about | compared)
    return pd.DataFrame(rows, columns=COLUMNS)


def correlations_table(rows: pd.DataFrame) -> pd.DataFrame:
    """What `rank_correlations` gives, as people read it."""
    return pd.DataFrame(
        {
            "Paper": [PAPERS[paper].short for paper in rows["paper"]],
            "Table": rows["table"].astype(str).to_numpy(),
            "Metric": [quantity(metric).title for metric in rows["metric"]],
            "Judged by": [ALL_CLASSIFIERS[name].title for name in rows["classifier"]],
            "Methods": [methods.count(",") + 1 for methods in rows["methods"]],
            "Spearman": rows["spearman"].to_numpy(dtype=float),
            "Kendall": rows["kendall"].to_numpy(dtype=float),
            "Shared sets": rows["shared"].to_numpy(dtype=int),
            "Spearman there": rows["spearman_shared"].to_numpy(dtype=float),
            "Kendall there": rows["kendall_shared"].to_numpy(dtype=float),
        }
    )


def judge_of(protocol: str) -> str:
    """The classifier of the benchmark that is of the same kind as a protocol's own; ML-kNN where there is none.

    >>> judge_of("lee_kim_2016"), judge_of("sechidis_2014")
    ('brlr', 'mlknn')
    """
    kind = type(make_classifier(get_protocol(protocol).classifier))
    return next((name for name in CLASSIFIERS if type(make_classifier(name)) is kind), CLASSIFIERS[0])


def _measured(benchmark: Benchmark, metric: str, classifier: str) -> pd.DataFrame | None:
    """Data sets × methods; None where the benchmark has nothing of the kind."""
    if metric != SECONDS and (metric not in METRICS or metric not in benchmark.results):
        return None
    try:
        usual = LeaderboardSettings(classifier=classifier)
        board = leaderboard(benchmark, usual if metric == SECONDS else replace(usual, metric=metric))
    except ParameterError:  # the classifier has judged nothing
        return None
    return board.seconds if metric == SECONDS else board.filled


def _compared(printed: pd.DataFrame, measured: pd.DataFrame, lower: bool) -> dict[str, Any] | None:
    methods = [str(method) for method in printed.columns if method in measured and method != ALL_FEATURES]
    printed = printed[methods].astype(float).dropna()
    if len(methods) < FEWEST or not len(printed):
        return None
    measured = measured[methods]
    both = [name for name in printed.index if name in measured.index]
    of_all, of_both = _correlations(printed, measured, lower), dict.fromkeys(("spearman", "kendall"), float("nan"))
    if len(both) >= FEWEST:
        of_both = _correlations(printed.loc[both], measured.loc[both], lower)
    return {
        "methods": ", ".join(methods),
        "datasets": len(printed),
        **of_all,
        "shared": len(both),
        **{f"{name}_shared": value for name, value in of_both.items()},
    }


def _correlations(published: pd.DataFrame, measured: pd.DataFrame, lower: bool) -> dict[str, float]:
    """Of the average ranks of the methods."""
    first, second = (values.rank(axis=1, ascending=lower).mean().to_numpy() for values in (published, measured))
    if len(np.unique(first)) < 2 or len(np.unique(second)) < 2:
        return {"spearman": float("nan"), "kendall": float("nan")}
    return {
        "spearman": float(spearmanr(first, second).statistic),
        "kendall": float(kendalltau(first, second).statistic),
    }
