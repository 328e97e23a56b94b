"""Features always kept, never used, or taken together: every method, beside what it does without constraints."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from mlfs.classifiers import MLkNN
from mlfs.datasets import Dataset, make_synthetic
from mlfs.errors import ParameterError
from mlfs.evaluation import Explorer, compare, get_protocol, loss_curve
from mlfs.selectors import SELECTORS, ConstrainedSelector, Constraints, GreedySelector, make_selector
from mlfs.selectors.constraints import matching, named_constraints, one_hot_groups, one_hot_patterns
from mlfs.selectors.ranking import best

DS = make_synthetic(n_instances=60, n_relevant=4, n_redundant=3, n_irrelevant=5, n_labels=3, seed=3)
D = DS.X.shape[1]
KEEP, NEVER, GROUPS = [7, 2], [0, 11], [(1, 5, 8), (3, 9)]


def fitted(method, n=D, **constraints):
    selector = make_selector(method, n_features_to_select=n)
    return ConstrainedSelector(selector, **constraints).fit(DS.X, DS.Y)


def is_greedy(method):
    selector = make_selector(method)
    return isinstance(selector, GreedySelector) and method != "ppt_mi"  # which by default only scores


def picked_by_hand(method, kept=(), groups=(), n=D):
    """What a forward search picks: the kept ones first, and a group as soon as one of it was picked."""
    selector = make_selector(method, n_features_to_select=n)
    evidence = selector.prepare(DS.X, DS.Y)
    selector.fit_prepared(evidence)
    search = selector._search(evidence)
    offered, left, urgent, picks = next(search), set(range(D)), set(kept), []
    while len(picks) < n:
        candidates = urgent or left
        pick = best(np.array([offered[j] if j in candidates else -np.inf for j in range(D)]))
        picks.append(pick)
        left -= {pick}
        urgent = (urgent | {j for group in groups if pick in group for j in group}) & left
        if len(picks) < n:
            offered = search.send(pick)
    return picks


@pytest.mark.parametrize("method", SELECTORS)
class TestEveryMethod:
    def test_without_constraints_it_is_the_method(self, method):
        plain, wrapped = make_selector(method, n_features_to_select=5).fit(DS.X, DS.Y), fitted(method, 5)
        assert wrapped.ranking_.tolist() == plain.ranking_.tolist()
        assert wrapped.n_selected_ == plain.n_selected_
        np.testing.assert_array_equal(wrapped.scores_, plain.scores_)
        assert Constraints().around(plain) is plain

    def test_what_is_never_used_is_not_there(self, method):
        rest = [j for j in range(D) if j not in NEVER]
        without = make_selector(method, n_features_to_select=5).fit(DS.X[:, rest], DS.Y)
        wrapped = fitted(method, 5, never_use=NEVER)
        assert wrapped.ranking_.tolist() == [rest[j] for j in without.ranking_]
        assert wrapped.n_selected_ == without.n_selected_
        np.testing.assert_array_equal(wrapped.scores_[rest], without.scores_)
        assert np.isnan(wrapped.scores_[NEVER]).all()

    def test_what_is_kept_is_first(self, method):
        wrapped = fitted(method, always_keep=KEEP)
        if is_greedy(method):
            assert wrapped.ranking_.tolist() == picked_by_hand(method, KEEP)
        else:
            usual = make_selector(method, n_features_to_select=D).fit(DS.X, DS.Y).ranking_.tolist()
            assert wrapped.ranking_.tolist() == sorted(usual, key=lambda j: (j not in KEEP, usual.index(j)))
        assert set(KEEP) <= set(wrapped.get_support(indices=True).tolist())
        assert [wrapped.prefix_length(size) for size in (1, 2, 3)] == [0, 2, 3]

    def test_a_group_stands_where_its_best_member_does(self, method):
        wrapped = fitted(method, groups=GROUPS)
        if is_greedy(method):
            assert wrapped.ranking_.tolist() == picked_by_hand(method, groups=GROUPS)
        else:
            usual = make_selector(method, n_features_to_select=D).fit(DS.X, DS.Y).ranking_.tolist()
            place = {j: min(usual.index(i) for g in (*GROUPS, (j,)) if j in g for i in g) for j in range(D)}
            assert wrapped.ranking_.tolist() == sorted(usual, key=lambda j: (place[j], usual.index(j)))

    def test_every_subset_holds_whole_groups_and_what_is_kept(self, method):
        for size in (1, 4, 6, D):
            wrapped = fitted(method, size, always_keep=KEEP, never_use=NEVER, groups=GROUPS)
            chosen = set(wrapped.get_support(indices=True).tolist())
            assert chosen >= set(KEEP)
            assert not chosen & set(NEVER)
            assert all(len(chosen & set(group)) in (0, len(group)) for group in GROUPS)
            if not wrapped.selects_sets:
                assert len(chosen) <= max(size, len(KEEP))
                assert size - 2 <= len(chosen) or size > D - len(NEVER)  # no group is larger than three


def test_a_redundant_copy_is_seen_beside_what_is_kept():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (300, 2))
    X = np.column_stack([Y[:, 0], Y[:, 0], Y[:, 1], rng.integers(0, 2, 300)])
    assert make_selector("ami").fit(X, Y).ranking_[0] == 0
    # With the copy kept, the original adds nothing and falls behind even the noise.
    assert ConstrainedSelector(make_selector("ami"), always_keep=[1]).fit(X, Y).ranking_.tolist() == [1, 2, 3, 0]


def test_one_member_decides_for_its_group():
    assert fitted("els", always_keep=[1], groups=GROUPS).prefix_length(2) == 0
    assert set(fitted("els", always_keep=[1], groups=GROUPS).ranking_[:3].tolist()) == {1, 5, 8}
    assert set(range(D)) - set(fitted("els", never_use=[1], groups=GROUPS).ranking_.tolist()) == {1, 5, 8}


def test_more_is_kept_than_asked_for():
    wrapped = fitted("els", 2, groups=[tuple(range(D))])
    assert wrapped.n_selected_ == D
    assert wrapped.notes_[-1].startswith(f"{D} features are selected, not 2")


def test_a_categorical_column_stays_one_beside_unused_columns():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 3, 80)
    X = np.column_stack([rng.random(80), rng.random(80), codes])
    Y = np.column_stack([codes == 1, codes == 0]).astype(int)
    selector = make_selector("els", categorical_features=(2,))
    wrapped = ConstrainedSelector(selector, never_use=[0]).fit(X, Y)
    assert wrapped.selector_.categorical_features == (1,)
    expected = make_selector("els", categorical_features=(1,)).fit(X[:, 1:], Y)
    np.testing.assert_array_equal(wrapped.scores_[1:], expected.scores_)


def test_tables_of_every_kind_are_taken():
    expected = fitted("mim_br", never_use=NEVER)
    selector = ConstrainedSelector(make_selector("mim_br", n_features_to_select=D), never_use=NEVER)
    frame = pd.DataFrame(DS.X, columns=DS.feature_names)
    assert selector.fit(frame, DS.Y).ranking_.tolist() == expected.ranking_.tolist()
    assert set(selector.get_feature_names_out()) == {DS.feature_names[j] for j in expected.ranking_}
    for table in (sparse.csr_matrix(DS.X), sparse.coo_matrix(DS.X), DS.X.tolist()):
        assert clone(selector).fit(table, DS.Y).ranking_.tolist() == expected.ranking_.tolist()


def test_it_is_a_step_of_a_pipeline():
    selector = ConstrainedSelector(make_selector("scls", n_features_to_select=5), always_keep=KEEP, groups=GROUPS)
    model = make_pipeline(selector, MLkNN()).fit(DS.X, DS.Y)
    assert set(model[0].get_support(indices=True)) == set(selector.fit(DS.X, DS.Y).ranking_[:5])
    assert model.predict(DS.X).shape == DS.Y.shape


def test_curves_count_columns_and_cut_no_group():
    """The explorer measures the subset that a size allows, and calls it by the size."""
    protocol = get_protocol("quick", sizes=tuple(range(1, 9)))
    choice = ConstrainedSelector(make_selector("els"), always_keep=KEEP, never_use=NEVER, groups=GROUPS)
    explored = Explorer(DS).explore(choice, protocol)
    [(train, test)] = protocol.splits(DS)
    ranking, sizes = explored.selector.ranking_, explored.curve["size"].tolist()
    assert sizes == [2, 3, 4, 5, 6, 7, 8] == explored.noise["size"].tolist()
    for size, value, redundancy in zip(
        sizes, explored.curve["hamming_loss"], explored.noise["redundancy"], strict=True
    ):
        subset = [*ranking[:2]]
        for j in ranking[2:]:
            group = next((g for g in GROUPS if j in g), (j,))
            if j not in subset and len(subset) + len(group) > size:
                break
            subset += [i for i in ranking if i in group and i not in subset]
        plain = loss_curve(DS.X[train], DS.Y[train], DS.X[test], DS.Y[test], subset, [len(subset)])
        assert value == plain["hamming_loss"].item()
        noise = Explorer(DS).noise(np.array(subset), [len(subset)], protocol)
        assert redundancy == pytest.approx(noise["redundancy"].item(), rel=1e-9)


def test_explorers_tell_constraints_apart():
    explorer, protocol = Explorer(DS), get_protocol("quick", sizes=(3,))
    chosen = [
        explorer.explore(ConstrainedSelector(make_selector("els"), never_use=[j]), protocol).selector.ranking_.tolist()
        for j in (0, 1)
    ]
    assert chosen[0] != chosen[1]


def test_names_and_patterns():
    names = ["petal_width", "petal_length", "sepal_width", "a[1]", "b*"]
    assert matching(names, ["petal_*"]) == (0, 1)
    assert matching(names, ["*_width", "a[1]"]) == (0, 2, 3)
    assert matching(names, ["b*"]) == (4,)
    assert matching(names, ["?[1]"]) == (3,)
    with pytest.raises(ParameterError, match=r"^No feature is called 'petal': "):
        matching(names, ["petal"])


@pytest.mark.parametrize(
    ("constraints", "sentence"),
    [
        (
            {"always_keep": ["a"], "never_use": ["?"]},
            "Feature 'a', or its group, is both to be kept and not to be used",
        ),
        ({"groups": [["a", "b"], ["b", "c"]]}, "Feature 'b' is in two groups: leave it in one of them."),
        ({"never_use": ["*"]}, "All features are among those not to be used: leave at least one."),
    ],
)
def test_contradictions_are_told_by_name(constraints, sentence):
    with pytest.raises(ParameterError) as problem:
        named_constraints(["a", "b", "c"], **constraints)
    assert str(problem.value).startswith(sentence)


def test_a_column_that_is_not_there():
    with pytest.raises(ParameterError, match=f"^Columns must be from 0 to {D - 1}, not {D}"):
        fitted("els", never_use=[D])


def test_one_hot_columns_are_found():
    table = np.array([[1, 0, 1, 0, 2.0, 1], [0, 1, 1, 1, 3.0, 0], [0, 1, 0, 0, 1.0, 1]])
    names = ["sky=red", "sky=blue", "on_a", "on_b", "size", "sky=no"]
    assert one_hot_groups(table, names) == ((0, 1),)
    assert one_hot_groups(sparse.csr_matrix(table), names) == ((0, 1),)
    assert one_hot_patterns(table, names) == {}  # sky=* is also the last column, which is none of them
    assert one_hot_patterns(table[:, :5], names[:5]) == {"sky=*": 2}


def test_a_study_does_not_take_them():
    with pytest.raises(ParameterError, match="can be explored, but not compared"):
        compare([DS], [ConstrainedSelector(make_selector("els"), never_use=[0])])


def test_datasets_keep_their_categories_beside_constraints():
    ds = Dataset(
        np.column_stack([np.arange(36) % 3, np.arange(36.0)]),
        (np.arange(36) % 3 == 0).astype(int)[:, None],
        ["kind", "number"],
        ["a"],
        "toy",
        categories={0: ["x", "y", "z"]},
    )
    explored = Explorer(ds).explore(
        ConstrainedSelector(make_selector("els"), never_use=[1]), get_protocol("quick", sizes=(1,))
    )
    assert explored.selector.ranking_.tolist() == [0]
