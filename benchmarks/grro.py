"""GRRO on bibtex's training part: the α–β grid and one slider move against scipy's solver, and the low-rank route."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import solve_sylvester

from benchmarks.measure import load
from mlfs.selectors import make_selector
from mlfs.selectors.grro import label_distance

GRID = 10.0 ** np.arange(-3, 4)
RANKS = (100, 200, 400, 800)


def report() -> None:
    data = load("bibtex")
    if data is None:
        return
    rows = data.split[0]
    X, Y = data.X[rows], data.Y[rows]
    selector = make_selector("grro")
    preparation, move, grid, peer = [], [], [], []
    # In turns, so that a busy minute of the machine hits all of them.
    for _ in range(2):
        seconds, evidence = _timed(selector.prepare, X, Y)
        preparation.append(seconds)
        move.append(min(_timed(selector.fit_prepared, evidence)[0] for _ in range(5)))
        grid.append(_timed(selector.path, evidence, alpha=GRID, beta=GRID)[0])
        left = np.eye(X.shape[1]) + selector.alpha * evidence.feature_information
        seconds, Z = _timed(solve_sylvester, left, selector.beta * label_distance(Y), evidence.information)
        peer.append(seconds)
    print(f"{X.shape[0]} × {X.shape[1]}, {Y.shape[1]} labels (best of the run)")
    print(f"preparation {min(preparation):8.3f} s")
    _against("one slider move", min(move), "a twentieth of the preparation", min(preparation) / 20)
    _against("7 × 7 grid", min(grid), "one solve_sylvester", min(peer))
    print(f"largest difference from solve_sylvester: {np.abs(selector.coefficients_ - Z).max():.1e}")
    _low_rank(evidence)
    _mico(evidence)


def _against(what: str, ours: float, other: str, theirs: float) -> None:
    verdict = "less" if ours < theirs else "MORE"
    print(f"{what}: {ours:.4f} s, {verdict} than {other}, {theirs:.4f} s (ratio {ours / theirs:.2f})", flush=True)


def _low_rank(evidence: Any) -> None:
    for alpha in (1.0, 10.0):
        exact = make_selector("grro", alpha=alpha).fit_prepared(evidence).ranking_[:50]
        for rank in RANKS:
            low = make_selector("grro", alpha=alpha, rank=rank).fit_prepared(evidence).ranking_[:50]
            print(
                f"alpha {alpha:g}, rank {rank}: {len(set(low) & set(exact))} of the exact first 50 found, "
                f"{np.count_nonzero(low == exact)} in their place",
                flush=True,
            )


def _mico(evidence: Any) -> None:
    for weight in (1.0, 10.0, 100.0):
        selector = make_selector("mico", redundancy_weight=weight)
        seconds, _ = _timed(selector.fit_prepared, evidence)
        weighted = np.count_nonzero(selector.weights_)
        print(f"mico, weight {weight:g}: {seconds:.3f} s, {selector.n_iter_} steps, {weighted} weighted features")


def _timed(task: Callable[..., Any], *arguments: Any, **more: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    result = task(*arguments, **more)
    return time.perf_counter() - start, result
