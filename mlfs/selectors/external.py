"""A selector that ranks as it is told: the order comes from another program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mlfs.parameters import columns
from mlfs.selectors.base import Selector
from mlfs.selectors.evidence import Evidence


class _Unlisted:
    # Inherited, so that the class below is not registered; with blanks, so that no method can have this id.
    id = "ranked elsewhere"
    name = "Ranking"


class ExternalSelector(_Unlisted, Selector):
    """Features in a given order; the data are not looked at. No method of the menu: `ExternalRanking` makes it.

    Examples
    --------
    >>> ExternalSelector(order=(2, 0)).fit([[5, 1, 2], [3, 1, 0]], [[0], [1]]).ranking_
    array([2, 0])
    """

    order: Sequence[int] = columns("the features, best first; those that are left out are never selected")

    def _size(self, available: int) -> int:
        return min(super()._size(available), len(self.order))

    def _evidence(self, X: Any, Y: np.ndarray) -> Evidence:
        return Evidence(X, Y)

    def _rank(self, evidence: Evidence) -> tuple[np.ndarray, np.ndarray]:
        ranking, scores = np.array(self.order, dtype=np.intp), np.full(self.n_features_in_, np.nan)
        scores[ranking] = np.arange(len(ranking), 0, -1)
        if len(ranking) < self.n_features_in_:
            self.notes_.append(
                f"The ranking has the first {len(ranking)} of {self.n_features_in_} features: "
                "larger numbers of features are left out."
            )
        return scores, ranking
