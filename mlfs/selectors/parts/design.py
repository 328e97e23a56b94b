"""X as the matrix of a linear model: scaled columns, products with it, and its Gram matrix on the smaller side.

A sparse X stays sparse: what centring subtracts is kept apart as one number per column and enters the products, so
sparse and dense data give the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from mlfs.blocks import ranges
from mlfs.encoding import one_hot
from mlfs.selectors.evidence import Evidence, best_of_owner

SCALINGS = ("standard", "unit", "none")

# XᵀX is kept for repeated products up to this size, and where its dense product costs less than two with X:
# a multiplication in a sparse product takes some twenty times as long as one in a dense product.
PRODUCT_LIMIT = 1 << 30
SPARSE_COST = 20
BLOCK_BYTES = 64 << 20


class Design(Evidence):
    """The scaled columns of X, and the labels as numbers.

    ``scaling``: "standard" subtracts means and divides by standard deviations, and subtracts the labels' means, so
    that no intercept is missed; "unit" maps each column to [0, 1]; "none" leaves all as it is. In the first two a
    constant column becomes 0. With ``center`` columns and labels have mean 0 whatever the scaling.

    Attributes
    ----------
    columns : (n, columns) array or CSR, scaled; where it is sparse, ``offset`` is still to be subtracted
    offset : (columns,) array, or None where nothing is to be subtracted
    owner : the feature each column belongs to; categorical features have one column per category
    labels : (n, q) float array
    """

    def __init__(
        self, X: Any, Y: np.ndarray, *, scaling: str, categorical: Sequence[int] = (), center: bool = False
    ) -> None:
        super().__init__(X, Y)
        columns, self.owner = one_hot(X, categorical)
        if sparse.issparse(columns) and not columns.has_canonical_format:
            columns = columns.copy()
            columns.sum_duplicates()
        self.labels = Y.astype(np.float64)
        self.columns, self.offset = columns, None
        if scaling == "none" and not center:
            return
        low, high = _range(columns)
        offset, spread = low, high - low
        if scaling == "standard" or center:
            self.labels -= self.labels.mean(axis=0)
            offset, deviation = _moments(columns)
            spread = {"standard": deviation, "unit": spread, "none": np.ones_like(spread)}[scaling]
        factor = np.divide(1.0, spread, out=np.zeros_like(spread), where=(low != high) & (spread > 0))
        if sparse.issparse(columns):
            # A column without zeros is shifted as it stands, which rounds less than an offset.
            full = np.bincount(columns.indices, minlength=len(offset)) == columns.shape[0]
            shifted = columns.copy()
            shifted.data -= np.where(full, offset, 0.0)[columns.indices]
            self.columns, self.offset = (shifted @ sparse.diags(factor)).tocsr(), np.where(full, 0.0, offset * factor)
        else:
            self.columns = (columns - offset) * factor

    @property
    def shape(self) -> tuple[int, int]:
        return self.columns.shape

    def per_feature(self, scores: np.ndarray) -> np.ndarray:
        """Scores of columns to scores of features: a categorical feature is as good as its best category."""
        return best_of_owner(scores, self.owner)

    def times(self, W: np.ndarray) -> np.ndarray:
        """X W."""
        product = self.columns @ W
        return product if self.offset is None else product - self.offset @ W

    def transposed_times(self, R: np.ndarray) -> np.ndarray:
        """Xᵀ R."""
        product = self.columns.T @ R
        return product if self.offset is None else product - np.multiply.outer(self.offset, R.sum(axis=0))

    def normal(self, W: np.ndarray) -> np.ndarray:
        """XᵀX W, by whichever way is cheaper."""
        return self.gram @ W if self._keeps_products else self.transposed_times(self.times(W))

    @cached_property
    def _keeps_products(self) -> bool:
        n, d = self.shape
        twice = 2 * (self.columns.nnz * SPARSE_COST if sparse.issparse(self.columns) else n * d)
        return d <= n and d * d <= twice and 8 * d * d <= PRODUCT_LIMIT

    def labels_times(self, B: np.ndarray) -> np.ndarray:
        """Y B, Y the `labels`."""
        if self._rare_labels is None:
            return self.labels @ B
        Y, mean = self._rare_labels
        return Y @ B - mean @ B if mean.any() else Y @ B

    def labels_transposed_times(self, V: np.ndarray) -> np.ndarray:
        """Yᵀ V, Y the `labels`."""
        if self._rare_labels is None:
            return self.labels.T @ V
        Y, mean = self._rare_labels
        return Y.T @ V - np.multiply.outer(mean, V.sum(axis=0)) if mean.any() else Y.T @ V

    @cached_property
    def _rare_labels(self) -> tuple[sparse.csr_matrix, np.ndarray] | None:
        """The labels as a sparse matrix and what centring subtracts from it, where that is the cheaper way."""
        if np.count_nonzero(self.Y) * SPARSE_COST > self.Y.size:
            return None
        Y = sparse.csr_matrix(self.Y, dtype=np.float64)
        return Y, np.asarray((Y - self.labels).mean(axis=0)).ravel()

    @cached_property
    def correlations(self) -> np.ndarray:
        """(columns, q) XᵀY."""
        return self.transposed_times(self.labels)

    @cached_property
    def gram(self) -> np.ndarray:
        """XᵀX, or XXᵀ where there are fewer rows than columns."""
        return self.weighted_gram(None, None)

    @cached_property
    def feature_gram(self) -> np.ndarray:
        """XᵀX, whatever its size."""
        return self.gram if self.shape[1] <= self.shape[0] else self.weighted_gram(None, None, of_columns=True)

    def weighted_gram(
        self, rows: np.ndarray | None, columns: np.ndarray | None, of_columns: bool | None = None
    ) -> np.ndarray:
        """The Gram matrix of diag(rows)·X·diag(columns); None weighs all by 1.

        It is that of the columns or of the rows, by default whichever are fewer.
        """
        n, d = self.shape
        of_columns = d <= n if of_columns is None else of_columns
        if rows is None and columns is not None and of_columns:
            return self.feature_gram * np.multiply.outer(columns, columns)
        X, offset = self.columns, self.offset
        if columns is not None:
            X = X @ sparse.diags(columns) if sparse.issparse(X) else X * columns
            offset = None if offset is None else offset * columns
        if rows is not None:
            X = sparse.diags(rows) @ X if sparse.issparse(X) else X * rows[:, None]
        long, short = (X, X.T) if of_columns else (X.T, X)
        if not sparse.issparse(X):
            return short @ long
        gram = _sparse_product(short.tocsr(), long.tocsr())
        if offset is not None:
            # With X − p·oᵀ for X: two rank-one terms, from whichever of p and o is on the long side.
            weights = np.ones(n) if rows is None else rows
            outer, inner = (offset, weights) if of_columns else (weights, offset)
            half = short @ inner - outer * (inner @ inner / 2)
            for rows_of_gram in _blocks(gram):
                gram[rows_of_gram] -= np.multiply.outer(half[rows_of_gram], outer)
                gram[rows_of_gram] -= np.multiply.outer(outer[rows_of_gram], half)
        return gram

    @cached_property
    def lengths(self) -> np.ndarray:
        """(columns,) the norm of each column."""
        if not sparse.issparse(self.columns):
            return np.sqrt(np.einsum("ij,ij->j", self.columns, self.columns))
        square = np.asarray(self.columns.multiply(self.columns).sum(axis=0)).ravel()
        if self.offset is not None:
            sums = np.asarray(self.columns.sum(axis=0)).ravel()
            square = square + self.offset * (self.shape[0] * self.offset - 2 * sums)
        return np.sqrt(np.maximum(square, 0.0))

    @cached_property
    def units(self) -> np.ndarray:
        """(columns,) what brings each column to length 1; 0 for a column of zeros."""
        return np.divide(1.0, self.lengths, out=np.zeros_like(self.lengths), where=self.lengths > 0)

    @cached_property
    def largest(self) -> float:
        """The largest eigenvalue of XᵀX."""
        return self._largest(np.ones(self.shape[1]))

    @cached_property
    def largest_of_units(self) -> float:
        """The largest eigenvalue of XᵀX with every column at length 1."""
        return self._largest(self.units)

    def _largest(self, weights: np.ndarray) -> float:
        n, d = self.shape
        m = min(n, d)
        if m <= 64:
            return float(linalg.eigvalsh(self.weighted_gram(None, weights))[-1])
        weights = weights[:, None]

        def product(vector: np.ndarray) -> np.ndarray:
            v = vector.reshape(-1, 1)
            if d <= n:
                return (weights * self.normal(weights * v)).ravel()
            return self.times(weights**2 * self.transposed_times(v)).ravel()

        start = np.random.default_rng(0).standard_normal(m)
        if not np.any(product(start)):
            return 0.0
        operator = LinearOperator((m, m), matvec=product, dtype=np.float64)
        return float(eigsh(operator, k=1, which="LA", v0=start, return_eigenvectors=False)[0])

    @cached_property
    def smallest(self) -> float:
        """The smallest eigenvalue of XᵀX, 0 where there are fewer rows than columns."""
        n, d = self.shape
        return 0.0 if n < d else float(linalg.eigvalsh(self.gram, subset_by_index=[0, 0])[0])

    def weighted_ridge(
        self, strength: float, columns: np.ndarray, rows: np.ndarray | None = None
    ) -> Callable[[np.ndarray], np.ndarray]:
        """The function T ↦ argmin_W Σ_i rows_i²·‖x_iW−t_i‖² + strength·Σ_j ‖w_j‖²/columns_j², factored once.

        With X̃ = diag(rows)·X·diag(columns) it is ridge regression of one strength, hence well conditioned; a column
        of weight 0 gets no coefficient.
        """
        gram = self.weighted_gram(rows, columns)
        solve = positive_solver(gram, strength)
        columns = columns[:, None]
        rows = np.ones((1, 1)) if rows is None else rows[:, None]
        n, d = self.shape
        if d <= n:
            return lambda target: columns * solve(columns * self.transposed_times(rows**2 * target))
        return lambda target: columns**2 * self.transposed_times(rows * solve(rows * target))

    def ridge(self, strength: float) -> np.ndarray:
        """(columns, q) (XᵀX + strength·I)⁻¹ XᵀY, in the smaller of n and d by the Woodbury identity."""
        n, d = self.shape
        if d <= n:
            return solve_positive(self.gram, strength, self.correlations)
        return self.transposed_times(solve_positive(self.gram, strength, self.labels))


def solve_positive(gram: np.ndarray, strength: float, right: np.ndarray) -> np.ndarray:
    """(gram + strength·I)⁻¹ right for a positive semidefinite matrix; least squares where rounding leaves none."""
    return positive_solver(gram, strength)(right)


def positive_solver(gram: np.ndarray, strength: float) -> Callable[[np.ndarray], np.ndarray]:
    """The function of `solve_positive` for any right-hand side, factored once."""
    # In LAPACK's own order it is overwritten by its factor.
    system = gram.copy(order="F")
    system[np.diag_indices_from(system)] += strength
    try:
        factor = linalg.cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
    except linalg.LinAlgError:
        system = gram.copy()
        system.flat[:: len(system) + 1] += strength
        return lambda right: np.linalg.lstsq(system, right, rcond=None)[0]
    return lambda right: linalg.cho_solve(factor, right, check_finite=False)


def _range(columns: Any) -> tuple[np.ndarray, np.ndarray]:
    low, high = columns.min(axis=0), columns.max(axis=0)
    if sparse.issparse(columns):
        return low.toarray().ravel(), high.toarray().ravel()
    return low, high


def _moments(columns: Any) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of each column, the latter from differences so that large means do no harm."""
    n, d = columns.shape
    if not sparse.issparse(columns):
        return columns.mean(axis=0), columns.std(axis=0)
    stored = np.bincount(columns.indices, minlength=d)
    mean = np.bincount(columns.indices, columns.data, minlength=d) / n
    square = np.bincount(columns.indices, (columns.data - mean[columns.indices]) ** 2, minlength=d)
    return mean, np.sqrt((square + (n - stored) * mean**2) / n)


def _sparse_product(left: Any, right: Any) -> np.ndarray:
    """left @ right as a dense array, made in blocks of rows because the sparse product takes more room."""
    product = np.empty((left.shape[0], right.shape[1]))
    for rows in _blocks(product):
        product[rows] = (left[rows] @ right).toarray()
    return product


def _blocks(table: np.ndarray) -> Iterator[slice]:
    """The rows of a table, so many at a time as take BLOCK_BYTES."""
    for span in ranges(len(table), max(1, BLOCK_BYTES // (8 * table.shape[1]))):
        yield slice(*span)
