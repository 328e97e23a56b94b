"""Paired t-tests against SciPy, and where there is no variance to test with."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mlfs.statistics import paired_t_tests


@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_equals_scipy(seed, lower):
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
