"""ReliefF by blocks of neighbours: seconds and peak memory, bibtex within a minute."""

from __future__ import annotations

from typing import Any

from benchmarks.measure import fit_in_process, shared_folder

LIMIT_SECONDS = 60.0
FITS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("emotions", "relieff_ml", {}),
    ("emotions", "ppt_rf", {}),
    ("yeast", "relieff_ml", {}),
    ("yeast", "ppt_rf", {}),
    ("scene", "relieff_ml", {}),
    ("scene", "ppt_rf", {}),
    ("bibtex", "relieff_ml", {}),
    ("bibtex", "relieff_ml", {"n_samples": 1000}),
    ("bibtex", "ppt_rf", {}),
)


def report() -> None:
    print(f"{'data':10} {'method':28} {'seconds':>8} {'peak GiB':>9} {'of it fit':>10}")
    for dataset, method, parameters in FITS:
        if dataset == "bibtex" and shared_folder() is None:
            print("bibtex: left out, its folder is not there (set MLFS_SHARED).")
            return
        done = fit_in_process(dataset, method, parameters)
        name = method + "".join(f" {key}={value}" for key, value in parameters.items())
        over = "" if done["seconds"] < LIMIT_SECONDS else f"   over the limit of {LIMIT_SECONDS:g} s"
        added = done["peak"] - done["before"]
        print(f"{dataset:10} {name:28} {done['seconds']:8.2f} {done['peak']:9.2f} {added:10.2f}{over}", flush=True)


if __name__ == "__main__":
    report()
