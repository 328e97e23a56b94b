"""Mean ± standard deviation over the repeats on one data set, and who is not significantly worse than the best."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import stdtr

from mlfs.statistics.checks import TableLike, checked_alpha, checked_table, require
from mlfs.statistics.differences import paired_differences


def paired_t_tests(samples: TableLike, lower_is_better: bool = True, alpha: float = 0.05) -> pd.DataFrame:
    """Compare each method of a table (repeats × methods, one data set) with the best by a paired t-test, two-sided.

    This is how `wang_2020_elc` Table 2 is marked (5 %). The best has the best mean; where means agree to 12 digits
    all are best, and the others are compared with the first. Where a method differs from the best by the same amount
    in all repeats there is no variance to test: p is 1 if the amount is zero, else 0.

    Repeats on one data set share training rows, so that the test finds more differences than there are (Nadeau &
    Bengio, Machine Learning 52, 2003): read it as the papers' mark, not as evidence over data sets.

    Returns
    -------
    DataFrame by method, in the order of the table
        mean, std (n − 1), p_value (against the best), best, not_worse (the best, and all with p > alpha).

    >>> paired_t_tests({"els": [.10, .12, .11], "mfs": [.11, .11, .12], "random": [.30, .31, .32]}).round(4)
              mean     std  p_value   best  not_worse
    els     0.1100  0.0100   1.0000   True       True
    mfs     0.1133  0.0058   0.6667  False       True
    random  0.3100  0.0100   0.0008  False      False
    """
    table = checked_table(samples, row="repeat")
    require(table, "A paired t-test", rows=2, methods=1, row="repeat")
    alpha = checked_alpha(alpha)
    values = table.to_numpy()
    means = values.mean(axis=0)
    best = paired_differences(means, np.full(len(means), means.min() if lower_is_better else means.max())) == 0
    first = values[:, np.argmax(best)]
    p_values = np.array([_p_value(paired_differences(first, other)) for other in values.T])
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


def _p_value(differences: np.ndarray) -> float:
    n = len(differences)
    if np.ptp(differences) == 0:
        return float(differences[0] == 0)
    t = differences.mean() / (differences.std(ddof=1) / np.sqrt(n))
    return float(2 * stdtr(n - 1, -abs(t)))
