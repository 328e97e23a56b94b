"""Paired t-tests against SciPy, and where there is no variance to test with; signed ranks by counting all signs."""

import warnings
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mlfs.statistics import paired_t_tests
from mlfs.statistics.paired_tests import paired_differences, signed_rank_p_value


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_t_tests_equal_scipys(seed, lower):
    rng = np.random.default_rng(seed)
    samples = pd.DataFrame(rng.normal([0.2, 0.21, 0.25, 0.3], 0.03, (rng.integers(3, 12), 4)), columns=list("abcd"))
    result = paired_t_tests(samples, lower_is_better=lower)
    best = samples.mean().idxmin() if lower else samples.mean().idxmax()
    assert list(result.index[result["best"]]) == [best]
    for method in samples.columns.drop(best):
        p = stats.ttest_rel(samples[best], samples[method]).pvalue
        assert result.loc[method, "p_value"] == pytest.approx(p, rel=1e-6)
        assert result.loc[method, "not_worse"] == (p > 0.05)
    np.testing.assert_allclose(result["mean"], samples.mean())
    np.testing.assert_allclose(result["std"], samples.std())
    assert result.loc[best, "p_value"] == 1
    assert result.loc[best, "not_worse"]


def test_the_mark_follows_the_level():
    samples = {"best": [0, 0, 0], "worse": [2, 3, 4]}  # t = 3√3 with two degrees of freedom
    assert paired_t_tests(samples).loc["worse", "p_value"] == pytest.approx(0.0351, abs=5e-5)
    marks = [paired_t_tests(samples, alpha=alpha).loc["worse", "not_worse"] for alpha in (0.05, 0.036, 0.034)]
    assert marks == [False, False, True]


def test_no_variance_is_no_division_by_zero():
    base = np.array([0.1, 0.2, 0.3])
    samples = {"best": base, "twin": base + 1e-17, "always 0.1 worse": base + 0.1, "constant": np.full(3, 0.5)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = paired_t_tests(samples)
    assert list(result["best"]) == [True, True, False, False]
    assert list(result["p_value"][:3]) == [1, 1, 0]
    assert list(result["not_worse"][:3]) == [True, True, False]
    assert result.loc["constant", "std"] == 0


def test_equal_means_are_all_best():
    result = paired_t_tests({"a": [0.1, 0.3], "b": [0.3, 0.1], "c": [0.2, 0.2]})
    assert result["best"].all()
    assert result["not_worse"].all()


def test_all_constant():
    result = paired_t_tests([[0.0, 1.0]] * 4)
    assert result.to_dict("list") == {
        "mean": [0.0, 1.0],
        "std": [0.0, 0.0],
        "p_value": [1.0, 0.0],
        "best": [True, False],
        "not_worse": [True, False],
    }
    assert not paired_t_tests([[0.0, 1.0]] * 4, lower_is_better=False)["best"][0]


def test_one_method_is_its_own_best():
    assert paired_t_tests({"els": [0.1, 0.2]})["best"].all()


def test_order_of_repeats_and_methods_does_not_matter():
    rng = np.random.default_rng(0)
    samples = pd.DataFrame(rng.random((6, 4)), columns=list("abcd"))
    moved = samples.iloc[rng.permutation(6), rng.permutation(4)]
    pd.testing.assert_frame_equal(paired_t_tests(samples), paired_t_tests(moved).loc[samples.columns])


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
@settings(max_examples=100)
def test_exact_p_value_counts_all_signs(differences):
    """Ties and zeros included."""
    d = np.array([x for x in differences if x], dtype=float)
    ranks = stats.rankdata(np.abs(d))
    sums = np.array([ranks[list(signs)].sum() for signs in product([False, True], repeat=len(d))])
    observed = ranks[d > 0].sum()
    p = min(1.0, 2 * min(np.mean(sums <= observed), np.mean(sums >= observed)))
    assert signed_rank_p_value(np.array(differences, dtype=float)) == pytest.approx(p, abs=1e-14)


@pytest.mark.parametrize("n", [1, 2, 5, 20, 50, 51, 120])
def test_signed_ranks_equal_scipys_without_ties(n):
    d = np.random.default_rng(n).normal(0.3, 1, n)
    assert signed_rank_p_value(d) == pytest.approx(stats.wilcoxon(d).pvalue, rel=1e-9)


def test_signed_ranks_equal_scipys_approximation_with_many_ties():
    d = np.random.default_rng(0).integers(-3, 5, 90).astype(float)
    expected = stats.wilcoxon(d, zero_method="wilcox", correction=False, method="asymptotic").pvalue
    assert signed_rank_p_value(d) == pytest.approx(expected, rel=1e-9)


def test_exact_and_approximate_meet():
    rng = np.random.default_rng(1)
    for _ in range(10):
        d = rng.normal(0.2, 1, 50)
        approximate = stats.wilcoxon(d, method="asymptotic").pvalue
        assert signed_rank_p_value(d) == pytest.approx(approximate, abs=0.01)


def test_floating_point_noise_is_no_difference():
    steps = paired_differences(np.array([0.3, 0.2, 0.7]), np.array([0.2, 0.1, 0.1 + 0.2 + 0.4]))
    assert steps[0] == steps[1]
    assert steps[2] == 0
    np.testing.assert_array_equal(paired_differences(np.zeros(2), np.zeros(2)), 0)
    assert signed_rank_p_value(paired_differences(np.array([1e-300, 2e-300]), np.zeros(2))) == 0.5
