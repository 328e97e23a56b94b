"""What every test checks first, so that the tests themselves hold only their formulas."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from mlfs.checks import described
from mlfs.errors import ParameterError, StatisticsError

TableLike: TypeAlias = pd.DataFrame | Mapping[Any, ArrayLike] | ArrayLike


MISSING, INFINITE, TEXT = "has no value", "is infinite", "is not a number"
REMEDIES = {
    MISSING: "fill it in, or drop the row or the column",
    INFINITE: "correct it, or drop the row or the column",
    TEXT: "leave only numbers in the cells, and make a column of names the index",
}


def checked_table(table: TableLike, row: str = "data set") -> pd.DataFrame:
    """Return the table as floats under its own names (0, 1, … where it has none), or say which cell is wrong.

    `row` is what the messages call a row.

    >>> checked_table({"els": ["0.1", 0.2], "mfs": [0.3, None]})
    Traceback (most recent call last):
    mlfs.errors.StatisticsError: Method 'mfs' has no value on data set '1'; fill it in, or drop the row or the column.
    """
    frame = _frame(table, row)
    for names, what in ((frame.index, row), (frame.columns, "method")):
        if not names.is_unique:
            name = names[names.duplicated()][0]
            raise StatisticsError(f"The {what} '{name}' is in the table twice; rename one, or average the two first.")
    cells = frame.to_numpy(dtype=object)
    values = np.array([_number(cell) for cell in cells.flat], dtype=object).reshape(cells.shape)
    bad = [(i, j) for (i, j), value in np.ndenumerate(values) if isinstance(value, str)]
    if bad:
        i, j = bad[0]
        fault = str(values[i, j])
        same = sum(values[where] == fault for where in bad)
        count = f" (1 of {same} such cells)" if same > 1 else ""
        shown = f" but {str(cells[i, j])!r}" if fault == TEXT else ""
        raise StatisticsError(
            f"Method '{frame.columns[j]}' {fault}{shown} on {row} '{frame.index[i]}'{count}; {REMEDIES[fault]}."
        )
    return pd.DataFrame(values.astype(float), index=frame.index, columns=frame.columns)


def _number(cell: Any) -> float | str:
    """The cell as a finite float, or what is wrong with it."""
    try:
        value = float("nan") if pd.isna(cell) else float(cell)
    except (TypeError, ValueError):
        return TEXT
    return MISSING if np.isnan(value) else INFINITE if np.isinf(value) else value


def _frame(table: TableLike, row: str) -> pd.DataFrame:
    if isinstance(table, pd.DataFrame):
        return table
    shape = StatisticsError(f"The table must be {row}s × methods: rows of equal length, one cell per method.")
    if isinstance(table, Mapping):
        try:
            return pd.DataFrame(dict(table))
        except ValueError:
            raise shape from None
    # An array of objects keeps a text cell what it is; numpy would make text of the whole table.
    cells = np.asarray(table, dtype=object)
    if cells.ndim != 2:
        raise shape
    return pd.DataFrame(cells)


def require(table: pd.DataFrame, test: str, rows: int, methods: int, row: str = "data set") -> None:
    """Raise where the table is smaller than the test needs."""
    n, k = table.shape
    if n < rows:
        raise StatisticsError(f"{test} needs at least {rows} {row}s and the table has {n}; add {row}s (rows).")
    if k < methods:
        raise StatisticsError(f"{test} needs at least {methods} methods and the table has {k}; add methods (columns).")


def checked_alpha(alpha: float) -> float:
    """Return the significance level if it is one.

    >>> checked_alpha(5)
    Traceback (most recent call last):
    mlfs.errors.ParameterError: alpha=5 must be a number between 0 and 1, both excluded; 0.05 is usual.
    """
    if not (isinstance(alpha, Real) and 0 < alpha < 1):
        said = alpha if isinstance(alpha, str) else described(alpha)
        raise ParameterError(f"alpha={said} must be a number between 0 and 1, both excluded; 0.05 is usual.")
    return float(alpha)


def constant_methods(table: pd.DataFrame) -> tuple[str, ...]:
    """A sentence for each method that never changes: allowed, but mostly a column filled by mistake."""
    return tuple(
        f"Method '{name}' has the same value on all {len(table)} data sets; check that its column holds results."
        for name in table.columns
        if table[name].min() == table[name].max()
    )
