"""ReliefF-ML and PPT-RF: both formulas in plain loops over rows, labels, neighbours, and what Relief is known for."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mlfs.errors import ParameterError
from mlfs.selectors import make_selector, relief
from tests.selectors.data import awkward
from tests.selectors.parts.test_differences import KINDS
from tests.selectors.parts.test_differences import slow as differences

CODES = [list(KINDS).index("codes")]


def nearest(diff, i, candidates, k):
    """The k candidates nearest to row i; at equal distance the lower row."""
    return sorted((j for j in candidates if j != i), key=lambda j: (round(diff[i, j].sum(), 7), j))[:k]


def relieff(diff, classes, k):
    """ReliefF as Robnik-Šikonja & Kononenko (2003) print it, all rows in turn."""
    n, W = len(classes), np.zeros(diff.shape[2])
    members = {c: np.flatnonzero(classes == c).tolist() for c in set(classes.tolist())}
    for i in range(n):
        hits = nearest(diff, i, members[classes[i]], k)
        if not hits or len(members) == 1:
            continue
        W -= np.mean([diff[i, j] for j in hits], axis=0) / n
        for c, rows in members.items():
            if c != classes[i]:
                prior = len(rows) / n / (1 - len(members[classes[i]]) / n)
                W += prior * np.mean([diff[i, j] for j in nearest(diff, i, rows, k)], axis=0) / n
    return W


def relieff_ml(diff, Y, k, rows=None):
    """The formula in the docstring of the selector."""
    n, W = len(Y), np.zeros(diff.shape[2])
    rows = range(n) if rows is None else rows
    if (Y.sum(axis=1) == 0).any():
        Y = np.column_stack([Y, Y.sum(axis=1) == 0])
    labelsets = [set(np.flatnonzero(y).tolist()) for y in Y]
    every = set(range(Y.shape[1]))
    having = {a: [j for j in range(n) if a in labelsets[j]] for a in every}

    def average(i, label, hit):
        near = nearest(diff, i, having[label], k)
        apart = [len(labelsets[i] ^ labelsets[j]) / len(every) for j in near]
        return np.average(diff[i, near], axis=0, weights=[1 - h if hit else h for h in apart])

    for i in rows:
        for a in labelsets[i]:
            prior = {b: np.mean([b in s and a not in s for s in labelsets]) for b in every - labelsets[i]}
            prior = {b: p for b, p in prior.items() if p > 0}
            if len(having[a]) < 2 or not prior:
                continue
            misses = sum(p / sum(prior.values()) * average(i, b, hit=False) for b, p in prior.items())
            W += (misses - average(i, a, hit=True)) / len(labelsets[i]) / len(rows)
    return W


def mixed(seed, n=30):
    """A column of every kind; one label is never there, one follows a feature."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([make(rng, n) for make in KINDS.values()])
    Y = (rng.random((n, 5)) < [0.1, 0.6, 0.3, 0.0, 0.2]).astype(np.int8)
    Y[:, 2] = (X[:, 1] > 0) & (rng.random(n) < 0.8)
    return X, Y


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [1, 3, 40])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_relieff_ml_is_its_formula(seed, k, form):
    X, Y = mixed(seed)
    selector = make_selector("relieff_ml", n_neighbors=k, categorical_features=CODES).fit(form(X), Y)
    np.testing.assert_allclose(selector.scores_, relieff_ml(differences(X, CODES), Y, k), atol=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_relieff_ml_with_many_ties(seed):
    X, Y = awkward(seed)
    selector = make_selector("relieff_ml", n_neighbors=3).fit(X, Y)
    np.testing.assert_allclose(selector.scores_, relieff_ml(differences(X, []), Y, 3), atol=1e-10)


@pytest.mark.parametrize("near", [[[3, 0, 0, 0], [1, 1, 1, 0]], [[1, 1, 1, 0], [3, 0, 0, 0]]])
@pytest.mark.parametrize("more", [0, 4])
def test_three_thirds_tie_with_one(near, more):
    """Thirds are rounded up or down, as the number of features has it; the tie goes to the lower row all the same."""
    X = np.array([[0, 0, 0, 0], *near, [3, 3, 3, 3], [3, 3, 3, 2]], dtype=float)
    X = np.pad(X, ((0, 0), (0, more)))
    Y = np.array([[1, 0], [0, 1], [0, 1], [1, 0], [0, 1]])
    selector = make_selector("relieff_ml", n_neighbors=1).fit(X, Y)
    np.testing.assert_allclose(selector.scores_, relieff_ml(differences(X, []), Y, 1), atol=1e-10)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("min_count", [1, 3])
def test_ppt_rf_is_relieff_on_the_labelsets_that_stay(seed, min_count):
    X, Y = mixed(seed, n=40)
    Y[0, 3] = 1
    classes = np.array([int("".join(map(str, y)), 2) for y in Y])
    stay = np.flatnonzero([np.sum(classes == c) >= min_count for c in classes])
    assert (len(stay) == 40) == (min_count == 1)
    expected = relieff(differences(X, CODES)[np.ix_(stay, stay)], classes[stay], 4)
    selector = make_selector("ppt_rf", n_neighbors=4, min_count=min_count, categorical_features=CODES).fit(X, Y)
    np.testing.assert_allclose(selector.scores_, expected, atol=1e-10)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("q", [1, 4])
def test_one_label_each_is_relieff(seed, q):
    """With one label too: who does not have it forms the other class."""
    X, _ = mixed(seed)
    classes = np.random.default_rng(seed).integers(0, q + 1, len(X))
    Y = (classes[:, None] == np.arange(q)).astype(int)
    selector = make_selector("relieff_ml", n_neighbors=3).fit(X, Y)
    np.testing.assert_allclose(selector.scores_, relieff(differences(X, []), classes, 3), atol=1e-10)
    pruned = make_selector("ppt_rf", n_neighbors=3, min_count=1).fit(X, Y)
    np.testing.assert_allclose(pruned.scores_, selector.scores_, atol=1e-12)


@pytest.mark.parametrize("method", ["relieff_ml", "ppt_rf"])
def test_sees_features_that_matter_only_together(method):
    """Two features whose exclusive or is the label: by itself neither tells anything."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (300, 8))
    label = X[:, 2] ^ X[:, 5]
    Y = np.column_stack([label, 1 - label])
    assert set(make_selector(method).fit(X, Y).ranking_[:2]) == {2, 5}
    assert set(make_selector("mim_br").fit(X, Y).ranking_[:2]) != {2, 5}


@given(st.integers(0, 10**6), st.integers(1, 12))
@settings(max_examples=25)
def test_weights_lie_within_one_and_ignore_scale_and_order(seed, k):
    rng = np.random.default_rng(seed)
    X, Y = rng.random((25, 6)), (rng.random((25, 4)) < 0.4).astype(int)
    plain = make_selector("relieff_ml", n_neighbors=k).fit(X, Y).scores_
    assert (np.abs(plain) <= 1).all()
    features, labels = rng.permutation(6), rng.permutation(4)
    moved = X[:, features] * rng.choice([-8, 0.25, 16], 6) + rng.integers(-3, 3, 6)
    other = make_selector("relieff_ml", n_neighbors=k).fit(moved, Y[:, labels]).scores_
    np.testing.assert_allclose(other, plain[features], atol=1e-9)


@pytest.mark.parametrize("method", ["relieff_ml", "ppt_rf"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_blocks_do_not_matter(method, form, monkeypatch):
    X, Y = mixed(5, n=60)
    parameters = {"min_count": 2} if method == "ppt_rf" else {}
    whole = make_selector(method, **parameters).fit(form(X), Y).scores_
    monkeypatch.setattr(relief, "BLOCK_CELLS", 60 * 7)
    monkeypatch.setattr("mlfs.selectors.parts.differences.BLOCK_CELLS", 8)
    for n_jobs in (1, 2):
        parts = make_selector(method, n_jobs=n_jobs, **parameters).fit(form(X), Y).scores_
        np.testing.assert_allclose(parts, whole, atol=1e-13)


def test_some_rows_by_seed():
    X, Y = mixed(1)
    first, again, other = (make_selector("relieff_ml", n_samples=8, random_state=s).fit(X, Y) for s in (1, 1, 2))
    assert np.array_equal(first.scores_, again.scores_)
    assert not np.array_equal(first.scores_, other.scores_)
    rows = np.sort(np.random.default_rng(1).choice(30, 8, replace=False)).tolist()
    np.testing.assert_allclose(first.scores_, relieff_ml(differences(X, []), Y, 10, rows), atol=1e-10)
    every = make_selector("relieff_ml", n_samples=30, random_state=9).fit(X, Y)
    assert np.array_equal(every.scores_, make_selector("relieff_ml").fit(X, Y).scores_)


def test_no_more_samples_than_rows():
    with pytest.raises(ParameterError, match=r"n_samples must be a whole number from 1 to 30 \(the number of inst.*31"):
        make_selector("relieff_ml", n_samples=31).fit(*mixed(0))


def test_a_path_is_as_good_as_single_fits():
    X, Y = mixed(2)
    selector = make_selector("relieff_ml")
    path = selector.path(selector.prepare(X, Y), n_neighbors=[1, 5])
    for fitted, k in zip(path.fitted, (1, 5), strict=True):
        assert np.array_equal(fitted.scores_, make_selector("relieff_ml", n_neighbors=k).fit(X, Y).scores_)


def test_constant_features_weigh_nothing_and_copies_the_same():
    X, Y = awkward(3)
    scores = make_selector("relieff_ml").fit(X, Y).scores_
    assert scores[0] == 0
    assert scores[1] == pytest.approx(scores[2], abs=1e-14)


@pytest.mark.parametrize("labels", [np.zeros, np.ones])
@pytest.mark.parametrize("method", ["relieff_ml", "ppt_rf"])
def test_says_when_nothing_can_be_compared(method, labels):
    X, _ = mixed(0)
    selector = make_selector(method).fit(X, labels((30, 3), dtype=int))
    assert (selector.scores_ == 0).all()
    assert len(selector.notes_) == 1
    assert f"{selector.name} scores every feature 0" in selector.notes_[0]
    assert make_selector(method, **{"min_count": 1} if method == "ppt_rf" else {}).fit(*mixed(0)).notes_ == []


def test_ppt_rf_says_when_every_labelset_is_rare():
    X, Y = mixed(0)
    with pytest.warns(UserWarning, match=r"No labelset occurs 29 times.*lower min_count"):
        selector = make_selector("ppt_rf", min_count=29).fit(X, Y)
    assert (selector.scores_ == 0).all()
