"""What the parts share: the data folder, the best of several timings, and peak memory in a process of its own."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from mlfs import load_dataset, make_selector

REPOSITORY = Path(__file__).parents[1]


def shared_folder() -> Path | None:
    """The folder of benchmark data sets: ``$MLFS_SHARED/data``, or ``shared/data`` beside the project."""
    folder = Path(os.environ.get("MLFS_SHARED", REPOSITORY.parent / "shared")) / "data"
    return folder if folder.is_dir() else None


@cache
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
    """Seconds, processor seconds and peak memory (GiB) of one fit in a process of its own, and what it holds before.

    ``threads`` bounds those of linear algebra.
    """
    job = {"dataset": dataset, "method": method, "parameters": parameters or {}}
    process = _prepared(threads)
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps(job), file=process.stdin, flush=True)
    answer = json.loads(process.stdout.readline())
    if "problem" in answer:
        raise RuntimeError(f"{method} on {dataset}: {answer['problem']}")
    return answer


@cache
def _prepared(threads: int | None) -> subprocess.Popen[str]:
    """A Python that has imported what fits need, and forks for each: starting one anew takes longer than most fits."""
    bounds = {} if threads is None else dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(threads))
    return subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.measure"],
        cwd=REPOSITORY,
        env=os.environ | bounds,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def peak_gib() -> float:
    """The most memory this process has held; Linux counts it in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _fit(job: dict[str, Any]) -> dict[str, Any]:
    data = load(job["dataset"])
    if data is None:
        data = load_dataset(job["dataset"])  # which says why it cannot be had
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


def _serve() -> None:
    """Answer each job, a line of JSON, from a process of its own."""
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        job = json.loads(line)
        with suppress(Exception):  # the fit will say what is wrong
            load(job["dataset"])
        child = os.fork()
        if child == 0:
            try:
                answer = _fit(job)
            except Exception as problem:
                answer = {"problem": str(problem) or type(problem).__name__}
            print(json.dumps(answer), file=answers, flush=True)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            print(json.dumps({"problem": "killed"}), file=answers, flush=True)


if __name__ == "__main__":
    _serve()
