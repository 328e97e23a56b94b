"""Studies: the α–β–k sweep against a plain loop, two workers against one, what the store costs."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.evaluation import PEER_SIZES, scikit_multilearn
from mlfs import load_dataset, make_selector
from mlfs.classifiers import MLkNN
from mlfs.evaluation import evaluate, get_protocol, loss_curve, scale
from mlfs.studies import MethodGrid, Plan, Store, run
from mlfs.studies.cell_runner import CellRunner
from mlfs.studies.engines.local import LocalEngine

POWERS = [10.0**power for power in range(-3, 4)]
SAMPLE = 7


def report() -> None:
    engine = LocalEngine(2, keep=True)
    try:
        _start(engine)
        for protocol in ("given", "zhang_2020_grro"):
            _sweep(engine, protocol)
        _two_workers(engine)
    finally:
        engine.close()
    _store()


def _start(engine: LocalEngine) -> None:
    """The workers import once; the app keeps them, and so does this."""
    seconds, _ = _timed(Plan("start", ["emotions"], ["els", "mim_br"], settings={"sizes": [1]}), engine)
    print(f"two workers from nothing, with a study of two cells: {seconds:.1f} s (not counted below)", flush=True)


def _sweep(engine: LocalEngine, name: str) -> None:
    """α, β and k of GRRO-LS on yeast: 490 cells, ML-kNN, the given split."""
    grid = {"alpha": POWERS, "beta": POWERS, "k": list(range(1, 11))}
    plan = Plan("sweep", ["yeast"], [MethodGrid("grro_ls", grid=grid)], name)
    seconds, different = _timed(plan, engine)
    cells = list(plan.methods[0].combinations())
    sample = [cells[i] for i in np.linspace(0, len(cells) - 1, SAMPLE).astype(int)]
    refit, curve = (len(cells) / SAMPLE * _loop(name, sample, judge) for judge in (_refit, _curve))
    peer = len(cells) * _loop(name, sample[:1], _peer)
    print(
        f"{len(cells)} cells of GRRO-LS on yeast, protocol {name}: {seconds:.1f} s with two workers, {different} "
        f"different rankings; a loop of fit and scikit-multilearn-ng's ML-kNN at each size {peer / seconds:.0f}×, of "
        f"fit and our ML-kNN at each size {refit / seconds:.1f}×, of fit and loss_curve {curve / seconds:.1f}× (loops "
        f"timed on one cell and {len(PEER_SIZES)} sizes, {SAMPLE} and {SAMPLE} cells, and scaled)",
        flush=True,
    )


def _timed(plan: Plan, engine: Any) -> tuple[float, int]:
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "studies.db") as store:
        summary = run(plan, store, engine=engine)
        assert summary.failed == 0
        return summary.seconds, len({ranking.tobytes() for ranking in store.rankings(plan)["ranking"]})


def _loop(name: str, cells: list[dict[str, Any]], judge: Any) -> float:
    """What one writes without the library's help: fit, then judge, cell after cell."""
    ds, protocol = load_dataset("yeast"), get_protocol(name)
    train, test = ds.split
    X, X_test = scale(ds.X[train], ds.X[test], protocol.scaling)
    own = {**protocol.selector_parameters, "n_features_to_select": max(protocol.sizes_for(ds.X.shape[1]))}
    begun = time.perf_counter()
    for cell in cells:
        ranking = make_selector("grro_ls", **own, **cell).fit(ds.X[train], ds.Y[train]).ranking_
        times = judge(X, ds.Y[train], X_test, ds.Y[test], ranking, protocol) or 1.0
    return times * (time.perf_counter() - begun)


def _refit(X: Any, Y: Any, X_test: Any, Y_test: Any, ranking: np.ndarray, protocol: Any) -> None:
    for size in protocol.sizes_for(X.shape[1]):
        model = MLkNN().fit(X[:, ranking[:size]], Y)
        scores = model.predict_proba(X_test[:, ranking[:size]])
        evaluate(Y_test, scores >= 0.5, scores, protocol.metrics)


def _peer(X: Any, Y: Any, X_test: Any, Y_test: Any, ranking: np.ndarray, protocol: Any) -> float:
    """At a few sizes only; returns by how much its time is to be multiplied."""
    for size in PEER_SIZES:
        scores = scikit_multilearn(X, Y, X_test, ranking[:size]).toarray()
        evaluate(Y_test, scores >= 0.5, scores, protocol.metrics)
    return len(protocol.sizes_for(X.shape[1])) / len(PEER_SIZES)


def _curve(X: Any, Y: Any, X_test: Any, Y_test: Any, ranking: np.ndarray, protocol: Any) -> None:
    loss_curve(X, Y, X_test, Y_test, ranking, protocol.sizes_for(X.shape[1]), "mlknn", protocol.metrics)


def _two_workers(two: LocalEngine) -> None:
    """Independent cells: another split each, so that nothing is shared."""
    plan = Plan("independent", ["yeast"], ["jmi_br"], settings={"repeats": 24})
    one = LocalEngine(1, keep=True)
    try:
        _timed(Plan("start", ["emotions"], ["jmi_br"]), one)
        # In turns, so that a busy minute of the machine hits both.
        times = [(_timed(plan, one)[0], _timed(plan, two)[0]) for _ in range(3)]
    finally:
        one.close()
    single, double = (min(column) for column in zip(*times, strict=True))
    print(f"24 independent cells: one worker {single:.1f} s, two {double:.1f} s: {single / double:.2f}×", flush=True)


def _store() -> None:
    """Keeping a cell against computing it, on emotions."""
    plan = Plan("store", ["emotions"], ["els"], settings={"repeats": 20})
    ds = load_dataset("emotions")
    computing, keeping, results = [], [], []
    for cell in plan.cells():
        runner = CellRunner()
        begun = time.perf_counter()
        results.append(runner.compute(cell, ds))
        computing.append(time.perf_counter() - begun)
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "studies.db") as store:
        for result in results:
            begun = time.perf_counter()
            store.put(result)
            keeping.append(time.perf_counter() - begun)
    cell, kept = float(np.median(computing)), float(np.median(keeping))
    print(
        f"a cell of ELS on emotions: computed in {1e3 * cell:.1f} ms, kept in {1e3 * kept:.2f} ms: "
        f"{100 * kept / cell:.1f} % (medians of {len(results)})",
        flush=True,
    )
