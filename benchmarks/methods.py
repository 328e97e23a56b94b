"""Every method on emotions, yeast, scene and bibtex: seconds and peak memory of one fit in a process of its own.

Seconds are those of the processor with one thread, which other work on the machine disturbs little. All of it takes a
quarter of an hour or more: ``methods:els,grro`` gives the rows of some methods, so that a run can be gone on with.
"""

from __future__ import annotations

from benchmarks.measure import fit_in_process, shared_folder
from mlfs.selectors import SELECTORS, make_selector

DATASETS = ("emotions", "yeast", "scene", "bibtex")
LIMIT_SECONDS = 60.0  # of any fit


def report(*methods: str) -> None:
    """Print a row of a Markdown table for each of these methods, or for all."""
    for method in methods:
        make_selector(method)
    datasets = DATASETS if shared_folder() else DATASETS[:3]
    print(f"| {'method':12} |" + "".join(f" {name:>17} |" for name in datasets), "  processor seconds, peak GiB")
    print("|" + "-" * 14 + "|" + "|".join("-" * 18 + ":" for _ in datasets) + "|")
    for method in methods or SELECTORS:
        print(f"| {method:12} |", end="", flush=True)
        problems = []
        for name in datasets:
            try:
                done = fit_in_process(name, method, threads=1)
                print(f" {done['processor']:9.2f} {done['peak']:7.2f} |", end="", flush=True)
                if done["processor"] > LIMIT_SECONDS:
                    problems.append(f"{method} on {name}: over {LIMIT_SECONDS:g} s")
            except RuntimeError as problem:
                print(f" {'failed':>17} |", end="", flush=True)
                problems.append(str(problem))
        print("", *problems, sep="\n  ", flush=True)
