"""Cells on a Dask cluster, reached by the address of its scheduler. The workers need mlfs of the same version."""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mlfs.background import Waiting
from mlfs.datasets import Dataset, load_dataset
from mlfs.errors import MlfsError, StudyError
from mlfs.evaluation.cell_result import CellResult
from mlfs.memo import Memo
from mlfs.stopping import CancelToken
from mlfs.studies.cell import VERSION, Cell
from mlfs.studies.cell_runner import CellRunner
from mlfs.studies.engines import by_group

TICK_SECONDS = 0.2
CONNECT_SECONDS = 10
# A piece is long enough that its transport does not matter and short enough that little is lost with a worker.
PIECE_SECONDS = 2.0
PIECE_CELLS = 64
# Pieces waiting at the scheduler for each thread, so that none runs dry; few, so that the sizes can still adapt.
PIECES_PER_THREAD = 2
ASK_SECONDS = 2.0
# How often a cell may take workers with it, each time as often as the scheduler's allowed-failures says.
ATTEMPTS = 2
DIED = "The worker process ended again and again on this cell, probably for lack of memory: give workers more of it."


@dataclass(frozen=True)
class _Piece:
    """Some cells of one group, computed together."""

    cells: tuple[Cell, ...]
    attempt: int = 1


class DaskEngine:
    """Cells on the workers of a Dask scheduler.

    Parameters
    ----------
    address : of the scheduler, such as ``tcp://host:8786``
    runner : makes what computes the cells in a worker
    """

    def __init__(self, address: str, runner: Callable[[], CellRunner] = CellRunner) -> None:
        if not address:
            raise StudyError("The dask engine needs the address of a scheduler, such as dask:tcp://127.0.0.1:8786.")
        self.address, self._runner = address, runner

    def compute(
        self, cells: Sequence[Cell], datasets: Mapping[str, Dataset], cancel: CancelToken
    ) -> Iterator[CellResult | Waiting | None]:
        """See `Engine`. Cells that are cancelled while they run are run to their end by Dask, but not waited for."""
        client = self._connect()
        with _without_its_traces():
            try:
                yield from _Computation(client, self.address, cells, datasets, self._runner).compute(cancel)
            finally:
                with contextlib.suppress(Exception):  # the scheduler may be gone, which has been said by then
                    client.close(timeout=2)

    def _connect(self) -> Any:
        try:
            from distributed import Client
        except ImportError:
            raise StudyError(
                "Dask is not installed here: run pip install 'mlfs-dashboard[dask]', or use the local engine."
            ) from None
        try:
            return Client(self.address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as problem:  # a timeout is an OSError
            raise StudyError(
                f"No Dask scheduler answers at {self.address}: start one with `dask scheduler`, or correct the address."
            ) from problem


@contextlib.contextmanager
def _without_its_traces() -> Iterator[None]:
    """Dask's client writes tracebacks of lost connections to the terminal; what happened is said in our sentences."""
    loggers = [logging.getLogger(f"distributed.{name}") for name in ("client", "utils")]
    levels = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


class _Computation:
    """One call of `DaskEngine.compute`."""

    def __init__(
        self,
        client: Any,
        address: str,
        cells: Sequence[Cell],
        datasets: Mapping[str, Dataset],
        runner: Callable[[], CellRunner],
    ) -> None:
        self._runner = runner
        self._client, self._address, self._datasets = client, address, datasets
        self._groups = {group: deque(members) for group, members in by_group(cells).items()}
        self._again: deque[_Piece] = deque()
        self._under_way: dict[Any, _Piece] = {}
        self._finished: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._shipped: dict[str, Any] = {}
        self._asked, self._known_threads = float("-inf"), 0
        # Seconds of a cell, by group, as the last piece of it showed.
        self._pace: dict[str, float] = {}

    def compute(self, cancel: CancelToken) -> Iterator[CellResult | Waiting | None]:
        try:
            while not cancel.is_set():
                self._fill()
                if not self._under_way:
                    return
                try:
                    future = self._finished.get(timeout=TICK_SECONDS)
                except queue.Empty:
                    if self._client.status not in ("running", "connecting"):
                        raise self._gone() from None
                    yield None if self._known_threads else self._nobody()
                    continue
                yield from self._take(future)
        finally:
            if self._under_way and self._known_threads:  # else closing the client is enough, and quicker
                with contextlib.suppress(Exception):
                    self._client.cancel(list(self._under_way), force=True)

    def _fill(self) -> None:
        while len(self._under_way) < PIECES_PER_THREAD * self._threads():
            piece = self._again.popleft() if self._again else self._cut()
            if piece is None:
                return
            self._submit(piece)

    def _threads(self) -> int:
        """How many cells the cluster computes at a time; workers come and go, so it is asked again now and then."""
        if time.monotonic() - self._asked > ASK_SECONDS:
            try:
                self._asked, self._known_threads = time.monotonic(), sum(self._client.nthreads().values())
            except OSError:  # between the scheduler's end and the moment the client knows of it
                raise self._gone() from None
        return max(self._known_threads, 1)

    def _cut(self) -> _Piece | None:
        """The next piece: of the group with most cells left, so that all groups end together."""
        if not self._groups:
            return None
        group = max(self._groups, key=lambda name: len(self._groups[name]))
        cells = self._groups[group]
        count = 1 if group not in self._pace else int(PIECE_SECONDS / max(self._pace[group], 1e-3))
        piece = tuple(cells.popleft() for _ in range(min(max(count, 1), PIECE_CELLS, len(cells))))
        if not cells:
            del self._groups[group]
        return _Piece(piece)

    def _submit(self, piece: _Piece) -> None:
        fingerprint = piece.cells[0].fingerprint
        future = self._client.submit(
            compute_piece, piece.cells, self._shipped.get(fingerprint), VERSION, self._runner, pure=False, retries=0
        )
        self._under_way[future] = piece
        future.add_done_callback(self._finished.put)

    def _take(self, future: Any) -> Iterator[CellResult]:
        from distributed import CancelledError, KilledWorker

        piece = self._under_way.pop(future)
        try:
            results = future.result()
        except KilledWorker:
            yield from self._suspect(piece)
            return
        except CancelledError:
            raise self._gone() from None
        except MlfsError:
            raise
        except Exception as problem:  # what a worker computes returns its failures: this is the cluster's own
            raise StudyError(
                f"The Dask cluster cannot run cells of mlfs {VERSION}: install the same mlfs for the scheduler and "
                "for every worker."
            ) from problem
        if results is None:
            self._ship(piece)
            return
        self._pace[piece.cells[0].group] = sum(result.wall_seconds for result in results) / len(results)
        yield from results

    def _suspect(self, piece: _Piece) -> Iterator[CellResult]:
        """Workers died of a piece: each of its cells alone shows which; that one has another chance."""
        shipped = self._shipped.get(piece.cells[0].fingerprint)
        if shipped is not None and shipped.status == "error":  # they died while the data came
            del self._shipped[piece.cells[0].fingerprint]
        if len(piece.cells) > 1:
            self._again.extend(_Piece((cell,)) for cell in piece.cells)
        elif piece.attempt < ATTEMPTS:
            self._again.append(_Piece(piece.cells, piece.attempt + 1))
        else:
            yield piece.cells[0].failed(DIED, again=True)

    def _ship(self, piece: _Piece) -> None:
        """Send the data once: as the result of a task, so that the scheduler can make up for copies that get lost."""
        import dask

        cell = piece.cells[0]
        if cell.fingerprint not in self._shipped:
            # Dask warns of large tasks, which this one must be.
            with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}):
                self._shipped[cell.fingerprint] = self._client.submit(keep, self._datasets[cell.dataset], pure=False)
        self._again.append(piece)

    def _nobody(self) -> Waiting:
        return Waiting(f"waiting for workers: the scheduler at {self._address} has none; start some with `dask worker`")

    def _gone(self) -> StudyError:
        return StudyError(
            f"The Dask scheduler at {self._address} no longer answers: start it again, then resume the study."
        )


# On a worker: a piece of cells, with data that the worker finds itself or is sent

# A worker may have several threads, and what a runner keeps is for one.
_THREAD = threading.local()
_LOADED = Memo(4)


def compute_piece(
    cells: Sequence[Cell], shipped: Dataset | None, version: str, runner: Callable[[], CellRunner] = CellRunner
) -> list[CellResult] | None:
    """The results of cells of one data set; None where the worker has not these data, and must be sent them."""
    if version != VERSION:
        raise StudyError(
            f"A Dask worker has another mlfs ({VERSION}) than the study needs ({version}): install the same everywhere."
        )
    ds = shipped if shipped is not None else _load(cells[0].dataset, cells[0].fingerprint)
    if ds is None:
        return None
    if getattr(_THREAD, "made_by", None) != runner:
        _THREAD.made_by, _THREAD.runner = runner, runner()
    return [_THREAD.runner.compute(cell, ds) for cell in cells]


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

    ds: Dataset | None = _LOADED.once((name, fingerprint), load)
    return ds
