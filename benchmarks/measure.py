"""What the parts share: the data folder, the best of several timings, and peak memory in a process of its own."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mlfs import load_dataset, make_selector

REPOSITORY = Path(__file__).parents[1]


def shared_folder() -> Path | None:
    """The folder of benchmark data sets: ``$MLFS_SHARED/data``, or ``shared/data`` beside the project."""
    folder = Path(os.environ.get("MLFS_SHARED", REPOSITORY.parent / "shared")) / "data"
    return folder if folder.is_dir() else None


def load(name: str) -> Any:
    """A bundled set, or one of the shared folder; None, with a line that says so, where it is not there."""
    folder = shared_folder()
    if folder is None and name not in ("emotions", "yeast", "scene"):
        print(f"{name}: left out, its folder is not there (set MLFS_SHARED).")
        return None
    return load_dataset(name, folder=folder)


def best_seconds(task: Callable[[], Any], repeats: int = 3) -> float:
    """The shortest of several runs: the one least disturbed by the rest of the machine."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        task()
        best = min(best, time.perf_counter() - start)
    return best


def fit_in_process(
    dataset: str, method: str, parameters: dict[str, Any] | None = None, threads: int | None = None
) -> dict[str, float]:
    """Seconds, seconds of the processor and peak memory (GiB) of one fit in a fresh process, and what it holds before.

    ``threads`` bounds those of linear algebra.
    """
    job = json.dumps({"dataset": dataset, "method": method, "parameters": parameters or {}})
    bounds = {} if threads is None else dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.measure", job],
        cwd=REPOSITORY,
        env=os.environ | bounds,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["killed"]
        raise RuntimeError(f"{method} on {dataset}: {last[0]}")
    return json.loads(done.stdout)


def peak_gib() -> float:
    """The most memory this process has held; Linux counts it in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _fit(job: dict[str, Any]) -> dict[str, float]:
    data = load(job["dataset"])
    before = peak_gib()
    selector = make_selector(job["method"], categorical_features=data.categorical, **job["parameters"])
    start, used = time.perf_counter(), time.process_time()
    selector.fit(data.X, data.Y)
    return {
        "seconds": time.perf_counter() - start,
        "processor": time.process_time() - used,
        "peak": peak_gib(),
        "before": before,
    }


if __name__ == "__main__":
    print(json.dumps(_fit(json.loads(sys.argv[1]))))
