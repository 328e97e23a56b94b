"""Discrete variables as rows of a sparse 0/1 matrix, so that every count is a matrix product.

Each variable gives up its commonest state: counts of that *background* follow by subtraction. Rare
events, which text data and labels are made of, then cost only as much as they occur.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from scipy import sparse

from mlfs.checks import Sides, checked, table
from mlfs.encoding import dense
from mlfs.errors import ParameterError
from mlfs.information.counting import log2, xlogx_table


@dataclass(frozen=True, eq=False)
class States:
    """Indicators of n observations of d discrete variables.

    Attributes
    ----------
    indicators : (m, n) CSR matrix of ones
        One row per kept state, the states of a variable next to each other; a variable with only a
        background has one empty row, so that every variable has at least one.
    start : (d,) int array
        First row of each variable.
    """

    indicators: sparse.csr_matrix
    start: np.ndarray

    @classmethod
    def of(cls, D: Any) -> States:
        """Read discrete values: an integer array (n,) or (n, d), or a CSR matrix with background 0."""
        if isinstance(D, States):
            return D
        variable, state, observation, n, d = (_sparse_states if sparse.issparse(D) else _dense_states)(D)
        kept, row = _renumber(variable * (int(state.max(initial=0)) + 1) + state)
        owner = np.empty(kept, dtype=np.intp)
        owner[row] = variable
        # A row for every variable, in the order of the variables.
        owner = np.concatenate([owner, np.setdiff1d(np.arange(d), owner)])
        order = np.argsort(owner, kind="stable")
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        ones = np.ones(len(observation), dtype=np.int32)
        indicators = sparse.csr_matrix((ones, (place[row], observation)), shape=(len(order), n))
        return cls(indicators, np.searchsorted(owner[order], np.arange(d)))

    @property
    def n(self) -> int:
        return self.indicators.shape[1]

    @property
    def d(self) -> int:
        return len(self.start)

    @cached_property
    def sizes(self) -> np.ndarray:
        """(m,) how often each kept state occurs."""
        return np.diff(self.indicators.indptr).astype(np.int32)

    @cached_property
    def owner(self) -> np.ndarray:
        """(m,) the variable each row belongs to."""
        ends = np.append(self.start[1:], self.indicators.shape[0])
        return np.repeat(np.arange(self.d), ends - self.start)

    @cached_property
    def is_binary(self) -> bool:
        """Whether every variable has exactly one row, as labels and word occurrences do."""
        return self.indicators.shape[0] == self.d

    @cached_property
    def background(self) -> np.ndarray:
        """(d,) how often each variable is in its background."""
        return self.n - self.reduce(self.sizes)

    @cached_property
    def cells(self) -> np.ndarray:
        """(d,) Σ c·log₂c over the counts c of all states of each variable, its background included."""
        xlogx = xlogx_table(self.n)
        return self.reduce(xlogx.take(self.sizes)) + xlogx.take(self.background)

    @cached_property
    def transposed(self) -> sparse.csr_matrix:
        """(n, m) CSR matrix: the right-hand side of products."""
        return sparse.csr_matrix(self.indicators.T)

    def block(self, first: int, last: int) -> States:
        """The variables first … last − 1."""
        if first == 0 and last == self.d:
            return self
        low = self.start[first]
        high = self.start[last] if last < self.d else self.indicators.shape[0]
        pointer = self.indicators.indptr
        part = slice(pointer[low], pointer[high])
        rows = sparse.csr_matrix(
            (self.indicators.data[part], self.indicators.indices[part], pointer[low : high + 1] - pointer[low]),
            shape=(high - low, self.n),
        )
        return States(rows, self.start[first:last] - low)

    def take(self, variables: np.ndarray) -> States:
        """The given variables, in the given order."""
        ends = np.append(self.start[1:], self.indicators.shape[0])
        widths = (ends - self.start)[variables]
        start = np.cumsum(widths) - widths
        rows = np.repeat(self.start[variables] - start, widths) + np.arange(widths.sum())
        return States(self.indicators[rows], start)

    def rows(self, observations: np.ndarray) -> States:
        """The same variables on some of the observations (states that vanish keep empty rows)."""
        return States(sparse.csr_matrix(self.transposed[observations].T), self.start)

    def codes(self, variable: int) -> np.ndarray:
        """(n,) the states of one variable as consecutive integers, 0 for its background."""
        low = self.start[variable]
        high = self.start[variable + 1] if variable + 1 < self.d else self.indicators.shape[0]
        code = np.zeros(self.n, dtype=np.intp)
        for number, row in enumerate(range(low, high), start=1):
            code[self.indicators.indices[self.indicators.indptr[row] : self.indicators.indptr[row + 1]]] = number
        return code

    def reduce(self, table: np.ndarray) -> np.ndarray:
        """Sum the rows of a table over the states of each variable."""
        return table if self.is_binary else np.add.reduceat(table, self.start, axis=0)


def entropy(D: Any) -> np.ndarray:
    """(d,) H of each column of discrete values, in bits.

    Parameters
    ----------
    D : (n,) or (n, d) int array, CSR matrix or States
        Discrete values, as `discretize` makes them.

    Examples
    --------
    >>> entropy(np.array([[0, 1], [0, 2], [1, 3], [1, 4]]))
    array([1., 2.])
    """
    states = States.of(D)
    return np.maximum(log2(states.n) - states.cells / max(states.n, 1), 0.0)


_Listing = tuple[np.ndarray, np.ndarray, np.ndarray, int, int]


def _dense_states(D: Any) -> _Listing:
    """List what is not background: variable, state, observation; then n and d."""
    try:
        D = np.asarray(D)
    except ValueError:
        D = np.array(None)
    D = D[:, None] if D.ndim == 1 else D
    if D.ndim != 2 or D.dtype.kind in "cOV" or (D.dtype.kind == "f" and not np.isfinite(D).all()):
        sentence = "Discrete values must be a column or a table of whole numbers, as `discretize` makes them."
        raise ParameterError(sentence)
    n, d = D.shape
    nothing = np.zeros(0, np.intp)
    if D.size == 0:
        return nothing, nothing, nothing, n, d
    whole, width = D.dtype.kind in "iub", 1
    if whole:
        # Python's integers: the width of (−2⁶², 2⁶²) overflows NumPy's, and rounds away in floating point.
        ends = zip(D.min(axis=0).tolist(), D.max(axis=0).tolist(), strict=True)
        width = max(int(high) - int(low) for low, high in ends) + 1
    if not whole or width * d > max(4 * D.size, 1 << 16):
        D = np.stack([np.unique(column, return_inverse=True)[1] for column in D.T], axis=1)
        width = int(D.max()) + 1
    low = D.min(axis=0)
    # bool has no subtraction; a wider type also keeps uint8 differences from wrapping.
    code = D.astype(np.int64) - low.astype(np.int64)
    counts = np.bincount((code + np.arange(d) * width).ravel(), minlength=d * width).reshape(d, width)
    kept = code != counts.argmax(axis=1)
    observation, variable = np.nonzero(kept)
    return variable, code[kept], observation, n, d


def _sparse_states(D: Any) -> _Listing:
    D = sparse.csr_matrix(D, copy=True)
    if D.dtype.kind not in "biuf" or not np.isfinite(D.data).all():
        raise ParameterError(
            "Discrete values must be whole numbers, as `discretize` makes them: NaN or infinity found."
        )
    D.sum_duplicates()
    n, d = D.shape
    stored = D.data != 0
    observation = np.repeat(np.arange(n), np.diff(D.indptr))[stored]
    _, state = _renumber(D.data[stored])
    return D.indices[stored].astype(np.intp), state, observation, n, d


def _renumber(values: np.ndarray) -> tuple[int, np.ndarray]:
    """How many distinct values there are, and each value's number in ascending order."""
    if values.size and values.dtype.kind in "iu" and values.min() >= 0 and values.max() <= 4 * values.size + 1024:
        # A table look-up: several times faster than the sort inside np.unique.
        seen = np.bincount(values) > 0
        return int(seen.sum()), (np.cumsum(seen) - 1)[values]
    distinct, number = np.unique(values, return_inverse=True)
    return len(distinct), number


@checked
def group(*columns: Annotated[np.ndarray, Sides("n")]) -> np.ndarray:
    """Number the distinct combinations of discrete columns: the columns as one joint variable.

    >>> group(np.array([0, 0, 1, 1]), np.array([5, 7, 5, 5]))
    array([0, 1, 2, 2])
    """
    if len({len(column) for column in columns}) != 1:
        raise ParameterError("group needs columns, all of the same length.")
    joint = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        distinct, code = _renumber(np.asarray(column))
        _, joint = _renumber(joint * distinct + code)
    return joint


def labelset(Y: Any) -> np.ndarray:
    """(n,) number of each row's labelset, distinct labelsets in lexicographic order.

    >>> labelset(np.array([[0, 1], [1, 1], [0, 1]]))
    array([0, 1, 0])
    """
    Y = np.ascontiguousarray(dense(table(Y, "Y")) != 0)
    if Y.shape[1] == 0:
        return np.zeros(len(Y), dtype=np.intp)
    packed = np.packbits(Y, axis=1)
    # Seen as byte strings rows compare in one step; all have one length, so stripped zero bytes cannot confuse them.
    return np.unique(packed.view(f"S{packed.shape[1]}").ravel(), return_inverse=True)[1]
