"""Tables as CSV, with every digit, and safe to open in a spreadsheet."""

from __future__ import annotations

from typing import Any

import pandas as pd

from mlfs.tables.sheet import columns_only
from mlfs.tables.summary import Summary

# What makes a spreadsheet read a cell as a formula; the wide forms do where Japanese is typed.
FORMULA = frozenset("=+-@＝＋－＠")


def to_csv(table: pd.DataFrame | Summary) -> str:
    """The table as comma-separated text, numbers with all their digits; of a summary one row per data set and method.

    Names come from files of strangers. A text that a spreadsheet would take for a formula gets an apostrophe in front,
    by which spreadsheets know text; numbers stay as they are, negative ones too.

    The table of means alone, data sets × methods, is ``to_csv(summary.mean)``.

    >>> print(to_csv(pd.DataFrame({"feature": ["=1+1", "-x", "-1"], "score": [0.1, -2.0, 3.0]})), end="")
    feature,score
    '=1+1,0.1
    '-x,-2.0
    -1,3.0
    """
    frame = table.tidy() if isinstance(table, Summary) else columns_only(table)
    frame = frame.set_axis([as_text(name) for name in frame.columns], axis="columns")
    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]
    safe = [column.map(as_text) if column.dtype == object or _is_text(column) else column for column in columns]
    found = pd.concat(safe, axis="columns") if safe else frame
    return str(found.to_csv(index=False, lineterminator="\n"))


def as_text(cell: Any) -> Any:
    """A cell that no spreadsheet runs: only texts change, and but for line ends only those that begin as formulas do.

    >>> as_text("@SUM(A1)"), as_text("\\t=1"), as_text("a=1"), as_text(-1), as_text("-0.5")
    ("'@SUM(A1)", "'\\t=1", 'a=1', -1, '-0.5')
    """
    if not isinstance(cell, str):
        return cell
    # A carriage return alone ends a row for some readers, and pandas does not quote it.
    cell = cell.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{cell}" if cell.lstrip()[:1] in FORMULA and not _is_number(cell) else cell


def _is_text(column: pd.Series) -> bool:
    return not (pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
