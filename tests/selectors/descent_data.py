"""Data for the methods that minimise an objective, and what "never rises" means to their tests."""

import json
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).parents[1] / "golden"


def linear_data(seed, n=60, d=12, q=4):
    """Labels that are noisy thresholds of a few features; features in different units, one constant."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * rng.uniform(0.5, 2.0, d) + rng.uniform(-1.0, 1.0, d)
    weights = rng.standard_normal((d, q)) * (rng.random((d, 1)) < 0.4)
    Y = (X @ weights + 0.5 * rng.standard_normal((n, q)) > 0.3).astype(np.int8)
    X[:, -1] = 2.0
    return X, Y


def never_rises(values, rounding=1e-9):
    values = np.asarray(values)
    return bool((np.diff(values) <= rounding * np.abs(values[1:])).all())


def in_turn(history):
    """The objective after every single update of W, V and B, in the order in which they happened."""
    return np.column_stack([history["after_W"], history["after_V"], history["after_B"]]).ravel()[2:]


def row_norm_sum(W):
    return sum(np.sqrt((row**2).sum()) for row in W)


def heat_graph(X, k=5):
    """The graph of nearest neighbours, pair by pair: both directions, weights exp(−distance²/mean distance²)."""
    n = len(X)
    distance = np.array([[((a - b) ** 2).sum() for b in X] for a in X])
    near = np.zeros((n, n), dtype=bool)
    for i in range(n):
        others = [j for j in np.argsort(distance[i], kind="stable") if j != i]
        near[i, others[: min(k, n - 1)]] = True
    weight = np.exp(-distance / distance[near].mean())
    return np.where(near | near.T, weight, 0.0)


def unit(X):
    spread = X.max(axis=0) - X.min(axis=0)
    return (X - X.min(axis=0)) / np.where(spread > 0, spread, 1.0)


def cosines(Y):
    """(q, q) of the labels, 1 on the diagonal."""
    length = np.sqrt(Y.sum(axis=0, dtype=float))
    C = Y.T.astype(float) @ Y / np.outer(np.where(length > 0, length, 1), np.where(length > 0, length, 1))
    np.fill_diagonal(C, 1.0)
    return C


def golden(key):
    """Scores by feature, and the ranking, of an independent slow transcription on the toy data."""
    ranking, scores, *_ = json.loads((GOLDEN / "descent.json").read_text())[key]
    by_feature = np.empty(len(ranking))
    by_feature[ranking] = scores
    return by_feature, ranking


def toy():
    data = np.load(GOLDEN / "toy.npz")
    return data["X_train"], data["Y_train"]


def laplacian(S):
    return np.diag(S.sum(axis=1)) - S
