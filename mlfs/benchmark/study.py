"""The study behind the leaderboard: every method on every data set, by one protocol, cell by cell in a store.

Five stratified folds; 1 to 50 features and 10% to 50% of them; ML-kNN, and up to 50 features BRLR and, on small data
sets, BR-SVM, on features scaled to [0, 1]; every metric. A method is run with its defaults, and once more with the
setting, of a few, that is best inside the training rows. Each method prepares for itself, so that its time and memory
are its own, and may use so much of both: where the first split exceeds a limit, the others are not tried.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from mlfs.benchmark.scaling import scaling_plan
from mlfs.benchmark.tuning import CRITERION, best_setting, settings_tried
from mlfs.checks import checked
from mlfs.datasets import Dataset, load_dataset
from mlfs.errors import DatasetError, StudyError, did_you_mean
from mlfs.extensions import is_built_in
from mlfs.metrics import METRICS
from mlfs.selectors import SELECTORS
from mlfs.stopping import CancelToken
from mlfs.studies import Cell, MethodGrid, Plan, Store
from mlfs.studies.engines import Engine, make_engine
from mlfs.studies.limits import SELECTING, CellLimits, LimitedCellRunner, exceeded_part, is_within
from mlfs.studies.run import run_cells
from mlfs.studies.search import training_rows

#: In the order in which they are run: what is quick comes first.
DATASETS = (
    "flags",
    "emotions",
    "birds",
    "yeast",
    "scene",
    "genbase",
    "medical",
    "business",
    "arts",
    "health",
    "enron",
    "llog",
    "corel5k",
    "bibtex",
    "delicious",
)
#: On these, settings are tuned too, and a third classifier judges.
SMALL_DATASETS = DATASETS[:6]
FEW = (1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50)
SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
#: Numbers of features by classifier; a model of hundreds of features for every label takes too long.
SIZES: Mapping[str, tuple[float, ...]] = {"mlknn": (*FEW, *SHARES), "brlr": FEW, "br_svm": FEW}
CLASSIFIERS = tuple(SIZES)
SMALL_ONLY = ("br_svm",)
FOLDS = 5
SEED = 0
DEFAULT, TUNED = "default", "tuned"
SETTINGS = (DEFAULT, TUNED)
#: The parts of a run: methods with their defaults, tuned ones, and how times grow on made data.
GROWTH = "growth"
PARTS = (*SETTINGS, GROWTH)
LIMITS = CellLimits(selection_seconds=20, bytes=2 << 30, classifier_seconds=60)
# Inside the training rows: enough to tell settings apart.
TRIAL_SIZES = (5, 10, 20, 50)
TRIAL_METRICS = (CRITERION, "hamming_loss", "average_precision", "macro_f1")


def own_methods() -> list[str]:
    """The methods of mlfs itself."""
    return [method for method, selector in SELECTORS.items() if is_built_in(selector)]


def own_metrics() -> tuple[str, ...]:
    """The metrics of mlfs itself: one that an extension brings must not make every cell a new one."""
    return tuple(name for name, metric in METRICS.items() if is_built_in(metric.function))


def benchmark_plan(
    dataset: str, methods: Iterable[str | MethodGrid], classifier: str, name: str | None = None, **changes: Any
) -> Plan:
    """What is run on one data set, judged by one classifier."""
    settings = {
        "split": "folds",
        "folds": FOLDS,
        "stratified": True,
        "sizes": SIZES[classifier],
        "classifier": classifier,
        "scaling": "unit",
        "metrics": own_metrics(),
        **changes,
    }
    grids = tuple(map(MethodGrid.of, methods))
    return Plan(name or f"benchmark: {dataset}", (dataset,), grids, "quick", settings, (SEED,))


def judged_cells(
    dataset: str, methods: Sequence[str | MethodGrid], classifiers: Sequence[str], ds: Dataset
) -> dict[str, list[Cell]]:
    """Classifier → the cells of a data set, of those classifiers that judge on it."""
    is_small = dataset in SMALL_DATASETS
    judging = [name for name in classifiers if is_small or name not in SMALL_ONLY]
    return {name: benchmark_plan(dataset, methods, name).cells({dataset: ds}) for name in judging}


@dataclass
class BenchmarkRun:
    """What a run did.

    Attributes
    ----------
    cells : asked for
    known : were there before
    computed : now
    failed : of those, for another reason than a limit
    limited : exceeded a limit
    skipped : not tried, because another split of the same exceeded a limit
    missing : data sets that are not on this machine, with the reason
    """

    cells: int = 0
    known: int = 0
    computed: int = 0
    failed: int = 0
    limited: int = 0
    skipped: int = 0
    seconds: float = 0.0
    cancelled: bool = False
    missing: dict[str, str] = field(default_factory=dict)

    def __add__(self, other: BenchmarkRun) -> BenchmarkRun:
        """What two runs did together."""
        numbers = ("cells", "known", "computed", "failed", "limited", "skipped", "seconds")
        both = {name: getattr(self, name) + getattr(other, name) for name in numbers}
        return BenchmarkRun(**both, cancelled=self.cancelled or other.cancelled, missing=self.missing | other.missing)


@checked
def run_benchmark(
    store: Store,
    *,
    datasets: Sequence[str] = DATASETS,
    methods: Sequence[str] | None = None,
    parts: Sequence[str] = PARTS,
    classifiers: Sequence[str] = CLASSIFIERS,
    splits: int = FOLDS,
    limits: CellLimits = LIMITS,
    engine: str | Engine = "local",
    workers: int | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    cancel: CancelToken | None = None,
) -> BenchmarkRun:
    """Compute what the store does not have; what is done stays, whatever happens.

    Parameters
    ----------
    methods : ids; those of mlfs itself where None
    parts : some of `PARTS`; settings are tuned on `SMALL_DATASETS`
    splits : only so many of the five
    engine, workers, progress, cancel : as `mlfs.studies.run` takes them
    """
    if not len(classifiers) or (not len(datasets) and set(parts) != {GROWTH}):
        raise StudyError("The benchmark needs at least one data set and one classifier.")
    methods = own_methods() if methods is None else list(methods)
    for names, known, what in (
        (methods, SELECTORS, "method"),
        (parts, PARTS, "part of the benchmark"),
        (classifiers, CLASSIFIERS, "classifier of the benchmark"),
    ):
        for name in names:
            if name not in known:
                raise StudyError(f"There is no {what} {name!r}: {did_you_mean(name, known)}")
    start = time.monotonic()
    is_ours = isinstance(engine, str)
    made = make_engine(engine, workers, partial(LimitedCellRunner, limits)) if isinstance(engine, str) else engine
    if is_ours and hasattr(made, "keep"):
        made.keep = True
    runner = _Runner(store, limits, made, progress, cancel)
    try:
        # First a split of everything, so that what there is after a while is of every data set.
        for part, most in ((DEFAULT, 1), (GROWTH, 1), (TUNED, 1), (DEFAULT, splits), (TUNED, splits)):
            if part not in parts:
                continue
            if part == GROWTH and not runner.stopped:
                runner.growth(methods)
                continue
            for dataset in datasets:
                ds = None if runner.stopped else runner.load(dataset)
                if ds is not None:
                    (runner.defaults if part == DEFAULT else runner.tuned)(dataset, ds, methods, classifiers, most)
    finally:
        if is_ours and hasattr(made, "close"):
            made.close()
    runner.summary.seconds = time.monotonic() - start
    return runner.summary


class _Runner:
    """One call of `run_benchmark`."""

    def __init__(self, store: Store, limits: CellLimits, engine: Engine, progress: Any, cancel: Any) -> None:
        self._store, self._limits, self._engine = store, limits, engine
        self._progress, self._cancel = progress, cancel
        self.summary = BenchmarkRun()

    @property
    def stopped(self) -> bool:
        return self.summary.cancelled

    def load(self, dataset: str) -> Dataset | None:
        try:
            return load_dataset(dataset)
        except DatasetError as problem:
            self.summary.missing[dataset] = str(problem)
            return None

    def defaults(
        self, dataset: str, ds: Dataset, methods: Sequence[str], classifiers: Sequence[str], splits: int
    ) -> None:
        cells = [cell for each in judged_cells(dataset, methods, classifiers, ds).values() for cell in each]
        self._first_then_others(benchmark_plan(dataset, methods, classifiers[0]), cells, {dataset: ds}, splits)

    def growth(self, methods: Sequence[str]) -> None:
        plan = scaling_plan(methods)
        loaded = plan.load()
        self._run(plan, plan.cells(loaded), loaded)

    def tuned(self, dataset: str, ds: Dataset, methods: Sequence[str], classifiers: Sequence[str], splits: int) -> None:
        if dataset not in SMALL_DATASETS:
            return
        for repeat in range(splits):
            inner = {inner_name(dataset, repeat): inner_data(dataset, ds, repeat)}
            trials = trial_cells(dataset, ds, methods, repeat, inner)
            if not trials:
                return
            plan = benchmark_plan(dataset, methods, CLASSIFIERS[0], f"benchmark: settings on {dataset}, {repeat + 1}")
            self._run(plan, trials, inner)
            if self.stopped:
                return
            chosen = chosen_settings(self._store, trials)
            grids = [MethodGrid(method, json.loads(parameters)) for method, parameters in chosen.items()]
            if not grids:
                continue
            cells = [
                cell
                for each in judged_cells(dataset, grids, classifiers, ds).values()
                for cell in each
                if cell.repeat == repeat
            ]
            self._run(benchmark_plan(dataset, grids, classifiers[0], f"{plan.name}, chosen"), cells, {dataset: ds})
            if self.stopped:
                return

    def _first_then_others(
        self, plan: Plan, cells: Sequence[Cell], datasets: Mapping[str, Dataset], splits: int
    ) -> None:
        self._run(plan, [cell for cell in cells if cell.repeat == 0], datasets)
        if self.stopped:
            return
        exceeded = exceeding(self._store, [cell for cell in cells if cell.repeat == 0])
        others = [cell for cell in cells if 0 < cell.repeat < splits]
        tried = [cell for cell in others if (cell.method, cell.settings["classifier"]) not in exceeded]
        self.summary.skipped += len(others) - len(tried)
        self._run(plan, tried, datasets)

    def _run(self, plan: Plan, cells: Sequence[Cell], datasets: Mapping[str, Dataset]) -> None:
        """Compute cells, those of one method on one split side by side: they share the selection."""
        order = {name: place for place, name in enumerate(dict.fromkeys(cell.method for cell in cells))}
        ordered = sorted(cells, key=lambda cell: (cell.repeat, order[cell.method], json.dumps(dict(cell.parameters))))
        hopeless = {cell.key for cell, error in reasons(self._store, ordered) if _is_final(error, self._limits)}
        todo = [cell for cell in ordered if cell.key not in hopeless]
        self.summary.cells += len(ordered)
        self.summary.known += len(hopeless)
        if not todo:
            return
        study = self._store.note_cells(plan, todo)
        done = run_cells(
            study, todo, datasets, self._store, engine=self._engine, progress=self._progress, cancel=self._cancel
        )
        self.summary.known += done.known
        self.summary.computed += done.computed
        limited = sum(exceeded_part(error) is not None for _, error in reasons(self._store, todo))
        self.summary.limited += limited
        self.summary.failed += max(done.failed - limited, 0)
        self.summary.cancelled = done.cancelled


def reasons(store: Store, cells: Sequence[Cell]) -> Iterator[tuple[Cell, str]]:
    """The cells that gave nothing, each with its reason."""
    by_key = {cell.key: cell for cell in cells}
    for key, error in store.errors(by_key).items():
        yield by_key[key], error


def exceeding(store: Store, cells: Sequence[Cell]) -> set[tuple[str, str]]:
    """Pairs of method and classifier that exceeded a limit in one of the cells."""
    return {
        (cell.method, cell.settings["classifier"])
        for cell, error in reasons(store, cells)
        if exceeded_part(error) is not None
    }


def selection_exceeded(error: str) -> bool:
    """Whether it was the method, and not the classifier, that exceeded a limit."""
    return exceeded_part(error) == SELECTING


def inner_name(dataset: str, repeat: int) -> str:
    return f"{dataset}, training rows of split {repeat + 1}"


def inner_data(dataset: str, ds: Dataset, repeat: int) -> Dataset:
    """The training rows of a split as a data set of their own, with a given split that parts them."""
    splits = list(benchmark_plan(dataset, ["random"], CLASSIFIERS[0]).resolved_protocol.splits(ds, SEED))
    return training_rows(ds, splits[repeat], SEED)


def trial_cells(
    dataset: str, ds: Dataset, methods: Sequence[str], repeat: int, inner: Mapping[str, Dataset]
) -> list[Cell]:
    """The cells that try settings inside the training rows; none of methods that have nothing to tune."""
    ((name, data),) = inner.items()
    sizes = {"instances": len(data.split[0]), "features": data.X.shape[1], "labels": data.Y.shape[1]}  # type: ignore[index]
    grids = [
        MethodGrid(method, parameters)
        for method in methods
        for tried in [settings_tried(method, sizes)]
        if len(tried) > 1
        for parameters in tried
    ]
    if not grids:
        return []
    changes: dict[str, Any] = {"split": "given", "sizes": TRIAL_SIZES, "metrics": TRIAL_METRICS}
    return benchmark_plan(name, grids, CLASSIFIERS[0], **changes).cells(inner)


def chosen_settings(store: Store, trials: Sequence[Cell]) -> dict[str, str]:
    """Method → parameters, as JSON, that are best inside the training rows; of methods whose trials are all there."""
    results = store.results(trials)
    finished = results[results["error"] == ""]
    asked = pd.Series([cell.method for cell in trials]).value_counts()
    there = results.drop_duplicates(["method", "parameters"])["method"].value_counts()
    return {
        str(method): best_setting(rows)
        for method, rows in finished.groupby("method", sort=False)
        if there[method] == asked[method]
    }


def _is_final(error: str, limits: CellLimits) -> bool:
    """Whether a reason stays one: a limit was exceeded, and these limits allow no more."""
    return exceeded_part(error) is not None and not is_within(error, limits)
