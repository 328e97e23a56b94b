"""Each metric against scikit-learn where it has it, else against loops and hand-worked tables; then properties."""

import inspect

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as sk
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mlfs import metrics
from mlfs.errors import ParameterError
from mlfs.metrics import losses
from mlfs.metrics.losses import (
    average_precision,
    coverage,
    coverage_share,
    hamming_loss,
    macro_auc,
    macro_f1,
    micro_f1,
    one_error,
    ranking_loss,
    subset_accuracy,
    zero_one_loss,
)

SCORE_METRICS = (ranking_loss, one_error, coverage, average_precision, macro_auc)


@st.composite
def predictions(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, q = draw(st.integers(1, 20)), draw(st.integers(2, 6))
    Y = (rng.random((n, q)) < rng.random()).astype(int)
    S = rng.integers(0, draw(st.sampled_from([2, 4, 1000])), (n, q)) / 7
    return Y, S, (rng.random((n, q)) < 0.4).astype(int)


@given(predictions())
@settings(max_examples=80)
def test_scikit_learn_agrees(case):
    Y, S, P = case
    assert hamming_loss(Y, P) == pytest.approx(sk.hamming_loss(Y, P))
    assert subset_accuracy(Y, P) == pytest.approx(sk.accuracy_score(Y, P))
    assert zero_one_loss(Y, P) == pytest.approx(sk.zero_one_loss(Y, P))
    for zero in (0.0, 1.0):
        f1 = {average: sk.f1_score(Y, P, average=average, zero_division=zero) for average in ("macro", "micro")}
        # scikit-learn calls F1 undefined only where precision and recall both are, as we do.
        assert macro_f1(Y, P, zero_division=zero) == pytest.approx(f1["macro"])
        assert micro_f1(Y, P, zero_division=zero) == pytest.approx(f1["micro"])
    assert ranking_loss(Y, S, empty="keep") == pytest.approx(sk.label_ranking_loss(Y, S))
    depth = sk.coverage_error(Y, S) - 1
    assert coverage(Y, S) == pytest.approx(depth)
    assert coverage_share(Y, S) == pytest.approx(depth / Y.shape[1])
    assert average_precision(Y, S, empty="keep") == pytest.approx(sk.label_ranking_average_precision_score(Y, S))
    usual = Y.any(axis=1) & ~Y.all(axis=1)
    if usual.any():
        assert ranking_loss(Y, S) == pytest.approx(sk.label_ranking_loss(Y[usual], S[usual]))
        expected = sk.label_ranking_average_precision_score(Y[usual], S[usual])
        assert average_precision(Y, S) == pytest.approx(expected)
    both = Y.any(axis=0) & ~Y.all(axis=0)
    if both.any():
        expected = np.mean([sk.roc_auc_score(Y[:, j], S[:, j]) for j in np.flatnonzero(both)])
        assert macro_auc(Y, S) == pytest.approx(expected)


def test_by_hand():
    Y = np.array([[1, 0, 1], [0, 0, 1], [0, 0, 0], [1, 1, 1]])
    S = np.array([[0.9, 0.5, 0.4], [0.8, 0.1, 0.8], [0.1, 0.2, 0.3], [0.5, 0.6, 0.7]])
    # Row 1: of 1>2, 3>2 the second is wrong. Row 2: of 3>1 (tie), 3>2 the first is wrong.
    assert ranking_loss(Y, S) == pytest.approx(0.5)
    assert ranking_loss(Y, S, empty="keep") == pytest.approx(0.25)
    # Row 1's best label applies; row 2's best two include one that does not.
    assert one_error(Y, S) == pytest.approx(0.5)
    # The empty row's best label does not apply, the full row's does.
    assert one_error(Y, S, empty="keep") == pytest.approx(0.5)
    # Depths 3, 2, 0, 3.
    assert coverage(Y, S) == pytest.approx(1.0)
    assert coverage_share(Y, S) == pytest.approx(1 / 3)
    assert coverage_share(Y[2:3], S[2:3]) == pytest.approx(-1 / 3)
    # Row 1: 1/1 and 2/3; row 2: rank 2, one of two applies.
    assert average_precision(Y, S) == pytest.approx((5 / 6 + 1 / 2) / 2)


@given(predictions())
@settings(max_examples=80)
def test_the_order_of_labels_and_rows_does_not_matter(case):
    Y, S, P = case
    rng = np.random.default_rng(0)
    rows, labels = rng.permutation(len(Y)), rng.permutation(Y.shape[1])
    for metric in SCORE_METRICS:
        shuffled = metric(Y[rows][:, labels], S[rows][:, labels])
        assert metric(Y, S) == pytest.approx(shuffled, nan_ok=True)
    for metric in (hamming_loss, subset_accuracy, macro_f1, micro_f1):
        assert metric(Y, P) == pytest.approx(metric(Y[rows][:, labels], P[rows][:, labels]))


@given(predictions())
@settings(max_examples=80)
def test_perfect_and_reversed(case):
    Y, _, _ = case
    assume((Y.any(axis=1) & ~Y.all(axis=1)).any())
    assert (ranking_loss(Y, Y), one_error(Y, Y), average_precision(Y, Y)) == (0, 0, 1)
    assert (ranking_loss(Y, -Y), one_error(Y, -Y)) == (1, 1)
    assert (hamming_loss(Y, Y), hamming_loss(Y, 1 - Y)) == (0, 1)
    assert (subset_accuracy(Y, Y), macro_f1(Y, Y), micro_f1(Y, Y)) == (1, 1, 1)
    constant = np.zeros(Y.shape)
    assert (ranking_loss(Y, constant), one_error(Y, constant)) == (1, 1)
    if (Y.any(axis=0) & ~Y.all(axis=0)).any():
        assert (macro_auc(Y, Y), macro_auc(Y, -Y), macro_auc(Y, constant)) == (1, 0, 0.5)


def test_the_type_of_numbers_does_not_matter():
    Y = np.array([[1, 0, 0], [0, 1, 1]])
    for kind in (np.uint8, bool, np.float32):
        assert ranking_loss(Y, Y.astype(kind)) == 0
        assert average_precision(Y.astype(kind), Y.astype(kind)) == 1


def test_undefined_is_nan():
    Y, S = np.array([[0, 0], [1, 1]]), np.array([[0.1, 0.2], [0.3, 0.4]])
    assert np.isnan(ranking_loss(Y, S))
    assert np.isnan(average_precision(Y, S))
    assert np.isnan(macro_auc(np.ones((2, 2)), S))


TAKES = {name: inspect.signature(metric).parameters for name, metric in inspect.getmembers(metrics, inspect.isfunction)}
OF_LABELS = [name for name, parameters in TAKES.items() if "P" in parameters]
OF_SCORES = [name for name, parameters in TAKES.items() if "S" in parameters]
TRUE, PREDICTED = np.array([[0, 1], [1, 0], [1, 1]]), np.array([[0, 1], [1, 1], [0, 1]])


@pytest.mark.parametrize("name", OF_LABELS + OF_SCORES)
def test_labels_of_another_kind_are_refused(name):
    """-1 and 1 would all count as positive, and so would every score that is not 0."""
    metric = getattr(metrics, name)
    with pytest.raises(ParameterError, match=r"True labels must be 0 or 1, not -1\."):
        metric(2 * TRUE - 1, PREDICTED)
    wrong = {"-1": 2 * PREDICTED - 1, "0.5": PREDICTED - 0.5 * PREDICTED} if name in OF_LABELS else {}
    for said, predicted in wrong.items():
        with pytest.raises(ParameterError, match=rf"Predicted labels must be 0 or 1, not {said}\."):
            metric(TRUE, predicted)
    frame = pd.DataFrame(TRUE, columns=["a", "b"])
    with pytest.raises(ParameterError, match="have the same columns in another order"):
        metric(frame, frame[["b", "a"]])
    with pytest.raises(ParameterError, match="has masked values"):
        metric(TRUE, np.ma.masked_array(PREDICTED, mask=PREDICTED == 1))
    assert metric(TRUE, PREDICTED) == metric(frame, pd.DataFrame(PREDICTED))  # other names say nothing


def test_both_kinds_of_metrics_are_there():
    assert {"hamming_loss", "micro_f1", "balanced_accuracy"} <= set(OF_LABELS)
    assert {"ranking_loss", "macro_auc"} <= set(OF_SCORES)


def test_messages():
    with pytest.raises(ParameterError, match=r"same shape .* not \(1, 2\) and \(1, 3\)"):
        hamming_loss([[1, 0]], [[1, 0, 1]])
    with pytest.raises(ParameterError, match="NaN or infinity"):
        ranking_loss([[1, 0]], [[np.nan, 1.0]])
    with pytest.raises(ParameterError, match="did you mean 'keep'"):
        ranking_loss([[1, 0]], [[0.5, 1.0]], empty="keeps")
    assert losses.EMPTY == ("drop", "keep")
