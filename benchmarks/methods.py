"""Every method on emotions, yeast, scene and bibtex: seconds and peak memory of one fit in a process of its own.

Seconds are those of the processor with one thread, which other work on the machine disturbs little.
"""

from __future__ import annotations

from benchmarks.measure import fit_in_process, shared_folder
from mlfs import SELECTORS

DATASETS = ("emotions", "yeast", "scene", "bibtex")


def report() -> None:
    datasets = DATASETS if shared_folder() else DATASETS[:3]
    print(f"{'method':12}" + "".join(f"{name:>20}" for name in datasets) + "   (processor seconds, peak GiB)")
    for method in SELECTORS:
        print(f"{method:12}", end="", flush=True)
        problems = []
        for name in datasets:
            try:
                done = fit_in_process(name, method, threads=1)
                print(f"{done['processor']:12.2f} {done['peak']:7.2f}", end="", flush=True)
            except RuntimeError as problem:
                print(f"{'failed':>20}", end="", flush=True)
                problems.append(problem)
        print(*problems, sep="\n  ", flush=True)
