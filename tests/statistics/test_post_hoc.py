"""Nemenyi's and Bonferroni–Dunn's tests against scikit-posthocs, their formulas, and each other."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mlfs.statistics import bonferroni_dunn, critical_difference, friedman, nemenyi


def random_table(seed, values=None):
    """Any size; methods of unequal quality; ties where only few values are possible."""
    rng = np.random.default_rng(seed)
    n, k = rng.integers(3, 25), rng.integers(3, 12)
    table = rng.normal(rng.normal(0, 1, k), 1, (n, k))
    return pd.DataFrame(table if values is None else np.floor(table * values), columns=[f"m{j}" for j in range(k)])


@pytest.mark.parametrize("values", [None, 1])
@pytest.mark.parametrize("seed", range(10))
def test_nemenyi_equals_scikit_posthocs(seed, values):
    import scikit_posthocs  # which brings half a dozen packages along

    table = random_table(seed, values)
    ours = nemenyi(friedman(table))
    theirs = scikit_posthocs.posthoc_nemenyi_friedman(table)
    pd.testing.assert_frame_equal(ours.p_values, theirs, check_names=False, atol=1e-12)
    np.testing.assert_array_equal(ours.significant, theirs <= 0.05)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("alpha", [0.01, 0.1])
def test_nemenyi_decides_alike_by_p_value_and_by_distance(seed, alpha):
    test = nemenyi(friedman(random_table(seed)), alpha)
    np.testing.assert_array_equal(test.significant, test.p_values <= alpha)
    np.testing.assert_array_equal(test.p_values, test.p_values.T)
    np.testing.assert_array_equal(np.diag(test.p_values), 1)
    for clique in test.cliques:
        assert not test.significant.loc[list(clique), list(clique)].any(axis=None)


@pytest.mark.parametrize("seed", range(10))
def test_bonferroni_dunn_is_its_formula(seed):
    result = friedman(random_table(seed))
    control = result.average_ranks.index[seed % result.k]
    test = bonferroni_dunn(result, control)
    assert control not in test.differences.index
    assert len(test.differences) == result.k - 1
    for method, difference in test.differences.items():
        assert difference == pytest.approx(result.average_ranks[method] - result.average_ranks[control])
        z = abs(difference) / np.sqrt(result.k * (result.k + 1) / (6 * result.n))
        assert test.p_values[method] == pytest.approx(min(1, (result.k - 1) * 2 * stats.norm.sf(z)))
        assert test.significant[method] == (test.p_values[method] <= 0.05)
        low, high = test.interval
        assert test.significant[method] == (not low < result.average_ranks[method] < high)
    assert test.critical_difference == critical_difference(result.k, result.n, test="bonferroni_dunn")


def test_a_control_sees_smaller_differences_than_all_pairs():
    result = friedman(random_table(3))
    assert bonferroni_dunn(result, "m0").critical_difference < nemenyi(result).critical_difference
