"""A CSV of results, ours or anybody's → the table of data sets × methods that the tests of `mlfs.statistics` take."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass

import pandas as pd

from mlfs.checks import checked
from mlfs.errors import ParameterError, StatisticsError, did_you_mean
from mlfs.metrics import METRICS
from mlfs.results import RESULT_COLUMNS, are_runs, metrics_in
from mlfs.tables.method_summary import summary
from mlfs.tables.table_text import header_of, parse_table

TIDY = ("dataset", "method", "value")


@dataclass(frozen=True)
class ResultTable:
    """One value for each data set and method, and what it measures where that is known.

    Attributes
    ----------
    table : DataFrame
        Data sets are rows, methods columns.
    metric : str or None
    notes : tuple of str
        What the reader should know, each a sentence.
    """

    table: pd.DataFrame
    metric: str | None
    notes: tuple[str, ...] = ()

    @property
    def lower_is_better(self) -> bool:
        """What nobody knows counts as a loss."""
        return METRICS[self.metric].lower_is_better if self.metric in METRICS else True


@checked
def read_result_table(text: str, *, metric: str | None = None, size: int | str | None = None) -> ResultTable:
    """Read a table of results.

    The rows of `mlfs.evaluation.compare` are averaged over repeats by `summary`, for one metric and size. Rows with
    the columns dataset, method and value, and metric where there are several, are averaged likewise. Any other table
    has data sets in its first column and a method in each of the others. `parse_table` says how they may be written.

    Parameters
    ----------
    text : str
    metric : str, optional
        Needed where rows name several.
    size : int, str or None
        As `summary` takes it.

    Returns
    -------
    ResultTable

    Examples
    --------
    >>> read_result_table("data,els,mfs\\nflags,0.1,0.2\\nyeast,0.3,0.2\\n").table.loc["yeast"].to_dict()
    {'els': 0.3, 'mfs': 0.2}
    """
    rows = read_result_rows(text)
    if rows is not None:
        return result_table(rows, metric=metric, size=size)
    frame = parse_table(text)
    return ResultTable(frame.set_index(frame.columns[0]).rename_axis(None), metric)


def read_result_rows(text: str) -> pd.DataFrame | None:
    """The rows of a table with one value a row, as `result_table` takes them; None where methods stand side by side.

    >>> read_result_rows("Data set;Method;Value\\nflags;els;0,1").to_dict("records")
    [{'dataset': 'flags', 'method': 'els', 'value': 0.1}]
    """
    header, separator = header_of(text)
    names = set(_plain_names(header))
    if set(RESULT_COLUMNS) <= names:
        return _runs(text, separator)
    if not set(TIDY) <= names:
        return None
    frame = parse_table(text)
    return frame.set_axis(_plain_names(frame.columns), axis="columns")


def result_table(results: pd.DataFrame, *, metric: str | None = None, size: int | str | None = None) -> ResultTable:
    """The means of a tidy table, such as `compare` or a study gives; the metric is needed where there are several."""
    if not are_runs(results):
        return _averaged(results, metric)
    metric = _one_metric(results, metric)
    means = summary(results.assign(metric=results["metric"].fillna("")), metric, size)
    return ResultTable(means.mean, metric, means.notes)


def _averaged(frame: pd.DataFrame, metric: str | None) -> ResultTable:
    """Rows of anybody: the mean of those that agree in data set and method."""
    if "metric" in frame:
        metric = _one_metric(frame, metric)
        frame = frame[frame["metric"] == metric]
    values = pd.to_numeric(frame["value"], errors="coerce")
    wrong = values.isna() & frame["value"].notna()
    if wrong.any():
        row = frame[wrong].iloc[0]
        raise StatisticsError(
            f"The value of {row['method']} on {row['dataset']} is not a number but {row['value']!r}: correct it."
        )
    rows = frame.assign(value=values, dataset=frame["dataset"].map(_name), method=frame["method"].map(_name))
    table = rows.pivot_table("value", "dataset", "method", sort=False, dropna=False)
    most = int(rows.groupby(["dataset", "method"]).size().max())
    notes = (f"Up to {most} rows have the same data set and method: their mean is tested.",) if most > 1 else ()
    return ResultTable(table.rename_axis(None).rename_axis(None, axis="columns"), metric, notes)


def _one_metric(results: pd.DataFrame, metric: str | None) -> str:
    """The metric asked for, or the only one."""
    known = metrics_in(results)
    if metric is None and len(known) != 1:
        raise ParameterError(f"The table holds {len(known)} metrics ({', '.join(known)}): name one of them.")
    if metric is not None and metric not in known:
        raise ParameterError(f"The table holds no metric {metric!r}: {did_you_mean(metric, known)}")
    return known[0] if metric is None else metric


def _name(cell: object) -> str:
    return f"{cell:g}" if isinstance(cell, float) else str(cell)


def _plain_names(columns: Iterable[object]) -> list[str]:
    return ["".join(str(name).lower().split()) for name in columns]


def _runs(text: str, separator: str) -> pd.DataFrame:
    """What `compare` wrote: many rows, so that pandas reads them."""
    try:
        return pd.read_csv(io.StringIO(text.lstrip("\ufeff")), sep=separator, skipinitialspace=True)
    except (pd.errors.EmptyDataError, pd.errors.ParserError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise StatisticsError(
            f"The table cannot be read as CSV ({reason}): give every row the same number of cells."
        ) from None
