"""Scores of predicted labels (P) against true ones (Y), row by row: how alike the two sets of labels are.

A row that has no label and is given none is alike by convention (`zero_division`); one of which only one of the two
holds scores 0, also where scikit-learn would call a precision or a recall undefined.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mlfs.checks import checked
from mlfs.metrics.losses import predicted_labels


@checked
def example_accuracy(Y: Any, P: Any, zero_division: float = 1.0) -> float:
    """Mean over rows of Jaccard's index: the labels in both sets, as a share of those in either.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.
    zero_division : float, default=1.0
        The value of a row with no true and no predicted label.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> example_accuracy([[1, 1, 0], [1, 0, 0]], [[1, 0, 1], [1, 0, 0]])  # one of three, one of one
    0.6666666666666666
    """
    hits, true, predicted = _row_hits(Y, P)
    return _mean_ratio(hits, true + predicted - hits, zero_division, true + predicted)


@checked
def example_precision(Y: Any, P: Any, zero_division: float = 1.0) -> float:
    """Mean over rows of the share of the predicted labels that apply.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.
    zero_division : float, default=1.0
        The value of a row with no true and no predicted label; with true ones and none predicted it is 0.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> example_precision([[1, 1, 0], [1, 0, 0]], [[1, 0, 1], [0, 0, 0]])  # one of two, nothing predicted
    0.25
    """
    hits, true, predicted = _row_hits(Y, P)
    return _mean_ratio(hits, predicted, zero_division, true + predicted)


@checked
def example_recall(Y: Any, P: Any, zero_division: float = 1.0) -> float:
    """Mean over rows of the share of the labels that apply which are predicted.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.
    zero_division : float, default=1.0
        The value of a row with no true and no predicted label; with predicted ones and none true it is 0.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> example_recall([[1, 1, 0], [1, 0, 0]], [[1, 0, 1], [1, 1, 0]])  # one of two, one of one
    0.75
    """
    hits, true, predicted = _row_hits(Y, P)
    return _mean_ratio(hits, true, zero_division, true + predicted)


@checked
def example_f1(Y: Any, P: Any, zero_division: float = 1.0) -> float:
    """Mean over rows of F1, the harmonic mean of precision and recall.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.
    zero_division : float, default=1.0
        The value of a row with no true and no predicted label.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> example_f1([[1, 1, 0], [1, 0, 0]], [[1, 0, 1], [1, 0, 0]])  # 2·1/(2 + 2), 2·1/(1 + 1)
    0.75
    """
    hits, true, predicted = _row_hits(Y, P)
    return _mean_ratio(2 * hits, true + predicted, zero_division, true + predicted)


def _row_hits(Y: Any, P: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels found, true and predicted, for each row."""
    Y, P = predicted_labels(Y, P)
    return (Y & P).sum(axis=1), Y.sum(axis=1), P.sum(axis=1)


def _mean_ratio(part: np.ndarray, whole: np.ndarray, zero_division: float, labels: np.ndarray) -> float:
    """Mean over rows of part/whole; 0 where there is no whole, `zero_division` where there are no labels at all."""
    ratio = np.divide(part, whole, out=np.zeros(len(part)), where=whole > 0)
    return float(np.where(labels > 0, ratio, zero_division).mean())
