"""Selectors of scikit-learn rank like our own: by scores, rankings, importances or their choice."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import (
    RFE,
    SelectFromModel,
    SelectKBest,
    SelectPercentile,
    SequentialFeatureSelector,
    VarianceThreshold,
    chi2,
    f_classif,
)
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier

from mlfs.errors import ParameterError
from mlfs.selectors import SELECTORS, ScikitLearnSelector, adapted, make_selector


def problem(n=60, d=6, q=3):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (n, d)).astype(float)
    return X, (X[:, [4, 1, 4]][:, :q] + rng.normal(size=(n, q)) > 1.5).astype(int)


def fitted(selector, X, Y, **more):
    return ScikitLearnSelector(selector=selector, **more).fit(X, Y)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_scores_rank(form):
    X, Y = problem()
    found = fitted(SelectKBest(chi2, k=2), form(X), Y)
    np.testing.assert_allclose(found.scores_, chi2(X, Y)[0])
    assert found.ranking_.tolist() == np.argsort(-chi2(X, Y)[0]).tolist()
    assert found.n_selected_ == 2
    assert np.array_equal(found.get_support(), SelectKBest(chi2, k=2).fit(X, Y).get_support())
    assert np.array_equal(found.transform(X), X[:, sorted(found.ranking_[:2])])


@pytest.mark.filterwarnings("ignore:.*constant", "ignore:invalid value")
def test_one_label_is_a_single_target():
    X, Y = problem(q=1)
    X[:, 3] = 7.0  # constant: f_classif gives no number
    found = fitted(SelectPercentile(f_classif, percentile=40), X, Y)
    scores = f_classif(X, Y.ravel())[0]
    np.testing.assert_allclose(found.scores_, scores)
    assert 3 not in found.ranking_
    assert found.ranking_[0] == np.nanargmax(scores)


def test_a_ranking_ranks():
    X, Y = problem()
    peer = RFE(DecisionTreeClassifier(random_state=0), n_features_to_select=1).fit(X, Y)
    found = fitted(RFE(DecisionTreeClassifier(random_state=0), n_features_to_select=1), X, Y)
    assert peer.ranking_[found.ranking_].tolist() == [1, 2, 3, 4, 5, 6]
    assert found.notes_ == []
    several = fitted(RFE(DecisionTreeClassifier(random_state=0), n_features_to_select=3), X, Y)
    assert several.ranking_[:3].tolist() == sorted(several.ranking_[:3])
    assert "RFE ranks 3 features first, which stand in the order of columns" in several.notes_[0]


def test_importances_rank():
    X, Y = problem()
    forest = RandomForestClassifier(10, random_state=0)
    found = fitted(SelectFromModel(forest), X, Y)
    importances = clone(forest).fit(X, Y).feature_importances_
    assert found.ranking_.tolist() == np.argsort(-importances).tolist()
    assert found.n_selected_ == (importances >= importances.mean()).sum()
    linear = fitted(SelectFromModel(Ridge()), X, Y)
    assert linear.ranking_.tolist() == np.argsort(-np.abs(Ridge().fit(X, Y).coef_).sum(axis=0)).tolist()


def test_a_choice_without_an_order_is_told():
    X, Y = problem()
    found = fitted(SequentialFeatureSelector(Ridge(), n_features_to_select=2, cv=2), X, Y)
    assert found.ranking_.tolist() == sorted(found.ranking_)
    assert len(found.ranking_) == found.n_selected_ == 2
    assert np.isnan(found.scores_).sum() == 4
    assert "says which features it selects, not in which order" in found.notes_[0]
    assert fitted(VarianceThreshold(), X, Y).ranking_.tolist() == [0, 1, 2, 3, 4, 5]


def test_a_category_counts_as_its_best():
    X, Y = problem()
    found = fitted(SelectKBest(chi2, k=1), X, Y, categorical_features=(1, 4))
    assert len(found.ranking_) == 6
    hot = (X[:, [4]] == np.unique(X[:, 4])).astype(float)
    assert found.scores_[4] == pytest.approx(chi2(hot, Y)[0].max())
    assert found.scores_[0] == pytest.approx(chi2(X, Y)[0][0])


def test_seeds_are_given_where_there_are_none():
    X, Y = problem()
    model = SelectFromModel(RandomForestClassifier(5))
    one, again, other = (fitted(model, X, Y, random_state=seed).scores_ for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert model.estimator.random_state is None
    own = SelectFromModel(RandomForestClassifier(5, random_state=3))
    assert np.array_equal(*(fitted(own, X, Y, random_state=seed).scores_ for seed in (1, 2)))


def test_what_takes_one_target_only_is_refused_in_a_sentence():
    X, Y = problem()
    message = (
        r"^SelectKBest does not take a table of 3 labels \(.*1d array.*\): take one that does, such as SelectFromModel"
    )
    with pytest.raises(ParameterError, match=message):
        fitted(SelectKBest(k=3), X, Y)
    with pytest.raises(ParameterError, match="SelectFromModel does not take a table of 3 labels"):
        fitted(SelectFromModel(LogisticRegression()), X, Y)
    with pytest.raises(ParameterError, match=r"SelectKBest cannot be fitted to these data: .*negative"):
        fitted(SelectKBest(chi2, k=3), -X, Y[:, :1])


def test_what_is_no_selector_is_refused():
    X, Y = problem()
    for wrong in (None, Ridge(), SelectKBest, make_selector("els")):
        with pytest.raises(ParameterError, match="selector must be a selector of scikit-learn, such as SelectKBest"):
            fitted(wrong, X, Y)


def test_its_name_and_settings():
    assert adapted(SelectKBest()).settings == {}
    assert adapted(SelectKBest(chi2, k=3)).settings == {"k": 3, "score_func": "chi2"}
    assert adapted(SelectFromModel(Ridge(alpha=2.0))).settings == {"estimator": "Ridge(alpha=2.0)"}
    assert adapted(SelectKBest()).id == "SelectKBest"
    assert not {"SelectKBest", "ScikitLearnSelector"} & set(SELECTORS)
    els = make_selector("els")
    assert adapted(els) is els
    assert adapted("els") == "els"


def test_it_is_an_estimator_itself():
    X, Y = problem()
    model = ScikitLearnSelector(selector=SelectKBest(chi2)).set_params(selector__k=1)
    assert clone(model).get_params()["selector__k"] == 1
    again = pickle.loads(pickle.dumps(model.fit(X, Y)))
    assert np.array_equal(again.ranking_, model.ranking_)
