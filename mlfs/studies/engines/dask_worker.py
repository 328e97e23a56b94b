"""What runs on a Dask worker: a piece of cells, with data the worker finds itself or is sent."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from mlfs.datasets import Dataset, load_dataset
from mlfs.errors import MlfsError, StudyError
from mlfs.memo import Memo
from mlfs.studies.cell import VERSION, Cell, CellResult
from mlfs.studies.cell_runner import CellRunner

# A worker may have several threads, and what a runner keeps is for one.
_HERE = threading.local()
_FOUND = Memo(4)


def compute_piece(cells: Sequence[Cell], shipped: Dataset | None, version: str) -> list[CellResult] | None:
    """The results of cells of one data set; None where the worker has not these data, and must be sent them."""
    if version != VERSION:
        raise StudyError(
            f"A Dask worker has another mlfs ({VERSION}) than the study needs ({version}): install the same everywhere."
        )
    ds = shipped if shipped is not None else _load(cells[0].dataset, cells[0].fingerprint)
    if ds is None:
        return None
    if not hasattr(_HERE, "runner"):
        _HERE.runner = CellRunner()
    return [_HERE.runner.compute(cell, ds) for cell in cells]


def keep(ds: Dataset) -> Dataset:
    """Data that were sent, as a task's result."""
    return ds


def _load(name: str, fingerprint: str) -> Dataset | None:
    """By name, from this worker's own data folder, where the content agrees."""

    def load() -> Dataset | None:
        try:
            ds = load_dataset(name)
        except MlfsError:
            return None
        return ds if ds.fingerprint == fingerprint else None

    found: Dataset | None = _FOUND.once((name, fingerprint), load)
    return found
