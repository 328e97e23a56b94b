"""Losses against the number of features, for one ranking: what the smaller subset computed serves the larger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from mlfs.checks import checked, indices, same_order, table
from mlfs.classifiers import make_classifier
from mlfs.encoding import checked_labels, dense
from mlfs.errors import ParameterError, did_you_mean
from mlfs.metrics import METRICS
from mlfs.stopping import checkpoint


@checked
def loss_curve(
    X_train: Any,
    Y_train: Any,
    X_test: Any,
    Y_test: Any,
    ranking: Sequence[int] | np.ndarray,
    sizes: Sequence[int],
    classifier: Any = "mlknn",
    metrics: Sequence[str] | str = ("hamming_loss", "ranking_loss"),
    *,
    owner: Any = None,
    options: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
) -> pd.DataFrame:
    """Train on the first s features of a ranking and test, for each s in `sizes`: one row per size.

    Parameters
    ----------
    X_train, X_test : (n, d) arrays or sparse matrices
        The features of the rows that train and of those that test.
    Y_train, Y_test : (n, q) tables of 0 and 1
        Their labels.
    ranking : sequence of int
        Feature indices, best first.
    sizes : sequence of int
        Numbers of features, in any order.
    classifier : str or classifier, default="mlknn"
        A name in `mlfs.classifiers.CLASSIFIERS`, or any classifier with fit, predict and, for scores,
        predict_proba or decision_function.
    metrics : sequence of str, default=("hamming_loss", "ranking_loss")
        Names of `mlfs.metrics.METRICS`.
    owner : int array or None, default=None
        The feature each column of X belongs to, where X is one-hot (`Dataset.one_hot`); columns otherwise.
    options : mapping or None, default=None
        Conventions of the metrics, e.g. ``{"empty": "keep", "zero_division": 0}``.
    n_jobs : int or None, default=None
        Threads, all cores where None; the result does not depend on it.

    Returns
    -------
    DataFrame
        The column ``size`` and one column per metric, in the order of `sizes`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 2))
    >>> X = np.hstack([rng.random((200, 1)), Y])
    >>> loss_curve(X[:150], Y[:150], X[150:], Y[150:], ranking=[1, 2], sizes=[2], metrics=["hamming_loss"])
       size  hamming_loss
    0     2           0.0
    """
    metrics = _known_metrics(metrics)
    same_order(X_train, X_test, "X_train and X_test")
    same_order(Y_train, Y_test, "Y_train and Y_test")
    X_train = table(X_train, "X_train")
    X_test = table(X_test, "X_test", columns=X_train.shape[1])
    Y_train, Y_test = checked_labels(Y_train, X_train.shape[0]), checked_labels(Y_test, X_test.shape[0])
    if Y_train.shape[1] != Y_test.shape[1]:
        raise ParameterError(f"Y_train has {Y_train.shape[1]} labels and Y_test {Y_test.shape[1]}: give both the same.")
    if owner is not None:
        try:
            owner = np.asarray(owner)
        except ValueError:
            owner = np.zeros(0)
        if owner.shape != (X_train.shape[1],) or owner.dtype.kind not in "iu" or owner.min() < 0:
            raise ParameterError(f"owner must hold the feature of each of the {X_train.shape[1]} columns of X_train.")
    features = X_train.shape[1] if owner is None else int(np.max(owner)) + 1
    ranking = indices(ranking, features, "ranking", empty=True)
    bad = [size for size in sizes if not 1 <= size <= len(ranking)]
    if bad:
        raise ParameterError(f"Sizes must be from 1 to {len(ranking)} (the features in the ranking), not {bad[0]}.")
    sizes = [int(size) for size in sizes]
    ascending = sorted(set(sizes))
    ranking = ranking[: max(ascending, default=0)]
    columns, widths = ranking, np.ones(len(ranking), dtype=np.intp)
    if owner is not None:
        of_feature = [np.flatnonzero(owner == feature) for feature in ranking]
        columns, widths = np.concatenate([*of_feature, ranking[:0]]), np.array([len(c) for c in of_feature])
    ends = np.cumsum(widths)[[size - 1 for size in ascending]]
    predictions = _predictions(X_train[:, columns], Y_train, X_test[:, columns], ends, classifier, n_jobs)
    rows = {}
    for size, (labels, scores) in zip(ascending, predictions, strict=True):
        checkpoint()
        rows[size] = {"size": size, **evaluate(Y_test, labels, scores, metrics, options)}
    return pd.DataFrame([rows[size] for size in sizes], columns=["size", *metrics])


@checked
def average_classification_result(curve: pd.DataFrame, sizes: int = 30) -> float:
    """ACR of Zhang et al. 2020, eq. (11): Hamming loss + ranking loss, summed over the first sizes of a curve.

    The paper calls it an average and chooses α, β and k by it; it is a sum. Smaller is better.

    >>> average_classification_result(pd.DataFrame({"hamming_loss": [0.2, 0.1], "ranking_loss": [0.3, 0.2]}))
    0.8
    """
    missing = {"hamming_loss", "ranking_loss"} - set(curve.columns)
    if missing:
        raise ParameterError(f"ACR needs a curve with hamming_loss and ranking_loss; {', '.join(missing)} is missing.")
    return float(curve[["hamming_loss", "ranking_loss"]].iloc[:sizes].to_numpy().sum())


@checked
def evaluate(
    Y: Any,
    labels: Any,
    scores: Any,
    metrics: Sequence[str],
    options: Mapping[str, Any] | None = None,
) -> dict[str, float]:
    """The named metrics of one prediction.

    Parameters
    ----------
    Y : (n, q) table of 0 and 1
        The true labels.
    labels, scores : (n, q) arrays
        The predicted labels, and how likely each label is.
    metrics : sequence of str
        Names of `mlfs.metrics.METRICS`.
    options : mapping or None, default=None
        Conventions of the metrics.

    Examples
    --------
    >>> evaluate([[1, 0]], [[1, 1]], [[0.9, 0.6]], ["hamming_loss", "ranking_loss"])
    {'hamming_loss': 0.5, 'ranking_loss': 0.0}
    """
    options = options or {}
    values = {}
    for name in _known_metrics(metrics):
        metric = METRICS[name]
        conventions = {key: options[key] for key in metric.options if key in options}
        values[name] = metric.function(Y, labels if metric.needs == "labels" else scores, **conventions)
    return values


def _known_metrics(metrics: Sequence[str] | str) -> Sequence[str]:
    metrics = (metrics,) if isinstance(metrics, str) else metrics
    for name in metrics:
        if name not in METRICS:
            raise ParameterError(f"There is no metric {name!r}: {did_you_mean(name, METRICS)}")
    return metrics


def _predictions(
    X_train: Any, Y_train: np.ndarray, X_test: Any, sizes: Any, classifier: Any, n_jobs: int | None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """For each of the ascending sizes, predicted labels and scores of the test rows."""
    model = make_classifier(classifier)
    if hasattr(model, "predict_growing"):
        yield from model.predict_growing(X_train, Y_train, X_test, sizes, n_jobs)
        return
    for size in sizes:
        fitted = clone(model).fit(X_train[:, :size], Y_train)
        labels = dense(fitted.predict(X_test[:, :size]))
        yield labels, _scores(fitted, X_test[:, :size], labels)


def _scores(fitted: Any, X: Any, labels: np.ndarray) -> np.ndarray:
    """Probabilities where the classifier has them: a table, or a list with one table of classes per label.

    Else decision values, where it has one for each label, else the labels themselves.
    """
    if not hasattr(fitted, "predict_proba"):
        values = np.asarray(fitted.decision_function(X) if hasattr(fitted, "decision_function") else labels, np.float64)
        return values.reshape(labels.shape) if values.size == labels.size else labels.astype(np.float64)
    probabilities = fitted.predict_proba(X)
    if isinstance(probabilities, list):
        # A label with one class in training has one column: certainty of that class.
        columns = [p[:, 1] if p.shape[1] > 1 else labels[:, j].astype(float) for j, p in enumerate(probabilities)]
        return np.column_stack(columns)
    return dense(probabilities)
