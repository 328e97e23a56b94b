"""A benchmark whose numbers are set by hand."""

import numpy as np
import pandas as pd

from mlfs.benchmark import Benchmark

#: Of the benchmark that is run for tests.
METHODS = ["mfs", "els", "random", "all_features"]
SIZES = (1, 2, 3, 5, 8, 10)
#: Data set → method → ranking loss at every size; None where the selection exceeded a limit.
LOSSES = {
    "one": {"els": 0.1, "grro": 0.2, "mfs": 0.3, "random": 0.4},
    "two": {"els": 0.2, "grro": 0.1, "mfs": 0.3, "random": 0.4},
    "three": {"els": 0.1, "grro": 0.2, "mfs": None, "random": 0.4},
    "four": {"els": 0.1, "grro": None, "mfs": None, "random": 0.4},
}
SECONDS = {"els": 0.01, "grro": 0.1, "mfs": 0.001, "random": 0.0001}
#: The first features of each method, the same on every set and split but for the last of `random`.
RANKINGS = {"els": range(20), "grro": range(10, 30), "mfs": range(20), "random": range(80, 100)}


def made_datasets(features=100):
    rows = [
        {
            "dataset": name,
            "instances": 100 * 3**place,
            "features": features,
            "labels": 6 + 10 * place,
            "cardinality": 2.0,
            "density": 0.3 / (place + 1),
            "labelsets": 20,
            "imbalance": 2.0 + place,
            "numeric": 1.0,
            "filled": 1.0 if place < 2 else 0.05,
        }
        for place, name in enumerate(LOSSES)
    ]
    return pd.DataFrame(rows)


def made_benchmark(losses=LOSSES, features=100, **more):
    results, runs, rankings = [], [], []
    for dataset, of_methods in losses.items():
        for method, loss in of_methods.items():
            about = {"dataset": dataset, "classifier": "mlknn", "setting": "default", "method": method}
            runs.append(
                {
                    **about,
                    "state": "limit" if loss is None else "done",
                    "reason": "" if loss is not None else "The selection took more than 20 s, the limit.",
                    "splits": 0 if loss is None else 2,
                    "seconds": np.nan if loss is None else SECONDS.get(method, 1.0),
                    "peak_mib": np.nan if loss is None else 1.0,
                    "selected": 10.0,
                    "version": "",
                }
            )
            if loss is None:
                continue
            results += [{**about, "size": size, "ranking_loss": loss, "macro_f1": 1 - loss} for size in SIZES]
            rankings += [
                {**about, "repeat": repeat, "parameters": "{}", "ranking": np.array(RANKINGS.get(method, range(20)))}
                for repeat in (0, 1)
            ]
    tables = {
        "results": pd.DataFrame(results),
        "runs": pd.DataFrame(runs),
        "rankings": pd.DataFrame(rankings).drop(columns="classifier"),
        "trials": pd.DataFrame(columns=["dataset", "repeat", "method", "parameters"]),
        "scaling": pd.DataFrame(columns=["method", "instances", "features", "labels", "seconds", "peak_mib"]),
        "datasets": made_datasets(features),
        "about": {"limits": {"selection_seconds": 20, "bytes": 2 << 30}},
    }
    return Benchmark(**{**tables, **more})
