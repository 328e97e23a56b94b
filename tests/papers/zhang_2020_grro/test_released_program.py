"""GRRO's variant "authors" is the released program, its discretiser included: on bibtex, where that decides.

The program itself is not at hand. Its steps are written out here without the project's own: what is above the sorted
value at place round(n/2) is 1, information from counts of two values, 1 on the diagonal, Z from its equation.
"""

import numpy as np
import pytest
from scipy import sparse

from mlfs import load_dataset
from mlfs.selectors import make_selector
from tests.datasets.formats.support import SHARED

BIBTEX = SHARED / "data" / "mat" / "bibtex.mat"
pytestmark = pytest.mark.skipif(not BIBTEX.exists(), reason="needs mat/bibtex.mat of the shared data")
ALPHA, BETA = 100.0, 0.1
RELEASED = {"alpha": ALPHA, "beta": BETA, "variant": "authors", "n_bins": 2, "discretization": "equal_frequency"}


def shared(A, B):
    """Mutual information, in bits, of every two columns of 0 and 1."""
    n, a, b = len(A), A.sum(axis=0)[:, None], B.sum(axis=0)[None, :]
    both = np.asarray(sparse.csr_matrix(A.T).dot(sparse.csr_matrix(B)).todense(), dtype=float)
    total = np.zeros_like(both)
    for cell, rows, columns in (
        (both, a, b),
        (a - both, a, n - b),
        (b - both, n - a, b),
        (n - a - b + both, n - a, n - b),
    ):
        p, q = cell / n, rows * columns / n**2
        total += np.where(p > 0, p * np.log2(np.where(p > 0, p, 1) / np.where(q > 0, q, 1)), 0.0)
    return total


@pytest.fixture(scope="module")
def bibtex():
    ds = load_dataset(BIBTEX)
    X = ds.X[ds.split[0]]
    return (X.toarray() if sparse.issparse(X) else np.asarray(X)).astype(float), ds.Y[ds.split[0]].astype(float)


@pytest.fixture(scope="module")
def cut(bibtex):
    X, _ = bibtex
    at = int(np.floor(len(X) / 2 + 0.5)) - 1
    return (np.sort(X, axis=0)[at] < X).astype(float)


def test_features_that_are_mostly_1_become_constant(bibtex, cut):
    X, _ = bibtex
    constant = np.flatnonzero(cut.max(axis=0) == 0)
    mostly = np.flatnonzero(X.mean(axis=0) > 0.5)
    assert X.shape == (4880, 1836)
    assert mostly.tolist() == constant.tolist()
    assert len(constant) == 14


def test_all_features_rank_as_by_the_released_steps(bibtex, cut):
    X, Y = bibtex
    C, G = shared(cut, Y), shared(cut, cut)
    np.fill_diagonal(G, 1.0)
    lengths = np.sqrt(Y.sum(axis=0))
    R = 1 - (Y.T @ Y) / np.outer(lengths, lengths)
    found = make_selector("grro", **RELEASED).fit(X, Y)
    Z = found.coefficients_
    left = Z + ALPHA * (G @ Z) + BETA * (Z @ R)
    assert abs(left - C).max() < 1e-12
    assert found.scores_ == pytest.approx(Z.sum(axis=1), abs=1e-14)
    # No solution is farther from Z than the residual by the least factor of the equation.
    factors = 1 + ALPHA * np.linalg.eigvalsh(G)[:, None] + BETA * np.linalg.eigvalsh(R)[None, :]
    error = np.linalg.norm(left - C) / abs(factors).min()
    assert error < 1e-10
    order = np.argsort(-Z.sum(axis=1), kind="stable")
    assert len(found.ranking_) == 1836
    assert np.sort(found.ranking_).tolist() == list(range(1836))
    assert Z.sum(axis=1)[found.ranking_] == pytest.approx(Z.sum(axis=1)[order], abs=error + 1e-12)
