"""The page Methods from the kept benchmark: reading, ranking and drawing, and what a reload of the page takes."""

from __future__ import annotations

import itertools
import statistics
import time
from typing import Any

from benchmarks.app import REPEATS, seen_parts, visitor
from benchmarks.serving import usage, verdict
from mlfs.benchmark import leaderboard, read_benchmark
from mlfs.plots import rank_against_time, rank_intervals
from tests.browser.server import chromium, started

BOUND = 1.0  # seconds


def report() -> None:
    _drawn()  # what is imported and compiled by the first is not of the kept file
    print("processor seconds from the kept file: " + ", ".join(f"{name} {took:.2f}" for name, took in _drawn().items()))
    with chromium() as browser, started() as (address, process), visitor(browser) as tab:
        seen_parts(tab, f"{address}/methods")
        found = [_reloaded(tab, process.pid) for _ in range(REPEATS)]
    shown, used = (statistics.median(each[part] for each in found) for part in ("answer", "cpu"))
    print(f"reload: {shown:.2f} s to the first figure, {used:.2f} processor seconds of the server for the whole page")
    verdict(f"the leaderboard is drawn in under {BOUND:g} s", shown < BOUND, f"median {shown:.2f} s")


def _drawn() -> dict[str, float]:
    """Processor seconds of each step from the kept file to the two figures on top of the page."""
    clock = [time.process_time()]
    kept = read_benchmark()
    clock.append(time.process_time())
    board = leaderboard(kept)
    clock.append(time.process_time())
    for figure in (rank_intervals(board.table.head(15), methods=len(board.table)), rank_against_time(board.table)):
        figure.to_json()
    clock.append(time.process_time())
    steps = [later - earlier for earlier, later in itertools.pairwise(clock)]
    return dict(zip(("read", "rank", "draw"), steps, strict=True))


def _reloaded(tab: Any, server: int) -> dict[str, float]:
    before = usage(server).cpu
    seen = seen_parts(tab, None)
    return {**seen, "cpu": usage(server).cpu - before}
