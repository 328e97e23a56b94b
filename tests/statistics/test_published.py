"""What the papers print, computed again from their own tables as they do, without correction for ties."""

import numpy as np
import pytest

from mlfs.statistics import bonferroni_dunn, critical_difference, friedman, nemenyi
from tests.statistics.published import HAMMING_LOSS, MACRO_F1, MICRO_F1, RANKING_LOSS


def test_grro_micro_f1_is_the_published_statistic():
    result = friedman(MICRO_F1, lower_is_better=False, tie_correction=False)
    assert round(result.F, 4) == 77.3768
    assert round(result.critical_value(), 2) == 2.18  # printed as ≈ 2.17
    assert list(result.average_ranks) == [2.05, 1.55, 6.7, 5.2, 5.75, 3.6, 3.15]


def test_grro_macro_f1_misses_the_published_statistic_by_one_tie():
    """Printed 33.3880: on image GRRO-LS and PMU tie and both got rank 3 instead of 3.5; all other ties are averaged."""
    result = friedman(MACRO_F1, lower_is_better=False, tie_correction=False)
    assert round(result.F, 4) == 35.5641
    ranks = result.ranks.copy()
    assert list(ranks.loc["image", ["grro_ls", "pmu"]]) == [3.5, 3.5]
    ranks.loc["image", ["grro_ls", "pmu"]] = 3
    n, k = ranks.shape
    chi2 = 12 * n / (k * (k + 1)) * (np.sum(ranks.mean() ** 2) - k * (k + 1) ** 2 / 4)
    assert round((n - 1) * chi2 / (n * (k - 1) - chi2), 4) == 33.3880


def test_grro_nemenyi_conclusions():
    micro, macro = (nemenyi(friedman(table, lower_is_better=False)).significant for table in (MICRO_F1, MACRO_F1))
    for differs in (micro, macro):
        assert not differs.loc["grro", "grro_ls"]
        assert differs.loc[["grro", "grro_ls"], ["pmu", "fimf", "mdmr"]].all(axis=None)
    # GRRO-LS beats MICO on macro-F1 and SCLS on micro-F1, and not the other way round.
    assert list(macro.loc["grro_ls", ["mico", "scls"]]) == [True, False]
    assert list(micro.loc["grro_ls", ["mico", "scls"]]) == [False, True]


@pytest.mark.parametrize(
    ("table", "from_table", "published"),
    [(HAMMING_LOSS, 5.7350, 5.506), (RANKING_LOSS, 4.3778, 4.868)],
    ids=["hamming_loss", "ranking_loss"],
)
def test_els_statistics_need_more_than_the_printed_decimals(table, from_table, published):
    """Three decimals tie methods that the authors' values may have told apart; the conclusions hold all the same."""
    result = friedman(table, tie_correction=False)
    assert round(result.F, 4) == from_table != published
    assert round(result.critical_value(), 3) == 2.324
    assert min(result.F, published) > result.critical_value()
    verdict = bonferroni_dunn(result, "els").significant
    assert list(verdict.index[verdict]) == ["all_features"]


def test_published_critical_differences():
    """Exact to all digits where q is rounded as in Demšar's table, in the third decimal otherwise."""
    assert round(2.949 * (7 * 8 / (6 * 20)) ** 0.5, 4) == 2.0146
    assert critical_difference(k=7, n=20, test="nemenyi") == pytest.approx(2.0146, abs=6e-4)
    assert round(2.638 * (7 * 8 / (6 * 8)) ** 0.5, 3) == 2.849
    assert critical_difference(k=7, n=8, test="bonferroni_dunn") == pytest.approx(2.849, abs=7e-4)
