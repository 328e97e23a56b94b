"""The one shape that every renderer writes: words in rows and columns, some of them marked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
import pandas as pd

from mlfs.checks import whole
from mlfs.metrics import METRICS
from mlfs.results import setting_title
from mlfs.statistics.paired_tests import LEAST_REPEATS
from mlfs.tables.method_summary import MethodSummary
from mlfs.wording import plain_number

DECIMALS = 4
MOST_DECIMALS = 17  # a number has no more
NOTHING = "–"
BEST, NEAR = "best", "near"  # the best of a row, and what is not significantly worse


@dataclass(frozen=True)
class Sheet:
    """What a table says, before it is written anywhere.

    Attributes
    ----------
    header : of each column
    rows : the words of each cell
    marks : BEST, NEAR or "" for each cell
    numeric : whether a column holds numbers, which stand to the right
    """

    header: list[str]
    rows: list[list[str]]
    marks: list[list[str]]
    numeric: list[bool]


def sheet(table: pd.DataFrame | MethodSummary | Sheet, decimals: int = DECIMALS) -> Sheet:
    """The words of a table or summary, its index among the columns; a sheet is what it is."""
    if isinstance(table, Sheet):
        return table
    whole("decimals", decimals, 0, MOST_DECIMALS)
    if isinstance(table, MethodSummary):
        return _of_summary(table, decimals)
    table = columns_only(table)
    columns = [table.iloc[:, place] for place in range(table.shape[1])]
    words = [[word(cell, decimals) for cell in column] for column in columns]
    rows = [list(row) for row in zip(*words, strict=True)]
    return Sheet(
        header=[str(name) for name in table.columns],
        rows=rows,
        marks=[[""] * len(columns) for _ in rows],
        numeric=[pd.api.types.is_numeric_dtype(column) and column.dtype != bool for column in columns],
    )


def columns_only(table: pd.DataFrame) -> pd.DataFrame:
    """The table with its index as columns, unless it only counts the rows, and one level of names."""
    header = [" ".join(map(str, name)) if isinstance(name, tuple) else name for name in table.columns]
    plain = table.set_axis(header, axis="columns")
    if isinstance(table.index, pd.RangeIndex) and table.index.name is None:
        return plain
    index = table.index.to_frame(index=False)
    index.columns = ["" if name is None else name for name in table.index.names]
    return pd.concat([index, plain.reset_index(drop=True)], axis="columns")


def decimals_for(values: Iterable[float], least: int = DECIMALS) -> int:
    """Fixed decimals with which every value but 0 keeps two digits of its own.

    >>> decimals_for([0.25, 0.0]), decimals_for([0.0005, 0.00011]), decimals_for([1e-9])
    (4, 5, 8)
    """
    sizes = np.abs(np.asarray(list(values), dtype=float))
    smallest = sizes[np.isfinite(sizes) & (sizes > 0)].min(initial=1.0)
    return int(min(max(least, 1 - np.floor(np.log10(smallest))), 2 * DECIMALS))


def word(cell: Any, decimals: int = DECIMALS) -> str:
    """One cell in words: fractions with fixed decimals, or their order of magnitude where nothing else would be left.

    >>> [word(cell) for cell in (0.25, -3, 1e-9, float("nan"), None, "a name", 12345.0)]
    ['0.2500', '−3', '10⁻⁹', '–', '–', 'a name', '12345.0000']
    """
    if isinstance(cell, str | bool | np.bool_):
        return str(cell)
    if isinstance(cell, Integral):
        return str(cell).replace("-", "−")
    if isinstance(cell, Real):
        value = float(cell)
        if np.isnan(value):
            return NOTHING
        tiny = 0 < abs(value) < 0.5 * 10**-decimals
        text = plain_number(float(f"{value:.1e}")) if tiny else f"{value + 0.0:.{decimals}f}"
        return text.replace("-", "−")
    return NOTHING if cell is None or cell is pd.NA or cell is pd.NaT else str(cell)


def caption(summary: MethodSummary, marked: Callable[[str], str], best_of: str = "row") -> str:
    """What a summary shows and what its marks mean; `marked` says how the writer marks BEST and NEAR.

    `best_of` is "row" where methods go across, "column" where they go down.
    """
    title = METRICS[summary.metric].title if summary.metric in METRICS else summary.metric
    better = "lower" if summary.metric not in METRICS or METRICS[summary.metric].lower_is_better else "higher"
    return f"{title} ({better} is better), {_values([summary])}. {_marks([summary], marked, best_of)}".rstrip()


def caption_of_metrics(summaries: Sequence[MethodSummary], marked: Callable[[str], str]) -> str:
    """The same for several metrics of one data set in one table, whose columns say which metric they show."""
    values = _values(summaries)
    return f"{values[0].upper()}{values[1:]}. {_marks(summaries, marked, 'column')}".rstrip()


def _repeats(summaries: Sequence[MethodSummary]) -> tuple[int, int]:
    counts = np.concatenate([summary.repeats.to_numpy().ravel() for summary in summaries])
    return (int(counts[counts > 0].min()), int(counts.max())) if (counts > 0).any() else (0, 0)


def _values(summaries: Sequence[MethodSummary]) -> str:
    low, high = _repeats(summaries)
    of = (
        "one repeat"
        if high == 1
        else f"mean ± standard deviation over {high if low == high else f'{low} to {high}'} repeats"
    )
    at = {
        None: "with the most features of each run",
        "mean": "averaged over the numbers of features",
        "best": "at the best number of features of each repeat, chosen on the test rows",
    }.get(summaries[0].size, f"with {summaries[0].size} features")  # type: ignore[arg-type]
    return f"{of}, {at}"


def _marks(summaries: Sequence[MethodSummary], marked: Callable[[str], str], best_of: str) -> str:
    if not any(summary.best.to_numpy().any() for summary in summaries):
        return ""
    text = f"{marked(BEST)}: the best of a {best_of}"
    if any((summary.not_worse & ~summary.best).to_numpy().any() for summary in summaries):
        level = f"{summaries[0].alpha:g}"
        text += f"; {marked(NEAR)}: not significantly worse (paired t-test, two-sided, level {level})"
    elif _repeats(summaries)[0] < LEAST_REPEATS:
        text += f"; testing the others against it needs {LEAST_REPEATS} repeats"
    return f"{text}."


def _of_summary(summary: MethodSummary, decimals: int) -> Sheet:
    parts = (summary.mean, summary.std, summary.failures, summary.best, summary.not_worse)
    rows, marks = [], []
    for dataset, *cells in zip(summary.mean.index, *(part.to_numpy() for part in parts), strict=True):
        mean, std, failures, best, not_worse = cells
        rows.append([str(dataset), *(_value(*cell, decimals) for cell in zip(mean, std, failures, strict=True))])
        marks.append(["", *(BEST if b else NEAR if n else "" for b, n in zip(best, not_worse, strict=True))])
    return Sheet(
        header=["Data set", *(setting_title(setting) for setting in summary.mean.columns)],
        rows=rows,
        marks=marks,
        numeric=[False] + [True] * summary.mean.shape[1],
    )


def _value(mean: float, std: float, failure: str, decimals: int) -> str:
    """Mean ± standard deviation; the mean alone where there is one repeat."""
    if np.isnan(mean):
        return "failed" if failure else NOTHING
    return word(mean, decimals) + ("" if np.isnan(std) else f" ± {word(std, decimals)}")
