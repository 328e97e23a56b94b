"""What MIFS and CMFS share: features predict latent labels V, which rebuild the labels as VB, all learnt in turn.

V should vary little over the graph of nearest neighbours, the manifold term tr(VᵀLV): near rows stay near.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.encoding import dense
from mlfs.parameters import integer, weight
from mlfs.selectors.parts.descent import DescentSelector, Iterate, row_norms
from mlfs.selectors.parts.design import Design

NEIGHBOURS = 5
BLOCK_BYTES = 64 << 20
# Distances come from ‖a‖² + ‖b‖² − 2ab: below this share of the norms a difference is rounding, and a tie.
TOLERANCE = 1e-10
# Entries of non-negative factors below this become 0, before their squares leave the range of floating-point numbers.
NEGLIGIBLE = 1e-100


class Remembered:
    """A function that keeps its last value, for as long as it is asked for the very same arrays."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.arrays: tuple[np.ndarray, ...] = ()
        self.value: Any = None

    def __call__(self, *arrays: np.ndarray) -> Any:
        if len(arrays) != len(self.arrays) or any(a is not b for a, b in zip(arrays, self.arrays, strict=True)):
            self.arrays, self.value = arrays, self.function(*arrays)
        return self.value


class LatentProblem(ABC):
    """‖XW−V‖² + α‖Y−VB‖² + β·(roughness) + γ‖W‖₂,₁ and updates of W, V and B, none of which may raise it.

    Attributes
    ----------
    S, degree : the heat-kernel graph of the rows of X, and its row sums
    inner, across, spread : functions of V: VᵀV, YᵀV and SV, which updates and objective share
    """

    def __init__(self, evidence: Design, alpha: float, beta: float, gamma: float) -> None:
        self.evidence, self.Y = evidence, evidence.labels
        self.alpha, self.beta, self.gamma = alpha, beta, gamma
        self.S = evidence.once("graph", lambda: heat_kernel_graph(evidence.columns))
        self.degree = np.asarray(self.S.sum(axis=1)).ravel()
        self.inner = Remembered(lambda V: V.T @ V)
        self.across = Remembered(evidence.labels_transposed_times)
        self.spread = Remembered(lambda V: self.S @ V)
        self._total = square(self.Y)
        self._misfit = Remembered(lambda fitted, V: square(fitted - V))
        self._rough = Remembered(lambda V: float(np.vdot(V, self.degree[:, None] * V - self.spread(V))))

    def objective(self, W: np.ndarray, fitted: np.ndarray, V: np.ndarray, B: np.ndarray) -> float:
        """The value for given factors; ``fitted`` is XW."""
        return (
            self._misfit(fitted, V)
            + self.alpha * rebuilding_error(self._total, self.across(V), B.T, self.inner(V))
            + self.beta * self.rough(V, B)
            + self.gamma * float(row_norms(W).sum())
        )

    def rough(self, V: np.ndarray, B: np.ndarray) -> float:
        return self._rough(V)

    @abstractmethod
    def start(self, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """W, V and B to start from, with ``size`` latent labels."""

    @abstractmethod
    def update_W(self, W: np.ndarray, V: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def update_V(self, fitted: np.ndarray, V: np.ndarray, B: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def update_B(self, V: np.ndarray, B: np.ndarray) -> np.ndarray: ...


class LatentSelector(DescentSelector):
    """Methods of three factors W, V and B, updated in turn.

    Attributes
    ----------
    latent_ : (n, n_latent) float array
        V.
    basis_ : (n_latent, q) float array
        B.
    history_ : dict of arrays
        Beside "objective" and "change" the objective "after_W", "after_V" and "after_B" of each iteration.
    """

    family = "latent factors"

    alpha: float = weight(1.0, "weight of rebuilding the labels")
    beta: float = weight(1.0, "weight of smoothness")
    gamma: float = weight(1.0, "weight of the row norms of W")
    n_latent: int | None = integer(None, 1, "labels", "latent labels", none="half the labels")

    @abstractmethod
    def _problem(self, evidence: Design) -> LatentProblem:
        """The problem with this selector's weights."""

    def _descend(self, evidence: Design) -> Iterator[Iterate]:
        problem = self._problem(evidence)
        size = -(-evidence.sizes["labels"] // 2) if self.n_latent is None else self.n_latent
        W, V, B = problem.start(size)
        fitted = evidence.times(W)
        after = dict.fromkeys(("after_W", "after_V", "after_B"), problem.objective(W, fitted, V, B))
        while True:
            yield Iterate(W, after["after_B"], more=dict(after), factors={"latent_": V, "basis_": B})
            W = problem.update_W(W, V)
            fitted = evidence.times(W)
            after["after_W"] = problem.objective(W, fitted, V, B)
            V = problem.update_V(fitted, V, B)
            after["after_V"] = problem.objective(W, fitted, V, B)
            B = problem.update_B(V, B)
            after["after_B"] = problem.objective(W, fitted, V, B)


def singular_vectors(evidence: Design, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The first ``size`` singular vectors and values of Y, with zeros where there are not so many."""
    left, value, right = evidence.once("singular", lambda: np.linalg.svd(evidence.labels, full_matrices=False))
    missing = max(0, size - len(value))
    left, right = np.pad(left, ((0, 0), (0, missing))), np.pad(right, ((0, missing), (0, 0)))
    return left[:, :size], np.pad(value, (0, missing))[:size], right[:size]


def nonnegative_start(evidence: Design, size: int) -> tuple[np.ndarray, np.ndarray]:
    """V and B for VB ≈ Y: the singular vectors of Y without their signs.

    What starts at 0 stays there under `multiply`, so nothing does where there is a label at all.
    """
    left, value, right = singular_vectors(evidence, size)
    V, B = np.abs(left * np.sqrt(value)), np.abs(right * np.sqrt(value)[:, None])
    return np.maximum(V, 0.01 * V.mean()), np.maximum(B, 0.01 * B.mean())


def multiply(factor: np.ndarray, push: np.ndarray, pull: np.ndarray) -> np.ndarray:
    """factor · push / pull, entry by entry; where nothing pulls, the objective does not depend on the entry."""
    scaled = factor * np.divide(push, pull, out=np.ones_like(pull), where=pull > NEGLIGIBLE)
    return np.where(scaled > NEGLIGIBLE, scaled, 0.0)


def fit_in_ball(B: np.ndarray, target: np.ndarray, inner: np.ndarray, lowest: float = -np.inf) -> np.ndarray:
    """B after each row in turn was fitted to ‖T−VB‖² by least squares, no longer than 1 and no entry below ``lowest``.

    ``target`` is VᵀT and ``inner`` is VᵀV.
    """
    B = B.copy()
    for j in np.flatnonzero(np.diag(inner) > 0):
        # The same curvature in all directions: the best row in the ball is the nearest to the best at all.
        best = np.maximum(B[j] + (target[j] - inner[j] @ B) / inner[j, j], lowest)
        B[j] = best / max(1.0, float(np.linalg.norm(best)))
    return B


def unit_rows(W: np.ndarray) -> np.ndarray:
    """Each row divided by its length, the gradient of ‖W‖₂,₁; 0 where it is 0."""
    norm = row_norms(W)[:, None]
    return np.divide(W, norm, out=np.zeros_like(W), where=norm > 0)


def square(A: np.ndarray) -> float:
    """‖A‖², the sum of squares."""
    return float(np.vdot(A, A))


def rebuilding_error(total: float, across: np.ndarray, Q: np.ndarray, inner: np.ndarray) -> float:
    """‖X−VQᵀ‖² from ‖X‖², XᵀV and VᵀV: neither X nor VQᵀ is made."""
    return total - 2.0 * float(np.vdot(across, Q)) + float(np.vdot(inner, Q.T @ Q))


def neighbours(rows: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, k) the k nearest other rows of each row, and their squared Euclidean distances.

    Ties go to the lowest index. Distances are made for blocks of rows, so memory stays at n numbers for each row of
    a block.
    """
    n = rows.shape[0]
    square = rows.multiply(rows).sum(axis=1) if sparse.issparse(rows) else np.einsum("ij,ij->i", rows, rows)
    square = np.asarray(square, dtype=np.float64).ravel()
    rounding = TOLERANCE * square.max(initial=0.0)
    nearest, distance = np.empty((n, k), dtype=np.intp), np.empty((n, k))
    size = max(1, BLOCK_BYTES // (8 * n))
    across = rows.T.tocsr() if sparse.issparse(rows) else rows.T
    for start in range(0, n, size):
        here = np.arange(start, min(start + size, n))
        product = rows[here[0] : here[-1] + 1] @ across
        product = dense(product)
        block = square[here, None] + square - 2 * product
        block[block < rounding] = 0.0
        block[np.arange(len(here)), here] = np.inf
        last = np.partition(block, k - 1, axis=1)[:, k - 1, None]
        chosen = block < last - rounding
        tied = np.abs(block - last) <= rounding
        chosen |= tied & (np.cumsum(tied, axis=1) <= k - chosen.sum(axis=1, keepdims=True))
        nearest[here] = np.nonzero(chosen)[1].reshape(-1, k)
        distance[here] = np.take_along_axis(block, nearest[here], axis=1)
    return nearest, distance


def heat_kernel_graph(rows: Any, n_neighbors: int = NEIGHBOURS) -> sparse.csr_matrix:
    """(n, n) weights exp(−‖a−b‖²/σ²) where one of two rows is among the other's nearest, else 0.

    σ² is the mean squared distance over all neighbours, so that the graph does not depend on the unit of X.
    """
    n = rows.shape[0]
    k = min(n_neighbors, n - 1)
    nearest, distance = neighbours(rows, k)
    width = distance.mean()
    weight = np.exp(-distance / width) if width > 0 else np.ones_like(distance)
    graph = sparse.csr_matrix((weight.ravel(), nearest.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    return graph.maximum(graph.T).tocsr()


def roughness(V: np.ndarray, S: Any, degree: np.ndarray) -> float:
    """tr(VᵀLV) for the Laplacian L = D − S of a graph with weights S and row sums ``degree``."""
    return float(np.vdot(V, degree[:, None] * V - S @ V))
