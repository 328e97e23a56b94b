"""Every classifier works where scikit-learn's multi-label classifiers do: checks, searches and scorers."""

import contextlib
import warnings
from functools import cache

import numpy as np
import pytest
import sklearn.utils.estimator_checks as checks
from sklearn.base import clone
from sklearn.metrics import accuracy_score, f1_score, get_scorer, get_scorer_names, make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from mlfs.classifiers import BRCART, BRLR, BRNB, BRSVM, CLASSIFIERS, MLkNN, ProblemTransformation, RidgeOutputs
from mlfs.selectors import GRRO

# Some of scikit-learn's checks have ten rows.
MODELS = [
    MLkNN(k=3),
    BRLR(),
    *(ProblemTransformation(kind) for kind in ("br", "cc", "lp", "rakel")),
    BRSVM(),
    BRCART(),
    BRNB(),
    RidgeOutputs(),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=str)


def expected_failures(model):
    """Checks that a classifier of tables of labels cannot pass, and why."""
    single = "it fits a single column of classes, not a table of labels"
    expected = dict.fromkeys(("check_classifiers_one_label", "check_classifiers_classes"), single)
    expected["check_classifiers_train"] = "it looks for predictions of a single column"
    expected["check_classifier_not_supporting_multiclass"] = "it looks for words on a single column of two classes"
    if hasattr(model, "predict_proba"):
        expected["check_estimator_sparse_array"] = "it looks for a column per class, not per label, of probabilities"
        expected["check_estimator_sparse_matrix"] = expected["check_estimator_sparse_array"]
    if hasattr(model, "decision_function"):
        expected["check_classifier_multioutput"] = "it takes classes_ for one array, while scorers need one per label"
    if hasattr(model, "predict_proba") and hasattr(model, "decision_function"):
        expected["check_decision_proba_consistency"] = single
    if isinstance(model, BRCART):
        expected["check_classifiers_multilabel_output_format_predict_proba"] = "a pure leaf gives exactly 0 or 1"
    return expected


@parametrize_with_checks(MODELS)
def test_scikit_learns_own_checks(estimator, check, monkeypatch):
    """Marked as expected failures, they would cost as much as all others: pytest reads the source of each traceback."""

    def one_label(estimator, y):
        """scikit-learn's checks make targets of all kinds; ours are tables of 0 and 1."""
        missing = y.dtype.kind == "f" and not np.isfinite(y).all()
        return (y if missing else (y == y.flat[0]).astype(int)).reshape(-1, 1)

    monkeypatch.setattr(checks, "_enforce_estimator_tags_y", one_label)
    fails = check.func.__name__ in expected_failures(estimator)
    with pytest.raises((AssertionError, ValueError)) if fails else contextlib.nullcontext():
        check(estimator)


def problem(q=3, n=90):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    return X, (X[:, :q] + 0.5 * rng.normal(size=(n, q)) > 0.2).astype(int)


def test_every_classifier_is_tried_here():
    tried = {(type(model), getattr(model, "kind", "")) for model in MODELS}
    made = (classifier.make() for classifier in CLASSIFIERS.values())
    assert {(type(model), getattr(model, "kind", "")) for model in made} <= tried


def scored(model, X, Y):
    """The scorers of scikit-learn that score a fitted classifier on these labels, with what they give."""
    found = {}
    for name in get_scorer_names():
        with warnings.catch_warnings(), contextlib.suppress(ValueError, TypeError, AttributeError):
            warnings.simplefilter("ignore")
            found[name] = get_scorer(name)(model, X, Y)
    return {name: score for name, score in found.items() if np.isfinite(score)}


@cache
def scored_peer(q):
    """The same of scikit-learn's own neighbours."""
    X, Y = problem(q)
    return scored(KNeighborsClassifier().fit(X[:60], Y[:60]), X[60:], Y[60:])


@every_model
@pytest.mark.parametrize("q", [1, 2, 3])
def test_every_scorer_that_takes_tables_of_labels_scores(model, q):
    X, Y = problem(q)
    peer = scored_peer(q)
    assert {"accuracy", "f1_micro", "roc_auc", "average_precision", "neg_brier_score"} <= set(peer)
    found = scored(clone(model).fit(X[:60], Y[:60]), X[60:], Y[60:])
    probabilities = {name for name in peer if get_scorer(name)._response_method == "predict_proba"}
    assert set(peer) - set(found) == (set() if hasattr(model, "predict_proba") else probabilities)


def test_a_pipeline_in_cross_validation():
    X, Y = problem()
    pipeline = make_pipeline(GRRO(n_features_to_select=3), MLkNN())
    scores = cross_val_score(pipeline, X, Y, scoring=make_scorer(f1_score, average="micro"))
    assert (scores > 0.6).all()


@every_model
@pytest.mark.parametrize("q", [1, 2, 3])
def test_a_scorer_sees_what_the_classifier_says(model, q):
    X, Y = problem(q)
    model = clone(model).fit(X[:60], Y[:60])
    scores = (model.decision_function if hasattr(model, "decision_function") else model.predict_proba)(X[60:])
    assert scores.shape == Y[60:].shape
    found = make_scorer(roc_auc_score, response_method=("decision_function", "predict_proba"))(model, X[60:], Y[60:])
    assert found == roc_auc_score(Y[60:], scores)
    assert model.score(X[60:], Y[60:]) == accuracy_score(Y[60:], model.predict(X[60:]))
    if hasattr(model, "decision_function"):
        assert np.array_equal(model.predict(X[60:]), scores > 0)


@pytest.mark.parametrize(
    ("model", "grid"),
    [
        (MLkNN(), {"mlknn__k": [3, 9]}),
        (BRLR(), {"brlr__C": [0.1, 10]}),
        (BRSVM(), {"brsvm__C": [0.1, 10]}),
        (BRCART(), {"brcart__max_depth": [1, 4]}),
        (BRNB(), {"brnb__var_smoothing": [1e-9, 0.1]}),
        (RidgeOutputs(), {"ridgeoutputs__alpha": [0.1, 10]}),
        (ProblemTransformation(), {"problemtransformation__kind": ["br", "cc"]}),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning", "ignore:The y_prob values do not sum")
def test_a_search_over_a_method_and_a_classifier(model, grid):
    X, Y = problem()
    scorers = ["f1_micro", "roc_auc"]
    if isinstance(model, MLkNN | RidgeOutputs):
        # All there are, for one with probabilities and one with decisions.
        scorers = sorted(scored(clone(model).fit(X[:60], Y[:60]), X[60:], Y[60:]))
        assert {"accuracy", "f1_micro", "roc_auc"} <= set(scorers)
    search = GridSearchCV(
        make_pipeline(GRRO(), model),
        {"grro__n_features_to_select": [1, 4], **grid},
        cv=3,
        scoring=scorers,
        refit="f1_micro",
    ).fit(X, Y)
    assert search.best_params_["grro__n_features_to_select"] == 4
    results = search.cv_results_
    for scorer in scorers:
        assert np.isfinite(results[f"mean_test_{scorer}"]).all()
    first = make_pipeline(GRRO(), clone(model)).set_params(**results["params"][0])
    scores = cross_val_score(first, X, Y, cv=3, scoring=make_scorer(f1_score, average="micro"))
    assert results["mean_test_f1_micro"][0] == pytest.approx(scores.mean())


@every_model
def test_predictions_of_folds(model):
    X, Y = problem()
    for method in ("predict_proba", "decision_function"):
        if hasattr(model, method):
            out_of_fold = cross_val_predict(model, X, Y, cv=3, method=method)
            assert out_of_fold.shape == Y.shape
            assert roc_auc_score(Y, out_of_fold) > 0.7


@every_model
@pytest.mark.parametrize("kind", [bool, np.int8, np.int64, np.float64])
def test_labels_are_predicted_in_the_type_they_came_in(model, kind):
    X, Y = problem()
    predicted = clone(model).fit(X, Y.astype(kind)).predict(X)
    assert predicted.dtype == kind
    assert set(np.unique(predicted).tolist()) == {0, 1}
