"""MDFS: regression on labels that are smoothed over neighbouring rows and neighbouring labels at the same time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator

from mlfs.parameters import integer, number, weight
from mlfs.selectors.parts.descent import CenteredSelector, Iterate, conjugate_gradients, regress, row_norms
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.latent import neighbours, roughness, square

NEIGHBOURS = 5
REGRESSION_STEPS = 50
# Up to so many rows the graph of the rows is decomposed, once for each α; beyond, n³ work costs more than it saves.
DECOMPOSED = 2000


class MDFS(CenteredSelector):
    r"""Manifold regularised discriminative feature selection (Zhang, Luo, Li, Zhou & Li 2019, as released).

    min over W and F of tr(FᵀLF) + α‖H(XW−F)‖² + α‖F−Y‖² + β·tr(F L₀ Fᵀ) + γ‖W‖₂,₁ with Y in ±1, H centring, and L, L₀
    the Laplacians of graphs that join each row, and each label, to its ``k`` nearest: weight 1 where both are among
    the other's nearest, ½ where one is. Labels as near as the k-th count too, so that the order of the labels does
    not matter. The problem is convex in W and F together. F is solved for exactly, in the eigenvectors of L + αH and L₀
    (one decomposition for each α) or, where there are more than 2000 rows, by conjugate gradients; W by accelerated
    proximal gradient steps. W = 0 exactly where γ ≥ γ_max, which is 2α·max_i ‖x_iᵀHF‖ of the F for W = 0.

    Attributes
    ----------
    smoothed_ : (n, q) float array
        F.
    gamma_max_ : float
        The least γ for which every coefficient is 0.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(MDFS().fit(X, Y).ranking_[0])
    3
    """

    id = "mdfs"
    name = "MDFS"
    long_name = "manifold-regularised, discriminative"
    family = "graph"
    summary = (
        "Smooths the labels so that neighbouring rows, and labels that occur in the same rows, have similar values, "
        "and regresses the smoothed labels on few features at the same time. Features with large "
        "coefficients come first."
    )
    formula = (
        r"\min_{W,F}\operatorname{tr}(F^\top LF)+\alpha\|H(XW-F)\|_F^2+\alpha\|F-Y\|_F^2"
        r"+\beta\operatorname{tr}(FL_0F^\top)+\gamma\|W\|_{2,1}"
    )
    paper = (
        "Zhang, Luo, Li, Zhou & Li, Manifold regularized discriminative feature selection for multi-label learning, "
        "Pattern Recognition 2019"
    )
    cost = (
        "n²·d for the neighbours, n³ once for each α where n ≤ 2000 (memory 24·n² bytes), n·d² for XᵀX where d ≤ n, "
        "then some 50·d·q·min(2n, d) per iteration"
    )

    alpha: float = weight(1.0, "weight of regression and of the given labels")
    beta: float = weight(1.0, "weight of smoothness over the labels")
    gamma: float = weight(1.0, "weight of the row norms of W")
    tol: float = number(1e-8, 0.0, 1.0, "the iteration stops when it lowers the objective by this share or less")
    k: int | None = integer(
        None, 1, None, "neighbours of each row, and of each label", none="5, or one less than the labels"
    )

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """The decomposition of the graph of the rows, and XᵀX where it is worth keeping."""
        n = sizes["instances"]
        return super().required_bytes(sizes) + (24 * n * n if n <= DECOMPOSED else 0)

    def _descend(self, evidence: Design) -> Iterator[Iterate]:
        q = evidence.sizes["labels"]
        k = max(1, min(NEIGHBOURS, q - 1)) if self.k is None else self.k
        if q > 1 and k >= q - 1:
            self.notes_.append(
                f"With k={k} every label is a neighbour of every other, so the smoothness over the {q} labels does not "
                "depend on what they are: a smaller k tells them apart."
            )
        problem = SmoothedLabels(evidence, k, self.alpha, self.beta)
        F = problem.solve(np.zeros_like(problem.Y), problem.Y)
        self.gamma_max_ = 2.0 * self.alpha * float(row_norms(evidence.transposed_times(F)).max())
        self._tell_if_nothing_is_left("gamma", self.gamma, self.gamma_max_)
        W = np.zeros((evidence.shape[1], q))
        fitted = np.zeros_like(F)
        # A step of the regression may gain less than the iteration as a whole must.
        enough = 0.05 * self.tol * square(problem.Y)
        while True:
            objective = problem.objective(fitted, F) + self.gamma * float(row_norms(W).sum())
            yield Iterate(W, objective, factors={"smoothed_": F})
            target = evidence.transposed_times(F)
            W = regress(evidence, W, target, self.gamma / self.alpha, enough, REGRESSION_STEPS)
            fitted = evidence.times(W)
            F = problem.solve(fitted, F)

    def _steepness(self, evidence: Design) -> np.ndarray:
        return row_norms(evidence.normal(self.coefficients_) - evidence.transposed_times(self.smoothed_))


class SmoothedLabels:
    """All of the objective but γ‖W‖₂,₁, and its minimum over F.

    Attributes
    ----------
    Y : (n, q) the labels, −1 and 1
    S, degree : the graph of the rows, and its row sums
    near, near_degree : those of the labels
    """

    def __init__(self, evidence: Design, k: int, alpha: float, beta: float) -> None:
        self.evidence, self.k, self.alpha, self.beta = evidence, k, alpha, beta
        self.Y = 2.0 * evidence.Y - 1.0
        self.S, self.degree = evidence.once(("mdfs_rows", k), lambda: _row_graph(evidence, k))
        self.near = label_graph(evidence.Y, k)
        self.near_degree = self.near.sum(axis=0)
        self.label_values, self.label_vectors = np.linalg.eigh(np.diag(self.near_degree) - self.near)

    def objective(self, fitted: np.ndarray, F: np.ndarray) -> float:
        """The value for given F and XW, both before centring."""
        apart = fitted - F
        return (
            roughness(F, self.S, self.degree)
            + self.alpha * (square(apart - apart.mean(axis=0)) + square(F - self.Y))
            + self.beta * roughness(F.T, self.near, self.near_degree)
        )

    def solve(self, fitted: np.ndarray, start: np.ndarray) -> np.ndarray:
        """F of (L + αH + αI)F + βF L₀ = α(XW + Y), where the columns of X have mean 0."""
        right = self.alpha * (fitted + self.Y) @ self.label_vectors
        shift = self.alpha + self.beta * np.maximum(self.label_values, 0.0)
        n = len(self.Y)
        if n <= DECOMPOSED:
            values, vectors = self.evidence.once(("mdfs_eigen", self.k, self.alpha), self._decompose)
            solved = vectors @ ((vectors.T @ right) / np.add.outer(np.maximum(values, 0.0), shift))
        else:
            diagonal = np.add.outer(self.degree + self.alpha, shift)
            joined = LinearOperator(
                (n, n),
                matvec=lambda f: self.S @ f + self.alpha * f.mean(axis=0),
                matmat=lambda F: self.S @ F + self.alpha * F.mean(axis=0),
                dtype=np.float64,
            )
            solved = conjugate_gradients(diagonal, joined, right, start @ self.label_vectors)
        return solved @ self.label_vectors.T

    def _decompose(self) -> tuple[np.ndarray, np.ndarray]:
        system = np.diag(self.degree + self.alpha) - self.S.toarray() - self.alpha / len(self.Y)
        # Transposed, which is the same matrix, it lies in memory as LAPACK wants it: no copy is made.
        return linalg.eigh(system.T, driver="evd", overwrite_a=True, check_finite=False)


def _row_graph(evidence: Design, k: int) -> tuple[sparse.csr_matrix, np.ndarray]:
    n = evidence.shape[0]
    k = min(k, n - 1)
    nearest, _ = neighbours(evidence.columns, k)
    one_way = sparse.csr_matrix((np.full(n * k, 0.5), nearest.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    graph = (one_way + one_way.T).tocsr()
    return graph, np.asarray(graph.sum(axis=1)).ravel()


def label_graph(Y: np.ndarray, k: int) -> np.ndarray:
    """(q, q) 1 where two labels are among each other's k nearest, ½ where one is; ties with the k-th are in.

    >>> label_graph(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 0]]), 1)
    array([[0., 1., 1.],
           [1., 0., 0.],
           [1., 0., 0.]])
    """
    Y = np.asarray(Y, dtype=np.float64)
    q = Y.shape[1]
    together = Y.T @ Y
    count = np.diag(together)
    # Whole numbers, so exact; those of ±1 are four times as large.
    distance = np.add.outer(count, count) - 2 * together
    np.fill_diagonal(distance, np.inf)
    if q == 1:
        return np.zeros((1, 1))
    k = min(k, q - 1)
    one_way = distance <= np.partition(distance, k - 1, axis=1)[:, [k - 1]]
    np.fill_diagonal(one_way, False)
    return 0.5 * (one_way + one_way.T.astype(np.float64))
