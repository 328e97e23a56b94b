"""Tables as CSV that a spreadsheet may open: names come from files of strangers, and no cell becomes a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

# What makes a spreadsheet read a cell as a formula; the wide forms do where Japanese is typed.
FORMULA = frozenset("=+-@＝＋－＠")


def csv_text(frame: pd.DataFrame) -> str:
    """The columns of a table, numbers with all their digits."""
    import pandas as pd

    frame = frame.set_axis([without_formula(name) for name in frame.columns], axis="columns")
    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]
    safe = [column.map(without_formula) if _is_text(column) else column for column in columns]
    if safe:
        frame = pd.concat(safe, axis="columns")
    return str(frame.to_csv(index=False, lineterminator="\n"))


def without_formula(cell: Any) -> Any:
    """A cell that no spreadsheet runs: only texts change, and but for line ends only those that begin as formulas do.

    >>> [without_formula(cell) for cell in ("@SUM(A1)", "\\t=1", "a=1", -1, "-0.5")]
    ["'@SUM(A1)", "'\\t=1", 'a=1', -1, '-0.5']
    """
    if not isinstance(cell, str):
        return cell
    # A carriage return alone ends a row for some readers, and pandas does not quote it.
    cell = cell.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{cell}" if cell.lstrip()[:1] in FORMULA and not _is_number(cell) else cell


def _is_text(column: pd.Series) -> bool:
    import pandas as pd

    return not (pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
