"""Mean ± standard deviation by data set and method, with the marks of the papers: the best, and what is not worse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from mlfs.checks import checked, table_columns
from mlfs.errors import ParameterError, did_you_mean
from mlfs.metrics import METRICS
from mlfs.results import (
    RESULT_COLUMNS,
    one_per_repeat,
    reasons,
    repeats_apart,
    saw_test_rows_notes,
    setting_title,
    settings_of,
    uneven_datasets,
)
from mlfs.statistics.checks import checked_alpha
from mlfs.statistics.paired_tests import LEAST_REPEATS, paired_differences, paired_t_tests

PARTS = ("mean", "std", "repeats", "best", "not_worse", "failures")


@dataclass(frozen=True)
class MethodSummary:
    """One metric by data set (rows) and method (columns, named by `settings_of`); all tables have the same shape.

    Attributes
    ----------
    metric : str
    size : int, str or None
        A number of features; "mean" over sizes; "best" size of each repeat; or None, the last size of each run.
    alpha : float
        Level of the t-test.
    mean, std : DataFrame
        Over repeats; NaN where there are none, or only one.
    repeats : DataFrame of int
        How many.
    best : DataFrame of bool
        Whether it has the best mean of the row; several have where they agree to 12 digits.
    not_worse : DataFrame of bool
        The best, and what a paired t-test at `alpha` does not tell from it; the best alone where there are fewer than
        `LEAST_REPEATS`.
    failures : DataFrame of str
        Why a method has no value, or not one for all repeats; "" where it has.
    notes : tuple of str
        What the reader should know, each a sentence.
    """

    metric: str
    size: int | str | None
    alpha: float
    mean: pd.DataFrame
    std: pd.DataFrame
    repeats: pd.DataFrame
    best: pd.DataFrame
    not_worse: pd.DataFrame
    failures: pd.DataFrame
    notes: tuple[str, ...] = ()

    def tidy(self) -> pd.DataFrame:
        """One row per data set and method, with all that is known of it."""
        index = pd.MultiIndex.from_product([self.mean.index, self.mean.columns], names=["dataset", "method"])
        parts = {name: getattr(self, name).to_numpy().ravel() for name in PARTS}
        return pd.DataFrame(parts, index=index).rename(columns={"failures": "error"}).reset_index()


@checked
def summary(results: pd.DataFrame, metric: str, size: int | str | None = None, alpha: float = 0.05) -> MethodSummary:
    """Summarise one metric of the tidy table that `mlfs.evaluation.compare` returns.

    Methods are compared on the repeats that all of them have, by a two-sided paired t-test against the best of the
    row (`mlfs.statistics.paired_t_tests`, which says how far to trust it). A method that failed in some repeats keeps
    the mean of the others and its reason, and is not marked: those may have been the easy ones. Where the table has a
    column seed, as that of a study has, each repeat of each seed counts.

    Parameters
    ----------
    results : DataFrame
        One row per value, as `mlfs.evaluation.compare` or the store of a study gives them.
    metric : str
    size : int, str or None
        A number of features; "mean", over all sizes of a run; "best", the best size of each repeat, which is chosen on
        the test rows and so flatters; None, the last size of each run, or the one that the method chose. The run with
        all features counts for every size.
    alpha : float
        Level of the test.

    Returns
    -------
    MethodSummary

    Examples
    --------
    >>> rows = [("flags", method, repeat, 10, "hamming_loss", value) for method, repeat, value in
    ...         [("els", 0, 0.2), ("els", 1, 0.3), ("mfs", 0, 0.4), ("mfs", 1, 0.5)]]
    >>> losses = summary(pd.DataFrame(rows, columns=RESULT_COLUMNS), "hamming_loss")
    >>> losses.mean.round(2).to_dict("index"), losses.best.to_dict("index")
    ({'flags': {'els': 0.25, 'mfs': 0.45}}, {'flags': {'els': True, 'mfs': False}})
    """
    alpha = checked_alpha(alpha)
    table_columns(results, RESULT_COLUMNS, "results")
    error = results["error"].fillna("").astype(str) if "error" in results else ""
    rows = repeats_apart(results.assign(setting=settings_of(results), error=error).reset_index(drop=True))
    lower = METRICS[metric].lower_is_better if metric in METRICS else True
    failed, measured = rows[rows["error"] != ""], rows[(rows["metric"] == metric) & (rows["error"] == "")]
    metrics = [name for name in rows["metric"].unique() if name]
    if measured.empty and metrics:
        raise ParameterError(f"The results hold no metric {metric!r}: {did_you_mean(str(metric), metrics)}")

    values = one_per_repeat(measured, size, lower)
    why = reasons(failed, measured, values, size)
    settings = list(rows["setting"].unique())
    by_dataset: dict[str, pd.DataFrame] = {}
    unfinished: list[str] = []
    for dataset in rows["dataset"].unique():
        table = _repeats(values, dataset, settings)
        failures = pd.Series([why.get((dataset, setting), "") for setting in settings], index=settings, dtype=object)
        by_dataset[dataset], left_out = _row(table, failures, lower, alpha)
        unfinished += [dataset] * left_out
    notes = (
        *saw_test_rows_notes(settings),
        *_notes(by_dataset, unfinished, uneven_datasets(measured) if size == "mean" else []),
    )
    parts = {
        name: pd.DataFrame({dataset: row[name] for dataset, row in by_dataset.items()}, index=settings).T.astype(kind)
        for name, kind in zip(PARTS, (float, float, int, bool, bool, object), strict=True)
    }
    return MethodSummary(metric, size, alpha, **parts, notes=notes)


def _repeats(values: pd.Series, dataset: str, settings: list[str]) -> pd.DataFrame:
    """(repeats, settings) of one data set, NaN where there is no value."""
    rows = values[values.index.get_level_values(0) == dataset].rename("value").reset_index()
    table = rows.pivot_table(values="value", index="repeat", columns="setting", observed=True)
    return table.reindex(columns=settings).astype(float)


def _row(table: pd.DataFrame, why: pd.Series, lower: bool, alpha: float) -> tuple[pd.DataFrame, bool]:
    """The parts of one data set by setting, and whether repeats were left out that not all methods have."""
    whole = [setting for setting in table if not why[setting] and table[setting].notna().any()]
    shared = table[whole].dropna()
    left_out = len(shared) < len(table[whole].dropna(how="all"))
    if left_out and len(shared):
        table = table.where(table.index.isin(shared.index)[:, None] | ~table.columns.isin(whole))
    row = pd.DataFrame({"mean": table.mean(), "std": table.std(ddof=1), "repeats": table.count()})
    row = row.assign(best=False, not_worse=False, failures=why)
    if len(whole) > 1 and len(shared):
        marks = paired_t_tests(shared, lower, alpha) if len(shared) >= LEAST_REPEATS else _untested(shared, lower)
        row.loc[whole, "best"], row.loc[whole, "not_worse"] = marks["best"], marks["not_worse"]
    return row, left_out


def _untested(repeats: pd.DataFrame, lower: bool) -> pd.DataFrame:
    """The marks of few repeats: there is a best, and no test."""
    values = repeats.mean().to_numpy()
    best = paired_differences(values, np.full(len(values), values.min() if lower else values.max())) == 0
    return pd.DataFrame({"best": best, "not_worse": best}, index=repeats.columns)


def _notes(by_dataset: dict[str, pd.DataFrame], unfinished: list[str], different: list[str]) -> tuple[str, ...]:
    notes = []
    if unfinished:
        notes.append(f"Not all methods have all repeats on {', '.join(unfinished)}: only shared ones are compared.")
    if different:
        notes.append(f"The means are over different sizes for different methods on {', '.join(different)}.")
    for dataset, row in by_dataset.items():
        # Often one reason stops all methods.
        for (reason, left), methods in row[row["failures"] != ""].groupby(["failures", "repeats"], sort=False):
            names = ", ".join(setting_title(setting) for setting in methods.index)
            rest = f"values of only {left} repeats, and no mark," if left else "no value"
            notes.append(f"{names}: {rest} on {dataset}. {reason}")
    return tuple(notes)
