"""MRDM: regression on orthogonal latent labels that depend on the labels and vary little between alike rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from scipy import linalg, sparse

from mlfs.encoding import dense
from mlfs.parameters import choice, weight
from mlfs.selectors.parts.descent import Iterate, RestartedSelector, row_norms
from mlfs.selectors.parts.design import SCALINGS, Design

# Up to so many rows all eigenvectors are computed; beyond, the lowest are followed, so many steps in each iteration.
DECOMPOSED = 1000
SUBSPACE_STEPS = 3
# Directions that stand out from each other by less than this are one, as far as products by rounding tell.
INDEPENDENT = 1e-6
# A graph whose rows have less than this in common holds nothing together.
EMPTY = 1e-6
# Weights below this change nothing beside a 1; where few others are left the graph is kept as a sparse matrix.
NEGLIGIBLE = 1e-17
SPARSE_SHARE = 0.05


class MRDM(RestartedSelector):
    r"""Manifold regularisation and dependence maximisation (Huang & Wu 2021, as released).

    min over W and ZᵀZ = I of ‖XW−Z‖² + α·tr(ZᵀLZ) − β·tr(HZZᵀHYYᵀ) + γ‖W‖₂,₁, Z of as many columns as there are labels,
    H centring, L the Laplacian of the graph of all rows with weights exp(−‖a−b‖²/2). With U = diag(1/(2‖w_i‖)), which
    starts at 1, Z are the lowest eigenvectors of αL − βHYYᵀH − X(XᵀX+γU)⁻¹Xᵀ + I and W = (XᵀX+γU)⁻¹XᵀZ: each iteration
    minimises a function that lies above the objective and touches it. Another basis of the same Z turns the rows of W
    and leaves their lengths.

    The weights of the graph do not follow the units of X. Where rows are far apart all are next to 0: scale the
    features first.

    Attributes
    ----------
    latent_ : (n, min(n, q)) float array
        Z.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(MRDM().fit(X, Y).ranking_[0])
    3
    """

    id = "mrdm"
    name = "MRDM"
    long_name = "manifold & dependence maximisation"
    family = "latent factors"
    version = "2"
    summary = (
        "Looks for latent labels at right angles to each other that depend on the labels, vary little between rows "
        "that are alike, and follow linearly from few features. Features with large coefficients for them come first."
    )
    formula = (
        r"\min_{W,\,Z^\top Z=I}\|XW-Z\|_F^2+\alpha\operatorname{tr}(Z^\top LZ)"
        r"-\beta\operatorname{tr}(HZZ^\top HYY^\top)+\gamma\|W\|_{2,1}"
    )
    paper = (
        "Huang & Wu, Multi-label feature selection via manifold regularization and dependence maximization, Pattern "
        "Recognition 2021"
    )
    cost = (
        "n²·d for the graph, n³ (n²·q beyond 1000 rows) and n·d·min(n, d) per iteration; memory 24·n² bytes, 64·n² "
        "up to 1000 rows"
    )

    alpha: float = weight(1.0, "weight of smoothness over alike rows")
    beta: float = weight(1.0, "weight of the dependence on the labels")
    gamma: float = weight(1.0, "weight of the row norms of W")
    scaling: str = choice("none", SCALINGS, "features as given, or scaled first", prepares=True)

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """The graph of all rows and what is made of it, and the Gram matrix of the regression, weighed and factored."""
        n, d = sizes["instances"], sizes["features"]
        return (64 if n <= DECOMPOSED else 24) * n * n + 24 * min(n, d) ** 2

    def _descend(self, evidence: Design, rng: np.random.Generator | None = None) -> Iterator[Iterate]:
        n, d = evidence.shape
        S, degree = evidence.once("mrdm_graph", lambda: full_heat_graph(evidence))
        if rng is None and float(degree.mean()) < EMPTY:
            self.notes_.append(
                "The rows are so far apart that the graph of their similarities is next to empty and alpha has no "
                'effect: scale the features first, for example by scaling="unit".'
            )
        Y = evidence.Y - evidence.Y.mean(axis=0)
        size = np.full(d, 0.5)
        if rng is not None:
            # From random latent labels, so that equal features start alike.
            random = np.linalg.qr(rng.standard_normal((n, min(n, Y.shape[1]))))[0]
            size = row_norms(evidence.weighted_ridge(self.gamma, np.ones(d))(random))
        latent = Lowest(n, min(n, Y.shape[1]), Y, lambda Z: self._form(S, degree, Y, Z))
        step, before = None, np.inf
        while True:
            ridge = evidence.weighted_ridge(self.gamma, np.sqrt(2.0 * size))

            def regressed(Z: np.ndarray, ridge: Callable[[np.ndarray], np.ndarray] = ridge) -> np.ndarray:
                return evidence.times(ridge(Z))

            values, Z = latent.follow(regressed)
            W = ridge(Z)
            before_size, size = size, row_norms(W)
            # The eigenvalues add up to the objective with Σ‖w_i‖²·U_ii in the place of the row norms.
            bound = np.divide(size**2, 2.0 * before_size, out=np.zeros_like(size), where=before_size > 0)
            objective = float(values.sum()) + self.gamma * float((size - bound).sum())
            if step is None or objective <= before:
                step, before = Iterate(W, objective, factors={"latent_": Z}), objective
            # Else only rounding is left.
            yield step

    def _form(self, S: Any, degree: np.ndarray, Y: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """(I + αL − βYYᵀ)Z, Y centred: what the latent labels pay for but their distance from the features."""
        return (1.0 + self.alpha * degree)[:, None] * Z - self.alpha * (S @ Z) - self.beta * (Y @ (Y.T @ Z))

    def _settled(self, before: Iterate, after: Iterate, change: float) -> bool:
        # Eigenvectors of nearly equal eigenvalues turn for ever, and the rows of W too: only lengths come to rest.
        lengths = row_norms(after.coefficients) - row_norms(before.coefficients)
        return super()._settled(before, after, float(np.linalg.norm(lengths)))

    def _steepness(self, evidence: Design) -> np.ndarray:
        return row_norms(evidence.normal(self.coefficients_) - evidence.transposed_times(self.latent_))


class Lowest:
    """The lowest eigenvectors of F − G, both known by their products, where F stays and G is another at every call.

    Up to `DECOMPOSED` rows all are computed. Beyond, they are followed by steps of Knyazev's LOBPCG (2001): to the
    lowest in the span of the vectors, of what is left of them in the equation, and of the last step. That span holds
    the vectors themselves, so no step raises the sum of the eigenvalues. Products with F are dear, and those of the
    vectors follow from step to step: each step needs a single one.
    """

    def __init__(self, n: int, size: int, Y: np.ndarray, fixed: Callable[[np.ndarray], np.ndarray]) -> None:
        self.n, self.size, self.Y, self.fixed = n, size, Y, fixed
        self.Z: np.ndarray | None = None

    def follow(self, moving: Callable[[np.ndarray], np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        """Eigenvalues and (n, size) eigenvectors of F − G for this G."""
        if self.n <= max(DECOMPOSED, 6 * self.size):
            matrix = self.fixed(np.eye(self.n)) - moving(np.eye(self.n))
            return linalg.eigh(0.5 * (matrix + matrix.T), check_finite=False, subset_by_index=[0, self.size - 1])
        if self.Z is None:
            self.Z = np.linalg.qr(self.Y + 1e-3 * np.random.default_rng(0).standard_normal(self.Y.shape))[0]
            self.image = self.fixed(self.Z)
        # Vectors, and their products with F − G.
        here = np.stack([self.Z, self.image - moving(self.Z)])
        last: np.ndarray | None = None
        for _ in range(SUBSPACE_STEPS):
            left = self._left(here)
            basis = np.concatenate([here, np.stack([left, self.fixed(left) - moving(left)])], axis=2)
            last = None if last is None else _orthonormal(last)
            values, here, last = self._lowest_in(basis, last)
        self.Z, self.image = here[0], here[1] + moving(here[0])
        return values, self.Z

    def _left(self, here: np.ndarray) -> np.ndarray:
        """(n, size) an orthonormal basis of what the vectors leave over in the equation."""
        Z, product = here
        left = product - Z @ (Z.T @ product)
        # Twice, or rounding would bring Z back in where little is left.
        return np.linalg.qr(left - Z @ (Z.T @ left))[0]

    def _lowest_in(self, basis: np.ndarray, more: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The lowest eigenvalues in the span of a basis, their vectors, and how these differ from the first ones."""
        if more is not None:
            try:
                return self._combined(np.concatenate([basis, more], axis=2))
            except linalg.LinAlgError:
                # The last step adds no direction of its own.
                pass
        return self._combined(basis)

    def _combined(self, basis: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        form, inner = basis[0].T @ basis[1], basis[0].T @ basis[0]
        values, weights = linalg.eigh(
            0.5 * (form + form.T), inner, check_finite=False, subset_by_index=[0, self.size - 1]
        )
        step = basis[:, :, self.size :] @ weights[self.size :]
        return values, basis[:, :, : self.size] @ weights[: self.size] + step, step


def _orthonormal(step: np.ndarray) -> np.ndarray | None:
    """The directions of a step at right angles and of length 1, with their products; None where some are no more."""
    length = np.sqrt(np.einsum("ij,ij->j", step[0], step[0]))
    if not length.all():
        return None
    inner = (step[0].T @ step[0]) / np.multiply.outer(length, length)
    try:
        triangle = np.linalg.cholesky(inner)
    except np.linalg.LinAlgError:
        return None
    if np.diag(triangle).min() < INDEPENDENT:
        return None
    return step @ (linalg.solve_triangular(triangle, np.diag(1.0 / length), lower=True).T)


def full_heat_graph(evidence: Design) -> tuple[Any, np.ndarray]:
    """(n, n) exp(−‖a−b‖²/2) of all pairs of rows, 0 of a row with itself, and its row sums."""
    columns = evidence.columns
    product = np.array(dense(columns @ columns.T))
    length = np.diag(product).copy()
    product *= -2.0
    product += length
    product += length[:, None]
    np.maximum(product, 0.0, out=product)
    product *= -0.5
    graph = np.exp(product, out=product)
    np.fill_diagonal(graph, 0.0)
    degree = graph.sum(axis=1)
    graph[graph < NEGLIGIBLE] = 0.0
    few = np.count_nonzero(graph) < SPARSE_SHARE * graph.size
    return (sparse.csr_matrix(graph) if few else graph), degree
