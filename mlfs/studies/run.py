"""Run a plan: compute what the store does not have, and keep each cell as it comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mlfs.datasets import Dataset
from mlfs.evaluation.compare import Cancel
from mlfs.studies.cell import Cell
from mlfs.studies.engines import Engine, make_engine
from mlfs.studies.plan import Plan
from mlfs.studies.store import Store

BEAT_SECONDS = 0.5


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


def run(
    plan: Plan,
    store: Store,
    *,
    engine: str | Engine = "local",
    workers: int | None = None,
    datasets: Mapping[str, Dataset] | None = None,
    owner: str | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    cancel: Cancel | None = None,
) -> RunSummary:
    """Compute the cells of a plan that the store does not have.

    The results are the same on any engine and any number of workers. What is done stays, whatever happens.

    Parameters
    ----------
    engine : "local", or "dask:" with a scheduler's address
    workers : processes of the local engine; as many as there are cores where None
    datasets : data in memory, by their names in the plan
    owner : whose study it is; None is everybody's
    progress : called with cells done, cells in all, and what was done last
    cancel : stops within a second once it is set; so does `Store.cancel`, from any process
    """
    start = time.monotonic()
    loaded = plan.load(datasets)
    cells = plan.cells(loaded)
    study = store.note_cells(plan, cells, owner)
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
        progress(done, len(cells), f"{known} of {len(cells)} cells known" if known else "starting")
    try:
        for result in make_engine(engine, workers).compute(todo, loaded, stop) if todo else ():
            stop.beat()
            if result is None:
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

    def __init__(self, store: Store, study: int, cancel: Cancel | None) -> None:
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
