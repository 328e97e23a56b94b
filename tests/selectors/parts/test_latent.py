"""The graph of nearest neighbours against pair-by-pair loops."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.selectors.parts import latent as module
from mlfs.selectors.parts.latent import Remembered, heat_kernel_graph, neighbours, roughness
from tests.selectors.descent_data import heat_graph, laplacian


def points(seed, n=25, values=3):
    """Few values, hence many ties and some equal rows."""
    return np.random.default_rng(seed).integers(0, values, (n, 4)).astype(float)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize("block", [1, 3000, 1 << 26])
@pytest.mark.parametrize("seed", range(3))
def test_nearest_are_nearest_and_ties_go_by_index(form, block, seed, monkeypatch):
    monkeypatch.setattr(module, "BLOCK_BYTES", block)
    X = points(seed)
    nearest, distance = neighbours(form(X), 5)
    for i, x in enumerate(X):
        true = ((X - x) ** 2).sum(axis=1)
        order = sorted((j for j in range(len(X)) if j != i), key=lambda j: (true[j], j))
        assert sorted(nearest[i]) == sorted(order[:5])
        np.testing.assert_allclose(distance[i], true[nearest[i]], atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_graph(seed):
    X = np.random.default_rng(seed).standard_normal((20, 3))
    graph = heat_kernel_graph(X).toarray()
    np.testing.assert_allclose(graph, heat_graph(X), atol=1e-12)
    assert np.array_equal(graph, graph.T)
    np.testing.assert_allclose(heat_kernel_graph(1000 * X).toarray(), graph, atol=1e-9)


def test_roughness_is_that_of_the_laplacian_and_of_the_differences():
    rng = np.random.default_rng(0)
    X, V = rng.standard_normal((20, 3)), rng.standard_normal((20, 2))
    S = heat_kernel_graph(X)
    found = roughness(V, S, np.asarray(S.sum(axis=1)).ravel())
    assert found == pytest.approx(np.trace(V.T @ laplacian(S.toarray()) @ V))
    pairs = sum(S[i, j] * ((V[i] - V[j]) ** 2).sum() for i in range(20) for j in range(i))
    assert found == pytest.approx(pairs)


def test_equal_rows_and_few_rows():
    assert np.array_equal(heat_kernel_graph(np.ones((4, 2))).toarray(), 1 - np.eye(4))
    assert np.array_equal(heat_kernel_graph(np.array([[0.0], [1.0]])).toarray() > 0, 1 - np.eye(2))


def test_remembers_the_last_arrays_only():
    asked = []
    product = Remembered(lambda A, B: asked.append(1) or A @ B)
    A, B = np.eye(2), np.ones((2, 2))
    for left, right in ((A, B), (A, B), (A, A), (A, B)):
        assert np.array_equal(product(left, right), left @ right)
    assert len(asked) == 3
    assert product(A.copy(), B) is not product(A, B)
