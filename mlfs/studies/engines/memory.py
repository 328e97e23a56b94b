"""How many workers the memory of this machine allows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from mlfs.datasets import Dataset
from mlfs.studies.cell import Cell

# What a worker holds before it has any data: the interpreter and the libraries.
BASE = 250 << 20
# Copies of X that selecting and judging make on the way, at worst dense.
COPIES = 4
# What is left to everybody else.
SHARE = 0.8


def required_bytes(cell: Cell, ds: Dataset) -> int:
    """What one worker may hold at most while it computes a cell."""
    (n, d), q = ds.X.shape, ds.Y.shape[1]
    sizes = {"instances": n, "features": d, "labels": q}
    return BASE + COPIES * 8 * n * d + 8 * n * q + 8 * d * q + cell.selector().required_bytes(sizes)


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
    found = [size for size in (_free(), _left_in_group()) if size is not None]
    return min(found) if found else None


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
