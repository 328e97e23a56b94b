"""Tables in little room: words as categories, numbers in half the room and with as many digits as matter."""

from __future__ import annotations

import numpy as np
import pandas as pd

DIGITS = 5


def compact(table: pd.DataFrame) -> pd.DataFrame:
    """Words as categories, numbers in half the room and with as many digits as matter."""
    table = table.copy()
    for name in table.columns:
        if name == "ranking":
            continue
        if pd.api.types.is_float_dtype(table[name]):
            table[name] = rounded(table[name].to_numpy()).astype(np.float32)
        elif pd.api.types.is_integer_dtype(table[name]):
            table[name] = table[name].astype(np.int32)
    return _with_categories(table)


def appended(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """The rows of two kept tables; their numbers have been rounded already, and stay as they are to the last bit."""
    # An empty one has columns of no kind, which would make numbers words.
    filled = [part for part in (first, second) if len(part)]
    return _with_categories(pd.concat(filled, ignore_index=True)) if filled else first


def _with_categories(table: pd.DataFrame) -> pd.DataFrame:
    """Words as categories."""
    words = [name for name in table.columns if name != "ranking" and not pd.api.types.is_numeric_dtype(table[name])]
    return table.assign(**{name: table[name].astype(str).astype("category") for name in words})


def rounded(values: np.ndarray) -> np.ndarray:
    """To so many digits, leading zeros not counted."""
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.where(values == 0, 0.0, np.floor(np.log10(np.abs(values))))
    factor = 10.0 ** (DIGITS - 1 - np.nan_to_num(power))
    return np.round(values * factor) / factor
