"""A curve is the same as training anew for each size."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier

from mlfs.classifiers import BRCART, BRLR, BRNB, BRSVM, MLkNN, ProblemTransformation, RidgeOutputs
from mlfs.errors import ParameterError
from mlfs.evaluation import average_classification_result, loss_curve
from mlfs.metrics import METRICS


def problem(binary=False, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (90, 8)).astype(float) if binary else rng.normal(size=(90, 8))
    Y = (X @ rng.normal(size=(8, 4)) + rng.normal(size=(90, 4)) > 0.5).astype(int)
    return X[:60], Y[:60], X[60:], Y[60:]


RANKING = [3, 1, 7, 0, 5, 2, 6, 4]


CLASSIFIERS = [
    MLkNN(5),
    BRLR(C=1.0),
    BRSVM(),
    BRCART(),
    BRNB(),
    RidgeOutputs(),
    MultiOutputClassifier(LogisticRegression()),
    OneVsRestClassifier(RidgeClassifier()),
]


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=str)
@pytest.mark.parametrize("binary", [False, True])
def test_each_point_is_a_fresh_fit(classifier, binary):
    X, Y, X_test, Y_test = problem(binary)
    curve = loss_curve(X, Y, X_test, Y_test, RANKING, [2, 8, 5, 1], classifier, tuple(METRICS))
    assert curve["size"].tolist() == [2, 8, 5, 1]
    assert list(curve.columns) == ["size", *METRICS]
    for _, row in curve.iterrows():
        first = RANKING[: int(row["size"])]
        model = classifier.fit(X[:, first], Y)
        by_decision = hasattr(model, "decision_function")
        P = (model.decision_function if by_decision else model.predict_proba)(X_test[:, first])
        P = np.column_stack([p[:, 1] for p in P]) if isinstance(P, list) else P
        for name, metric in METRICS.items():
            predicted = model.predict(X_test[:, first]) if metric.needs == "labels" else P
            assert row[name] == pytest.approx(metric.function(Y_test, predicted), abs=2e-3)
            if not isinstance(classifier, BRLR):
                assert row[name] == pytest.approx(metric.function(Y_test, predicted), abs=1e-12)


def test_names_sparse_input_and_workers():
    X, Y, X_test, Y_test = problem(binary=True)
    by_name = loss_curve(X, Y, X_test, Y_test, RANKING, range(1, 9))
    thin = loss_curve(sparse.csr_matrix(X), Y, sparse.csr_matrix(X_test), Y_test, RANKING, range(1, 9), n_jobs=2)
    assert by_name.equals(thin)
    brlr = loss_curve(X, Y, X_test, Y_test, RANKING, [8], "brlr")
    sparse_brlr = loss_curve(sparse.csr_matrix(X), Y, sparse.csr_matrix(X_test), Y_test, RANKING, [8], "brlr")
    np.testing.assert_allclose(brlr, sparse_brlr, atol=1e-9)


def test_a_classifier_without_probabilities_is_scored_by_its_labels():
    X, Y, X_test, Y_test = problem()

    class Always:
        def get_params(self, deep=False):
            return {}

        def fit(self, X, Y):
            return self

        def predict(self, X):
            return np.tile([1, 0, 1, 0], (X.shape[0], 1))

    curve = loss_curve(X, Y, X_test, Y_test, RANKING, [3], Always(), ("ranking_loss",))
    labels = np.tile([1.0, 0, 1, 0], (30, 1))
    assert curve["ranking_loss"][0] == METRICS["ranking_loss"].function(Y_test, labels)


def test_scikit_multilearn_classifiers_fit_in():
    X, Y, X_test, Y_test = problem()
    curve = loss_curve(X, Y, X_test, Y_test, RANKING, [8], ProblemTransformation("cc"), ("micro_f1", "macro_auc"))
    assert curve["macro_auc"][0] > 0.7


def test_one_hot_columns_count_as_one_feature():
    X, Y, X_test, Y_test = problem()
    category, category_test = (np.random.default_rng(0).integers(0, 3, len(x)) for x in (X, X_test))
    hot = [np.hstack([x, np.eye(3)[c]]) for x, c in ((X, category), (X_test, category_test))]
    owner = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8])
    curve = loss_curve(hot[0], Y, hot[1], Y_test, [3, 8, 1], [1, 2, 3], owner=owner)
    plain = loss_curve(hot[0], Y, hot[1], Y_test, [3, 8, 9, 10, 1], [1, 4, 5])
    assert np.array_equal(curve["hamming_loss"], plain["hamming_loss"])
    assert curve["size"].tolist() == [1, 2, 3]


def test_conventions_reach_the_metrics():
    X, Y, X_test, Y_test = problem()
    Y_test = Y_test.copy()
    Y_test[:20] = 0
    drop = loss_curve(X, Y, X_test, Y_test, RANKING, [4], metrics=("ranking_loss",))
    keep = loss_curve(X, Y, X_test, Y_test, RANKING, [4], metrics=("ranking_loss",), options={"empty": "keep"})
    assert keep["ranking_loss"][0] < drop["ranking_loss"][0]


def test_acr_sums_both_losses_over_the_first_thirty_sizes():
    X, Y, X_test, Y_test = problem()
    curve = loss_curve(X, Y, X_test, Y_test, RANKING, range(1, 9))
    by_hand = sum(row.hamming_loss + row.ranking_loss for row in list(curve.itertuples())[:5])
    assert average_classification_result(curve, sizes=5) == pytest.approx(by_hand)
    assert average_classification_result(curve) == pytest.approx(curve[["hamming_loss", "ranking_loss"]].sum().sum())
    with pytest.raises(ParameterError, match="ranking_loss is missing"):
        average_classification_result(curve.drop(columns="ranking_loss"))


def test_messages():
    X, Y, X_test, Y_test = problem()
    with pytest.raises(ParameterError, match="no metric 'hamming': did you mean 'hamming_loss'"):
        loss_curve(X, Y, X_test, Y_test, RANKING, [1], metrics=("hamming",))
    with pytest.raises(ParameterError, match="no classifier 'ml_knn': did you mean 'mlknn'"):
        loss_curve(X, Y, X_test, Y_test, RANKING, [1], "ml_knn")
    with pytest.raises(ParameterError, match=r"from 1 to 8 \(the features in the ranking\), not 9"):
        loss_curve(X, Y, X_test, Y_test, RANKING, [1, 9])


X = np.random.default_rng(0).normal(size=(30, 3))
Y = (X > 0).astype(int)
NAMED = {name: pd.DataFrame(values, columns=["a", "b", "c"]) for name, values in (("X", X), ("Y", Y))}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"X_test": NAMED["X"][["b", "a", "c"]]}, "X_train and X_test have the same columns in another order"),
        ({"Y_test": NAMED["Y"][["b", "a", "c"]]}, "Y_train and Y_test have the same columns in another order"),
        ({"Y_train": NAMED["Y"].astype("Int64").mask(Y > 0)}, "Labels must be 0 or 1, not <NA>"),
        ({"Y_train": Y.astype(str)}, "Labels must be 0 or 1, not '[01]'"),
        ({"X_train": np.ma.masked_array(X, mask=X > 1)}, "X_train has masked values: fill them in"),
        ({"Y_train": np.ma.masked_array(Y, mask=X > 1)}, "Y has masked values: fill them in"),
    ],
)
def test_what_would_be_read_as_something_else_is_refused(changed, words):
    given = {"X_train": NAMED["X"], "Y_train": NAMED["Y"], "X_test": NAMED["X"], "Y_test": NAMED["Y"]}
    ranking = {"ranking": [0, 1], "sizes": [1, 2], "metrics": ["hamming_loss"]}
    assert loss_curve(**given, **ranking).equals(loss_curve(X, Y, X, Y, **ranking))
    with pytest.raises(ParameterError, match=words):
        loss_curve(**{**given, **changed}, **ranking)
