"""Tables in the form a method needs: sparse as dense, labels checked, a categorical column as 0/1 columns."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.checks import without_mask
from mlfs.errors import ParameterError


def dense(table: Any) -> np.ndarray:
    """A table as an array, whether it was sparse or not."""
    return table.toarray() if sparse.issparse(table) else np.asarray(table)


def zero_or_one(labels: np.ndarray) -> np.ndarray:
    """Which entries of an array of whatever kind are 0 or 1.

    >>> zero_or_one(np.array([[1, 0.5], [True, None], ["1", 0]], dtype=object)).tolist()
    [[True, False], [True, False], [False, True]]
    """
    if labels.dtype.kind == "O":  # what is missing in pandas is neither equal nor different
        entries = [isinstance(label, Real | np.bool_) and label in (0, 1) for label in labels.flat]
        return np.array(entries, dtype=bool).reshape(labels.shape)
    return np.isin(labels, (0, 1))


def checked_labels(Y: Any, n: int) -> np.ndarray:
    """Y as an (n, q) int8 table of 0 and 1; compiled loops rely on it."""
    try:
        Y = dense(without_mask(Y, "Y"))
    except ParameterError:
        raise
    except ValueError:  # rows of different length
        Y = np.zeros(0)
    wrong = Y[~zero_or_one(Y)]
    if len(wrong):
        continuous = wrong.dtype.kind == "f" and not np.all(wrong == np.round(wrong))
        said = repr(str(wrong[0])) if isinstance(wrong[0], str) else wrong[0]
        raise ParameterError(f"Labels must be 0 or 1, not {'continuous numbers such as ' * continuous}{said}.")
    if Y.ndim != 2 or Y.shape[0] != n or Y.shape[1] == 0:
        raise ParameterError(f"Labels must be a table of {n} rows × at least one label, not of shape {Y.shape}.")
    return np.ascontiguousarray(Y, dtype=np.int8)


def one_hot(X: Any, categorical: Sequence[int]) -> tuple[Any, np.ndarray]:
    """Replace each categorical column of X by one 0/1 column per category that occurs in it.

    Returns the expanded matrix (sparse where X is) and the owner of each of its columns: the column
    of X it came from. Columns keep their order, so ``owner`` is sorted.

    >>> expanded, owner = one_hot(np.array([[5.0, 0], [6, 2], [7, 0]]), [1])
    >>> expanded
    array([[5., 1., 0.],
           [6., 0., 1.],
           [7., 1., 0.]])
    >>> owner
    array([0, 1, 1])
    """
    d = X.shape[1]
    if len(categorical) == 0:
        return X, np.arange(d)
    chosen = set(categorical)
    by_column = X.tocsc() if sparse.issparse(X) else X
    blocks, owner = [], []
    for j in range(d):
        column = by_column[:, [j]]
        if j in chosen:
            values = dense(column)
            column = (values == np.unique(values)).astype(np.float64)
        blocks.append(sparse.csc_matrix(column) if sparse.issparse(X) else column)
        owner += [j] * column.shape[1]
    expanded = sparse.hstack(blocks, format="csr") if sparse.issparse(X) else np.hstack(blocks)
    return expanded, np.array(owner)
