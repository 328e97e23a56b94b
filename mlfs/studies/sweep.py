"""Results of a sweep → what its figures draw: one value for each combination of the varied parameters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.errors import StudyError
from mlfs.evaluation.curves import average_classification_result
from mlfs.metrics import lower_is_better
from mlfs.studies.plan import MethodGrid, Plan
from mlfs.tables.runs import one_per_repeat, repeats_apart
from mlfs.tables.settings import parameter_values

# The sum of both losses over the first sizes, by which Zhang et al. 2020 choose α, β and k.
ACR = "ACR"
LOSSES = ("hamming_loss", "ranking_loss")
# What a table says of the size where each run has its own, or only the last one counts.
OWN = "own"


@dataclass(frozen=True)
class Landscape:
    """A value over two parameters: `values[i, j]` is that of `first[i]` and `second[j]`, NaN where there is none."""

    values: np.ndarray
    first: tuple[float, ...]
    second: tuple[float, ...]


def swept_method(plan: Plan) -> MethodGrid:
    """The one method of a plan whose parameters vary.

    >>> swept_method(Plan("k", ["emotions"], [MethodGrid("grro_ls", grid={"k": [1, 2]})])).grid
    {'k': (1, 2)}
    """
    varied = [grid for grid in plan.methods if grid.grid]
    if len(plan.methods) != 1 or not varied:
        raise StudyError(f"The study {plan.name!r} is no sweep of one method: Compare shows it.")
    return varied[0]


def sweep_table(results: pd.DataFrame, names: Sequence[str], metric: str, size: int | str | None) -> pd.DataFrame:
    """One row per combination of the varied parameters: their values, and mean, std and number of repeats.

    Parameters
    ----------
    results : of one method on one data set, as `Store.results` gives them; cells that failed are left out
    metric : or ACR, for which `size` does not count
    size : as `mlfs.tables.summary` takes it
    """
    rows = results[results["error"] == ""]
    rows = repeats_apart(rows.assign(setting=rows["parameters"]))
    values = (
        _acr(rows) if metric == ACR else one_per_repeat(rows[rows["metric"] == metric], size, lower_is_better(metric))
    )
    return _by_parameters(values.rename("value").reset_index(), names)


def selected_table(results: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """As `sweep_table`, of the number of features that the method selects by itself."""
    rows = results[results["error"] == ""]
    cells = rows.assign(setting=rows["parameters"]).drop_duplicates(["setting", "seed", "repeat"])
    return _by_parameters(cells[["setting", "n_selected"]].rename(columns={"n_selected": "value"}), names)


def landscape(table: pd.DataFrame, names: tuple[str, str], grid: MethodGrid) -> Landscape:
    """The means of a `sweep_table` over two parameters, on the whole grid of the plan."""
    first, second = (tuple(float(value) for value in grid.grid[name]) for name in names)
    found = dict(zip(zip(*(table[name].astype(float) for name in names), strict=True), table["mean"], strict=True))
    values = np.array([[found.get((a, b), np.nan) for b in second] for a in first])
    return Landscape(values, first, second)


def numbers(
    results: pd.DataFrame, names: Sequence[str], metric: str, sizes: Sequence[int | str | None]
) -> pd.DataFrame:
    """The `sweep_table` of each of the sizes, one below the other, with a column that tells the size."""
    tables = []
    for size in sizes:
        table = sweep_table(results, names, metric, size)
        table.insert(len(names), "features", OWN if size is None else size)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def held_at(results: pd.DataFrame, values: Mapping[str, Any]) -> pd.DataFrame:
    """The rows in which parameters have these values: a slice of a sweep over more than can be drawn."""
    for name, value in values.items():
        results = results[parameter_values(results, name) == value]
    return results


def as_curve(table: pd.DataFrame, name: str, method: str, metric: str) -> pd.DataFrame:
    """A `sweep_table` over one parameter as the table that `mlfs.plots.curves` draws, the parameter for the size."""
    columns = {"method": method, "size": table[name], "metric": metric, "value": table["mean"], "std": table["std"]}
    return pd.DataFrame(columns)


def _by_parameters(values: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    groups = values.groupby("setting", sort=False)["value"]
    found = pd.DataFrame({"mean": groups.mean(), "std": groups.std(), "repeats": groups.count()})
    own = [json.loads(text) for text in found.index]
    for place, name in enumerate(names):
        found.insert(place, name, [parameters[name] for parameters in own])
    return found.sort_values(list(names), kind="stable").reset_index(drop=True)


def _acr(rows: pd.DataFrame) -> pd.Series:
    """Zhang et al. 2020, eq. (11), of each run that has both losses."""
    where = ["dataset", "setting", "repeat"]
    curves = rows[rows["metric"].isin(LOSSES)].pivot_table(index=[*where, "size"], columns="metric", values="value")
    if not set(LOSSES) <= set(curves.columns):
        return pd.Series(dtype=float, index=pd.MultiIndex.from_arrays([[], [], []], names=where))
    runs = curves.sort_index(level="size").groupby(level=where, sort=False)
    return pd.Series({run: average_classification_result(curve) for run, curve in runs}).rename_axis(where)
