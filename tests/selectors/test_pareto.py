"""MAPD and ParFS: Algorithm 1 of the paper in plain loops, and the paper's statements as properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mlfs.errors import ParameterError
from mlfs.selectors import make_selector, pareto
from mlfs.selectors.pareto import Dominance, dominance, dominators_of, front, selected_against_alpha, wins_needed
from tests.information.brute import H, M
from tests.selectors.data import awkward

data = st.builds(awkward, st.integers(0, 10**6), n=st.integers(5, 50), d=st.integers(4, 10), q=st.integers(4, 8))
alphas = st.floats(0.5, 1, exclude_min=True, exclude_max=True)


def uncertainty(X, Y):
    """SU(f, l) from the definition; rounded, so that a difference of rounding is none."""
    table = [[H(f) + H(l) and 2 * M(f, l) / (H(f) + H(l)) for l in Y.T] for f in X.T]  # noqa: E741
    return np.round(np.array(table, dtype=float), 11)


def wins(SU):
    """(d, d): in how many labels the second feature beats the first."""
    return np.array([[sum(b > a for a, b in zip(mine, theirs, strict=True)) for theirs in SU] for mine in SU])


def algorithm_1(X, Y, alpha):
    """The number of features that dominate each feature."""
    count, q = wins(uncertainty(X, Y)), Y.shape[1]
    return [sum(int(count[i, j]) > alpha * q for j in range(len(count)) if j != i) for i in range(len(count))]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alpha", [0.51, 0.6, 0.7, 0.8, 0.9])
def test_mapd_is_algorithm_1(seed, alpha):
    X, Y = awkward(seed, d=12, q=7)
    selector = make_selector("mapd", alpha=alpha).fit(X, Y)
    dominators = algorithm_1(X, Y, alpha)
    assert selector.dominators_.tolist() == dominators
    assert selector.n_selected_ == dominators.count(0)
    assert selector.get_support(indices=True).tolist() == [i for i, k in enumerate(dominators) if k == 0]
    mean = np.round(uncertainty(X, Y).mean(axis=1), 10)
    assert selector.ranking_.tolist() == sorted(range(12), key=lambda i: (dominators[i], -mean[i], i))


@pytest.mark.parametrize("seed", range(4))
def test_parfs_is_the_pareto_front(seed):
    X, Y = awkward(seed, d=12, q=4)
    Y[:, 1] = 1 - Y[:, 0]
    count = wins(uncertainty(X, Y))
    selector = make_selector("parfs").fit(X, Y)
    assert selector.dominators_.tolist() == (count == 4).sum(axis=1).tolist()
    assert 0 < selector.n_selected_ < 12


def test_scores_are_negative_exactly_outside_the_set():
    selector = make_selector("mapd", alpha=0.7).fit(*awkward(3, d=12))
    assert ((selector.scores_ < 0) == (selector.dominators_ > 0)).all()
    assert (np.floor(selector.scores_) == -selector.dominators_).all()


@given(data, alphas, alphas)
@settings(max_examples=60)
def test_a_smaller_alpha_selects_fewer(case, one, other):
    selector = make_selector("mapd")
    path = selector.path(selector.prepare(*case), alpha=[min(one, other), max(one, other)])
    small, large = (fitted.get_support() for fitted in path.fitted)
    assert (small <= large).all()


@given(data)
@settings(max_examples=40)
def test_mapd_near_one_is_parfs(case):
    q = case[1].shape[1]
    mapd, parfs = make_selector("mapd"), make_selector("parfs")
    evidence = mapd.prepare(*case)
    parfs.fit_prepared(evidence)
    for fitted in mapd.path(evidence, alpha=[(q - 1) / q, (q - 0.5) / q, 1 - 1e-15]).fitted:
        assert np.array_equal(fitted.dominators_, parfs.dominators_)
        assert np.array_equal(fitted.ranking_, parfs.ranking_)


@given(data, alphas, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_order_of_features_and_labels_does_not_matter(case, alpha, random):
    X, Y = case
    features, labels = list(range(X.shape[1])), list(range(Y.shape[1]))
    random.shuffle(features)
    random.shuffle(labels)
    plain = make_selector("mapd", alpha=alpha).fit(X, Y)
    mixed = make_selector("mapd", alpha=alpha).fit(X[:, features], Y[:, labels])
    assert np.array_equal(mixed.dominators_, plain.dominators_[features])


def test_duplicates_do_not_dominate_each_other():
    X, Y = awkward(4, d=6)
    selector = make_selector("mapd", alpha=0.51)
    evidence = selector.prepare(np.hstack([X, X]), Y)
    assert np.array_equal(*np.split(selector.fit_prepared(evidence).dominators_, 2))
    for f in range(6):
        assert not set(dominators_of(evidence, f, 0.51)) & {f, f + 6}


def test_rounding_is_no_win():
    """The same feature under other codes: its SU is summed in another order."""
    rng = np.random.default_rng(0)
    X, Y = rng.integers(0, 5, (500, 20)), (rng.random((500, 10)) < 0.2).astype(int)
    evidence = make_selector("mapd").prepare(np.hstack([X, np.array([3, 1, 4, 0, 2])[X]]), Y)
    first, second = np.split(evidence.tables.symmetrical_uncertainty, 2)
    assert (first != second).any()
    assert np.array_equal(*np.split(dominance(evidence).levels, 2, axis=1))


@pytest.mark.parametrize(("alpha", "wins"), [(0.57, 58), (0.58, 59), (0.99, 100), (1 - 1e-14, 100), (0.575, 58)])
def test_more_than_alpha_of_a_hundred_labels(alpha, wins):
    """0.57 · 100 is less than 57 in floating point, yet 57 wins are not more than 57."""
    assert wins_needed(alpha, 100) == wins


def in_a_circle():
    """Three features, each strong in one label, middling in the next, blind to the third."""
    Y = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)] * 10)
    blur = np.arange(80) // 8 == 0
    return np.column_stack([2 * Y[:, i] + (Y[:, (i + 1) % 3] ^ blur) for i in range(3)]).astype(float), Y


def test_dominance_may_run_in_a_circle():
    X, Y = in_a_circle()
    selector = make_selector("mapd", alpha=0.6)
    evidence = selector.prepare(X, Y)
    selector.fit_prepared(evidence)
    assert selector.dominators_.tolist() == [1, 1, 1]
    assert [dominators_of(evidence, i, 0.6).tolist() for i in range(3)] == [[1], [2], [0]]
    assert selector.n_selected_ == 0
    assert selector.ranking_.tolist() == [0, 1, 2]
    assert any("nothing is selected. A larger alpha keeps more" in note for note in selector.notes_)
    with pytest.warns(UserWarning, match="No features were selected"):
        assert selector.transform(X).shape == (80, 0)
    assert make_selector("mapd", alpha=0.7).fit(X, Y).n_selected_ == 3


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("labels", [[2], [0, 4], [4, 2, 0], [0, 1, 2, 3, 4]])
def test_front_of_chosen_labels(seed, labels):
    X, Y = awkward(seed, d=15)
    evidence = make_selector("mapd").prepare(X, Y)
    count = wins(uncertainty(X, Y)[:, labels])
    assert front(evidence, labels).tolist() == (count < len(labels)).all(axis=1).tolist()


def test_front_of_many_features():
    """More features than are compared at a time, with few and with many on the front."""
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (60, 3))
    X = np.where(rng.random((60, 700)) < rng.random(700), Y[:, rng.integers(0, 3, 700)], rng.integers(0, 2, (60, 700)))
    selector = make_selector("parfs")
    evidence = selector.prepare(X, Y)
    level = evidence.tables.symmetrical_uncertainty.round(11)
    for labels in ([0], [1, 2], [0, 1, 2]):
        beaten = (level[None, :, labels] > level[:, None, labels]).all(axis=2).any(axis=1)
        assert np.array_equal(front(evidence, labels), ~beaten)
    assert np.array_equal(front(evidence, [0, 1, 2]), selector.fit_prepared(evidence).dominators_ == 0)


@given(data)
@settings(max_examples=40)
def test_count_against_alpha(case):
    selector = make_selector("mapd")
    evidence = selector.prepare(*case)
    starts, counts = selected_against_alpha(evidence)
    assert starts[0] == 0.5
    assert starts[-1] == 1
    assert (np.diff(counts) >= 0).all()
    inside = np.concatenate([starts[1:-1], (starts[:-1] + starts[1:]) / 2])
    expected = np.concatenate([counts[1:-1], counts[:-1]])
    assert selector.path(evidence, alpha=inside.tolist()).n_selected.tolist() == expected.tolist()


def test_curve_of_one_and_two_labels():
    X, Y = awkward(0)
    for q in (1, 2):
        starts, counts = selected_against_alpha(make_selector("mapd").prepare(X, Y[:, :q]))
        assert starts.tolist() == [0.5, 1]
        assert counts.tolist() == [make_selector("parfs").fit(X, Y[:, :q]).n_selected_] * 2


@pytest.mark.parametrize("q", [3, 255, 256, 300])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_counts_of_any_number_of_labels_and_blocks(q, n_jobs, monkeypatch):
    monkeypatch.setattr(pareto, "ROWS", 4)
    monkeypatch.setattr(pareto, "COLUMNS", 7)
    table = np.random.default_rng(q).integers(0, 9, (23, q)) / 9
    table[5] = 2
    compared = Dominance(table, n_jobs=n_jobs)
    count = wins(table)
    for i in range(23):
        expected = np.bincount(np.delete(count[i], i), minlength=q + 1)
        assert compared.beaten[i].tolist() == expected.tolist()
    assert compared.most_beaten.tolist() == count.max(axis=1).tolist()
    assert compared.most_beaten[0] == q


def test_the_set_has_its_own_size():
    X, Y = awkward(1)
    plain = make_selector("mapd").fit(X, Y)
    assert plain.notes_ == []
    told = make_selector("mapd", n_features_to_select=7).fit(X, Y)
    assert told.n_selected_ == plain.n_selected_ != 7
    assert any("n_features_to_select=7 does not change it" in note for note in told.notes_)
    assert sorted(told.ranking_) == list(range(8))


def test_sparse_counts_are_the_same():
    X, Y = awkward(2)
    thin, full = (make_selector("mapd").fit(form, Y) for form in (sparse.csr_matrix(X), X))
    assert np.array_equal(thin.dominators_, full.dominators_)


@pytest.mark.parametrize("alpha", [0.5, 1, 0.4, 1.1])
def test_alpha_lies_between_half_and_one(alpha):
    with pytest.raises(ParameterError, match=rf"alpha must be a number between 0\.5 and 1, not {alpha}"):
        make_selector("mapd", alpha=alpha).fit(*awkward(0))


def test_bad_questions_get_a_sentence():
    evidence = make_selector("mapd").prepare(*awkward(0))
    with pytest.raises(ParameterError, match="Choose at least one label"):
        front(evidence, [])
    with pytest.raises(ParameterError, match="A label must be a whole number from 0 to 4, not 5"):
        front(evidence, [0, 5])
    with pytest.raises(ParameterError, match="A feature must be a whole number from 0 to 7, not -1"):
        dominators_of(evidence, -1, 0.6)
    with pytest.raises(ParameterError, match=r"alpha must be a number between 0\.5 and 1, not 1"):
        dominators_of(evidence, 0, 1)
