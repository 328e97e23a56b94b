"""Logistic regression as MATLAB's `glmfit` fits it: Fisher scoring without penalty, at most a hundred steps.

Where features separate a label no step is the last: the log-odds grow by about one with each, and after a hundred most
lie beyond what `glmval` tells apart.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import qr, qr_multiply, solve_triangular

from mlfs.classifiers.brlr import PairDesign
from mlfs.encoding import dense

EPSILON = float(np.finfo(float).eps)
STEPS = 100
#: Log-odds beyond ±36.04 become the same probability.
BOUND = -float(np.log(EPSILON))
#: A label is done when no coefficient changes by more than this share.
CHANGE = 1e-6
# The first step is least squares to the log-odds of 1/4 and 3/4, moved by one step: log 3 + 4/3.
FIRST = float(np.log(3.0)) + 4.0 / 3.0
# Keeps a saturated column solvable; relative to the diagonal.
RIDGE = 1e-14


def log_odds(X_train: Any, Y_train: np.ndarray, X_test: Any, steps: int = STEPS) -> np.ndarray:
    """(n, q) log-odds of the test rows, as they are after so many steps: not cut at `BOUND`."""
    kept = independent_columns(dense(X_train))
    weights = fitted_weights(X_train[:, kept], Y_train, steps)
    return np.asarray(X_test[:, kept] @ weights[:-1]) + weights[-1]


def independent_columns(X: np.ndarray) -> np.ndarray:
    """The columns that a QR decomposition with pivoting keeps beside a column of ones.

    >>> independent_columns(np.array([[0.0, 1, 1, 0], [1, 1, 0, 0], [0, 1, 1, 1], [1, 1, 0, 1]])).tolist()
    [0, 3]
    """
    design = np.hstack([np.ones((len(X), 1)), X])
    triangle, order = qr(design, mode="r", pivoting=True)
    size = np.abs(np.diag(triangle))
    kept = np.sort(order[: int((size > size[0] * max(design.shape) * EPSILON).sum())])
    return kept[kept > 0] - 1


def fitted_weights(X: Any, Y: np.ndarray, steps: int = STEPS) -> np.ndarray:
    """(d + 1, q) coefficients, the intercept last; the columns of X are independent of each other and of ones."""
    design, positives, shift, spread = PairDesign.of(X, Y)
    if design.pairs is None:
        columns = np.hstack([dense(X), np.ones((X.shape[0], 1))])
        return np.column_stack([_by_decomposition(columns, label, steps) for label in Y.T.astype(float)])
    diagonal = np.arange(design.width)
    moments = design.hessians(design.count)[0]
    weights = np.linalg.lstsq(moments, np.asarray(design.X.T @ ((2 * positives - design.count) * FIRST)), rcond=RIDGE)[
        0
    ]
    active = np.arange(Y.shape[1])
    for _ in range(steps):
        # Beyond what an exponential holds the probability is at its bound anyway.
        probability = 1 / (1 + np.exp(-np.clip(design.times(weights[:, active]), -2 * BOUND, 2 * BOUND)))
        probability = np.clip(probability, EPSILON, 1 - EPSILON)
        gradient = np.asarray(design.X.T @ (positives[:, active] - design.count * probability))
        hessian = design.hessians(design.count * probability * (1 - probability))
        scale = 1 / np.sqrt(hessian[:, diagonal, diagonal])
        hessian *= scale[:, :, None] * scale[:, None, :]
        hessian[:, diagonal, diagonal] += RIDGE
        change = (np.linalg.solve(hessian, (gradient.T * scale)[:, :, None])[:, :, 0] * scale).T
        least = CHANGE * np.maximum(np.sqrt(EPSILON), np.abs(weights[:, active]))
        weights[:, active] += change
        active = active[(np.abs(change) > least).any(axis=0)]
        if not len(active):
            break
    weights[:-1] /= spread[:, None]
    weights[-1] -= shift @ weights[:-1]
    return weights


def _by_decomposition(design: np.ndarray, label: np.ndarray, steps: int) -> np.ndarray:
    """Coefficients of one label, each step by a QR decomposition, as `glmfit` does it.

    With about as many columns as rows nearly all weights end at their bound, and products of columns would cost half of
    the digits.
    """
    probability = (label + 0.5) / 2
    odds, weights = np.log(probability / (1 - probability)), np.zeros(design.shape[1])
    for _ in range(steps + 1):
        importance = probability * (1 - probability)
        response, root = odds + (label - probability) / importance, np.sqrt(importance)
        before = weights
        rotated, triangle = qr_multiply(design * root[:, None], response * root, mode="right", overwrite_a=True)
        weights = solve_triangular(triangle, rotated, check_finite=False)
        odds = design @ weights
        probability = 1 / (1 + np.exp(-np.clip(odds, -2 * BOUND, 2 * BOUND)))
        probability = np.clip(probability, EPSILON, 1 - EPSILON)
        if (np.abs(weights - before) <= CHANGE * np.maximum(np.sqrt(EPSILON), np.abs(before))).all():
            break
    return weights
