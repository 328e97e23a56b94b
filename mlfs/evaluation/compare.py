"""Many methods on many data sets by one protocol, as a tidy table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, wait
from dataclasses import dataclass
from typing import Any

import pandas as pd
from joblib.externals.loky import get_reusable_executor
from sklearn.base import BaseEstimator

from mlfs.checks import checked, described, is_list, whole
from mlfs.datasets import Dataset, load_dataset
from mlfs.errors import MlfsError, ParameterError
from mlfs.evaluation.cell_result import CellResult, failed, results_table
from mlfs.evaluation.protocols import Choice, Protocol, get_protocol, method_and_parameters, parameters_text
from mlfs.evaluation.ranking_files import rankings_of
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.evaluation.splits import Split
from mlfs.selectors import ScikitLearnSelector, adapted, make_selector
from mlfs.stopping import CancelToken

MOST_WORKERS = 1024
DIED = "The worker process ended, probably for lack of memory: try fewer workers."


@dataclass(frozen=True)
class _Task:
    """What a worker needs for a cell."""

    dataset: Dataset
    split: Split
    choice: Choice
    protocol: Protocol
    seed: int
    repeat: int
    n_jobs: int | None

    def compute(self) -> CellResult:
        evaluator = SplitEvaluator(self.dataset, self.split, self.n_jobs)
        return evaluator.compute(self.choice, self.protocol, self.seed, self.repeat)


@checked
def compare(
    datasets: Iterable[str | Dataset],
    selectors: Any = (),
    protocol: str | Protocol = "quick",
    *,
    rankings: Mapping[str, Any] | None = None,
    metrics: Sequence[str] | None = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Callable[[int, int, str], None] | None = None,
    cancel: CancelToken | None = None,
) -> pd.DataFrame:
    """Run every selector on every data set and split; one row per size and metric.

    Selection, discretisation and scaling see training rows only. The result is the same for the same seed, whatever
    the number of workers. A cell that fails gives one row with the reason in ``error``, and the rest goes on.

    Parameters
    ----------
    selectors : ids, fitted or unfitted selectors, ours or scikit-learn's, or pairs of id and parameters
    rankings : rankings from elsewhere by the names that tables give them: paths, arrays of feature indices or names,
        lists of arrays (one for each split), or `ExternalRanking`, as `as_ranking` takes them; of several data sets a
        mapping of these by the data set's name
    n_jobs : worker processes
    progress : called with cells done, cells in all, and what was done last
    cancel : stops before the next cell once it is set; what is done by then is returned

    Returns
    -------
    DataFrame with the columns dataset, method, parameters (JSON), repeat, size, metric, value, seconds (of the
    selection) and error.
    """
    protocol = get_protocol(protocol, **({} if metrics is None else {"metrics": tuple(metrics)}))
    several = is_list(selectors) and not isinstance(selectors, BaseEstimator)
    choices = list(map(_checked, selectors if several else [selectors]))
    inner = None if n_jobs == 1 else 1
    whole("n_jobs", n_jobs, 1, MOST_WORKERS)
    whole("seed", seed, 0)
    listed = [datasets] if isinstance(datasets, str | Dataset) else list(datasets)
    for given in listed:
        if not isinstance(given, str | Dataset):
            raise ParameterError(f"datasets must be names and data sets, not {described(given)}.")
    names = [given if isinstance(given, str) else given.name for given in listed]
    cells: list[dict[str, Any]] = []
    tasks: dict[int, _Task] = {}
    results: dict[int, CellResult] = {}
    for name, given in zip(names, listed, strict=True):
        try:
            ds = load_dataset(given) if isinstance(given, str) else given
            splits = list(protocol.splits(ds, seed))
        except MlfsError as problem:
            for _, about in choices:
                results[len(cells)] = failed(problem)
                cells.append({"dataset": name, **about, "repeat": 0})
            continue
        from_elsewhere = _rankings(ds, name, rankings, names, protocol)
        for repeat, split in enumerate(splits):
            for choice, about in (*choices, *from_elsewhere):
                tasks[len(cells)] = _Task(ds, split, choice, protocol, seed, repeat, inner)
                cells.append({"dataset": ds.name, **about, "repeat": repeat})
    for done, (position, result) in enumerate(_computed(tasks, n_jobs, cancel), start=1):
        results[position] = result
        if progress is not None:
            cell = cells[position]
            progress(done, len(tasks), f"{cell['method']} on {cell['dataset']}, split {cell['repeat'] + 1}")
    return results_table((cells[position], results[position]) for position in sorted(results))


def _checked(choice: Choice) -> tuple[Choice, dict[str, str]]:
    """A method and its columns; a name that there is not is told before anything runs."""
    choice = adapted(choice)
    method, parameters = method_and_parameters(choice)
    if not isinstance(choice, ScikitLearnSelector):
        make_selector(method, **parameters)
        choice = (method, parameters)
    return choice, {"method": method, "parameters": parameters_text(method, parameters)}


def _rankings(
    ds: Dataset, name: str, rankings: Mapping[str, Any] | None, names: Sequence[str], protocol: Protocol
) -> list[tuple[Choice, dict[str, str]]]:
    """The rankings from elsewhere of one data set, and their columns."""
    choices: list[tuple[Choice, dict[str, str]]] = []
    for ranking in rankings_of(ds, name, rankings, names):
        ranking.check_splits(protocol.n_splits)
        method, parameters = method_and_parameters(ranking)
        choices.append((ranking, {"method": method, "parameters": parameters_text(method, parameters)}))
    return choices


def _computed(tasks: dict[int, _Task], n_jobs: int, cancel: CancelToken | None) -> Iterator[tuple[int, CellResult]]:
    def stopped() -> bool:
        return cancel is not None and cancel.is_set()

    if n_jobs == 1:
        for position, task in tasks.items():
            if stopped():
                return
            yield position, task.compute()
        return
    executor = get_reusable_executor(max_workers=n_jobs)
    waiting = {executor.submit(task.compute): position for position, task in tasks.items()}
    try:
        while waiting and not stopped():
            # A short wait, so that cancelling does not wait for the cell under way.
            for future in wait(waiting, timeout=0.2, return_when=FIRST_COMPLETED).done:
                position = waiting.pop(future)
                try:
                    yield position, future.result()
                except BrokenExecutor:
                    yield position, failed(DIED)
    finally:
        if waiting:
            executor.shutdown(wait=True, kill_workers=True)
