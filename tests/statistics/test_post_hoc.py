"""Critical differences against printed tables, an integral of one's own, and limits; the two tests that use them
against scikit-posthocs, their formulas, and each other."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.special import ndtr

from mlfs.errors import ParameterError
from mlfs.statistics import bonferroni_dunn, critical_difference, friedman, nemenyi
from mlfs.statistics.post_hoc import rank_error

#: Demšar 2006, Table 5: q for 2 … 10 methods at 5 % and 10 %. Its third decimal is rounded from a rounded table.
DEMSAR = {
    ("nemenyi", 0.05): [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164],
    ("nemenyi", 0.10): [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920],
    ("bonferroni_dunn", 0.05): [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.724, 2.773],
    ("bonferroni_dunn", 0.10): [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539],
}


def q(k, alpha, test):
    return critical_difference(k, 10, alpha, test) / rank_error(k, 10)


@pytest.mark.parametrize(("test", "alpha"), DEMSAR)
def test_quantiles_are_demsars(test, alpha):
    printed = np.array(DEMSAR[test, alpha])
    ours = np.array([q(k, alpha, test) for k in range(2, 11)])
    if (test, alpha) == ("bonferroni_dunn", 0.05):
        printed[7] = 2.734  # for k = 9 it prints 2.724, and many programs have copied it
    np.testing.assert_allclose(ours, printed, atol=1.1e-3)


@pytest.mark.parametrize("k", [2, 3, 7, 30, 100])
def test_nemenyi_quantile_has_the_right_tail(k):
    """P(range of k normals < q√2) = k ∫ φ(z) (Φ(z) − Φ(z − q√2))^(k−1) dz, by Gauss–Legendre."""
    x, weights = np.polynomial.legendre.leggauss(200)
    z, weights = 9 * x, 9 * weights
    density = np.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    inside = k * np.sum(weights * density * (ndtr(z) - ndtr(z - q(k, 0.05, "nemenyi") * math.sqrt(2))) ** (k - 1))
    assert inside == pytest.approx(0.95, abs=1e-12)


def test_a_whole_critical_difference_apart_is_significant(monkeypatch):
    monkeypatch.setattr("mlfs.statistics.post_hoc.critical_difference", lambda *_: 1.0)
    result = friedman({"a": [1, 1], "b": [2, 2], "c": [3, 3]})
    every, against_a = nemenyi(result), bonferroni_dunn(result, "a")
    assert every.significant.to_numpy().tolist() == [[False, True, True], [True, False, True], [True, True, False]]
    assert every.cliques == ()
    assert against_a.significant.tolist() == [True, True]


def test_two_methods_leave_nothing_to_correct():
    for test in ("nemenyi", "bonferroni_dunn"):
        assert q(2, 0.05, test) == pytest.approx(1.959963984540054, abs=1e-12)


def test_shrinks_with_data_sets_and_grows_with_methods():
    for test in ("nemenyi", "bonferroni_dunn"):
        assert critical_difference(5, 40, test=test) == pytest.approx(critical_difference(5, 10, test=test) / 2)
        sizes = [critical_difference(k, 10, test=test) for k in range(2, 31)]
        assert sizes == sorted(sizes)
        assert critical_difference(5, 10, 0.1, test) < critical_difference(5, 10, 0.05, test)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"k": 1, "n": 8}, "k=1 must be the number of methods, a whole number of at least 2."),
        ({"k": 2.5, "n": 8}, "k=2.5 must be the number of methods, a whole number of at least 2."),
        ({"k": 3, "n": 0}, "n=0 must be the number of data sets, a whole number of at least 1."),
        ({"k": 3, "n": 8, "alpha": 0}, "alpha=0 must be a number between 0 and 1, both excluded; 0.05 is usual."),
        ({"k": 3, "n": 8, "alpha": 1.0}, "alpha=1.0 must be a number between 0 and 1, both excluded; 0.05 is usual."),
        ({"k": 3, "n": 8, "alpha": "5%"}, "alpha=5% must be a number between 0 and 1, both excluded; 0.05 is usual."),
        ({"k": 3, "n": 8, "test": "nemeny"}, "Unknown test 'nemeny': did you mean 'nemenyi'?"),
        ({"k": 3, "n": 8, "test": "t"}, "Unknown test 't': choose from nemenyi, bonferroni_dunn."),
    ],
)
def test_says_what_to_change(arguments, sentence):
    with pytest.raises(ParameterError) as error:
        critical_difference(**arguments)
    assert str(error.value) == sentence


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
