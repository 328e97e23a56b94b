"""Work in blocks, on all cores: how every large table here is made without much memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from mlfs.stopping import checkpoint, current_stop


def ranges(total: int, step: int) -> Iterator[tuple[int, int]]:
    """Consecutive ranges (first, last) of at most `step` that cover 0 … total − 1."""
    for first in range(0, total, step):
        yield first, min(first + step, total)


_threads: ContextVar[int | None] = ContextVar("threads", default=None)


@contextmanager
def at_most_threads(count: int | None) -> Iterator[None]:
    """What runs inside takes so many threads at most (None: as many as it likes), where others want the cores too."""
    before = _threads.set(count)
    try:
        yield
    finally:
        _threads.reset(before)


def each(task: Callable[[Any], Any], items: list[Any], n_jobs: int | None) -> list[Any]:
    """Run the task for each item on n_jobs threads (None or -1: all cores); NumPy and SciPy release the GIL inside."""
    stop = current_stop()

    def checked(item: Any) -> Any:
        checkpoint(stop)
        return task(item)

    def share_from(first: int) -> list[Any]:
        return [checked(item) for item in items[first::workers]]

    wanted = n_jobs if n_jobs is not None and n_jobs > 0 else os.cpu_count() or 1
    workers = max(min(wanted, len(items), _threads.get() or wanted), 1)
    if workers == 1:
        return share_from(0)
    # One share for each thread, the first for this one: every hand-over waits for the interpreter's lock.
    with ThreadPoolExecutor(workers - 1) as pool:
        waiting = [pool.submit(share_from, first) for first in range(1, workers)]
        shares = [share_from(0), *(share.result() for share in waiting)]
    results: list[Any] = [None] * len(items)
    for first, share in enumerate(shares):
        results[first::workers] = share
    return results
