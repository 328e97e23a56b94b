"""Large sparse synthetic sets: seconds and peak memory of methods without d × d tables.

The wide set has the size of the Yahoo society set, the long one 100,000 rows. ``large:long`` runs one of them;
`python -m benchmarks.large wide elc:variant=exact` is one line, in the process that is measured. Seconds of the
processor are those of all threads together.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from benchmarks.measure import REPOSITORY, peak_gib
from mlfs.errors import ParameterError, TooLargeError, did_you_mean
from mlfs.selectors import make_selector
from mlfs.selectors.specification import parse_method

LIMIT_GIB = 4.0


class Large(NamedTuple):
    """A set's size, what is fitted to it, and the methods that need d × d numbers and must say so before they start."""

    instances: int
    features: int
    labels: int
    density: float
    fits: tuple[str, ...]
    refusing: tuple[str, ...]


VARIANTS = ("paper", "printed", "authors", "exact")
SETS = {
    "wide": Large(
        14_512,
        49_060,
        22,
        0.003,
        (*(f"elc:variant={variant}" for variant in VARIANTS), "els", "br_cc", "mfs", "mim_br", "mapd", "spfs"),
        ("grro", "grro_ls"),
    ),
    "long": Large(100_000, 20_000, 50, 0.005, ("els", "grro:rank=250"), ("grro",)),
}


def make(name: str, seed: int = 0) -> tuple[sparse.csr_matrix, np.ndarray]:
    """X as sparse as text, and labels of its density, each raised by fifty features of its own."""
    n, d, q, density, *_ = SETS[name]
    rng = np.random.default_rng(seed)
    X = sparse.random(n, d, density, format="csr", random_state=rng)
    drivers = rng.choice(d, (q, 50), replace=False)
    drive = np.column_stack([np.asarray(X[:, columns].sum(axis=1)).ravel() for columns in drivers])
    rate = np.geomspace(0.3, 0.01, q)
    return X, (rng.random((n, q)) < np.clip(rate * (0.5 + 3 * drive), 0, 1)).astype(np.int8)


def report(*names: str) -> None:
    """Print a table for each of these sets, or for all."""
    for name in names:
        if name not in SETS:
            raise ParameterError(f"There is no set {name!r}: {did_you_mean(name, SETS)}")
    for name in names or SETS:
        size = SETS[name]
        print(f"{name}: {size.instances} × {size.features}, {size.labels} labels, density {size.density}")
        print(f"{'method':20} {'seconds':>8} {'processor':>10} {'peak GiB':>9}")
        for method in ("", *size.fits):
            done = _in_process(name, method)
            over = "" if done["peak"] < LIMIT_GIB else f"   over the limit of {LIMIT_GIB:g} GiB"
            figures = f"{done['seconds']:8.2f} {done['processor']:10.2f} {done['peak']:9.2f}"
            print(f"{method or 'data alone':20} {figures}{over}", flush=True)
        for method in size.refusing:
            print(f"{method}: {_in_process(name, method)['refusal'] or 'ran'}", flush=True)


def _in_process(*job: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.large", *job],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def _measure(name: str, method: str = "") -> dict[str, Any]:
    X, Y = make(name)
    refusal, start, used = "", time.perf_counter(), time.process_time()
    try:
        if method:
            key, parameters = parse_method(method)
            make_selector(key, **parameters).fit(X, Y)
    except TooLargeError as error:
        refusal = str(error)
    return {
        "seconds": time.perf_counter() - start,
        "processor": time.process_time() - used,
        "peak": peak_gib(),
        "refusal": refusal,
    }


if __name__ == "__main__":
    print(json.dumps(_measure(*sys.argv[1:])))
