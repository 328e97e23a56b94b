"""Data for the methods that minimise an objective, and what "never rises" means to their tests."""

import numpy as np


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


def laplacian(S):
    return np.diag(S.sum(axis=1)) - S
