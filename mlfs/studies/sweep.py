"""Sweeps: which values of a parameter are tried, and what comes out of each combination, as figures draw it.

Values are spread over the declared range of a parameter, by its declared scale.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.errors import ParameterError, StudyError
from mlfs.evaluation.curves import average_classification_result
from mlfs.metrics import lower_is_better, metric_title
from mlfs.parameters import Parameter
from mlfs.results import one_per_repeat, parameter_values, repeats_apart
from mlfs.selectors.specification import method_parameters
from mlfs.statistics.paired_tests import LEAST_REPEATS
from mlfs.studies.cell import NOT_EFFECTIVE
from mlfs.studies.plan import MethodGrid, Plan
from mlfs.wording import count, joined

# The sum of both losses over the first sizes, by which Zhang et al. 2020 choose α, β and k.
ACR = "ACR"
LOSSES = ("hamming_loss", "ranking_loss")
# What the papers vary, where it is not the first parameter that is declared.
USUAL = {"grro": ("alpha", "beta"), "elc": ("k",)}
# A declared end this many times beyond the default is a limit of the program, and nobody's choice.
FAR = 20
# What a table says of the size where each run has its own, or only the last one counts.
OWN = "own"


@dataclass(frozen=True)
class Landscape:
    """A value over two parameters: `values[i, j]` is that of `first[i]` and `second[j]`, NaN where there is none."""

    values: np.ndarray
    first: tuple[float, ...]
    second: tuple[float, ...]


def sweepable(method: str) -> dict[str, Parameter]:
    """The parameters of a method that have numbers to go through."""
    return {
        name: parameter
        for name, parameter in method_parameters(method).items()
        if name not in NOT_EFFECTIVE
        and parameter.kind in ("integer", "number")
        and not (parameter.high is None and parameter.default is None)
    }


def usually_swept(method: str) -> tuple[str, ...]:
    """The one or two parameters one looks at first.

    >>> usually_swept("els"), usually_swept("grro"), usually_swept("mapd"), usually_swept("mfs")
    (('n_labels',), ('alpha', 'beta'), ('alpha',), ())
    """
    return USUAL.get(method) or tuple(sweepable(method))[:1]


def usual_range(parameter: Parameter, sizes: Mapping[str, int]) -> tuple[float, float]:
    """From where to where a sweep goes unless told; ends that the data decide are looked up in `sizes`.

    >>> sizes = {"labels": 6, "features": 72, "instances": 593}
    >>> [usual_range(p, sizes) for p in (sweepable("els")["n_labels"], sweepable("grro_ls")["k"])]
    [(0, 6), (1, 10)]
    """
    low, high = (sizes[end] if isinstance(end, str) else end for end in (parameter.low, parameter.high))
    low = 0 if low is None else low
    whole, log = parameter.kind == "integer", parameter.scale == "log"
    far = whole and not isinstance(parameter.high, str) and parameter.default is not None
    if high is None or (far and high > FAR * max(parameter.default, 1)):
        high = max(2 * parameter.default, low + 9)
    if parameter.open_ends and not log:
        margin = (high - low) / 10
        low, high = _rounded(low + margin), _rounded(high - margin)
    return low, high


def values_between(parameter: Parameter, low: float, high: float, steps: int) -> tuple[Any, ...]:
    """At most `steps` values from low to high, both included, each once: even steps, or even factors on a log scale.

    >>> values_between(sweepable("grro")["alpha"], 0.01, 100, 5)
    (0.01, 0.1, 1.0, 10.0, 100.0)
    >>> values_between(sweepable("els")["n_labels"], 0, 6, 4)
    (0, 2, 4, 6)
    """
    if steps < 2 or not low < high:
        raise ParameterError(f"{parameter.name}: a sweep needs two steps or more, and a first value below the last.")
    spread = np.geomspace if parameter.scale == "log" and low > 0 else np.linspace
    values = [_rounded(value) for value in spread(low, high, steps)]
    if parameter.kind == "integer":
        # Half of them would go to the even neighbour otherwise, and the steps would limp.
        values = [int(np.floor(value + 0.5)) for value in values]
    for value in (values[0], values[-1]):
        parameter.check(value)
    return tuple(dict.fromkeys(values))


def swept_method(plan: Plan) -> MethodGrid:
    """The one method of a plan whose parameters vary.

    >>> swept_method(Plan("k", ["emotions"], [MethodGrid("grro_ls", grid={"k": [1, 2]})])).grid
    {'k': (1, 2)}
    """
    varied = [grid for grid in plan.methods if grid.grid]
    if len(plan.methods) != 1 or not varied:
        raise StudyError(f"The study {plan.name!r} is not a sweep of one method: open it on Compare.")
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
    means = dict(zip(zip(*(table[name].astype(float) for name in names), strict=True), table["mean"], strict=True))
    values = np.array([[means.get((a, b), np.nan) for b in second] for a in first])
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


def settings_done(results: pd.DataFrame) -> int:
    """How many settings have a result of at least one split.

    >>> settings_done(pd.DataFrame({"parameters": ["a", "a", "b"], "error": ["", "", "too large"]}))
    1
    """
    return int(results.loc[results["error"] == "", "parameters"].nunique())


def best_of_sweep(
    table: pd.DataFrame, names: Sequence[str], metric: str, size: int | str | None, name: Callable[[str], str] = str
) -> str:
    """Where a sweep is best, how far its worst is, and whether that is more than splits differ by; "" without values.

    Parameters
    ----------
    table : as `sweep_table` gives it
    size : of the table
    name : says what people call a parameter

    >>> rows = {"k": [1, 2], "mean": [0.3, 0.2], "std": [0.02, 0.01], "repeats": 5}
    >>> print(best_of_sweep(pd.DataFrame(rows), ["k"], "hamming_loss", 10).replace(". ", ".\\n"))
    Hamming loss with 10 features is lowest at k = 2: 0.2000 ± 0.0100.
    At k = 1 it is highest: 0.3000.
    The gap is wider than the variation between splits.
    """
    table = table.dropna(subset="mean")
    if table.empty:
        return ""
    lower = metric == ACR or lower_is_better(metric)
    low, high = table.loc[table["mean"].idxmin()], table.loc[table["mean"].idxmax()]
    best, worst = (low, high) if lower else (high, low)
    words = ("lowest", "highest") if lower else ("highest", "lowest")
    what = metric_title(metric) + _with(size)
    spread = f" ± {best['std']:.4f}" if np.isfinite(best["std"]) else ""
    text = f"{what} is {words[0]} at {_place(best, names, name)}: {best['mean']:.4f}{spread}."
    if len(table) == 1:
        return text
    difference, deviation = abs(worst["mean"] - best["mean"]), float(table["std"].mean())
    text += f" At {_place(worst, names, name)} it is {words[1]}: {worst['mean']:.4f}"
    splits = int(table["repeats"].min())
    if splits < LEAST_REPEATS:
        return f"{text}; with {count(splits, 'split')}, that may be chance."
    if difference > deviation:
        return f"{text}. The gap is wider than the variation between splits."
    several = "the parameters hardly matter" if len(names) > 1 else f"{name(names[0])} hardly matters"
    return f"{text}. The gap lies within the variation between splits (± {deviation:.4f}), so {several} here."


def _with(size: int | str | None) -> str:
    return {None: "", "mean": ", averaged over the numbers of features,"}.get(size, f" with {size} features")  # type: ignore[arg-type]


def _place(row: pd.Series, names: Sequence[str], name: Callable[[str], str]) -> str:
    return joined(f"{name(each)} = {row[each]:g}" for each in names)


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
    table = pd.DataFrame({"mean": groups.mean(), "std": groups.std(), "repeats": groups.count()})
    settings = [json.loads(text) for text in table.index]
    for place, name in enumerate(names):
        table.insert(place, name, [parameters[name] for parameters in settings])
    return table.sort_values(list(names), kind="stable").reset_index(drop=True)


def _acr(rows: pd.DataFrame) -> pd.Series:
    """Zhang et al. 2020, eq. (11), of each run that has both losses."""
    where = ["dataset", "setting", "repeat"]
    curves = rows[rows["metric"].isin(LOSSES)].pivot_table(index=[*where, "size"], columns="metric", values="value")
    if not set(LOSSES) <= set(curves.columns):
        return pd.Series(dtype=float, index=pd.MultiIndex.from_arrays([[], [], []], names=where))
    runs = curves.sort_index(level="size").groupby(level=where, sort=False)
    return pd.Series({run: average_classification_result(curve) for run, curve in runs}).rename_axis(where)


def _rounded(value: float) -> float:
    """Six digits: what a person would write."""
    return float(f"{value:.6g}")
