"""What MIFS and CMFS share: features predict latent labels V, which rebuild the labels as VB, all learnt in turn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np

from mlfs.selectors.parameters import integer, number
from mlfs.selectors.parts.descent import DescentSelector, Step, row_norms
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.laplacian import heat_kernel_graph, roughness


class LatentProblem(ABC):
    """‖XW−V‖² + α‖Y−VB‖² + β·(roughness) + γ‖W‖₂,₁ and updates of W, V and B, none of which may raise it.

    Attributes
    ----------
    S, degree : the heat-kernel graph of the rows of X, and its row sums
    """

    def __init__(self, evidence: Design, alpha: float, beta: float, gamma: float) -> None:
        self.evidence, self.Y = evidence, evidence.labels
        self.alpha, self.beta, self.gamma = alpha, beta, gamma
        self.S = evidence.once("graph", lambda: heat_kernel_graph(evidence.columns))
        self.degree = np.asarray(self.S.sum(axis=1)).ravel()

    def objective(self, W: np.ndarray, fitted: np.ndarray, V: np.ndarray, B: np.ndarray) -> float:
        """The value for given factors; ``fitted`` is XW."""
        return (
            square(fitted - V)
            + self.alpha * square(self.Y - V @ B)
            + self.beta * self.rough(V, B)
            + self.gamma * float(row_norms(W).sum())
        )

    def rough(self, V: np.ndarray, B: np.ndarray) -> float:
        return roughness(V, self.S, self.degree)

    @abstractmethod
    def start(self, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """W, V and B to start from, with ``size`` latent labels."""

    @abstractmethod
    def update_W(self, W: np.ndarray, V: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def update_V(self, fitted: np.ndarray, V: np.ndarray, B: np.ndarray) -> np.ndarray: ...

    @abstractmethod
    def update_B(self, V: np.ndarray, B: np.ndarray) -> np.ndarray: ...

    def singular(self, size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The first ``size`` singular vectors and values of Y, with zeros where there are not so many."""
        left, value, right = self.evidence.once("singular", lambda: np.linalg.svd(self.Y, full_matrices=False))
        missing = max(0, size - len(value))
        left, right = np.pad(left, ((0, 0), (0, missing))), np.pad(right, ((0, missing), (0, 0)))
        return left[:, :size], np.pad(value, (0, missing))[:size], right[:size]


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

    alpha: float = number(1.0, 1e-4, 1e4, "weight of rebuilding the labels", scale="log")
    beta: float = number(1.0, 1e-4, 1e4, "weight of smoothness", scale="log")
    gamma: float = number(1.0, 1e-4, 1e4, "weight of the row norms of W", scale="log")
    n_latent: int | None = integer(None, 1, "labels", "latent labels", none="half the labels")

    @abstractmethod
    def _problem(self, evidence: Design) -> LatentProblem:
        """The problem with this selector's weights."""

    def _descend(self, evidence: Design) -> Iterator[Step]:
        problem = self._problem(evidence)
        size = -(-evidence.sizes["labels"] // 2) if self.n_latent is None else self.n_latent
        W, V, B = problem.start(size)
        fitted = evidence.times(W)
        after = dict.fromkeys(("after_W", "after_V", "after_B"), problem.objective(W, fitted, V, B))
        while True:
            self.latent_, self.basis_ = V, B
            yield Step(W, after["after_B"], more=dict(after))
            W = problem.update_W(W, V)
            fitted = evidence.times(W)
            after["after_W"] = problem.objective(W, fitted, V, B)
            V = problem.update_V(fitted, V, B)
            after["after_V"] = problem.objective(W, fitted, V, B)
            B = problem.update_B(V, B)
            after["after_B"] = problem.objective(W, fitted, V, B)


def square(A: np.ndarray) -> float:
    """‖A‖², the sum of squares."""
    return float(np.vdot(A, A))
