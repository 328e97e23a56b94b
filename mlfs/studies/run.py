"""Run a plan: compute what the store does not have, and keep each cell as it comes. And how long that will take."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from joblib import cpu_count

from mlfs.background import Waiting
from mlfs.checks import checked
from mlfs.datasets import Dataset
from mlfs.evaluation.cell_result import CellResult
from mlfs.stopping import CancelToken
from mlfs.studies.cell import Cell
from mlfs.studies.cell_runner import CellRunner
from mlfs.studies.engines import Engine, by_group, make_engine
from mlfs.studies.plan import Plan
from mlfs.studies.store import Store

BEAT_SECONDS = 0.5
# What a person waits for an estimate; pairs of method and data set that are left then are guessed from the others.
PROBE_SECONDS = 5.0


@dataclass(frozen=True)
class RunSummary:
    """What a run did.

    Attributes
    ----------
    study : its id in the store
    cells : of the plan
    known : had been computed before, for this study or another
    computed : now, the failed ones included
    failed : of the plan, in this run
    cancelled : whether it was stopped before the end
    """

    study: int
    cells: int
    known: int
    computed: int
    failed: int
    cancelled: bool
    seconds: float


@checked
def run(
    plan: Plan,
    store: Store,
    *,
    engine: str | Engine = "local",
    workers: int | None = None,
    datasets: Mapping[str, Dataset] | None = None,
    owner: str | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    cancel: CancelToken | None = None,
) -> RunSummary:
    """Compute the cells of a plan that the store does not have.

    The results are the same on any engine and any number of workers. What is done stays, whatever happens.

    Parameters
    ----------
    engine : "local", or "dask:" with a scheduler's address
    workers : processes of the local engine; as many as there are cores where None
    datasets : data in memory, by their names in the plan
    owner : whose study it is; None is everybody's
    progress : called with cells done, cells in all, and what was done last, or is waited for
    cancel : stops within a second once it is set; so does `Store.cancel`, from any process
    """
    loaded = plan.load(datasets)
    cells = plan.cells(loaded)
    study = store.note_cells(plan, cells, owner)
    return run_cells(study, cells, loaded, store, engine=engine, workers=workers, progress=progress, cancel=cancel)


def run_cells(
    study: int,
    cells: Sequence[Cell],
    datasets: Mapping[str, Dataset],
    store: Store,
    *,
    engine: str | Engine = "local",
    workers: int | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    cancel: CancelToken | None = None,
) -> RunSummary:
    """As `run`, for cells that the store has noted as those of a study.

    Parameters
    ----------
    study : its id in the store
    datasets : all that the cells name
    """
    start = time.monotonic()
    # Cells that must give the same are one.
    keys: dict[str, list[Cell]] = {}
    for cell in cells:
        keys.setdefault(cell.key, []).append(cell)
    finished = store.finished(keys)
    todo = [same[0] for key, same in keys.items() if key not in finished]
    known = done = sum(len(same) for key, same in keys.items() if key in finished)
    failed = 0
    stop = _Stop(store, study, cancel)
    if progress is not None:
        progress(done, len(cells), "starting")
    try:
        for result in make_engine(engine, workers).compute(todo, datasets, stop) if todo else ():
            stop.beat()
            if isinstance(result, Waiting) and progress is not None:
                progress(done, len(cells), result)
            if result is None or isinstance(result, Waiting):
                continue
            store.put(result)
            same = keys[result.key]
            done += len(same)
            failed += len(same) if result.error else 0
            if progress is not None:
                progress(done, len(cells), same[0].text)
    finally:
        store.end(study)
    return RunSummary(study, len(cells), known, done - known, failed, done < len(cells), time.monotonic() - start)


class _Stop:
    """Whether to stop: by the caller's token, or by a wish that another process left in the store."""

    def __init__(self, store: Store, study: int, cancel: CancelToken | None) -> None:
        self._store, self._study, self._cancel = store, study, cancel
        self._wished, self._last = False, time.monotonic()
        store.begin(study)

    def beat(self) -> None:
        """Tell that the run is alive, and look for a wish; seldom enough to cost nothing."""
        if time.monotonic() - self._last >= BEAT_SECONDS:
            self._wished = self._store.beat(self._study)
            self._last = time.monotonic()

    def is_set(self) -> bool:
        return self._wished or (self._cancel is not None and self._cancel.is_set())


@dataclass(frozen=True)
class Estimate:
    """What a plan will take.

    Attributes
    ----------
    cells : of the plan
    known : need no computing
    seconds : for the rest
    basis : what the seconds are based on, a sentence
    """

    cells: int
    known: int
    seconds: float
    basis: str


@checked
def estimate(
    plan: Plan,
    store: Store | None = None,
    *,
    datasets: Mapping[str, Dataset] | None = None,
    cells: Sequence[Cell] | None = None,
    workers: int | None = None,
    keep: bool = True,
) -> Estimate:
    """Seconds by past cells of the same method and data where the store has them, else by one timed cell.

    Parameters
    ----------
    cells : of the plan, where they are known already
    keep : whether timed cells go to the store, like any other
    """
    loaded = plan.load(datasets)
    cells = plan.cells(loaded) if cells is None else cells
    finished = store.finished(cell.key for cell in cells) if store is not None else set()
    todo = list({cell.key: cell for cell in cells if cell.key not in finished}.values())
    clock = _Clock(store, loaded, keep)
    seconds = sum(clock.of_group(group) for group in by_group(todo).values())
    at_once = max(1, min(workers or cpu_count(), len(todo)))
    known = sum(cell.key in finished for cell in cells)
    return Estimate(len(cells), known, seconds / at_once, clock.basis())


class _Clock:
    """Seconds of preparation and of a cell after it, for each method on each data set."""

    def __init__(self, store: Store | None, datasets: Mapping[str, Dataset], keep: bool) -> None:
        self._store, self._datasets, self._keep = store, datasets, keep
        self._known: dict[tuple[str, str], tuple[float, float]] = {}
        self._per_number: list[float] = []
        self._past = self._timed = self._guessed = 0
        self._left = PROBE_SECONDS

    def of_group(self, cells: list[Cell]) -> float:
        """One preparation, and what each cell takes after it."""
        times = [self._of(cell) for cell in cells]
        return max(prepare for prepare, _ in times) + sum(rest for _, rest in times)

    def basis(self) -> str:
        parts = [
            f"{count} {word}"
            for count, word in (
                (self._past, "from past cells"),
                (self._timed, "from one timed cell each"),
                (self._guessed, "guessed from the size of the data"),
            )
            if count
        ]
        return f"Pairs of method and data set: {', '.join(parts)}." if parts else "Every cell is already done."

    def _of(self, cell: Cell) -> tuple[float, float]:
        pair = (cell.fingerprint, cell.method)
        if pair not in self._known:
            self._known[pair] = self._ask(cell)
        return self._known[pair]

    def _ask(self, cell: Cell) -> tuple[float, float]:
        ds = self._datasets[cell.dataset]
        seconds = self._store.past_seconds(cell.fingerprint, cell.method) if self._store is not None else None
        if seconds is not None:
            self._past += 1
        elif self._left > 0:
            seconds = self._probe(cell, ds)
            self._timed += 1
        else:
            self._guessed += 1
            return 0.0, sum(self._per_number) / len(self._per_number) * ds.X.shape[0] * ds.X.shape[1]
        self._per_number.append(sum(seconds) / (ds.X.shape[0] * ds.X.shape[1]))
        return seconds

    def _probe(self, cell: Cell, ds: Dataset) -> tuple[float, float]:
        result, elapsed = self._timed_cell(cell, ds)
        if not self._timed and self._left > 0:
            # The first one of a process also reads and compiles programs, which takes longer than a small cell itself.
            result, elapsed = min((result, elapsed), self._timed_cell(cell, ds), key=lambda timed: timed[1])
        if self._store is not None and self._keep:
            self._store.put(result)
        return result.prepare_seconds, elapsed - result.prepare_seconds

    def _timed_cell(self, cell: Cell, ds: Dataset) -> tuple[CellResult, float]:
        start = time.perf_counter()
        result = CellRunner().compute(cell, ds)
        elapsed = time.perf_counter() - start
        self._left -= elapsed
        return result, elapsed
