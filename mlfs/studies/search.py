"""The best parameters of a method within a budget, by Optuna, judged on rows taken from the training part alone.

The test rows of the plan are cut off before anything begins: the search sees a data set of the training rows, parted
into rows that train and rows that validate. Each trial is a cell of that data set, kept in the store like any other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.checks import checked
from mlfs.datasets import Dataset
from mlfs.errors import StudyError, did_you_mean
from mlfs.evaluation.splits import random_splits
from mlfs.metrics import METRICS
from mlfs.selectors.specification import method_parameters
from mlfs.stopping import CancelToken
from mlfs.studies.cell_runner import CellRunner
from mlfs.studies.plan import MethodGrid, Plan
from mlfs.studies.store import Store

VALIDATION_SHARE = 0.25
DIGITS = 4


@dataclass(frozen=True)
class Search:
    """What a search found.

    Attributes
    ----------
    study : the id in the store under which its trials are kept
    parameters : the best, those that the plan fixes included
    value : of the metric on the validation rows, the mean over the sizes
    trials : one row per trial, in order: the searched parameters and ``value``, NaN where it failed
    """

    study: int
    parameters: dict[str, Any]
    value: float
    trials: pd.DataFrame


@checked
def search(
    plan: Plan,
    store: Store,
    budget: int = 50,
    *,
    metric: str = "hamming_loss",
    seconds: float | None = None,
    datasets: Mapping[str, Dataset] | None = None,
    owner: str | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    cancel: CancelToken | None = None,
) -> Search:
    """Look for the best values between the ends of a plan's grid.

    Parameters
    ----------
    plan : of one data set and one method; its grid names the parameters, and the least and largest value of each
    budget : trials
    metric : whose mean over the sizes decides
    seconds : stop after so many, too
    progress, cancel : as `run` takes them
    """
    optuna = _optuna()
    grid = _searchable(plan)
    protocol = plan.resolved_protocol
    if metric not in protocol.metrics:
        raise StudyError(f"The plan does not measure {metric!r}: {did_you_mean(metric, protocol.metrics)}")
    if isinstance(budget, bool) or not isinstance(budget, int) or budget < 1:
        raise StudyError(f"budget must be a whole number of trials from 1, not {budget!r}.")
    name, ds = next(iter(plan.load(datasets).items()))
    inner = {f"{name}, training rows": training_rows(ds, next(iter(protocol.splits(ds, plan.seeds[0]))), plan.seeds[0])}
    lower = METRICS[metric].lower_is_better
    sampler = optuna.samplers.TPESampler(seed=plan.seeds[0])
    study = optuna.create_study(direction="minimize" if lower else "maximize", sampler=sampler)
    objective = _Objective(plan, store, inner, metric)
    begun, rows = time.monotonic(), list[dict[str, Any]]()
    while len(rows) < budget and not (cancel is not None and cancel.is_set()):
        if seconds is not None and rows and time.monotonic() - begun > seconds:
            break
        trial = study.ask()
        chosen = {name: _suggest(trial, grid.method, name, values) for name, values in grid.grid.items()}
        value = objective.value({**grid.parameters, **chosen})
        if np.isnan(value):
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
        else:
            study.tell(trial, value)
        rows.append({**chosen, "value": value})
        if progress is not None:
            progress(len(rows), budget, objective.text)
    trials = pd.DataFrame(rows, columns=[*grid.grid, "value"])
    if trials["value"].isna().all():
        raise StudyError(f"No trial of {grid.method} gave a result{objective.reason}")
    best = trials["value"].idxmin() if lower else trials["value"].idxmax()
    parameters = {**grid.parameters, **{name: rows[best][name] for name in grid.grid}}
    return Search(objective.note(owner), parameters, float(trials["value"][best]), trials)


def training_rows(ds: Dataset, split: tuple[np.ndarray, np.ndarray], seed: int) -> Dataset:
    """The training rows as a data set of their own, whose given split parts them into training and validation."""
    rows, _ = split
    inner = next(iter(random_splits(ds.Y[rows], VALIDATION_SHARE, 1, seed)))
    return Dataset(
        ds.X[rows],
        ds.Y[rows],
        ds.feature_names,
        ds.label_names,
        f"{ds.name}, training rows",
        split=inner,
        categories=ds.categories,
    )


class _Objective:
    """Computes trials one after another, and keeps them."""

    def __init__(self, plan: Plan, store: Store, datasets: Mapping[str, Dataset], metric: str) -> None:
        self._plan, self._store, self._datasets, self._metric = plan, store, datasets, metric
        self._runner = CellRunner(n_jobs=None)
        self._tried: dict[str, MethodGrid] = {}
        self._values: dict[str, float] = {}
        self.text, self.reason = "", "."

    def value(self, parameters: Mapping[str, Any]) -> float:
        method = MethodGrid(self._plan.methods[0].method, parameters)
        (cell,) = self._of([method]).cells(self._datasets)
        self.text = cell.text
        if cell.key not in self._tried:
            self._tried[cell.key] = method
            if not self._store.finished([cell.key]):
                self._store.put(self._runner.compute(cell, self._datasets[cell.dataset]))
            results = self._store.results([cell])
            self.reason = f": {results['error'][0]}" if results["error"][0] else "."
            measured = results.loc[results["metric"] == self._metric, "value"]
            self._values[cell.key] = float(measured.mean()) if len(measured) else float("nan")
        return self._values[cell.key]

    def note(self, owner: str | None) -> int:
        plan = self._of(list(self._tried.values()))
        return self._store.note_cells(plan, plan.cells(self._datasets), owner)

    def _of(self, methods: list[MethodGrid]) -> Plan:
        settings = {**self._plan.settings, "split": "given"}
        name = f"{self._plan.name}: search"
        return Plan(name, tuple(self._datasets), tuple(methods), self._plan.protocol, settings, self._plan.seeds[:1])


def _searchable(plan: Plan) -> MethodGrid:
    if len(plan.methods) != 1 or len(plan.datasets) != 1 or not plan.methods[0].grid:
        raise StudyError("A search needs a plan of one data set and one method with a grid: its ends bound the search.")
    return plan.methods[0]


def _suggest(trial: Any, method: str, name: str, values: Any) -> Any:
    parameter = method_parameters(method)[name]
    numbers = [value for value in values if value is not None]
    if parameter.kind not in ("number", "integer") or len(numbers) < len(values) or len(numbers) < 2:
        return trial.suggest_categorical(name, list(values))
    low, high, log = min(numbers), max(numbers), parameter.scale == "log"
    if parameter.kind == "integer":
        return trial.suggest_int(name, low, high, log=log and low > 0)
    # A few digits are as good as all, and the same values come again.
    value = float(f"{trial.suggest_float(name, low, high, log=log and low > 0):.{DIGITS}g}")
    return min(max(value, low), high)


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise StudyError("Optuna is not installed here: run pip install 'mlfs-dashboard[optuna]'.") from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
