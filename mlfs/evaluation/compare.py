"""Many methods on many data sets by one protocol, as a tidy table."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from dataclasses import dataclass
from typing import Any
from typing import Protocol as Shape

import numpy as np
import pandas as pd
from joblib.externals.loky import get_reusable_executor

from mlfs.datasets import Dataset, load_dataset
from mlfs.errors import MlfsError, ParameterError
from mlfs.evaluation.curves import loss_curve
from mlfs.evaluation.protocols import Protocol, get_protocol
from mlfs.evaluation.scaling import scale
from mlfs.selectors import SELECTORS, Selector, make_selector

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
    chosen = [_selector(selector, protocol) for selector in selectors]
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
            _Cell(ds, split, _seeded(selector, parameters, seed, repeat), parameters, repeat, protocol, inner)
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


def _seeded(selector: Selector, parameters: str, seed: int, repeat: int) -> Selector:
    """A method that draws lots draws others in each repeat, unless its seed was given."""
    if "random_state" in selector.parameters and "random_state" not in json.loads(parameters):
        drawn = int(np.random.default_rng([seed, repeat]).integers(2**31))
        return make_selector(selector.id, **{**selector.get_params(), "random_state": drawn})
    return selector


def _evaluate(cell: _Cell) -> list[dict[str, Any]]:
    try:
        table, seconds = _measure(cell)
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
            "seconds": seconds,
            "error": "",
        }
        for row in table.to_dict("records")
        for metric in cell.protocol.metrics
    ]


def _measure(cell: _Cell) -> tuple[pd.DataFrame, float]:
    ds, (train, test), protocol = cell.dataset, cell.split, cell.protocol
    X, d = ds.X[train], ds.X.shape[1]
    sizes = protocol.sizes_for(d)
    selector = _prepared(cell.selector, ds, max(sizes, default=None), cell.n_jobs)
    start = time.perf_counter()
    selector.fit(X, ds.Y[train])
    seconds = time.perf_counter() - start
    if not sizes:
        sizes = [_natural_size(selector, cell, X, ds.Y[train])]
        if sizes[0] > len(selector.ranking_):
            selector.set_params(n_features_to_select=sizes[0]).fit(X, ds.Y[train])
    sizes = [size for size in sizes if size <= len(selector.ranking_)]
    columns, owner = ds.one_hot()
    X_train, X_test = scale(columns[train], columns[test], protocol.scaling)
    table = loss_curve(
        X_train,
        ds.Y[train],
        X_test,
        ds.Y[test],
        selector.ranking_,
        sizes if selector.id != "all_features" else [d],
        protocol.classifier,
        protocol.metrics,
        owner=owner,
        n_jobs=cell.n_jobs,
    )
    return table, seconds


def _natural_size(selector: Selector, cell: _Cell, X: Any, Y: np.ndarray) -> int:
    """The size a set method chose; for the others, the size the protocol's reference method chooses here."""
    if selector.selects_sets:
        return max(1, selector.n_selected_)
    reference, _ = _selector(cell.protocol.natural_size_of, cell.protocol)
    return max(1, _prepared(reference, cell.dataset, None, cell.n_jobs).fit(X, Y).n_selected_)


def _prepared(selector: Selector, ds: Dataset, size: int | None, n_jobs: int | None) -> Selector:
    fresh = make_selector(selector.id, **selector.get_params())
    return fresh.set_params(n_features_to_select=size, categorical_features=ds.categorical, n_jobs=n_jobs)


def _selector(given: str | Selector | tuple[str, dict[str, Any]], protocol: Protocol) -> tuple[Selector, str]:
    """The selector with the protocol's parameters filled in, and its own parameters as JSON."""
    if isinstance(given, Selector):
        own = {
            name: value
            for name, value in given.get_params().items()
            if not np.array_equal(value, type(given).parameters[name].default)
        }
        method = given.id
    else:
        method, own = (given, {}) if isinstance(given, str) else given
    selector = make_selector(method, **own)
    known = SELECTORS[method].parameters
    selector.set_params(**{k: v for k, v in protocol.selector_parameters.items() if k in known and k not in own})
    try:
        return selector, json.dumps(own, sort_keys=True, default=lambda value: value.tolist())
    except (TypeError, AttributeError):
        raise ParameterError(f"The parameters of {method} must be plain numbers and words, not {own!r}.") from None
