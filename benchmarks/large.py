"""A sparse synthetic set of the size of the Yahoo society set: seconds and peak memory of methods without d × d tables.

`python -m benchmarks.large elc exact` is one of its lines, in the process that is measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any

import numpy as np
from scipy import sparse

from benchmarks.measure import REPOSITORY, peak_gib
from mlfs.errors import TooLargeError
from mlfs.selectors import SELECTORS, make_selector

INSTANCES, FEATURES, LABELS, DENSITY = 14_512, 49_060, 22, 0.003
LIMIT_GIB = 4.0
VARIANTS = ("paper", "printed", "authors", "exact")
FITS = (
    ("data alone",),
    *(("elc", variant) for variant in VARIANTS),
    *((method,) for method in ("els", "br_cc", "mfs", "mim_br", "mapd", "spfs")),
)
# They need d × d numbers: each must say so before it starts.
REFUSING = ("grro", "grro_ls")


def make(seed: int = 0) -> tuple[sparse.csr_matrix, np.ndarray]:
    """X as sparse as text, and labels of its density, each raised by fifty features of its own."""
    rng = np.random.default_rng(seed)
    X = sparse.random(INSTANCES, FEATURES, DENSITY, format="csr", random_state=rng)
    drivers = rng.choice(FEATURES, (LABELS, 50), replace=False)
    drive = np.column_stack([np.asarray(X[:, columns].sum(axis=1)).ravel() for columns in drivers])
    rate = np.geomspace(0.3, 0.01, LABELS)
    return X, (rng.random((INSTANCES, LABELS)) < np.clip(rate * (0.5 + 3 * drive), 0, 1)).astype(np.int8)


def report() -> None:
    print(f"{INSTANCES} × {FEATURES}, {LABELS} labels, density {DENSITY}")
    print(f"{'method':14} {'seconds':>8} {'peak GiB':>9}")
    for job in FITS:
        done = _in_process(*job)
        over = "" if done["peak"] < LIMIT_GIB else f"   over the limit of {LIMIT_GIB:g} GiB"
        print(f"{' '.join(job):14} {done['seconds']:8.2f} {done['peak']:9.2f}{over}", flush=True)
    for method in REFUSING:
        if method in SELECTORS:
            print(f"{method}: {_in_process(method)['refusal'] or 'ran'}", flush=True)


def _in_process(*job: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.large", *job],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def _measure(method: str, *variant: str) -> dict[str, Any]:
    X, Y = make()
    refusal, start = "", time.perf_counter()
    try:
        if method != "data alone":
            make_selector(method, **dict(zip(["variant"], variant, strict=False))).fit(X, Y)
    except TooLargeError as error:
        refusal = str(error)
    return {"seconds": time.perf_counter() - start, "peak": peak_gib(), "refusal": refusal}


if __name__ == "__main__":
    print(json.dumps(_measure(*sys.argv[1:])))
