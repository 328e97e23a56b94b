"""Small awkward data: mixed numbers of values, constant and duplicated features, labels that are all 0 or all 1."""

import numpy as np


def awkward(seed, n=40, d=8, q=5):
    rng = np.random.default_rng(seed)
    X = np.stack([rng.integers(0, rng.integers(1, 6), n) for _ in range(d)], axis=1).astype(float)
    Y = (rng.random((n, q)) < rng.uniform(0.1, 0.6, q)).astype(np.int8)
    X[:, 0] = 3.0
    X[:, 2] = X[:, 1]
    Y[:, 1] = 0
    if seed % 2:
        Y[:, 3] = 1
    Y[rng.random(n) < 0.1] = 0
    # One feature that tells something, so that rankings are about more than noise.
    X[:, 3] = Y[:, 0] + 2 * Y[:, 2] * (rng.random(n) < 0.8)
    return X, Y
