"""How the time of a method grows: made data of twice and four times the instances, features and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from mlfs.parameters import specification_text
from mlfs.studies import Cell, MethodGrid, Plan, Store

#: Where each of the three begins, and how far it is taken.
BASE = {"instances": 500, "features": 200, "labels": 8}
FACTORS = (1, 2, 4)
#: A slope between times this short is the clock's own.
SHORTEST_SECONDS = 2e-3
_RELEVANT = 10


def made_sizes() -> list[dict[str, int]]:
    """The base, and each of the three made larger alone."""
    larger = [{**BASE, name: BASE[name] * factor} for name in BASE for factor in FACTORS[1:]]
    return [dict(BASE), *larger]


def made_name(sizes: Mapping[str, int]) -> str:
    """The synthetic set of these sizes, as `load_dataset` takes it.

    >>> made_name(BASE)
    'synthetic:n_instances=500,n_redundant=10,n_irrelevant=180,n_labels=8'
    """
    numbers = {
        "n_instances": sizes["instances"],
        "n_redundant": _RELEVANT,
        "n_irrelevant": sizes["features"] - 2 * _RELEVANT,
        "n_labels": sizes["labels"],
    }
    return specification_text("synthetic", numbers)


def scaling_plan(methods: Sequence[str]) -> Plan:
    """Each method on each made set, one split, judged by next to nothing: it is the selection that is timed."""
    settings = {"test_share": 0.2, "sizes": (50,), "metrics": ("hamming_loss",)}
    names, grids = tuple(map(made_name, made_sizes())), tuple(map(MethodGrid, methods))
    return Plan("benchmark: growth", names, grids, "quick", settings)


def scaling_cells(methods: Sequence[str]) -> list[Cell]:
    """The cells of the plan."""
    plan = scaling_plan(methods)
    return plan.cells(plan.load())


def scaling_rows(store: Store, cells: Sequence[Cell]) -> pd.DataFrame:
    """One row per method and made set that was timed."""
    by_name = {made_name(sizes): sizes for sizes in made_sizes()}
    results = store.cell_results(cells)
    rows: list[dict[str, Any]] = [
        {
            "method": cell.method,
            **by_name[cell.dataset],
            "seconds": results[cell.key].seconds,
            "peak_mib": results[cell.key].peak_bytes / 2**20,
        }
        for cell in cells
        if cell.key in results and not results[cell.key].error
    ]
    return pd.DataFrame(rows, columns=["method", *BASE, "seconds", "peak_mib"])


def exponents(scaling: pd.DataFrame, method: str) -> dict[str, float]:
    """By how much the time grows: the exponent of n, d and q, the slope of log seconds on log size.

    NaN where the times are too short to tell. 1 is proportional, 2 is by the square.
    """
    of_method = scaling[scaling["method"] == method]
    slopes = {}
    for name in BASE:
        others = [other for other in BASE if other != name]
        alone = of_method[np.logical_and.reduce([of_method[other] == BASE[other] for other in others])]
        alone = alone[alone["seconds"] >= SHORTEST_SECONDS]
        if len(alone) < 2:
            slopes[name] = float("nan")
            continue
        x, y = np.log(alone[name].to_numpy(float)), np.log(alone["seconds"].to_numpy(float))
        slopes[name] = float(np.polyfit(x, y, 1)[0])
    return slopes
