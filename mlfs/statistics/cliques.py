"""The thick bars of a critical-difference diagram: groups of methods that the test cannot tell apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from mlfs.checks import checked
from mlfs.errors import ParameterError

Cliques = tuple[tuple[Hashable, ...], ...]


@checked
def cliques(average_ranks: Mapping[Any, float] | pd.Series, cd: float) -> Cliques:
    """Return the largest groups whose average ranks differ by less than the critical difference.

    A pair at least `cd` apart differs significantly (Demšar 2006). Groups inside a larger group and groups of one are
    left out. Groups and the methods in them stand best rank first, equal ranks in the given order.

    Parameters
    ----------
    average_ranks : mapping or Series
        By method.
    cd : float
        The critical difference.

    Returns
    -------
    tuple of tuples of methods

    Examples
    --------
    >>> cliques({"els": 1.5, "grro": 2.0, "fimf": 3.2, "mfs": 6.0}, cd=1.4)
    (('els', 'grro'), ('grro', 'fimf'))
    """
    if not cd >= 0:
        raise ParameterError(f"cd={cd} must be a critical difference, a number of at least 0.")
    ranks = _sorted(average_ranks)
    values = ranks.to_numpy()
    return _intervals(list(ranks.index), lambda i, j: values[j] - values[i] < cd)


@checked
def cliques_from_pairs(average_ranks: Mapping[Any, float] | pd.Series, significant: pd.DataFrame) -> Cliques:
    """Return the largest groups of neighbours in rank order of which no pair differs significantly.

    A bar covers all ranks between its ends, so that methods alike on both sides of one that differs have no bar: only
    the table shows them.

    Parameters
    ----------
    average_ranks : mapping or Series
        By method.
    significant : DataFrame of bool
        Symmetric, methods × methods, as `wilcoxon_holm` gives.

    Returns
    -------
    tuple of tuples of methods

    Examples
    --------
    >>> names = ["els", "grro", "mfs"]
    >>> differs = pd.DataFrame([[0, 0, 1], [0, 0, 0], [1, 0, 0]], index=names, columns=names).astype(bool)
    >>> cliques_from_pairs({"mfs": 2.9, "els": 1.1, "grro": 2.0}, differs)
    (('els', 'grro'), ('grro', 'mfs'))
    """
    names = list(_sorted(average_ranks).index)
    if missing := [name for name in names if name not in significant.index or name not in significant.columns]:
        raise ParameterError(f"The table of pairs lacks '{missing[0]}'; it needs a row and a column for every method.")
    differs = significant.loc[names, names].to_numpy(dtype=bool)
    return _intervals(names, lambda i, j: not differs[i : j + 1, i : j + 1].any())


def _sorted(average_ranks: Mapping[Any, float] | pd.Series) -> pd.Series:
    ranks = pd.Series(average_ranks, dtype=float)
    if not np.isfinite(ranks).all():
        raise ParameterError("Every average rank must be a number; leave out methods that have none.")
    return ranks.sort_values(kind="stable")


def _intervals(names: list[Hashable], alike: Callable[[int, int], bool]) -> Cliques:
    """The longest runs i … j that are alike; every part of such a run is alike too, so j never steps back."""
    groups: list[tuple[Hashable, ...]] = []
    last = 0
    for i in range(len(names)):
        j = max(i, last)
        while j + 1 < len(names) and alike(i, j + 1):
            j += 1
        if j > max(i, last):
            groups.append(tuple(names[i : j + 1]))
        last = j
    return tuple(groups)
