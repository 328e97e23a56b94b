"""SPFS against the objective itself, with n × n matrices written out."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.datasets import make_synthetic
from mlfs.selectors import make_selector, spfs
from tests.selectors.data import awkward


def unit(X):
    """Columns of mean 0 and length 1; constant ones become 0."""
    centred = X - X.mean(axis=0)
    length = np.sqrt((centred**2).sum(axis=0))
    return centred / np.where(length > 1e-12, length, np.inf)


def kernel(X, Y):
    standard = unit(X) * np.sqrt(len(X))
    squared = ((standard[:, None, :] - standard[None, :, :]) ** 2).sum(axis=2)
    same = (Y[:, None, :] == Y[None, :, :]).all(axis=2)
    return np.where(same, np.exp(-squared / (2 * squared.mean())), 0.0)


def distance(F, K):
    return np.sum((F @ F.T - K) ** 2)


@pytest.fixture
def small():
    data = make_synthetic(n_instances=60, n_relevant=4, n_redundant=2, n_irrelevant=5, n_labels=3, seed=1)
    return np.asarray(data.X), data.Y


def test_every_pick_is_the_best_one(small):
    X, Y = small
    F, K = unit(X), kernel(X, Y)
    selector = make_selector("spfs", n_features_to_select=7).fit(X, Y)
    picked = []
    for pick in selector.ranking_:
        now = distance(F[:, picked], K)
        falls = [-np.inf if f in picked else now - distance(F[:, [*picked, f]], K) for f in range(X.shape[1])]
        assert pick == np.argmax(falls)
        assert np.isclose(selector.scores_[pick], max(falls))
        picked.append(pick)
    assert np.isnan(np.delete(selector.scores_, picked)).all()


@pytest.mark.parametrize("block", [1, 40, 10_000])
def test_blocks_do_not_matter(small, block, monkeypatch):
    X, Y = small
    whole = make_selector("spfs").fit(X, Y)
    monkeypatch.setattr(spfs, "BLOCK", block)
    for form in (np.asarray, sparse.csr_matrix):
        found = make_selector("spfs").fit(form(X), Y)
        np.testing.assert_allclose(found.scores_, whole.scores_, rtol=1e-9)
        assert np.array_equal(found.ranking_, whole.ranking_)


def test_scale_and_shift_do_not_matter(small):
    X, Y = small
    found = make_selector("spfs").fit(X, Y)
    moved = make_selector("spfs").fit(X * np.geomspace(0.1, 10, X.shape[1]) + 3, Y)
    np.testing.assert_allclose(found.scores_, moved.scores_, rtol=1e-8)


def test_first_pick_needs_most_similarity_and_a_copy_pays_for_it(small):
    X, Y = small
    F, K = unit(X), kernel(X, Y)
    X = np.column_stack([X, X[:, np.argmax(np.einsum("ij,jk,ki->i", F.T, K, F))]])
    selector = make_selector("spfs").fit(X, Y)
    first, copy = selector.ranking_[0], X.shape[1] - 1
    assert first == np.argmax(np.einsum("ij,jk,ki->i", F.T, K, F))
    assert selector.scores_[copy] <= selector.scores_[first] - 2 + 1e-9


def test_a_constant_feature_changes_nothing():
    X, Y = awkward(0)
    selector = make_selector("spfs").fit(X, Y)
    assert selector.scores_[0] == 0
    assert np.isfinite(selector.scores_).all()


def test_a_category_enters_as_its_best_column():
    rng = np.random.default_rng(0)
    Y = (rng.random((80, 2)) < 0.4).astype(int)
    code = np.where(Y[:, 0] == 1, 7, rng.integers(0, 3, 80)).astype(float)
    X = np.column_stack([rng.random((80, 3)), code])
    expanded = np.column_stack([X[:, :3], *[(code == value).astype(float) for value in np.unique(code)]])
    selector = make_selector("spfs", categorical_features=[3], n_features_to_select=2).fit(X, Y)
    columns = make_selector("spfs", n_features_to_select=1).fit(expanded, Y)
    assert columns.ranking_[0] >= 3
    assert selector.ranking_[0] == 3
    assert np.isclose(selector.scores_[3], columns.scores_[columns.ranking_[0]])
    F, K = unit(expanded), kernel(expanded, Y)
    best = columns.ranking_[0]
    second = selector.ranking_[1]
    fall = distance(F[:, [best]], K) - distance(F[:, [best, second]], K)
    assert np.isclose(selector.scores_[second], fall)


def test_evidence_serves_every_size(small):
    X, Y = small
    selector = make_selector("spfs")
    path = selector.path(selector.prepare(X, Y), n_features_to_select=[2, 5])
    assert np.array_equal(path.rankings[0], path.rankings[1][:2])
