"""Numbers to bins. Every binning is a set of cuts learned from the training rows: a value's bin is the
number of cuts strictly below it, so a value on a cut belongs to the lower bin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.checks import described, indices, table, whole
from mlfs.errors import ParameterError, did_you_mean

BINNINGS = ("equal_width", "equal_frequency", "equal_frequency_strict")


class Discretizer:
    """Learn cuts from training rows and apply them to any rows.

    Features with at most ``n_bins`` distinct values keep them, unless the binning is strict; categorical columns keep
    their codes.

    Parameters
    ----------
    n_bins : int, default=5
        Bins per column, from 2 to 256.
    method : {"equal_width", "equal_frequency", "equal_frequency_strict"}, default="equal_width"
        Equal frequency cuts at the sorted values at (1-based) positions round(i·n/n_bins). The strict form cuts every
        column so, as the GRRO authors' program does for two bins: a column that is 1 in more than half of the rows
        and 0 in the others becomes constant.
    categorical : sequence of int, default=()
        Columns that hold category codes.

    Attributes
    ----------
    cuts_ : (d, n_bins − 1) array
        Ascending along each row, padded with +inf.

    Examples
    --------
    >>> cutter = Discretizer(n_bins=2).fit(np.array([[0.0], [4], [6], [10]]))
    >>> cutter.cuts_, cutter.transform(np.array([[-50.0], [4.9], [5.1]])).ravel()
    (array([[5.]]), array([0, 0, 1], dtype=uint8))
    """

    def __init__(self, n_bins: int = 5, method: str = "equal_width", categorical: Sequence[int] = ()) -> None:
        self.cuts_: np.ndarray
        self.n_bins = n_bins
        self.method = method
        self.categorical = categorical

    def fit(self, X: Any) -> Discretizer:
        """Learn the cuts of X (n, d), dense or sparse."""
        if not isinstance(self.method, str) or self.method not in BINNINGS:
            method = str(described(self.method))
            raise ParameterError(f"There is no discretisation {method}: {did_you_mean(method, BINNINGS)}")
        whole("n_bins", self.n_bins, 2, 256)
        X = table(X)
        indices(self.categorical, X.shape[1], "categorical", empty=True)
        columns = _SortedColumns(X)
        if self.method == "equal_width":
            share = np.arange(1, self.n_bins) / self.n_bins
            # Weighted ends rather than low + i·width: the width of (−1e308, 1e308) overflows.
            self.cuts_ = columns.low[:, None] * (1 - share) + columns.high[:, None] * share
        else:
            n = X.shape[0]
            positions = np.floor(np.arange(1, self.n_bins) * n / self.n_bins + 0.5).astype(np.intp)
            self.cuts_ = columns.at(np.maximum(positions - 1, 0))
            self.cuts_[:, 1:][self.cuts_[:, 1:] == self.cuts_[:, :-1]] = np.inf
            self.cuts_.sort(axis=1)
        if self.method != "equal_frequency_strict":
            columns.keep_few(self.cuts_, self.n_bins)
        return self

    def transform(self, X: Any) -> Any:
        """Return codes: an integer array, or for sparse X a CSR matrix whose implicit zeros are the bin of 0.

        In the sparse case bins are renumbered so that the bin of the value 0 is 0: information does not
        depend on the numbers, and the matrix stays as sparse as X.
        """
        X = table(X, columns=len(self.cuts_))
        categorical = np.asarray(self.categorical, dtype=np.intp)
        if not sparse.issparse(X):
            codes = np.zeros(X.shape, dtype=np.uint8)
            for cut in self.cuts_.T:
                codes += cut < X
            if categorical.size:
                codes = codes.astype(np.int32)
                codes[:, categorical] = X[:, categorical]
            return codes
        X = sparse.csr_matrix(X, copy=True)
        X.sum_duplicates()
        binned = np.zeros(X.nnz, dtype=np.int32)
        for cut in self.cuts_.T:
            binned += cut[X.indices] < X.data
        zero_bin = (self.cuts_ < 0).sum(axis=1)[X.indices]
        binned = np.where(binned == zero_bin, 0, binned + (binned < zero_bin))
        if categorical.size:
            coded = np.isin(X.indices, categorical)
            binned[coded] = X.data[coded]
        codes = sparse.csr_matrix((binned, X.indices.copy(), X.indptr.copy()), shape=X.shape)
        codes.eliminate_zeros()
        return codes


def discretize(X: Any, n_bins: int = 5, method: str = "equal_width", categorical: Sequence[int] = ()) -> Any:
    """Discretise X by cuts learned from X itself; see `Discretizer`.

    Parameters
    ----------
    X : (n, d) array or sparse matrix
        Numbers.
    n_bins : int, default=5
        Bins per column, from 2 to 256; columns with fewer values keep them.
    method : {"equal_width", "equal_frequency", "equal_frequency_strict"}, default="equal_width"
        How a column is cut; see `Discretizer`.
    categorical : sequence of int, default=()
        Columns that hold category codes, which stay as they are.

    Returns
    -------
    codes : (n, d) int array, or CSR matrix where X is sparse
        The bin of each value; in a sparse one the bin of the value 0 is 0.

    Examples
    --------
    >>> discretize(np.array([[0.0], [1], [2], [9], [10]]), n_bins=2).ravel()
    array([0, 0, 0, 1, 1], dtype=uint8)
    >>> discretize(np.array([[0.0], [1], [2], [9], [10]]), n_bins=2, method="equal_frequency").ravel()
    array([0, 0, 0, 1, 1], dtype=uint8)
    """
    return Discretizer(n_bins, method, categorical).fit(X).transform(X)


class _SortedColumns:
    """Order statistics of every column, without storing the zeros of a sparse matrix."""

    def __init__(self, X: Any) -> None:
        self.n, self.d = X.shape
        if sparse.issparse(X):
            X = sparse.csc_matrix(X, copy=True)
            X.sum_duplicates()
            X.eliminate_zeros()
            column = np.repeat(np.arange(self.d), np.diff(X.indptr))
            values = X.data
            if values.size and values.min() != values.max():
                values = values[np.lexsort((values, column))]
            self.column, self.values, self.start = column, values, X.indptr.astype(np.intp)
            self.zeros = self.n - np.diff(self.start)
        else:
            X = np.asarray(X, dtype=np.float64)
            self.values = np.sort(X, axis=0).T.ravel()
            self.column = np.repeat(np.arange(self.d), self.n)
            self.start = np.arange(self.d + 1) * self.n
            self.zeros = np.zeros(self.d, dtype=np.intp)
        self.negatives = np.bincount(self.column[self.values < 0], minlength=self.d)
        ends = self.at(np.array([0, self.n - 1]))
        self.low, self.high = ends[:, 0], ends[:, 1]

    def at(self, positions: np.ndarray) -> np.ndarray:
        """Values at the given (0-based) positions of each sorted column: (d, len(positions))."""
        position = np.broadcast_to(positions, (self.d, len(positions)))
        after = position >= (self.negatives + self.zeros)[:, None]
        implicit = ~after & (position >= self.negatives[:, None])
        place = self.start[:-1, None] + position - np.where(after, self.zeros[:, None], 0)
        values = np.zeros(position.shape)
        values[~implicit] = self.values[place[~implicit]]
        return values

    def keep_few(self, cuts: np.ndarray, n_bins: int) -> None:
        """Replace in place the cuts of columns with at most n_bins distinct values: each value its own bin."""
        fresh = np.ones(len(self.values), dtype=bool)
        fresh[1:] = (self.values[1:] != self.values[:-1]) | (self.column[1:] != self.column[:-1])
        implicit = np.flatnonzero(self.zeros)
        column = np.concatenate([self.column[fresh], implicit])
        value = np.concatenate([self.values[fresh], np.zeros(len(implicit))])
        few = np.bincount(column, minlength=self.d) <= n_bins
        column, value = column[few[column]], value[few[column]]
        order = np.lexsort((value, column))
        column, value = column[order], value[order]
        rank = np.arange(len(column)) - np.searchsorted(column, column)
        cuts[few] = np.inf
        last = np.ones(len(column), dtype=bool)
        last[:-1] = column[1:] != column[:-1]
        cuts[column[~last], rank[~last]] = value[~last]
