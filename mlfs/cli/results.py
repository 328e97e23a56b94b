"""Tables of results → what the answers of several verbs say of them."""

from __future__ import annotations

from typing import Any

import pandas as pd


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table, for JSON."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def failures(rows: pd.DataFrame) -> tuple[str, ...]:
    """A sentence for each method that failed on a data set, once for each reason."""
    failed = rows[rows["error"] != ""]
    return tuple(dict.fromkeys(f"{row.method} on {row.dataset}: {row.error}" for row in failed.itertuples()))
