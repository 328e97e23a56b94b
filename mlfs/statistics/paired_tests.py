"""Two methods on the same repeats or data sets: paired t-tests, and Wilcoxon's signed-rank test."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import ndtr, stdtr

from mlfs.checks import flag
from mlfs.statistics.checks import TableLike, checked_alpha, checked_table, require

DIGITS = 12
#: Up to this many non-zero differences all choices of signs are counted; beyond, the normal distribution is near.
EXACT_UP_TO = 50
#: With fewer repeats a t-test tells so little apart that almost everything would be marked as not worse.
LEAST_REPEATS = 5


def paired_differences(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x − y in units of the largest value, to 12 digits, which is all that signs, ranks and t need.

    Floating-point noise makes equal steps unequal: 0.3 − 0.2 ≠ 0.2 − 0.1.

    >>> d = paired_differences(np.array([0.3, 0.2, 0.1]), np.array([0.2, 0.1, 0.1]))
    >>> d[0] == d[1], d[2]
    (np.True_, np.float64(0.0))
    """
    unit = max(np.abs(x).max(), np.abs(y).max())
    if unit == 0:
        return np.zeros(len(x))
    # Adding 0 turns the −0 that rounding leaves into 0.
    return np.round(x / unit - y / unit, DIGITS) + 0.0


def paired_t_tests(samples: TableLike, lower_is_better: bool = True, alpha: float = 0.05) -> pd.DataFrame:
    """Compare each method of a table (repeats × methods, one data set) with the best by a paired t-test, two-sided.

    This is how `wang_2020_elc` Table 2 is marked (5%). The best has the best mean; where means agree to 12 digits
    all are best, and the others are compared with the first. Where a method differs from the best by the same amount
    in all repeats there is no variance to test: p is 1 if the amount is zero, else 0.

    Repeats on one data set share training rows, so that the test finds more differences than there are (Nadeau &
    Bengio, Machine Learning 52, 2003): read it as the papers' mark, not as evidence over data sets.

    Parameters
    ----------
    samples : DataFrame, mapping or array
        Repeats × methods.
    lower_is_better : bool
    alpha : float

    Returns
    -------
    DataFrame by method, in the order of the table
        mean, std (n − 1), p_value (against the best), best, not_worse (the best, and all with p > alpha).

    Examples
    --------
    >>> paired_t_tests({"els": [.10, .12, .11], "mfs": [.11, .11, .12], "random": [.30, .31, .32]}).round(4)
              mean     std  p_value   best  not_worse
    els     0.1100  0.0100   1.0000   True       True
    mfs     0.1133  0.0058   0.6667  False       True
    random  0.3100  0.0100   0.0008  False      False
    """
    table = checked_table(samples, row="repeat")
    flag("lower_is_better", lower_is_better)
    require(table, "A paired t-test", rows=2, methods=1, row="repeat")
    alpha = checked_alpha(alpha)
    values = table.to_numpy()
    means = values.mean(axis=0)
    best = paired_differences(means, np.full(len(means), means.min() if lower_is_better else means.max())) == 0
    first = values[:, np.argmax(best)]
    p_values = np.array([_t_test_p_value(paired_differences(first, other)) for other in values.T])
    return pd.DataFrame(
        {
            "mean": means,
            "std": values.std(axis=0, ddof=1),
            "p_value": p_values,
            "best": best,
            "not_worse": best | (p_values > alpha),
        },
        index=table.columns,
    )


def signed_rank_p_value(differences: np.ndarray) -> float:
    """Return the two-sided p-value that paired differences are symmetric about zero (Wilcoxon 1945).

    Exact with ties too, where SciPy's answer depends on its version.

    Zeros are dropped, Wilcoxon's own way and SciPy's default (``zero_method="wilcox"``); all zeros give p = 1. Equal
    sizes share their mean rank. Up to 50 differences the sum of positive ranks is compared with all 2ⁿ choices of
    signs of these very ranks, which without ties is the tabulated distribution. Beyond, it is taken as normal with
    the variance Σ rank² / 4, without continuity correction.

    >>> signed_rank_p_value(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    0.0625
    >>> signed_rank_p_value(np.array([1.0, -1.0, 0.0]))
    1.0
    """
    differences = differences[differences != 0]
    n = len(differences)
    if n == 0:
        return 1.0
    ranks = pd.Series(np.abs(differences)).rank().to_numpy()
    positive = ranks[differences > 0].sum()
    smaller = min(positive, ranks.sum() - positive)
    if n > EXACT_UP_TO:
        z = (smaller - ranks.sum() / 2) / np.sqrt((ranks**2).sum() / 4)
        return min(1.0, 2 * float(ndtr(z)))
    # The distribution is symmetric, so both tails weigh the same.
    doubled = np.rint(2 * ranks).astype(int)
    return min(1.0, 2 * float(_sum_distribution(doubled)[: round(2 * smaller) + 1].sum()))


def _t_test_p_value(differences: np.ndarray) -> float:
    n = len(differences)
    if np.ptp(differences) == 0:
        return float(differences[0] == 0)
    t = differences.mean() / (differences.std(ddof=1) / np.sqrt(n))
    return float(2 * stdtr(n - 1, -abs(t)))


def _sum_distribution(ranks: np.ndarray) -> np.ndarray:
    """Probability of each sum when every rank counts with probability ½."""
    chances = np.zeros(ranks.sum() + 1)
    chances[0] = 1.0
    for rank in ranks:
        with_it = np.zeros_like(chances)
        with_it[rank:] = chances[:-rank]
        chances = (chances + with_it) / 2
    return chances
