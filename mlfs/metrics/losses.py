"""Losses and scores of predicted labels (P) or label scores (S) against true labels (Y).

A tie between a label that applies and one that does not counts as an error: a model that cannot tell labels apart
earns nothing by it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mlfs.checks import checked, described, same_order, without_mask
from mlfs.encoding import dense
from mlfs.errors import ParameterError, did_you_mean

EMPTY = ("drop", "keep")


def hamming_loss(Y: Any, P: Any) -> float:
    """Share of cells predicted wrongly.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.

    Returns
    -------
    float
        From 0 to 1, lower is better.

    Examples
    --------
    >>> hamming_loss([[1, 0], [0, 0]], [[1, 1], [0, 0]])
    0.25
    """
    Y, P = predicted_labels(Y, P)
    return float((P != Y).mean())


def subset_accuracy(Y: Any, P: Any) -> float:
    """Share of rows whose labelset is predicted exactly.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> subset_accuracy([[1, 0], [0, 0]], [[1, 1], [0, 0]])
    0.5
    """
    Y, P = predicted_labels(Y, P)
    return float((P == Y).all(axis=1).mean())


def zero_one_loss(Y: Any, P: Any) -> float:
    """Share of rows whose labelset is not predicted exactly: what is left of subset accuracy.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.

    Returns
    -------
    float
        From 0 to 1, lower is better.

    Examples
    --------
    >>> zero_one_loss([[1, 0], [0, 0], [1, 1], [0, 1]], [[1, 1], [0, 0], [1, 1], [0, 1]])
    0.25
    """
    return 1.0 - subset_accuracy(Y, P)


@checked
def macro_f1(Y: Any, P: Any, zero_division: float = 1.0) -> float:
    """Mean over labels of F1.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.
    zero_division : float, default=1.0
        F1 of a label with no true and no predicted positive.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> macro_f1([[1, 0], [1, 0]], [[1, 1], [1, 0]])  # 1 for the first label, 0 for the second
    0.5
    """
    return float(_f1(*_hits(Y, P), zero_division).mean())


@checked
def micro_f1(Y: Any, P: Any, zero_division: float = 1.0) -> float:
    """F1 of all cells together.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    P : (n, q) table of 0 and 1
        The predicted labels.
    zero_division : float, default=1.0
        F1 where there is no true and no predicted positive at all.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> micro_f1([[1, 0], [1, 0]], [[1, 1], [1, 0]])  # two of two found, one of three wrong
    0.8
    """
    hits, true, predicted = _hits(Y, P)
    return float(_f1(hits.sum(), true.sum(), predicted.sum(), zero_division))


def ranking_loss(Y: Any, S: Any, empty: str = "drop") -> float:
    """Mean over rows of the share of (applying, other) label pairs in the wrong order; ties are wrong.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    S : (n, q) table of numbers
        A score of each label, higher where it is more likely.
    empty : {"drop", "keep"}, default="drop"
        What becomes of rows with no label or all of them: they have no such pair, so
        "drop" leaves them out (NaN if none is left), "keep" counts them 0.

    Returns
    -------
    float
        From 0 to 1, lower is better.

    Examples
    --------
    >>> ranking_loss([[1, 0, 0]], [[0.5, 0.9, 0.1]])  # one of two labels that do not apply stands above
    0.5
    """
    Y, S = label_tables(Y, S)
    positives, negatives = Y.sum(axis=1), (~Y).sum(axis=1)
    # Best score first and, among equal scores, labels that do not apply first: then a tie is a wrong pair.
    order = np.lexsort((Y, -S), axis=1)
    applies = np.take_along_axis(Y, order, axis=1)
    wrong = (np.cumsum(~applies, axis=1) * applies).sum(axis=1)
    pairs = positives * negatives
    return _mean(np.divide(wrong, pairs, out=np.zeros(len(Y)), where=pairs > 0), pairs > 0, empty)


def one_error(Y: Any, S: Any, empty: str = "drop") -> float:
    """Share of rows whose best-scored label does not apply (of several best, any that does not).

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    S : (n, q) table of numbers
        A score of each label, higher where it is more likely.
    empty : {"drop", "keep"}, default="drop"
        What becomes of rows with no label or all of them: always, or never, wrong, so
        "drop" leaves them out (NaN if none is left), "keep" counts them.

    Returns
    -------
    float
        From 0 to 1, lower is better.

    Examples
    --------
    >>> one_error([[1, 0], [0, 1]], [[0.9, 0.1], [0.8, 0.2]])
    0.5
    """
    Y, S = label_tables(Y, S)
    wrong = (~Y & (S.max(axis=1, keepdims=True) == S)).any(axis=1)
    return _mean(wrong.astype(float), Y.any(axis=1) & ~Y.all(axis=1), empty)


def coverage(Y: Any, S: Any) -> float:
    """How far down the ranking one must go, on average, to meet all labels that apply (depth − 1).

    A row without labels has depth 0, as in the authors' programs and scikit-learn.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    S : (n, q) table of numbers
        A score of each label, higher where it is more likely.

    Returns
    -------
    float
        From −1 to q − 1, lower is better.

    Examples
    --------
    >>> coverage([[1, 0, 1]], [[0.9, 0.5, 0.1]])  # to the third place
    2.0
    """
    Y, S = label_tables(Y, S)
    lowest = np.where(Y, S, np.inf).min(axis=1, initial=np.inf, keepdims=True)
    return float((lowest <= S).sum(axis=1).mean() - 1)


def coverage_share(Y: Any, S: Any) -> float:
    """Coverage divided by the number of labels q, so that data sets can be compared.

    A row without labels has depth 0 and counts −1/q.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    S : (n, q) table of numbers
        A score of each label, higher where it is more likely.

    Returns
    -------
    float
        From −1/q to 1 − 1/q, lower is better.

    Examples
    --------
    >>> coverage_share([[1, 0, 1, 0]], [[0.9, 0.5, 0.4, 0.1]])  # two steps down, of four labels
    0.5
    """
    return coverage(Y, S) / np.shape(Y)[1]


def average_precision(Y: Any, S: Any, empty: str = "drop") -> float:
    """Mean over rows and applying labels of the share of applying labels among those ranked as high or higher.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    S : (n, q) table of numbers
        A score of each label, higher where it is more likely.
    empty : {"drop", "keep"}, default="drop"
        What becomes of rows with no label or all of them: "drop" leaves them out (NaN
        if none is left), "keep" counts them 1.

    Returns
    -------
    float
        From 0 to 1, higher is better.

    Examples
    --------
    >>> average_precision([[1, 0, 0, 1]], [[0.9, 0.5, 0.2, 0.7]])
    1.0
    >>> average_precision([[1, 0, 0, 1]], [[0.9, 0.8, 0.7, 0.6]])  # places 1 and 4: (1/1 + 2/4) / 2
    0.75
    """
    Y, S = label_tables(Y, S)
    order = np.argsort(-S, axis=1, kind="stable")
    applies, score = np.take_along_axis(Y, order, axis=1), np.take_along_axis(S, order, axis=1)
    # A label's rank is that of the last label with the same score.
    q = Y.shape[1]
    ends = np.where(np.diff(score, axis=1, append=-np.inf) != 0, np.arange(q), q)
    rank = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    precision = np.take_along_axis(np.cumsum(applies, axis=1), rank, axis=1) / (rank + 1)
    positives = Y.sum(axis=1)
    value = np.divide((precision * applies).sum(axis=1), positives, out=np.ones(len(Y)), where=positives > 0)
    return _mean(value, Y.any(axis=1) & ~Y.all(axis=1), empty)


def macro_auc(Y: Any, S: Any) -> float:
    """Mean over labels of the area under the ROC curve; labels without both classes are left out (NaN if all are).

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
    >>> macro_auc([[0], [1], [0], [1]], [[0.1], [0.4], [0.5], [0.9]])
    0.75
    """
    from scipy.stats import rankdata

    Y, S = label_tables(Y, S)
    positives, negatives = Y.sum(axis=0), (~Y).sum(axis=0)
    both = (positives > 0) & (negatives > 0)
    if not both.any():
        return float("nan")
    ranks = rankdata(S[:, both], axis=0)
    positives, negatives = positives[both], negatives[both]
    wins = (ranks * Y[:, both]).sum(axis=0) - positives * (positives + 1) / 2
    return float((wins / (positives * negatives)).mean())


def label_tables(Y: Any, other: Any) -> tuple[np.ndarray, np.ndarray]:
    """True labels as booleans and what was predicted as floats, checked: where every metric begins."""
    # As floats: minus an unsigned score would wrap around, and booleans have no minus.
    same_order(Y, other, "True and predicted labels")
    Y, other = _floats(Y), _floats(other)
    if Y.ndim != 2 or Y.shape != other.shape or Y.size == 0:
        raise ParameterError(
            f"True and predicted labels must be tables of the same shape with at least one row and one label, "
            f"not {Y.shape} and {other.shape}."
        )
    if not (np.isfinite(other).all() and np.isfinite(Y).all()):
        raise ParameterError("Predicted labels and scores must be finite numbers: NaN or infinity found.")
    return _zero_or_one(Y, "True"), other


def predicted_labels(Y: Any, P: Any) -> tuple[np.ndarray, np.ndarray]:
    """True and predicted labels as booleans, checked: scores are no labels, and neither are -1 and 1."""
    Y, P = label_tables(Y, P)
    return Y, _zero_or_one(P, "Predicted")


def _zero_or_one(labels: np.ndarray, which: str) -> np.ndarray:
    ones = labels == 1
    if not (ones | (labels == 0)).all():
        wrong = labels[~(ones | (labels == 0))][0]
        raise ParameterError(f"{which} labels must be 0 or 1, not {wrong:g}.")
    return ones


def _floats(table: Any) -> np.ndarray:
    without_mask(table, "A table of labels or scores")
    try:
        table = np.asarray(dense(table))
        if table.dtype.kind != "c":
            return table.astype(np.float64)
    except (TypeError, ValueError):
        pass
    raise ParameterError("True labels, predicted labels and scores must be tables of numbers.")


def _mean(values: np.ndarray, usual: np.ndarray, empty: str) -> float:
    """Mean over rows, with or without those that have no or all labels."""
    if not isinstance(empty, str) or empty not in EMPTY:
        raise ParameterError(f"There is no empty={described(empty)}: {did_you_mean(str(empty), EMPTY)}")
    values = values if empty == "keep" else values[usual]
    return float(values.mean()) if len(values) else float("nan")


def _hits(Y: Any, P: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    Y, P = predicted_labels(Y, P)
    return (Y & P).sum(axis=0), Y.sum(axis=0), P.sum(axis=0)


def _f1(hits: np.ndarray, true: np.ndarray, predicted: np.ndarray, zero_division: float) -> np.ndarray:
    total = np.asarray(true + predicted, dtype=float)
    return np.divide(2 * hits, total, out=np.full(total.shape, float(zero_division)), where=total > 0)
