"""ELS: the definition, and the paper's lemma, theorem and propositions as properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlfs.selectors import make_selector
from tests.information.brute import H, M
from tests.selectors.data import awkward

data = st.builds(awkward, st.integers(0, 10**6), n=st.integers(5, 60), d=st.integers(4, 9), q=st.integers(4, 7))
orders = st.sampled_from(["max_entropy", "min_entropy"])


def chain(X, Y, order="max_entropy"):
    selector = make_selector("els", label_order=order)
    evidence = selector.prepare(X, Y)
    return selector.bounds(evidence), evidence, selector


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("order", ["max_entropy", "min_entropy"])
def test_definition_for_every_number_of_labels(seed, order):
    X, Y = awkward(seed)
    q = Y.shape[1]
    sign = -1 if order == "max_entropy" else 1
    by_entropy = sorted(range(q), key=lambda label: (sign * round(H(Y[:, label]), 9), label))
    bounds, _, _ = chain(X, Y, order)
    for j in range(q + 1):
        exact, bounded = by_entropy[:j], by_entropy[j:]
        expected = [
            sum(M(f, Y[:, label]) for label in exact) + sum(min(H(f), H(Y[:, label])) for label in bounded) for f in X.T
        ]
        selector = make_selector("els", n_labels=j, label_order=order).fit(X, Y)
        np.testing.assert_allclose(selector.scores_, expected, atol=1e-10)
        np.testing.assert_allclose(bounds[j], expected, atol=1e-10)
        assert selector.labels_.tolist() == exact


@given(data, orders)
@settings(max_examples=60)
def test_lemma_1_the_bounds_form_a_chain(case, order):
    bounds, _, _ = chain(*case, order)
    assert (np.diff(bounds, axis=0) <= 0).all()


@given(data, orders)
@settings(max_examples=60)
def test_theorem_1_every_bound_lies_between_c_and_c_tilde(case, order):
    bounds, evidence, _ = chain(*case, order)
    np.testing.assert_allclose(bounds[-1], evidence.relevance, atol=1e-10)
    assert (bounds <= bounds[0]).all()
    assert (bounds >= bounds[-1]).all()


@given(data)
@settings(max_examples=60)
def test_proposition_1_c_tilde_follows_the_entropy_of_the_feature(case):
    bounds, evidence, _ = chain(*case)
    order = np.argsort(evidence.feature_entropy)
    assert (np.diff(bounds[0][order]) >= -1e-12).all()


@given(data)
@settings(max_examples=40)
def test_theorem_2_the_label_of_highest_entropy_has_the_largest_bound(case):
    _, evidence, selector = chain(*case)
    first = selector.label_ranking(evidence)[0]
    bound = np.minimum.outer(evidence.feature_entropy, evidence.label_entropy)
    assert (bound[:, first] >= bound.max(axis=1) - 1e-12).all()


def test_all_labels_is_mim_and_none_is_entropy():
    X, Y = awkward(1)
    every = make_selector("els", n_labels=Y.shape[1]).fit(X, Y)
    mim = make_selector("mim_br").fit(X, Y)
    assert np.array_equal(every.ranking_, mim.ranking_)
    np.testing.assert_allclose(every.scores_, mim.scores_, atol=1e-12)
    # Ones in 4, 8, 2, 16 and 1 of 64 rows: entropies that differ, all below that of the labels.
    X = np.stack([np.arange(64) < ones for ones in (4, 8, 2, 16, 1)], axis=1).astype(float)
    Y = np.stack([np.arange(64) % 2, np.arange(64) // 2 % 2], axis=1)
    none = make_selector("els", n_labels=0).fit(X, Y)
    assert none.labels_.size == 0
    assert none.ranking_.tolist() == [3, 1, 0, 2, 4]
    np.testing.assert_allclose(none.scores_, [2 * H(feature) for feature in X.T], atol=1e-12)


def test_a_path_over_all_sizes_of_y_is_one_call():
    X, Y = awkward(2)
    selector = make_selector("els")
    evidence = selector.prepare(X, Y)
    path = selector.path(evidence, n_labels=range(Y.shape[1] + 1))
    assert np.array_equal(path.scores, selector.bounds(evidence))
    assert [cell["n_labels"] for cell in path.parameters] == list(range(Y.shape[1] + 1))
    assert path.rankings[2].tolist() == make_selector("els", n_labels=2).fit(X, Y).ranking_.tolist()


def test_default_is_a_fifth_of_the_labels():
    X, Y = awkward(0, q=6)
    assert len(make_selector("els").fit(X, Y).labels_) == 2
