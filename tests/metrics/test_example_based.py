"""Scores of rows: by hand, beside scikit-learn where it calls them defined, and properties."""

import numpy as np
import pytest
import sklearn.metrics as sk
from hypothesis import given, settings

from mlfs.errors import ParameterError
from mlfs.metrics import example_accuracy, example_f1, example_precision, example_recall
from tests.metrics.test_losses import predictions

PEERS = {
    example_accuracy: sk.jaccard_score,
    example_precision: sk.precision_score,
    example_recall: sk.recall_score,
    example_f1: sk.f1_score,
}
# Two of three found and one wrong; nothing predicted; nothing true; neither.
Y = np.array([[1, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]])
P = np.array([[1, 1, 0, 1], [0, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])


@pytest.mark.parametrize(
    ("metric", "first"),
    [(example_accuracy, 2 / 4), (example_precision, 2 / 3), (example_recall, 2 / 3), (example_f1, 4 / 6)],
)
def test_by_hand(metric, first):
    assert metric(Y, P) == pytest.approx((first + 0 + 0 + 1) / 4)
    assert metric(Y, P, zero_division=0) == pytest.approx(first / 4)
    for row in (1, 2):
        assert metric(Y[row : row + 1], P[row : row + 1]) == 0


@given(predictions())
@settings(max_examples=100)
def test_scikit_learn_agrees(case):
    Y, _, P = case
    for metric, peer in PEERS.items():
        assert metric(Y, P, zero_division=0) == pytest.approx(peer(Y, P, average="samples", zero_division=0))
        both = Y.any(axis=1) & P.any(axis=1)
        if both.any():
            assert metric(Y[both], P[both]) == pytest.approx(peer(Y[both], P[both], average="samples"))
    for metric in (example_accuracy, example_f1):
        assert metric(Y, P) == pytest.approx(PEERS[metric](Y, P, average="samples", zero_division=1))


@given(predictions())
@settings(max_examples=60)
def test_what_holds_for_all_tables(case):
    Y, _, P = case
    assert example_precision(Y, P) == pytest.approx(example_recall(P, Y))
    for metric in PEERS:
        assert metric(Y, Y) == 1
        assert metric(np.ones_like(Y), np.zeros_like(Y)) == 0
    for zero in (0.0, 1.0):
        accuracy, f1 = (metric(Y, P, zero_division=zero) for metric in (example_accuracy, example_f1))
        assert accuracy <= f1 + 1e-12
        rows = [(y[None], x[None], zero) for y, x in zip(Y, P, strict=True)]
        pairs = np.array([(example_precision(*row), example_recall(*row)) for row in rows])
        harmonic = np.where(pairs.sum(axis=1) > 0, 2 * pairs.prod(axis=1) / np.maximum(pairs.sum(axis=1), 1e-12), 0)
        assert f1 == pytest.approx(harmonic.mean())


def test_messages():
    with pytest.raises(ParameterError, match="tables of the same shape"):
        example_accuracy([[1, 0]], [[1]])
