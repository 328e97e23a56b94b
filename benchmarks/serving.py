"""What the parts that load a server share: what the server uses, as Linux tells of it, and the closing line."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True)
class Usage:
    """Processor seconds since the start, memory in MiB (what is shared counts in parts), threads.

    Of the memory, `server` is that of the process itself; the rest is that of the workers which studies have started.
    """

    cpu: float
    memory: float
    server: float
    threads: int


def usage(pid: int) -> Usage:
    """Of a process and all that it started; not a number where the system has no /proc."""
    if not PROC.is_dir():
        return Usage(float("nan"), float("nan"), float("nan"), 0)
    family = _family(pid)
    return Usage(
        sum(_cpu(each) for each in family),
        sum(_memory(each) for each in family),
        _memory(pid),
        sum(_threads(each) for each in family),
    )


def verdict(what: str, good: bool, figures: str) -> None:
    """The line that closes a part: what must hold, whether it does, and by which figures."""
    print(f"must hold: {what}: {'holds' if good else 'DOES NOT HOLD'} ({figures})", flush=True)


def _family(pid: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for folder in PROC.iterdir():
        if folder.name.isdigit() and (fields := _stat(int(folder.name))):
            children.setdefault(int(fields[1]), []).append(int(folder.name))
    found = [pid]
    for each in found:
        found += children.get(each, [])
    return found


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, which may hold blanks; none for a process that has ended."""
    try:
        return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _cpu(pid: int) -> float:
    fields = _stat(pid)
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if fields else 0.0


def _threads(pid: int) -> int:
    fields = _stat(pid)
    return int(fields[17]) if fields else 0


def _memory(pid: int) -> float:
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
