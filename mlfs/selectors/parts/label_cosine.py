"""How alike labels are: the cosine of their columns, which several methods turn into weights."""

from __future__ import annotations

import numpy as np


def label_cosine(Y: np.ndarray) -> np.ndarray:
    """(q, q) cosine of each pair of labels, 1 of a label with itself, 0 of a label that never occurs with another.

    >>> label_cosine(np.array([[1, 1, 0], [1, 0, 0]])).round(3)
    array([[1.   , 0.707, 0.   ],
           [0.707, 1.   , 0.   ],
           [0.   , 0.   , 1.   ]])
    """
    Y = np.asarray(Y, dtype=np.float64)
    together = Y.T @ Y
    count = np.diag(together)
    norm = np.sqrt(np.multiply.outer(count, count))
    cosine = np.divide(together, norm, out=np.zeros_like(together), where=norm > 0)
    np.fill_diagonal(cosine, 1.0)
    return cosine
