"""The numbers that papers print, from `published.csv` to one tidy table."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from mlfs.errors import DatasetError
from mlfs.selectors.specification import parse_method

FILE = "published.csv"
COLUMNS = [
    "paper",
    "table",
    "dataset",
    "method",
    "parameters",
    "setting",
    "metric",
    "tested",
    "value",
    "std",
    "bound",
    "text",
]
_VALUE = re.compile(r"(>=|>)?(-?\d+(?:\.\d+)?)")
_BOUNDS = {None: "", ">": "> ", ">=": "≥ "}


@cache
def published_numbers(folder: Path, paper: str) -> pd.DataFrame:
    """Every number that a paper prints; not to be changed, for all callers share it. None where it prints figures only.

    The file has the columns result ("table5", or "text" for what the text says), dataset, method, metric (of a
    statistic followed by the metric that was tested), value and std.
    """
    path = folder / FILE
    if not path.exists():
        return pd.DataFrame(columns=COLUMNS)
    try:
        lines = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8").to_dict("records")
        return pd.DataFrame([{"paper": paper, **_row(line)} for line in lines], columns=COLUMNS)
    except (OSError, KeyError, ValueError) as error:
        raise DatasetError(f"The published tables in {path} are missing or damaged: install mlfs again.") from error


def _row(line: dict[str, str]) -> dict[str, Any]:
    match = _VALUE.fullmatch(line["value"])
    if match is None:
        raise ValueError(f"{line['value']!r} is not a number")
    bound, setting = _BOUNDS[match[1]], line["method"]
    # A column of a table need not be a method that mlfs has.
    method, parameters = parse_method(setting) if ":" in setting else (setting, {})
    metric, _, tested = line["metric"].partition(" ")
    spread = f" ± {line['std']}" if line["std"] else ""
    return {
        "table": line["result"].removeprefix("table"),
        "dataset": line["dataset"],
        "method": method,
        "parameters": json.dumps(parameters) if method else "",
        "setting": setting,
        "metric": metric,
        "tested": tested,
        "value": float(match[2]),
        "std": float(line["std"] or "nan"),
        "bound": bound.strip(),
        "text": f"{bound}{match[2]}{spread}",
    }
