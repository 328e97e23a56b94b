"""Many methods on many data sets by one protocol, as a tidy table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from dataclasses import dataclass
from typing import Any
from typing import Protocol as Shape

import numpy as np
import pandas as pd
from joblib.externals.loky import get_reusable_executor

from mlfs.datasets import Dataset, load_dataset
from mlfs.errors import MlfsError
from mlfs.evaluation.configure import chosen_selector, seeded
from mlfs.evaluation.protocols import Protocol, get_protocol
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.selectors import Selector

COLUMNS = ["dataset", "method", "parameters", "repeat", "size", "metric", "value", "seconds", "error"]


class Cancel(Shape):
    """Anything that says whether to stop, such as `threading.Event`."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class _Cell:
    """One method on one split of one data set."""

    dataset: Dataset
    split: tuple[np.ndarray, np.ndarray]
    selector: Selector
    parameters: str
    repeat: int
    protocol: Protocol
    n_jobs: int | None


def compare(
    datasets: Iterable[str | Dataset],
    selectors: Iterable[str | Selector | tuple[str, dict[str, Any]]],
    protocol: str | Protocol = "quick",
    *,
    metrics: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Callable[[int, int, str], None] | None = None,
    cancel: Cancel | None = None,
) -> pd.DataFrame:
    """Run every selector on every data set and split; one row per size and metric.

    Selection, discretisation and scaling see training rows only. The result is the same for the same seed, whatever
    the number of workers. A cell that fails gives one row with the reason in ``error``, and the rest goes on.

    Parameters
    ----------
    selectors : ids, fitted or unfitted selectors, or pairs of id and parameters
    n_jobs : worker processes
    progress : called with cells done, cells in all, and what was done last
    cancel : stops before the next cell once it is set; what is done by then is returned

    Returns
    -------
    DataFrame with the columns dataset, method, parameters (JSON), repeat, size, metric, value, seconds (of the
    selection) and error.
    """
    protocol = get_protocol(protocol, **({} if metrics is None else {"metrics": tuple(metrics)}))
    selectors = [selectors] if isinstance(selectors, str | Selector) else selectors
    chosen = [chosen_selector(selector, protocol) for selector in selectors]
    inner = None if n_jobs == 1 else 1
    cells: list[_Cell | dict[str, Any]] = []
    for given in [datasets] if isinstance(datasets, str | Dataset) else datasets:
        try:
            ds = load_dataset(given) if isinstance(given, str) else given
            splits = list(protocol.splits(ds, seed))
        except MlfsError as problem:
            name = given if isinstance(given, str) else given.name
            cells += [_failure(name, selector.id, parameters, 0, problem) for selector, parameters in chosen]
            continue
        cells += [
            _Cell(ds, split, seeded(selector, parameters, seed, repeat), parameters, repeat, protocol, inner)
            for repeat, split in enumerate(splits)
            for selector, parameters in chosen
        ]
    work = {position: cell for position, cell in enumerate(cells) if isinstance(cell, _Cell)}
    done = {position: [row] for position, row in enumerate(cells) if isinstance(row, dict)}
    failed = len(done)
    for position, rows in _run(work, n_jobs, cancel):
        done[position] = rows
        if progress is not None:
            cell = work[position]
            progress(
                len(done) - failed, len(work), f"{cell.selector.id} on {cell.dataset.name}, split {cell.repeat + 1}"
            )
    return pd.DataFrame([row for position in sorted(done) for row in done[position]], columns=COLUMNS)


def _run(work: dict[int, _Cell], n_jobs: int, cancel: Cancel | None) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    def stopped() -> bool:
        return cancel is not None and cancel.is_set()

    if n_jobs == 1:
        for position, cell in work.items():
            if stopped():
                return
            yield position, _evaluate(cell)
        return
    executor = get_reusable_executor(max_workers=n_jobs)
    waiting = {executor.submit(_evaluate, cell): position for position, cell in work.items()}
    try:
        while waiting and not stopped():
            # A short wait, so that cancelling does not wait for the cell under way.
            for future in wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED).done:
                position = waiting.pop(future)
                try:
                    yield position, future.result()
                except BrokenExecutor:
                    cell = work[position]
                    reason = "The worker process ended, probably for lack of memory: try fewer workers."
                    yield (
                        position,
                        [_failure(cell.dataset.name, cell.selector.id, cell.parameters, cell.repeat, reason)],
                    )
    finally:
        if waiting:
            executor.shutdown(wait=True, kill_workers=True)


def _failure(dataset: str, method: str, parameters: str, repeat: int, problem: object) -> dict[str, Any]:
    """The row of a cell that failed."""
    return {
        "dataset": dataset,
        "method": method,
        "parameters": parameters,
        "repeat": repeat,
        "size": np.nan,
        "metric": "",
        "value": np.nan,
        "seconds": np.nan,
        "error": " ".join(str(problem).split()) or type(problem).__name__,
    }


def _evaluate(cell: _Cell) -> list[dict[str, Any]]:
    try:
        found = SplitEvaluator(cell.dataset, cell.split, cell.n_jobs).measure(cell.selector, cell.protocol)
    except Exception as problem:  # one failing cell must not take the others with it
        return [_failure(cell.dataset.name, cell.selector.id, cell.parameters, cell.repeat, problem)]
    return [
        {
            "dataset": cell.dataset.name,
            "method": cell.selector.id,
            "parameters": cell.parameters,
            "repeat": cell.repeat,
            "size": int(row["size"]),
            "metric": metric,
            "value": float(row[metric]),
            "seconds": found.seconds,
            "error": "",
        }
        for row in found.curve.to_dict("records")
        for metric in cell.protocol.metrics
    ]
