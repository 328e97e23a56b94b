"""How alike two labels, or two instances, are: the matrices S and K of Wang et al. 2020, Appendix B.

One place, because three things must mean the same S: the ELC objective, its released program, and the residual label
correlation C(F) that a selected set is judged by.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from mlfs.encoding import dense


def label_similarity(Y: np.ndarray) -> np.ndarray:
    """(q, q) S_ij = exp(−‖y_i − y_j‖² / (2δ²)) where labels i and j occur together, else 0.

    y_i is the column of label i, and δ² the mean of ‖y_i − y_j‖² over all ordered pairs, i = j included. The zeros
    can make S indefinite. Where all labels are the same, δ² = 0 and what occurs at all counts as alike.

    >>> label_similarity(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]])).round(3)
    array([[1.   , 0.687, 0.   ],
           [0.687, 1.   , 0.   ],
           [0.   , 0.   , 1.   ]])
    """
    together, squared = _label_distances(Y)
    width = 2 * squared.mean()
    return np.where(together > 0, np.exp(-squared / (width if width > 0 else 1.0)), 0.0)


def released_label_similarity(Y: np.ndarray) -> np.ndarray:
    """(q, q) exp(−‖y_i − y_j‖) / (2·mean ‖y_i − y_j‖), as the authors' released program computes it.

    The width divides the exponential instead of its exponent, and the norm is not squared. Where all labels are the
    same, so that the mean is 0, the similarity is 1.
    """
    distance = np.sqrt(_label_distances(Y)[1])
    width = 2 * distance.mean()
    return np.exp(-distance) / (width if width > 0 else 1.0)


def instance_similarity(rows: Any, others: Any, width: float) -> np.ndarray:
    """(rows, others) exp(−‖x_i − x_j‖² / (2δ²)) with width = δ²: a block of K, for instances of one labelset.

    Between instances of different labelsets K is 0, so nobody needs those blocks.
    """
    product = rows @ others.T
    product = dense(product)
    squared = _squared_lengths(rows)[:, None] + _squared_lengths(others)[None, :] - 2 * product
    return np.exp(-np.maximum(squared, 0.0) / (2 * width if width > 0 else 1.0))


def _label_distances(Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Co-occurrences and squared distances of the label columns: whole numbers, so exact."""
    labels = np.asarray(Y, dtype=np.float64)
    together = labels.T @ labels
    alone = np.diag(together)
    return together, alone[:, None] + alone[None, :] - 2 * together


def _squared_lengths(rows: Any) -> np.ndarray:
    if sparse.issparse(rows):
        return np.asarray(rows.multiply(rows).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", rows, rows)
