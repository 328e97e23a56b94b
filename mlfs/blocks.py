"""Work in blocks, on all cores: how every large table here is made without much memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mlfs.stopping import checkpoint, current_stop


def ranges(total: int, step: int) -> Iterator[tuple[int, int]]:
    """Consecutive ranges (first, last) of at most `step` that cover 0 … total − 1."""
    for first in range(0, total, step):
        yield first, min(first + step, total)


def each(task: Callable[[Any], Any], items: list[Any], n_jobs: int | None) -> list[Any]:
    """Run the task for each item on n_jobs threads (None or -1: all cores); NumPy and SciPy release the GIL inside."""
    stop = current_stop()

    def checked(item: Any) -> Any:
        checkpoint(stop)
        return task(item)

    wanted = n_jobs if n_jobs is not None and n_jobs > 0 else os.cpu_count() or 1
    workers = min(wanted, len(items))
    if workers <= 1:
        return [checked(item) for item in items]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(checked, items))
