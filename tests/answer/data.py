"""Small data that the tests of the answer share."""

import numpy as np

from mlfs.answer import AnswerSettings, answer_settings
from mlfs.classifiers import MLkNN
from mlfs.datasets import Dataset, make_synthetic
from mlfs.evaluation import get_protocol

HOSTILE = "<script>alert('x')</script>\"&"


def small(seed: int = 0) -> Dataset:
    """Ninety rows whose third feature has a name that is a program."""
    ds = make_synthetic(n_instances=90, n_relevant=3, n_redundant=2, n_irrelevant=5, n_labels=2, seed=seed)
    names = list(ds.feature_names)
    names[2] = HOSTILE
    return Dataset(ds.X, ds.Y, names, ["=1+1", HOSTILE], "set <b>", truth=ds.truth)


def pure_noise(seed: int, n: int = 30) -> Dataset:
    rng = np.random.default_rng([seed, 77])
    X, Y = rng.standard_normal((n, 5)), (rng.random((n, 3)) < 0.4).astype(int)
    return Dataset(X, Y, list("abcde"), list("uvw"), "noise")


def settings(methods=("els", "scls"), **more) -> AnswerSettings:
    protocol = get_protocol("quick", split="folds", folds=3, sizes=(1, 2, 3, 5, 8), classifier=MLkNN(k=5))
    return answer_settings(methods, **{"protocol": protocol, **more})
