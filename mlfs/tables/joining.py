"""Results of another program beside our own: a table of data sets × methods joins a study's tables and diagrams."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from mlfs.errors import StatisticsError
from mlfs.results import metrics_in, setting_title
from mlfs.tables.method_summary import PARTS, MethodSummary
from mlfs.tables.result_table import ResultTable, read_result_rows, read_result_table
from mlfs.wording import listing


def read_joined(
    text: str, datasets: pd.Index, methods: pd.Index, metric: str | None, size: int | str | None = None
) -> ResultTable:
    """The results of another program on some data sets, as `read_result_table` reads them.

    A method that both tables have is told, and so is a table that has none of the data sets.

    Parameters
    ----------
    datasets, methods : of the table that it is to join
    metric : the one that is wanted, where the rows name some
    size : as `mlfs.tables.summary` takes it, where the rows name sizes

    Returns
    -------
    ResultTable
        With the given data sets as rows, NaN where the other program has no value.
    """
    other = read_result_table(text, metric=metric, size=size)
    table = other.table.set_axis(other.table.index.map(str)).set_axis(other.table.columns.map(str), axis="columns")
    for method in table.columns:
        if method in methods or setting_title(method) in map(setting_title, methods):
            raise StatisticsError(f"Both tables have the method {method!r}: rename it in the one that joins.")
        if not pd.api.types.is_numeric_dtype(table[method]):
            raise StatisticsError(
                f"The values of {method!r} in the table that joins are not all numbers: correct them."
            )
    if not table.index.is_unique:
        raise StatisticsError("A data set has two lines in the table that joins: keep one.")
    shared = [name for name in datasets if name in table.index]
    if not shared:
        theirs, ours = (listing(list(map(str, names)), 4) for names in (table.index, datasets))
        raise StatisticsError(f"The table that joins has {theirs}, and none of {ours}: spell the data sets alike.")
    notes = [f"From another program: {listing(list(map(setting_title, table.columns)))}."]
    if left := [name for name in table.index if name not in datasets]:
        notes.append(f"Left out of the table that joins: {listing(left)}, which the other does not have.")
    return ResultTable(table.reindex(list(datasets)), other.metric, (*notes, *other.notes))


def join_tables(first: ResultTable, text: str, size: int | str | None = None) -> ResultTable:
    """A table with the methods of another program, given as text, beside its own.

    >>> ours = ResultTable(pd.DataFrame({"els": [0.1, 0.3]}, index=["flags", "yeast"]), "hamming_loss")
    >>> join_tables(ours, "data,theirs\\nyeast,0.2\\nflags,0.4\\n").table.to_dict("index")
    {'flags': {'els': 0.1, 'theirs': 0.4}, 'yeast': {'els': 0.3, 'theirs': 0.2}}
    """
    other = read_joined(text, first.table.index, first.table.columns, first.metric, size)
    return replace(first, table=pd.concat([first.table, other.table], axis="columns"), notes=first.notes + other.notes)


def join_summaries(summaries: Sequence[MethodSummary], text: str) -> list[MethodSummary]:
    """Summaries of several metrics of the same results, with the means of another program beside their own.

    These stand without marks, for there are no repeats to test; where the other program has no value, there is none.
    """
    rows = read_result_rows(text)
    if rows is None or "metric" not in rows:
        if len(summaries) > 1:
            raise StatisticsError(
                f"The table that joins does not say its metric, and here are {len(summaries)}: give it the columns "
                "dataset, method, metric and value."
            )
        known = [summary.metric for summary in summaries]
    else:
        known = metrics_in(rows[rows["dataset"].astype(str).isin(summaries[0].mean.index)]) or metrics_in(rows)
    others = {
        summary.metric: read_joined(text, summary.mean.index, summary.mean.columns, summary.metric, summary.size)
        for summary in summaries
        if summary.metric in known
    }
    if not others:
        wanted = listing([summary.metric for summary in summaries])
        raise StatisticsError(f"The table that joins has {listing(known)}, and none of {wanted}.")
    methods = list(dict.fromkeys(method for other in others.values() for method in other.table.columns))
    return [_joined(summary, others.get(summary.metric), methods) for summary in summaries]


def _joined(summary: MethodSummary, other: ResultTable | None, methods: list[str]) -> MethodSummary:
    index = summary.mean.index
    means = pd.DataFrame(np.nan, index, methods) if other is None else other.table.reindex(columns=methods)
    added = {"mean": means, "std": np.nan, "repeats": 0, "best": False, "not_worse": False, "failures": ""}
    parts = {
        name: pd.concat([getattr(summary, name), pd.DataFrame(added[name], index, methods)], axis="columns")
        for name in PARTS
    }
    if other is None:
        return replace(summary, **parts)
    said, *rest = other.notes
    return replace(summary, **parts, notes=(*summary.notes, f"{said} They stand without marks.", *rest))
