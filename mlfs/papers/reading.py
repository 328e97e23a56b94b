"""The published numbers, from the files that ship with mlfs to one tidy table."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from mlfs.datasets import data_folder
from mlfs.errors import DatasetError
from mlfs.papers.names import dataset_name, method_and_parameters, metric_name
from mlfs.selectors.specification import method_text

#: What mlfs transcribed itself stands apart from the other results.
FILES = ("results.csv", "supplement.csv")

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


def table_rows(paper: str, table: str) -> pd.DataFrame:
    """The numbers of one table, one row each, with the columns that `mlfs.papers.published` explains."""
    rows = all_rows()
    return rows[(rows["paper"] == paper) & (rows["table"] == table)].reset_index(drop=True)


@cache
def all_rows() -> pd.DataFrame:
    """Every published number; not to be changed, for all callers share it."""
    return pd.concat([read_results(data_folder() / "published" / name) for name in FILES], ignore_index=True)


def read_results(path: Path) -> pd.DataFrame:
    """Read a file of published results, and bring its names to those of mlfs."""
    try:
        raw = pd.read_csv(path, dtype=str, keep_default_na=False, encoding="utf-8")
        return pd.DataFrame([_row(line) for line in raw.to_dict("records")], columns=COLUMNS)
    except (OSError, KeyError, ValueError) as error:
        raise DatasetError(f"The published tables in {path} are missing or damaged: install mlfs again.") from error


def _row(line: dict[str, str]) -> dict[str, Any]:
    match = _VALUE.fullmatch(line["value"])
    if match is None:
        raise ValueError(f"{line['value']!r} is not a number")
    bound = _BOUNDS[match[1]]
    method, parameters = method_and_parameters(line["method"])
    metric, tested = metric_name(line["metric"])
    spread = f" ± {line['std']}" if line["std"] else ""
    return {
        "paper": line["paper"],
        "table": line["table"],
        "dataset": dataset_name(line["paper"], line["dataset"]) if method else "",
        "method": method,
        "parameters": json.dumps(parameters) if method else "",
        "setting": method_text(method, parameters) if parameters else method,
        "metric": metric,
        "tested": tested,
        "value": float(match[2]),
        "std": float(line["std"] or "nan"),
        "bound": bound.strip(),
        "text": f"{bound}{match[2]}{spread}",
    }
