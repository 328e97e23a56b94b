"""The benchmark as it is kept in ``data/benchmark``: made from a store, read in a moment, shown by the page Methods.

Numbers are means over the splits, rounded to what matters; the first 50 features of each split stand beside them, so
that overlaps and stability need no run.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlfs import __version__
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
from mlfs.classifiers import CLASSIFIERS as ALL_CLASSIFIERS
from mlfs.datasets import Dataset, load_dataset, profile
from mlfs.datasets.bundled import data_folder
from mlfs.errors import DatasetError, StudyError
from mlfs.evaluation.cell_result import CellResult
from mlfs.files import replacing
from mlfs.results import setting_title
from mlfs.selectors import SELECTORS
from mlfs.studies import Cell, MethodGrid, Store
from mlfs.studies.limits import SELECTING, CellLimits, exceeded_part, is_within
from mlfs.wording import count, duration, joined

FOLDER = "benchmark"
VARIABLE = "MLFS_BENCHMARK"
#: Of every ranking so many features are kept.
KEPT_FEATURES = 50
DIGITS = 5
TRIALS = ["dataset", "repeat", "method", "parameters"]
TABLES = ("results", "runs", "rankings", "trials", "scaling", "datasets")
#: In about.json: the table that belongs to it → what its file hashes to.
DIGESTS = "digests"
DONE, EXCEEDED, NOT_JUDGED, FAILED = "done", "limit", "not judged", "failed"
LIBRARIES = ("numpy", "scipy", "scikit-learn", "pandas")


@dataclass(frozen=True, eq=False)
class Benchmark:
    """What is kept.

    Attributes
    ----------
    results : one row per data set, classifier, setting, method and size: the mean of each metric over the splits, and
        its standard deviation (``…_std``)
    runs : one row per data set, classifier, setting and method: state ("done", "limit", "not judged", "failed"),
        reason, splits, seconds of processor time and peak MiB of the selection (medians), how many features it selects
        by itself, and the version of the method
    rankings : one row per data set, setting, method and split: the first features, and the parameters where tuned
    trials : one row per data set, split, method and parameters tried inside the training rows: metrics, mean over sizes
    scaling : one row per method and size of made data: seconds and peak MiB of the selection
    datasets : one row per data set: what `mlfs.benchmark.advice` knows it by
    about : the limits, and the batches in which it was run: date, versions, machine, commands, parts and seconds
    """

    results: pd.DataFrame
    runs: pd.DataFrame
    rankings: pd.DataFrame
    trials: pd.DataFrame
    scaling: pd.DataFrame
    datasets: pd.DataFrame
    about: Mapping[str, Any]

    @cached_property
    def limits(self) -> CellLimits:
        """Of every cell."""
        return CellLimits(**self.about["limits"])

    @cached_property
    def methods(self) -> list[str]:
        return list(dict.fromkeys(self.runs["method"]))

    @cached_property
    def stale(self) -> list[str]:
        """Methods that have been corrected since: some of their rows are of another version."""
        runs = self.runs[self.runs["method"].isin(list(SELECTORS))]
        now = runs["method"].astype(str).map({method: selector.version for method, selector in SELECTORS.items()})
        return list(dict.fromkeys(runs.loc[runs["version"].astype(str) != now, "method"]))

    def notes(self) -> list[str]:
        """What the reader should know of all its numbers, each a sentence."""
        if not self.stale:
            return []
        names = joined(map(setting_title, self.stale))
        return [f"Corrected since, so that their rows are stale: {names}. mlfs benchmark run renews them."]

    @cached_property
    def cells(self) -> dict[str, int]:
        """How many were done, failed, exceeded a limit, and were skipped because another split of the same did not do.

        Trials of settings and timings on made data are not among them.
        """
        runs = self.runs
        splits = runs.groupby(["dataset", "classifier", "setting"], observed=True)["splits"].transform("max")
        without = runs["state"] != DONE
        return {
            "done": int(runs.loc[~without, "splits"].sum()),
            "failed": int((runs["state"] == FAILED).sum()),
            "limit": int(runs["state"].isin([EXCEEDED, NOT_JUDGED]).sum()),
            "skipped": int((splits[without] - 1).clip(lower=0).sum()),
        }

    @property
    def processor_seconds(self) -> float:
        """What all of it took."""
        return float(sum(batch["processor_seconds"] for batch in self.about["batches"]))

    def versions(self, name: str) -> list[str]:
        """With which versions of a library, or on which days or machines, its batches were run."""
        return list(dict.fromkeys(batch[name] for batch in self.about["batches"] if batch[name]))

    def provenance(self) -> str:
        """When, with what and where the numbers were made."""
        cells = self.cells
        libraries = ", ".join(f"{name} {joined(self.versions(name))}" for name in ("mlfs", "python", *LIBRARIES))
        where = "".join(f" on {machine}" for machine in [joined(self.versions("machine"))] if machine)
        return (
            f"Made on {joined(self.versions('date'))}{where}: {sum(cells.values()):,} cells, of which "
            f"{cells['done']:,} were done, {cells['failed']:,} failed, {cells['limit']:,} exceeded a limit and "
            f"{cells['skipped']:,} were skipped after that, in {duration(self.processor_seconds)} of processor time "
            f"({len(self.trials):,} trials of settings and {len(self.scaling):,} timings on made data included); "
            f"{libraries}."
        )

    def write(self, folder: Path) -> list[Path]:
        """One Parquet file per table, and ``about.json``: all of them, or none where there is no room."""
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder) as place:
            for name in TABLES:
                getattr(self, name).to_parquet(place / f"{name}.parquet", index=False, compression="zstd")
            # Several files cannot be replaced in one moment: whoever reads them sees whether they belong together.
            about = {**self.about, DIGESTS: _digests(_contents(place))}
            text = json.dumps(about, indent=2, ensure_ascii=False) + "\n"
            (place / "about.json").write_text(text, encoding="utf-8")
        return [*(folder / f"{name}.parquet" for name in TABLES), folder / "about.json"]


def _contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / f"{name}.parquet").read_bytes() for name in TABLES}


def _digests(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}


def kept_folder() -> Path:
    """Where the benchmark is: the folder that the environment variable MLFS_BENCHMARK names, else what ships."""
    return Path(os.environ.get(VARIABLE) or data_folder() / FOLDER)


def with_methods(benchmark: Benchmark, more: Benchmark) -> Benchmark:
    """The benchmark with the rows of another, in place of its own of the same method on the same data set."""
    # A run that exceeded a limit has no results and no ranking, and those from before must go all the same.
    ranked = more.runs[more.runs["classifier"] == CLASSIFIERS[0]]
    renewed = {
        "results": (more.runs, ["dataset", "classifier", "setting", "method"]),
        "runs": (more.runs, ["dataset", "classifier", "setting", "method"]),
        "rankings": (ranked, ["dataset", "setting", "method"]),
        "trials": (more.trials, ["dataset", "method"]),
        "scaling": (more.scaling, ["method"]),
        "datasets": (more.datasets, ["dataset"]),
    }
    tables = {}
    for name, (new, columns) in renewed.items():
        first, second = getattr(benchmark, name), getattr(more, name)
        taken = set(map(tuple, new[columns].astype(str).to_numpy()))
        stays = [tuple(row) not in taken for row in first[columns].astype(str).to_numpy()]
        tables[name] = _one_below_the_other(first[np.array(stays, dtype=bool)], second)
    place = {dataset: i for i, dataset in enumerate(DATASETS)}
    sets = tables["datasets"].astype({"dataset": str})
    order = np.argsort([place.get(name, len(place)) for name in sets["dataset"]], kind="stable")
    tables["datasets"] = sets.iloc[order].reset_index(drop=True)
    return Benchmark(**tables, about=benchmark.about)


def with_parts(benchmark: Benchmark, more: Benchmark) -> Benchmark:
    """The benchmark with the parts of another, in place of its own where both have them.

    A part is a data set, judged by one classifier, with the defaults or tuned. It is replaced by one that has all its
    methods and splits; where some methods have been run alone, only these are, and only with the splits of the others.
    Limits must be the same. Times on made data are those of `more` for the methods that it has timed.
    """
    if benchmark.limits != more.limits:
        raise StudyError(
            f"The folder was run under other limits, {benchmark.limits.text}: use these, or another folder."
        )
    unfinished = _check_splits(benchmark.runs, more.runs)
    [batch] = more.about["batches"]
    if len(unfinished):
        batch = {**batch, "methods": more.methods}
    renewed = _parts(more.runs[~_keys(more.runs).isin(unfinished)])
    before = [_without(each, renewed) for each in benchmark.about["batches"]]
    about = {**more.about, "batches": [*(each for each in before if each["parts"]), batch]}
    return replace(with_methods(benchmark, more), about=about)


def _without(batch: Mapping[str, Any], renewed: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """A batch without the parts that another has renewed."""
    left = {
        dataset: [part for part in parts if part not in renewed.get(dataset, ())]
        for dataset, parts in batch["parts"].items()
    }
    return {**batch, "parts": {dataset: parts for dataset, parts in left.items() if parts}}


def _parts(runs: pd.DataFrame) -> dict[str, list[str]]:
    """Data set → what was run on it: classifiers, and whether tuned."""
    parts: dict[str, list[str]] = {}
    for row in runs.drop_duplicates(["dataset", "classifier", "setting"]).itertuples():
        tuned = f" {TUNED}" if row.setting == TUNED else ""
        parts.setdefault(str(row.dataset), []).append(f"{row.classifier}{tuned}")
    return parts


def _keys(runs: pd.DataFrame) -> pd.Index:
    """The part of each row: data set, classifier and setting."""
    return pd.MultiIndex.from_frame(runs[["dataset", "classifier", "setting"]].astype(str))


def _check_splits(before: pd.DataFrame, after: pd.DataFrame) -> pd.Index:
    """Refuse parts that would lose splits, or have other splits for some methods; returns those with some methods."""
    kept, new = (runs["splits"].groupby(_keys(runs)).agg(["size", "max"]) for runs in (before, after))
    both = kept.join(new.add_suffix(" now"), how="inner")
    fewer = both["size now"] < both["size"]
    # What exceeded a limit has no splits to compare.
    wrong = both[(both["max now"] > 0) & ((both["max now"] < both["max"]) | (fewer & (both["max now"] != both["max"])))]
    if len(wrong):
        (dataset, classifier, _), part = wrong.index[0], wrong.iloc[0]
        raise StudyError(
            f"The folder has {count(part['max'], 'split')} of {dataset} judged by {ALL_CLASSIFIERS[classifier].title}, "
            f"the store {part['max now']}: run as many of every method, or leave {dataset} out with --datasets."
        )
    return both.index[fewer]


@checked
def read_benchmark(folder: Path | None = None) -> Benchmark:
    """The benchmark that is kept in a folder; the one that ships with mlfs where None."""
    folder = kept_folder() if folder is None else Path(folder)
    try:
        contents = _contents(folder)
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        if about.pop(DIGESTS, digests := _digests(contents)) != digests:
            raise ValueError("its files are not of one writing, as after a kill in the midst of it")
        tables = {name: pd.read_parquet(io.BytesIO(content)) for name, content in contents.items()}
        read = Benchmark(**tables, about=about)
        # Asked for here, so that limits by other names are told as what they are.
        _ = read.limits
    except FileNotFoundError:
        raise StudyError(f"No benchmark is kept in {folder}: make one with mlfs benchmark run and keep.") from None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise StudyError(f"The benchmark in {folder} cannot be read ({problem}): keep it again.") from None
    return read


def coverage(benchmark: Benchmark) -> pd.DataFrame:
    """One row per data set: what it is like, and on how many methods and splits it was run."""
    runs = benchmark.runs[benchmark.runs["setting"] == DEFAULT]
    rows = []
    for about in benchmark.datasets.to_dict("records"):
        here = runs[runs["dataset"] == about["dataset"]]
        tuned = benchmark.runs[(benchmark.runs["dataset"] == about["dataset"]) & (benchmark.runs["setting"] == TUNED)]
        row = {
            "Data set": about["dataset"],
            "Rows": about["instances"],
            "Features": about["features"],
            "Labels": about["labels"],
        }
        for classifier in CLASSIFIERS:
            judged = here[here["classifier"] == classifier]
            title = ALL_CLASSIFIERS[classifier].title
            row[f"Methods ({title})"] = int((judged["state"] == DONE).sum())
            row[f"Splits ({title})"] = int(judged["splits"].max()) if len(judged) else 0
        row["Over a limit"] = int(here.loc[here["state"] == EXCEEDED, "method"].nunique())
        row["Tuned"] = int(tuned["method"].nunique())
        rows.append(row)
    return pd.DataFrame(rows)


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
        tables[name] = _compact(pd.concat(filled, ignore_index=True)) if filled else pd.DataFrame(columns=TRIALS)
    timed = scaling_cells(methods)
    scaling = scaling_rows(store, timed)
    batch = {
        "date": date.today().isoformat(),
        "mlfs": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
        "machine": machine,
        "commands": list(commands),
        "parts": _parts(tables["runs"]),
        "processor_seconds": round(store.total_seconds([*seen, *timed])),
    }
    about = {"limits": asdict(limits), "batches": [batch]}
    return Benchmark(**tables, scaling=_compact(scaling), datasets=pd.DataFrame(profiles), about=about)


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


def _compact(table: pd.DataFrame) -> pd.DataFrame:
    """Words as categories, numbers in half the room and with as many digits as matter."""
    table = table.copy()
    for name in table.columns:
        if name == "ranking":
            continue
        if pd.api.types.is_float_dtype(table[name]):
            table[name] = _rounded(table[name].to_numpy()).astype(np.float32)
        elif pd.api.types.is_integer_dtype(table[name]):
            table[name] = table[name].astype(np.int32)
    return _with_categories(table)


def _one_below_the_other(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """The rows of two kept tables; their numbers have been rounded already, and stay as they are to the last bit."""
    # An empty one has columns of no kind, which would make numbers words.
    filled = [part for part in (first, second) if len(part)]
    return _with_categories(pd.concat(filled, ignore_index=True)) if filled else first


def _with_categories(table: pd.DataFrame) -> pd.DataFrame:
    """Words as categories."""
    words = [name for name in table.columns if name != "ranking" and not pd.api.types.is_numeric_dtype(table[name])]
    return table.assign(**{name: table[name].astype(str).astype("category") for name in words})


def _rounded(values: np.ndarray) -> np.ndarray:
    """To so many digits, leading zeros not counted."""
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.where(values == 0, 0.0, np.floor(np.log10(np.abs(values))))
    factor = 10.0 ** (DIGITS - 1 - np.nan_to_num(power))
    return np.round(values * factor) / factor
