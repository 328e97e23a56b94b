"""From a store to the tables that are kept.

Numbers are means over the splits, rounded to what matters; the first 50 features of each split stand beside them, so
that overlaps and stability need no run.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from importlib.metadata import version
from typing import Any

import numpy as np
import pandas as pd

from mlfs import __version__
from mlfs.benchmark.compact import compact
from mlfs.benchmark.kept import DONE, EXCEEDED, FAILED, LIBRARIES, NOT_JUDGED, Benchmark, parts_of
from mlfs.benchmark.scaling import scaling_cells, scaling_rows
from mlfs.benchmark.study import (
    CLASSIFIERS,
    DATASETS,
    DEFAULT,
    FOLDS,
    LIMITS,
    SMALL_DATASETS,
    TUNED,
    chosen_settings,
    inner_data,
    inner_name,
    judged_cells,
    own_methods,
    trial_cells,
)
from mlfs.checks import checked
from mlfs.datasets import Dataset, load_dataset, profile
from mlfs.errors import DatasetError, StudyError
from mlfs.evaluation.cell_result import CellResult
from mlfs.selectors import SELECTORS
from mlfs.studies import Cell, MethodGrid, Store
from mlfs.studies.limits import SELECTING, CellLimits, exceeded_part, is_within

#: Of every ranking so many features are kept.
KEPT_FEATURES = 50
TRIALS = ["dataset", "repeat", "method", "parameters"]


@checked
def make_benchmark(
    store: Store,
    *,
    datasets: Sequence[str] = DATASETS,
    methods: Sequence[str] | None = None,
    splits: Mapping[str, int] | None = None,
    limits: CellLimits = LIMITS,
    machine: str = "",
    commands: Sequence[str] = (),
) -> Benchmark:
    """What a store has of the benchmark.

    A data set counts with those splits that every method has which exceeded no limit there, so that all means are over
    the same rows.

    Parameters
    ----------
    methods : ids; those of mlfs itself where None
    splits : data set → only so many of the first splits
    limits : of every cell; one that was given up under narrower ones counts as not run
    machine : in words, for whoever reads the times
    commands : that made the store
    """
    methods = own_methods() if methods is None else list(methods)
    parts: dict[str, list[pd.DataFrame]] = {name: [] for name in ("results", "runs", "rankings", "trials")}
    profiles, seen = list[dict[str, Any]](), list[Cell]()
    for dataset in datasets:
        try:
            ds = load_dataset(dataset)
        except DatasetError:
            continue
        most = (splits or {}).get(dataset, FOLDS)
        of_default = _Gathered(dataset, DEFAULT, judged_cells(dataset, methods, CLASSIFIERS, ds), store, limits, most)
        if not of_default.any:
            continue
        profiles.append(describe(ds, dataset))
        gathered = [of_default]
        if dataset in SMALL_DATASETS:
            cells, trials, tried = _tuned_cells(store, dataset, ds, methods)
            parts["trials"].append(trials)
            seen += tried
            gathered.append(_Gathered(dataset, TUNED, cells, store, limits, most))
        for each in gathered:
            for name in ("results", "runs", "rankings"):
                parts[name].append(getattr(each, name)())
            seen += each.cells
    if not profiles:
        raise StudyError(f"There is no benchmark in {store.path}: run it first with mlfs benchmark run.")
    tables = {}
    for name, frames in parts.items():
        # An empty one has columns of no kind, which would make numbers words.
        filled = [frame for frame in frames if len(frame)]
        tables[name] = compact(pd.concat(filled, ignore_index=True)) if filled else pd.DataFrame(columns=TRIALS)
    timed = scaling_cells(methods)
    scaling = scaling_rows(store, timed)
    batch = {
        "date": date.today().isoformat(),
        "mlfs": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "machine": machine,
        "commands": list(commands),
        "parts": parts_of(tables["runs"]),
        "processor_seconds": round(store.total_seconds([*seen, *timed])),
    }
    about = {"limits": asdict(limits), "batches": [batch]}
    return Benchmark(**tables, scaling=compact(scaling), datasets=pd.DataFrame(profiles), about=about)


def describe(ds: Dataset, name: str) -> dict[str, Any]:
    """What a data set is like, in numbers that can be compared."""
    seen = profile(ds)
    numbers = seen.feature_types
    return {
        "dataset": name,
        "instances": seen.instances,
        "features": seen.features,
        "labels": seen.labels,
        "cardinality": round(seen.cardinality, 4),
        "density": round(seen.density, 5),
        "labelsets": seen.distinct_labelsets,
        "imbalance": round(seen.mean_imbalance or 1.0, 3),
        "numeric": round(numbers.get("numeric", 0) / max(seen.features, 1), 4),
        "filled": round(_filled(ds.X), 5),
    }


def _filled(X: Any) -> float:
    """The share of the numbers that are not 0."""
    filled = X.nnz if hasattr(X, "nnz") else np.count_nonzero(X)
    return float(filled / max(X.shape[0] * X.shape[1], 1))


class _Gathered:
    """What a store has of one data set and one kind of setting."""

    def __init__(
        self,
        dataset: str,
        setting: str,
        every: Mapping[str, list[Cell]],
        store: Store,
        limits: CellLimits,
        splits: int,
    ) -> None:
        cells = {name: [cell for cell in of if cell.repeat < splits] for name, of in every.items()}
        self._about = {"dataset": dataset, "setting": setting}
        self._cells = cells
        self._found = {
            name: {
                key: _under(limits, result)
                for key, result in store.cell_results(of).items()
                if not is_within(result.error, limits)
            }
            for name, of in cells.items()
        }
        self.any = any(self._found.values())

    @property
    def cells(self) -> list[Cell]:
        return [cell for of in self._cells.values() for cell in of]

    def _states(self, classifier: str) -> dict[str, tuple[str, str]]:
        """Method → state and reason; not there where it has not been run."""
        states: dict[str, tuple[str, str]] = {}
        for cell in self._cells[classifier]:
            result = self._found[classifier].get(cell.key)
            if result is None:
                continue
            state = DONE
            if result.error:
                part = exceeded_part(result.error)
                state = FAILED if part is None else EXCEEDED if part == SELECTING else NOT_JUDGED
            if cell.method not in states or states[cell.method][0] == DONE:
                states[cell.method] = (state, result.error)
        return states

    def _splits(self, classifier: str) -> list[int]:
        """Those that every method has that can have them."""
        states = self._states(classifier)
        there: dict[int, set[str]] = {}
        for cell in self._cells[classifier]:
            if cell.key in self._found[classifier]:
                there.setdefault(cell.repeat, set()).add(cell.method)
        fine = {method for method, (state, _) in states.items() if state == DONE}
        return sorted(repeat for repeat, methods in there.items() if fine <= methods)

    def _fine(self, classifier: str) -> list[tuple[Cell, Any]]:
        states, splits = self._states(classifier), self._splits(classifier)
        return [
            (cell, self._found[classifier][cell.key])
            for cell in self._cells[classifier]
            if cell.repeat in splits and states.get(cell.method, ("",))[0] == DONE
        ]

    def results(self) -> pd.DataFrame:
        frames = []
        for classifier in self._cells:
            curves = [
                result.curve.assign(method=cell.method, repeat=cell.repeat) for cell, result in self._fine(classifier)
            ]
            if not curves:
                continue
            rows = pd.concat(curves, ignore_index=True)
            groups = rows.drop(columns="repeat").groupby(["method", "size"], sort=False)
            mean, std = groups.mean(), groups.std(ddof=1).add_suffix("_std")
            joined_rows = pd.concat([mean, std], axis=1).reset_index().assign(**self._about, classifier=classifier)
            frames.append(joined_rows)
        return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()

    def runs(self) -> pd.DataFrame:
        rows = []
        for classifier in self._cells:
            fine: dict[str, list[Any]] = {}
            for cell, result in self._fine(classifier):
                fine.setdefault(cell.method, []).append(result)
            for method, (state, reason) in self._states(classifier).items():
                of = fine.get(method, [])
                rows.append(
                    {
                        **self._about,
                        "classifier": classifier,
                        "method": method,
                        "state": state,
                        "reason": reason,
                        "splits": len(of),
                        "seconds": float(np.median([r.seconds for r in of])) if of else np.nan,
                        "peak_mib": float(np.median([r.peak_bytes for r in of])) / 2**20 if of else np.nan,
                        "selected": float(np.mean([r.n_selected for r in of])) if of else np.nan,
                        "version": SELECTORS[method].version,
                    }
                )
        return pd.DataFrame(rows)

    def rankings(self) -> pd.DataFrame:
        first = next(iter(self._cells))
        rows = [
            {
                **self._about,
                "method": cell.method,
                "repeat": cell.repeat,
                "parameters": json.dumps(dict(cell.parameters)),
                "ranking": result.ranking[:KEPT_FEATURES].astype(np.int16),
            }
            for cell, result in self._fine(first)
        ]
        return pd.DataFrame(rows, columns=[*self._about, "method", "repeat", "parameters", "ranking"])


def _under(limits: CellLimits, result: CellResult) -> CellResult:
    """A result as it would be under these limits: none where the selection took longer, or more memory."""
    for used, most, reason in (
        (result.seconds, limits.selection_seconds, limits.too_long(SELECTING)),
        (result.peak_bytes, limits.bytes, limits.too_much(SELECTING)),
    ):
        if not result.error and used > most:
            return replace(result, error=reason)
    return result


def _tuned_cells(
    store: Store, dataset: str, ds: Dataset, methods: Sequence[str]
) -> tuple[dict[str, list[Cell]], pd.DataFrame, list[Cell]]:
    """The cells of the settings that are best inside the training rows, and the trials that showed it, as table too."""
    cells: dict[str, list[Cell]] = {name: [] for name in CLASSIFIERS}
    frames, every = [], list[Cell]()
    for repeat in range(FOLDS):
        inner = {inner_name(dataset, repeat): inner_data(dataset, ds, repeat)}
        trials = trial_cells(dataset, ds, methods, repeat, inner)
        results = store.results(trials)
        if results.empty:
            continue
        every += trials
        finished = results[results["error"] == ""]
        means = finished.pivot_table(index=["method", "parameters"], columns="metric", values="value", sort=False)
        frames.append(means.reset_index().assign(dataset=dataset, repeat=repeat))
        grids = [MethodGrid(method, json.loads(best)) for method, best in chosen_settings(store, trials).items()]
        if grids:
            # What has nothing to tune stands beside the tuned with its defaults, on the same rows.
            tried = {cell.method for cell in trials}
            grids += [MethodGrid(method) for method in methods if method not in tried]
            for name, of in judged_cells(dataset, grids, CLASSIFIERS, ds).items():
                cells[name] += [cell for cell in of if cell.repeat == repeat]
    return cells, pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(), every
