"""What every registered selector must do, whatever its method."""

import dataclasses
import re
import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
import sklearn.utils.estimator_checks as checks
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline

from mlfs.datasets import make_synthetic
from mlfs.errors import MlfsError, ParameterError
from mlfs.selectors import SELECTORS, make_selector
from mlfs.selectors.base import FAMILIES, GreedySelector
from mlfs.selectors.evidence import Evidence
from tests.selectors.data import awkward

every_method = pytest.mark.parametrize("method", SELECTORS)
FEW = {"max_iter": 20, "n_trees": 5}


def short(method, **parameters):
    """The method, its iterations ended early and its trees few: what is asked here needs no more of them."""
    few = {name: value for name, value in FEW.items() if name in SELECTORS[method].parameters}
    return make_selector(method, **few, **parameters)


@pytest.fixture(autouse=True)
def quiet():
    # Iteration limits and pruned labelsets are reported on purpose; their own tests look for the words.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.filterwarnings("ignore", message="No labelset occurs")
        warnings.filterwarnings("ignore", message="No features were selected")
        yield


@every_method
def test_says_what_it_is(method):
    selector = SELECTORS[method]
    for text in (selector.name, selector.summary, selector.formula, selector.paper, selector.cost, selector.__doc__):
        assert text.strip()
    assert 1 <= selector.summary.count(". ") + 1 <= 3
    for name, parameter in selector.parameters.items():
        assert parameter.name == name
        assert parameter.meaning
        assert parameter.describe_range()
        assert parameter.kind in ("integer", "number", "choice", "columns", "jobs")
    assert selector.family in FAMILIES
    assert 3 <= len(selector.long_name) <= 40  # a menu of the sidebar has no room for more
    assert not selector.long_name.endswith(".")
    if selector.__module__.startswith("mlfs."):  # a method of one's own need not be published
        assert bool(selector.year) == (selector.family != "baselines")
    assert selector.year in selector.paper
    assert not selector.slips or selector.slips.endswith(".")
    if "variant" in selector.parameters:
        assert set(selector.variants) == set(selector.parameters["variant"].choices)


@every_method
def test_the_least_of_every_whole_number_is_allowed(method):
    X, Y = awkward(0)
    for name, parameter in SELECTORS[method].parameters.items():
        if parameter.kind == "integer" and name not in FEW:
            assert len(short(method, **{name: parameter.low}).fit(X, Y).ranking_)


@every_method
def test_scikit_learns_own_checks(method, monkeypatch):
    def two_labels(estimator, y):
        """scikit-learn's checks make targets of all kinds; ours are tables of 0 and 1."""
        y = np.asarray(y, dtype=object if np.asarray(y).dtype == object else float)
        return np.column_stack([y == y.flat[0], y > y.flat[0]]).astype(int)

    monkeypatch.setattr(checks, "_enforce_estimator_tags_y", two_labels)
    ran = 0
    for estimator, check in checks.estimator_checks_generator(short(method)):
        try:
            check(estimator)
            ran += 1
        except checks.SkipTest:
            pass
    assert ran > 25


@every_method
def test_shapes_and_support(method):
    X, Y = awkward(0)
    selector = short(method, n_features_to_select=4).fit(X, Y)
    assert selector.scores_.shape == (8,)
    assert len(set(selector.ranking_)) == len(selector.ranking_)
    chosen = selector.ranking_[: selector.n_selected_]
    assert selector.get_support(indices=True).tolist() == sorted(chosen)
    assert np.array_equal(selector.transform(X), X[:, sorted(chosen)])
    in_order = selector.scores_[selector.ranking_]
    assert not np.isnan(in_order).any()
    if isinstance(selector, GreedySelector) and np.isnan(selector.scores_).any():
        assert len(selector.ranking_) == 4
    else:
        assert (np.diff(in_order) <= 1e-9 * np.abs(in_order[np.isfinite(in_order)]).max(initial=0)).all()


@every_method
def test_prepare_then_tune_is_fit(method):
    X, Y = awkward(1)
    fitted = short(method, n_features_to_select=3).fit(X, Y)
    other = short(method, n_features_to_select=5)
    evidence = other.prepare(X, Y)
    other.fit_prepared(evidence)
    again = clone(fitted).fit_prepared(evidence)
    assert np.array_equal(again.scores_, fitted.scores_, equal_nan=True)
    assert np.array_equal(again.ranking_, fitted.ranking_)
    if "n_bins" in other.parameters:
        with pytest.raises(ParameterError, match="prepare it again"):
            short(method, n_bins=3).fit_prepared(evidence)


@every_method
def test_sparse_is_dense(method):
    X, Y = awkward(2)
    X[np.random.default_rng(0).random(X.shape) < 0.5] = 0
    dense = short(method, n_features_to_select=6).fit(X, Y)
    for form in (sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array):
        thin = short(method, n_features_to_select=6).fit(form(X), Y)
        np.testing.assert_allclose(thin.scores_, dense.scores_, rtol=1e-7, atol=1e-8)
        assert np.array_equal(thin.ranking_, dense.ranking_)
        assert sparse.issparse(thin.transform(form(X)))


@every_method
def test_one_thread_is_two(method):
    X, Y = awkward(3, n=120, d=30, q=9)
    one = short(method, n_jobs=1).fit(X, Y)
    two = short(method, n_jobs=2).fit(X, Y)
    assert np.array_equal(one.scores_, two.scores_, equal_nan=True)
    assert np.array_equal(one.ranking_, two.ranking_)


@every_method
def test_inputs_are_never_touched(method):
    X, Y = awkward(4)
    X_before, Y_before = X.copy(), Y.copy()
    X.setflags(write=False)
    Y.setflags(write=False)
    short(method).fit(X, Y)
    thin = sparse.csr_matrix(X)
    for part in (thin.data, thin.indices, thin.indptr):
        part.setflags(write=False)
    short(method).fit(thin, Y)
    assert np.array_equal(X, X_before)
    assert np.array_equal(Y, Y_before)
    assert np.array_equal(thin.toarray(), X_before)


@every_method
def test_evidence_is_nobodys_to_spoil(method):
    """Neither the caller's X nor a result shares memory with the evidence."""
    X, Y = awkward(4)
    for form in (np.array, sparse.csr_matrix):
        given = form(X)
        selector = short(method)
        evidence = selector.prepare(given, Y)
        scores = short(method).fit(X, Y).scores_
        values = given.data if sparse.issparse(given) else given
        values[:] = values[::-1].copy()
        first = short(method).fit_prepared(evidence)
        np.testing.assert_allclose(first.scores_, scores, rtol=1e-7, atol=1e-8)
        first.scores_[:] = -99.0
        np.testing.assert_allclose(short(method).fit_prepared(evidence).scores_, scores, rtol=1e-7, atol=1e-8)


@every_method
def test_repeated_sparse_entries_are_summed(method):
    X, Y = awkward(2)
    n, d = X.shape
    halves = np.repeat(X.ravel() / 2, 2), np.repeat(np.tile(np.arange(d), n), 2), np.arange(n + 1) * 2 * d
    twice = short(method).fit(sparse.csr_matrix(halves, shape=X.shape), Y)
    once = short(method).fit(sparse.csr_matrix(X), Y)
    assert np.array_equal(twice.ranking_, once.ranking_)


def test_preparing_is_not_fitting():
    X, Y = awkward(0)
    selector = make_selector("els")
    selector.prepare(X, Y)
    with pytest.raises(NotFittedError):
        selector.transform(X)
    fitted = make_selector("els", n_features_to_select=8).fit(X, Y)
    with pytest.raises(ParameterError):
        fitted.fit(X[:, :4], Y)
    assert fitted.get_support().sum() == 8
    with pytest.raises(ParameterError, match="needs evidence from prepare"):
        selector.fit_prepared(X)


@pytest.mark.parametrize("method", ["br_cc", "mfs"])
@pytest.mark.parametrize("offset", [1e5, 1e8])
def test_a_large_offset_does_not_eat_the_digits(method, offset):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 5)), rng.integers(0, 2, (60, 3))
    plain = short(method).fit(X, Y).scores_
    for form in (np.array, sparse.csr_matrix):
        np.testing.assert_allclose(short(method).fit(form(X + offset), Y).scores_, plain, rtol=1e-5)


def test_numbers_that_overflow_and_codes_that_are_none():
    X, Y = awkward(0)
    with pytest.raises(ValueError, match="scale the features first"):
        make_selector("mfs").fit(X * 1e160, Y)
    with pytest.raises(ValueError, match="whole numbers from 0 to 2147483647"):
        make_selector("els", categorical_features=[1]).fit(X + 0.5, Y)


def test_grids_are_lists():
    X, Y = awkward(0)
    selector = make_selector("grro")
    evidence = selector.prepare(X, Y)
    with pytest.raises(ParameterError, match=r"path needs a list of values for alpha, not 1\.0"):
        selector.path(evidence, alpha=1.0)
    with pytest.raises(ParameterError, match="grro has no parameter 'alfa': did you mean 'alpha'"):
        selector.path(evidence, alfa=[1.0])


DEGENERATE = {
    "one label": lambda X, Y: (X, Y[:, [0]]),
    "no positive at all": lambda X, Y: (X, np.zeros_like(Y)),
    "every label everywhere": lambda X, Y: (X, np.ones_like(Y)),
    "all features constant": lambda X, Y: (np.ones_like(X), Y),
    "all features the same": lambda X, Y: (np.repeat(X[:, [3]], 8, axis=1), Y),
    "more features than rows": lambda X, Y: (np.tile(X[:6], (1, 3)), Y[:6]),
    "one feature": lambda X, Y: (X[:, [3]], Y),
    "two rows": lambda X, Y: (X[:2], Y[:2]),
}


@every_method
@pytest.mark.parametrize("case", DEGENERATE)
def test_degenerate_data(method, case):
    X, Y = DEGENERATE[case](*awkward(5))
    with np.errstate(all="raise", under="ignore"):
        selector = short(method).fit(X, Y)
    d = X.shape[1]
    assert selector.scores_.shape == (d,)
    assert not np.isnan(selector.scores_[selector.ranking_]).any()
    assert len(selector.ranking_) == d


@every_method
def test_ties_go_to_the_lowest_index(method):
    if method in ("random", "forest"):
        pytest.skip("chance decides, as its card says")
    X, Y = awkward(6)
    X[:, 6] = X[:, 5]
    order = make_selector(method).fit(X, Y).ranking_.tolist()
    assert order.index(1) < order.index(2)
    assert order.index(5) < order.index(6)


@every_method
def test_the_order_of_labels_does_not_matter(method):
    X, Y = awkward(0, n=120)
    plain, turned = (short(method).fit(X, labels).scores_ for labels in (Y, Y[:, ::-1]))
    np.testing.assert_allclose(turned, plain, rtol=1e-6, atol=1e-9)


@every_method
def test_named_columns(method):
    X, Y = awkward(7)
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(8)])
    selector = short(method, n_features_to_select=3).fit(frame, pd.DataFrame(Y))
    names = selector.get_feature_names_out()
    assert names.tolist() == [f"f{j}" for j in selector.get_support(indices=True)]


@every_method
def test_bad_parameters_name_their_range(method):
    X, Y = awkward(8)
    with pytest.raises(ParameterError, match=r"from 1 to 8 \(the number of features\).*not 9\b"):
        make_selector(method, n_features_to_select=9).fit(X, Y)
    for name, parameter in SELECTORS[method].parameters.items():
        with pytest.raises(ParameterError, match=f"^{name} must be .*not 'nonsense'"):
            make_selector(method, **{name: "nonsense"}).fit(X, Y)
        if parameter.kind in ("integer", "number"):
            if parameter.low is not None:
                with pytest.raises(ParameterError, match=f"^{name} must be"):
                    make_selector(method, **{name: -1e300 if parameter.kind == "number" else -(10**9)}).fit(X, Y)
            with pytest.raises(ParameterError, match=f"^{name} must be"):
                make_selector(method, **{name: float("nan")}).fit(X, Y)


@every_method
def test_bad_data_gets_a_sentence(method):
    X, Y = awkward(9)
    selector = make_selector(method)
    bad = X.copy()
    bad[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        selector.fit(bad, Y)
    with pytest.raises(ValueError, match="only 0 and 1; row 3, column 1 holds"):
        selector.fit(X, np.where(np.arange(Y.size).reshape(Y.shape) == 3 * Y.shape[1] + 1, 2, Y))
    with pytest.raises(ValueError, match="same rows: X has 40, Y has 39"):
        selector.fit(X, Y[:-1])
    with pytest.raises(ValueError, match="at least one label"):
        selector.fit(X, Y[:, :0])
    for masked in ((np.ma.masked_array(X, mask=X > 1), Y), (X, np.ma.masked_array(Y, mask=Y > 0))):
        with pytest.raises(ValueError, match="has masked values"):
            selector.fit(*masked)
    with pytest.raises(ValueError, match=r"only 0 and 1; row 0, column 0 holds '[01]'"):
        selector.fit(X, Y.astype(str))
    with pytest.raises(ValueError, match="only 0 and 1; row 0, column 0 holds <NA>"):
        selector.fit(X, pd.DataFrame(Y).astype("Int64").mask(Y >= 0))


# What speaks against labels comes last in them, or gets no weight: their cards say so.
ONLY_POSITIVE = ("bmfs", "cmfs", "mfs_mcdm", "ssfs", "scmfs", "rfsfs", "srfs", "scnmf")


@cache
def easy(seed):
    """Data of which ten of sixty features are relevant, and an order of the features by chance."""
    data = make_synthetic(
        n_instances=500, n_relevant=10, n_redundant=0, n_irrelevant=50, n_labels=5, label_density=0.3, seed=seed
    )
    return data, make_selector("random", n_features_to_select=20, random_state=seed).fit(data.X, data.Y).ranking_


@every_method
def test_finds_what_is_relevant(method):
    if method in ("random", "all_features"):
        pytest.skip("a baseline")
    # Two bins: conditioning on all picks at once (cmi_*) runs out of rows after two or three picks with five.
    parameters = {"n_bins": 2} if "n_bins" in SELECTORS[method].parameters else {}
    if method == "ssfs":
        # By default it hardly looks at the labels, as `notes_` says: it rebuilds the features for their own sake.
        parameters["alpha"] = 10.0
    found, by_chance, against = [], [], []
    for seed in range(5):
        data, chance = easy(seed)
        truth, first = data.truth, make_selector(method, n_features_to_select=20, **parameters).fit(data.X, data.Y)
        if method in ONLY_POSITIVE:
            speaks_for = truth.weights.sum(axis=1) > 0
            relevant = np.array(truth.relevant)
            truth = dataclasses.replace(truth, relevant=tuple(relevant[speaks_for]))
            against.append(np.isin(relevant[~speaks_for], first.ranking_[:20]).mean())
        found.append(truth.recovery(first.ranking_, 20))
        by_chance.append(truth.recovery(chance, 20))
    assert np.mean(found) > np.mean(by_chance) + 0.2
    if method in ONLY_POSITIVE:
        assert np.mean(against) < np.mean(by_chance)
        assert re.search("high where labels are absent|low where a label is present", SELECTORS[method].summary)


def test_pipeline_and_grid_search():
    """Four features are the labels. Only with all four, and with the labels looked at, is every row predicted."""
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (120, 4))
    # By their own entropy, which is all that els goes by without labels, the features of noise come first.
    X = np.hstack([rng.integers(0, 5, (120, 4)), Y])
    pipe = make_pipeline(make_selector("els"), MultiOutputClassifier(LogisticRegression()))
    search = GridSearchCV(pipe, {"els__n_features_to_select": [2, 4], "els__n_labels": [0, 4]}, cv=2).fit(X, Y)
    assert search.best_params_ == {"els__n_features_to_select": 4, "els__n_labels": 4}
    assert search.best_score_ == 1
    assert (np.sort(search.cv_results_["mean_test_score"])[:-1] < 0.9).all()
    assert search.best_estimator_[0].get_support(indices=True).tolist() == [4, 5, 6, 7]


def test_a_difference_that_is_only_rounding_is_a_tie_at_every_pick():
    class AlmostEqual(GreedySelector):
        """Offers the same scores again and again."""

        def _evidence(self, X, Y):
            return Evidence(X, Y)

        def _search(self, evidence):
            while True:
                yield np.array([0.5, 1.0, 1.0 + 1e-15])

    X, Y = awkward(0)
    assert AlmostEqual(n_features_to_select=3).fit(X[:, :3], Y).ranking_.tolist() == [1, 2, 0]


def test_unknown_names_get_the_nearest():
    with pytest.raises(ParameterError, match=r"There is no method 'jmi_rb': did you mean 'jmi_br'\?"):
        make_selector("jmi_rb")
    with pytest.raises(MlfsError, match=r"els has no parameter 'n_label': did you mean 'n_labels'\?"):
        make_selector("els", n_label=3)
    with pytest.raises(ParameterError, match=r"discretization must be one of .*did you mean 'equal_width'"):
        make_selector("els", discretization="equal_widht").fit(*awkward(0))


def test_random_depends_on_its_seed_alone():
    X, Y = awkward(0)
    first, again, other = (make_selector("random", random_state=s).fit(X, Y).ranking_ for s in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_all_features_selects_all():
    X, Y = awkward(0)
    selector = make_selector("all_features", n_features_to_select=2).fit(X, Y)
    assert selector.n_selected_ == 8
    assert selector.ranking_.tolist() == list(range(8))
