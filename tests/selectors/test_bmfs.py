"""BMFS against all matchings there are, tried one after another."""

from itertools import permutations

import numpy as np
import pytest

from mlfs.selectors import make_selector


def data(seed, n=40, d=7, q=3):
    rng = np.random.default_rng(seed)
    Y = (rng.random((n, q)) < [0.5, 0.3, 0.15][:q]).astype(int)
    return rng.normal(size=(n, d)), Y


def slowly(X, Y):
    """The features of each round by label, and all of them in their order."""
    rho = np.corrcoef(np.hstack([X, Y]).T)[: X.shape[1], X.shape[1] :]
    left, rounds, ranking = list(range(X.shape[1])), [], []
    by_frequency = sorted(range(Y.shape[1]), key=lambda label: -Y[:, label].sum())
    while left:
        size = min(len(left), Y.shape[1])
        tried = [
            (sum(1 - rho[f, label] for f, label in zip(features, labels, strict=True)), features, labels)
            for labels in permutations(range(Y.shape[1]), size)
            for features in permutations(left, size)
        ]
        _, features, labels = min(tried)
        matched = dict(zip(labels, features, strict=True))
        rounds.append([matched.get(label, -1) for label in range(Y.shape[1])])
        ranking += [matched[label] for label in by_frequency if label in matched]
        left = [f for f in left if f not in features]
    return rounds, ranking


@pytest.mark.parametrize("seed", range(5))
def test_every_round_is_the_best_matching(seed):
    X, Y = data(seed)
    assert len(set(Y.sum(axis=0))) == 3
    rounds, ranking = slowly(X, Y)
    selector = make_selector("bmfs").fit(X, Y)
    assert selector.rounds_.tolist() == rounds
    assert selector.ranking_.tolist() == ranking


def test_only_features_that_can_matter_are_matched():
    """Of many features a round looks at the cheapest of each label only."""
    X, Y = data(0, d=60)
    rho = np.corrcoef(np.hstack([X, Y]).T)[:60, 60:]
    best = min(permutations(range(60), 3), key=lambda features: -sum(rho[features, range(3)]))
    assert make_selector("bmfs").fit(X, Y).rounds_[0].tolist() == list(best)


def test_labels_without_both_classes_take_no_part():
    X, Y = data(1)
    more = np.insert(Y, [1, 2], [[0, 1]] * 40, axis=1)
    plain, other = make_selector("bmfs").fit(X, Y), make_selector("bmfs").fit(X, more)
    assert plain.ranking_.tolist() == other.ranking_.tolist()
    assert (other.rounds_[:, [1, 3]] == -1).all()


def test_the_order_of_the_labels_changes_nothing_even_where_two_are_equally_frequent():
    X, Y = data(2)
    Y[:, 1] = np.roll(Y[:, 0], 7)
    rankings = [make_selector("bmfs").fit(X, Y[:, order]).ranking_.tolist() for order in permutations(range(3))]
    assert all(ranking == rankings[0] for ranking in rankings)


def test_equal_features_go_in_the_order_of_their_indices():
    X, Y = data(3)
    X = X[:, [0, 1, 2, 2, 2, 1, 2]]
    order = make_selector("bmfs").fit(X, Y).ranking_.tolist()
    for same in ([2, 3, 4, 6], [1, 5]):
        assert sorted(same, key=order.index) == same


def test_a_score_is_the_round_and_the_place_in_it():
    X, Y = data(4)
    selector = make_selector("bmfs").fit(X, Y)
    np.testing.assert_allclose(selector.scores_[selector.ranking_], [0, -1 / 3, -2 / 3, -1, -4 / 3, -5 / 3, -2])
