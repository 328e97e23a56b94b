"""Wilcoxon's test of all pairs against scikit-posthocs and a published table; Holm's correction by hand."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlfs.statistics import wilcoxon_holm
from mlfs.statistics.paired_tests import signed_rank_p_value
from mlfs.statistics.wilcoxon_holm import holm
from tests.statistics.published import MICRO_F1


@pytest.mark.parametrize("seed", range(6))
def test_equals_scikit_posthocs(seed):
    import scikit_posthocs  # which brings half a dozen packages along

    rng = np.random.default_rng(seed)
    n, k = rng.integers(5, 20), rng.integers(2, 8)
    table = pd.DataFrame(rng.normal(rng.normal(0, 1, k), 1, (n, k)), columns=[f"m{j}" for j in range(k)])
    ours = wilcoxon_holm(table)
    melted = table.melt(var_name="method")
    for p_adjust, values in ((None, ours.p_values), ("holm", ours.adjusted_p_values)):
        theirs = scikit_posthocs.posthoc_wilcoxon(melted, "value", "method", p_adjust=p_adjust)
        pd.testing.assert_frame_equal(values, theirs, check_names=False, rtol=1e-9)


def test_published_table_equals_scipy():
    """Four printed decimals: differences that tie on paper tie here, whatever floating point makes of them."""
    test = wilcoxon_holm(MICRO_F1, lower_is_better=False)
    whole = (MICRO_F1 * 10_000).round()
    for a in MICRO_F1.columns:
        for b in MICRO_F1.columns:
            d = (whole[a] - whole[b]).to_numpy()
            assert test.p_values.loc[a, b] == signed_rank_p_value(d)
    assert test.average_ranks["grro_ls"] == 1.55
    assert test.cliques[0] == ("grro_ls", "grro")


def test_holm_by_hand():
    np.testing.assert_allclose(holm(np.array([0.01, 0.02, 0.03, 0.5])), [0.04, 0.06, 0.06, 0.5])
    np.testing.assert_allclose(holm(np.array([0.5, 0.4, 0.3])), [0.9, 0.9, 0.9])
    np.testing.assert_allclose(holm(np.array([0.9, 0.8])), [1.0, 1.0])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_holm_keeps_order_and_does_not_mind_it(p_values, random):
    p = np.array(p_values)
    adjusted = holm(p)
    assert ((adjusted >= p) & (adjusted <= np.minimum(1, len(p) * p))).all()
    order = list(range(len(p)))
    random.shuffle(order)
    np.testing.assert_allclose(np.sort(holm(p[order])), np.sort(adjusted))


def test_direction_changes_ranks_alone():
    table = np.random.default_rng(2).random((9, 4))
    low, high = wilcoxon_holm(table), wilcoxon_holm(table, lower_is_better=False)
    pd.testing.assert_frame_equal(low.adjusted_p_values, high.adjusted_p_values)
    np.testing.assert_allclose(low.average_ranks + high.average_ranks, 5)
    assert {frozenset(group) for group in low.cliques} == {frozenset(group) for group in high.cliques}


def test_equal_methods_cannot_differ():
    test = wilcoxon_holm({"a": [1, 2, 3, 4, 5, 6, 7], "b": [1, 2, 3, 4, 5, 6, 7], "c": [2, 4, 6, 8, 10, 12, 14]})
    assert test.p_values.loc["a", "b"] == test.adjusted_p_values.loc["a", "b"] == 1
    assert test.p_values.loc["a", "c"] == 2 / 2**7
    assert test.cliques == (("a", "b"),)


def test_too_few_data_sets_to_decide_is_noted():
    table = {"a": [1, 2, 3, 4, 5], "b": [2, 3, 4, 5, 7]}
    assert wilcoxon_holm(table).notes == (
        "With 5 data sets and 1 pair even a method that always wins has p = 0.0625 after Holm, above alpha=0.05; "
        "add data sets or compare fewer methods.",
    )
    assert wilcoxon_holm(table, alpha=0.07).notes == ()
