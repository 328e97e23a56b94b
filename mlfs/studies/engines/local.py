"""Cells in processes of this machine: as many as memory allows, each at one group of cells at a time.

Why not a pool of a library: in those of concurrent.futures and of loky, on which joblib builds, a worker that dies (of
memory, of kill -9) breaks the pool and takes the cells of all others with it, where here it costs one cell, which is
tried again; a task that has begun cannot be cancelled but by killing every worker; data are sent with each task, or to
every worker at its start, where here a worker holds one data set at a time, sent once; and a task goes to whoever is
free, where here the cells of a split go to the worker that has prepared it. Dask's own local cluster has places for
data, but runs cancelled tasks to their end, is optional here, and its processes run the main script again, which in
Streamlit is a page. What is taken over is loky's way to start a process, which does not.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, cast

from joblib import cpu_count
from joblib.externals.loky.backend import get_context

from mlfs.datasets import Dataset
from mlfs.errors import StudyError
from mlfs.evaluation.cell_result import CellResult
from mlfs.stopping import CancelToken
from mlfs.studies.cell import Cell
from mlfs.studies.cell_runner import CellRunner
from mlfs.studies.engines import by_group

# How long to wait for a result before looking at the cancel token.
TICK_SECONDS = 0.2
# A worker that is quick gets its next cell before it asks, so that it never waits for the answer.
QUICK_SECONDS = 0.5
# How often a cell may take its worker with it.
ATTEMPTS = 2
DIED = "The worker process ended, probably for lack of memory: try fewer workers."
READY = "ready"
# What a worker holds before it has any data: the interpreter and the libraries.
BASE = 250 << 20
# Copies of X that selecting and judging make on the way, at worst dense.
COPIES = 4
# What is left to everybody else.
SHARE = 0.8


class LocalEngine:
    """Worker processes, each with one thread of arithmetic.

    Parameters
    ----------
    workers : processes; as many as there are cores where None, and never more than memory allows
    keep : whether idle processes wait for the next call, which then starts at once; `close` ends them, and `end_idle`
        those that have waited long
    runner : makes what computes the cells in a worker
    """

    def __init__(
        self, workers: int | None = None, keep: bool = False, runner: Callable[[], CellRunner] = CellRunner
    ) -> None:
        if workers is not None and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
            raise StudyError(f"workers must be a whole number from 1, not {workers!r}.")
        self.workers, self.keep, self._runner = workers, keep, runner
        self._idle: list[_Worker] = []
        self._guard = threading.Lock()

    def close(self) -> None:
        """End the processes that were kept."""
        with self._guard:
            self.keep = False
            while self._idle:
                self._idle.pop().kill()

    def end_idle(self, seconds: float) -> None:
        """End the processes that have waited so long for the next call: each holds its libraries in memory."""
        with self._guard:
            tired = [worker for worker in self._idle if time.monotonic() - worker.idle_since >= seconds]
            self._idle = [worker for worker in self._idle if worker not in tired]
        for worker in tired:
            worker.kill()

    def compute(
        self, cells: Sequence[Cell], datasets: Mapping[str, Dataset], cancel: CancelToken
    ) -> Iterator[CellResult | None]:
        """See `Engine`. Killing is the end of every worker: what it computes is not yet anywhere else."""
        if not cells:
            return
        wanted = min(self.workers or cpu_count(), len(cells))
        count = allowed_workers(cells, datasets, wanted, available_bytes())
        waiting, workers = _Waiting(cells), [self._hire() for _ in range(count)]
        try:
            while not cancel.is_set():
                for worker in workers:
                    if worker.ready:  # a data set sent to one that is still starting would wait for it, deaf to cancel
                        worker.fill(waiting, datasets)
                if not (waiting or any(worker.cells for worker in workers)):
                    return
                heard = {worker.connection: worker for worker in workers if worker.cells or not worker.ready}
                spoken = wait(list(heard), timeout=TICK_SECONDS)
                if not spoken:
                    yield None
                for connection in spoken:
                    worker = heard[connection]  # type: ignore[index]
                    result = worker.receive()
                    if result is not None:
                        yield result
                    elif worker.dead:
                        workers[workers.index(worker)] = self._hire()
                        # The first of its cells is the one it was at; a death at the start is held against the next.
                        lost = worker.cells or waiting.next()
                        worker.kill()
                        waiting.put_back(lost[1:])
                        if lost and waiting.died(lost[0]):
                            yield lost[0].failed(DIED, again=True)
        finally:
            for worker in workers:
                self._dismiss(worker)

    def _hire(self) -> _Worker:
        with self._guard:
            while self._idle:
                worker = self._idle.pop()
                if worker.alive:
                    return worker
                worker.kill()
        return _Worker(self._runner)

    def _dismiss(self, worker: _Worker) -> None:
        """Keep a worker that has nothing to do; one in the middle of a cell can only be killed."""
        with self._guard:
            if self.keep and not worker.cells and worker.forget():
                worker.idle_since = time.monotonic()
                self._idle.append(worker)
                return
        worker.kill()


class _Waiting:
    """The cells nobody has taken yet, by group."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._groups = {group: deque(members) for group, members in by_group(cells).items()}
        self._untouched = deque(self._groups)
        self._deaths: dict[str, int] = {}

    def take(self, current: str | None, front: bool) -> tuple[Cell, bool] | None:
        """The next cell of the worker's group, else of a group nobody works on, else of the one with most left.

        A second worker takes from the back: neighbours in a grid have much in common, and each keeps to its own.
        """
        if current not in self._groups:
            current, front = self._untouched_group(), True
        if current is None:
            if not self._groups:
                return None
            current, front = max(self._groups, key=lambda group: len(self._groups[group])), False
        cells = self._groups[current]
        cell = cells.popleft() if front else cells.pop()
        if not cells:
            del self._groups[current]
        return cell, front

    def next(self) -> list[Cell]:
        """The cell that would come next, taken; none where nothing is left."""
        taken = self.take(None, True)
        return [] if taken is None else [taken[0]]

    def __bool__(self) -> bool:
        return bool(self._groups)

    def put_back(self, cells: Sequence[Cell]) -> None:
        for cell in reversed(cells):
            self._groups.setdefault(cell.group, deque()).appendleft(cell)

    def died(self, cell: Cell) -> bool:
        """A worker died of this cell, or so it seems: whether that is the end of it."""
        self._deaths[cell.key] = self._deaths.get(cell.key, 0) + 1
        if self._deaths[cell.key] >= ATTEMPTS:
            return True
        self.put_back([cell])
        return False

    def _untouched_group(self) -> str | None:
        while self._untouched:
            group = self._untouched.popleft()
            if group in self._groups:
                return group
        return None


class _Worker:
    """A process, the cells it has been given and not answered, and the data it has."""

    def __init__(self, runner: Callable[[], CellRunner]) -> None:
        # Loky's processes do not run the main script again, which in Streamlit is a page.
        context = get_context("loky")
        self.connection, theirs = context.Pipe()
        one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        self._process = context.Process(target=_work, args=(theirs, runner), env=one_thread)
        self._process.daemon = True  # Python waits at its end for any other, and an idle worker waits for work
        with _deaf_to_interrupts():
            self._process.start()
        theirs.close()
        self.cells: list[Cell] = []
        self.ready = self.dead = False
        self.idle_since = 0.0
        self._group: str | None = None
        self._front = True
        self._data = ""
        self._quick = False

    connection: Connection

    def fill(self, waiting: _Waiting, datasets: Mapping[str, Dataset]) -> None:
        """Give it something to do, and where it is quick, something to do next."""
        while len(self.cells) < (2 if self._quick else 1):
            taken = waiting.take(self._group, self._front)
            if taken is None:
                return
            cell, self._front = taken
            self._group = cell.group
            ds = datasets[cell.dataset]
            try:
                if ds.fingerprint != self._data:
                    self._data = ds.fingerprint
                    self.connection.send(None)  # one data set at a time
                    self.connection.send(ds)
                self.connection.send(cell)
            except (BrokenPipeError, ConnectionError):
                pass  # dead: the parent notices when it listens
            self.cells.append(cell)

    def receive(self) -> CellResult | None:
        """The next result, or None where it only says that it is ready, or is dead."""
        try:
            result: Any = self.connection.recv()
        except (EOFError, OSError):
            self.dead = True
            return None
        if result == READY:
            self.ready = True
            return None
        self.cells.pop(0)
        self._quick = result.wall_seconds < QUICK_SECONDS
        return result

    @property
    def alive(self) -> bool:
        return bool(self._process.is_alive())

    def forget(self) -> bool:
        """Let go of all data; whether it is there to do so."""
        self._group, self._front, self._quick, self._data = None, True, False, ""
        try:
            self.connection.send(None)
        except (BrokenPipeError, ConnectionError):
            return False
        return self.alive

    def kill(self) -> None:
        self._process.terminate()  # no handler is set, so that it ends at once
        self._process.join()
        self.connection.close()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started here never hear Ctrl-C, which a terminal sends to all of them: the parent alone ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In the worker process


def _work(connection: Connection, make_runner: Callable[[], CellRunner]) -> None:
    """Say that it is there; then receive a data set and cells of it, and send their results, until nobody listens.

    Another data set, or None, replaces the one before.
    """
    connection.send(READY)
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, inbox), daemon=True).start()
    runner, ds = make_runner(), cast(Dataset, None)  # a data set always comes before its cells
    while True:
        message = inbox.get()
        if isinstance(message, Cell):
            connection.send(runner.compute(message, ds))
        else:
            runner, ds = make_runner(), message


def _listen(connection: Connection, inbox: queue.SimpleQueue[Any]) -> None:
    """Ends the process as soon as the parent is gone, however it went, even in the middle of a long cell."""
    try:
        while True:
            inbox.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)
    except BaseException:  # a message that cannot be read: the parent sees a dead worker
        os._exit(1)


# Memory


def required_bytes(cell: Cell, ds: Dataset) -> int:
    """What one worker may hold at most while it computes a cell."""
    (n, d), q = ds.X.shape, ds.Y.shape[1]
    sizes = {"instances": n, "features": d, "labels": q}
    return BASE + COPIES * 8 * n * d + 8 * n * q + 8 * d * q + cell.selector(ds).required_bytes(sizes)


def allowed_workers(cells: Iterable[Cell], datasets: Mapping[str, Dataset], wanted: int, available: int | None) -> int:
    """At most `wanted` workers, and no more than can hold the most demanding cell at the same time; at least one."""
    if available is None:
        return wanted
    # Cells that differ in their tuning only need the same.
    kinds = {(cell.dataset, cell.method, repr(cell.parameters.get("rank"))): cell for cell in cells}
    most = max((required_bytes(cell, datasets[cell.dataset]) for cell in kinds.values()), default=BASE)
    return max(1, min(wanted, int(available * SHARE) // most))


def available_bytes() -> int | None:
    """Memory that is free for new work here, or None where the system does not tell."""
    bounds = [size for size in (_free(), _left_in_group()) if size is not None]
    return min(bounds) if bounds else None


def _free() -> int | None:
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _left_in_group() -> int | None:
    """What a container's limit leaves."""
    folder = Path("/sys/fs/cgroup")
    try:
        most = (folder / "memory.max").read_text(encoding="ascii").strip()
        used = int((folder / "memory.current").read_text(encoding="ascii"))
        return None if most == "max" else max(int(most) - used, 0)
    except (OSError, ValueError):
        return None
