"""Wilcoxon's signed-rank test of one pair, exact with ties too, where SciPy's answer depends on its version."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import ndtr

#: Up to this many non-zero differences all choices of signs are counted; beyond, the normal distribution is near.
EXACT_UP_TO = 50


def signed_rank_p_value(differences: np.ndarray) -> float:
    """Return the two-sided p-value that paired differences are symmetric about zero (Wilcoxon 1945).

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


def _sum_distribution(ranks: np.ndarray) -> np.ndarray:
    """Probability of each sum when every rank counts with probability ½."""
    chances = np.zeros(ranks.sum() + 1)
    chances[0] = 1.0
    for rank in ranks:
        with_it = np.zeros_like(chances)
        with_it[rank:] = chances[:-rank]
        chances = (chances + with_it) / 2
    return chances
