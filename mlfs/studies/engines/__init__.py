"""Engines compute cells somewhere: in processes of this machine, or on a Dask cluster. All give the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from mlfs.background import Waiting
from mlfs.datasets import Dataset
from mlfs.errors import StudyError, did_you_mean
from mlfs.evaluation.cell_result import CellResult
from mlfs.stopping import CancelToken
from mlfs.studies.cell import Cell
from mlfs.studies.cell_runner import CellRunner

ENGINES = ("local", "dask")


class Engine(Protocol):
    """Anything that computes cells."""

    def compute(
        self, cells: Sequence[Cell], datasets: Mapping[str, Dataset], cancel: CancelToken
    ) -> Iterator[CellResult | Waiting | None]:
        """Results as they come, in any order; stops soon after cancel.

        While there is none, now and then None, or what it waits for.
        """
        ...


def make_engine(
    engine: str | Engine, workers: int | None = None, runner: Callable[[], CellRunner] = CellRunner
) -> Engine:
    """An engine by its name: "local", or "dask:" with the address of a scheduler, such as dask:tcp://host:8786.

    `runner` makes what computes the cells, in the worker.
    """
    if not isinstance(engine, str):
        return engine
    name, _, address = engine.partition(":")
    if name in ("tcp", "tls", "ws", "wss"):
        name, address = "dask", engine
    if name == "local":
        from mlfs.studies.engines.local import LocalEngine

        return LocalEngine(workers, runner=runner)
    if name == "dask":
        from mlfs.studies.engines.dask import DaskEngine

        return DaskEngine(address, runner)
    raise StudyError(f"There is no engine {name!r}: {did_you_mean(name, ENGINES)}")


def by_group(cells: Sequence[Cell]) -> dict[str, list[Cell]]:
    """Cells that share their preparation, together; groups in the order of their first cell."""
    groups: dict[str, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(cell.group, []).append(cell)
    return groups
