"""Friedman's test against closed forms and SciPy, and what must not change it."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mlfs.statistics import friedman


@st.composite
def tables(draw):
    """Small tables with names; few values make many ties, many values none."""
    n, k = draw(st.integers(2, 12)), draw(st.integers(3, 8))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    values = rng.integers(0, draw(st.sampled_from([2, 4, 10**6])), (n, k)) / 8
    values[0, :2] = 0, 1  # not everything ties
    return pd.DataFrame(values, index=[f"set {i}" for i in range(n)], columns=[f"method {j}" for j in range(k)])


def same(a, b):
    assert (a.chi2, a.F, a.p_value, a.p_value_chi2) == (b.chi2, b.F, b.p_value, b.p_value_chi2)


@given(tables(), st.booleans())
@settings(max_examples=60)
def test_equals_scipy_and_the_formulas(table, lower):
    result = friedman(table, lower, tie_correction=False)
    n, k = table.shape
    assert (result.n, result.k, result.lower_is_better) == (n, k, lower)

    ranks = stats.rankdata(table if lower else -table, axis=1)
    np.testing.assert_array_equal(result.ranks, ranks)
    chi2 = 12 * n / (k * (k + 1)) * (np.sum(ranks.mean(axis=0) ** 2) - k * (k + 1) ** 2 / 4)
    assert result.chi2 == pytest.approx(chi2, abs=1e-9)
    assert result.p_value_chi2 == pytest.approx(stats.chi2.sf(result.chi2, k - 1), abs=1e-12)
    assert result.p_value == pytest.approx(stats.f.sf(result.F, *result.degrees_of_freedom), abs=1e-12)
    if np.isfinite(result.F):
        assert (n - 1) * result.chi2 == pytest.approx(result.F * (n * (k - 1) - result.chi2))

    scipy = stats.friedmanchisquare(*table.to_numpy().T)
    corrected = friedman(table, lower)
    assert (corrected.tie_correction, result.tie_correction) == (True, False)
    assert corrected.chi2 == pytest.approx(scipy.statistic, abs=1e-9)
    assert corrected.p_value_chi2 == pytest.approx(scipy.pvalue, abs=1e-9)
    assert corrected.chi2 >= result.chi2


@given(tables(), st.booleans())
@settings(max_examples=60)
def test_ranks_share_out_the_same_sum_in_every_row(table, lower):
    result = friedman(table, lower)
    assert (result.ranks.sum(axis=1) == result.k * (result.k + 1) / 2).all()
    assert result.average_ranks.mean() == pytest.approx((result.k + 1) / 2)
    assert result.ranks.index.equals(table.index)
    assert result.average_ranks.index.equals(table.columns)


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_order_of_data_sets_and_methods_does_not_matter(table, random):
    rows, columns = list(table.index), list(table.columns)
    random.shuffle(rows)
    random.shuffle(columns)
    result, shuffled = friedman(table), friedman(table.loc[rows, columns])
    same(result, shuffled)
    pd.testing.assert_series_equal(result.average_ranks[columns], shuffled.average_ranks, check_exact=True)


@given(tables())
@settings(max_examples=60)
def test_only_the_order_within_a_data_set_matters(table):
    """Each row through its own increasing map: powers, logarithms, tiny and huge units."""
    maps = [np.exp2, np.log1p, lambda x: 1e-9 * x - 3e-8, lambda x: 1e100 * x, np.sqrt]
    small = table.clip(upper=100.0)
    moved = pd.DataFrame([maps[i % len(maps)](row) for i, (_, row) in enumerate(small.iterrows())])
    same(friedman(small), friedman(moved))
    pd.testing.assert_frame_equal(friedman(small).ranks, friedman(moved).ranks, check_exact=True)


@given(tables())
@settings(max_examples=60)
def test_direction_turns_the_ranks_round(table):
    low, high, negated = friedman(table), friedman(table, lower_is_better=False), friedman(-table, False)
    same(low, high)
    np.testing.assert_array_equal(low.ranks + high.ranks, low.k + 1)
    pd.testing.assert_frame_equal(low.ranks, negated.ranks)


def test_ties_by_hand():
    """χ² = 12·2/12 · (1.25² + 1.75² + 3² − 12) = 3.25, divided by 1 − 6/48 for the one pair that ties."""
    table = [[1, 1, 2], [1, 2, 3]]
    assert friedman(table, tie_correction=False).chi2 == 3.25
    assert friedman(table).chi2 == pytest.approx(3.25 / 0.875)


def test_full_agreement_is_the_largest_statistic():
    result = friedman([[1, 2, 3, 4]] * 5)
    assert (result.chi2, result.F, result.p_value) == (15.0, float("inf"), 0.0)


def test_latin_square_is_the_smallest():
    result = friedman([[1, 2, 3], [2, 3, 1], [3, 1, 2]])
    assert (result.chi2, result.F, result.p_value, result.p_value_chi2) == (0.0, 0.0, 1.0, 1.0)


def test_values_apart_by_little_do_not_tie():
    table = [[1e-15, 2e-15, 3e-15], [1.0, 1.0 + 2**-52, 1.0 + 2**-51]]
    assert friedman(table).ranks.to_numpy().tolist() == [[1, 2, 3]] * 2


def test_constant_method_is_allowed_but_noted():
    result = friedman({"els": [0.1, 0.3, 0.2], "mfs": [0.2, 0.2, 0.2], "fimf": [0.3, 0.1, 0.4]})
    assert result.notes == ("Method 'mfs' has the same value on all 3 data sets; check that its column holds results.",)
    assert friedman([[1, 2, 3], [3, 1, 2]]).notes == ()
