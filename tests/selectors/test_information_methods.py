"""Each information-theoretic method against its formula, computed one table at a time."""

import numpy as np
import pytest

from mlfs.selectors import make_selector
from mlfs.selectors.ranking import rank
from tests.information.brute import I3, H, M, M_given, M_joint
from tests.selectors.data import awkward

SEEDS = range(6)


def columns(X, Y):
    return list(X.T), list(Y.T), [tuple(row) for row in Y.tolist()]


def codes(rows):
    """Joint variables as one column of numbers."""
    numbers = {row: i for i, row in enumerate(dict.fromkeys(rows))}
    return np.array([numbers[row] for row in rows])


def relevance(f, Y):
    return sum(M(f, label) for label in Y.T)


def pairs(Y):
    return [(Y[:, i], Y[:, j]) for j in range(Y.shape[1]) for i in range(j)]


def chi2(table):
    table = np.asarray(table, dtype=float)
    expected = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / table.sum()
    good = expected > 0
    return ((table - expected)[good] ** 2 / expected[good]).sum()


def ela_chi(f, Y):
    weight = Y / np.maximum(Y.sum(1, keepdims=True), 1)
    return chi2([[weight[f == v, label].sum() for label in range(Y.shape[1])] for v in np.unique(f)])


def ppt(Y, min_count):
    rows = codes([tuple(row) for row in Y.tolist()])
    keep = np.array([np.sum(rows == r) >= min_count for r in rows])
    return keep, rows[keep]


def ppt_chi(f, Y):
    keep, classes = ppt(Y, 3)
    return chi2([[np.sum((f[keep] == v) & (classes == c)) for c in np.unique(classes)] for v in np.unique(f[keep])])


def ppt_mi(f, Y):
    keep, classes = ppt(Y, 3)
    return M(f[keep], classes)


def fimf(f, Y):
    entropy = np.array([H(label) for label in Y.T])
    top = sorted(range(Y.shape[1]), key=lambda j: (-round(entropy[j], 9), j))[:3]
    return relevance(f, Y) - sum(I3(f, a, b) for a, b in pairs(Y[:, sorted(top)]))


def igmf(f, Y):
    labels = codes([tuple(r) for r in Y.tolist()])
    return 2 * M(f, labels) / (H(f) + H(labels)) if H(f) + H(labels) > 0 else 0.0


SCORES = {
    "mim_br": (relevance, {}),
    "mim_lp": (lambda f, Y: M(f, codes([tuple(r) for r in Y.tolist()])), {}),
    "ela_chi": (ela_chi, {}),
    "ppt_chi": (ppt_chi, {"min_count": 3}),
    "ppt_mi": (ppt_mi, {"min_count": 3}),
    "fimf": (fimf, {"n_labels": 3}),
    "igmf": (igmf, {}),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", SCORES)
def test_scores(method, seed):
    X, Y = awkward(seed)
    formula, parameters = SCORES[method]
    expected = np.array([formula(f, Y) for f in X.T])
    selector = make_selector(method, **parameters).fit(X, Y)
    np.testing.assert_allclose(selector.scores_, expected, atol=1e-10)
    assert np.array_equal(selector.ranking_, rank(expected))


def labelset(Y):
    return codes([tuple(r) for r in Y.tolist()])


def joint(S):
    return codes(list(zip(*[s.tolist() for s in S], strict=True)))


def mean_redundancy(f, S):
    return sum(M(f, s) for s in S) / max(len(S), 1)


def given_another_label(f, Y):
    return sum(M_given(f, Y[:, i], Y[:, j]) for i in range(Y.shape[1]) for j in range(Y.shape[1]) if i != j)


NEXT = {
    "jmi_br": lambda f, S, Y: sum(M_joint(f, s, label) for s in S for label in Y.T) if S else relevance(f, Y),
    "jmi_lp": lambda f, S, Y: sum(M_joint(f, s, labelset(Y)) for s in S) if S else M(f, labelset(Y)),
    "cmi_br": lambda f, S, Y: sum(M_given(f, label, *([joint(S)] if S else [])) for label in Y.T),
    "cmi_lp": lambda f, S, Y: M_given(f, labelset(Y), *([joint(S)] if S else [])),
    "pmu": lambda f, S, Y: (
        relevance(f, Y) - sum(I3(f, s, label) for s in S for label in Y.T) - sum(I3(f, a, b) for a, b in pairs(Y))
    ),
    "d2f": lambda f, S, Y: relevance(f, Y) - sum(I3(f, s, label) for s in S for label in Y.T),
    "mdmr": lambda f, S, Y: (
        relevance(f, Y) - sum(M(f, s) - sum(M_given(f, label, s) for label in Y.T) for s in S) / max(len(S), 1)
    ),
    "scls": lambda f, S, Y: relevance(f, Y) * (1 - sum(M(f, s) for s in S) / H(f)) if H(f) > 0 else 0.0,
    "ami": lambda f, S, Y: relevance(f, Y) - sum(M(f, s) for s in S),
    "mrmr_br": lambda f, S, Y: relevance(f, Y) - mean_redundancy(f, S),
    "mrmr_lp": lambda f, S, Y: M(f, labelset(Y)) - mean_redundancy(f, S),
    "lrfs": lambda f, S, Y: given_another_label(f, Y) - mean_redundancy(f, S),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("method", NEXT)
def test_greedy_picks(method, seed):
    X, Y = awkward(seed, d=7, q=4)
    picked, values = [], []
    for _ in range(6):
        score = {f: NEXT[method](X[:, f], [X[:, s] for s in picked], Y) for f in range(7) if f not in picked}
        # The lowest index among those that differ by rounding only.
        best = next(f for f in sorted(score) if score[f] > max(score.values()) - 1e-9)
        picked.append(best)
        values.append(score[best])
    selector = make_selector(method, n_features_to_select=6).fit(X, Y)
    assert selector.ranking_.tolist() == picked
    np.testing.assert_allclose(selector.scores_[picked], values, atol=1e-9)
    assert np.isnan(np.delete(selector.scores_, picked)).all()


@pytest.mark.parametrize("method", NEXT)
def test_a_longer_search_begins_with_the_shorter(method):
    X, Y = awkward(3)
    long = make_selector(method, n_features_to_select=8).fit(X, Y)
    short = make_selector(method, n_features_to_select=3).fit(X, Y)
    assert long.ranking_[:3].tolist() == short.ranking_.tolist()


def test_fimf_lets_only_candidates_compete():
    X, Y = awkward(0)
    everyone = make_selector("fimf").fit(X, Y)
    few = make_selector("fimf", n_candidates=3).fit(X, Y)
    entropy = np.array([H(f) for f in X.T])
    assert set(few.ranking_) == set(rank(entropy)[:3])
    np.testing.assert_allclose(few.scores_[few.ranking_], everyone.scores_[few.ranking_])
    assert few.n_selected_ == 3
    with pytest.raises(ValueError, match="must not exceed n_candidates=3"):
        make_selector("fimf", n_candidates=3, n_features_to_select=4).fit(X, Y)


def test_ppt_without_frequent_labelsets_says_so():
    X, Y = awkward(0)
    with pytest.warns(UserWarning, match="lower min_count"):
        selector = make_selector("ppt_chi", min_count=1000).fit(X, Y)
    assert not selector.scores_.any()


def test_mrmr_by_the_mean_over_labels():
    X, Y = awkward(1, d=7, q=4)
    first, second = make_selector("mrmr_br", relevance="mean", n_features_to_select=2).fit(X, Y).ranking_
    mean = [relevance(f, Y) / 4 for f in X.T]
    rest = {f: mean[f] - M(X[:, f], X[:, first]) for f in range(7) if f != first}
    assert first == rank(np.array(mean))[0]
    assert rest[second] == pytest.approx(max(rest.values()))


def test_lrfs_with_one_label_goes_by_relevance_and_says_so():
    X, Y = awkward(0)
    alone = make_selector("lrfs").fit(X, Y[:, [0]])
    plain = make_selector("mrmr_br").fit(X, Y[:, [0]])
    assert np.array_equal(alone.scores_, plain.scores_)
    assert alone.notes_ == ["With one label there is no other to be known: LRFS goes by M(f; l) instead."]
    assert make_selector("lrfs").fit(X, Y).notes_ == []


@pytest.mark.parametrize("method", ["lrfs", "mrmr_br", "mrmr_lp", "igmf"])
def test_the_order_of_the_labels_changes_nothing(method):
    X, Y = awkward(2, n=60, d=10)
    one = make_selector(method).fit(X, Y)
    other = make_selector(method).fit(X, Y[:, [3, 0, 4, 2, 1]])
    assert one.ranking_.tolist() == other.ranking_.tolist()
    np.testing.assert_allclose(one.scores_, other.scores_, atol=1e-12)
