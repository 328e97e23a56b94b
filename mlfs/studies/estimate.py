"""How long a plan will take, before it runs."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from joblib import cpu_count

from mlfs.datasets import Dataset
from mlfs.studies.cell import Cell
from mlfs.studies.cell_runner import CellRunner
from mlfs.studies.engines import by_group
from mlfs.studies.plan import Plan
from mlfs.studies.store import Store

# What a person waits for an estimate; pairs of method and data set that are left then are guessed from the others.
PROBE_SECONDS = 5.0


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


def estimate(
    plan: Plan,
    store: Store | None = None,
    *,
    datasets: Mapping[str, Dataset] | None = None,
    workers: int | None = None,
    keep: bool = True,
) -> Estimate:
    """Seconds by past cells of the same method and data where the store has them, else by one timed cell.

    With `keep` timed cells go to the store, like any other.
    """
    loaded = plan.load(datasets)
    cells = plan.cells(loaded)
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
        return f"Pairs of method and data set: {', '.join(parts)}." if parts else "Every cell is known."

    def _of(self, cell: Cell) -> tuple[float, float]:
        pair = (cell.fingerprint, cell.method)
        if pair not in self._known:
            self._known[pair] = self._ask(cell)
        return self._known[pair]

    def _ask(self, cell: Cell) -> tuple[float, float]:
        ds = self._datasets[cell.dataset]
        found = self._store.past_seconds(*(cell.fingerprint, cell.method)) if self._store is not None else None
        if found is not None:
            self._past += 1
        elif self._left > 0:
            found = self._probe(cell, ds)
            self._timed += 1
        else:
            self._guessed += 1
            return 0.0, sum(self._per_number) / len(self._per_number) * ds.X.shape[0] * ds.X.shape[1]
        self._per_number.append(sum(found) / (ds.X.shape[0] * ds.X.shape[1]))
        return found

    def _probe(self, cell: Cell, ds: Dataset) -> tuple[float, float]:
        start = time.perf_counter()
        result = CellRunner().compute(cell, ds)
        if self._store is not None and self._keep:
            self._store.put(result)
        elapsed = time.perf_counter() - start
        self._left -= elapsed
        return result.prepare_seconds, elapsed - result.prepare_seconds
