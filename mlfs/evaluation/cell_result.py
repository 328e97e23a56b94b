"""What comes out of a cell: one method with one set of parameters on one split of one data set."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

#: Of a table of results, one row per cell, size and metric.
COLUMNS = ["dataset", "method", "parameters", "repeat", "size", "metric", "value", "seconds", "error"]


@dataclass(frozen=True, eq=False)
class CellResult:
    """What a cell gave, or why it gave nothing.

    Attributes
    ----------
    values : (sizes, metrics) float array
    ranking : the features in the order of the method, as far as they were looked at
    seconds : of the selection, its preparation included, whoever prepared it
    prepare_seconds : of the preparation alone, which cells of a group share
    wall_seconds : of the whole cell without the preparation
    peak_bytes : the most memory that the selection held at once, where it was measured; 0 else
    error : why it failed, or ""
    again : whether a later run should try again: the worker died, or the system had no room, not its own doing
    key, fingerprint, method : of the cell, where it is one of a study
    """

    sizes: tuple[int, ...] = ()
    metrics: tuple[str, ...] = ()
    values: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    ranking: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    n_selected: int = 0
    seconds: float = float("nan")
    prepare_seconds: float = 0.0
    wall_seconds: float = 0.0
    peak_bytes: int = 0
    error: str = ""
    again: bool = False
    key: str = ""
    fingerprint: str = ""
    method: str = ""

    @property
    def curve(self) -> pd.DataFrame:
        """One row per size, with the column ``size`` and one column per metric."""
        curve = pd.DataFrame(self.values, columns=list(self.metrics))
        curve.insert(0, "size", list(self.sizes))
        return curve


def failed(problem: object, again: bool = False) -> CellResult:
    """The result of a cell that gave nothing but a reason."""
    again = again or _is_of_the_machine(problem)
    return CellResult(error=" ".join(str(problem).split()) or type(problem).__name__, again=again)


def _is_of_the_machine(problem: object) -> bool:
    """Whether the system refused something, such as room on a disk or memory, which it may not refuse another time.

    Its errors have a number; one without is a sentence of the method itself, which would be the same again.
    """
    return isinstance(problem, MemoryError) or (isinstance(problem, OSError) and problem.errno is not None)


def results_table(
    results: Iterable[tuple[Mapping[str, Any], CellResult]], columns: Sequence[str] = COLUMNS
) -> pd.DataFrame:
    """One row per cell, size and metric; a cell that failed has one row, with its reason.

    Parameters
    ----------
    results : each with what is known about its cell, by column
    """
    parts: dict[str, list[Any]] = {name: [] for name in columns}
    for about, result in results:
        sizes, metrics, values = result.sizes, result.metrics, result.values.ravel()
        if result.error:
            sizes, metrics, values = (np.nan,), ("",), np.array([np.nan])  # type: ignore[assignment]
        whole = {
            **about,
            "seconds": result.seconds,
            "error": result.error,
            "n_selected": np.nan if result.error else result.n_selected,
        }
        parts["size"] += [size for size in sizes for _ in metrics]
        parts["metric"] += list(metrics) * len(sizes)
        parts["value"] += values.tolist()
        for name in columns:
            if name not in ("size", "metric", "value"):
                parts[name] += [whole[name]] * len(values)
    return pd.DataFrame(parts, columns=list(columns))
