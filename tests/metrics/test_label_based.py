"""Scores of labels: by hand, beside scikit-learn where it calls them defined, and what is left out."""

import numpy as np
import pytest
import sklearn.metrics as sk
from hypothesis import given, settings

from mlfs.metrics import balanced_accuracy, macro_average_precision, micro_auc, micro_average_precision
from tests.metrics.test_losses import predictions


@given(predictions())
@settings(max_examples=120)
def test_scikit_learn_agrees(case):
    Y, S, P = case
    if Y.any() and not Y.all():
        assert micro_auc(Y, S) == pytest.approx(sk.roc_auc_score(Y.ravel(), S.ravel()))
        assert micro_average_precision(Y, S) == pytest.approx(sk.average_precision_score(Y.ravel(), S.ravel()))
    both = np.flatnonzero(Y.any(axis=0) & ~Y.all(axis=0))
    if len(both):
        expected = sk.average_precision_score(Y[:, both], S[:, both], average="macro")
        assert macro_average_precision(Y, S) == pytest.approx(expected)
        expected = np.mean([sk.balanced_accuracy_score(Y[:, j], P[:, j]) for j in both])
        assert balanced_accuracy(Y, P) == pytest.approx(expected)


def test_by_hand():
    Y = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 0]])
    S = np.array([[0.9, 0.1, 0.3], [0.9, 0.2, 0.2], [0.1, 0.3, 0.1]])
    # Of the first label alone: a tie at rank 2 (one of two) and rank 3 (two of three).
    assert macro_average_precision(Y, S) == pytest.approx((1 / 2 + 2 / 3) / 2)
    # Cells from the top: 0.9 + −, 0.3 + −, 0.2 + −, 0.1 + + −; positives meet 1/2, 2/4, 3/6 and twice 5/9.
    assert micro_average_precision(Y, S) == pytest.approx((1 / 2 + 2 / 4 + 3 / 6 + 2 * 5 / 9) / 5)
    # Of 5 · 4 pairs, a tie counting half: the positives from the top win 3½, 2½, 1½, ½ and ½.
    assert micro_auc(Y, S) == pytest.approx((3.5 + 2.5 + 1.5 + 0.5 + 0.5) / 20)
    # Of the first label, one of two found, the one without it given it.
    assert balanced_accuracy(Y, [[1, 0, 1], [1, 0, 0], [0, 0, 1]]) == pytest.approx((1 / 2 + 0) / 2)


@pytest.mark.parametrize("metric", [micro_auc, macro_average_precision, micro_average_precision, balanced_accuracy])
def test_extremes(metric):
    Y = np.array([[1, 0], [0, 1], [0, 0]])
    assert metric(Y, Y) == 1
    assert metric(Y, 1 - Y) < 0.5
    for constant in (np.zeros((3, 2)), np.ones((3, 2))):
        assert np.isnan(metric(constant, Y))
    # A label that no row has, or all, changes no mean over labels.
    wide, S = np.hstack([Y, np.zeros((3, 1)), np.ones((3, 1))]), np.array([[1, 0, 1, 1], [1, 1, 0, 1], [0, 0, 1, 0]])
    if metric in (macro_average_precision, balanced_accuracy):
        assert metric(wide, S) == metric(Y, S[:, :2])


def test_a_constant_prediction_is_half_right():
    Y = np.array([[1, 0, 1], [0, 1, 1], [0, 1, 0]])
    for value in (0, 1):
        assert balanced_accuracy(Y, np.full(Y.shape, value)) == 0.5
        assert micro_auc(Y, np.full(Y.shape, value)) == 0.5
