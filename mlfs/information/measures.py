"""Entropies and mutual information in bits, and χ², of all columns or all pairs of columns at once."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from scipy import sparse

from mlfs.blocks import each, ranges
from mlfs.checks import Sides, checked, indices, table
from mlfs.encoding import dense
from mlfs.errors import ParameterError
from mlfs.information.counting import log2, membership, row_of, xlogx_table
from mlfs.information.states import States, group
from mlfs.information.tables import Tables


@checked
def joint_entropy(D: Any, given: Annotated[np.ndarray, Sides("n")], *, n_jobs: int | None = None) -> np.ndarray:
    """(d,) H(f, g) of each column of D with one discrete variable g of any number of states.

    Costs one sparse product: the many states of g (a labelset, several features joined) never make a dense table.

    Parameters
    ----------
    D : (n, d) int array, CSR matrix or States
        Discrete columns, as `discretize` makes them.
    given : (n,) int array
        A discrete variable of any number of states.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Examples
    --------
    >>> joint_entropy(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1]))
    array([1., 2.])
    """
    states, groups = States.of(D), group(given)
    _same_rows(states, groups, "given")
    sizes = np.bincount(groups).astype(np.int32)
    xlogx = xlogx_table(states.n)
    in_groups = membership(groups, sizes)

    def cells(first: int, last: int) -> np.ndarray:
        part = states.block(first, last)
        counts = part.indicators @ in_groups
        total = np.bincount(part.owner[row_of(counts)], weights=xlogx.take(counts.data), minlength=part.d)
        if not part.is_binary:
            member_of = sparse.csr_matrix(
                (np.ones(len(part.owner), dtype=np.int32), part.owner, np.arange(len(part.owner) + 1)),
                shape=(len(part.owner), part.d),
            )
            counts = member_of.T.tocsr() @ counts
        # The background fills what is left of each group; only groups touched by another state differ from full.
        size = sizes[counts.indices]
        missing = xlogx.take(size - counts.data) - xlogx.take(size)
        return total + np.bincount(row_of(counts), weights=missing, minlength=part.d)

    blocks = list(ranges(states.d, max(1, states.d // 8)))
    per_feature = np.concatenate([*each(lambda b: cells(*b), blocks, n_jobs), np.zeros(0)])
    return np.maximum(log2(states.n) - (per_feature + xlogx.take(sizes).sum()) / max(states.n, 1), 0.0)


@checked
def mutual_information(D: Any, E: Any = None, *, n_jobs: int | None = None) -> np.ndarray:
    """(d, e) M(D_i; E_j) in bits for all pairs of columns; of D with itself where E is not given.

    Parameters
    ----------
    D : (n, d) int array, CSR matrix or States
        Discrete columns, as `discretize` makes them.
    E : like D, of the same rows, or None
        The other columns, such as labels.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Examples
    --------
    >>> D = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> mutual_information(D, D[:, [0]])
    array([[1.],
           [0.]])
    """
    return Tables(D, E, n_jobs=n_jobs).information


@checked
def symmetrical_uncertainty(D: Any, E: Any = None, *, n_jobs: int | None = None) -> np.ndarray:
    """(d, e) SU = 2·M(a;b) / (H(a) + H(b)), 0 where both entropies are 0; of D with itself where E is not given.

    Parameters
    ----------
    D : (n, d) int array, CSR matrix or States
        Discrete columns, as `discretize` makes them.
    E : like D, of the same rows, or None
        The other columns, such as labels.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Examples
    --------
    >>> D = np.array([[0, 0], [0, 1], [1, 2], [1, 3]])
    >>> symmetrical_uncertainty(D, D[:, [0]]).round(3)
    array([[1.   ],
           [0.667]])
    """
    return Tables(D, E, n_jobs=n_jobs).symmetrical_uncertainty


@checked
def conditional_mutual_information(
    D: Any, E: Any, given: Annotated[np.ndarray, Sides("n")], *, n_jobs: int | None = None
) -> np.ndarray:
    """(d, e) M(D_i; E_j | g) in bits for all pairs of columns and one discrete variable g.

    Parameters
    ----------
    D : (n, d) int array, CSR matrix or States
        Discrete columns, as `discretize` makes them.
    E : like D, of the same rows
        The other columns, such as labels.
    given : (n,) int array
        A discrete variable of any number of states.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Examples
    --------
    >>> a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> conditional_mutual_information(a[:, None], (a ^ b)[:, None], given=b)
    array([[1.]])
    """
    return Tables(D, E, n_jobs=n_jobs).conditional(given)


@checked
def joint_mutual_information(
    D: Any, s: Annotated[np.ndarray, Sides("n")], E: Any, *, n_jobs: int | None = None
) -> np.ndarray:
    """(d, e) M(D_i, s; E_j) in bits: what a column and the variable s together tell of E_j, by the chain rule.

    Parameters
    ----------
    D : (n, d) int array, CSR matrix or States
        Discrete columns, as `discretize` makes them.
    s : (n,) int array
        A discrete variable.
    E : like D, of the same rows
        The other columns, such as labels.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Examples
    --------
    >>> a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> joint_mutual_information(a[:, None], b, (a ^ b)[:, None])
    array([[1.]])
    """
    E = States.of(E)
    alone = mutual_information(s[:, None], E, n_jobs=n_jobs)
    return alone + conditional_mutual_information(D, E, s, n_jobs=n_jobs)


@checked
def label_interaction(D: Any, Y: Any, labels: np.ndarray | None = None, *, n_jobs: int | None = None) -> np.ndarray:
    """(d,) Σ I3(f, l, l') over unordered pairs of the given labels (all by default).

    I3(f, l, l') = M(f; l') − M(f; l' | l): one conditional table per label, not one per pair.

    Parameters
    ----------
    D : (n, d) int array, CSR matrix or States
        Discrete columns, as `discretize` makes them.
    Y : (n, q) table of 0 and 1
        The labels.
    labels : int array or None, default=None
        Indices of the labels whose pairs count; all where None.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Examples
    --------
    >>> a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> label_interaction((a ^ b)[:, None], np.column_stack([a, b]))  # only both labels together tell it
    array([-1.])
    """
    states, Y = States.of(D), dense(table(Y, "Y"))
    Y = Y if labels is None else Y[:, indices(labels, Y.shape[1], "labels", what="label indices", empty=True)]
    tables = Tables(states, Y, n_jobs=n_jobs)
    total = np.zeros(states.d)
    for label in range(Y.shape[1] - 1):
        rest = tables.later(label + 1)
        total += (rest.information - rest.conditional(Y[:, label])).sum(axis=1)
    return total


@checked
def chi_square(D: Any, weights: Annotated[np.ndarray, Sides("n", "classes")]) -> np.ndarray:
    """(d,) χ² of the states × classes table of each column; `weights` (n, classes) says how much a row counts where.

    Cells that expect nothing count 0.

    Parameters
    ----------
    D : (n, d) int array, CSR matrix or States
        Discrete columns, as `discretize` makes them.
    weights : (n, classes) array
        How much each row counts in each class: 0 and 1 for ordinary classes.

    Examples
    --------
    >>> chi_square(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), np.array([[1, 0], [1, 0], [0, 1], [0, 1]]))
    array([4., 0.])
    """
    features, weights = States.of(D), weights.astype(np.float64)
    _same_rows(features, weights, "weights")
    table = np.asarray(features.indicators @ weights)
    column = weights.sum(axis=0)
    total = column.sum()
    if total <= 0:
        return np.zeros(features.d)

    def deviation(observed: np.ndarray) -> np.ndarray:
        expected = observed.sum(axis=1, keepdims=True) * column / total
        parts = np.divide((observed - expected) ** 2, expected, out=np.zeros_like(observed), where=expected > 1e-12)
        return parts.sum(axis=1)

    background = column - features.reduce(table)
    return features.reduce(deviation(table)) + deviation(np.maximum(background, 0.0))


def _same_rows(states: States, other: np.ndarray, name: str) -> None:
    if len(other) != states.n:
        raise ParameterError(f"{name} must have {states.n} rows as D does, not {len(other)}.")
