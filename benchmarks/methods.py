"""Every method on emotions, yeast, scene and bibtex: seconds and peak memory of one fit in a process of its own."""

from __future__ import annotations

from benchmarks.measure import fit_in_process, shared_folder
from mlfs import SELECTORS

DATASETS = ("emotions", "yeast", "scene", "bibtex")


def report() -> None:
    datasets = DATASETS if shared_folder() else DATASETS[:3]
    print(f"{'method':12}" + "".join(f"{name:>20}" for name in datasets) + "   (seconds, peak GiB)")
    for method in SELECTORS:
        cells = []
        for name in datasets:
            try:
                done = fit_in_process(name, method)
                cells.append(f"{done['seconds']:12.2f} {done['peak']:7.2f}")
            except RuntimeError as problem:
                cells.append(f"{'failed':>20}")
                print(problem)
        print(f"{method:12}" + "".join(cells), flush=True)
