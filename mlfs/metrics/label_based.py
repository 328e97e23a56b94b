"""Scores of predicted labels (P) or label scores (S) against true labels (Y), label by label or of all cells together.

A label that all rows have, or none, tells nothing about the order of rows: it is left out of means over labels.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mlfs.metrics.losses import average_precision, label_tables, predicted_labels


def micro_auc(Y: Any, S: Any) -> float:
    """Area under the ROC curve of all cells together; NaN where all of them are positive, or none.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    S : (n, q) table of numbers
        A score of each label, higher where it is more likely.

    Returns
    -------
    float
        From 0 to 1, higher is better; 0.5 is chance.

    Examples
    --------
    >>> micro_auc([[0, 1], [0, 1]], [[0.1, 0.4], [0.5, 0.9]])
    0.75
    """
    positive, every = _in_one_ranking(Y, S)
    n, others = len(positive), len(every) - len(positive)
    if not n or not others:
        return float("nan")
    # The mean place of the cells with the same score, twice: whole numbers, so that nothing is rounded.
    places = every.searchsorted(positive, "left") + every.searchsorted(positive, "right") + 1
    return float((places.sum() / 2 - n * (n + 1) / 2) / (n * others))


def macro_average_precision(Y: Any, S: Any) -> float:
    """Mean over labels of average precision: rows are ranked by the label's score.

    Of each row that has the label, the share that has it among the rows ranked as high or higher; their mean. Labels
    that no row has, or all, are left out (NaN if all are).

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    S : (n, q) table of numbers
        A score of each label, higher where it is more likely.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> macro_average_precision([[1], [0], [0], [1]], [[0.9], [0.8], [0.7], [0.6]])  # places 1 and 4: (1/1 + 2/4) / 2
    0.75
    """
    Y, S = label_tables(Y, S)
    return average_precision(Y.T, S.T)


def micro_average_precision(Y: Any, S: Any) -> float:
    """Average precision of all cells in one ranking; NaN where all of them are positive, or none.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    S : (n, q) table of numbers
        A score of each label, higher where it is more likely.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> micro_average_precision([[1, 0], [0, 1]], [[0.9, 0.8], [0.7, 0.6]])
    0.75
    """
    positive, every = _in_one_ranking(Y, S)
    n = len(positive)
    if n in (0, len(every)):
        return float("nan")
    above = n - positive.searchsorted(positive, "left")
    return float((above / (len(every) - every.searchsorted(positive, "left"))).mean())


def balanced_accuracy(Y: Any, P: Any) -> float:
    """Mean over labels of the mean of two shares: of the rows with the label that get it, of those without that do not.

    Labels that no row has, or all, are left out (NaN if all are).

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.

    Returns
    -------
    float
        From 0 to 1, higher is better; 0.5 is what a constant prediction gets.

    Examples
    --------
    >>> balanced_accuracy([[1], [0], [0], [0], [0]], [[1], [1], [0], [0], [0]])  # one of one, three of four
    0.875
    """
    Y, P = predicted_labels(Y, P)
    both = Y.any(axis=0) & ~Y.all(axis=0)
    if not both.any():
        return float("nan")
    Y, right = Y[:, both], (P == Y)[:, both]
    shares = [(right & part).sum(axis=0) / part.sum(axis=0) for part in (Y, ~Y)]
    return float(np.mean(shares))


def _in_one_ranking(Y: Any, S: Any) -> tuple[np.ndarray, np.ndarray]:
    """The scores of the positive cells and of all, ascending: sorted alone they take a tenth of an order of cells."""
    Y, S = label_tables(Y, S)
    return np.sort(S[Y]), np.sort(S, axis=None)
