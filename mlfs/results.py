"""The tidy table of results that `compare` and studies give, one row per value: its settings, repeats and sizes.

A row has the columns of `RESULT_COLUMNS`, and where they are known also parameters (JSON), seed and error.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from mlfs.errors import ParameterError, did_you_mean
from mlfs.parameters import value_text
from mlfs.wording import settings_text

RESULT_COLUMNS = ("dataset", "method", "repeat", "size", "metric", "value")
# What tells one run from another, once `settings_of` has named the settings.
RUN = ["dataset", "setting", "repeat"]
# The id of AllFeatures, whose class would bring scikit-learn along; its one size stands beside every other.
ALL_FEATURES = "all_features"
# The parameter by which tables know a ranking from elsewhere: which rows its author's program saw.
RANKED_ON = "ranked_on"
ALL_ROWS, TRAINING_ROWS = "all rows", "training rows"
SAW_TEST_ROWS = " (saw test rows)"


def settings_of(results: pd.DataFrame) -> pd.Series:
    """A name for the method and setting of each row of a tidy table of results.

    A method that occurs in one setting, or with its defaults, keeps its id, and with it its colour; other settings
    are named as `mlfs.selectors.specification.method_text` writes them. A ranking from elsewhere has the name that it
    was given, and where it was made of all rows, a mark that it saw the test rows.

    >>> settings_of(pd.DataFrame({"method": ["els", "grro", "grro"], "parameters": ["{}", "{}", '{"alpha": 10.0}']}))
    0              els
    1             grro
    2    grro:alpha=10
    dtype: object
    """
    methods = results["method"].astype(str).astype(object)
    if "parameters" not in results:
        return methods.rename(None)
    parameters = results["parameters"].fillna("{}").astype(str)
    pairs = list(zip(methods, parameters, strict=True))
    known = dict.fromkeys(pairs)
    settings = Counter(method for method, _ in known)
    names = {pair: _setting(*pair, several=settings[pair[0]] > 1) for pair in known}
    return pd.Series([names[pair] for pair in pairs], index=results.index, dtype=object)


def saw_test_rows_notes(settings: Iterable[Any]) -> list[str]:
    """The sentence about those settings whose features were selected with the test rows included, if there are any.

    >>> saw_test_rows_notes(["els", "mine (saw test rows)"])
    ['mine: one ranking for all rows, selected with the test rows included, so its results look better than they are.']
    >>> saw_test_rows_notes(["els", "mine"])
    []
    """
    names = [
        str(name).removesuffix(SAW_TEST_ROWS) for name in dict.fromkeys(settings) if str(name).endswith(SAW_TEST_ROWS)
    ]
    about = "one ranking for all rows, selected with the test rows included, so its results look better than they are."
    return [f"{', '.join(names)}: {about}"] if names else []


def setting_title(setting: Any) -> str:
    """The name that people read.

    >>> setting_title("grro"), setting_title("grro:alpha=10,beta=0.1"), setting_title("my method")
    ('GRRO', 'GRRO (α=10, β=0.1)', 'my method')
    """
    # Late: with the selectors comes scikit-learn, which importing a table or a figure need not wait for.
    from mlfs.selectors import SELECTORS

    method, _, parameters = str(setting).partition(":")
    if method not in SELECTORS:
        return str(setting)
    name = SELECTORS[method].name
    return f"{name} ({settings_text(parameters, method)})" if parameters else name


def parameter_values(results: pd.DataFrame, parameter: str) -> pd.Series:
    """The value of one parameter in each row of a tidy table of results; the method's default where it was not set.

    >>> list(parameter_values(pd.DataFrame({"method": "grro", "parameters": ['{"alpha": 10.0}', "{}"]}), "alpha"))
    [10.0, 1.0]
    """
    from mlfs.selectors import SELECTORS

    def value(method: str, parameters: str) -> Any:
        declared = SELECTORS[method].parameters if method in SELECTORS else {}
        default = declared[parameter].default if parameter in declared else None
        try:
            return json.loads(parameters).get(parameter, default)
        except (AttributeError, TypeError, ValueError):
            return default

    pairs = list(zip(results["method"], results["parameters"], strict=True))
    known = {pair: value(*pair) for pair in dict.fromkeys(pairs)}
    return pd.Series([known[pair] for pair in pairs], index=results.index, dtype=object)


def metrics_in(results: pd.DataFrame) -> list[str]:
    """The metrics that a table of results names.

    >>> metrics_in(pd.DataFrame({"metric": ["hamming_loss", "macro_f1", "hamming_loss", None]}))
    ['hamming_loss', 'macro_f1']
    """
    return [str(name) for name in dict.fromkeys(results["metric"].dropna()) if name] if "metric" in results else []


def sizes_in(results: pd.DataFrame) -> list[int]:
    """The numbers of features of runs; none for rows of another kind."""
    return sorted({int(size) for size in results["size"].dropna()}) if are_runs(results) else []


def are_runs(results: pd.DataFrame) -> bool:
    """Whether the rows are those of `compare` or of a study."""
    return set(RESULT_COLUMNS) <= set(results.columns)


def repeats_apart(results: pd.DataFrame) -> pd.DataFrame:
    """The rows with repeats numbered over all seeds: a repeat of another seed is another repeat."""
    if "seed" not in results:
        return results
    return results.assign(repeat=results.groupby(["seed", "repeat"], dropna=False).ngroup())


def one_per_repeat(measured: pd.DataFrame, size: int | str | None, lower: bool) -> pd.Series:
    """The value of each data set, setting and repeat, by `size` as `mlfs.tables.summary` takes it.

    >>> rows = pd.DataFrame({"size": [1, 5], "value": [0.25, 0.5]}).assign(dataset="flags", setting="els", repeat=0)
    >>> [float(one_per_repeat(rows, size, True).iloc[0]) for size in (None, "best", "mean")]
    [0.5, 0.25, 0.375]
    """
    chosen = _of_size(measured, size).sort_values("size", kind="stable")
    runs = chosen[np.isfinite(chosen["value"].to_numpy(dtype=float))].groupby(RUN, sort=False)["value"]
    if size is None:
        return runs.last()
    if size == "best":
        return runs.min() if lower else runs.max()
    return runs.mean()


def reasons(failed: pd.DataFrame, measured: pd.DataFrame, values: pd.Series, size: int | str | None) -> pd.Series:
    """By data set and setting the first reason why a repeat has no value."""
    lacking = measured[~_runs(measured).isin(values.index)]
    sized = _runs(lacking).isin(_runs(_of_size(measured, size)))
    why = np.where(sized, "The metric is not defined on a split.", f"It has no run with {size} features.")
    return pd.concat([failed, lacking.assign(error=why)]).groupby(RUN[:2], sort=False)["error"].first()


def uneven_datasets(measured: pd.DataFrame) -> list[str]:
    """Data sets on which methods were run with different sizes: means over sizes are then no fair rivals."""
    usual = measured[measured["method"] != ALL_FEATURES]
    sizes = usual.groupby(RUN[:2], sort=False)["size"].agg(frozenset)
    return [str(dataset) for dataset, of_methods in sizes.groupby(level=0, sort=False) if len(set(of_methods)) > 1]


def _setting(method: str, parameters: str, several: bool) -> str:
    if f'"{RANKED_ON}"' in parameters:
        return method + SAW_TEST_ROWS if ALL_ROWS in parameters else method
    if not several:
        return method
    try:
        words = ",".join(f"{name}={value_text(value)}" for name, value in json.loads(parameters).items())
    except (AttributeError, TypeError, ValueError):
        words = parameters  # not written by `compare`
    return f"{method}:{words}" if words else method


def _runs(rows: pd.DataFrame) -> pd.MultiIndex:
    return pd.MultiIndex.from_frame(rows[RUN])


def _of_size(measured: pd.DataFrame, size: int | str | None) -> pd.DataFrame:
    """The rows that count: those of one size, or all."""
    if size in (None, "mean", "best"):
        return measured
    if isinstance(size, str):
        raise ParameterError(f"There is no size {size!r}: {did_you_mean(size, ('mean', 'best'))}")
    here = measured["size"] == size
    if len(measured) and not here.any():
        sizes = sorted({int(value) for value in measured["size"]})
        shown = ", ".join(map(str, sizes[:12])) + (", …" if len(sizes) > 12 else "")
        raise ParameterError(f"No run has {size} features: choose from {shown}.")
    return measured[here | (measured["method"] == ALL_FEATURES)]
