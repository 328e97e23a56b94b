"""The bars of the diagram: by hand, and against all subsets."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlfs.errors import ParameterError
from mlfs.statistics import cliques, cliques_from_pairs

QUARTERS = st.lists(st.integers(4, 32).map(lambda x: x / 4), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("ranks", "cd", "groups"),
    [
        ({"a": 1, "b": 2, "c": 3}, 0.5, ()),
        ({"a": 1, "b": 2, "c": 3}, 1.5, (("a", "b"), ("b", "c"))),
        ({"a": 1, "b": 2, "c": 3}, 2.5, (("a", "b", "c"),)),
        ({"a": 1, "b": 2, "c": 3}, 2.0, (("a", "b"), ("b", "c"))),  # a and c differ by a whole CD: significant
        ({"c": 3, "a": 1, "b": 2}, 1.5, (("a", "b"), ("b", "c"))),
        ({"z": 2, "a": 2, "m": 2}, 0.1, (("z", "a", "m"),)),
        ({"a": 1, "b": 1.2, "c": 1.4, "d": 3, "e": 3.1}, 0.5, (("a", "b", "c"), ("d", "e"))),
        ({"a": 1}, 9.0, ()),
        ({}, 1.0, ()),
    ],
)
def test_by_hand(ranks, cd, groups):
    assert cliques(ranks, cd) == groups
    assert cliques(pd.Series(ranks, dtype=float), cd) == groups


def maximal(names, alike):
    """All groups of two or more of which every pair is alike and that no other such group contains."""
    groups = [
        set(group)
        for size in range(2, len(names) + 1)
        for group in combinations(names, size)
        if all(alike(a, b) for a, b in combinations(group, 2))
    ]
    return {frozenset(group) for group in groups if not any(group < other for other in groups)}


@given(QUARTERS, st.integers(0, 30).map(lambda x: x / 4 + 0.1))
@settings(max_examples=150)
def test_are_all_maximal_groups(values, cd):
    ranks = {f"m{i}": value for i, value in enumerate(values)}
    groups = cliques(ranks, cd)
    assert len(set(map(frozenset, groups))) == len(groups)
    assert {frozenset(group) for group in groups} == maximal(list(ranks), lambda a, b: abs(ranks[a] - ranks[b]) < cd)
    starts = [ranks[group[0]] for group in groups]
    assert starts == sorted(starts)
    assert all([ranks[name] for name in group] == sorted(ranks[name] for name in group) for group in groups)


@given(QUARTERS, st.integers(0, 30).map(lambda x: x / 4 + 0.1))
@settings(max_examples=100)
def test_pairs_and_distance_agree(values, cd):
    ranks = pd.Series(values, index=[f"m{i}" for i in range(len(values))])
    gaps = np.abs(ranks.to_numpy()[:, None] - ranks.to_numpy())
    significant = pd.DataFrame(gaps >= cd, index=ranks.index, columns=ranks.index)
    assert cliques_from_pairs(ranks, significant) == cliques(ranks, cd)


@given(st.integers(1, 8), st.integers(0, 2**32 - 1))
@settings(max_examples=100)
def test_any_pairs_give_the_longest_runs_without_a_difference(k, seed):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((k, k)) < rng.random(), 1)
    differs, names = upper | upper.T, list(range(k))
    runs = [(i, j) for i in range(k) for j in range(i + 1, k) if not differs[i : j + 1, i : j + 1].any()]
    longest = [(i, j) for i, j in runs if not any(a <= i and j <= b and (a, b) != (i, j) for a, b in runs)]
    expected = tuple(tuple(names[i : j + 1]) for i, j in longest)
    assert cliques_from_pairs(pd.Series(np.arange(k) + 1.0), pd.DataFrame(differs)) == expected


def test_alike_across_a_different_neighbour_has_no_bar():
    differs = pd.DataFrame([[0, 1, 0], [1, 0, 1], [0, 1, 0]], index=list("abc"), columns=list("abc")).astype(bool)
    assert cliques_from_pairs({"a": 1.0, "b": 2.0, "c": 3.0}, differs) == ()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: cliques({"a": 1}, -1), "cd=-1 must be a critical difference, a number of at least 0."),
        (lambda: cliques({"a": 1}, float("nan")), "cliques: cd must be a number, not nan."),
        (
            lambda: cliques({"a": float("nan")}, 1),
            "Every average rank must be a number; leave out methods that have none.",
        ),
        (
            lambda: cliques_from_pairs({"a": 1, "b": 2}, pd.DataFrame([[False]], index=["a"], columns=["a"])),
            "The table of pairs lacks 'b'; it needs a row and a column for every method.",
        ),
    ],
)
def test_says_what_to_change(call, sentence):
    with pytest.raises(ParameterError) as error:
        call()
    assert str(error.value) == sentence
