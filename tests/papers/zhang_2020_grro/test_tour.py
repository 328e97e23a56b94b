"""The numbers of the sentences, against information from counts of tuples and the system solved entry by entry."""

import numpy as np
import pytest

from mlfs.evaluation import average_classification_result, explore
from mlfs.information import discretize
from mlfs.papers.zhang_2020_grro.tour import FIRST_SIZES, GRID, PROTOCOL, TOUR, grid, grid_work
from tests.papers.tour_support import bench_of, entropy, information, numbers, training

DS = bench_of("emotions").ds


@pytest.fixture(scope="module")
def system() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, Y = training("emotions", PROTOCOL)
    D = discretize(X, 2, "equal_frequency").astype(int)
    C = np.array([[information(f, label) for label in Y.T] for f in D.T])
    own = np.array([entropy(f) for f in D.T])
    # Two values each: the counts of both ones tell all four.
    n, ones = len(D), D.sum(axis=0)
    G = np.zeros((len(own), len(own)))
    both = D.T @ D
    cells = (both, ones[:, None] - both, ones[None, :] - both, n - ones[:, None] - ones[None, :] + both)
    for cell in cells:
        p = cell / n
        G += np.where(p > 0, p * np.log2(np.where(p > 0, p, 1)), 0.0)
    G += own[:, None] + own[None, :]
    lengths = np.sqrt(Y.sum(axis=0))
    R = 1 - (Y.T @ Y) / np.outer(lengths, lengths)
    return C, G, R


def solved(system, alpha: float, beta: float) -> np.ndarray:
    C, G, R = system
    d, q = C.shape
    matrix = np.kron(np.eye(d) + alpha * G, np.eye(q)) + beta * np.kron(np.eye(d), R.T)
    return np.linalg.solve(matrix, C.ravel()).reshape(d, q)


def see(step: int, **settings):
    return TOUR.steps[step - 1].see(bench_of("emotions"), settings)


def test_matrices(system):
    C, G, R = system
    seen = see(1)
    shared, near = G - np.diag(np.diag(G)), R[~np.eye(6, dtype=bool)]
    told = [C.sum(axis=1).max(), shared.max(), near.min()]
    for number in told:
        assert f"{number:.3f}" in seen.sentence
    first = np.argsort(-C.sum(axis=1), kind="stable")[:6]
    assert DS.feature_names[first[0]] in seen.sentence
    for trace, values in zip(seen.figure.data[::2], (C[first], G[np.ix_(first, first)], R), strict=True):
        assert np.asarray(trace.z) == pytest.approx(values, abs=1e-9)


def test_weights(system):
    C, G, R = system
    Z = solved(system, 10.0, 0.1)
    order = np.argsort(-np.linalg.norm(Z, axis=1), kind="stable")[:15]
    relevant = np.argsort(-C.sum(axis=1), kind="stable")[:15]
    seen = see(2, alpha=10.0, beta=0.1)
    assert np.asarray(seen.figure.data[0].z) == pytest.approx(Z[order], abs=1e-8)
    parts = [((Z - C) ** 2).sum(), 10 * np.trace(Z.T @ G @ Z), 0.1 * np.trace(R @ Z.T @ Z)]
    for part in parts:
        assert f"{abs(part):.3f}" in seen.sentence
    assert f"{len(set(order) & set(relevant))} of the first 15 features" in seen.sentence
    assert not seen.notes
    assert "saddle point" in see(2, alpha=1.0, beta=100.0).notes[0]


def test_each_label_keeps_its_own(system):
    Z, k = solved(system, 1.0, 0.1), 3
    kept = np.zeros(Z.shape, dtype=bool)
    for label in range(6):
        kept[np.argsort(-Z[:, label], kind="stable")[:k], label] = True
    labels = kept.sum(axis=1)
    sentence = see(3, alpha=1.0, beta=0.1, k=k).sentence
    assert f"keep 3 features each, {int((labels > 0).sum())} different ones together" in sentence
    assert f"{int((labels == 1).sum())} of them serve one label only" in sentence
    assert f"serves {labels.max()}." in sentence


def test_the_grid_is_that_of_acr():
    explorer = bench_of("emotions")
    tasks = grid_work(explorer)
    assert len(tasks) == len(GRID) ** 2
    chosen = ("grro:alpha=0.001,beta=10", "grro:alpha=1000,beta=0.1")
    found = {name: tasks[name]() for name in chosen}
    for (alpha, beta), name in zip(((1e-3, 10.0), (1e3, 0.1)), chosen, strict=True):
        curve = explore(DS, ("grro", {"alpha": alpha, "beta": beta}), FIRST_SIZES).curve
        assert found[name] == pytest.approx(average_classification_result(curve))
    seen = grid(explorer, found)
    cells = np.asarray(seen.figure.data[0].z, dtype=float)
    assert cells[2, 0] == found[chosen[0]]
    assert cells[1, 3] == found[chosen[1]]
    assert np.isfinite(cells).sum() == 2
    low, high = sorted(found.values())
    assert numbers(seen.sentence)[1] == round(low, 3)
    assert f"the highest is {high:.3f}, {high / low - 1:.0%} more" in seen.sentence
    assert "lowest" not in grid(explorer, {}).sentence
