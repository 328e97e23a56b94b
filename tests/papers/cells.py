"""Made-up cells, so that readers can be tested by hand."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

from mlfs.papers.experiment import FinishedCells
from mlfs.selectors.specification import parse_method


def result(setting, metric, size, value, repeat=0):
    method, own = parse_method(setting)
    row = {"method": method, "parameters": json.dumps(own), "setting": setting, "metric": metric}
    return {**row, "size": size, "value": value, "repeat": repeat, "seed": 0}


def cells(rows):
    return FinishedCells(dataset=None, plans=(), results=pd.DataFrame(rows), rankings=pd.DataFrame)


def by_setting(rows, column="value"):
    return dict(zip(rows["setting"], rows[column], strict=True))


def measured(grid, metric, std=np.nan, n=10):
    """A grid of data sets × methods as measured rows."""
    rows = grid.rename_axis("dataset").reset_index().melt("dataset", var_name="setting").dropna()
    return rows.assign(metric=metric, std=std, n=n, size=np.nan, chosen="")
