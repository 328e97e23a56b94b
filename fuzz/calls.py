"""Every public function with arguments that nobody would give it on purpose: mlfs says in a sentence what it wants."""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from mlfs.errors import MlfsError

PACKAGES = ("mlfs", *(f"mlfs.{name}" for name in (
    "answer", "classifiers", "datasets", "evaluation", "information", "learn", "metrics", "papers", "plots",
    "recipes", "selectors", "statistics", "studies", "tables",
)))  # fmt: skip

RNG = np.random.default_rng(0)
N, D, Q = 40, 6, 3
X = RNG.normal(size=(N, D))
Y = (X[:, :Q] + RNG.normal(size=(N, Q)) > 0).astype(int)

ODD: dict[str, Any] = {
    "None": None,
    "a text": "a",
    "an empty text": "",
    "bytes": b"x",
    "True": True,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "a negative number": -1,
    "zero": 0,
    "a fraction": 1.5,
    "a huge number": 10**30,
    "a complex number": 1j,
    "an object": object(),
    "a function": len,
    "an empty list": [],
    "a list of lists": [[0, 1]],
    "a ragged list": [[0], [1, 2]],
    "a list of texts": ["a", "b"],
    "a list of None": [None],
    "numbers out of range": [-5, 10**9],
    "the same number twice": [0, 0],
    "a mapping": {"a": 1},
    "a set": {1, 2},
    "a vector": np.arange(4.0),
    "a cube": np.zeros((2, 2, 2)),
    "a scalar array": np.array(3),
    "no rows": np.zeros((0, 3)),
    "no columns": np.zeros((N, 0)),
    "one row": np.zeros((1, D)),
    "fewer columns": np.zeros((N, 2)),
    "NaN in a table": np.full((N, D), np.nan),
    "infinity in a table": np.where(np.arange(N * D).reshape(N, D) == 5, np.inf, X),
    "a complex table": X + 1j,
    "a table of objects": np.array([[object()] * 3] * 4),
    "a table of texts": np.array([["a"] * D] * N),
    "a sparse table of NaN": sparse.csr_matrix(np.full((N, D), np.nan)),
    "a sparse table": sparse.coo_matrix(Y),
    "halves in a table": np.full((N, Q), 0.5),
    "a frame of words": pd.DataFrame({"a": ["x", "y"], "b": ["z", None]}),
    "an empty frame": pd.DataFrame(),
    "a frame": pd.DataFrame({"a": [1.0, 2.0], "b": [0.5, np.nan]}),
}


@dataclass(frozen=True)
class Call:
    """A function and arguments that it takes; `more` exceptions are scikit-learn's own, which estimators may raise."""

    function: Callable[..., Any]
    arguments: Mapping[str, Any]
    more: tuple[type[Exception], ...] = ()


def _result(method: str, dataset: str, value: float) -> dict[str, Any]:
    about = {"dataset": dataset, "method": method, "parameters": "{}", "repeat": 0, "size": 1, "metric": "hamming_loss"}
    return {**about, "value": value, "seconds": 0.1, "error": ""}


@cache
def calls() -> dict[str, Call]:
    """Good arguments of every public function, by its name; those that another package offers again are there once."""
    from mlfs.datasets import load_dataset, make_synthetic
    from mlfs.statistics import friedman
    from mlfs.studies import Plan

    ds = make_synthetic(n_instances=60, n_relevant=3, n_redundant=1, n_irrelevant=2, n_labels=3)
    half = (ds.X[:40], ds.Y[:40], ds.X[40:], ds.Y[40:])
    rows = [_result(m, f"d{k}", v + k / 9) for k in range(6) for m, v in (("els", 0.1), ("igmf", 0.2), ("mfs", 0.4))]
    results = pd.DataFrame(rows)
    table = results.pivot_table(index="dataset", columns="method", values="value", observed=True)
    good: dict[str, dict[str, Any]] = {
        # evaluation
        "loss_curve": dict(zip(("X_train", "Y_train", "X_test", "Y_test"), half, strict=True))
        | {"ranking": [0, 1, 2], "sizes": [1, 2], "classifier": "ridge", "metrics": ["hamming_loss"], "owner": None,
           "options": None, "n_jobs": 1},
        "compare": {"datasets": [ds], "selectors": ["igmf"], "protocol": "quick", "metrics": ["hamming_loss"],
                    "seed": 0, "n_jobs": 1, "rankings": None},
        "explore": {"ds": ds, "selector": "igmf", "protocol": "quick", "seed": 0, "repeat": 0},
        "explore_all": {"ds": ds, "selector": "igmf", "protocol": "quick", "seed": 0},
        "evaluate": {"Y": Y, "labels": Y, "scores": Y + 0.0, "metrics": ["hamming_loss"], "options": None},
        "get_protocol": {"protocol": "quick"},
        "random_splits": {"Y": Y, "test_share": 0.3, "repeats": 2, "seed": 0},
        "k_folds": {"Y": Y, "folds": 2, "seed": 0},
        "given_split": {"ds": load_dataset("emotions")},
        "split_table": {"splits": [(np.arange(5), np.arange(5, 9))], "n": 9, "base": 0},
        "sizes_up_to": {"most": 5},
        "scale": {"train": X, "test": X, "scaling": "z_score"},
        "average_classification_result": {"curve": pd.DataFrame({"hamming_loss": [0.1], "ranking_loss": [0.2]}),
                                          "sizes": 2},
        "as_ranking": {"given": [0, 1, 2], "ds": ds, "name": "mine"},
        # information
        "discretize": {"X": X, "n_bins": 3, "method": "equal_width", "categorical": ()},
        "entropy": {"D": Y},
        "mutual_information": {"D": Y, "E": Y},
        "symmetrical_uncertainty": {"D": Y, "E": Y},
        "labelset": {"Y": Y},
        # metrics
        "redundancy": {"X": X, "Y": Y, "subset": [0, 1]},
        "residual_label_correlation": {"X": X, "Y": Y, "subset": [0, 1]},
        "stability": {"subsets": [[0, 1], [1, 2]], "n_features": 4},
        "jaccard": {"subsets": [[0, 1], [1, 2]], "n_features": 4},
        "metric_title": {"name": "hamming_loss"},
        # statistics
        "friedman": {"table": table},
        "nemenyi": {"result": friedman(table), "alpha": 0.05},
        "bonferroni_dunn": {"result": friedman(table), "control": "els"},
        "wilcoxon_holm": {"table": table},
        "paired_t_tests": {"samples": table},
        "critical_difference": {"k": 3, "n": 6},
        "judge": {"table": table},
        # datasets
        "make_synthetic": {"n_instances": 30, "n_labels": 3, "n_relevant": 3, "seed": 0},
        "load_dataset": {"name_or_path": "emotions"},
        "read_files": {"files": {"t.csv": b"x,a\n1,0\n2,1\n"}, "labels": -1},
        "profile": {"ds": ds},
        "parse_synthetic": {"name": "synthetic"},
        "is_synthetic": {"name": "synthetic"},
        "Dataset": {"X": X, "Y": Y, "feature_names": list("abcdef"), "label_names": list("uvw"), "name": "toy",
                    "split": None, "categories": {}, "notes": ()},
        # selectors, classifiers, studies
        "make_selector": {"method": "igmf"},
        "make_classifier": {"classifier": "ridge"},
        "Plan": {"name": "p", "datasets": ["emotions"], "methods": ["els"], "protocol": "quick", "settings": {},
                 "seeds": [0]},
        "MethodGrid": {"method": "els", "parameters": {}, "grid": {"n_labels": [1, 2]}},
        "estimate": {"plan": Plan("p", ["emotions"], ["igmf"]), "store": None},
        # tables
        "to_csv": {"table": results},
        "to_latex": {"table": results, "title": "t", "label": "l", "decimals": 3},
        "to_text": {"table": results, "decimals": 3},
    }  # fmt: skip
    for name in ("hamming_loss", "subset_accuracy", "zero_one_loss", "macro_f1", "micro_f1", "example_f1",
                 "example_accuracy", "example_precision", "example_recall", "balanced_accuracy"):  # fmt: skip
        good[name] = {"Y": Y, "P": Y}
    for name in ("ranking_loss", "one_error", "coverage", "coverage_share", "average_precision", "macro_auc",
                 "micro_auc", "macro_average_precision", "micro_average_precision"):  # fmt: skip
        good[name] = {"Y": Y, "S": X[:, :Q]}
    found: dict[str, Call] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            function = getattr(module, name)
            if callable(function) and name in good and name not in found:
                found[name] = Call(function, good[name])
    return found


def covered() -> tuple[set[str], set[str]]:
    """Public functions that are called here, and those that are not."""
    every = set()
    for package in PACKAGES:
        module = importlib.import_module(package)
        every |= {name for name in module.__all__ if inspect.isfunction(getattr(module, name))}
    return every & set(calls()), every - set(calls())


def cases() -> list[tuple[str, str, str]]:
    """Function, argument and odd value, by their names."""
    return [(name, argument, odd) for name, call in calls().items() for argument in call.arguments for odd in ODD]


def try_case(name: str, argument: str, odd: str) -> str | None:
    """What is wrong with the answer to one odd argument."""
    call = calls()[name]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = call.function(**{**call.arguments, argument: ODD[odd]})
            if inspect.isgenerator(answer):
                next(answer, None)
    except MlfsError as refusal:
        said = str(refusal)
        if "\n" in said or not said.endswith((".", "?")) or len(said) > 700:
            return f"{name}({argument}={odd}): no sentence: {said!r}"
    except call.more:
        return None
    except Exception as error:
        return f"{name}({argument}={odd}): {type(error).__name__}: {str(error)[:120]}"
    return None


def check(seed: int) -> str | None:
    """The case of a seed; every one comes once before any comes again."""
    return try_case(*cases()[seed % len(cases())])
